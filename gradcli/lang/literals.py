"""What numbers, lists of numbers and strings in a text are worth. A list of numbers is read at once, by the standard
library's JSON reader: 100,000 numbers as tokens take a hundred times as long.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .depth import NESTING
from .faults import Fault

#: longer integers are refused: reading their digits takes time that grows with the square of their length
_DIGITS = 4000
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "0": "\0"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)")
_OTHER_BASE = re.compile(r"[xXbBoO][0-9a-fA-F_]+(?!\w)")
_WORD = re.compile(r"\w+")
_NUMBERS = re.compile(r"[\s\[\]0-9eE+\-.,]+")
_BRACKET = re.compile(r"[\[\]]")
_DIGIT = re.compile(r"[0-9]")
#: `1.` and `.5`, and a comma before `]`, which JSON does not know
_NO_FRACTION = re.compile(r"(?<=[0-9])\.(?![0-9])")
_NO_WHOLE = re.compile(r"(?<![0-9.])\.(?=[0-9])")
_LAST_COMMA = re.compile(r"(?<=[0-9\]]),(?=\s*\])")


def string(text: str) -> str:
    """The text between the quotes, with escapes resolved; an escape that does not exist stays as it is written."""
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(found: re.Match[str]) -> str:
    code = found.group(1)
    if code[0] in "ux" and len(code) > 1:
        value = int(code[1:], 16)
        return found.group() if 0xD800 <= value < 0xE000 else chr(value)  # half a character cannot be printed
    return _ESCAPES.get(code, found.group())


def number(text: str, at: int, end: int) -> tuple[str, Any, int]:
    """Token type, value and end of the number at `text[at:end]`."""
    word = text[at:end]
    after = text[end : end + 1]
    if after.isalpha() or after == "_":
        other = _OTHER_BASE.match(text, end) if word == "0" else None
        if other is not None:
            end = other.end()
            return "ERROR", Fault("syntax", "bad-number", at, end, found=text[at:end][:40]), end
        rest = _WORD.match(text, end)
        assert rest is not None
        fault = Fault("syntax", "missing-operator", at, rest.end(), left=word, right=rest.group(), comma=False)
        return "ERROR", fault, rest.end()
    try:
        if word[-1] in "jJ":
            return "NUMBER", complex(word), end
        if word.isdigit() or ("_" in word and not any(c in word for c in ".eE")):
            if len(word) > _DIGITS:
                raise ValueError
            return "NUMBER", int(word), end
        return "NUMBER", float(word), end
    except ValueError:
        return "ERROR", Fault("syntax", "bad-number", at, end, found=word[:40]), end


#: a list whose first so many characters are all of numbers is read in one go
_LONG = 2048


class NumberLists:
    """Reads the number lists of one text. A run of nothing but digits and brackets is searched for its brackets once,
    however many lists it has, closed or not.
    """

    __slots__ = ("closed", "end", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        #: where the run that was searched last ends, and for each `[` in it the end of its list and its depth
        self.end = -1
        self.closed: dict[int, tuple[int, int]] = {}

    def read(self, at: int, depth: int) -> tuple[Any, int] | None:
        """Value and end of the list of numbers that starts here, `depth` brackets deep; None for any other list."""
        long = self._read_long(at) if self.end <= at else None
        if long is not None:
            return long
        if self.end <= at:
            self._search(at)
        end, deepest = self.closed.get(at, (at, 0))
        if depth + deepest > NESTING or _DIGIT.search(self.text, at, end) is None:
            return None
        written = self.text[at:end]
        try:
            return json.loads(written), end
        except (ValueError, RecursionError):
            pass
        try:
            return json.loads(_LAST_COMMA.sub("", _NO_WHOLE.sub("0.", _NO_FRACTION.sub(".0", written)))), end
        except (ValueError, RecursionError):
            return None

    def _read_long(self, at: int) -> tuple[Any, int] | None:
        """A long flat list in one go: up to the first bracket that closes, without looking for others between."""
        window = _NUMBERS.match(self.text, at, at + _LONG)
        if window is None or window.end() < at + _LONG:
            return None
        end = self.text.find("]", at) + 1
        if not end or self.text.find("[", at + 1, end) >= 0:
            return None
        try:
            value = json.loads(self.text[at:end])
        except (ValueError, RecursionError):
            return None
        return (value, end) if set(map(type, value)) <= {int, float} else None

    def _search(self, at: int) -> None:
        run = _NUMBERS.match(self.text, at)
        assert run is not None
        self.end = run.end()
        self.closed.clear()
        opened: list[list[int]] = []  # offset and depth so far
        for bracket in _BRACKET.finditer(self.text, at, self.end):
            if bracket.group() == "[":
                opened.append([bracket.start(), 1])
            elif opened:
                start, deepest = opened.pop()
                self.closed[start] = (bracket.end(), deepest)
                if opened and opened[-1][1] <= deepest:
                    opened[-1][1] = deepest + 1
