"""Quantiles and moments of the entries along axes: quantile, median, moments."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from .axes import axis_set
from .statistics import reduce_variance


def _in_order(x: Any, axis: Any, op: str) -> tuple[Any, tuple[int, ...], Any]:
    """The entries of the reduced axes as one last axis in order, those axes, and which lines hold a nan."""
    from .shape import reshape, transpose
    from .sorting import sort

    lost = axis_set(axis, len(x.shape), op) or ()
    kept_axes = [i for i in range(-len(x.shape), 0) if i not in lost]
    lead = [x.shape[i] for i in kept_axes]
    size = math.prod(x.shape[i] for i in lost)
    if not size:
        raise EngineError("bad-value", "empty", op=op)
    line = sort(reshape(transpose(x, [*kept_axes, *lost]), [*lead, size]), axis=-1)
    return line, lost, np.isnan(np.asarray(getattr(line, "value", line))).any(axis=-1)


def _at(line: Any, fraction: float, op: str) -> Any:
    """The quantile between the two entries in order that are nearest to it."""
    if not 0.0 <= fraction <= 1.0:
        raise EngineError("bad-value", "fraction", op=op, given=fraction)
    place = fraction * (line.shape[-1] - 1)
    low = math.floor(place)
    share = place - low
    if share == 0.0:  # no 0 · inf from the entry behind it
        return line[..., low]
    return line[..., low] * (1.0 - share) + line[..., low + 1] * share


def _quantile(x: Any, q: Any, axis: Any, keepdims: Any, op: str) -> Any:
    from .joining import stack
    from .selection import where
    from .shape import reshape

    line, lost, unknown = _in_order(x, axis, op)
    fractions = np.asarray(getattr(q, "value", q), np.float64)
    found = []
    for fraction in fractions.reshape(-1).tolist():
        y = _at(line, fraction, op)
        if unknown.any():
            y = where(unknown, y * 0.0 + math.nan, y)
        if keepdims:
            y = reshape(y, [1 if i in lost else x.shape[i] for i in range(-len(x.shape), 0)])
        found.append(y)
    if fractions.ndim == 0:
        return found[0]
    return reshape(stack(found), [*fractions.shape, *found[0].shape])


@composite(
    arity=1,
    numpy="quantile",
    accepts="real",
    cases=(Case((5,), q=0.3), Case((2, 3), q=[0.0, 0.5, 0.9], axis=1), Case((2, 3, 2), q=0.7, axis=[0, 2])),
)
def quantile(x: Any, q: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The value below which the fraction `q` of the entries lies, between two entries on the line through them.

    d/dx: the share of each of the two entries between which it lies; a tie goes by position
    >>> quantile([1.0, 2.0, 4.0], 0.75)
    3.0
    """
    return _quantile(x, q, axis, keepdims, "quantile")


@composite(
    arity=1,
    numpy="median",
    accepts="real",
    cases=(Case((5,)), Case((4,)), Case((2, 3), axis=0, keepdims=True)),
)
def median(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The entry in the middle, or the mean of the two in the middle, along the axes, all of them by default.

    d/dx: 1 at the middle entry, or 1/2 at both; a tie goes by position
    >>> median([5.0, 1.0, 2.0])
    2.0
    """
    return _quantile(x, 0.5, axis, keepdims, "median")


class Moments(NamedTuple):
    """Mean and variance."""

    mean: Any
    variance: Any


@composite(
    arity=1,
    tf="nn.moments",
    accepts="real",
    cases=(Case((3,), axes=[0]), Case((3, 2), axes=[0]), Case((3, 2), axes=[0, 1], keepdims=True)),
)
def moments(x: Any, axes: Any, shift: Any = None, keepdims: Any = False) -> Any:
    """The mean and the variance along the axes. `shift` is taken for TensorFlow's sake and changes nothing.

    d/dx: 1 / n for the mean, 2 (x - mean) / n for the variance
    >>> moments([1.0, 3.0], [0])
    [2.0, 1.0]
    """
    from .reduction import reduce_mean

    places = list(axis_set(axes, len(x.shape), "moments") or ())
    mean = reduce_mean(x, axis=places, keepdims=keepdims)
    return Moments(mean, reduce_variance(x, axis=places, keepdims=keepdims))
