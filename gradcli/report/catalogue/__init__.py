"""Every word the product says, one entry a fact: an outcome goes in, a `Diagnostic` comes out.

`errors` and `faults` (of syntax) word what stops a program, `reasons` why a gradient is None, `notices` warnings and
notes, `asserts` what did not hold, `checks` gradients that differ from numeric ones. An entry is a function of the
facts; nothing else in the product forms a sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import error_diagnostic
from .notes import note_diagnostic
from .notices import warning_diagnostic
from .reasons import none_diagnostic

if TYPE_CHECKING:
    from gradcli.report.diagnostic import Diagnostic

__all__ = ["diagnose", "error_diagnostic", "none_diagnostic", "note_diagnostic", "warning_diagnostic"]


def diagnose(outcome: Any) -> Diagnostic | None:
    """The diagnostic of an outcome; None for one that needs none (a shown value, an assert that held)."""
    kind = type(outcome).__name__
    if kind == "Failed":
        return error_diagnostic(outcome)
    if kind == "Warned":
        return warning_diagnostic(outcome)
    if kind == "Noted":
        return note_diagnostic(outcome)
    if kind == "Asserted" and not outcome.ok:
        from .asserts import assert_diagnostic  # it prints values, and those need NumPy

        return assert_diagnostic(outcome)
    if kind == "Checked":
        from .checks import check_diagnostic

        return check_diagnostic(outcome)
    return None
