"""The yardstick: the smallest tape that a person would write by hand for scalars, with no check of anything."""

from __future__ import annotations

from typing import Any

import numpy as np


class Value:
    """A value, the two operands, the function that passes the gradient on, and the gradient."""

    __slots__ = ("a", "b", "f", "g", "v")

    def __init__(self, v: Any, f: Any = None, a: Any = None, b: Any = None) -> None:
        self.v = v
        self.f = f
        self.a = a
        self.b = b
        self.g = None


tape: list[Value] = []


def _acc(x: Value, g: Any) -> None:
    x.g = g if x.g is None else x.g + g


def _mul_back(n: Value) -> None:
    _acc(n.a, n.g * n.b.v)
    _acc(n.b, n.g * n.a.v)


def _add_back(n: Value) -> None:
    _acc(n.a, n.g)
    _acc(n.b, n.g)


def _sin_back(n: Value) -> None:
    _acc(n.a, n.g * np.cos(n.a.v))


def mul(a: Value, b: Value) -> Value:
    n = Value(a.v * b.v, _mul_back, a, b)
    tape.append(n)
    return n


def add(a: Value, b: Value) -> Value:
    n = Value(a.v + b.v, _add_back, a, b)
    tape.append(n)
    return n


def sin(a: Value) -> Value:
    n = Value(np.sin(a.v), _sin_back, a)
    tape.append(n)
    return n


def backward(n: Value) -> None:
    n.g = np.float64(1.0)
    while tape:
        m = tape.pop()
        if m.g is not None:
            m.f(m)
