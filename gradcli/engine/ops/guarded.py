"""A quotient and a length with care at their hard points: divide_no_nan, hypot."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Kink
from ..registrars import elementwise

_AWAY = (-2.5, -0.3, 0.3, 2.5)


def _silent(function: Any, *args: Any) -> Any:
    with np.errstate(divide="ignore", invalid="ignore"):
        return function(*args)


@elementwise(
    lambda ct, _y, _a, b: divide_no_nan(ct, b),
    lambda ct, y, _a, b: ct * divide_no_nan(-y, b),
    tf="math.divide_no_nan",
    accepts="float",
    domain=(_AWAY, _AWAY),
)
def divide_no_nan(a: Any, b: Any) -> Any:
    """The quotient, and 0 wherever the divisor is 0; the gradient is 0 there too.

    d/da: 1 / b, and 0 where b = 0
    d/db: -a / b**2, and 0 where b = 0
    >>> divide_no_nan(1.0, 0.0)
    0.0
    """
    quotient = _silent(xp.divide, a, b)
    return xp.where(xp.equal(b, 0), xp.zeros_like(quotient), quotient)[()]


@elementwise(
    lambda ct, y, a, _b: ct * (a / y),
    lambda ct, y, _a, b: ct * (b / y),
    numpy="hypot",
    accepts="real",
    domain=(_AWAY, _AWAY),
    kink=Kink("kink", lambda y, a, b: np.equal(y, 0), "nan; the subgradient of least norm is 0", "-1 and 1"),
)
def hypot(a: Any, b: Any) -> Any:
    """The hypotenuse: the square root of a**2 + b**2, without overflow.

    d/da: a / hypot(a, b)
    d/db: b / hypot(a, b)
    >>> hypot(3.0, 4.0)
    5.0
    """
    return xp.hypot(a, b)
