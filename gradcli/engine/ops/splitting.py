"""Pieces of a tensor and back: split, slice, strided_slice, boolean_mask, dynamic_partition, dynamic_stitch."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from .axes import negative_axis, shape_of, whole_number


@composite(
    arity=1,
    accepts="any",
    numpy="split",
    cases=(
        Case((2, 3), num_or_size_splits=[2, 1], axis=-1),
        Case((4, 2), num_or_size_splits=2),
        Case((5,), num_or_size_splits=[1, -1, 2]),
    ),
)
def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None) -> list[Any]:
    """A list of so many equal pieces along an axis, or of pieces of the lengths listed; one length may be -1.

    d/dvalue: the upstream of each piece in its place
    >>> split([1.0, 2.0, 3.0], [1, 2])
    [[1.0], [2.0, 3.0]]
    """
    i = negative_axis(axis, len(value.shape), "split")
    n = value.shape[i]
    given = getattr(num_or_size_splits, "value", num_or_size_splits)
    sizes = list(shape_of(given, "split"))
    if np.ndim(given) == 0:
        count = sizes[0]
        if count < 1 or n % count:
            raise EngineError(
                "shape-mismatch", "split", op="split", shapes=(tuple(value.shape),), length=n, given=count
            )
        sizes = [n // count] * count
    if sizes.count(-1) == 1:
        sizes[sizes.index(-1)] = n - sum(sizes) - 1
    if sum(sizes) != n or any(size < 0 for size in sizes):
        raise EngineError("shape-mismatch", "split", op="split", shapes=(tuple(value.shape),), length=n, given=sizes)
    pieces, start = [], 0
    for size in sizes:
        pieces.append(value[(Ellipsis, slice(start, start + size)) + (slice(None),) * (-i - 1)])
        start += size
    return pieces


@composite(arity=1, name="slice", accepts="any", cases=(Case((2, 3), begin=[0, 1], size=[2, -1]),))
def cut_out(x: Any, begin: Any, size: Any) -> Any:
    """The block that begins at `begin` and has the lengths `size`; -1 stands for all that is left.

    d/dx: the upstream in the place of the block, 0 elsewhere
    >>> slice([1.0, 2.0, 3.0], [1], [2])
    [2.0, 3.0]
    """
    starts, lengths = shape_of(begin, "slice"), shape_of(size, "slice")
    if len(starts) != len(x.shape) or len(lengths) != len(x.shape):
        raise EngineError("shape-mismatch", "operands", op="slice", shapes=(tuple(x.shape), starts, lengths))
    stops = [n if length == -1 else start + length for start, length, n in zip(starts, lengths, x.shape)]
    if any(not 0 <= start <= stop <= n for start, stop, n in zip(starts, stops, x.shape)):
        raise EngineError(
            "index-out-of-range", "block", op="slice", shape=tuple(x.shape), begin=list(starts), size=list(lengths)
        )  # fmt: skip
    return x[tuple(slice(start, stop) for start, stop in zip(starts, stops))]


@composite(arity=1, accepts="any", cases=(Case((2, 3), begin=[0, 2], end=[2, 0], strides=[1, -1]),))
def strided_slice(x: Any, begin: Any, end: Any, strides: Any = None) -> Any:
    """The entries from `begin` to before `end`, `strides` apart, along the first axes.

    d/dx: the upstream in the places taken, 0 elsewhere
    >>> strided_slice([1.0, 2.0, 3.0], [0], [3], [2])
    [1.0, 3.0]
    """
    starts, stops = shape_of(begin, "strided_slice"), shape_of(end, "strided_slice")
    steps = shape_of(strides, "strided_slice") if strides is not None else (1,) * len(starts)
    if not len(starts) == len(stops) == len(steps) <= len(x.shape):
        raise EngineError("shape-mismatch", "operands", op="strided_slice", shapes=(tuple(x.shape), starts, stops))
    if 0 in steps:
        raise EngineError("bad-value", "zero-step", op="strided_slice")
    return x[tuple(slice(*item) for item in zip(starts, stops, steps))]


def mask_of(mask: Any, op: str) -> Any:
    """A mask as an array of bools. Raises `dtype-mismatch`."""
    found = np.asarray(mask.numpy() if hasattr(mask, "numpy") else mask)
    if found.dtype.kind != "b":
        raise EngineError(
            "dtype-mismatch", "unsupported", op=op, dtype=str(found.dtype), operand=1, accepts="b"
        )  # fmt: skip
    return found


@composite(arity=1, accepts="any", cases=(Case((3, 2), mask=[True, False, True]),))
def boolean_mask(x: Any, mask: Any, axis: Any = 0) -> Any:
    """The slices of a tensor where a mask holds, as one axis.

    d/dx: the upstream where the mask holds, 0 elsewhere
    >>> boolean_mask([1.0, 2.0, 3.0], [true, false, true])
    [1.0, 3.0]
    """
    taken = mask_of(mask, "boolean_mask")
    first = negative_axis(axis if axis is not None else 0, len(x.shape), "boolean_mask") + len(x.shape)
    if not taken.ndim or tuple(x.shape[first : first + taken.ndim]) != taken.shape:
        raise EngineError("shape-mismatch", "operands", op="boolean_mask", shapes=(tuple(x.shape), taken.shape))
    return x[(slice(None),) * first + (taken,)]


def whole_numbers(value: Any, op: str) -> Any:
    """Indices given as a list, an array or a tensor, as an array of integers. Raises `index-out-of-range`."""
    found = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    if not found.size:
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise EngineError("index-out-of-range", "not-an-integer", op=op, given=str(found.dtype))
    return found


@composite(
    arity=1,
    accepts="any",
    cases=(
        Case((3,), partitions=[1, 0, 1], num_partitions=2),
        Case((3, 2), partitions=[1, 1, 1], num_partitions=3),
        Case((2, 2), partitions=[[0, 1], [1, 0]], num_partitions=2),
    ),
)
def dynamic_partition(data: Any, partitions: Any, num_partitions: Any) -> list[Any]:
    """A list of tensors: the k-th holds the slices whose partition is k.

    d/ddata: each upstream at the slices it holds
    >>> dynamic_partition([1.0, 2.0, 3.0], [0, 1, 0], 2)
    [[1.0, 3.0], [2.0]]
    """
    parts, count = whole_numbers(partitions, "dynamic_partition"), whole_number(num_partitions, "dynamic_partition")
    if tuple(data.shape[: parts.ndim]) != parts.shape:
        raise EngineError("shape-mismatch", "operands", op="dynamic_partition", shapes=(tuple(data.shape), parts.shape))
    if not 0 <= count <= 1 << 20:
        raise EngineError("bad-value", "count", op="dynamic_partition", given=count)
    if parts.size and not (parts.min() >= 0 and parts.max() < count):
        bad = int(parts.max() if parts.max() >= count else parts.min())
        raise EngineError("index-out-of-range", "position", op="dynamic_partition", given=bad, known=count)
    return [data[parts == k] for k in range(count)]


@composite(
    arity=0,
    accepts="any",
    cases=(Case([[2, 0], [1]], [(2, 2), (1, 2)]), Case([[0, 1], [1]], [(2,), (1,)])),
)
def dynamic_stitch(indices: Any, data: Any) -> Any:
    """One tensor of slices put at the positions listed; where a position comes twice, the last slice stays.

    A slice that was overwritten has the gradient 0, unlike in TensorFlow.

    d/ddata: the upstream at the position of each slice that stayed
    >>> dynamic_stitch([[0, 2], [1]], [[1.0, 3.0], [2.0]])
    [1.0, 2.0, 3.0]
    """
    from .indexing import gather
    from .joining import concat
    from .selection import as_tensors
    from .shape import reshape

    if not isinstance(indices, (list, tuple)) or not isinstance(data, (list, tuple)):
        kind = type(data if isinstance(indices, (list, tuple)) else indices).__name__
        raise EngineError("not-a-tensor", "list-expected", op="dynamic_stitch", type=kind)
    spots = [whole_numbers(item, "dynamic_stitch") for item in indices]
    items = as_tensors(data)
    if len(spots) != len(items) or not items:
        raise EngineError("shape-mismatch", "operands", op="dynamic_stitch", shapes=((len(spots),), (len(items),)))
    rest = tuple(items[0].shape[spots[0].ndim :])
    for spot, item in zip(spots, items):
        if tuple(item.shape) != spot.shape + rest:
            raise EngineError(
                "shape-mismatch", "operands", op="dynamic_stitch", shapes=(spot.shape, tuple(item.shape))
            )  # fmt: skip
    flat = np.concatenate([spot.reshape(-1) for spot in spots])
    size = int(flat.max()) + 1 if flat.size else 0
    if flat.size and flat.min() < 0:
        raise EngineError("index-out-of-range", "position", op="dynamic_stitch", given=int(flat.min()), known=size)
    source = np.full(size, -1)
    source[flat] = np.arange(len(flat))
    if np.any(source < 0):
        raise EngineError(
            "index-out-of-range", "position", op="dynamic_stitch", given=int(np.argmax(source < 0)), known=size
        )  # fmt: skip
    rows = concat([reshape(item, (spot.size, *rest)) for spot, item in zip(spots, items)], 0)
    return gather(rows, source, axis=0)
