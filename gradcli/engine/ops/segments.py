"""Reductions of the slices of a tensor by the number of their segment: segment_sum and its kin, sorted or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case, Kink
from ..registrars import composite, primitive
from .axes import whole_number
from .indexing import gather, put_index
from .splitting import whole_numbers

_SORTED = (Case((4,), segment_ids=[0, 0, 1, 3]), Case((3, 2), segment_ids=[0, 1, 1]))
_LOOSE = (
    Case((4,), segment_ids=[2, 0, 2, -1], num_segments=3),
    Case((2, 2), segment_ids=[[0, 1], [1, 1]], num_segments=3),
)
_FULL = (Case((4,), segment_ids=[1, 0, 1, -1], num_segments=2),)


def _sorted_ids(data: Any, segment_ids: Any, op: str) -> tuple[Any, int]:
    """Segment numbers of the slices along the first axis, which may not fall, and how many segments there are."""
    ids = whole_numbers(segment_ids, op)
    if ids.ndim != 1 or not data.shape or len(ids) != data.shape[0]:
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(tuple(data.shape), ids.shape))
    if len(ids) and (ids[0] < 0 or np.any(np.diff(ids) < 0)):
        raise EngineError("bad-value", "unsorted", op=op, given=str(ids.tolist()[:8]))
    return ids, int(ids[-1]) + 1 if len(ids) else 0


def _loose(data: Any, segment_ids: Any, num_segments: Any, op: str) -> tuple[Any, Any, int]:
    """Slices and their segment numbers, without those whose number is negative: they belong to no segment."""
    from .shape import reshape

    ids, count = whole_numbers(segment_ids, op), whole_number(num_segments, op)
    if tuple(data.shape[: ids.ndim]) != ids.shape:
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(tuple(data.shape), ids.shape))
    if ids.size and ids.max() >= count:
        raise EngineError("index-out-of-range", "position", op=op, given=int(ids.max()), known=count)
    rows = reshape(data, (ids.size, *data.shape[ids.ndim :]))
    flat = ids.reshape(-1)
    if flat.size and flat.min() < 0:
        rows, flat = rows[np.flatnonzero(flat >= 0)], flat[flat >= 0]
    return rows, flat, count


def _sum(rows: Any, ids: Any, count: int) -> Any:
    return put_index(rows, index=ids, shape=(count, *rows.shape[1:]))


def _sizes(rows: Any, ids: Any, count: int) -> Any:
    """How many slices each segment has, at least 1, beside the sums."""
    number = np.maximum(np.bincount(ids, minlength=count), 1).astype(rows.dtype)
    return number.reshape((count,) + (1,) * (len(rows.shape) - 1))


def _prod(rows: Any, ids: Any, count: int) -> Any:
    """The slices of each segment in one row, filled up with ones, and multiplied by halves: exact where some are 0."""
    from .selection import where
    from .shape import reshape

    order = np.argsort(ids, kind="stable")
    number = np.bincount(ids, minlength=count)
    most = int(number.max()) if count and len(ids) else 0
    rest = tuple(rows.shape[1:])
    if not most:
        return _sum(rows, ids, count) + np.ones((), rows.dtype)[()]
    starts = np.cumsum(number) - number
    place = np.minimum(starts[:, None] + np.arange(most), len(ids) - 1)
    real = np.arange(most) < number[:, None]
    taken = gather(rows, order[place].reshape(-1), axis=0)
    taken = where(real.reshape((-1,) + (1,) * len(rest)), taken, np.ones((), rows.dtype)[()])
    table = reshape(taken, (count, most, *rest))
    while table.shape[1] > 1:
        half = table.shape[1] // 2
        product = table[:, :half] * table[:, half : 2 * half]
        if table.shape[1] % 2:
            from .joining import concat

            product = concat([product, table[:, 2 * half :]], 1)
        table = product
    return table[:, 0]


def _share_rule(ct: Any, y: Any, data: Any, ids: Any, count: int, empty: Any, largest: bool, of: str) -> Any:
    from .comparison import equal
    from .selection import cast, maximum

    hits = cast(equal(data, gather(y, ids, axis=0)), data.dtype)
    number = maximum(_sum(hits, ids, count), np.ones((), data.dtype)[()])
    return gather(ct / number, ids, axis=-len(y.shape)) * hits


def _several(y: Any, data: Any, ids: Any, count: int, empty: Any, largest: bool, of: str) -> Any:
    hits = np.equal(data, y[ids])
    return hits & (_sum(hits.astype(np.int64), ids, count) > 1)[ids]


@primitive(
    _share_rule,
    accepts="ordered",
    cases=(
        Case((4,), ids=np.array([0, 2, 0, 2]), count=3, empty=0.0, largest=True),
        Case((3, 2), ids=np.array([1, 0, 1]), count=2, empty=0.0, largest=False),
    ),
    kink=Kink("tie", _several, "split evenly among the tied entries of a segment", "0 and 1", of="of"),
    batchable=False,
)
def segment_extreme(
    data: Any, ids: Any, count: Any, empty: Any = 0, largest: Any = True, of: Any = "segment_extreme"
) -> Any:
    """The largest or smallest entry of each segment, and `empty` for one without slices; `of` names who asked.

    d/ddata: 1 / (number of extreme entries) at each of them, 0 elsewhere
    >>> segment_extreme([1.0, 4.0, 2.0], [0, 0, 1], 2)
    [4.0, 2.0]
    """
    ids, count = whole_numbers(ids, "segment_extreme"), whole_number(count, "segment_extreme")
    if ids.ndim != 1 or np.shape(data)[:1] != ids.shape:
        raise EngineError("shape-mismatch", "operands", op="segment_extreme", shapes=(np.shape(data), ids.shape))
    start = _lowest(data.dtype, largest) if data.dtype.kind != "f" else -np.inf if largest else np.inf
    out = np.full((count, *data.shape[1:]), start, data.dtype)
    (np.maximum if largest else np.minimum).at(out, ids, data)
    out[np.bincount(ids, minlength=count) == 0] = empty
    return out


@composite(arity=1, tf="math.segment_sum", accepts="number", cases=_SORTED)
def segment_sum(data: Any, segment_ids: Any) -> Any:
    """The sum of the slices of each segment; the segment numbers must not fall.

    d/ddata: the upstream of its segment
    >>> segment_sum([1.0, 2.0, 4.0], [0, 0, 1])
    [3.0, 4.0]
    """
    return _sum(data, *_sorted_ids(data, segment_ids, "segment_sum"))


@composite(arity=1, tf="math.segment_mean", accepts="number", cases=_SORTED)
def segment_mean(data: Any, segment_ids: Any) -> Any:
    """The mean of the slices of each segment, 0 for one without slices; the segment numbers must not fall.

    d/ddata: the upstream of its segment over the number of its slices
    >>> segment_mean([1.0, 2.0, 4.0], [0, 0, 1])
    [1.5, 4.0]
    """
    ids, count = _sorted_ids(data, segment_ids, "segment_mean")
    return _sum(data, ids, count) / _sizes(data, ids, count)


@composite(arity=1, tf="math.segment_prod", accepts="number", cases=_SORTED)
def segment_prod(data: Any, segment_ids: Any) -> Any:
    """The product of the slices of each segment, 1 for one without slices; the segment numbers must not fall.

    d/ddata: the product of the others of its segment, exact also where entries are 0
    >>> segment_prod([3.0, 2.0, 4.0], [0, 0, 1])
    [6.0, 4.0]
    """
    return _prod(data, *_sorted_ids(data, segment_ids, "segment_prod"))


@composite(arity=1, tf="math.segment_max", accepts="ordered", cases=_SORTED)
def segment_max(data: Any, segment_ids: Any) -> Any:
    """The largest entry of each segment, 0 for one without slices; the segment numbers must not fall.

    d/ddata: 1 / (number of largest entries) at each of them, 0 elsewhere
    >>> segment_max([1.0, 2.0, 4.0], [0, 0, 1])
    [2.0, 4.0]
    """
    ids, count = _sorted_ids(data, segment_ids, "segment_max")
    return segment_extreme(data, ids=ids, count=count, empty=0, largest=True, of="segment_max")


@composite(arity=1, tf="math.segment_min", accepts="ordered", cases=_SORTED)
def segment_min(data: Any, segment_ids: Any) -> Any:
    """The smallest entry of each segment, 0 for one without slices; the segment numbers must not fall.

    d/ddata: 1 / (number of smallest entries) at each of them, 0 elsewhere
    >>> segment_min([1.0, 2.0, 4.0], [0, 0, 1])
    [1.0, 4.0]
    """
    ids, count = _sorted_ids(data, segment_ids, "segment_min")
    return segment_extreme(data, ids=ids, count=count, empty=0, largest=False, of="segment_min")


@composite(arity=1, tf="math.unsorted_segment_sum", accepts="number", cases=_LOOSE)
def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The sum of the slices of each of so many segments; a negative number belongs to none.

    d/ddata: the upstream of its segment
    >>> unsorted_segment_sum([1.0, 2.0, 4.0], [1, 0, 1], 2)
    [2.0, 5.0]
    """
    return _sum(*_loose(data, segment_ids, num_segments, "unsorted_segment_sum"))


@composite(arity=1, tf="math.unsorted_segment_mean", accepts="number", cases=_LOOSE)
def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The mean of the slices of each of so many segments, 0 for one without slices.

    d/ddata: the upstream of its segment over the number of its slices
    >>> unsorted_segment_mean([1.0, 2.0, 4.0], [1, 0, 1], 2)
    [2.0, 2.5]
    """
    rows, ids, count = _loose(data, segment_ids, num_segments, "unsorted_segment_mean")
    return _sum(rows, ids, count) / _sizes(rows, ids, count)


@composite(arity=1, tf="math.unsorted_segment_sqrt_n", accepts="number", cases=_LOOSE)
def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The sum of the slices of each of so many segments over the square root of their number.

    d/ddata: the upstream of its segment over the square root of the number of its slices
    >>> unsorted_segment_sqrt_n([1.0, 2.0], [1, 0], 2)
    [2.0, 1.0]
    """
    rows, ids, count = _loose(data, segment_ids, num_segments, "unsorted_segment_sqrt_n")
    return _sum(rows, ids, count) / np.sqrt(_sizes(rows, ids, count))


@composite(arity=1, tf="math.unsorted_segment_prod", accepts="number", cases=_LOOSE)
def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The product of the slices of each of so many segments, 1 for one without slices.

    d/ddata: the product of the others of its segment, exact also where entries are 0
    >>> unsorted_segment_prod([3.0, 2.0, 4.0], [1, 0, 1], 2)
    [2.0, 12.0]
    """
    return _prod(*_loose(data, segment_ids, num_segments, "unsorted_segment_prod"))


def _lowest(dtype: Any, largest: bool) -> Any:
    info = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    return info.min if largest else info.max


@composite(arity=1, tf="math.unsorted_segment_max", accepts="ordered", cases=_FULL)
def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The largest entry of each of so many segments; the lowest finite number for one without slices.

    d/ddata: 1 / (number of largest entries) at each of them, 0 elsewhere
    >>> unsorted_segment_max([1.0, 2.0, 4.0], [1, 0, 1], 2)
    [2.0, 4.0]
    """
    rows, ids, count = _loose(data, segment_ids, num_segments, "unsorted_segment_max")
    empty = _lowest(rows.dtype, True)
    return segment_extreme(rows, ids=ids, count=count, empty=empty, largest=True, of="unsorted_segment_max")


@composite(arity=1, tf="math.unsorted_segment_min", accepts="ordered", cases=_FULL)
def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any) -> Any:
    """The smallest entry of each of so many segments; the highest finite number for one without slices.

    d/ddata: 1 / (number of smallest entries) at each of them, 0 elsewhere
    >>> unsorted_segment_min([1.0, 2.0, 4.0], [1, 0, 1], 2)
    [2.0, 1.0]
    """
    rows, ids, count = _loose(data, segment_ids, num_segments, "unsorted_segment_min")
    empty = _lowest(rows.dtype, False)
    return segment_extreme(rows, ids=ids, count=count, empty=empty, largest=False, of="unsorted_segment_min")
