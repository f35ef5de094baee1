"""Binary operators to closures. Tensors bring their own; numbers are Python's, with guards."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable
from gradcli.engine.ops.comparison import equal, not_equal
from gradcli.engine.ops.contraction import matmul

from .approx import approximately
from .outcomes import NoGradient, ProgramError
from .values import kind_of

if TYPE_CHECKING:
    from .compiler import Closure, Compiler, Frame

#: beyond this, an integer that no tensor is part of is an error, not minutes of computing
_BIG = 1 << 4096


def operate(compiler: Compiler, op: str, site: int, left: Closure, right: Closure) -> Closure:
    """The closure of one binary operator. Tensors bring their own operators; numbers are Python's, with guards."""
    state = compiler.session.state
    place = compiler.session.places[site]

    def fail(error: Exception, a: Any, b: Any) -> Exception:
        if isinstance(error, EngineError):
            return error
        if isinstance(error, ZeroDivisionError):
            return ProgramError(place, "bad-value", "division-by-zero", op=op)
        if isinstance(error, OverflowError):
            return ProgramError(place, "bad-value", "overflow", op=op)
        if isinstance(error, MemoryError):
            return ProgramError(place, "limit-reached", "memory", op=op)
        none = next((v for v in (a, b) if isinstance(v, NoGradient)), None)
        return ProgramError(
            place, "not-a-tensor", "operands", op=op, left=kind_of(a), right=kind_of(b),
            none=none.reason.code if none is not None else None,
        )  # fmt: skip

    caught = (TypeError, ZeroDivisionError, OverflowError, MemoryError)

    if op == "+":

        def add(frame: Frame) -> Any:
            a, b = left(frame), right(frame)
            state.site = site
            try:
                return a + b
            except caught as error:
                raise fail(error, a, b) from None

        return add
    if op == "-":

        def subtract(frame: Frame) -> Any:
            a, b = left(frame), right(frame)
            state.site = site
            try:
                return a - b
            except caught as error:
                raise fail(error, a, b) from None

        return subtract
    if op == "*":

        def multiply(frame: Frame) -> Any:
            a, b = left(frame), right(frame)
            state.site = site
            try:
                c = a * b
            except caught as error:
                raise fail(error, a, b) from None
            if type(c) is int and not -_BIG < c < _BIG:
                raise ProgramError(place, "bad-value", "overflow", op=op)
            return c

        return multiply
    if op == "/":

        def divide(frame: Frame) -> Any:
            a, b = left(frame), right(frame)
            state.site = site
            try:
                return a / b
            except caught as error:
                raise fail(error, a, b) from None

        return divide
    run = _OTHERS[op]

    def other(frame: Frame) -> Any:
        a, b = left(frame), right(frame)
        state.site = site
        try:
            return run(a, b)
        except caught as error:
            raise fail(error, a, b) from None

    return other


def _power(a: Any, b: Any) -> Any:
    if isinstance(a, (Tensor, Variable)) or isinstance(b, (Tensor, Variable)):
        return a**b
    if type(a) is int and type(b) is int and b > 0 and a.bit_length() * b > 4096:
        raise OverflowError
    c = a**b
    return math.nan if type(c) is complex and type(a) is not complex and type(b) is not complex else c


def _in(a: Any, b: Any) -> bool:
    if isinstance(b, (Tensor, Variable)):
        return bool(np.any(np.equal(b.numpy(), getattr(a, "value", a))))
    return a in b


_OTHERS: dict[str, Any] = {
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b if not isinstance(a, str) else _no_format(),
    "@": lambda a, b: a @ b if not isinstance(a, list) or not isinstance(b, list) else _matmul(a, b),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "**": _power,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: equal(a, b) if _either(a, b) else a == b,
    "!=": lambda a, b: not_equal(a, b) if _either(a, b) else a != b,
    "~=": lambda a, b: approximately(a, b).ok,
    "in": _in,
    "not in": lambda a, b: not _in(a, b),
}


def _either(a: Any, b: Any) -> bool:
    return isinstance(a, (Tensor, Variable)) or isinstance(b, (Tensor, Variable))


def _no_format() -> Any:
    raise TypeError


def _matmul(a: Any, b: Any) -> Any:
    return matmul(a, b)
