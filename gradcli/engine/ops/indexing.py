"""Picking entries: indexing in every Python form, gather; and their pullback, scattering into zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import primitive
from ..tensor import Tensor
from ..variable import Variable
from .axes import negative_axis


def plain_index(index: Any) -> Any:
    """An index as NumPy takes it: tensors as arrays, lists as rows. Raises `index-out-of-range` for a float index."""
    if type(index) is tuple:
        return tuple(plain_index(item) for item in index)
    if isinstance(index, (Tensor, Variable)):
        index = index.numpy()
    if isinstance(index, list):
        index = np.array([getattr(item, "value", item) for item in index]) if index else np.zeros(0, np.int64)
    if isinstance(index, slice):
        return slice(*(None if part is None else _whole(part) for part in (index.start, index.stop, index.step)))
    if index is None or index is Ellipsis or isinstance(index, (bool, np.bool_)):
        return index
    if isinstance(index, (int, np.integer)):
        return int(index)
    if isinstance(index, np.ndarray) and index.dtype.kind in "iub":
        return index
    raise EngineError(
        "index-out-of-range", "not-an-integer", op="index", given=str(getattr(index, "dtype", type(index).__name__))
    )


def _whole(part: Any) -> int:
    try:
        return int(part.__index__())
    except (AttributeError, TypeError):
        raise EngineError("index-out-of-range", "not-an-integer", op="index", given=type(part).__name__) from None


def _prepared(x: Any, index: Any) -> dict[str, Any]:
    return {"index": plain_index(index)}


def _picked(x: Any, index: Any) -> Any:
    try:
        return xp.asarray(x)[index]
    except IndexError:
        raise _misfit(np.shape(x), index, "index") from None


def _misfit(shape: tuple[int, ...], index: Any, op: str) -> EngineError:
    """The error for an index that fits no tensor of this shape: the first thing that is wrong with it."""
    items = [item for item in (index if type(index) is tuple else (index,)) if item is not None]
    arrays: list[Any] = [None if isinstance(item, slice) or item is Ellipsis else np.asarray(item) for item in items]
    masks = [array is not None and array.dtype.kind == "b" for array in arrays]
    widths = [0 if i is Ellipsis else np.ndim(a) if mask else 1 for i, a, mask in zip(items, arrays, masks)]
    if sum(item is Ellipsis for item in items) > 1:
        return EngineError("index-out-of-range", "ellipses", op=op)
    if sum(widths) > len(shape):
        return EngineError("index-out-of-range", "axes", op=op, given=sum(widths), shape=shape)
    axis = 0
    for item, array, mask, width in zip(items, arrays, masks, widths):
        have = shape[axis : axis + width]
        if array is not None and mask and array.shape != have:
            return EngineError("index-out-of-range", "mask", op=op, shapes=(array.shape, have))
        if array is not None and not mask:
            wrong = array[(array < -have[0]) | (array >= have[0])]
            if wrong.size:
                given = int(wrong.reshape(-1)[0])
                return EngineError("index-out-of-range", "axis", op=op, given=given, length=have[0], axis=axis)
        axis += len(shape) - sum(widths) if item is Ellipsis else width
    shapes = tuple(array.shape for array in arrays if array is not None)
    return EngineError("index-out-of-range", "arrays", op=op, shapes=shapes)


def _behind(index: Any, lead: int) -> Any:
    """The index for a value with `lead` more axes in front."""
    items = index if type(index) is tuple else (index,)
    return (slice(None),) * lead + items


def _index_rule(ct: Any, _y: Any, _x: Any, index: Any) -> Any:
    shape = tuple(_x.shape)
    lead = len(ct.shape) - len(np.empty(shape, np.bool_)[index].shape) if ct.shape else 0
    return put_index(ct, index=_behind(index, lead) if lead else index, shape=ct.shape[:lead] + shape)


@primitive(
    _index_rule,
    name="index",
    accepts="any",
    prepare=_prepared,
    batchable=False,
    cases=(
        Case((3,), index=1),
        Case((3, 4), index=(slice(None, None, 2), slice(3, 0, -1))),
        Case((3, 4), index=(Ellipsis, None, 2)),
        Case((4,), index=[0, 2, 2]),
        Case((3, 4), index=(np.array([0, 2, 0]), np.array([1, 3, 1]))),
        Case((2, 3), index=np.array([[True, False, True], [False, False, True]])),
    ),
)
def getitem(x: Any, index: Any) -> Any:
    """Entries by position: `x[i]`, `x[a:b:step]`, `x[..., none]`, `x[mask]`, `x[[0, 2]]`.

    d/dx: the upstream at the positions taken, 0 elsewhere; positions taken twice add up
    >>> index([5.0, 7.0], index=1)
    7.0
    """
    picked = _picked(x, index)
    return picked.copy() if type(picked) is np.ndarray and picked.base is None and picked is x else picked


def _is_basic(index: Any) -> bool:
    items = index if type(index) is tuple else (index,)
    return not any(isinstance(item, (np.ndarray, list, bool, np.bool_)) for item in items)


@primitive(
    lambda ct, _y, _x, index, shape: getitem(ct, index=index),
    accepts="any",
    batchable=False,
    cases=(Case((), index=1, shape=(3,)),),
)
def put_index(x: Any, index: Any, shape: Any) -> Any:
    """Zeros of a shape with `x` added at an index; the pullback of indexing.

    d/dx: the upstream at the index
    >>> put_index(5.0, index=1, shape=[2])
    [0.0, 5.0]
    """
    out = np.zeros(tuple(shape), np.asarray(x).dtype)
    try:
        if _is_basic(index):
            out[index] += x
        else:
            np.add.at(out, index, x)
    except IndexError:
        raise _misfit(out.shape, plain_index(index), "put_index") from None
    except ValueError:
        raise EngineError(
            "shape-mismatch", "operands", op="put_index", shapes=(np.shape(x), np.shape(out[index]))
        ) from None
    return out


def _gathered(params: Any, indices: Any, axis: Any = None, batch_dims: Any = 0) -> dict[str, Any]:
    n, batch = np.ndim(params), _whole(batch_dims)
    flat = np.asarray(indices)
    batch = batch + flat.ndim if batch < 0 else batch
    i = negative_axis(batch if axis is None else axis, n, "gather")
    length = np.shape(params)[i]
    if flat.size and (flat.min() < 0 or flat.max() >= length):
        bad = int(flat.min() if flat.min() < 0 else flat.max())
        raise EngineError("index-out-of-range", "gather", op="gather", given=bad, length=length, axis=i + n)
    if not 0 <= batch <= min(i + n, flat.ndim) or flat.shape[:batch] != np.shape(params)[:batch]:
        raise EngineError("shape-mismatch", "operands", op="gather", shapes=(np.shape(params), flat.shape))
    return {"axis": i, "batch_dims": batch}


def _slices_at(indices: Any, shape: tuple[int, ...], axis: int, batch_dims: int) -> tuple[Any, ...]:
    """The index of the slices taken: with batch axes, each row of indices belongs to the row of the same number."""
    first = len(shape) + axis
    if not batch_dims:
        return (*(slice(None),) * first, indices)
    inner = indices.ndim - batch_dims
    rows = indices.reshape(indices.shape[:batch_dims] + (1,) * (first - batch_dims) + indices.shape[batch_dims:])
    return (*(np.arange(shape[k]).reshape((-1,) + (1,) * (first - k - 1 + inner)) for k in range(first)), rows)


def _gather_rule(ct: Any, _y: Any, _params: Any, indices: Any, axis: int, batch_dims: int) -> Any:
    shape = tuple(_params.shape)
    indices = np.asarray(getattr(indices, "value", indices))
    return put_index(ct, index=_slices_at(indices, shape, axis, batch_dims), shape=shape)


@primitive(
    _gather_rule,
    None,
    numpy="take",
    method="take",
    accepts=("any", "integer"),
    prepare=_gathered,
    batchable=False,
    cases=(
        Case((4,), [0, 2, 2]),
        Case((3, 4), [[1, 0]], axis=1),
        Case((2, 3), [[0, 0], [2, 1]], batch_dims=1),
        Case((2, 2, 3, 2), [[0, 2, 2], [1, 0, 1]], axis=2, batch_dims=1),
    ),
)
def gather(params: Any, indices: Any, axis: Any = None, batch_dims: Any = 0) -> Any:
    """The slices of `params` at `indices` along an axis. Indices are from 0 to length - 1.

    The first `batch_dims` axes are a batch that both have. The axis is the one behind them if none is given.

    d/dparams: the upstream added at the slices taken
    >>> gather([5.0, 6.0, 7.0], [2, 0])
    [7.0, 5.0]
    """
    if batch_dims:
        return params[_slices_at(np.asarray(indices), np.shape(params), axis, batch_dims)]
    return xp.take(params, indices, axis=axis)
