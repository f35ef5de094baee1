"""Axes as operations receive them: checked, and counted from the right, so that a batch in front does not disturb."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import dtype_name
from ..errors import EngineError


def negative_axis(axis: Any, ndim: int, op: str) -> int:
    """One axis, from the right: -1 is the last. Raises `bad-axis`."""
    try:
        i = axis.__index__() if not isinstance(axis, (bool, np.bool_)) else None
    except (AttributeError, EngineError):
        i = None
    if i is None:
        raise EngineError("bad-axis", "not-an-integer", op=op, axis=str(axis))
    if not -ndim <= i < ndim:
        raise EngineError("bad-axis", "out-of-range", op=op, axis=i, rank=ndim)
    return int(i - ndim if i >= 0 else i)


def axis_set(axis: Any, ndim: int, op: str) -> tuple[int, ...] | None:
    """None for all axes, else the named ones from the right. Raises `bad-axis`, also where one comes twice."""
    if axis is None:
        return tuple(range(-ndim, 0))
    items = axis if isinstance(axis, (list, tuple)) else np.asarray(getattr(axis, "value", axis)).reshape(-1).tolist()
    axes = tuple(negative_axis(i, ndim, op) for i in items)
    if len(set(axes)) != len(axes):
        raise EngineError("bad-axis", "duplicate", op=op, axis=list(items), rank=ndim)
    return axes


def one_axis(x: Any, axis: Any, **more: Any) -> dict[str, Any]:
    """Parameters of an operation along one axis."""
    return {"axis": negative_axis(axis, np.ndim(x), "softmax"), **more}


def shape_of(dims: Any, op: str) -> tuple[int, ...]:
    """A shape given as a number, a list of numbers or an integer tensor. Raises `bad-value`."""
    dims = getattr(dims, "value", dims)
    if isinstance(dims, np.ndarray):
        dims = dims.tolist()
    items = dims if isinstance(dims, (list, tuple)) else [dims]
    shape = []
    for item in items:
        try:
            if isinstance(item, (bool, float)):
                raise TypeError
            shape.append(int(item.__index__()))
        except (TypeError, AttributeError, EngineError):
            raise EngineError("bad-value", "shape", op=op, given=str(dims)) from None
    return tuple(shape)


def whole_number(value: Any, op: str) -> int:
    """One whole number, given as a number or an integer tensor. Raises `bad-value`."""
    found = shape_of(value, op)
    if len(found) != 1:
        raise EngineError("bad-value", "whole-number", op=op, given=str(list(found)))
    return found[0]


def number(value: Any, op: str, argument: str) -> float:
    """One real number, given as a number or a scalar tensor. Raises `bad-value`."""
    plain = getattr(value, "value", value)
    if isinstance(plain, (bool, np.bool_)) or not isinstance(plain, (int, float, np.integer, np.floating)):
        raise EngineError("bad-value", "number", op=op, argument=argument, given=_shown(value))
    return float(plain)


def _shown(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return repr(value) if shape is None else f"{dtype_name(value.dtype)} {list(shape)}"
