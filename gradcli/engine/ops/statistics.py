"""Variances, norms and smooth maxima: reduce_variance, reduce_std, reduce_logsumexp, and what is scaled by a norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Case
from ..registrars import composite, primitive
from .arithmetic import multiply_no_nan
from .axes import axis_set, number
from .logarithms import over_largest
from .reduction import kept

_CASES = (Case((4,)), Case((2, 3), axis=0), Case((2, 3), axis=-1, keepdims=True))


def _axes(op: str) -> Any:
    def prepare(x: Any, axis: Any = None, keepdims: Any = False) -> dict[str, Any]:
        return {"axis": axis_set(axis, np.ndim(x), op), "keepdims": bool(keepdims)}

    return prepare


def _squares(x: Any) -> Any:
    """The squares of the entries, of complex ones of their moduli, as real numbers."""
    from .arithmetic import square

    if x.dtype.kind != "c":
        return square(x)
    from .complexes import conj, real

    return real(x * conj(x))


@composite(arity=1, tf="math.reduce_variance", numpy="var", method="var", cases=_CASES)
def reduce_variance(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The mean square distance from the mean along the axes, all of them by default; real also of complex numbers.

    d/dx: 2 (x - mean) / n
    >>> reduce_variance([1.0, 3.0])
    1.0
    """
    from .reduction import reduce_mean

    return reduce_mean(_squares(x - reduce_mean(x, axis=axis, keepdims=True)), axis=axis, keepdims=keepdims)


@composite(arity=1, tf="math.reduce_std", numpy="std", method="std", cases=_CASES)
def reduce_std(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The standard deviation along the axes, all of them by default: the square root of the variance.

    d/dx: (x - mean) / (n std)
    >>> reduce_std([1.0, 3.0])
    1.0
    """
    from .exponential import sqrt

    return sqrt(reduce_variance(x, axis=axis, keepdims=keepdims))


def _logsumexp_rule(ct: Any, y: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    from .exponential import exp

    return kept(ct, x, axis, keepdims) * exp(x - kept(y, x, axis, keepdims))


@primitive(
    _logsumexp_rule,
    tf="math.reduce_logsumexp",
    accepts="real",
    prepare=_axes("reduce_logsumexp"),
    cases=(*_CASES, Case(())),
)
def reduce_logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """log(sum(exp(x))) along the axes, all of them by default, without overflow.

    d/dx: softmax(x)
    >>> reduce_logsumexp([1000.0])
    1000.0
    """
    top, rest = over_largest(x, axis)
    total = top + rest
    return (total if keepdims else np.squeeze(total, axis=axis)).astype(x.dtype)[()]


def _norm_rule(ct: Any, y: Any, x: Any, axis: Any, keepdims: bool) -> Any:
    upstream = kept(ct, x, axis, keepdims)
    if x.dtype.kind == "c":
        from .complexes import conj, real
        from .selection import cast

        x, upstream = conj(x), cast(real(upstream), x.dtype)
    return multiply_no_nan(x / kept(y, x, axis, keepdims), upstream)


@primitive(
    _norm_rule,
    tf="math.reduce_euclidean_norm",
    accepts="float",
    prepare=_axes("reduce_euclidean_norm"),
    cases=_CASES,
)
def reduce_euclidean_norm(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The square root of the sum of squares along the axes, all of them by default.

    Of complex numbers it is that of the squares of their moduli, and of the dtype of x.

    d/dx: x / norm, nan where the norm is 0
    >>> reduce_euclidean_norm([3.0, 4.0])
    5.0
    """
    # not scaled, as in TensorFlow: where the squares overflow or underflow, `math:` tells the right value beside inf
    squares = x * (xp.conjugate(x) if x.dtype.kind == "c" else x)
    return xp.sqrt(np.sum(squares, axis=axis, keepdims=keepdims)).astype(x.dtype)[()]


@composite(arity=1, tf="nn.l2_loss", accepts="real", cases=(Case((2, 3)),))
def l2_loss(x: Any) -> Any:
    """Half the sum of squares.

    d/dx: x
    >>> l2_loss([3.0, 4.0])
    12.5
    """
    from .reduction import reduce_sum

    return reduce_sum(x * x) / 2.0


@composite(arity=1, tf="math.l2_normalize nn.l2_normalize", accepts="float", cases=(Case((4,)), Case((2, 3), axis=1)))
def l2_normalize(x: Any, axis: Any = None, epsilon: Any = 1e-12) -> Any:
    """x over its euclidean norm along the axes; a square norm below `epsilon` is taken as `epsilon`.

    d/dx: (upstream - y sum(upstream y)) / norm
    >>> l2_normalize([3.0, 4.0])
    [0.6, 0.8]
    """
    from .exponential import rsqrt
    from .reduction import reduce_sum
    from .selection import cast, maximum

    least = number(epsilon, "l2_normalize", "epsilon")
    return x * cast(rsqrt(maximum(reduce_sum(_squares(x), axis=axis, keepdims=True), least)), x.dtype)


@composite(
    arity=1,
    accepts="real",
    cases=(
        Case((4,), clip_norm=0.5),
        Case((4,), 0.5),
        Case((4,), clip_norm=9.0),
        Case((2, 3), clip_norm=0.5, axes=[1]),
    ),
)
def clip_by_norm(x: Any, clip_norm: Any, axes: Any = None) -> Any:
    """x, scaled down to the euclidean norm `clip_norm` along the axes where it is longer.

    d/dx: 1 where not clipped, else clip_norm times that of x / norm
    >>> clip_by_norm([3.0, 4.0], 1.0)
    [0.6, 0.8]
    """
    from .exponential import sqrt
    from .reduction import reduce_sum
    from .selection import maximum, where

    squares = reduce_sum(x * x, axis=axes, keepdims=True)
    some = squares > 0.0
    length = where(some, sqrt(where(some, squares, squares + 1.0)), squares)
    return x * clip_norm / maximum(length, clip_norm)
