"""Scaling to a given mean, spread or length: batch_norm, layer_norm, global_norm, clip_by_global_norm."""

from __future__ import annotations

from typing import Any

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from ..tensor import Tensor
from .axes import axis_set, number
from .exponential import rsqrt, sqrt
from .reduction import reduce_mean, reduce_sum
from .statistics import reduce_variance


def _spread(variance: Any, epsilon: Any) -> Any:
    """1 / sqrt(variance + epsilon)."""
    shifted: Any = variance if type(variance) is Tensor else Tensor(variance)
    return rsqrt(shifted + number(epsilon, "batch_norm", "epsilon"))


@composite(
    arity=3,
    tf="nn.batch_normalization",
    accepts="real",
    domain=((-2.0, 2.0), (-1.0, 1.0), (0.3, 2.0)),
    cases=(
        Case((4, 3), (3,), (3,)),
        Case((2, 3), (3,), (3,), (3,), (1, 3)),
        Case((2, 3), (2, 1), (2, 1), variance_epsilon=0.1, scale=2.0, offset=1.0),
    ),
)
def batch_norm(
    x: Any, mean: Any, variance: Any, offset: Any = None, scale: Any = None, variance_epsilon: Any = 0.001
) -> Any:
    """x with `mean` taken off and `variance` scaled to 1, then scaled by `scale` and moved by `offset`.

    d/dx: scale / sqrt(variance + epsilon)
    d/dmean: -scale / sqrt(variance + epsilon)
    d/dvariance: -scale (x - mean) / (2 (variance + epsilon)**1.5)
    >>> batch_norm([1.0, 3.0], 2.0, 4.0, variance_epsilon=0.0)
    [-0.5, 0.5]
    """
    factor = _spread(variance, variance_epsilon)
    if scale is not None:
        factor = factor * scale
    y = (x - mean) * factor
    return y if offset is None else y + offset


@composite(
    arity=1,
    accepts="real",
    cases=(
        Case((2, 5)),
        Case((2, 3), (3,), ()),
        Case((3, 2), axis=0, epsilon=0.1),
        Case((2, 3), scale=2.0, offset=1.0),
    ),
)
def layer_norm(x: Any, scale: Any = None, offset: Any = None, axis: Any = -1, epsilon: Any = 1e-5) -> Any:
    """x with mean 0 and variance 1 along an axis or several, then scaled by `scale` and moved by `offset`.

    d/dx: (u - mean(u) - y mean(u y)) / sqrt(variance + epsilon), where u is scale times the upstream
    >>> layer_norm([1.0, 3.0], epsilon=0.0)
    [-1.0, 1.0]
    """
    axis = list(axis_set(axis, len(x.shape), "layer_norm") or ())
    y = (x - reduce_mean(x, axis=axis, keepdims=True)) * _spread(reduce_variance(x, axis=axis, keepdims=True), epsilon)
    if scale is not None:
        y = y * scale
    return y if offset is None else y + offset


def _tensors(items: Any, op: str) -> list[Any]:
    """The tensors of a list; None stands for a gradient that is not there. Raises `bad-value` if none is left."""
    from .selection import as_tensors

    given = list(items) if isinstance(items, (list, tuple)) else [items]
    if all(item is None for item in given):
        raise EngineError("bad-value", "empty-list", op=op)
    there = iter(as_tensors(item for item in given if item is not None))
    return [None if item is None else next(there) for item in given]


@composite(
    arity=0,
    tf="linalg.global_norm",
    accepts="real",
    domain=(0.5, 2.0),
    cases=(Case([(2,), (2, 2)]), Case([(1,), ()])),
)
def global_norm(t_list: Any) -> Any:
    """The euclidean norm of all entries of a list of tensors; a None in the list counts nothing.

    d/dt_list: each tensor / norm, nan where the norm is 0
    >>> global_norm([[3.0], [0.0, 4.0]])
    5.0
    """
    total: Any = None
    for item in _tensors(t_list, "global_norm"):
        if item is not None:
            squares = reduce_sum(item * item)
            total = squares if total is None else total + squares
    return sqrt(total)


@composite(
    arity=0,
    accepts="real",
    domain=(0.5, 2.0),
    cases=(
        Case([(2,), (2, 2)], clip_norm=0.5),
        Case([(2,), (2,)], clip_norm=99.0),
        Case([(2,)], clip_norm=1.0, use_norm=3.0),
    ),
)
def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None) -> Any:
    """A list of tensors, all scaled down by one factor so that their global norm is at most `clip_norm`; and that norm.

    d/dt_list: 1 where not clipped, else clip_norm times that of t / norm
    >>> clip_by_global_norm([[3.0], [4.0]], 1.0)
    [[[0.6], [0.8]], 5.0]
    """
    from .selection import as_tensor, maximum

    items = _tensors(t_list, "clip_by_global_norm")
    length: Any = global_norm(items) if use_norm is None else use_norm
    if isinstance(length, (int, float)):  # a literal is of the tensors' dtype
        length = Tensor(next(item.dtype for item in items if item is not None).type(length))
    length = as_tensor(length)
    # nan from an infinite norm is passed on, as in TensorFlow: nothing can be scaled by it
    factor = clip_norm / maximum(length, clip_norm) + (length - length)
    return [None if item is None else item * factor for item in items], length
