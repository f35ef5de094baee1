"""Special functions of real numbers: the error function and its kin, the logarithm of gamma and its derivatives.

They are computed in float64 whatever the dtype, entry by entry where Python's `math` has the function.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import elementwise, primitive
from .exponential import exp

if TYPE_CHECKING:
    from collections.abc import Callable

_ROOT_PI = math.sqrt(math.pi)
_BETWEEN_POLES = (-1.8, -1.2, -0.8, -0.2, 0.2, 4.0)
#: where the asymptotic series of digamma begins: its ten terms leave an error below 1e-19 there
_EDGE = 10.0
#: the greatest order of polygamma: the factorial of the next number is no double
_MOST = 169
#: Bernoulli numbers B2, B4, … B20, of the asymptotic series
_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330
)  # fmt: skip


def entrywise(function: Callable[[float], float], x: Any) -> Any:
    """A function of Python floats at each entry, in the dtype of x. Raises what it raises."""
    data = np.asarray(x, np.float64)
    found = np.fromiter(map(function, data.ravel().tolist()), np.float64, data.size)
    return found.reshape(data.shape).astype(x.dtype)[()]


@elementwise(lambda ct, _y, x: ct * (2.0 / _ROOT_PI * exp(-(x * x))), tf="math.erf", accepts="real")
def erf(x: Any) -> Any:
    """The error function: the share of a normal distribution of variance 1/2 between -x and x.

    d/dx: 2 * exp(-x**2) / sqrt(pi)
    >>> erf(0.0)
    0.0
    """
    return entrywise(math.erf, x)


@elementwise(lambda ct, _y, x: ct * (-2.0 / _ROOT_PI * exp(-(x * x))), tf="math.erfc", accepts="real")
def erfc(x: Any) -> Any:
    """1 - erf(x), without the loss of digits for a large x.

    d/dx: -2 * exp(-x**2) / sqrt(pi)
    >>> erfc(0.0)
    1.0
    """
    return entrywise(math.erfc, x)


@elementwise(lambda ct, y, _x: ct * (0.5 * _ROOT_PI * exp(y * y)), tf="math.erfinv", accepts="real", domain=(-0.9, 0.9))
def erfinv(x: Any) -> Any:
    """The number whose error function is x, for -1 <= x <= 1; infinite at both ends.

    d/dx: sqrt(pi) / 2 * exp(erfinv(x)**2)
    >>> erfinv(0.0)
    0.0
    """
    size = np.abs(np.asarray(x, np.float64))
    return np.copysign(_erfinv(np.atleast_1d(size)).reshape(size.shape), x).astype(x.dtype)[()]


def _erfinv(x: Any) -> Any:
    """For 0 <= x <= 1: a guess to three digits, and Halley's steps, on erfc where erf has no digits left."""
    with np.errstate(all="ignore"):
        log = np.log1p(-x * x)
        half = 2.0 / (math.pi * 0.147) + log / 2.0
        # the guess for a small x would be a difference of equal numbers
        y = np.where(x > 1e-5, np.sqrt(np.maximum(np.sqrt(half * half - log / 0.147) - half, 0.0)), x * _ROOT_PI / 2.0)
        tail = x > 0.5
        inner = ~tail & (x >= 0.0)
        tail &= x < 1.0
        for _ in range(2):
            miss = np.zeros(x.shape)
            miss[tail] = (1.0 - x[tail]) - entrywise(math.erfc, y[tail])
            miss[inner] = entrywise(math.erf, y[inner]) - x[inner]
            step = miss / (2.0 / _ROOT_PI * np.exp(-y * y))
            y = np.where(tail | inner, y - step / (1.0 + y * step), y)
        return np.where(x < 1.0, y, np.where(x == 1.0, math.inf, math.nan))


def _lgamma(x: float) -> float:
    try:
        return math.lgamma(x)
    except (ValueError, OverflowError):  # a pole, or beyond the largest number
        return math.inf


@elementwise(lambda ct, _y, x: ct * digamma(x), tf="math.lgamma", accepts="real", domain=_BETWEEN_POLES)
def lgamma(x: Any) -> Any:
    """The logarithm of the absolute value of the gamma function; inf at its poles 0, -1, -2, and so on.

    d/dx: digamma(x)
    >>> lgamma(1.0)
    0.0
    """
    return entrywise(_lgamma, x)


@elementwise(
    lambda ct, _y, x: ct * polygamma(1.0, x),
    tf="math.digamma",
    accepts="real",
    domain=_BETWEEN_POLES,
)
def digamma(x: Any) -> Any:
    """The derivative of `lgamma`; nan at its poles 0, -1, -2, and so on.

    d/dx: polygamma(1, x)
    >>> digamma(1.0) + 0.5772156649 ~= 0.0
    true
    """
    return _polygamma(0, np.asarray(x, np.float64)).astype(x.dtype)[()]


@primitive(
    None,
    lambda ct, _y, a, x: ct * polygamma(a + 1.0, x),
    elementwise=True,
    tf="math.polygamma",
    accepts="real",
    domain=_BETWEEN_POLES,
    cases=(Case(1.0, (3,)), Case(2.0, ()), Case([0.0, 3.0], (2, 2))),
)
def polygamma(a: Any, x: Any) -> Any:
    """The derivative of `digamma` of the whole order `a`; nan at poles of odd kind, inf where both sides agree.

    d/dx: polygamma(a + 1, x)
    >>> polygamma(1.0, 1.0) ~= pi**2 / 6
    true
    """
    orders, points = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(x, np.float64))
    found = np.full(points.shape, np.nan)
    if orders.size and orders.max() > _MOST:
        raise EngineError("bad-value", "most", op="polygamma", argument="a", given=float(orders.max()), most=_MOST)
    for order in np.unique(orders):
        if order >= 0 and order == np.floor(order):
            at = orders == order
            found[at] = _polygamma(int(order), points[at])
    return found.astype(x.dtype)[()]


def _polygamma(n: int, x: Any) -> Any:
    """Digamma (n = 0) and its derivatives: reflected to x > 1/2, shifted up, there the asymptotic series."""
    with np.errstate(all="ignore"):
        low = x < 0.5
        z = np.where(low, 1.0 - x, x)
        total, edge = np.zeros(np.shape(z)), _EDGE + n
        # f(z) = f(z + 1) - (-1)^n n! / z^(n+1), as long as z is small
        while (small := z < edge).any():
            total = np.where(small, total + (1.0 / z) ** (n + 1), total)
            z = np.where(small, z + 1.0, z)
        sign, factor = (-1.0) ** n, float(math.factorial(n))
        found = _series(n, z) - sign * factor * total
        if low.any():
            # d^n/dx^n of digamma(x) = digamma(1 - x) - pi cot(pi x)
            mirrored = sign * found - math.pi ** (n + 1) * _cotangent(n, x)
            found = np.where(low, mirrored, found)
        pole = low & (x == np.floor(x))
        return np.where(pole, math.inf if n % 2 else math.nan, found)


def _series(n: int, z: Any) -> Any:
    """The asymptotic series of the n-th derivative of digamma, for a large z."""
    inverse = 1.0 / z
    square, tail = inverse * inverse, np.zeros(np.shape(z))
    for k in range(len(_BERNOULLI), 0, -1):
        factor = math.factorial(2 * k + n - 1) / math.factorial(2 * k)
        tail = (tail + _BERNOULLI[k - 1] * factor) * square
    if n == 0:
        return np.log(z) - 0.5 * inverse - tail
    leading = math.factorial(n - 1) + 0.5 * math.factorial(n) * inverse
    return (-1.0) ** (n + 1) * (leading + tail) * inverse**n


def _cotangent(n: int, x: Any) -> Any:
    """The n-th derivative of cot at pi x: a polynomial in cot, as cot' = -1 - cot²."""
    coefficients = np.polynomial.Polynomial([0.0, 1.0])
    for _ in range(n):
        coefficients = coefficients.deriv() * np.polynomial.Polynomial([-1.0, 0.0, -1.0])
    turn = x - np.round(x)  # the period is 1: no digits are lost in pi x for a large x
    return coefficients(np.cos(math.pi * turn) / np.sin(math.pi * turn))
