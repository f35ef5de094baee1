"""Convolutions of images and sequences: conv1d, conv2d, depthwise_conv2d, separable_conv2d, conv2d_transpose.

A convolution is linear in the image and in the filters. Three primitives, the value and the pullbacks to either, are
each other's derivatives, so that every order is there; each is one copy of the windows and one product of matrices.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite, primitive
from .windows import Pair, add_back, channels_last, counts, framed, images, margins, patches, two, windows

_PLAIN: Any = {
    "size": (3, 4), "window": (2, 2), "strides": (1, 2), "pads": ((1, 0), (0, 1)), "dilations": (1, 1)
}  # fmt: skip


def _rows(x: Any, window: Pair, strides: Pair, pads: Any, dilations: Pair) -> Any:
    """The windows as rows of a matrix, and how many there are."""
    view = windows(x, window, strides, pads, dilations)
    return view.reshape(math.prod(view.shape[:-3]), math.prod(view.shape[-3:])), view.shape[:-3]


def _columns(x: Any) -> Any:
    """All axes but the last as one, which may be empty."""
    return x.reshape(math.prod(x.shape[:-1]), x.shape[-1])


@primitive(
    lambda ct, _y, _x, k, **geometry: convolve_back(ct, k, **geometry),
    lambda ct, _y, x, _k, **geometry: correlate(x, ct, **geometry),
    accepts="float",
    prepare=framed("convolve", 4, 4),
    batchable=False,
    cases=(Case((1, 3, 4, 2), (2, 2, 2, 3), **_PLAIN),),
)
def convolve(x: Any, k: Any, size: Any, window: Any, strides: Any, pads: Any, dilations: Any) -> Any:
    """The sum over each window of images times the filters; what `conv2d` does.

    d/dx: the upstream times the filters, added back where the windows were
    d/dk: the windows times the upstream
    >>> convolve([[[[3.0]]]], [[[[2.0]]]], [1, 1], [1, 1], [1, 1], [[0, 0], [0, 0]], [1, 1])
    [[[[6.0]]]]
    """
    rows, shape = _rows(x, window, strides, pads, dilations)
    return (rows @ _columns(k)).reshape(*shape, k.shape[-1])


@primitive(
    lambda ct, _y, _x, k, **geometry: convolve(ct, k, **geometry),
    lambda ct, _y, x, _k, **geometry: correlate(ct, x, **geometry),
    accepts="float",
    prepare=framed("convolve_back", 4, 4),
    batchable=False,
    cases=(Case((1, 3, 2, 3), (2, 2, 2, 3), **_PLAIN),),
)
def convolve_back(x: Any, k: Any, size: Any, window: Any, strides: Any, pads: Any, dilations: Any) -> Any:
    """The pullback of a convolution to its images, which is the transposed convolution.

    d/dx: the convolution of the upstream
    d/dk: the windows of the upstream times x
    >>> convolve_back([[[[3.0]]]], [[[[2.0]]]], [1, 1], [1, 1], [1, 1], [[0, 0], [0, 0]], [1, 1])
    [[[[6.0]]]]
    """
    columns = _columns(k) @ _columns(x).T
    return add_back(columns.reshape(*k.shape[:-1], *x.shape[:-1]), size, strides, pads, dilations)


@primitive(
    lambda ct, _y, _x, g, **geometry: convolve_back(g, ct, **geometry),
    lambda ct, _y, x, _g, **geometry: convolve(x, ct, **geometry),
    accepts="float",
    prepare=framed("correlate", 4, 4),
    batchable=False,
    cases=(Case((1, 3, 4, 2), (1, 3, 2, 3), **_PLAIN),),
)
def correlate(x: Any, g: Any, size: Any, window: Any, strides: Any, pads: Any, dilations: Any) -> Any:
    """The pullback of a convolution to its filters: each window times the upstream at its place.

    d/dx: g times the upstream, added back where the windows were
    d/dg: the convolution of x with the upstream
    >>> correlate([[[[3.0]]]], [[[[2.0]]]], [1, 1], [1, 1], [1, 1], [[0, 0], [0, 0]], [1, 1])
    [[[[6.0]]]]
    """
    rows, _ = _rows(x, window, strides, pads, dilations)
    return (rows.T @ _columns(g)).reshape(*window, x.shape[-1], g.shape[-1])


def _geometry(x: Any, filters: Any, strides: Any, padding: Any, dilations: Any, op: str) -> dict[str, Any]:
    images(x, op)
    images(filters, op)
    if filters.shape[2] != x.shape[3]:
        raise EngineError("shape-mismatch", "channels", op=op, shapes=(tuple(x.shape), tuple(filters.shape)))
    size, window = (x.shape[1], x.shape[2]), (filters.shape[0], filters.shape[1])
    steps, spread = two(strides, op), two(1 if dilations is None else dilations, op)
    pads = margins(padding, size, window, steps, spread, op)
    return {"size": size, "window": window, "strides": steps, "pads": pads, "dilations": spread}


@composite(
    arity=2,
    tf="nn.conv2d nn.convolution",
    accepts="float",
    cases=(
        Case((2, 4, 3, 2), (2, 2, 2, 3)),
        Case((1, 4, 5, 1), (3, 2, 1, 2), strides=2, padding="SAME"),
        Case((1, 5, 5, 1), (2, 2, 1, 1), dilations=2, padding=[[0, 0], [1, 0], [0, 2], [0, 0]]),
    ),
)
def conv2d(
    x: Any, filters: Any, strides: Any = 1, padding: Any = "VALID", data_format: Any = "NHWC", dilations: Any = None
) -> Any:
    """Filters [kh, kw, channels, out] slid over images [batch, height, width, channels], without turning them.

    `padding` is "VALID", "SAME" or [[above, below], [left, right]].

    d/dx: the upstream times the filters, added back where the windows were
    d/dfilters: the windows times the upstream
    >>> conv2d([[[[1.0], [2.0], [4.0]]]], [[[[1.0]], [[-1.0]]]])
    [[[[-1.0], [-2.0]]]]
    """
    channels_last(data_format, "NHWC", "conv2d")
    return convolve(x, filters, **_geometry(x, filters, strides, padding, dilations, "conv2d"))


@composite(
    arity=2,
    tf="nn.conv1d",
    accepts="float",
    cases=(Case((2, 5, 2), (2, 2, 3)), Case((1, 5, 1), (3, 1, 2), stride=2, padding="SAME")),
)
def conv1d(
    x: Any, filters: Any, stride: Any = 1, padding: Any = "VALID", data_format: Any = "NWC", dilations: Any = None
) -> Any:
    """Filters [k, channels, out] slid over sequences [batch, length, channels], without turning them.

    d/dx: the upstream times the filters, added back where the windows were
    d/dfilters: the windows times the upstream
    >>> conv1d([[[1.0], [2.0], [4.0]]], [[[1.0]], [[-1.0]]])
    [[[-1.0], [-2.0]]]
    """
    from .axes import whole_number
    from .shape import expand_dims, squeeze

    channels_last(data_format, "NWC", "conv1d")
    if len(x.shape) != 3 or len(filters.shape) != 3:
        bad = x if len(x.shape) != 3 else filters
        raise EngineError("shape-mismatch", "rank", op="conv1d", shapes=(tuple(bad.shape),), rank=3)
    spread = whole_number(1 if dilations is None else dilations, "conv1d")
    if isinstance(padding, (list, tuple)):
        padding = [[0, 0], padding[1] if len(padding) == 3 else padding]
    wide, flat = expand_dims(x, 1), expand_dims(filters, 0)
    step = whole_number(stride, "conv1d")
    geometry = _geometry(wide, flat, [1, step], padding, [1, spread], "conv1d")
    return squeeze(convolve(wide, flat, **geometry), axis=1)


@composite(
    arity=2,
    tf="nn.conv2d_transpose",
    accepts="float",
    cases=(
        Case((1, 2, 2, 2), (2, 2, 1, 2), output_shape=[1, 3, 3, 1], padding="VALID"),
        Case((1, 2, 2, 1), (3, 3, 2, 1), output_shape=[1, 4, 4, 2], strides=2),
    ),
)
def conv2d_transpose(
    x: Any, filters: Any, output_shape: Any, strides: Any = 1, padding: Any = "SAME", data_format: Any = "NHWC",
    dilations: Any = None,
) -> Any:  # fmt: skip
    """The transpose of the convolution that makes images like `x` out of images of `output_shape`.

    The filters are [kh, kw, out, channels].

    d/dx: the convolution of the upstream
    d/dfilters: the windows of the upstream times x
    >>> conv2d_transpose([[[[3.0]]]], [[[[1.0]], [[-1.0]]]], [1, 1, 2, 1], padding="VALID")
    [[[[3.0], [-3.0]]]]
    """
    from .axes import shape_of

    channels_last(data_format, "NHWC", "conv2d_transpose")
    images(x, "conv2d_transpose")
    images(filters, "conv2d_transpose")
    wanted = shape_of(output_shape, "conv2d_transpose")
    if len(wanted) == 2:
        wanted = (x.shape[0], *wanted, filters.shape[2])
    if len(wanted) != 4 or any(n < 0 for n in wanted):
        raise EngineError("bad-value", "shape", op="conv2d_transpose", given=str(list(wanted)))
    like = np.broadcast_to(np.zeros((), np.int8), wanted)
    geometry = _geometry(like, filters, strides, padding, dilations, "conv2d_transpose")
    down, across = counts(*(geometry[key] for key in ("size", "window", "strides", "pads", "dilations")))
    if tuple(x.shape) != (wanted[0], down, across, filters.shape[3]):
        raise EngineError("shape-mismatch", "operands", op="conv2d_transpose", shapes=(tuple(x.shape), wanted))
    return convolve_back(x, filters, **geometry)


@composite(
    arity=2,
    tf="nn.depthwise_conv2d",
    accepts="float",
    cases=(Case((1, 3, 3, 2), (2, 2, 2, 1)), Case((1, 4, 4, 2), (3, 2, 2, 2), strides=2, padding="SAME")),
)
def depthwise_conv2d(
    x: Any, filters: Any, strides: Any = 1, padding: Any = "VALID", data_format: Any = "NHWC", dilations: Any = None
) -> Any:
    """Filters [kh, kw, channels, m] that each see one channel and make m of it, slid over images.

    d/dx: the upstream times the filters, added back where the windows were
    d/dfilters: the windows times the upstream, channel by channel
    >>> depthwise_conv2d([[[[1.0], [2.0], [4.0]]]], [[[[1.0]], [[-1.0]]]])
    [[[[-1.0], [-2.0]]]]
    """
    from .einsum import contract
    from .shape import reshape

    channels_last(data_format, "NHWC", "depthwise_conv2d")
    cut = patches(x, **_geometry(x, filters, strides, padding, dilations, "depthwise_conv2d"))
    made = contract([cut, filters], "nxyijc,ijcm->nxycm")
    return reshape(made, (*made.shape[:3], made.shape[3] * made.shape[4]))


@composite(
    arity=3,
    tf="nn.separable_conv2d",
    accepts="float",
    cases=(Case((1, 3, 3, 2), (2, 2, 2, 2), (1, 1, 4, 3)),),
)
def separable_conv2d(
    x: Any, depthwise_filter: Any, pointwise_filter: Any, strides: Any = 1, padding: Any = "VALID",
    data_format: Any = "NHWC", dilations: Any = None,
) -> Any:  # fmt: skip
    """A depthwise convolution and, over its channels, one with filters of one entry.

    d/dx: the upstream through both
    d/ddepthwise_filter: the windows times what the second gives back
    d/dpointwise_filter: the first result times the upstream
    >>> separable_conv2d([[[[1.0], [2.0]]]], [[[[3.0]]]], [[[[2.0]]]])
    [[[[6.0], [12.0]]]]
    """
    return conv2d(depthwise_conv2d(x, depthwise_filter, strides, padding, data_format, dilations), pointwise_filter)
