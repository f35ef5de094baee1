"""Exponentials and logarithms to other bases, the cube root and log(exp(a) + exp(b))."""

from __future__ import annotations

import math
from typing import Any

from ..namespace import xp
from ..registrars import elementwise
from .activation import sigmoid

_POSITIVE = (0.2, 3.0)


def over_largest(x: Any, axis: Any) -> tuple[Any, Any]:
    """log(sum(exp(x))) in two parts, the largest entry and what the others add to it; the axes keep the length 1.

    The largest entry does not go through the sum, whose digits it would take from the others.
    """
    top = xp.max(x, axis=axis, keepdims=True, initial=-xp.inf)
    top = xp.where(xp.isfinite(top), top, 0).astype(x.dtype)
    e = xp.atleast_1d(xp.exp(x - top))
    largest = e == 1
    e[largest] = 0
    found = xp.count_nonzero(largest, axis=axis, keepdims=True) - 1 + xp.sum(e, axis=axis, keepdims=True)
    return top, xp.log1p(found.reshape(top.shape)).astype(x.dtype)


@elementwise(lambda ct, y, _x: ct * (y * math.log(2.0)), numpy="exp2", accepts="real")
def exp2(x: Any) -> Any:
    """2 to the power of x.

    d/dx: 2**x * log(2)
    >>> exp2(3.0)
    8.0
    """
    return xp.exp2(x)


@elementwise(lambda ct, _y, x: ct / (x * math.log(2.0)), numpy="log2", accepts="real", domain=_POSITIVE)
def log2(x: Any) -> Any:
    """The logarithm to the base 2, for x > 0.

    d/dx: 1 / (x * log(2))
    >>> log2(8.0)
    3.0
    """
    return xp.log2(x)


def _in_double(function: Any, x: Any) -> Any:
    """A function whose float32 form is a bit off at powers of ten, or at cubes, on some processors."""
    return function(x, dtype="float64").astype(x.dtype) if x.dtype.name == "float32" else function(x)


@elementwise(lambda ct, _y, x: ct / (x * math.log(10.0)), numpy="log10", accepts="real", domain=_POSITIVE)
def log10(x: Any) -> Any:
    """The logarithm to the base 10, for x > 0.

    d/dx: 1 / (x * log(10))
    >>> log10(100.0)
    2.0
    """
    return _in_double(xp.log10, x)


@elementwise(lambda ct, y, _x: ct / (3.0 * (y * y)), numpy="cbrt", accepts="real", domain=(-3.0, -0.2, 0.2, 3.0))
def cbrt(x: Any) -> Any:
    """The real cube root, of negative numbers too.

    d/dx: 1 / (3 * cbrt(x)**2), infinite at 0
    >>> cbrt(-8.0)
    -2.0
    """
    return _in_double(xp.cbrt, x)


@elementwise(
    lambda ct, _y, a, b: ct * sigmoid(a - b),
    lambda ct, _y, a, b: ct * sigmoid(b - a),
    numpy="logaddexp",
    accepts="real",
)
def logaddexp(a: Any, b: Any) -> Any:
    """log(exp(a) + exp(b)), without overflow.

    d/da: sigmoid(a - b)
    d/db: sigmoid(b - a)
    >>> logaddexp(1000.0, -1000.0)
    1000.0
    """
    return xp.logaddexp(a, b)
