"""Windows that slide over images: their geometry, cutting them out and adding them back, and pooling over them.

Images are [batch, height, width, channels]. Cutting out (`patches`) and adding back (`fold`) are each other's
transposes, so that what is made of them has derivatives of any order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..errors import EngineError
from ..primitive import Case, Kink
from ..registrars import composite, primitive
from .axes import shape_of
from .indexing import put_index

Pair = tuple[int, int]


def two(value: Any, op: str) -> Pair:
    """A number for height and width: one number, two, or four in the order of the image's axes. At least 1."""
    found = shape_of(value, op)
    if len(found) == 4 and found[0] == found[3] == 1:
        found = found[1:3]
    if len(found) not in (1, 2) or any(n < 1 for n in found):
        raise EngineError("bad-value", "shape", op=op, given=str(list(found)))
    return found[0], found[-1]


def margins(padding: Any, size: Pair, window: Pair, strides: Pair, dilations: Pair, op: str) -> tuple[Pair, Pair]:
    """Rows above and below, columns left and right: from "VALID", "SAME" or explicit lists."""
    if isinstance(padding, (list, tuple)):
        rows = [shape_of(row, op) for row in padding]
        rows = rows[1:3] if len(rows) == 4 else rows
        if len(rows) != 2 or any(len(row) != 2 or min(row) < 0 for row in rows):
            raise EngineError("bad-value", "shape", op=op, given=str(padding))
        return (rows[0][0], rows[0][1]), (rows[1][0], rows[1][1])
    kind = str(padding).upper()
    if kind == "VALID":
        return (0, 0), (0, 0)
    if kind != "SAME":
        raise EngineError("bad-value", "choice", op=op, given=str(padding), known=("VALID", "SAME"))
    found = []
    for n, k, s, d in zip(size, window, strides, dilations):
        more = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
        found.append((more // 2, more - more // 2))
    return found[0], found[1]


def counts(size: Pair, window: Pair, strides: Pair, pads: tuple[Pair, Pair], dilations: Pair) -> Pair:
    """How many windows there are, down and across."""
    found = [
        max(0, (n + before + behind - (k - 1) * d - 1) // s + 1)
        for n, k, s, (before, behind), d in zip(size, window, strides, pads, dilations)
    ]
    return found[0], found[1]


def windows(x: Any, window: Pair, strides: Pair, pads: tuple[Pair, Pair], dilations: Pair, filler: Any = 0) -> Any:
    """A view [..., down, across, kh, kw, channels] of the windows of images that are padded with `filler`."""
    if any(n for pad in pads for n in pad):
        x = np.pad(x, [(0, 0)] * (x.ndim - 3) + [*pads, (0, 0)], constant_values=filler)
    (kh, kw), (sh, sw), (dh, dw) = window, strides, dilations
    reach = ((kh - 1) * dh + 1, (kw - 1) * dw + 1)
    if x.shape[-3] < reach[0] or x.shape[-2] < reach[1]:
        places = counts((x.shape[-3], x.shape[-2]), window, strides, ((0, 0), (0, 0)), dilations)
        return np.zeros((*x.shape[:-3], *places, kh, kw, x.shape[-1]), x.dtype)
    view = sliding_window_view(x, reach, axis=(-3, -2))[..., ::sh, ::sw, :, ::dh, ::dw]
    return np.moveaxis(view, -3, -1)


def add_back(columns: Any, size: Pair, strides: Pair, pads: tuple[Pair, Pair], dilations: Pair) -> Any:
    """[kh, kw, channels, batch, down, across] added up where the windows were: [batch, height, width, channels].

    Channels come first, so that each of the kh * kw additions runs over long contiguous rows.
    """
    kh, kw, channels, batch, down, across = columns.shape
    (above, below), (left, right) = pads
    total = np.zeros((channels, batch, size[0] + above + below, size[1] + left + right), columns.dtype)
    for i in range(kh):
        for j in range(kw):
            top, first = i * dilations[0], j * dilations[1]
            total[
                ..., top : top + strides[0] * down : strides[0], first : first + strides[1] * across : strides[1]
            ] += columns[i, j]
    inner = total[..., above : above + size[0], left : left + size[1]]
    return np.ascontiguousarray(inner.transpose(1, 2, 3, 0))


def images(x: Any, op: str) -> None:
    """Raises `shape-mismatch` for what is no batch of images."""
    if len(x.shape) != 4:
        raise EngineError("shape-mismatch", "rank", op=op, shapes=(tuple(x.shape),), rank=4)


def framed(op: str, *ranks: int, fits: Any = None) -> Any:
    """The check of an operation on windows: operands of at least these ranks, and an axis or more as `fits` has them.

    Raises `shape-mismatch`.
    """

    def prepare(*operands: Any, **geometry: Any) -> dict[str, Any]:
        for x, rank in zip(operands, ranks):
            if np.ndim(x) < rank:
                raise EngineError("shape-mismatch", "rank", op=op, shapes=(np.shape(x),), rank=rank)
        if fits is not None:
            want, shape = fits(**geometry), np.shape(operands[0])
            if shape[-1 - len(want) : -1] != want:
                raise EngineError("shape-mismatch", "operands", op=op, shapes=(shape, want))
        return geometry

    return prepare


def _of_images(size: Pair, **_: Any) -> tuple[int, ...]:
    return tuple(size)


def _of_windows(size: Pair, window: Pair, strides: Pair, pads: Any, dilations: Pair) -> tuple[int, ...]:
    return (*counts(size, window, strides, pads, dilations), *window)


def channels_last(data_format: Any, known: str, op: str) -> None:
    """Raises `bad-value` for another order of the axes."""
    if data_format not in (None, known):
        raise EngineError("bad-value", "choice", op=op, given=str(data_format), known=(known,))


def _cut(ct: Any, _y: Any, _x: Any, size: Pair, **geometry: Any) -> Any:
    return patches(ct, size=size, **geometry)


def _add(ct: Any, _y: Any, _x: Any, size: Pair, **geometry: Any) -> Any:
    return fold(ct, size=size, **geometry)


_GEOMETRY: Any = {"size": (3, 4), "window": (2, 2), "strides": (1, 2), "pads": ((0, 1), (1, 0)), "dilations": (1, 1)}
_DILATED: Any = {"size": (4, 3), "window": (2, 2), "strides": (1, 1), "pads": ((0, 0), (0, 0)), "dilations": (2, 1)}


@primitive(
    _add,
    accepts="number",
    prepare=framed("patches", 4, fits=_of_images),
    cases=(Case((1, 3, 4, 2), **_GEOMETRY), Case((2, 4, 3, 1), **_DILATED)),
)
def patches(x: Any, size: Any, window: Any, strides: Any, pads: Any, dilations: Any) -> Any:
    """The windows of images padded with zeros: [batch, down, across, kh, kw, channels].

    d/dx: each entry of the upstream added where it was cut out
    >>> patches([[[[1.0], [2.0]]]], [1, 2], [1, 1], [1, 1], [[0, 0], [0, 0]], [1, 1])
    [[[[[[1.0]]], [[[2.0]]]]]]
    """
    return windows(x, window, strides, pads, dilations)


@primitive(
    _cut,
    accepts="number",
    prepare=framed("fold", 6, fits=_of_windows),
    cases=(Case((1, 3, 2, 2, 2, 2), **_GEOMETRY), Case((1, 2, 2, 2, 2, 1), **_DILATED)),
)
def fold(x: Any, size: Any, window: Any, strides: Any, pads: Any, dilations: Any) -> Any:
    """Windows added up where they lie in images of a size; the transpose of `patches`.

    d/dx: the windows of the upstream
    >>> fold([[[[[[1.0]]], [[[2.0]]]]]], [1, 2], [1, 1], [1, 1], [[0, 0], [0, 0]], [1, 1])
    [[[[1.0], [2.0]]]]
    """
    lead = x.shape[:-5]
    flat = x.reshape(math.prod(lead), *x.shape[-5:]).transpose(3, 4, 5, 0, 1, 2)
    return add_back(flat, size, strides, pads, dilations).reshape(*lead, *size, x.shape[-1])


def _pooled(x: Any, ksize: Any, strides: Any, padding: Any, data_format: Any, op: str) -> dict[str, Any]:
    channels_last(data_format, "NHWC", op)
    images(x, op)
    window = two(ksize, op)
    steps = window if strides is None else two(strides, op)
    size = (x.shape[1], x.shape[2])
    pads = margins(padding, size, window, steps, (1, 1), op)
    return {"size": size, "window": window, "strides": steps, "pads": pads, "dilations": (1, 1)}


@composite(
    arity=1,
    tf="nn.avg_pool nn.avg_pool2d avg_pool2d",
    accepts="real",
    cases=(
        Case((1, 4, 4, 2), ksize=2),
        Case((2, 3, 4, 1), ksize=2, strides=1, padding="SAME"),
        Case((1, 5, 5, 1), ksize=[3, 2], strides=2),
    ),
)
def avg_pool(x: Any, ksize: Any, strides: Any = None, padding: Any = "VALID", data_format: Any = "NHWC") -> Any:
    """The mean of each window of images. At the margins of "SAME" the entries that are there count.

    d/dx: the upstream of each window over the number of its entries
    >>> avg_pool([[[[1.0], [3.0]]]], [1, 2])
    [[[[2.0]]]]
    """
    from .reduction import reduce_mean, reduce_sum
    from .shape import reshape

    geometry = _pooled(x, ksize, strides, padding, data_format, "avg_pool")
    (height, width), (kh, kw) = geometry["size"], geometry["window"]
    if geometry["strides"] == (kh, kw) and not (height % kh or width % kw or np.any(geometry["pads"])):
        tiles = reshape(x, (x.shape[0], height // kh, kh, width // kw, kw, x.shape[3]))
        return reduce_mean(tiles, axis=[2, 4])
    rest = {key: geometry[key] for key in ("window", "strides", "pads", "dilations")}
    number = windows(np.ones((*geometry["size"], 1), x.dtype), **rest).sum(axis=(-3, -2))
    return reduce_sum(patches(x, **geometry), axis=[-3, -2]) / number


def _shifted(x: Any, window: Pair, strides: Pair, pads: tuple[Pair, Pair]) -> list[Any]:
    """For each place of a window, row by row, the entries that stand there: images with one entry a window."""
    if any(n for pad in pads for n in pad):
        x = np.pad(x, [(0, 0), *pads, (0, 0)], constant_values=-np.inf)
    down, across = counts((x.shape[1], x.shape[2]), window, strides, ((0, 0), (0, 0)), (1, 1))
    return [
        x[:, i : i + strides[0] * down : strides[0], j : j + strides[1] * across : strides[1]]
        for i in range(window[0])
        for j in range(window[1])
    ]


def _first_largest(x: Any, window: Pair, strides: Pair, pads: tuple[Pair, Pair]) -> Any:
    """Where the largest entry of each window stands among all entries; of equal ones the first, row by row."""
    layers = _shifted(x, window, strides, pads)
    best, place = layers[0], np.zeros(layers[0].shape, np.intp)
    for k, layer in enumerate(layers[1:], 1):
        better = (layer > best) | (np.isnan(layer) & ~np.isnan(best))
        best, place = np.where(better, layer, best), np.where(better, k, place)
    n, down, across, channels = place.shape
    row = (np.arange(down) * strides[0] - pads[0][0])[:, None, None] + place // window[1]
    column = (np.arange(across) * strides[1] - pads[1][0])[:, None] + place % window[1]
    image = np.arange(n)[:, None, None, None]
    return ((image * x.shape[1] + row) * x.shape[2] + column) * channels + np.arange(channels)


def _largest_rule(ct: Any, _y: Any, x: Any, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Any:
    from .shape import reshape

    raw = np.asarray(getattr(x, "value", x))
    at = _first_largest(raw, ksize, strides, padding)
    lead = len(ct.shape) - 4
    front = tuple(ct.shape[:lead])
    index = (slice(None),) * lead + (at,)
    return reshape(put_index(ct, index=index, shape=(*front, raw.size)), (*front, *raw.shape))


def _tied(y: Any, x: Any, ksize: Any, strides: Any, padding: Any, data_format: Any) -> Any:
    view = windows(x, ksize, strides, padding, (1, 1), -np.inf)
    return np.sum(view == y[..., None, None, :], axis=(-3, -2)) > 1


def _max_prepared(x: Any, ksize: Any, strides: Any, padding: Any, data_format: Any) -> dict[str, Any]:
    found = _pooled(x, ksize, strides, padding, data_format, "max_pool")
    return {"ksize": found["window"], "strides": found["strides"], "padding": found["pads"], "data_format": "NHWC"}


@primitive(
    _largest_rule,
    tf="nn.max_pool nn.max_pool2d max_pool2d",
    accepts="real",
    prepare=_max_prepared,
    cases=(
        Case((1, 4, 4, 2), ksize=2),
        Case((2, 3, 4, 1), ksize=2, strides=1, padding="SAME"),
        Case((1, 5, 5, 1), ksize=[3, 2], strides=2),
    ),
    kink=Kink("tie", _tied, "all to the first of the window", "0 and 1"),
)
def max_pool(x: Any, ksize: Any, strides: Any = None, padding: Any = "VALID", data_format: Any = "NHWC") -> Any:
    """The largest entry of each window of images.

    d/dx: the upstream of each window at its largest entry; of equal ones the first takes it all
    >>> max_pool([[[[1.0], [3.0]]]], [1, 2])
    [[[[3.0]]]]
    """
    layers = _shifted(x, ksize, strides, padding)
    best = np.array(layers[0])
    for layer in layers[1:]:
        np.maximum(best, layer, out=best)
    return best
