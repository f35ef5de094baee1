"""Rivals of operations of single entries: a value, and the upstream times a derivative."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rival import Rival, uniform

RIVALS: dict[str, Rival] = {}


def one(name: str, f: Any, d: Any, low: float = 0.2, high: float = 0.8, **params: Any) -> None:
    """`d(x, y)` is the derivative of y = f(x)."""

    def by_hand(x: Any) -> Any:
        y = f(x)
        return y, [np.ones_like(y) * d(x, y)]

    RIVALS[name] = Rival(uniform(low, high), by_hand, params)


def two(name: str, f: Any, da: Any, db: Any, low: float = 0.2, high: float = 0.8) -> None:
    """`da(a, b, y)` and `db(a, b, y)` are the derivatives of y = f(a, b)."""

    def by_hand(a: Any, b: Any) -> Any:
        y = f(a, b)
        ct = np.ones_like(y)
        return y, [ct * da(a, b, y), ct * db(a, b, y)]

    RIVALS[name] = Rival(uniform(low, high, 2), by_hand)


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def _softplus(x: Any) -> Any:
    return np.logaddexp(x, 0)


one("sigmoid", _sigmoid, lambda x, y: y * (1 - y))
one("softplus", _softplus, lambda x, y: _sigmoid(x))
one("relu", lambda x: np.maximum(x, 0), lambda x, y: x > 0, -1, 1)
one("elu", lambda x: np.where(x > 0, x, np.expm1(x)), lambda x, y: np.where(x > 0, 1, np.exp(x)), -1, 1)
one("selu", lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)),
    lambda x, y: 1.0507009873554805 * np.where(x > 0, 1, 1.6732632423543772 * np.exp(x)), -1, 1)  # fmt: skip
one("leaky_relu", lambda x: np.where(x > 0, x, 0.2 * x), lambda x, y: np.where(x > 0, 1.0, 0.2), -1, 1)
one("relu6", lambda x: np.minimum(np.maximum(x, 0), 6), lambda x, y: (x > 0) & (x < 6), -1, 8)
one("silu", lambda x: x * _sigmoid(x), lambda x, y: _sigmoid(x) * (1 + x * (1 - _sigmoid(x))), -1, 1)
one("softsign", lambda x: x / (1 + np.abs(x)), lambda x, y: 1 / (1 + np.abs(x)) ** 2, -1, 1)
one("mish", lambda x: x * np.tanh(_softplus(x)),
    lambda x, y: np.tanh(_softplus(x)) + x * (1 - np.tanh(_softplus(x)) ** 2) * _sigmoid(x), -1, 1)  # fmt: skip
one("hard_sigmoid", lambda x: np.clip(x / 6 + 0.5, 0, 1), lambda x, y: np.where(np.abs(x) < 3, 1 / 6, 0), -4, 4)
one("celu", lambda x: np.where(x > 0, x, np.expm1(x)), lambda x, y: np.where(x > 0, 1, np.exp(x)), -1, 1)
one("log_sigmoid", lambda x: -_softplus(-x), lambda x, y: _sigmoid(-x), -1, 1)
one("sinc", np.sinc, lambda x, y: (np.cos(np.pi * x) - y) / x)
one("deg2rad", np.deg2rad, lambda x, y: np.pi / 180)
one("rad2deg", np.rad2deg, lambda x, y: 180 / np.pi)
one("negative", np.negative, lambda x, y: -1.0)
one("square", np.square, lambda x, y: 2 * x)
one("reciprocal", np.reciprocal, lambda x, y: -y * y)
one("abs", np.abs, lambda x, y: np.sign(x), -1, 1)
one("sign", np.sign, lambda x, y: 0.0, -1, 1)
one("nan_to_num", np.nan_to_num, lambda x, y: np.isfinite(x))
one("exp", np.exp, lambda x, y: y)
one("expm1", np.expm1, lambda x, y: y + 1)
one("log", np.log, lambda x, y: 1 / x)
one("log1p", np.log1p, lambda x, y: 1 / (1 + x))
one("sqrt", np.sqrt, lambda x, y: 0.5 / y)
one("rsqrt", lambda x: 1 / np.sqrt(x), lambda x, y: -0.5 * y / x)
one("exp2", np.exp2, lambda x, y: y * np.log(2))
one("log2", np.log2, lambda x, y: 1 / (x * np.log(2)))
one("log10", np.log10, lambda x, y: 1 / (x * np.log(10)))
one("cbrt", np.cbrt, lambda x, y: 1 / (3 * y * y))
one("asin", np.arcsin, lambda x, y: 1 / np.sqrt(1 - x * x))
one("acos", np.arccos, lambda x, y: -1 / np.sqrt(1 - x * x))
one("atan", np.arctan, lambda x, y: 1 / (1 + x * x))
one("sinh", np.sinh, lambda x, y: np.cosh(x))
one("cosh", np.cosh, lambda x, y: np.sinh(x))
one("asinh", np.arcsinh, lambda x, y: 1 / np.sqrt(1 + x * x))
one("acosh", np.arccosh, lambda x, y: 1 / np.sqrt(x * x - 1), 1.2, 3)
one("atanh", np.arctanh, lambda x, y: 1 / (1 - x * x))
one("sin", np.sin, lambda x, y: np.cos(x))
one("cos", np.cos, lambda x, y: -np.sin(x))
one("tan", np.tan, lambda x, y: 1 + y * y)
one("tanh", np.tanh, lambda x, y: 1 - y * y)
one("clip_by_value", lambda x: np.clip(x, 0.3, 0.6), lambda x, y: (x >= 0.3) & (x <= 0.6),
    clip_value_min=0.3, clip_value_max=0.6)  # fmt: skip
one("cast", lambda x: x.astype(np.float32), lambda x, y: 1.0, dtype="float32")

two("add", np.add, lambda a, b, y: 1.0, lambda a, b, y: 1.0)
two("subtract", np.subtract, lambda a, b, y: 1.0, lambda a, b, y: -1.0)
two("multiply", np.multiply, lambda a, b, y: b, lambda a, b, y: a)
two("divide", np.divide, lambda a, b, y: 1 / b, lambda a, b, y: -y / b)
two("mod", np.mod, lambda a, b, y: 1.0, lambda a, b, y: -np.floor(a / b))
two("pow", np.power, lambda a, b, y: b * a ** (b - 1), lambda a, b, y: y * np.log(a))
two(
    "multiply_no_nan",
    lambda a, b: np.where(b == 0, 0, a * b),
    lambda a, b, y: b,
    lambda a, b, y: np.where(b == 0, 0, a),
)
two("squared_difference", lambda a, b: (a - b) ** 2, lambda a, b, y: 2 * (a - b), lambda a, b, y: -2 * (a - b))
two("xlogy", lambda a, b: a * np.log(b), lambda a, b, y: np.log(b), lambda a, b, y: a / b)
two("xlog1py", lambda a, b: a * np.log1p(b), lambda a, b, y: np.log1p(b), lambda a, b, y: a / (1 + b))
two("xdivy", lambda a, b: a / b, lambda a, b, y: 1 / b, lambda a, b, y: -a / (b * b))
two("divide_no_nan", lambda a, b: np.divide(a, b, out=np.zeros_like(a), where=b != 0), lambda a, b, y: 1 / b,
    lambda a, b, y: -y / b)  # fmt: skip
two("hypot", np.hypot, lambda a, b, y: a / y, lambda a, b, y: b / y)
two("atan2", np.arctan2, lambda a, b, y: b / (a * a + b * b), lambda a, b, y: -a / (a * a + b * b))
two("logaddexp", np.logaddexp, lambda a, b, y: np.exp(a - y), lambda a, b, y: np.exp(b - y))
two("maximum", np.maximum, lambda a, b, y: a >= b, lambda a, b, y: a < b)
two("minimum", np.minimum, lambda a, b, y: a <= b, lambda a, b, y: a > b)
two("sigmoid_cross_entropy_with_logits", lambda z, x: np.maximum(x, 0) - x * z + np.log1p(np.exp(-np.abs(x))),
    lambda z, x, y: -x, lambda z, x, y: _sigmoid(x) - z)  # fmt: skip
two("prelu", lambda x, a: np.where(x > 0, x, a * x), lambda x, a, y: np.where(x > 0, 1, a),
    lambda x, a, y: np.where(x > 0, 0, x), -1, 1)  # fmt: skip


def _where(rng: np.random.Generator) -> list[Any]:
    a, b = uniform(0, 1, 2)(rng)
    return [a > b, a, b]


RIVALS["where"] = Rival(_where, lambda c, a, b: (np.where(c, a, b), [np.where(c, 1.0, 0.0), np.where(c, 0.0, 1.0)]))
