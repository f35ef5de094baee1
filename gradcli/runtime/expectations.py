"""Expected failures: a comment `# expect: error[dtype-mismatch]` at the end of a line says what the line must give.

What is expected and comes is no failure; what is expected and does not come is one, like a failed assert.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .outcomes import Asserted, NoGradient, Place

if TYPE_CHECKING:
    from gradcli.lang.source import Source

_COMMENT = r"#\s*expect:\s*(.+)$"
_ITEM = r"(error|warning|none|note|check)\[([a-z-]+)\]"
_SEVERITY = {"Failed": "error", "Warned": "warning", "Noted": "note", "Checked": "check"}


class Expectation:
    """One `severity[code]` of one line."""

    __slots__ = ("code", "line", "met", "place", "severity")

    def __init__(self, severity: str, code: str, line: int, place: Place) -> None:
        self.severity = severity
        self.code = code
        self.line = line
        self.place = place
        self.met = False

    @property
    def text(self) -> str:
        """`error[dtype-mismatch]`."""
        return f"{self.severity}[{self.code}]"


class Expectations:
    """All that one source expects."""

    def __init__(self, source: Source, comments: list[tuple[int, int, str]]) -> None:
        self.source = source
        self.items: list[Expectation] = []
        for start, end, text in comments:
            found = re.match(_COMMENT, text)
            if found is None:
                continue
            line, _ = source.position(start)
            for severity, code in re.findall(_ITEM, found.group(1)):
                self.items.append(Expectation(severity, code, line, Place(source, start, end)))

    @classmethod
    def of_text(cls, source: Source) -> Expectations:
        """The expectations of a text that does not parse: what follows a `#` at the end of a line."""
        comments, at = [], source.text.find("# expect:")
        while at >= 0:
            end = source.text.find("\n", at)
            end = len(source.text) if end < 0 else end
            comments.append((at, end, source.text[at:end]))
            at = source.text.find("# expect:", end)
        return cls(source, comments)

    def take(self, severity: str, code: str, place: Place) -> bool:
        """Was this expected here? Every expectation that it meets is met."""
        if not self.items or place.source is not self.source:
            return False
        first, _ = self.source.position(place.start)
        last, _ = self.source.position(max(place.end - 1, place.start))
        met = False
        for item in self.items:
            if item.severity == severity and item.code == code and first <= item.line <= last:
                item.met = met = True
        return met

    def absorbs(self, outcome: Any) -> bool:
        """Is this outcome what its line expects? A shown value goes on in any case, without its expected reasons."""
        kind = type(outcome).__name__
        if kind == "Shown":
            nones = _nones(outcome.value)
            taken = [self.take("none", none.reason.code, outcome.place) for none in nones]
            outcome.expected = bool(taken) and all(taken)
            return False
        severity = _SEVERITY.get(kind)
        return severity is not None and self.take(severity, outcome.code, outcome.place)

    def verdicts(self) -> list[Asserted]:
        """An assert for each expectation, once everything has run."""
        verdicts = []
        for item in self.items:
            verdict = Asserted(item.place, item.met, None if item.met else f"expected {item.text}, which did not come")
            verdicts.append(verdict)
        return verdicts


def _nones(value: Any) -> list[NoGradient]:
    if isinstance(value, NoGradient):
        return [value]
    if isinstance(value, dict):
        return [none for item in value.values() for none in _nones(item)]
    if isinstance(value, (list, tuple)):
        return [none for item in value for none in _nones(item)]
    return []
