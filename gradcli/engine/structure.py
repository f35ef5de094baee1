"""Nested lists, tuples and dicts of tensors: taken apart in one order, and put together again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def flatten(structure: Any) -> list[Any]:
    """The leaves in order; a dict's by its sorted keys, as in TensorFlow, where they can be sorted."""
    if type(structure) not in (list, tuple, dict):
        return [structure]
    out: list[Any] = []
    stack = [structure]
    while stack:
        item = stack.pop()
        if type(item) in (list, tuple):
            stack.extend(reversed(item))
        elif type(item) is dict:
            stack.extend(item[key] for key in reversed(ordered(item)))
        else:
            out.append(item)
    return out


def ordered(mapping: dict[Any, Any]) -> list[Any]:
    """The keys of a dict, sorted if they can be."""
    try:
        return sorted(mapping)
    except TypeError:
        return list(mapping)


def pack(structure: Any, leaves: Iterator[Any]) -> Any:
    """The same structure with other leaves, which are taken in the order of `flatten`."""
    if type(structure) is list:
        return [pack(item, leaves) for item in structure]
    if type(structure) is tuple:
        return tuple(pack(item, leaves) for item in structure)
    if type(structure) is dict:
        found = {key: pack(structure[key], leaves) for key in ordered(structure)}
        return {key: found[key] for key in structure}
    return next(leaves)
