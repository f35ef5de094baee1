"""More activation functions: elu, selu, relu6, leaky_relu, gelu, silu, softsign, log_softmax."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Case, Differs, Kink
from ..registrars import composite, elementwise, primitive
from ..tensor import Tensor
from .activation import sigmoid
from .arithmetic import unconjugated
from .axes import number, one_axis
from .comparison import logical_and
from .exponential import exp
from .logarithms import over_largest
from .selection import where, zeros_of
from .special import entrywise

_SELU_ALPHA, _SELU_SCALE = 1.6732632423543772, 1.0507009873554805
_AROUND_ZERO = (-2.0, -0.2, 0.2, 2.0)


def _falling(x: Any) -> Any:
    """exp(x) where x < 0, else 1; from x and not from the result, of which 1 + y has lost the digits far below 0."""
    return exp(where(x < 0, x, zeros_of(x)))


def _elu_slope(ct: Any, _y: Any, x: Any) -> Any:
    return ct * _falling(x)


@elementwise(_elu_slope, tf="nn.elu", accepts="real", domain=_AROUND_ZERO)
def elu(x: Any) -> Any:
    """x where x > 0, else exp(x) - 1.

    d/dx: 1 where x >= 0, else exp(x)
    >>> elu(2.0)
    2.0
    """
    return xp.where(xp.greater(x, 0), x, xp.expm1(xp.minimum(x, 0))).astype(x.dtype)[()]


def _selu_slope(ct: Any, _y: Any, x: Any) -> Any:
    return where(x < 0, ct * (_SELU_SCALE * _SELU_ALPHA * _falling(x)), ct * _SELU_SCALE)


@elementwise(
    _selu_slope,
    tf="nn.selu",
    accepts="real",
    domain=_AROUND_ZERO,
    kink=Kink("kink", lambda y, x: x == 0, "1.0507", "1.7581 and 1.0507"),
)
def selu(x: Any) -> Any:
    """The elu scaled so that mean 0 and variance 1 pass through: 1.0507 x, or 1.7581 (exp(x) - 1) where x < 0.

    d/dx: 1.0507009873554805 where x >= 0, else 1.7580993408473766 * exp(x)
    >>> selu(0.0)
    0.0
    """
    negative = _SELU_ALPHA * xp.expm1(xp.minimum(x, 0))
    return (_SELU_SCALE * xp.where(xp.greater(x, 0), x, negative)).astype(x.dtype)[()]


@elementwise(
    lambda ct, _y, x, alpha: where(x > 0, ct, ct * float(alpha)),
    tf="nn.leaky_relu",
    accepts="real",
    cases=(Case([1.0, -2.0, 0.5]), Case([[-1.0, 2.0]], alpha=0.5), Case(())),
    domain=_AROUND_ZERO,
    kink=Kink("kink", lambda y, x, alpha: (x == 0) & (float(alpha) != 1), "alpha", "alpha and 1"),
)
def leaky_relu(features: Any, alpha: Any = 0.2) -> Any:
    """x where x > 0, else alpha x.

    d/dfeatures: 1 where features > 0, else alpha
    >>> leaky_relu(-1.0, alpha=0.5)
    -0.5
    """
    return xp.where(xp.greater(features, 0), features, features * number(alpha, "leaky_relu", "alpha")).astype(
        features.dtype
    )[()]


@elementwise(
    lambda ct, _y, x: where(logical_and(x > 0, x < 6), ct, zeros_of(ct)),
    tf="nn.relu6",
    accepts="real",
    domain=(-2.0, -0.3, 0.3, 5.7, 6.3, 8.0),
    kink=Kink("kink", lambda y, x: (x == 0) | (x == 6), "0", "0 and 1"),
)
def relu6(x: Any) -> Any:
    """x between 0 and 6, 0 below and 6 above.

    d/dx: 1 where 0 < x < 6, else 0
    >>> relu6([-1.0, 3.0, 7.0])
    [0.0, 3.0, 6.0]
    """
    return xp.minimum(xp.maximum(x, 0), 6).astype(x.dtype)[()]


def _silu_rule(ct: Any, _y: Any, x: Any) -> Any:
    return ct * (sigmoid(x) * (1.0 + x * (1.0 - sigmoid(x))))


@elementwise(
    _silu_rule,
    tf="nn.silu swish nn.swish",
    tensorflow=Differs(lambda _y, x: np.iscomplexobj(x), unconjugated(_silu_rule)),
)
def silu(x: Any) -> Any:
    """x sigmoid(x), also called swish.

    d/dx: sigmoid(x) * (1 + x * (1 - sigmoid(x)))
    >>> silu(0.0)
    0.0
    """
    return x * sigmoid(x)


@elementwise(lambda ct, _y, x: ct / _square(1.0 + _size(x)), tf="nn.softsign", accepts="real", domain=_AROUND_ZERO)
def softsign(x: Any) -> Any:
    """x / (1 + |x|).

    d/dx: 1 / (1 + abs(x))**2
    >>> softsign(1.0)
    0.5
    """
    return x / (1 + xp.abs(x))


def _square(x: Any) -> Any:
    return x * x


def _size(x: Any) -> Any:
    from .arithmetic import abs as size

    return size(x)


@composite(arity=1, tf="nn.gelu", accepts="real", cases=(Case((3,)), Case((2, 3), approximate=True)))
def gelu(features: Any, approximate: Any = False) -> Any:
    """x times the normal distribution function of x; by tanh if `approximate`.

    d/dfeatures: Phi(features) + features * phi(features)
    >>> gelu(0.0)
    0.0
    """
    from .trigonometric import tanh

    x: Any = features if isinstance(features, Tensor) else Tensor(features)
    if approximate:
        return 0.5 * x * (1.0 + tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * (x * x * x))))
    return x * normal_distribution(x)


@elementwise(lambda ct, _y, x: ct * (exp(-0.5 * (x * x)) * (1.0 / math.sqrt(2.0 * math.pi))), accepts="real")
def normal_distribution(x: Any) -> Any:
    """The distribution function of the standard normal, without the loss of digits in the tails.

    d/dx: exp(-x**2 / 2) / sqrt(2 * pi)
    >>> normal_distribution(0.0)
    0.5
    """
    return (0.5 * entrywise(math.erfc, np.asarray(x, np.float64) / -math.sqrt(2.0))).astype(x.dtype)[()]


def _log_softmax_rule(ct: Any, y: Any, _x: Any, axis: int) -> Any:
    from .reduction import reduce_sum

    return ct - exp(y) * reduce_sum(ct, axis=axis, keepdims=True)


@primitive(
    _log_softmax_rule,
    tf="nn.log_softmax math.log_softmax",
    accepts="real",
    prepare=one_axis,
    cases=(Case((5,)), Case((2, 3), axis=0)),
)
def log_softmax(x: Any, axis: int = -1) -> Any:
    """The logarithm of softmax, without overflow.

    d/dx: upstream - softmax(x) * sum(upstream)
    >>> log_softmax([0.0])
    [0.0]
    """
    top, rest = over_largest(x, axis)
    return (x - top) - rest
