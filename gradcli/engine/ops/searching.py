"""Positions and distinct values, through which no gradient flows: unique, searchsorted, one_hot."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..dtypes import find_dtype
from ..errors import EngineError
from ..recording import current_state
from ..registrars import blocked, composite
from .axes import negative_axis, whole_number


@blocked("cut-no-derivative", accepts="any")
def unique_values(x: Any) -> Any:
    """The distinct entries of a vector in the order in which they first come.

    >>> unique_values([7.0, 5.0, 7.0])
    [7.0, 5.0]
    """
    return _first_come(x)[0]


@blocked("cut-no-derivative", accepts="any")
def unique_positions(x: Any) -> Any:
    """For each entry of a vector the number of its value among the distinct ones.

    >>> unique_positions([7.0, 5.0, 7.0])
    [0, 1, 0]
    """
    return _first_come(x)[1]


def _first_come(x: Any) -> tuple[Any, Any]:
    if np.ndim(x) != 1:
        raise EngineError("shape-mismatch", "rank", op="unique", shapes=(np.shape(x),), rank=1)
    _, first, inverse = np.unique(x, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), np.int32)
    number[order] = np.arange(len(order), dtype=np.int32)
    return x[first[order]], number[inverse.reshape(-1)]


class Unique(NamedTuple):
    """The distinct values, and for each entry the number of its value."""

    y: Any
    idx: Any


@composite(arity=1, accepts="any", numpy="unique", blocked="cut-no-derivative")
def unique(x: Any) -> Any:
    """The distinct entries of a vector in the order in which they first come, and for each entry its value's number.

    >>> unique([7.0, 5.0, 7.0])
    [[7.0, 5.0], [0, 1, 0]]
    """
    return Unique(unique_values(x), unique_positions(x))


@blocked("cut-no-derivative", arity=2, numpy="searchsorted", accepts="ordered")
def searchsorted(sorted_sequence: Any, values: Any, side: Any = "left") -> Any:
    """Where each value would go into a sorted sequence: before equal entries ("left") or behind them ("right").

    >>> searchsorted([1.0, 3.0], [2.0])
    [1]
    """
    if side not in ("left", "right"):
        raise EngineError("bad-value", "choice", op="searchsorted", given=str(side), known=("left", "right"))
    shapes = np.shape(sorted_sequence), np.shape(values)
    if len(shapes[0]) != 1 and (not shapes[0] or shapes[0][:-1] != shapes[1][:-1]):
        raise EngineError("shape-mismatch", "operands", op="searchsorted", shapes=shapes)
    if np.ndim(sorted_sequence) == 1:
        return np.searchsorted(sorted_sequence, values, side=side).astype(np.int32)
    rows = sorted_sequence.reshape(math.prod(shapes[0][:-1]), shapes[0][-1])
    wanted = values.reshape(len(rows), np.shape(values)[-1])
    found = [np.searchsorted(row, want, side=side) for row, want in zip(rows, wanted)]
    return np.array(found, np.int32).reshape(np.shape(values))


@blocked("cut-no-derivative", accepts="integer")
def one_hot(
    indices: Any, depth: Any, on_value: Any = 1.0, off_value: Any = 0.0, axis: Any = -1, dtype: Any = None
) -> Any:
    """A row of `depth` zeros with a one at each index; none for an index outside.

    >>> one_hot([1, 0], 2)
    [[0.0, 1.0], [1.0, 0.0]]
    """
    n = whole_number(depth, "one_hot")
    if n < 0:
        raise EngineError("bad-value", "count", op="one_hot", given=n)
    like = current_state().float_dtype if dtype is None else find_dtype(dtype)
    hits = np.asarray(indices)[..., None] == np.arange(n)
    on, off = (getattr(v, "value", v) for v in (on_value, off_value))
    return np.moveaxis(np.where(hits, on, off).astype(like), -1, negative_axis(axis, hits.ndim, "one_hot"))
