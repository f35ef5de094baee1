"""Joining and separating: concat, stack, unstack."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import composite, primitive
from .axes import negative_axis


def _joined_axis(values: list[Any], axis: Any = 0) -> dict[str, Any]:
    ndim = np.ndim(values[0])
    if ndim == 0:
        raise EngineError("shape-mismatch", "scalars", op="concat", shapes=tuple(np.shape(v) for v in values))
    i = negative_axis(axis, ndim, "concat")
    for value in values:
        shape, first = list(np.shape(value)), list(np.shape(values[0]))
        if len(shape) != len(first) or any(a != b for k, (a, b) in enumerate(zip(shape, first)) if k != i + ndim):
            raise EngineError("shape-mismatch", "joined", op="concat", shapes=tuple(np.shape(v) for v in values))
    return {"axis": i}


def _concat_rule(ct: Any, _y: Any, _xs: Any, axis: int) -> list[Any]:
    parts, start = [], 0
    for x in _xs:
        stop = start + x.shape[axis]
        parts.append(ct[(Ellipsis, slice(start, stop)) + (slice(None),) * (-axis - 1)])
        start = stop
    return parts


@primitive(
    _concat_rule,
    arity=-1,
    numpy="concatenate",
    accepts="any",
    prepare=_joined_axis,
    cases=(Case([(2,), (3,)]), Case([(2, 3), (2, 1)], axis=1), Case([(1, 2), (2, 2)], axis=-2)),
)
def concat(values: Any, axis: Any = 0) -> Any:
    """Tensors one after the other along an axis that they have.

    d/dvalues: the piece of the upstream that belongs to each
    >>> concat([[1.0], [2.0, 3.0]], 0)
    [1.0, 2.0, 3.0]
    """
    return xp.concatenate(values, axis=axis)


def _stacked_axis(values: list[Any], axis: Any = 0) -> dict[str, Any]:
    shapes = tuple(np.shape(v) for v in values)
    if any(shape != shapes[0] for shape in shapes):
        raise EngineError("shape-mismatch", "stacked", op="stack", shapes=shapes)
    return {"axis": negative_axis(axis, len(shapes[0]) + 1, "stack")}


def _stack_rule(ct: Any, _y: Any, _xs: Any, axis: int) -> list[Any]:
    return [ct[(Ellipsis, i) + (slice(None),) * (-axis - 1)] for i in range(len(_xs))]


@primitive(
    _stack_rule,
    arity=-1,
    numpy="stack",
    accepts="any",
    prepare=_stacked_axis,
    cases=(Case([(), ()]), Case([(2,), (2,)], axis=1), Case([(2, 3), (2, 3)], axis=-2)),
)
def stack(values: Any, axis: Any = 0) -> Any:
    """Tensors of one shape side by side along a new axis.

    d/dvalues: the slice of the upstream that belongs to each
    >>> stack([1.0, 2.0])
    [1.0, 2.0]
    """
    return xp.stack(values, axis=axis)


def _same_shape(values: list[Any]) -> dict[str, Any]:
    shapes = tuple(np.shape(v) for v in values)
    if len(set(shapes)) > 1:
        raise EngineError("shape-mismatch", "joined", op="add_n", shapes=shapes)
    return {}


@primitive(
    lambda ct, _y, _xs: [ct] * len(_xs),
    arity=-1,
    tf="math.add_n",
    accepts="number",
    prepare=_same_shape,
    cases=(Case([(2, 3), (2, 3), (2, 3)]), Case([(4,)])),
)
def add_n(inputs: Any) -> Any:
    """The sum of a list of tensors of one shape.

    d/dinputs: the upstream, for each
    >>> add_n([[1.0], [2.0]])
    [3.0]
    """
    return sum(inputs[1:], start=inputs[0])


@composite(arity=1, accepts="any", cases=(Case((3,)), Case((2, 3), axis=1), Case((3, 2, 2), axis=-2)))
def unstack(x: Any, axis: int = 0) -> list[Any]:
    """The slices along an axis, as a list.

    d/dx: each upstream at its slice
    >>> unstack([1.0, 2.0])
    [1.0, 2.0]
    """
    i = negative_axis(axis, len(x.shape), "unstack")
    return [x[(Ellipsis, k) + (slice(None),) * (-i - 1)] for k in range(x.shape[i])]
