"""Operands of an operation: variables are read, literals take the dtype beside them, lists are stacked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import dtype_name, pack, weak
from .errors import EngineError
from .recording import current_state
from .tensor import Node, Tensor
from .variable import Variable

if TYPE_CHECKING:
    from .primitive import Primitive

_RAW = (np.ndarray, np.generic)


def operand(op: Primitive, value: Any, default: bool = True) -> Tensor:
    """A tensor for one operand: a variable is read, a list that holds tensors is stacked, a literal converted."""
    if type(value) is Tensor:
        return value
    if isinstance(value, Variable):
        return value.read()
    if isinstance(value, (list, tuple)):
        if holds_tensor(value):
            from .ops.joining import stack

            packed: Tensor = stack(list(value))
            return packed
    elif isinstance(value, str):
        return Tensor(np.str_(value))
    elif not isinstance(value, (int, float, complex, *_RAW)):
        raise EngineError("not-a-tensor", "operand", op=op.name, type=type(value).__name__)
    dtype = current_state().float_dtype
    data = pack(value, dtype)
    if op.literal_float and data.dtype.kind in "iu" and not isinstance(value, _RAW):
        data = data.astype(dtype)
    return Tensor(data)


def holds_tensor(value: Any) -> bool:
    """Is it a nested list that holds a tensor or variable?"""
    return isinstance(value, (list, tuple)) and any(
        isinstance(item, (Tensor, Variable)) or holds_tensor(item) for item in value
    )


def read(op: Primitive, operands: list[Any]) -> tuple[list[Any], list[Node | None]]:
    """Values and nodes of operands; literals and arrays take the dtype of the tensors in their group.

    Operands that accept the same kinds of dtype are one group and must agree. Raises `dtype-mismatch` or
    `not-a-tensor`.
    """
    accepts = op.accepts
    last = len(accepts) - 1
    tensors: list[Any] = []
    for value in operands:
        if isinstance(value, Variable):
            value = value.read()
        elif holds_tensor(value):
            value = operand(op, value)
        tensors.append(value)
    like: dict[str, tuple[Any, int]] = {}
    for i, value in enumerate(tensors):
        if type(value) is Tensor:
            kinds = accepts[min(i, last)]
            dtype = value.value.dtype
            if dtype.kind not in kinds:
                raise op.refuse_dtype(dtype, i)
            first = like.setdefault(kinds, (dtype, i))
            if first[0] != dtype and not (dtype.kind == first[0].kind == "U") and kinds != "iu":
                raise EngineError(
                    "dtype-mismatch", "operands", op=op.name, nodes=(tensors[first[1]].node, value.node),
                    dtypes=(dtype_name(first[0]), dtype_name(dtype)),
                )  # fmt: skip
    if len(tensors) > 1 and len(like) < len(set(accepts)):
        _agree_on_literals(op, tensors, like)
    values, nodes = [], []
    for i, value in enumerate(tensors):
        if type(value) is Tensor:
            values.append(value.value)
            nodes.append(value.node)
            continue
        kinds = accepts[min(i, last)]
        if kinds in like and kinds != "iu":
            dtype = like[kinds][0]
            if isinstance(value, _RAW):
                data = value.astype(dtype, copy=False) if dtype.kind in "fc" else _exactly(op, value, dtype)
            elif isinstance(value, (int, float, complex, str, list, tuple)):
                data = weak(value, dtype, op.name)
            else:
                raise EngineError("not-a-tensor", "operand", op=op.name, type=type(value).__name__)
        else:
            data = operand(op, value).value
            if data.dtype.kind not in kinds:
                raise op.refuse_dtype(data.dtype, i)
            like.setdefault(kinds, (data.dtype, i))
        values.append(data)
        nodes.append(None)
    return values, nodes


def _agree_on_literals(op: Primitive, operands: list[Any], like: dict[str, tuple[Any, int]]) -> None:
    """The dtype of a group of nothing but literals: `maximum(3, 2.0)` is of floats, as both are weak."""
    found: dict[str, tuple[Any, int]] = {}
    for i, value in enumerate(operands):
        kinds = op.accepts[min(i, len(op.accepts) - 1)]
        if type(value) is Tensor or kinds in like or kinds == "iu":
            continue
        dtype = operand(op, value).value.dtype
        if kinds not in found or "bifc".find(dtype.kind) > "bifc".find(found[kinds][0].kind):
            found[kinds] = (dtype, i)
    for kinds, (dtype, i) in found.items():
        if dtype.kind in kinds:
            like[kinds] = (dtype, i)


def _exactly(op: Primitive, value: Any, dtype: Any) -> Any:
    if value.dtype.kind in "iu" and dtype.kind in "iu":
        return value.astype(dtype, copy=False)
    if value.dtype == dtype:
        return value
    raise EngineError(
        "dtype-mismatch", "operands", op=op.name, dtypes=(dtype_name(dtype), dtype_name(value.dtype)), nodes=()
    )
