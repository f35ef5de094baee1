"""Questions to each entry, and the bits of a number: is_finite, is_nan, is_inf, nan_to_num, bitcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import find_dtype
from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import blocked, elementwise
from .axes import number

_CUT = "cut-no-derivative"


@blocked(_CUT, elementwise=True, tf="math.is_finite", numpy="isfinite", accepts="float")
def is_finite(x: Any) -> Any:
    """Is each entry a number, neither infinite nor nan? No gradient.

    >>> is_finite([1.0, inf])
    [true, false]
    """
    return xp.isfinite(x)


@blocked(_CUT, elementwise=True, tf="math.is_nan", numpy="isnan", accepts="float")
def is_nan(x: Any) -> Any:
    """Is each entry nan? No gradient.

    >>> is_nan([1.0, nan])
    [false, true]
    """
    return xp.isnan(x)


@blocked(_CUT, elementwise=True, tf="math.is_inf", numpy="isinf", accepts="float")
def is_inf(x: Any) -> Any:
    """Is each entry infinite? No gradient.

    >>> is_inf([1.0, inf])
    [false, true]
    """
    return xp.isinf(x)


def _finite_rule(ct: Any, _y: Any, x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    from .selection import where, zeros_of

    return where(is_finite(x), ct, zeros_of(ct))


@elementwise(
    _finite_rule,
    numpy="nan_to_num",
    accepts="real",
    cases=(Case((3,)), Case(())),
)
def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with 0 for nan, and the largest finite numbers for infinities, unless others are given.

    d/dx: 1 where x is finite, else 0
    >>> nan_to_num([1.0, nan], 5.0)
    [1.0, 5.0]
    """
    given = {"nan": nan, "posinf": posinf, "neginf": neginf}
    values: dict[str, Any] = {name: None if v is None else number(v, "nan_to_num", name) for name, v in given.items()}
    return xp.nan_to_num(x, **values)[()]


@blocked(_CUT, arity=2, elementwise=True, tf="math.logical_xor", numpy="logical_xor", accepts="bool")
def logical_xor(a: Any, b: Any) -> Any:
    """One of two masks, but not both.

    >>> logical_xor(true, true)
    false
    """
    return xp.logical_xor(a, b)


@blocked(_CUT, elementwise=True, numpy="trunc", accepts="real")
def trunc(x: Any) -> Any:
    """The whole part, towards 0. A step function: no gradient.

    >>> trunc(-1.5)
    -1.0
    """
    return xp.trunc(x)


@blocked("cut-cast", accepts="numeric")
def bitcast(x: Any, dtype: Any) -> Any:
    """The same bits as another dtype of the same size. No gradient.

    >>> bitcast(constant(1.0), "int32")
    1065353216
    """
    like = find_dtype(dtype)
    data = np.asarray(x)
    if data.dtype.itemsize != like.itemsize:
        raise EngineError("dtype-mismatch", "bitcast", op="bitcast", dtypes=(data.dtype.name, like.name))
    return data.view(like)[()]
