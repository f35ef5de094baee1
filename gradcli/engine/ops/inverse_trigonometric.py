"""Inverse trigonometric functions and hyperbolic functions with their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Kink
from ..registrars import elementwise
from .exponential import sqrt
from .guarded import hypot

_INSIDE = (-0.8, 0.8)


@elementwise(lambda ct, _y, x: ct * (-2.0 * x))
def one_minus_square(x: Any) -> Any:
    """1 - x**2, without the loss of digits near -1 and 1: what the slopes of asin, acos and atanh are made of.

    As a product of operations it would have the slope inf * 0 behind a root that is 0.

    d/dx: -2 * x
    >>> one_minus_square(0.5)
    0.75
    """
    return (1 - x) * (1 + x)


@elementwise(
    lambda ct, _y, x: ct / sqrt(one_minus_square(x)),
    tf="math.asin",
    numpy="arcsin",
    domain=_INSIDE,
    kink=Kink("domain-edge", lambda y, x: np.abs(x) == 1, "inf", "inf, from inside"),
)
def asin(x: Any) -> Any:
    """The angle whose sine is x, for -1 <= x <= 1.

    d/dx: 1 / sqrt(1 - x**2), infinite at -1 and 1
    >>> asin(0.0)
    0.0
    """
    return xp.arcsin(x)


@elementwise(
    lambda ct, _y, x: -ct / sqrt(one_minus_square(x)),
    tf="math.acos",
    numpy="arccos",
    domain=_INSIDE,
    kink=Kink("domain-edge", lambda y, x: np.abs(x) == 1, "-inf", "-inf, from inside"),
)
def acos(x: Any) -> Any:
    """The angle whose cosine is x, for -1 <= x <= 1.

    d/dx: -1 / sqrt(1 - x**2), infinite at -1 and 1
    >>> acos(1.0)
    0.0
    """
    return xp.arccos(x)


@elementwise(lambda ct, _y, x: ct / (1.0 + x * x), tf="math.atan", numpy="arctan")
def atan(x: Any) -> Any:
    """The angle between -pi/2 and pi/2 whose tangent is x.

    d/dx: 1 / (1 + x**2)
    >>> atan(0.0)
    0.0
    """
    return xp.arctan(x)


def _over_square(a: Any, x: Any, y: Any) -> Any:
    """a / (x**2 + y**2); by the distance where a square would overflow or underflow."""
    square = x * x + y * y
    size = np.asarray(getattr(square, "value", square))
    narrow = size.dtype.itemsize < 8
    if narrow or (size.size and not (size.min() > 1e-290 and size.max() < 1e290)):
        distance = hypot(x, y)
        return a / distance / distance
    return a / square


@elementwise(
    lambda ct, _r, y, x: ct * _over_square(x, x, y),
    lambda ct, _r, y, x: ct * _over_square(-y, x, y),
    tf="math.atan2",
    numpy="arctan2",
    accepts="real",
    domain=(-2.0, -0.3, 0.3, 2.0),
)
def atan2(y: Any, x: Any) -> Any:
    """The angle of the point (x, y) with the first axis, in (-pi, pi].

    d/dy: x / (x**2 + y**2)
    d/dx: -y / (x**2 + y**2)
    >>> atan2(0.0, 1.0)
    0.0
    """
    return xp.arctan2(y, x)


@elementwise(lambda ct, _y, x: ct * cosh(x), tf="math.sinh", numpy="sinh")
def sinh(x: Any) -> Any:
    """The hyperbolic sine, (exp(x) - exp(-x)) / 2.

    d/dx: cosh(x)
    >>> sinh(0.0)
    0.0
    """
    return xp.sinh(x)


@elementwise(lambda ct, _y, x: ct * sinh(x), tf="math.cosh", numpy="cosh")
def cosh(x: Any) -> Any:
    """The hyperbolic cosine, (exp(x) + exp(-x)) / 2.

    d/dx: sinh(x)
    >>> cosh(0.0)
    1.0
    """
    return xp.cosh(x)


@elementwise(lambda ct, y, _x: ct / cosh(y), tf="math.asinh", numpy="arcsinh")
def asinh(x: Any) -> Any:
    """The number whose hyperbolic sine is x.

    d/dx: 1 / sqrt(1 + x**2)
    >>> asinh(0.0)
    0.0
    """
    return xp.arcsinh(x)


@elementwise(
    lambda ct, y, _x: ct / sinh(y),
    tf="math.acosh",
    numpy="arccosh",
    domain=(1.2, 3.0),
    kink=Kink("domain-edge", lambda y, x: x == 1, "inf", "inf, from above"),
)
def acosh(x: Any) -> Any:
    """The number >= 0 whose hyperbolic cosine is x, for x >= 1.

    d/dx: 1 / sqrt(x**2 - 1), infinite at 1
    >>> acosh(1.0)
    0.0
    """
    return xp.arccosh(x)


@elementwise(
    lambda ct, _y, x: ct / one_minus_square(x),
    tf="math.atanh",
    numpy="arctanh",
    domain=_INSIDE,
    kink=Kink("domain-edge", lambda y, x: np.abs(x) == 1, "inf", "inf, from inside"),
)
def atanh(x: Any) -> Any:
    """The number whose hyperbolic tangent is x, for -1 < x < 1.

    d/dx: 1 / (1 - x**2), infinite at -1 and 1
    >>> atanh(0.0)
    0.0
    """
    return xp.arctanh(x)
