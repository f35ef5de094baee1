"""Entries put at lists of positions: scatter_nd, tensor_scatter_nd_add, _sub, _update, _max, _min."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case, Kink
from ..registrars import composite, primitive
from .axes import shape_of
from .gathering import positions
from .indexing import getitem, put_index


def _updates(updates: Any, index: tuple[Any, ...], shape: tuple[int, ...], op: str) -> None:
    want = (np.shape(index[0]) if index else ()) + shape[len(index) :]
    if index and tuple(updates.shape) != want:
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(want, tuple(updates.shape)))


@composite(
    arity=0,
    accepts="any",
    cases=(Case([[2], [0], [2]], (3,), [4]), Case([[1], [1]], (2, 2), [3, 2]), Case([[0, 1]], (1,), [2, 2])),
)
def scatter_nd(indices: Any, updates: Any, shape: Any) -> Any:
    """Zeros of a shape with `updates` added at positions; what goes to one position adds up.

    d/dupdates: the upstream at the positions
    >>> scatter_nd([[1], [1]], [2.0, 3.0], [3])
    [0.0, 5.0, 0.0]
    """
    from .selection import as_tensor

    updates, dims = as_tensor(updates), shape_of(shape, "scatter_nd")
    index = positions(indices, dims, "scatter_nd")
    _updates(updates, index, dims, "scatter_nd")
    return put_index(updates, index=index, shape=dims)


_POINTS = (Case((4,), [[1], [3], [1]], (3,)), Case((3, 2), [[0], [2]], (2, 2)))
_NUMBERS: Any = {"arity": 3, "accepts": ("number", "integer", "number"), "cases": _POINTS}


@composite(**_NUMBERS)
def tensor_scatter_nd_add(x: Any, indices: Any, updates: Any) -> Any:
    """A tensor with `updates` added at positions; what goes to one position adds up.

    d/dx: 1
    d/dupdates: the upstream at the positions
    >>> tensor_scatter_nd_add([1.0, 2.0], [[1]], [5.0])
    [1.0, 7.0]
    """
    shape = tuple(x.shape)
    index = positions(indices, shape, "tensor_scatter_nd_add")
    _updates(updates, index, shape, "tensor_scatter_nd_add")
    return x + put_index(updates, index=index, shape=shape)


@composite(**_NUMBERS)
def tensor_scatter_nd_sub(x: Any, indices: Any, updates: Any) -> Any:
    """A tensor with `updates` subtracted at positions.

    d/dx: 1
    d/dupdates: minus the upstream at the positions
    >>> tensor_scatter_nd_sub([1.0, 2.0], [[1]], [5.0])
    [1.0, -3.0]
    """
    shape = tuple(x.shape)
    index = positions(indices, shape, "tensor_scatter_nd_sub")
    _updates(updates, index, shape, "tensor_scatter_nd_sub")
    return x - put_index(updates, index=index, shape=shape)


@composite(**_NUMBERS)
def tensor_scatter_nd_update(x: Any, indices: Any, updates: Any) -> Any:
    """A tensor with other entries at positions; where a position comes twice, the last update stays.

    d/dx: 1, and 0 at the positions
    d/dupdates: the upstream at the position of each update that stayed, 0 for the others
    >>> tensor_scatter_nd_update([1.0, 2.0], [[1]], [5.0])
    [1.0, 5.0]
    """
    from .selection import where

    shape = tuple(x.shape)
    index = positions(indices, shape, "tensor_scatter_nd_update")
    _updates(updates, index, shape, "tensor_scatter_nd_update")
    places = np.broadcast_arrays(*index)[0].shape if index else ()
    last = np.full(shape[: len(index)], -1)
    number = np.arange(int(np.prod(places, dtype=np.int64))).reshape(places)
    last[index] = number
    more = (1,) * (len(shape) - len(index))
    stays = (last[index] == number).reshape(places + more)
    kept = where(stays, updates, np.zeros((), x.dtype)[()])
    return where((last >= 0).reshape(last.shape + more), put_index(kept, index=index, shape=shape), x)


def _at(x: Any, index: tuple[Any, ...], lead: int = 0) -> Any:
    return getitem(x, index=(slice(None),) * lead + index)


def _shares(y: Any, x: Any, indices: Any, updates: Any) -> tuple[Any, Any, Any, Any]:
    """Which entries and updates attain the extreme, as 1 and 0, and by how many it is shared."""
    from .comparison import equal
    from .selection import cast

    shape = tuple(x.shape)
    index = positions(indices, shape, "tensor_scatter_nd_max")
    mine = cast(equal(x, y), x.dtype)
    theirs = cast(equal(updates, _at(y, index)), x.dtype)
    return mine, theirs, mine + put_index(theirs, index=index, shape=shape), index


def _entry_rule(ct: Any, y: Any, x: Any, indices: Any, updates: Any) -> Any:
    mine, _, count, _ = _shares(y, x, indices, updates)
    return ct * (mine / count)


def _update_rule(ct: Any, y: Any, x: Any, indices: Any, updates: Any) -> Any:
    _, theirs, count, index = _shares(y, x, indices, updates)
    return _at(ct / count, index, len(ct.shape) - len(x.shape)) * theirs


def _attained(y: Any, x: Any, indices: Any, updates: Any) -> Any:
    """The entries whose extreme is attained more than once."""
    _, _, count, _ = _shares(y, x, indices, updates)
    return np.asarray(count) > 1


def _extreme(ufunc: Any, x: Any, indices: Any, updates: Any, op: str) -> Any:
    out = np.array(x)
    index = positions(indices, np.shape(x), op)
    _updates(updates, index, np.shape(x), op)
    ufunc.at(out, index, updates)
    return out


_TIE = Kink("tie", _attained, "split evenly among the tied entries and updates", "0 and 1")
_OPERANDS: Any = {
    "accepts": ("ordered", "integer", "ordered"),
    "cases": (Case((4,), [[1], [3], [1]], [0.1, -9.0, 0.2]), Case((3, 2), [[0], [2]], (2, 2))),
    "kink": _TIE,
}


@primitive(_entry_rule, None, _update_rule, **_OPERANDS)
def tensor_scatter_nd_max(x: Any, indices: Any, updates: Any) -> Any:
    """A tensor with the larger of entry and update at positions.

    d/dx: 1 where the entry stays, 0 where it was exceeded; ties share evenly
    d/dupdates: the upstream at the positions of those that exceed
    >>> tensor_scatter_nd_max([1.0, 2.0], [[1]], [5.0])
    [1.0, 5.0]
    """
    return _extreme(np.maximum, x, indices, updates, "tensor_scatter_nd_max")


@primitive(_entry_rule, None, _update_rule, **_OPERANDS)
def tensor_scatter_nd_min(x: Any, indices: Any, updates: Any) -> Any:
    """A tensor with the smaller of entry and update at positions.

    d/dx: 1 where the entry stays, 0 where it was undercut; ties share evenly
    d/dupdates: the upstream at the positions of those that undercut
    >>> tensor_scatter_nd_min([1.0, 2.0], [[1]], [5.0])
    [1.0, 2.0]
    """
    return _extreme(np.minimum, x, indices, updates, "tensor_scatter_nd_min")
