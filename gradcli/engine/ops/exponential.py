"""Exponentials, logarithms and roots."""

from __future__ import annotations

from typing import Any

from ..namespace import xp
from ..primitive import Kink
from ..registrars import elementwise
from .arithmetic import multiply_no_nan

_POSITIVE = (0.2, 3.0)


@elementwise(lambda ct, y, _x: ct * y, tf="math.exp", numpy="exp")
def exp(x: Any) -> Any:
    """The exponential function.

    d/dx: exp(x)
    >>> exp(0.0)
    1.0
    """
    return xp.exp(x)


@elementwise(lambda ct, _y, x: ct * exp(x), tf="math.expm1", numpy="expm1")
def expm1(x: Any) -> Any:
    """exp(x) - 1, without the loss of digits near 0.

    d/dx: exp(x)
    >>> expm1(0.0)
    0.0
    """
    return xp.expm1(x)


@elementwise(lambda ct, _y, x: ct / x, tf="math.log", numpy="log", domain=_POSITIVE)
def log(x: Any) -> Any:
    """The natural logarithm, for x > 0; -inf at 0 and nan below.

    d/dx: 1 / x
    >>> log(1.0)
    0.0
    """
    return xp.log(x)


@elementwise(lambda ct, _y, x: ct / (1.0 + x), tf="math.log1p", numpy="log1p", domain=(-0.5, 2.0))
def log1p(x: Any) -> Any:
    """log(1 + x), without the loss of digits near 0.

    d/dx: 1 / (1 + x)
    >>> log1p(0.0)
    0.0
    """
    return xp.log1p(x)


@elementwise(
    lambda ct, y, _x: multiply_no_nan(0.5 / y, ct),
    tf="math.sqrt",
    numpy="sqrt",
    domain=_POSITIVE,
    kink=Kink("domain-edge", lambda y, _x: y == 0, "inf, or 0 where the upstream is 0", "inf, from above"),
)
def sqrt(x: Any) -> Any:
    """The square root, for x >= 0. As in TensorFlow, a zero upstream gives a zero gradient even at x = 0.

    d/dx: 1 / (2 * sqrt(x)), infinite at 0
    >>> sqrt(9.0)
    3.0
    """
    return xp.sqrt(x)


@elementwise(lambda ct, y, _x: multiply_no_nan(-0.5 * (y * y * y), ct), tf="math.rsqrt", domain=_POSITIVE)
def rsqrt(x: Any) -> Any:
    """The reciprocal of the square root, for x > 0.

    d/dx: -1 / (2 * x**1.5)
    >>> rsqrt(4.0)
    0.5
    """
    return 1 / xp.sqrt(x)
