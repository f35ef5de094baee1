"""Rounding: step functions, through which no gradient flows."""

from __future__ import annotations

from typing import Any

from ..namespace import xp
from ..registrars import blocked


@blocked("cut-no-derivative", elementwise=True, tf="math.floor", numpy="floor", accepts="real")
def floor(x: Any) -> Any:
    """The largest whole number not above x. A step function: no gradient.

    >>> floor(-1.5)
    -2.0
    """
    return xp.floor(x)


@blocked("cut-no-derivative", elementwise=True, tf="math.ceil", numpy="ceil", accepts="real")
def ceil(x: Any) -> Any:
    """The smallest whole number not below x. A step function: no gradient.

    >>> ceil(1.5)
    2.0
    """
    return xp.ceil(x)


@blocked("cut-no-derivative", elementwise=True, tf="math.round math.rint", numpy="round", accepts="real")
def round(x: Any) -> Any:
    """The nearest whole number, halves to the even one. A step function: no gradient.

    >>> round(2.5)
    2.0
    """
    return xp.round(x)
