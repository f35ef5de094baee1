"""New tensors: zeros, ones, fill, eye, arange, linspace, and those like another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import find_dtype
from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..recording import current_state
from ..registrars import blocked, composite, creation
from .axes import shape_of


def _dtype(dtype: Any) -> Any:
    return current_state().float_dtype if dtype is None else find_dtype(dtype)


def _checked(shape: Any, op: str) -> tuple[int, ...]:
    dims = shape_of(shape, op)
    if any(n < 0 for n in dims):
        raise EngineError("bad-value", "shape", op=op, given=str(list(dims)))
    if int(np.prod([max(n, 1) for n in dims], dtype=np.float64)) > 2**40:
        raise EngineError("bad-value", "too-large", op=op, given=str(list(dims)))
    return dims


@creation(numpy="zeros")
def zeros(shape: Any, dtype: Any = None) -> Any:
    """A tensor of zeros.

    >>> zeros([2])
    [0.0, 0.0]
    """
    return xp.zeros(_checked(shape, "zeros"), _dtype(dtype))


@creation(numpy="ones")
def ones(shape: Any, dtype: Any = None) -> Any:
    """A tensor of ones.

    >>> ones([2])
    [1.0, 1.0]
    """
    return xp.ones(_checked(shape, "ones"), _dtype(dtype))


@creation(numpy="eye")
def eye(num_rows: Any, num_columns: Any = None, dtype: Any = None) -> Any:
    """The identity matrix, or ones on the diagonal of a rectangle.

    >>> eye(2)
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rows = _checked(num_rows, "eye")
    columns = _checked(num_columns, "eye") if num_columns is not None else rows
    return xp.eye(rows[0], columns[0], dtype=_dtype(dtype))


@blocked("cut-no-derivative", tf="zeros_like_v2", numpy="zeros_like", accepts="numeric")
def zeros_like(x: Any) -> Any:
    """Zeros of the shape and dtype of another tensor; it does not depend on its entries.

    >>> zeros_like([1.0, 2.0])
    [0.0, 0.0]
    """
    return xp.zeros_like(x)


@blocked("cut-no-derivative", tf="ones_like_v2", numpy="ones_like", accepts="numeric")
def ones_like(x: Any) -> Any:
    """Ones of the shape and dtype of another tensor; it does not depend on its entries.

    >>> ones_like([1.0, 2.0])
    [1.0, 1.0]
    """
    return xp.ones_like(x)


@composite(arity=0, accepts="any", numpy="full", cases=(Case([2, 3], ()),))
def fill(dims: Any, value: Any) -> Any:
    """A tensor with one value in every entry.

    d/dvalue: the sum of the upstream
    >>> fill([2], 7.0)
    [7.0, 7.0]
    """
    from .selection import as_tensor
    from .shape import broadcast_to

    return broadcast_to(as_tensor(value), _checked(dims, "fill"))


def _number(value: Any, op: str) -> Any:
    value = getattr(value, "value", value)
    if np.ndim(value):
        raise EngineError("bad-value", "scalar-expected", op=op, shape=np.shape(value))
    return value


@creation(tf="range", numpy="arange")
def arange(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None) -> Any:
    """Numbers from `start` (0 if only one number is given) to before `limit`, `delta` apart.

    >>> arange(3)
    [0, 1, 2]
    """
    start, limit, delta = _number(start, "arange"), _number(limit, "arange"), _number(delta, "arange")
    if limit is None:
        start, limit = 0, start
    if delta == 0:
        raise EngineError("bad-value", "zero-step", op="arange")
    if dtype is not None:
        like = find_dtype(dtype)
    else:
        typed = [v.dtype for v in (start, limit, delta) if isinstance(v, np.generic)]
        whole = all(isinstance(v, (int, np.integer)) for v in (start, limit, delta))
        like = typed[0] if typed else np.dtype(np.int32) if whole else current_state().float_dtype
    if (limit - start) / delta > 2**31:
        raise EngineError("bad-value", "too-large", op="arange", given=str((start, limit, delta)))
    return xp.arange(start, limit, delta).astype(like)


@composite(arity=0, accepts="any", tf="lin_space", numpy="linspace", cases=(Case((), (), num=4), Case((), (), num=1)))
def linspace(start: Any, stop: Any, num: Any = 50) -> Any:
    """`num` numbers from `start` to `stop`, evenly spaced, both ends included.

    d/dstart: the upstream weighed by 1 - k / (num - 1)
    d/dstop: the upstream weighed by k / (num - 1)
    >>> linspace(0.0, 1.0, 3)
    [0.0, 0.5, 1.0]
    """
    from .selection import as_tensors

    n = _checked(num, "linspace")[0]
    if n < 1:
        raise EngineError("bad-value", "count", op="linspace", given=n)
    first, last = as_tensors([start, stop])
    if first.dtype.kind in "iu" and last.dtype.kind in "iu":
        from .selection import cast

        first, last = cast(first, current_state().float_dtype), cast(last, current_state().float_dtype)
    weight = (np.arange(n) / max(n - 1, 1)).astype(first.dtype)
    return first * (1 - weight) + last * weight
