"""Entries in order: argsort, sort, top_k. The gradient goes back to where each entry came from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import blocked, composite
from .axes import negative_axis, whole_number

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
    from .gathering import take_along_axis

    return take_along_axis(x, argsort(x, axis=axis, direction=direction), axis=axis)


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
    from .gathering import take_along_axis

    count = whole_number(k, "top_k")
    if not x.shape or not 0 <= count <= x.shape[-1]:
        raise EngineError("bad-value", "count", op="top_k", given=count, most=x.shape[-1] if x.shape else 0)
    places = argsort(x, axis=-1, direction="DESCENDING")[..., :count]
    return TopK(take_along_axis(x, places, axis=-1), places)
