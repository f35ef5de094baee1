"""Activation functions with a gate or a parameter: mish, hard_sigmoid, celu, prelu, glu."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case, Kink
from ..registrars import composite, elementwise
from .activation import sigmoid, softplus
from .axes import negative_axis, number
from .comparison import logical_and
from .exponential import exp
from .selection import where, zeros_of
from .trigonometric import tanh

_AROUND_ZERO = (-2.0, -0.3, 0.3, 2.0)


def _mish_slope(ct: Any, _y: Any, x: Any) -> Any:
    gate = tanh(softplus(x))
    return ct * (gate + x * (1.0 - gate * gate) * sigmoid(x))


@elementwise(_mish_slope, accepts="real")
def mish(x: Any) -> Any:
    """x tanh(softplus(x)), a smooth gate.

    d/dx: t + x * (1 - t**2) * sigmoid(x) with t = tanh(softplus(x))
    >>> mish(0.0)
    0.0
    """
    return x * xp.tanh(softplus(x))


@elementwise(
    lambda ct, _y, x: where(logical_and(x > -3.0, x < 3.0), ct / 6.0, zeros_of(ct)),
    accepts="real",
    domain=(-5.0, -3.3, -2.7, 2.7, 3.3, 5.0),
    kink=Kink("kink", lambda y, x: np.equal(np.abs(x), 3), "0", "0 and 1/6"),
)
def hard_sigmoid(x: Any) -> Any:
    """The sigmoid of straight lines: x/6 + 1/2, but not below 0 nor above 1.

    d/dx: 1/6 where -3 < x < 3, else 0
    >>> hard_sigmoid([-4.0, 0.0, 4.0])
    [0.0, 0.5, 1.0]
    """
    return xp.clip(x / 6 + 0.5, 0, 1).astype(x.dtype)[()]


def _celu_slope(ct: Any, _y: Any, x: Any, alpha: Any) -> Any:
    return where(x > 0, ct, ct * exp(where(x > 0, zeros_of(x), x) / float(alpha)))


@elementwise(_celu_slope, accepts="real", cases=(Case((3,)), Case((2, 3), alpha=0.5), Case(())), domain=_AROUND_ZERO)
def celu(x: Any, alpha: Any = 1.0) -> Any:
    """x where x > 0, else alpha (exp(x / alpha) - 1); smooth for every alpha.

    d/dx: 1 where x > 0, else exp(x / alpha)
    >>> celu([0.0, 2.0])
    [0.0, 2.0]
    """
    width = number(alpha, "celu", "alpha")
    if not width > 0:
        raise EngineError("bad-value", "positive", op="celu", argument="alpha", given=width)
    return xp.where(xp.greater(x, 0), x, width * xp.expm1(xp.minimum(x, 0) / width)).astype(x.dtype)[()]


@elementwise(
    lambda ct, _y, x, alpha: where(x > 0, ct, ct * alpha),
    lambda ct, _y, x, _alpha: where(x > 0, zeros_of(ct), ct * x),
    accepts="real",
    domain=(_AROUND_ZERO, (0.1, 0.5)),
    cases=(Case((3,), ()), Case([[1.0, -2.0], [-0.5, 3.0]], (2,)), Case([-1.0, 2.0], (3, 1))),
    kink=Kink("kink", lambda y, x, alpha: np.equal(x, 0) & np.not_equal(alpha, 1), "alpha", "alpha and 1"),
)
def prelu(x: Any, alpha: Any) -> Any:
    """x where x > 0, else alpha x, where alpha is learned; it broadcasts against x.

    d/dx: 1 where x > 0, else alpha
    d/dalpha: 0 where x > 0, else x
    >>> prelu([-2.0, 2.0], 0.25)
    [-0.5, 2.0]
    """
    return xp.where(xp.greater(x, 0), x, alpha * x)[()]


@composite(arity=1, accepts="real", cases=(Case((4,)), Case((4, 3), axis=0)))
def glu(x: Any, axis: Any = -1) -> Any:
    """The first half of the entries along an axis, gated by the sigmoid of the second half.

    d/dx: sigmoid(b) in the first half a, a sigmoid(b) (1 - sigmoid(b)) in the second half b
    >>> glu([3.0, 0.0])
    [1.5]
    """
    i = negative_axis(axis, len(x.shape), "glu")
    n = x.shape[i]
    if n % 2:
        raise EngineError("shape-mismatch", "split", op="glu", shapes=(tuple(x.shape),), length=n, given=2)
    behind = (slice(None),) * (-i - 1)
    return x[(Ellipsis, slice(0, n // 2), *behind)] * sigmoid(x[(Ellipsis, slice(n // 2, n), *behind)])
