"""The same entries in another shape: reshape, transpose, expand_dims, squeeze, broadcast_to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import primitive
from .axes import negative_axis, shape_of


def _dims(x: Any) -> tuple[int, ...]:
    shape: tuple[int, ...] = x.shape
    return shape


def _new_shape(x: Any, shape: Any) -> dict[str, Any]:
    want = shape_of(shape, "reshape")
    size = int(np.size(x))
    if sum(n == -1 for n in want) > 1 or any(n < -1 for n in want):
        raise EngineError("bad-value", "shape", op="reshape", given=str(list(want)))
    if -1 in want:
        rest = 1
        for n in want:
            rest *= n if n != -1 else 1
        if rest == 0 or size % rest:
            raise EngineError("shape-mismatch", "reshape", op="reshape", shapes=(np.shape(x), want))
        want = tuple(size // rest if n == -1 else n for n in want)
    if int(np.prod(want, dtype=np.int64)) != size:
        raise EngineError("shape-mismatch", "reshape", op="reshape", shapes=(np.shape(x), want))
    return {"shape": want}


def _reshape_rule(ct: Any, _y: Any, _x: Any, shape: tuple[int, ...]) -> Any:
    lead = len(ct.shape) - len(shape)
    return reshape(ct, ct.shape[:lead] + _dims(_x))


@primitive(
    _reshape_rule,
    numpy="reshape",
    method="reshape",
    accepts="any",
    prepare=_new_shape,
    cases=(Case((2, 3), shape=[3, 2]), Case((4,), shape=[2, -1]), Case((), shape=[1, 1])),
)
def reshape(x: Any, shape: Any) -> Any:
    """The entries in row-major order under another shape of the same size; one length may be -1.

    d/dx: the upstream in the shape of x
    >>> reshape([1.0, 2.0, 3.0, 4.0], [2, 2])
    [[1.0, 2.0], [3.0, 4.0]]
    """
    return xp.reshape(x, shape)


def _permutation(x: Any, perm: Any = None) -> dict[str, Any]:
    ndim = np.ndim(x)
    if perm is None:
        return {"perm": tuple(range(-1, -ndim - 1, -1))}
    items = perm if isinstance(perm, (list, tuple)) else np.asarray(getattr(perm, "value", perm)).tolist()
    axes = tuple(negative_axis(i, ndim, "transpose") for i in items)
    if len(axes) != ndim or len(set(axes)) != ndim:
        raise EngineError("bad-axis", "permutation", op="transpose", axis=list(items), rank=ndim)
    return {"perm": axes}


def _transpose_rule(ct: Any, _y: Any, _x: Any, perm: tuple[int, ...]) -> Any:
    n = len(perm)
    lead = len(ct.shape) - n
    inverse = [0] * n
    for position, source in enumerate(perm):
        inverse[source + n] = position - n
    return transpose(ct, [*range(lead), *inverse])


@primitive(
    _transpose_rule,
    numpy="transpose",
    method="transpose",
    accepts="any",
    prepare=_permutation,
    cases=(Case((2, 3)), Case((2, 3, 4), perm=[2, 0, 1]), Case((3,))),
)
def transpose(x: Any, perm: Any = None) -> Any:
    """The axes in the order `perm`; reversed if none is given. `x.T` is the same.

    d/dx: the upstream with the axes put back
    >>> transpose([[1.0, 2.0], [3.0, 4.0]])
    [[1.0, 3.0], [2.0, 4.0]]
    """
    lead = np.ndim(x) - len(perm)
    return xp.transpose(x, [*range(lead), *(i + np.ndim(x) for i in perm)]) if np.ndim(x) else x


def _new_axis(x: Any, axis: Any) -> dict[str, Any]:
    return {"axis": negative_axis(axis, np.ndim(x) + 1, "expand_dims")}


def _expand_rule(ct: Any, _y: Any, _x: Any, axis: int) -> Any:
    lead = len(ct.shape) - len(_dims(_x)) - 1
    return reshape(ct, ct.shape[:lead] + _dims(_x))


@primitive(
    _expand_rule,
    numpy="expand_dims",
    accepts="any",
    prepare=_new_axis,
    cases=(Case((2, 3), axis=0), Case((2,), axis=-1), Case((), axis=0)),
)
def expand_dims(x: Any, axis: Any) -> Any:
    """One more axis, of length 1, at `axis`.

    d/dx: the upstream without that axis
    >>> expand_dims([1.0, 2.0], 0)
    [[1.0, 2.0]]
    """
    return xp.expand_dims(x, axis)


def _lost_axes(x: Any, axis: Any = None) -> dict[str, Any]:
    shape = np.shape(x)
    if axis is None:
        return {"axis": tuple(i - len(shape) for i, n in enumerate(shape) if n == 1)}
    items = axis if isinstance(axis, (list, tuple)) else [axis]
    axes = tuple(negative_axis(i, len(shape), "squeeze") for i in items)
    if len(set(axes)) != len(axes):
        raise EngineError("bad-axis", "duplicate", op="squeeze", axis=list(items), rank=len(shape))
    for i in axes:
        if shape[i] != 1:
            raise EngineError(
                "bad-axis", "not-one", op="squeeze", axis=i + len(shape), rank=len(shape), length=shape[i]
            )
    return {"axis": axes}


def _squeeze_rule(ct: Any, _y: Any, _x: Any, axis: tuple[int, ...]) -> Any:
    lead = len(ct.shape) - len(_dims(_x)) + len(axis)
    return reshape(ct, ct.shape[:lead] + _dims(_x))


@primitive(
    _squeeze_rule,
    numpy="squeeze",
    method="squeeze",
    accepts="any",
    prepare=_lost_axes,
    cases=(Case((2, 1, 3)), Case((1, 3, 1), axis=0)),
)
def squeeze(x: Any, axis: Any = None) -> Any:
    """Without the axes of length 1: all of them, or those named.

    d/dx: the upstream in the shape of x
    >>> squeeze([[1.0, 2.0]])
    [1.0, 2.0]
    """
    return xp.squeeze(x, axis=axis)


def _wanted_shape(x: Any, shape: Any) -> dict[str, Any]:
    want = shape_of(shape, "broadcast_to")
    try:
        fits = np.broadcast_shapes(np.shape(x), want) == want
    except ValueError:
        fits = False
    if not fits:
        raise EngineError("shape-mismatch", "broadcast-to", op="broadcast_to", shapes=(np.shape(x), want))
    return {"shape": want}


@primitive(
    lambda ct, _y, _x, shape: ct,  # the edge sums over the axes that were broadcast
    numpy="broadcast_to",
    accepts="any",
    prepare=_wanted_shape,
    cases=(Case((3,), shape=[2, 3]), Case((2, 1), shape=[2, 3]), Case((), shape=[2])),
)
def broadcast_to(x: Any, shape: Any) -> Any:
    """Repeated along axes of length 1, and along new ones in front, to the shape given.

    d/dx: the upstream summed over the repetitions
    >>> broadcast_to([1.0, 2.0], [2, 2])
    [[1.0, 2.0], [1.0, 2.0]]
    """
    return xp.array(xp.broadcast_to(x, shape))
