"""Activation functions of neural networks, in forms that neither overflow nor lose digits."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..finite import all_finite
from ..namespace import xp
from ..primitive import Case, Differs, Kink
from ..registrars import elementwise, primitive
from .axes import one_axis
from .selection import zeros_of


@elementwise(
    lambda ct, _s, y, _x: ct * (1.0 - 2.0 * y),
    None,
    accepts="real",
    domain=((0.1, 0.9), (-1.0, 1.0)),
)
def sigmoid_slope(y: Any, x: Any) -> Any:
    """y * (1 - y) for y = sigmoid(x), to full precision also where y is so near 1 that only x tells how near.

    d/dy: 1 - 2 * y
    >>> sigmoid_slope(0.5, 0.0)
    0.25
    """
    if y.shape != x.shape:
        y, x = xp.broadcast_arrays(y, x)
    rest = 1 - y
    if not rest.size or rest.min() > 0.01:
        return y * rest
    e = xp.exp(-xp.abs(x))
    return xp.where(rest > 0.01, y * rest, e / (1 + e) ** 2).astype(y.dtype)[()]


@elementwise(
    lambda ct, y, x: ct * (sigmoid_slope(y, x) if x.dtype.kind != "c" else y * (1.0 - y)),
    tf="math.sigmoid nn.sigmoid",
    tensorflow=Differs(lambda y, _x: np.equal(y, 1), lambda ct, y, _x: ct * (y * (1.0 - y))),
)
def sigmoid(x: Any) -> Any:
    """The logistic function 1 / (1 + exp(-x)), without overflow.

    d/dx: sigmoid(x) * (1 - sigmoid(x))
    >>> sigmoid(0.0)
    0.5
    """
    if x.dtype.kind == "c":
        left = x.real < 0
        e = xp.exp(xp.where(left, x, -x))
        return (xp.where(left, e, 1) / (1 + e)).astype(x.dtype)[()]
    e = xp.exp(-xp.abs(x))
    return xp.where(x >= 0, 1 / (1 + e), e / (1 + e)).astype(x.dtype)[()]


@elementwise(lambda ct, _y, x: ct * sigmoid(x), tf="math.softplus nn.softplus", accepts="real")
def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow.

    d/dx: sigmoid(x)
    >>> softplus(-1000.0)
    0.0
    """
    return xp.logaddexp(x, x.dtype.type(0))


@elementwise(
    lambda ct, _y, _g, x: relu_gradient(ct, x),
    lambda ct, _y, _g, _x: zeros_of(ct),
    accepts="real",
    domain=((-2.0, 2.0), (-2.0, -0.3, 0.3, 2.0)),
    kink=Kink("kink", lambda y, g, x: x == 0, "0", "infinite, as the slope jumps"),
)
def relu_gradient(g: Any, x: Any) -> Any:
    """The pullback of `relu`: g where x > 0, else 0.

    d/dg: 1 where x > 0, else 0
    d/dx: 0
    >>> relu_gradient(5.0, -1.0)
    0.0
    """
    kept = g * (x > 0)
    if all_finite(kept):
        return kept
    return xp.where(xp.greater(x, 0), g, xp.zeros_like(g))[()]  # 0 times infinity


@elementwise(
    lambda ct, _y, x: relu_gradient(ct, x),
    tf="nn.relu",
    accepts="real",
    domain=(-2.0, -0.3, 0.3, 2.0),
    kink=Kink("kink", lambda y, x: x == 0, "0", "0 and 1"),
)
def relu(x: Any) -> Any:
    """The larger of x and 0.

    d/dx: 1 where x > 0, else 0; 0 at the kink x = 0
    >>> relu(-2.0)
    0.0
    """
    return xp.maximum(x, x.dtype.type(0))


def _softmax_rule(ct: Any, y: Any, _x: Any, axis: int) -> Any:
    from .reduction import reduce_sum

    return (ct - reduce_sum(ct * y, axis=axis, keepdims=True)) * y


@primitive(
    _softmax_rule,
    tf="nn.softmax",
    accepts="real",
    prepare=one_axis,
    cases=(Case((5,)), Case((2, 3), axis=0), Case((2, 3, 4), axis=-2)),
)
def softmax(x: Any, axis: int = -1) -> Any:
    """exp(x) scaled to sum 1 along `axis`, without overflow.

    d/dx: (upstream - sum(upstream * y)) * y
    >>> softmax([0.0, 0.0])
    [0.5, 0.5]
    """
    e = x - xp.max(x, axis=axis, keepdims=True, initial=-np.inf)  # there may be no entries
    e = xp.exp(e, out=e) if type(e) is np.ndarray else xp.exp(e)
    return e / xp.sum(e, axis=axis, keepdims=True)
