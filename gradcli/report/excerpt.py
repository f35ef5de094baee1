"""The source line of a place, with the exact piece underlined; wide and combining characters counted right."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gradcli.runtime.outcomes import Place

_WIDEST = 160


def cells(text: str) -> int:
    """The columns a text takes on a terminal."""
    if text.isascii():
        return len(text)
    width = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def shown(text: str) -> str:
    """A source text as it can be printed: tabs as four blanks, control characters as a substitute."""
    return "".join(
        "    " if c == "\t" else "\N{REPLACEMENT CHARACTER}" if ord(c) < 32 or ord(c) == 127 else c for c in text
    )


def pieces(place: Place, widest: int = _WIDEST) -> tuple[int, str, int, int]:
    """Line number, the printable line, and the columns (cells from its beginning) where the piece starts and ends; of a
    line of more than `widest` cells, what is around the piece."""
    source = place.source
    line, column = source.position(place.start)
    text = source.line_text(line)
    begin = column - 1
    end = min(begin + max(place.end - place.start, 1), max(len(text), begin + 1))
    before, piece = shown(text[:begin]), shown(text[begin:end])
    whole = shown(text)
    if cells(whole) > widest:
        first = max(0, begin - min(40, widest // 4))
        before = "…" + shown(text[first:begin])
        whole = "…" + _clipped(shown(text[first : first + widest]), widest) + "…"
    start = cells(before)
    return line, whole, start, start + max(cells(piece), 1)


def _clipped(text: str, widest: int) -> str:
    """The beginning of a text that takes at most so many cells."""
    while cells(text) > widest:
        text = text[: len(text) - max(1, (cells(text) - widest) // 2)]
    return text


def excerpt(place: Place, label: str) -> list[str]:
    """Two lines: the source line with its number, and the marks under the piece with a few words."""
    line, text, start, end = pieces(place)
    number = f"{line:>5} │ "
    marks = " " * start + "^" * min(end - start, max(cells(text) - start, 1))
    return [f"{number}{text}".rstrip(), f"{'':>5} │ {marks}{' ' + label if label else ''}".rstrip()]
