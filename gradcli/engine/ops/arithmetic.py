"""Arithmetic on entries: the four operations, powers, remainders, sign and absolute value."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..calling import onto
from ..errors import EngineError
from ..finite import all_finite
from ..namespace import xp
from ..primitive import Differs, Kink
from ..registrars import blocked, elementwise, zero_derivative

_SCALARS = (np.float64, np.float32, float)
_AWAY = (-2.5, -0.3, 0.3, 2.5)


@elementwise(lambda ct, _y, _a, _b: ct, lambda ct, _y, _a, _b: ct, tf="math.add", numpy="add", accepts="numeric")
def add(a: Any, b: Any) -> Any:
    """Sum of entries: `a + b`.

    d/da: 1
    d/db: 1
    >>> add(1.0, 2.0)
    3.0
    """
    return a + b


@elementwise(
    lambda ct, _y, _a, _b: ct, lambda ct, _y, _a, _b: -ct, tf="math.subtract", numpy="subtract", accepts="number"
)
def subtract(a: Any, b: Any) -> Any:
    """Difference of entries: `a - b`.

    d/da: 1
    d/db: -1
    >>> subtract(5.0, 2.0)
    3.0
    """
    return a - b


#: of a first operand that nobody else holds
add_onto, subtract_onto = onto(add, np.add), onto(subtract, np.subtract)


@elementwise(
    lambda ct, _y, _a, b: ct * b, lambda ct, _y, a, _b: ct * a, tf="math.multiply", numpy="multiply", accepts="numeric"
)
def multiply(a: Any, b: Any) -> Any:
    """Product of entries: `a * b`.

    d/da: b
    d/db: a
    >>> multiply(2.0, 3.0)
    6.0
    """
    return a * b


@elementwise(
    lambda ct, _y, _a, b: ct / b,
    lambda ct, y, _a, b: ct * (-y / b),
    tf="math.divide truediv realdiv",
    numpy="divide",
    accepts="number",
    domain=((-2.0, 2.0), _AWAY),
)
def divide(a: Any, b: Any) -> Any:
    """Quotient of entries: `a / b`. Two integers give a float64, as in Python.

    d/da: 1 / b
    d/db: -a / b**2
    >>> divide(1.0, 4.0)
    0.25
    """
    return np.divide(a, b)


@blocked("cut-no-derivative", arity=2, elementwise=True, tf="math.floordiv", numpy="floor_divide", accepts="ordered")
def floordiv(a: Any, b: Any) -> Any:
    """Quotient rounded down: `a // b`. It is constant between its jumps: no gradient.

    >>> floordiv(7.0, 2.0)
    3.0
    """
    _no_integer_zero(a, b, "floordiv")
    return a // b


@elementwise(
    lambda ct, _y, _a, _b: ct,
    lambda ct, _y, a, b: ct * -floor_of(a, b),
    tf="math.mod math.floormod floormod",
    numpy="mod",
    accepts="ordered",
    domain=((-0.9, -0.1, 2.7, 3.2), (-1.3, -1.1, 1.1, 1.3)),
)
def mod(a: Any, b: Any) -> Any:
    """Remainder of the division rounded down, with the sign of `b`: `a % b`.

    d/da: 1
    d/db: -floor(a / b)
    >>> mod(-7.0, 3.0)
    2.0
    """
    _no_integer_zero(a, b, "mod")
    return a % b


def floor_of(a: Any, b: Any) -> Any:
    """floor(a / b), the derivative of `mod` by its divisor up to the sign."""
    return floordiv(a, b)


def _no_integer_zero(a: Any, b: Any, op: str) -> None:
    if getattr(b, "dtype", None) is not None and b.dtype.kind in "iu" and not np.all(b):
        raise EngineError("bad-value", "integer-division-by-zero", op=op)


def _power_slope(ct: Any, a: Any, b: Any) -> Any:
    if type(b) is float and b == 2.0:
        return ct * (b * a**1.0) if type(a) not in _SCALARS and type(a) is not np.ndarray else ct * (2.0 * a)
    return ct * (b * a ** (b - 1))


def _exponent_slope(ct: Any, y: Any, a: Any) -> Any:
    # log(a) only where a > 0: elsewhere there is no real logarithm, and TensorFlow gives 0; a complex one is but at 0
    from .exponential import log
    from .selection import where

    positive = a != 0 if getattr(a, "dtype", np.dtype(float)).kind == "c" else a > 0
    safe = where(positive, a, a * 0.0 + 1.0)
    return ct * (y * where(positive, log(safe), 0.0 * safe))


@elementwise(
    lambda ct, _y, a, b: _power_slope(ct, a, b),
    lambda ct, y, a, _b: _exponent_slope(ct, y, a),
    plain=(False, True),  # the base goes into a logarithm
    tf="math.pow",
    numpy="power",
    accepts="number",
    domain=((0.3, 2.0), (-2.0, 2.0)),
)
def pow(a: Any, b: Any) -> Any:
    """Power of entries: `a ** b` or `a ^ b`. A negative base has real powers only for whole exponents.

    d/da: b * a**(b - 1)
    d/db: a**b * log(a), and 0 where a <= 0 (where a = 0 if complex)
    >>> pow(2.0, 3.0)
    8.0
    """
    t = type(a)
    if t is np.ndarray:
        if a.dtype.kind in "iu" and np.any(np.less(b, 0)):
            raise EngineError("bad-value", "negative-integer-power", op="pow")
        if type(b) is float or (isinstance(b, np.generic) and b.dtype.kind in "iuf"):
            n = float(b)
            if n.is_integer() and 2 <= n <= 8:
                return _whole_power(a, int(n))
        return a**b
    if t is np.float64 and type(b) is float:
        return a * a if b == 2.0 else a**b
    if getattr(a, "dtype", None) is not None and a.dtype.kind in "iu" and np.any(np.less(b, 0)):
        raise EngineError("bad-value", "negative-integer-power", op="pow")
    return np.power(a, b)


def _whole_power(a: Any, n: int) -> Any:
    """By multiplication: up to 60 times as fast as the general power, and exact in sign."""
    square = a * a
    result = square if n % 2 == 0 else a * square
    for _ in range((n - 2) // 2):
        result = result * square
    return result


@elementwise(lambda ct, _y, _x: -ct, tf="math.negative", numpy="negative", accepts="number")
def negative(x: Any) -> Any:
    """The opposite: `-x`.

    d/dx: -1
    >>> negative(2.0)
    -2.0
    """
    return -x


@elementwise(lambda ct, _y, x: ct * (2.0 * x), tf="math.square", numpy="square", accepts="number")
def square(x: Any) -> Any:
    """The square: `x * x`.

    d/dx: 2 * x
    >>> square(3.0)
    9.0
    """
    return x * x


@elementwise(lambda ct, y, _x: multiply_no_nan(-(y * y), ct), tf="math.reciprocal", numpy="reciprocal", domain=_AWAY)
def reciprocal(x: Any) -> Any:
    """`1 / x`. As in TensorFlow, a zero upstream gives a zero gradient even where the slope is infinite.

    d/dx: -1 / x**2
    >>> reciprocal(4.0)
    0.25
    """
    return xp.reciprocal(x)


def unconjugated(rule: Any) -> Any:
    """The rule of a holomorphic operation as TensorFlow has it where it forgets to conjugate the slope."""

    def theirs(ct: Any, y: Any, *xs: Any) -> Any:
        from .complexes import conj

        return conj(rule(conj(ct), y, *xs))

    return theirs


@elementwise(
    lambda ct, _y, _a, b: multiply_no_nan(ct, b),
    lambda ct, _y, a, _b: multiply_no_nan(a, ct),
    tf="math.multiply_no_nan",
    tensorflow=Differs(
        lambda _y, a, b: np.iscomplexobj(a),
        unconjugated(lambda ct, _y, _a, b: multiply_no_nan(ct, b)),
        unconjugated(lambda ct, _y, a, _b: multiply_no_nan(a, ct)),
    ),
)
def multiply_no_nan(a: Any, b: Any) -> Any:
    """Product that is 0 wherever `b` is 0, even if `a` is infinite or not a number.

    d/da: b
    d/db: a, and 0 where the upstream is 0
    >>> multiply_no_nan(inf, 0.0)
    0.0
    """
    if type(b) in _SCALARS and type(a) in _SCALARS:
        return a * b if b != 0 else type(b if type(a) is float else a)(0)
    product = xp.multiply(a, b)
    if all_finite(product):
        return product[()]
    return xp.where(xp.equal(b, 0), xp.zeros_like(product), product)[()]


def _squares_vanish(x: Any) -> Any:
    """Complex numbers so small that the squares of their parts are 0: TensorFlow's modulus of them is 0."""
    if x.dtype.kind != "c":
        return False
    return (x != 0) & (x.real * x.real + x.imag * x.imag == 0)


@elementwise(
    lambda ct, _y, x: _along(ct, x),
    tf="math.abs",
    numpy="abs",
    accepts="number",
    domain=_AWAY,
    kink=Kink("kink", lambda y, x: x == 0, "0", "-1 and 1"),
    tensorflow=Differs(lambda _y, x: _squares_vanish(x), lambda ct, _y, x: xp.zeros_like(x)),
)
def abs(x: Any) -> Any:
    """The absolute value; of a complex number its modulus.

    d/dx: sign(x), and 0 at the kink x = 0
    >>> abs(-3.0)
    3.0
    """
    return xp.abs(x)


def _along(ct: Any, x: Any) -> Any:
    if x.dtype.kind != "c":
        return ct * sign(x)
    from .complexes import conj
    from .selection import cast

    return cast(ct, x.dtype) * conj(sign(x))


def _turn(ct: Any, y: Any, x: Any) -> Any:
    """The direction of a complex number turns with the part of dx across it: dy = i * y * Im(dx / y) / |x|."""
    from .complexes import conj, imag
    from .selection import cast, maximum

    across = imag(ct * y) / maximum(abs(x), np.finfo(x.dtype).tiny)
    return cast(across, x.dtype) * (1j * conj(y))


@zero_derivative(
    of_complex=_turn,
    tf="math.sign",
    numpy="sign",
    accepts="number",
    domain=_AWAY,
    kink=Kink("kink", lambda y, x: x == 0, "0", "infinite, as the value jumps"),
)
def sign(x: Any) -> Any:
    """-1, 0 or 1; of a complex number x / |x|.

    d/dx: 0; of a complex number i * conj(y) * Im(upstream * y) / |x|
    >>> sign(-3.0)
    -1.0
    """
    if x.dtype.kind == "c":
        size = xp.abs(x)
        return xp.where(size == 0, 0, x / xp.where(size == 0, 1, size)).astype(x.dtype)[()]
    return xp.sign(x)


def _twice_apart(ct: Any, a: Any, b: Any) -> Any:
    if ct.dtype.kind != "c":
        return ct * (2.0 * (a - b))
    from .complexes import conj, real
    from .selection import cast

    return cast(real(ct), ct.dtype) * (2.0 * conj(a - b))


@elementwise(
    lambda ct, _y, a, b: _twice_apart(ct, a, b),
    lambda ct, _y, a, b: _twice_apart(ct, b, a),
    tf="math.squared_difference",
    accepts="number",
)
def squared_difference(a: Any, b: Any) -> Any:
    """(a - b)**2; of complex numbers |a - b|**2.

    d/da: 2 * (a - b)
    d/db: -2 * (a - b)
    >>> squared_difference(3.0, 1.0)
    4.0
    """
    difference = xp.subtract(a, b)
    return difference * (xp.conjugate(difference) if difference.dtype.kind == "c" else difference)
