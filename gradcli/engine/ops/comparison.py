"""Comparisons and logic on entries: bool tensors, through which no gradient flows; also argmax and argmin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..registrars import blocked
from .axes import negative_axis

_CUT = "cut-no-derivative"


@blocked(_CUT, arity=2, elementwise=True, tf="math.less", numpy="less", accepts="ordered")
def less(a: Any, b: Any) -> Any:
    """`a < b`, entry by entry.

    >>> less(1.0, 2.0)
    true
    """
    return xp.less(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.less_equal", numpy="less_equal", accepts="ordered")
def less_equal(a: Any, b: Any) -> Any:
    """`a <= b`, entry by entry.

    >>> less_equal(2.0, 2.0)
    true
    """
    return xp.less_equal(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.greater", numpy="greater", accepts="ordered")
def greater(a: Any, b: Any) -> Any:
    """`a > b`, entry by entry.

    >>> greater(1.0, 2.0)
    false
    """
    return xp.greater(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.greater_equal", numpy="greater_equal", accepts="ordered")
def greater_equal(a: Any, b: Any) -> Any:
    """`a >= b`, entry by entry.

    >>> greater_equal(2.0, 2.0)
    true
    """
    return xp.greater_equal(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.equal", numpy="equal", accepts="any")
def equal(a: Any, b: Any) -> Any:
    """`a == b`, entry by entry. For rounded results use `~=`.

    >>> equal(2.0, 2.0)
    true
    """
    return xp.equal(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.not_equal", numpy="not_equal", accepts="any")
def not_equal(a: Any, b: Any) -> Any:
    """`a != b`, entry by entry.

    >>> not_equal(2.0, 2.0)
    false
    """
    return xp.not_equal(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.logical_and", numpy="logical_and", accepts="bool")
def logical_and(a: Any, b: Any) -> Any:
    """Both of two masks: `a & b`.

    >>> logical_and(true, false)
    false
    """
    return xp.logical_and(a, b)


@blocked(_CUT, arity=2, elementwise=True, tf="math.logical_or", numpy="logical_or", accepts="bool")
def logical_or(a: Any, b: Any) -> Any:
    """One of two masks, or both: `a | b`.

    >>> logical_or(true, false)
    true
    """
    return xp.logical_or(a, b)


@blocked(_CUT, elementwise=True, tf="math.logical_not", numpy="logical_not", accepts="bool")
def logical_not(x: Any) -> Any:
    """The opposite mask: `~x`.

    >>> logical_not(true)
    false
    """
    return xp.logical_not(x)


def _one_or_first(x: Any, axis: Any = None) -> dict[str, Any]:
    if np.size(x) == 0:
        raise EngineError("bad-value", "empty", op="argmax")
    return {"axis": None if axis is None else negative_axis(axis, np.ndim(x), "argmax")}


def _along(find: Any, x: Any, axis: int | None) -> Any:
    # TensorFlow's default is axis 0; over a vector the two mean the same
    return np.asarray(find(x, axis=axis if axis is not None or np.ndim(x) == 0 else 0)).astype(np.int64)[()]


@blocked(_CUT, tf="math.argmax", numpy="argmax", method="argmax", accepts="ordered", prepare=_one_or_first)
def argmax(x: Any, axis: Any = None) -> Any:
    """The index of the largest entry along `axis` (0 if none is given), the first of equal ones. No gradient.

    >>> argmax([1.0, 3.0, 2.0])
    1
    """
    return _along(xp.argmax, x, axis)


@blocked(_CUT, tf="math.argmin", numpy="argmin", method="argmin", accepts="ordered", prepare=_one_or_first)
def argmin(x: Any, axis: Any = None) -> Any:
    """The index of the smallest entry along `axis` (0 if none is given), the first of equal ones. No gradient.

    >>> argmin([1.0, 3.0, 0.5])
    2
    """
    return _along(xp.argmin, x, axis)
