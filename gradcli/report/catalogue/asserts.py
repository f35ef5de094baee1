"""The words of a failed assert: both sides, by how much they differ, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.report.diagnostic import Diagnostic
from gradcli.report.numbers import real_text
from gradcli.report.plain import value_text

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Asserted

_WHY = {
    "shape": "the shapes differ", "structure": "the structures differ", "none": "one side is none",
    "value": "the values differ",
}  # fmt: skip


def side_text(value: Any) -> str:
    """One side of a comparison: its value, cut if it is long, and its shape."""
    text = value_text(value, inside=True)
    shape = getattr(value, "shape", None)
    tail = f"   shape {tuple(shape)}" if shape is not None else ""
    return (text if len(text) <= 200 else text[:197] + "…") + tail


def assert_diagnostic(outcome: Asserted) -> Diagnostic:
    """The diagnostic of an assert that failed."""
    message = "assertion failed"
    if outcome.message:
        message += f": {outcome.message}"
    elif outcome.why:
        message += f": {_WHY[outcome.why]}"
    details = []
    if outcome.compared is not None:
        details = [f"left   {side_text(outcome.left)}", f"right  {side_text(outcome.right)}"]
    if outcome.max_abs is not None and outcome.max_abs != 0:
        relative = f", relative {real_text(outcome.max_rel, 3)}" if outcome.max_rel is not None else ""
        where = f", at {outcome.where}" if outcome.where else ""
        details.append(f"largest difference {real_text(outcome.max_abs, 6)}{relative}{where}")
    return Diagnostic("assert", "failed", message, outcome.place, details=tuple(details))
