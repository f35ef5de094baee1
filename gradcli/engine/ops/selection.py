"""Choosing between values: where, maximum, minimum, clipping; and passing a value on: cast, stop_gradient, identity."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import find_dtype, is_differentiable
from ..errors import EngineError
from ..finite import all_finite
from ..namespace import xp
from ..operands import operand, read
from ..primitive import REGISTRY, Case, Kink, Primitive
from ..registrars import blocked, composite, elementwise, primitive
from ..tensor import Tensor

_APART = ((-2.0, -1.2, 0.5, 2.0), (-0.9, 0.2))


def zeros_of(ct: Any) -> Any:
    """Zeros like an array or tensor: what `ct * 0.0` is not, where an entry is infinite."""
    return Tensor(np.zeros_like(ct.value)) if type(ct) is Tensor else np.zeros_like(ct)


def _kept(ct: Any, mask: Any, holds: bool = True) -> Any:
    """The upstream where the mask holds (or does not), 0 elsewhere."""
    if type(ct) is Tensor or type(mask) is Tensor:
        return where(mask, ct, zeros_of(ct)) if holds else where(mask, zeros_of(ct), ct)
    product = ct * (mask if holds else np.logical_not(mask))
    if all_finite(product):
        return product
    return xp.where(mask, ct, 0) if holds else xp.where(mask, 0, ct)  # 0 times infinity


@primitive(
    None,
    lambda ct, _y, condition, _a, _b: _kept(ct, condition),
    lambda ct, _y, condition, _a, _b: _kept(ct, condition, False),
    elementwise=True,
    tf="where_v2",
    numpy="where",
    accepts=("bool", "any", "any"),
    cases=(
        Case([True, False, True], (3,), (3,)),
        Case([[True], [False]], (2, 3), (3,)),
        Case([[True], [False]], (), (1, 3)),
    ),
)
def where(condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition holds, else `b`.

    Both are computed; a slope that is infinite or not a number in the branch not taken still gives nan, because it
    is multiplied by zero: choose the argument, not the result.

    d/da: 1 where the condition holds, else 0
    d/db: 0 where the condition holds, else 1
    >>> where([true, false], [1.0, 2.0], 0.0)
    [1.0, 0.0]
    """
    return xp.where(condition, a, b)


@elementwise(
    lambda ct, _y, a, b: _kept(ct, a >= b),
    lambda ct, _y, a, b: _kept(ct, a >= b, False),
    tf="math.maximum",
    numpy="maximum",
    accepts="ordered",
    domain=_APART,
    kink=Kink("tie", lambda y, a, b: np.equal(a, b), "all to the first argument", "0 and 1"),
)
def maximum(a: Any, b: Any) -> Any:
    """The larger of two entries. A tie gives the whole gradient to the first argument.

    d/da: 1 where a >= b, else 0
    d/db: 1 where a < b, else 0
    >>> maximum(1.0, 2.0)
    2.0
    """
    return xp.maximum(a, b)


@elementwise(
    lambda ct, _y, a, b: _kept(ct, a <= b),
    lambda ct, _y, a, b: _kept(ct, a <= b, False),
    tf="math.minimum",
    numpy="minimum",
    accepts="ordered",
    domain=_APART,
    kink=Kink("tie", lambda y, a, b: np.equal(a, b), "all to the first argument", "0 and 1"),
)
def minimum(a: Any, b: Any) -> Any:
    """The smaller of two entries. A tie gives the whole gradient to the first argument.

    d/da: 1 where a <= b, else 0
    d/db: 1 where a > b, else 0
    >>> minimum(1.0, 2.0)
    1.0
    """
    return xp.minimum(a, b)


@primitive(
    lambda ct, _y, x, low, high: _kept(ct, (x < low) | (x > high), False),
    lambda ct, _y, x, low, _high: _kept(ct, x < low),
    lambda ct, _y, x, _low, high: _kept(ct, x > high),
    elementwise=True,
    numpy="clip",
    method="clip",
    accepts="ordered",
    cases=(
        Case([0.3, -2.0, 2.0, -0.4], -1.0, 1.0),
        Case([[0.3, -2.0, 0.7], [4.0, 0.1, -3.0]], [-1.0, -1.5, 0.2], 3.0),
        Case([0.3, -2.0], [[-1.0], [-0.5]], [[0.2], [3.0]]),
    ),
    kink=Kink("kink", lambda y, x, low, high: np.equal(x, low) | np.equal(x, high), "1", "0 and 1"),
)
def clip_by_value(x: Any, clip_value_min: Any, clip_value_max: Any) -> Any:
    """x, but not below `clip_value_min` nor above `clip_value_max`.

    d/dx: 1 between the bounds and at both, 0 outside
    d/dclip_value_min: 1 where x is below, else 0
    d/dclip_value_max: 1 where x is above, else 0
    >>> clip_by_value(5.0, 0.0, 1.0)
    1.0
    """
    return xp.minimum(xp.maximum(x, clip_value_min), clip_value_max)


@primitive(
    lambda ct, _y, _x, dtype: ct,
    name="cast_float",
    accepts="numeric",
    cases=(Case((3,), dtype="float64"),),
)
def _cast_float(x: Any, dtype: Any) -> Any:
    """A float tensor in another float or complex dtype; what `cast` does where a gradient can flow.

    d/dx: 1, in the dtype of x
    >>> cast_float(1.5, dtype="float64")
    1.5
    """
    return _convert(x, dtype)


def _convert(x: Any, dtype: Any) -> Any:
    like = find_dtype(dtype)
    if np.asarray(x).dtype.kind == "U" and like.kind != "U":
        raise EngineError("dtype-mismatch", "unsupported", op="cast", dtype="string", operand=0, accepts="biufc")
    if np.iscomplexobj(x) and like.kind != "c":
        x = np.real(x)
    return np.asarray(x).astype(like)[()]


@blocked("cut-cast", name="cast_discrete", accepts="any")
def _cast_discrete(x: Any, dtype: Any) -> Any:
    """A tensor as integers or bools (towards zero), or one of integers or bools as floats: no gradient.

    >>> cast_discrete(1.5, dtype="int32")
    1
    """
    return _convert(x, dtype)


@composite(
    arity=1, tf="dtypes.cast", numpy="astype", method="astype", accepts="any",
    cases=(Case((3,), dtype="float64"), Case((), dtype="complex128"), Case((0, 2), dtype="complex128")),
)  # fmt: skip
def cast(x: Any, dtype: Any) -> Any:
    """The tensor in another dtype. A cast to integers or bools cuts the gradient.

    d/dx: 1 between floats
    >>> cast(2.7, "int32")
    2
    """
    like = find_dtype(dtype)
    if type(x) is not Tensor:
        return _convert(x, like)
    if like == x.dtype:
        return x
    if is_differentiable(like) and is_differentiable(x.dtype):
        return _cast_float(x, dtype=like)
    return _cast_discrete(x, dtype=like)


@blocked("cut-stop-gradient", accepts="any")
def stop_gradient(x: Any) -> Any:
    """The same value, through which no gradient flows.

    >>> stop_gradient(2.0)
    2.0
    """
    return x


@primitive(lambda ct, _y, _x: ct, accepts="any", cases=(Case((3,)),))
def identity(x: Any) -> Any:
    """The same value as a new tensor.

    d/dx: 1
    >>> identity(2.0)
    2.0
    """
    return x


def as_tensors(values: Any) -> list[Tensor]:
    """Tensors of one dtype: numbers and lists among them take that of the tensors. Raises `dtype-mismatch`."""
    found, nodes = read(REGISTRY["identity"], list(values))
    return [Tensor(value, node) for value, node in zip(found, nodes)]


def as_tensor(value: Any) -> Tensor:
    """A tensor from a tensor, variable, number, list or array; what an argument of any operation becomes."""
    any_operation: Primitive = REGISTRY["identity"]
    return operand(any_operation, value)
