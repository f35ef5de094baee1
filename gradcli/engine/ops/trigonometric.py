"""Sine, cosine, tangent and the hyperbolic tangent."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Differs
from ..registrars import elementwise


@elementwise(lambda ct, _y, x: ct * cos(x), tf="math.sin", numpy="sin")
def sin(x: Any) -> Any:
    """Sine of an angle in radians.

    d/dx: cos(x)
    >>> sin(0.0)
    0.0
    """
    return xp.sin(x)


@elementwise(lambda ct, _y, x: ct * -sin(x), tf="math.cos", numpy="cos")
def cos(x: Any) -> Any:
    """Cosine of an angle in radians.

    d/dx: -sin(x)
    >>> cos(0.0)
    1.0
    """
    return xp.cos(x)


@elementwise(lambda ct, y, _x: ct * (1.0 + y * y), tf="math.tan", numpy="tan", domain=(-1.2, 1.2))
def tan(x: Any) -> Any:
    """Tangent of an angle in radians.

    d/dx: 1 + tan(x)**2
    >>> tan(0.0)
    0.0
    """
    return xp.tan(x)


@elementwise(
    lambda ct, _s, y, _x: ct * (-2.0 * y),
    None,
    domain=((-0.9, 0.9), (-1.0, 1.0)),
)
def tanh_slope(y: Any, x: Any) -> Any:
    """1 - y**2 for y = tanh(x), to full precision also where y is so near 1 that only x tells how near.

    d/dy: -2 * y
    >>> tanh_slope(0.0, 0.0)
    1.0
    """
    if y.shape != x.shape:
        y, x = xp.broadcast_arrays(y, x)
    slope = 1 - y * y
    if slope.dtype.kind == "c" or not slope.size or slope.min() > 0.02:
        return slope
    e = xp.exp(-2 * xp.abs(x))
    return xp.where(slope > 0.02, slope, 4 * e / (1 + e) ** 2).astype(y.dtype)[()]


@elementwise(
    lambda ct, y, x: ct * tanh_slope(y, x),
    tf="math.tanh nn.tanh",
    numpy="tanh",
    tensorflow=Differs(lambda y, _x: np.abs(y) == 1, lambda ct, y, _x: ct * (1.0 - y * y)),
)
def tanh(x: Any) -> Any:
    """Hyperbolic tangent.

    d/dx: 1 - tanh(x)**2, that is 1 / cosh(x)**2
    >>> tanh(0.0)
    0.0
    """
    return xp.tanh(x)
