"""Angles in degrees and radians, and the sinc function, whose derivatives at 0 no quotient gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import elementwise
from .axes import whole_number

#: orders of the derivative of sinc that are computed
_MOST = 100


@elementwise(lambda ct, _y, x: ct * sinc_derivative(x, order=1), numpy="sinc", accepts="real")
def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), and 1 at 0.

    d/dx: (cos(pi * x) - sinc(x)) / x, and 0 at 0
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

    d/dx: sinc_derivative(x, order + 1)
    >>> sinc_derivative(0.0)
    0.0
    """
    if not 0 <= whole_number(order, "sinc_derivative") <= _MOST:
        raise EngineError("bad-value", "most", op="sinc_derivative", argument="order", given=order, most=_MOST)
    wide, n = np.atleast_1d(np.asarray(x, np.float64)), whole_number(order, "sinc_derivative")
    near = np.abs(wide) < (n + 1.0) / math.pi
    found = np.empty(wide.shape)
    found[near] = _series(math.pi * wide[near], n)
    # far from 0: x f^(n) + n f^(n-1) = pi^(n-1) sin(pi x + n pi/2)
    far = wide[~near]
    y = np.sinc(far)
    for k in range(1, n + 1):
        y = (math.pi ** (k - 1) * np.sin(math.pi * far + k * math.pi / 2) - k * y) / far
    found[~near] = y
    return found.reshape(np.shape(x)).astype(x.dtype)[()]


def _series(u: Any, n: int) -> Any:
    """pi^n times the n-th derivative of sin(u) / u, by its power series."""
    first, square, total = (n + 1) // 2, u * u, np.zeros(u.shape)
    for k in range(first + 14 + n, first - 1, -1):
        total = total * square + (-1) ** k / (math.factorial(2 * k - n) * (2 * k + 1))
    return math.pi**n * total * u ** (2 * first - n) + 0.0  # no -0.0 at 0


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
