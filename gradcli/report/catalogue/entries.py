"""The table of errors: (code, kind) → the function that words it. `shapes`, `values` and `usage` fill it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from .words import Words

ENTRIES: dict[tuple[str, str], Callable[[dict[str, Any]], Words]] = {}


def entry(code: str, *kinds: str) -> Callable[[Callable[[dict[str, Any]], Words]], Callable[[dict[str, Any]], Words]]:
    """Enter the words of an error of `code` that came about in one of the ways `kinds`."""

    def enter(words: Callable[[dict[str, Any]], Words]) -> Callable[[dict[str, Any]], Words]:
        for kind in kinds:
            ENTRIES[code, kind] = words
        return words

    return enter
