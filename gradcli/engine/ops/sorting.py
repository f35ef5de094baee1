"""Entries in order: argsort, sort, top_k. The gradient goes back to where each entry came from.

Where two entries of a line are equal, their order is a choice, and with it the gradient: `in_order` knows these ties.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..primitive import Case, Kink
from ..registrars import blocked, composite, primitive
from .axes import negative_axis, whole_number
from .gathering import along, checked_places
from .indexing import put_index

_ORDERS = ("ASCENDING", "DESCENDING")


def _ordered(x: Any, axis: Any = -1, direction: Any = "ASCENDING") -> dict[str, Any]:
    if not isinstance(direction, str) or direction.upper() not in _ORDERS:
        raise EngineError("bad-value", "choice", op="argsort", given=str(direction), known=_ORDERS)
    return {"axis": negative_axis(axis, np.ndim(x), "argsort"), "direction": direction.upper()}


@blocked("cut-no-derivative", numpy="argsort", accepts="ordered", prepare=_ordered)
def argsort(x: Any, axis: Any = -1, direction: Any = "ASCENDING") -> Any:
    """The positions that put the entries in order along an axis; equal entries stay as they were.

    >>> argsort([3.0, 1.0, 2.0])
    [1, 2, 0]
    """
    if direction == "ASCENDING":
        return np.argsort(x, axis=axis, kind="stable").astype(np.int32)
    # turned round before and after, so that equal entries stay in their order here too
    turned = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - turned, axis).astype(np.int32)


def _equals(x: Any, axis: int) -> Any:
    """The entries that have an equal along the axis."""
    order = np.argsort(x, axis=axis, kind="stable")
    line = np.take_along_axis(x, order, axis)
    same = np.equal(np.take(line, range(1, x.shape[axis]), axis), np.take(line, range(x.shape[axis] - 1), axis))
    none = np.zeros_like(np.take(line, [0] if x.shape[axis] else [], axis), np.bool_)
    hits = np.concatenate([none, same], axis) | np.concatenate([same, none], axis)
    found = np.empty(x.shape, np.bool_)
    np.put_along_axis(found, order, hits, axis)
    return found


def _tied(y: Any, x: Any, places: Any, axis: int, of: str, choose: Any) -> Any:
    if of not in ("cummax", "cummin"):
        return np.take_along_axis(_equals(x, axis), places, axis)
    # a running extreme is tied from the entry on that equals the one it came from
    position = np.expand_dims(np.arange(x.shape[axis]), tuple(range(1, -axis)))
    again = np.equal(x, y) & (places != position)
    start = np.maximum.accumulate(np.where(again, position, -1), axis)
    return start > places


def _checked(x: Any, places: Any, axis: Any, of: Any = "sort", choose: Any = None) -> dict[str, Any]:
    found, i = checked_places(np.shape(x), places, axis, str(of))
    return {"places": found, "axis": i, "of": str(of), "choose": choose}


def _chosen_anew(x: Any, places: Any, axis: int, of: str, choose: Any) -> dict[str, Any]:
    return {"places": places if choose is None else choose(x), "axis": axis, "of": of, "choose": choose}


@primitive(
    lambda ct, _y, _x, places, axis, of, choose: _put_back(ct, tuple(_x.shape), places, axis),
    accepts="ordered",
    prepare=_checked,
    anew=_chosen_anew,
    cases=(
        Case((2, 3), places=np.array([[0, 2], [1, 1]]), axis=-1),
        Case((3, 2), places=np.array([[2, 0]]), axis=-2),
        Case((4,), places=np.array([0, 0, 2, 2]), axis=-1, of="cummax"),
    ),
    kink=Kink("tie", _tied, "all to the entry that stands there, the first of equal ones", "0 and 1", of="of"),
)
def in_order(x: Any, places: Any, axis: Any, of: Any = "sort", choose: Any = None) -> Any:
    """The entries at `places` along an axis, which their values decided; `of` names the operation that asked.

    `choose` gives the places for other values.

    d/dx: the upstream added at the entries taken
    >>> in_order([3.0, 1.0], [1, 0], -1)
    [1.0, 3.0]
    """
    return x[along(np.shape(x), places, axis)]


def _put_back(ct: Any, shape: tuple[int, ...], places: Any, axis: int) -> Any:
    lead = len(ct.shape) - len(shape)
    index = (slice(None),) * lead + along(shape, places, axis)
    return put_index(ct, index=index, shape=tuple(ct.shape[:lead]) + shape)


@composite(
    arity=1,
    numpy="sort",
    accepts="ordered",
    cases=(Case((5,)), Case((3, 2), axis=0), Case((2, 3), direction="DESCENDING")),
)
def sort(x: Any, axis: Any = -1, direction: Any = "ASCENDING") -> Any:
    """The entries in ascending order along an axis, or with "DESCENDING" the other way round.

    d/dx: each upstream entry at the place its entry came from
    >>> sort([3.0, 1.0, 2.0])
    [1.0, 2.0, 3.0]
    """
    order = _ordered(x, axis, direction)

    def choose(raw: Any) -> Any:
        return argsort(raw, **order)

    return in_order(x, places=choose(getattr(x, "value", x)), axis=order["axis"], of="sort", choose=choose)


class TopK(NamedTuple):
    """The largest entries, and their positions along the last axis."""

    values: Any
    indices: Any


@composite(arity=1, tf="math.top_k nn.top_k", accepts="ordered", cases=(Case((4,), k=2), Case((2, 3), k=2), Case((3,))))
def top_k(x: Any, k: Any = 1) -> Any:
    """The k largest entries along the last axis, the largest first, and their positions.

    d/dx: each upstream entry at the place its entry came from, 0 elsewhere
    >>> top_k([3.0, 1.0, 2.0], 2)
    [[3.0, 2.0], [0, 2]]
    """
    count = whole_number(k, "top_k")
    if not x.shape or not 0 <= count <= x.shape[-1]:
        raise EngineError("bad-value", "count", op="top_k", given=count, most=x.shape[-1] if x.shape else 0)

    def choose(raw: Any) -> Any:
        return argsort(raw, axis=-1, direction="DESCENDING")[..., :count]

    places = choose(x)
    found = in_order(x, places=getattr(places, "value", places), axis=-1, of="top_k", choose=choose)
    return TopK(found, places)
