"""Products with logarithms that stay finite at 0, and the cross entropies made of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case, Differs
from ..registrars import composite, elementwise
from .activation import sigmoid, softplus
from .arithmetic import multiply_no_nan, unconjugated
from .exponential import log, log1p

_POSITIVE = (0.2, 3.0)


def _present(x: Any) -> Any:
    """1 where x is not 0, else 0: in TensorFlow the derivative in x is lost where x is 0."""
    from .comparison import not_equal
    from .selection import cast

    return cast(not_equal(x, 0.0 * x), x.dtype)


def _guarded(x: Any, factor: Any) -> Any:
    product = x * factor
    return xp.where(xp.equal(x, 0), xp.zeros_like(product), product)[()]


@elementwise(
    lambda ct, _r, _x, y: multiply_no_nan(log(y), ct),
    lambda ct, _r, x, y: ct * xdivy(x, y),
    tf="math.xlogy",
    domain=((-2.0, 2.0), _POSITIVE),
    tensorflow=Differs(
        lambda _r, x, y: np.equal(x, 0) | np.iscomplexobj(x),
        unconjugated(lambda ct, _r, x, y: ct * xlogy(_present(x), y)),
        unconjugated(lambda ct, _r, x, y: ct * xdivy(x, y)),
    ),
)
def xlogy(x: Any, y: Any) -> Any:
    """x log(y), and 0 where x = 0, whatever y is.

    d/dx: log(y)
    d/dy: x / y, 0 where x = 0
    >>> xlogy(0.0, 0.0)
    0.0
    """
    return _guarded(x, xp.log(y))


@elementwise(
    lambda ct, _r, _x, y: multiply_no_nan(log1p(y), ct),
    lambda ct, _r, x, y: ct * xdivy(x, 1.0 + y),
    tf="math.xlog1py",
    domain=((-2.0, 2.0), (-0.5, 2.0)),
    tensorflow=Differs(
        lambda _r, x, y: np.equal(x, 0) | np.iscomplexobj(x),
        unconjugated(lambda ct, _r, x, y: ct * xlog1py(_present(x), y)),
        unconjugated(lambda ct, _r, x, y: ct * xdivy(x, 1.0 + y)),
    ),
)
def xlog1py(x: Any, y: Any) -> Any:
    """x log(1 + y), and 0 where x = 0, whatever y is.

    d/dx: log(1 + y)
    d/dy: x / (1 + y), 0 where x = 0
    >>> xlog1py(0.0, -1.0)
    0.0
    """
    return _guarded(x, xp.log1p(y))


@elementwise(
    lambda ct, _r, _x, y: multiply_no_nan(1.0 / y, ct),
    lambda ct, _r, x, y: ct * xdivy(-xdivy(x, y), y),  # not by y * y, which underflows
    tf="math.xdivy",
    domain=((-2.0, 2.0), (-2.5, -0.3, 0.3, 2.5)),
    tensorflow=Differs(
        lambda _r, x, y: np.equal(x, 0) | np.iscomplexobj(x),
        unconjugated(lambda ct, _r, x, y: ct * xdivy(_present(x), y)),
        unconjugated(lambda ct, _r, x, y: ct * xdivy(-x, y * y)),
    ),
)
def xdivy(x: Any, y: Any) -> Any:
    """x / y, and 0 where x = 0, whatever y is.

    d/dx: 1 / y
    d/dy: -x / y**2, 0 where x = 0
    >>> xdivy(0.0, 0.0)
    0.0
    """
    return _guarded(x, 1 / y)


@composite(arity=1, tf="math.log_sigmoid nn.log_sigmoid", accepts="real", cases=(Case((4,)),))
def log_sigmoid(x: Any) -> Any:
    """The logarithm of the sigmoid, without overflow.

    d/dx: sigmoid(-x)
    >>> log_sigmoid(1000.0)
    0.0
    """
    return 0.0 - softplus(-x)  # not -softplus, which prints -0.0 for a large x


def _logits_slope(ct: Any, _y: Any, labels: Any, logits: Any) -> Any:
    """sigmoid(l) - z, in a form that keeps its digits where both are nearly 0 or 1."""
    return ct * ((1.0 - labels) * sigmoid(logits) - labels * sigmoid(-logits))


@elementwise(
    lambda ct, _y, _labels, logits: ct * -logits,
    _logits_slope,
    tf="nn.sigmoid_cross_entropy_with_logits",
    accepts="real",
)
def sigmoid_cross_entropy_with_logits(labels: Any, logits: Any) -> Any:
    """-z log(sigmoid(l)) - (1 - z) log(1 - sigmoid(l)) for labels z and logits l, without overflow or loss of digits.

    d/dlabels: -logits
    d/dlogits: sigmoid(logits) - labels
    >>> sigmoid_cross_entropy_with_logits(1.0, 1000.0)
    0.0
    """
    return labels * softplus(-logits) + (1.0 - labels) * softplus(logits)


@composite(
    arity=2,
    tf="nn.softmax_cross_entropy_with_logits",
    accepts="real",
    cases=(Case((2, 3), (2, 3)), Case((2, 3), (2, 3), axis=0)),
)
def softmax_cross_entropy_with_logits(labels: Any, logits: Any, axis: Any = -1) -> Any:
    """-sum(labels * log(softmax(logits))) along an axis, without overflow.

    d/dlabels: -log(softmax(logits))
    d/dlogits: sum(labels) * softmax(logits) - labels
    >>> softmax_cross_entropy_with_logits([1.0, 0.0], [1000.0, 0.0])
    0.0
    """
    from .activations import log_softmax
    from .reduction import reduce_sum

    return reduce_sum(multiply_no_nan(-log_softmax(logits, axis=axis), labels), axis=axis)


def _check_labels(labels: Any, shape: tuple[int, ...], op: str) -> None:
    """Each label names a class, and each line of logits has one label. Raises where not."""
    if not shape or tuple(labels.shape) != shape[:-1]:
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(tuple(labels.shape), shape))
    data = np.asarray(getattr(labels, "value", labels))
    wrong = data[(data < 0) | (data >= shape[-1])]
    if wrong.size:
        raise EngineError("index-out-of-range", "axis", op=op, given=int(wrong[0]), length=shape[-1], axis=-1)


@composite(
    arity=2,
    tf="nn.sparse_softmax_cross_entropy_with_logits",
    accepts=("integer", "real"),
    cases=(Case([0, 2], (2, 3)),),
)
def sparse_softmax_cross_entropy_with_logits(labels: Any, logits: Any) -> Any:
    """-log(softmax(logits)) at the class that each label names, along the last axis.

    d/dlogits: softmax(logits), less 1 at the label
    >>> sparse_softmax_cross_entropy_with_logits([0], [[1000.0, 0.0]])
    [0.0]
    """
    from .activations import log_softmax
    from .gathering import along
    from .indexing import getitem

    shape = tuple(logits.shape)
    _check_labels(labels, shape, "sparse_softmax_cross_entropy_with_logits")
    data = np.asarray(getattr(labels, "value", labels))[..., None]
    picked = tuple(grid[..., 0] for grid in np.broadcast_arrays(*along(shape, data, -1))[:-1])
    return 0.0 - getitem(log_softmax(logits), index=(*picked, data[..., 0]))
