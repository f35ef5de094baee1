"""Dtypes: their names, which of them carry gradients, and how a literal takes the dtype of the tensor beside it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import EngineError

DType = np.dtype[Any]

_NAMES = (
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool",
    "complex64", "complex128",
)  # fmt: skip
#: The dtypes that a program can name. bfloat16 has no NumPy type and is not offered.
NAMES: dict[str, DType] = {name: np.dtype(name) for name in _NAMES}
STRING = np.dtype(np.str_)


def dtype_of(value: Any) -> DType:
    """The dtype of raw data; every length of string is one dtype."""
    dtype: DType = value.dtype
    return dtype


def dtype_name(dtype: DType) -> str:
    """`float32`, `bool`, `string`, …"""
    return "string" if dtype.kind in "USO" else dtype.name


def find_dtype(name: Any) -> DType:
    """The dtype called `name` (`"float32"`, a NumPy dtype or type). Raises `bad-value` for any other."""
    if isinstance(name, str):
        found = NAMES.get({"float": "float32", "double": "float64", "int": "int32", "half": "float16"}.get(name, name))
        if found is not None:
            return found
        if name == "string":
            return STRING
    elif isinstance(name, (np.dtype, type)):
        try:
            dtype = np.dtype(name)
        except TypeError:
            dtype = np.dtype(object)
        if dtype.name in NAMES or dtype.kind == "U":
            return dtype
    raise EngineError("bad-value", "unknown-dtype", name=str(name), known=tuple(NAMES))


def is_differentiable(dtype: DType) -> bool:
    """Only floating and complex values carry a gradient."""
    return dtype.kind in "fc"


def weak(value: Any, like: DType, op: str) -> Any:
    """A Python number (or nested list of them) beside a tensor of dtype `like`, in that dtype.

    Raises `dtype-mismatch` where the literal does not fit the dtype: a float beside integers, a complex beside reals.
    """
    if type(value) is float or type(value) is int or type(value) is bool:
        kind = like.kind
        if kind in "fc" and type(value) is not bool:
            return like.type(value)
        if kind in "iu" and type(value) is int:
            try:
                return like.type(value)
            except OverflowError:
                raise EngineError("bad-value", "literal-overflow", op=op, value=value, dtype=dtype_name(like)) from None
        if kind == "b" and type(value) is bool:
            return np.bool_(value)
        raise EngineError("dtype-mismatch", "literal", op=op, literal=value, dtype=dtype_name(like))
    if isinstance(value, complex):
        if like.kind == "c":
            return like.type(value)
        raise EngineError("dtype-mismatch", "literal", op=op, literal=value, dtype=dtype_name(like))
    if isinstance(value, str):
        if like.kind in "US":
            return np.str_(value)
        raise EngineError("dtype-mismatch", "literal", op=op, literal=value, dtype=dtype_name(like))
    data = pack(value, None)
    if data.size == 0 or _fits(data.dtype.kind, like.kind):
        return data.astype(like)
    raise EngineError("dtype-mismatch", "literal", op=op, literal=value, dtype=dtype_name(like))


def _fits(literal: str, kind: str) -> bool:
    return {"b": kind == "b", "i": kind in "iufc", "u": kind in "iufc", "f": kind in "fc", "c": kind == "c"}.get(
        literal, literal in "US" and kind in "US"
    )


def pack(value: Any, float_dtype: DType | None) -> Any:
    """Nested lists of Python numbers as an array: floats in `float_dtype` (float64 for None), integers in int32.

    A 0-d result is a NumPy scalar: scalars run several times faster than 0-d arrays. Raises `bad-value` for ragged
    lists and `not-a-tensor` for entries that are no numbers.
    """
    if type(value) is float:
        return np.float64(value) if float_dtype is None else float_dtype.type(value)
    if type(value) is bool:
        return np.bool_(value)
    if type(value) is int:
        if -(2**31) <= value < 2**31:
            return np.int32(value)
        if -(2**63) <= value < 2**63:
            return np.int64(value)
        raise EngineError("bad-value", "literal-overflow", op="constant", value=value, dtype="int64")
    data: Any
    if isinstance(value, (np.ndarray, np.generic)):
        data = value
    else:
        try:
            data = np.array(value)
        except (ValueError, OverflowError):
            raise EngineError("bad-value", "ragged", value=value) from None
        kind = data.dtype.kind
        if kind == "f":
            data = data.astype(float_dtype, copy=False) if float_dtype is not None else data
        elif kind in "iu":
            small = data.size == 0 or (data.min() >= -(2**31) and data.max() < 2**31)
            data = data.astype(np.int32) if small else data
        elif kind == "c" and float_dtype is not None:
            data = data.astype(np.complex64 if float_dtype == np.float16 else np.result_type(float_dtype, np.complex64))
        if data.size == 0 and float_dtype is not None:
            data = data.astype(float_dtype)
    if data.dtype.kind not in "biufcUS":
        raise EngineError("not-a-tensor", "entries", value=value)
    return data[()] if data.ndim == 0 else data
