"""Nested structures: lists, tuples and dicts, a dict by its sorted keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import structure

if TYPE_CHECKING:
    from collections.abc import Callable

flatten = structure.flatten


def is_nested(value: Any) -> bool:
    """Is it a list, tuple or dict?"""
    return type(value) in (list, tuple, dict)


def pack_sequence_as(structure_: Any, flat_sequence: Any) -> Any:
    """The leaves of a flat sequence in a structure. Raises ValueError where their count differs."""
    flat = list(flat_sequence)
    if len(flat) != len(structure.flatten(structure_)):
        raise ValueError(f"the structure has {len(structure.flatten(structure_))} leaves, the sequence {len(flat)}")
    return structure.pack(structure_, iter(flat))


def map_structure(func: Callable[..., Any], *structures: Any) -> Any:
    """Apply a function to the corresponding leaves of structures."""
    rows = zip(*(structure.flatten(s) for s in structures))
    return structure.pack(structures[0], iter([func(*row) for row in rows]))


def assert_same_structure(a: Any, b: Any) -> None:
    """Raise ValueError where two structures differ."""
    if structure.pack(a, iter([0] * len(flatten(a)))) != structure.pack(b, iter([0] * len(flatten(b)))):
        raise ValueError("the structures differ")
