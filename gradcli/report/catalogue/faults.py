"""The words of faults found before anything runs: syntax, names, options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .words import Words, names

if TYPE_CHECKING:
    from collections.abc import Callable

FAULTS: dict[str, Callable[[dict[str, Any]], Words]] = {}


def fault(*kinds: str) -> Callable[[Callable[[dict[str, Any]], Words]], Callable[[dict[str, Any]], Words]]:
    """Enter the words of faults of these kinds."""

    def enter(words: Callable[[dict[str, Any]], Words]) -> Callable[[dict[str, Any]], Words]:
        for kind in kinds:
            FAULTS[kind] = words
        return words

    return enter


@fault("unknown-name", "dotted")
def _unknown(f: dict[str, Any]) -> Words:
    near = f.get("suggestions") or []
    return Words(f"unknown name {f['name']}", f"did you mean {names(near, 'or')}?" if near else "")


@fault("unknown-option")
def _option(f: dict[str, Any]) -> Words:
    return Words(f"unknown option {f['name']}", f"there are {names(f.get('allowed', ()))}")
