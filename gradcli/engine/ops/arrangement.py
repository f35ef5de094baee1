"""The same entries arranged anew: tile, roll, reverse, swapaxes, moveaxis."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import composite, primitive
from .axes import axis_set, negative_axis, shape_of


def _multiples(x: Any, multiples: Any) -> dict[str, Any]:
    counts = shape_of(multiples, "tile")
    if len(counts) != np.ndim(x):
        raise EngineError("shape-mismatch", "tile", op="tile", shapes=(np.shape(x), counts))
    if any(n < 0 for n in counts):
        raise EngineError("bad-value", "shape", op="tile", given=str(list(counts)))
    return {"multiples": counts}


def _tile_rule(ct: Any, _y: Any, _x: Any, multiples: tuple[int, ...]) -> Any:
    from .reduction import reduce_sum
    from .shape import reshape

    shape, n = _x.shape, len(multiples)
    lead = len(ct.shape) - n
    parts = [size for pair in zip(multiples, shape) for size in pair]
    return reduce_sum(reshape(ct, (*ct.shape[:lead], *parts)), axis=[2 * i - 2 * n for i in range(n)])


@primitive(
    _tile_rule,
    numpy="tile",
    accepts="any",
    prepare=_multiples,
    cases=(Case((3,), multiples=[2]), Case((2, 3), multiples=[2, 1]), Case((2,), multiples=[0])),
)
def tile(x: Any, multiples: Any) -> Any:
    """The tensor repeated along each axis.

    d/dx: the upstream added up over the repetitions
    >>> tile([1.0, 2.0], [2])
    [1.0, 2.0, 1.0, 2.0]
    """
    return xp.tile(x, multiples)


def _reversed_axes(x: Any, axis: Any = None) -> dict[str, Any]:
    return {"axis": axis_set(axis, np.ndim(x), "reverse")}


@primitive(
    lambda ct, _y, _x, axis: reverse(ct, axis=list(axis)),
    tf="reverse_v2",
    numpy="flip",
    accepts="any",
    prepare=_reversed_axes,
    cases=(Case((3,), axis=[0]), Case((2, 3), axis=[-1])),
)
def reverse(x: Any, axis: Any = None) -> Any:
    """The entries in the opposite order along the axes.

    d/dx: the upstream in the opposite order
    >>> reverse([1.0, 2.0, 3.0], axis=[0])
    [3.0, 2.0, 1.0]
    """
    return xp.flip(x, axis) if np.ndim(x) else x


def _rolled(x: Any, shift: Any, axis: Any) -> dict[str, Any]:
    axes = axis_set(axis if isinstance(axis, (list, tuple)) else [axis], np.ndim(x), "roll")
    shifts = shape_of(shift, "roll")
    if len(shifts) != len(axes or ()):
        raise EngineError("shape-mismatch", "roll", op="roll", shapes=(shifts, axes))
    return {"shift": shifts, "axis": axes}


@primitive(
    lambda ct, _y, _x, shift, axis: roll(ct, [-s for s in shift], list(axis)),
    numpy="roll",
    accepts="any",
    prepare=_rolled,
    cases=(Case((4,), shift=1, axis=0), Case((2, 3), shift=[1, -2], axis=[0, 1])),
)
def roll(x: Any, shift: Any, axis: Any) -> Any:
    """The entries moved along the axes; what leaves at one end comes in at the other.

    d/dx: the upstream moved back
    >>> roll([1.0, 2.0, 3.0], shift=1, axis=0)
    [3.0, 1.0, 2.0]
    """
    return xp.roll(x, shift, axis)


@composite(arity=1, accepts="any", numpy="swapaxes", method="swapaxes")
def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """Two axes exchanged.

    d/dx: the upstream with the axes exchanged back
    >>> swapaxes([[1.0, 2.0]], 0, 1)
    [[1.0], [2.0]]
    """
    from .shape import transpose

    n = len(x.shape)
    i, j = negative_axis(axis1, n, "swapaxes"), negative_axis(axis2, n, "swapaxes")
    perm = list(range(n))
    perm[i], perm[j] = perm[j], perm[i]
    return transpose(x, perm)


@composite(arity=1, accepts="any", numpy="moveaxis")
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """One axis moved to another place, the others in their order.

    d/dx: the upstream with the axis moved back
    >>> moveaxis([[1.0, 2.0]], 0, 1)
    [[1.0], [2.0]]
    """
    from .shape import transpose

    n = len(x.shape)
    i, j = negative_axis(source, n, "moveaxis") + n, negative_axis(destination, n, "moveaxis") + n
    perm = [k for k in range(n) if k != i]
    perm.insert(j, i)
    return transpose(x, perm)
