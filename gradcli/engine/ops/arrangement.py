"""The same entries arranged anew: tiled, repeated, rolled, mirrored, turned, with axes exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import composite, primitive
from .axes import axis_set, negative_axis, shape_of, whole_number


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


@composite(arity=1, accepts="any", numpy="swapaxes", method="swapaxes", cases=(Case((2, 3, 2), axis1=0, axis2=-1),))
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


@composite(
    arity=1,
    accepts="any",
    numpy="moveaxis",
    cases=(Case((2, 3, 4), source=0, destination=-1), Case((2, 3, 4), source=[0, 1], destination=[2, 0])),
)
def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """Axes moved to other places, one or a list of them; the others keep their order.

    d/dx: the upstream with the axes moved back
    >>> moveaxis([[1.0, 2.0]], 0, 1)
    [[1.0], [2.0]]
    """
    from .shape import transpose

    n = len(x.shape)
    one = not isinstance(source, (list, tuple))
    origins = [i + n for i in axis_set([source] if one else source, n, "moveaxis") or ()]
    places = [i + n for i in axis_set([destination] if one else destination, n, "moveaxis") or ()]
    if len(origins) != len(places):
        raise EngineError("shape-mismatch", "operands", op="moveaxis", shapes=(tuple(origins), tuple(places)))
    perm = [k for k in range(n) if k not in origins]
    for place, origin in sorted(zip(places, origins)):
        perm.insert(place, origin)
    return transpose(x, perm)


@composite(
    arity=1,
    tf="linalg.matrix_transpose",
    accepts="any",
    numpy="matrix_transpose",
    cases=(Case((2, 3)), Case((2, 3, 1))),
)
def matrix_transpose(x: Any) -> Any:
    """The last two axes exchanged; axes in front are a batch.

    d/dx: the upstream with the last two axes exchanged back
    >>> matrix_transpose([[1.0, 2.0]])
    [[1.0], [2.0]]
    """
    if len(x.shape) < 2:
        raise EngineError("bad-axis", "out-of-range", op="matrix_transpose", axis=-2, rank=len(x.shape))
    return swapaxes(x, -1, -2)


@composite(
    arity=1,
    accepts="any",
    numpy="rot90",
    cases=(Case((2, 3)), Case((2, 3), k=2), Case((2, 3), k=-1), Case((2, 3, 2), axes=[1, 2])),
)
def rot90(x: Any, k: Any = 1, axes: Any = (0, 1)) -> Any:
    """The plane of two axes turned by `k` quarter turns, from the first towards the second.

    d/dx: the upstream turned back
    >>> rot90([[1.0, 2.0], [3.0, 4.0]])
    [[2.0, 4.0], [1.0, 3.0]]
    """
    plane = axis_set(axes, len(x.shape), "rot90")
    turns = whole_number(k, "rot90") % 4
    if plane is None or len(plane) != 2:
        raise EngineError("shape-mismatch", "operands", op="rot90", shapes=(tuple(x.shape), plane or ()))
    i, j = plane
    if turns == 2:
        return reverse(x, [i, j])
    if turns == 1:
        return swapaxes(reverse(x, [j]), i, j)
    return reverse(swapaxes(x, i, j), [j]) if turns == 3 else x


@composite(arity=1, accepts="any", numpy="ravel", method="flatten", cases=(Case((2, 3)), Case(())))
def flatten(x: Any) -> Any:
    """The entries in row-major order as a vector.

    d/dx: the upstream in the shape of x
    >>> flatten([[1.0, 2.0], [3.0, 4.0]])
    [1.0, 2.0, 3.0, 4.0]
    """
    from .shape import reshape

    return reshape(x, [-1])


@composite(
    arity=1,
    accepts="any",
    numpy="repeat",
    method="repeat",
    cases=(Case((3,), repeats=[1, 0, 2]), Case((2, 3), repeats=2, axis=-1), Case((2, 2), repeats=3)),
)
def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """Each slice along an axis so many times; without an axis, each entry of the flattened tensor.

    d/dx: the upstream added up over the repetitions
    >>> repeat([1.0, 2.0], [1, 2])
    [1.0, 2.0, 2.0]
    """
    from .indexing import gather
    from .shape import broadcast_to, expand_dims, reshape

    if axis is None:
        x, axis = flatten(x), 0
    counts = shape_of(repeats, "repeat")
    i = negative_axis(axis, len(x.shape), "repeat")
    n = x.shape[i]
    if any(count < 0 for count in counts):
        raise EngineError("bad-value", "shape", op="repeat", given=str(list(counts)))
    if len(counts) not in (1, n):
        raise EngineError("shape-mismatch", "operands", op="repeat", shapes=(counts, tuple(x.shape)))
    if len(counts) != 1:
        return gather(x, np.repeat(np.arange(n), counts), axis=i)
    shape, at, count = tuple(x.shape), len(x.shape) + i, counts[0]
    wide = broadcast_to(expand_dims(x, at + 1), (*shape[: at + 1], count, *shape[at + 1 :]))
    return reshape(wide, (*shape[:at], n * count, *shape[at + 1 :]))


@composite(
    arity=0,
    accepts="any",
    numpy="meshgrid",
    cases=(Case((2,), (3,)), Case((2,), (3,), indexing="ij"), Case((2,), (1,), (3,)), Case((3,))),
)
def meshgrid(a: Any, b: Any = None, c: Any = None, d: Any = None, *, indexing: Any = "xy") -> Any:
    """Coordinates of a grid: each vector repeated along the others' axes. `indexing` is "xy" or "ij".

    d/da: each upstream added up over the repetitions
    >>> meshgrid([1.0, 2.0], [3.0])
    [[[1.0, 2.0]], [[3.0, 3.0]]]
    """
    from .selection import as_tensor
    from .shape import broadcast_to, reshape

    if indexing not in ("xy", "ij"):
        raise EngineError("bad-value", "choice", op="meshgrid", given=str(indexing), known=("xy", "ij"))
    axes = [flatten(as_tensor(item)) for item in (a, b, c, d) if item is not None]
    order = list(range(len(axes)))
    if indexing == "xy" and len(axes) > 1:
        order[0], order[1] = 1, 0
    shape = [0] * len(axes)
    for item, place in zip(axes, order):
        shape[place] = item.shape[0]
    return [
        broadcast_to(reshape(item, [-1 if k == place else 1 for k in range(len(axes))]), shape)
        for item, place in zip(axes, order)
    ]
