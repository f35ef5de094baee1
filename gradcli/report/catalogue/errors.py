"""Errors: what stopped a program, as a diagnostic. The words are in `shapes`, `values`, `usage` and others here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradcli.report.diagnostic import Diagnostic

from . import data_files, faults, modules, shapes, usage, values
from .entries import ENTRIES
from .words import Words

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Failed

__all__ = ["ENTRIES", "data_files", "error_diagnostic", "faults", "modules", "shapes", "usage", "values"]


def error_diagnostic(failed: Failed) -> Diagnostic:
    """The diagnostic of an error."""
    make = ENTRIES.get((failed.code, failed.kind)) or faults.FAULTS.get(failed.kind)
    facts = dict(failed.facts)
    words = make(facts) if make is not None else Words(f"{failed.kind.replace('-', ' ')}")
    labels = tuple((place, _role(role)) for place, role in failed.others)
    opened = facts.get("opened")
    if isinstance(opened, int) and opened >= 0 and failed.kind.startswith("unclosed"):
        from gradcli.runtime.outcomes import Place

        labels = (*labels, (Place(failed.place.source, opened, opened + 1), "opened here"))
    return Diagnostic(
        "error", failed.code, words.message, failed.place, label=words.label, hint=words.hint, labels=labels,
        details=words.details,
    )  # fmt: skip


def _role(role: str) -> str:
    return {"defined": "the function is defined here", "used": "the tape's one gradient was taken here"}.get(
        role, f"declared or computed here: it {role}"
    )
