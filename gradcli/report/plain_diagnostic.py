"""Diagnostics as plain text, with the place underlined. It needs neither Rich nor NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .excerpt import excerpt, shown

if TYPE_CHECKING:
    from .diagnostic import Diagnostic


def diagnostic_text(diagnostic: Diagnostic) -> str:
    """A diagnostic as lines: head with the place, the source line with the span underlined, labels, hint."""
    place = diagnostic.place
    head = f"{diagnostic.severity}[{diagnostic.code}] {diagnostic.message}"
    if place is None:
        lines = [head]
    else:
        line, column = place.source.position(place.start)
        lines = [f"{shown(place.source.name)}:{line}:{column}: {head}"]
        lines.extend(excerpt(place, diagnostic.label))
    for other, words in diagnostic.labels:
        line, column = other.source.position(other.start)
        lines.append(f"  {shown(other.source.name)}:{line}:{column}: {words}")
        lines.extend(excerpt(other, ""))
    lines.extend(f"  {detail}" for detail in diagnostic.details)
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    return "\n".join(lines)
