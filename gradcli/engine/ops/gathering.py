"""Entries by lists of positions: gather_nd, batch_gather, take_along_axis, embedding_lookup."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from .axes import negative_axis, whole_number
from .indexing import getitem
from .splitting import whole_numbers


def positions(indices: Any, shape: tuple[int, ...], op: str, batch_dims: int = 0) -> tuple[Any, ...]:
    """Rows of indices as NumPy takes them, one array an axis, checked. Raises `index-out-of-range`."""
    found = whole_numbers(indices, op)
    depth = found.shape[-1] if found.ndim else -1
    if not 0 <= depth <= len(shape) - batch_dims or not 0 <= batch_dims < max(found.ndim, 1):
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(shape, found.shape))
    if tuple(found.shape[:batch_dims]) != tuple(shape[:batch_dims]):
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(shape, found.shape))
    for k in range(depth):
        column, n = found[..., k], shape[batch_dims + k]
        if column.size and not (column.min() >= 0 and column.max() < n):
            bad = int(column.max() if column.max() >= n else column.min())
            raise EngineError("index-out-of-range", "axis", op=op, given=bad, length=n, axis=batch_dims + k)
    grids = [
        np.arange(n).reshape((1,) * k + (n,) + (1,) * (found.ndim - 2 - k)) for k, n in enumerate(shape[:batch_dims])
    ]
    return (*grids, *(found[..., k] for k in range(depth)))


@composite(
    arity=1,
    accepts="any",
    cases=(
        Case((2, 2), indices=[[0, 1], [1, 0], [0, 1]]),
        Case((3, 2), indices=[[1], [1]]),
        Case((2, 3), indices=[[[0], [0]], [[2], [1]]], batch_dims=1),
    ),
)
def gather_nd(params: Any, indices: Any, batch_dims: Any = 0) -> Any:
    """The entries, or slices, at positions: each row of `indices` names the first axes of one.

    d/dparams: the upstream added at the positions taken
    >>> gather_nd([[1.0, 2.0], [3.0, 4.0]], [[0, 1], [1, 0]])
    [2.0, 3.0]
    """
    return getitem(
        params, index=positions(indices, tuple(params.shape), "gather_nd", whole_number(batch_dims, "gather_nd"))
    )


@composite(
    arity=1, accepts="any", cases=(Case((2, 3), indices=[[0, 0], [2, 1]]), Case((2, 2, 2), indices=[[[1], [0]]] * 2))
)
def batch_gather(params: Any, indices: Any) -> Any:
    """The entries at `indices` along their last axis; the axes before it are a batch.

    d/dparams: the upstream added at the entries taken
    >>> batch_gather([[1.0, 2.0], [3.0, 4.0]], [[1], [0]])
    [[2.0], [3.0]]
    """
    found = whole_numbers(indices, "batch_gather")
    return gather_nd(params, found[..., None], batch_dims=max(found.ndim - 1, 0))


@composite(arity=1, tf="nn.embedding_lookup", accepts="any", cases=(Case((3, 2), ids=[0, 2, 0]),))
def embedding_lookup(params: Any, ids: Any) -> Any:
    """The rows of a table at `ids`.

    d/dparams: the upstream added at the rows taken
    >>> embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1])
    [[3.0, 4.0]]
    """
    from .indexing import gather

    return gather(params, whole_numbers(ids, "embedding_lookup"), axis=0)


def checked_places(shape: tuple[int, ...], places: Any, axis: Any, op: str) -> tuple[Any, int]:
    """Positions along an axis, for each line of it its own, and the axis from the right.

    Raises `shape-mismatch`, `bad-axis`, `index-out-of-range`.
    """
    found, n = whole_numbers(places, op), len(shape)
    i = negative_axis(axis, n, op)
    if found.ndim != n or any(
        k != m and 1 not in (k, m) for j, (k, m) in enumerate(zip(found.shape, shape)) if j != i + n
    ):
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(shape, found.shape))
    if found.size and not (found.min() >= -shape[i] and found.max() < shape[i]):
        bad = int(found.max() if found.max() >= shape[i] else found.min())
        raise EngineError("index-out-of-range", "axis", op=op, given=bad, length=shape[i], axis=i + n)
    return found, i


def along(shape: tuple[int, ...], places: Any, axis: int) -> tuple[Any, ...]:
    """The index of the entries at `places` along an axis."""
    n = len(shape)
    grids: list[Any] = [
        np.arange(size).reshape([-1 if k == j else 1 for j in range(n)]) for k, size in enumerate(shape)
    ]
    grids[axis] = places
    return tuple(grids)


@composite(
    arity=1,
    numpy="take_along_axis",
    accepts="any",
    cases=(Case((2, 3), indices=[[0, 2], [1, 1]], axis=1), Case((3, 2), indices=[[2, 0]], axis=0)),
)
def take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    """The entries at `indices` along an axis, for each line of that axis its own; what `argsort` gives fits.

    d/dx: the upstream added at the entries taken
    >>> take_along_axis([[5.0, 6.0], [7.0, 8.0]], [[1], [0]], axis=1)
    [[6.0], [7.0]]
    """
    found, i = checked_places(tuple(x.shape), indices, axis, "take_along_axis")
    return getitem(x, index=along(tuple(x.shape), found, i))
