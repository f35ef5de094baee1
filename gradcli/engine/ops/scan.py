"""Running totals and extremes along an axis, and differences of neighbours: cumsum, cummax, cummin, diff."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import composite, primitive
from .axes import negative_axis, whole_number


def _scanned(x: Any, axis: Any = 0, exclusive: Any = False, reverse: Any = False) -> dict[str, Any]:
    return {
        "axis": negative_axis(axis, np.ndim(x), "cumsum"), "exclusive": bool(exclusive), "reverse": bool(reverse)
    }  # fmt: skip


@primitive(
    lambda ct, _y, _x, axis, exclusive, reverse: cumsum(ct, axis, exclusive, not reverse),
    tf="math.cumsum",
    numpy="cumsum",
    method="cumsum",
    accepts="number",
    prepare=_scanned,
    cases=(
        Case((4,)),
        Case((2, 3), axis=1, exclusive=True),
        Case((2, 3), axis=-1, reverse=True),
        Case((3, 2), exclusive=True, reverse=True),
    ),
)
def cumsum(x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False) -> Any:
    """The sum of the entries up to each along an axis; without it if `exclusive`, from the end if `reverse`.

    d/dx: the upstream summed up from the other end
    >>> cumsum([1.0, 2.0, 3.0])
    [1.0, 3.0, 6.0]
    """
    data = xp.flip(x, axis) if reverse else x
    total = xp.cumsum(data, axis=axis, dtype=x.dtype)
    if exclusive:  # moved by one, not `total - data`, which is nan where an entry is infinite
        total = np.roll(total, 1, axis=axis)
        first = (..., slice(0, 1)) + (slice(None),) * (-axis - 1)  # a slice, as there may be none
        total[first] = 0
    return xp.flip(total, axis) if reverse else total


def _leader(x: Any, axis: int, ahead: Any) -> Any:
    """For each entry along an axis the position of the extreme so far, the first of equal ones; a nan stays."""
    data = np.moveaxis(np.asarray(x), axis, -1)
    n = data.shape[-1]
    best = ahead.accumulate(data, axis=-1)
    fresh = np.ones(data.shape, np.bool_)
    before, now = best[..., :-1], best[..., 1:]
    fresh[..., 1:] = (now != before) & ~((now != now) & (before != before))
    places = np.maximum.accumulate(np.where(fresh, np.arange(n), 0), axis=-1)
    return np.moveaxis(places, -1, axis)


_RUNS = (Case((5,)), Case((2, 3), axis=1), Case((3, 2), axis=-2))


def _extreme_so_far(x: Any, axis: Any, ahead: Any, op: str) -> Any:
    from .sorting import in_order

    i = negative_axis(axis, len(x.shape), op)

    def choose(raw: Any) -> Any:
        return _leader(raw, i, ahead)

    return in_order(x, places=choose(getattr(x, "value", x)), axis=i, of=op, choose=choose)


@composite(arity=1, accepts="ordered", cases=_RUNS)
def cummax(x: Any, axis: Any = 0) -> Any:
    """The largest of the entries up to each along an axis.

    d/dx: the upstream of each result whose largest entry it is; of equal ones the first takes all
    >>> cummax([1.0, 3.0, 2.0])
    [1.0, 3.0, 3.0]
    """
    return _extreme_so_far(x, axis, np.maximum, "cummax")


@composite(arity=1, accepts="ordered", cases=_RUNS)
def cummin(x: Any, axis: Any = 0) -> Any:
    """The smallest of the entries up to each along an axis.

    d/dx: the upstream of each result whose smallest entry it is; of equal ones the first takes all
    >>> cummin([2.0, 3.0, 1.0])
    [2.0, 2.0, 1.0]
    """
    return _extreme_so_far(x, axis, np.minimum, "cummin")


@composite(arity=1, numpy="diff", accepts="number", cases=(Case((5,)), Case((3, 3), n=2, axis=0), Case((2, 1))))
def diff(x: Any, n: Any = 1, axis: Any = -1) -> Any:
    """Each entry less the one before it along an axis, n times over.

    d/dx: the upstream before each entry less the one behind it
    >>> diff([1.0, 4.0, 9.0])
    [3.0, 5.0]
    """
    i, times = negative_axis(axis, len(x.shape), "diff"), whole_number(n, "diff")
    if times < 0:
        raise EngineError("bad-value", "count", op="diff", given=times)
    behind = (slice(None),) * (-i - 1)
    for _ in range(min(times, x.shape[i])):
        x = x[(Ellipsis, slice(1, None), *behind)] - x[(Ellipsis, slice(None, -1), *behind)]
    return x
