"""Running totals along an axis: cumsum."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Case
from ..registrars import primitive
from .axes import negative_axis


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
    cases=(Case((4,)), Case((2, 3), axis=1, exclusive=True), Case((2, 3), axis=-1, reverse=True)),
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
        first = (..., 0) + (slice(None),) * (-axis - 1)
        total[first] = 0
    return xp.flip(total, axis) if reverse else total
