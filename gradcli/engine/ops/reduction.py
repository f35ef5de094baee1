"""Reductions along axes: sum, mean, product-like extremes, any and all."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Case, Kink
from ..registrars import blocked, primitive
from .axes import axis_set

_add: Any = np.add.reduce
_CASES = (
    Case((4,)),
    Case((2, 3), axis=0),
    Case((2, 3), axis=-1, keepdims=True),
    Case((2, 3, 2), axis=[0, 2]),
    Case((2, 3), axis=[]),
    Case(()),
)


def _axes(op: str) -> Any:
    def prepare(x: Any, axis: Any = None, keepdims: Any = False) -> dict[str, Any]:
        return {"axis": axis_set(axis, np.ndim(x), op), "keepdims": bool(keepdims)}

    return prepare


def kept(ct: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    """A reduced value with its lost axes put back as axes of length 1; leading axes of a batch stay in front."""
    if keepdims or not axis:
        return ct
    from .shape import reshape

    shape = np.shape(x) if isinstance(x, (np.ndarray, np.generic)) else x.shape
    lead = len(ct.shape) - (len(shape) - len(axis))
    ones = tuple(1 if i - len(shape) in axis else n for i, n in enumerate(shape))
    if not ct.shape:
        return ct
    return reshape(ct, ct.shape[:lead] + ones)


@primitive(
    lambda ct, _y, _x, axis, keepdims: kept(ct, _x, axis, keepdims),
    tf="math.reduce_sum",
    numpy="sum",
    method="sum",
    accepts="numeric",
    prepare=_axes("reduce_sum"),
    cases=_CASES,
)
def reduce_sum(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The sum along the axes, all of them by default.

    d/dx: 1
    >>> reduce_sum([1.0, 2.0])
    3.0
    """
    if type(x) is np.ndarray:
        return _add(x, axis=axis, dtype=x.dtype if x.dtype.kind != "b" else None, keepdims=keepdims)
    return x if x.dtype.kind != "b" else np.int64(x)


def _mean_rule(ct: Any, _y: Any, _x: Any, axis: Any, keepdims: bool) -> Any:
    shape = _x.shape
    n = 1
    for i in axis:
        n *= shape[i]
    return kept(ct / float(n) if n else ct, _x, axis, keepdims)


@primitive(
    _mean_rule,
    tf="math.reduce_mean",
    numpy="mean",
    method="mean",
    accepts="number",
    prepare=_axes("reduce_mean"),
    cases=_CASES,
)
def reduce_mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The mean along the axes, all of them by default. Of integers it is rounded down, as in TensorFlow.

    d/dx: 1 / n
    >>> reduce_mean([1.0, 2.0])
    1.5
    """
    if type(x) is not np.ndarray:
        return x
    n = 1
    for i in axis if axis is not None else range(x.ndim):
        n *= x.shape[i]
    total = _add(x, axis=axis, dtype=x.dtype, keepdims=keepdims)
    if x.dtype.kind in "iu":
        return (total // max(n, 1)).astype(x.dtype)[()] if n else total
    return (total / x.dtype.type(n) if n else total * np.nan).astype(x.dtype)


def _extreme_rule(ct: Any, y: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    from .comparison import equal
    from .selection import cast

    hits = cast(equal(x, kept(y, x, axis, keepdims)), x.dtype)
    return hits / reduce_sum(hits, axis=axis, keepdims=True) * kept(ct, x, axis, keepdims)


def _several(y: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    hits = np.equal(x, kept(y, x, axis, keepdims))
    return hits & (np.sum(hits, axis=axis, keepdims=True) > 1)


_TIE = Kink("tie", _several, "split evenly among the tied entries", "0 and 1")


@primitive(
    _extreme_rule,
    tf="math.reduce_max",
    numpy="max",
    method="max",
    accepts="ordered",
    prepare=_axes("reduce_max"),
    cases=_CASES,
    kink=_TIE,
)
def reduce_max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The largest entry along the axes. Equal largest entries share the gradient evenly.

    d/dx: 1 / (number of largest entries) at each of them, 0 elsewhere
    >>> reduce_max([1.0, 3.0])
    3.0
    """
    return _extreme(np.maximum, x, axis, keepdims, -1)


@primitive(
    _extreme_rule,
    tf="math.reduce_min",
    numpy="min",
    method="min",
    accepts="ordered",
    prepare=_axes("reduce_min"),
    cases=_CASES,
    kink=_TIE,
)
def reduce_min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The smallest entry along the axes. Equal smallest entries share the gradient evenly.

    d/dx: 1 / (number of smallest entries) at each of them, 0 elsewhere
    >>> reduce_min([1.0, 3.0])
    1.0
    """
    return _extreme(np.minimum, x, axis, keepdims, 1)


def _extreme(ufunc: Any, x: Any, axis: Any, keepdims: bool, sign: int) -> Any:
    if type(x) is not np.ndarray:
        return x
    # the extreme of nothing is the neutral element: -inf for a maximum
    if x.dtype.kind == "f":
        neutral = x.dtype.type(sign * np.inf)
    else:
        neutral = np.iinfo(x.dtype).max if sign > 0 else np.iinfo(x.dtype).min
    return ufunc.reduce(x, axis=axis, keepdims=keepdims, initial=neutral)


@blocked(
    "cut-no-derivative", tf="math.reduce_any", numpy="any", method="any", accepts="bool", prepare=_axes("reduce_any")
)
def reduce_any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Does one entry of a mask hold, along the axes?

    >>> reduce_any([true, false])
    true
    """
    return xp.any(x, axis=axis, keepdims=keepdims)


@blocked(
    "cut-no-derivative", tf="math.reduce_all", numpy="all", method="all", accepts="bool", prepare=_axes("reduce_all")
)
def reduce_all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Do all entries of a mask hold, along the axes?

    >>> reduce_all([true, false])
    false
    """
    return xp.all(x, axis=axis, keepdims=keepdims)
