"""Angles in degrees and radians, and the sinc function, whose derivatives at 0 no quotient gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Case
from ..registrars import elementwise


@elementwise(lambda ct, _y, x: ct * sinc_derivative(x, order=1), numpy="sinc", accepts="real")
def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), and 1 at 0.

    d/dx: (cos(pi x) - sinc(x)) / x, and 0 at 0
    >>> sinc(0.0)
    1.0
    """
    return xp.sinc(x)


@elementwise(
    lambda ct, _y, x, order: ct * sinc_derivative(x, order=order + 1),
    accepts="real",
    cases=(Case((3,)), Case([0.0, 1e-3, -2.5], order=2), Case((), order=3)),
)
def sinc_derivative(x: Any, order: int = 1) -> Any:
    """The derivative of `sinc` of some order.

    d/dx: the derivative of the next order
    >>> sinc_derivative(0.0)
    0.0
    """
    wide = np.asarray(x, np.float64)
    u, n = math.pi * wide, int(order)
    near = np.abs(u) < n + 1.0
    # near 0 the series; far from it x f^(n) + n f^(n-1) = pi^(n-1) sin(pi x + n pi/2)
    small, series = np.where(near, u, 0.0), np.zeros(wide.shape)
    for k in range((n + 1) // 2, n // 2 + 25):
        series = series + (-1) ** k * small ** (2 * k - n) / (math.factorial(2 * k - n) * (2 * k + 1))
    far = np.where(near, 1.0, wide)
    found = np.sinc(far)
    for k in range(1, n + 1):
        found = (math.pi ** (k - 1) * np.sin(math.pi * far + k * math.pi / 2) - k * found) / far
    return np.where(near, math.pi**n * series, found).astype(x.dtype)[()]


@elementwise(lambda ct, _y, _x: ct * (math.pi / 180.0), numpy="deg2rad", accepts="real")
def deg2rad(x: Any) -> Any:
    """An angle given in degrees, in radians.

    d/dx: pi / 180
    >>> deg2rad(180.0) ~= pi
    true
    """
    return xp.deg2rad(x)


@elementwise(lambda ct, _y, _x: ct * (180.0 / math.pi), numpy="rad2deg", accepts="real")
def rad2deg(x: Any) -> Any:
    """An angle given in radians, in degrees.

    d/dx: 180 / pi
    >>> rad2deg(pi) ~= 180.0
    true
    """
    return xp.rad2deg(x)
