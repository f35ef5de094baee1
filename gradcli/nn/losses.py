"""Losses `loss(y_true, y_pred)`: one number an example, over the last axis, then reduced over the examples.

The formulas are those of Keras 3, with its smallest probability of 1e-7. `reduction` is "mean", "sum" or "none".
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable
from gradcli.engine.ops.activation import relu, sigmoid, softmax, softplus
from gradcli.engine.ops.arithmetic import square
from gradcli.engine.ops.axes import number
from gradcli.engine.ops.entropy import (
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from gradcli.engine.ops.exponential import log
from gradcli.engine.ops.reduction import reduce_mean, reduce_sum
from gradcli.engine.ops.selection import as_tensor, cast, clip_by_value, where
from gradcli.engine.ops.shape import reshape
from gradcli.engine.ops.statistics import l2_normalize

if TYPE_CHECKING:
    from collections.abc import Callable

    Loss = Callable[..., Any]

#: the smallest probability whose logarithm is taken
EPSILON = 1e-7
REDUCTIONS = ("mean", "sum", "none")


def reduced(values: Any, reduction: Any, op: str) -> Any:
    """The mean or the sum over all examples, or the values themselves. Raises `bad-value`."""
    if reduction == "mean":
        return reduce_mean(values)
    if reduction == "sum":
        return reduce_sum(values)
    if reduction in ("none", None):
        return values
    raise EngineError("bad-value", "choice", op=op, given=repr(reduction), known=REDUCTIONS)


def pair(y_true: Any, y_pred: Any, op: str) -> tuple[Any, Any]:
    """Both as tensors of one dtype, that of y_pred, and of one shape. Raises `shape-mismatch` or `bad-value`."""
    pred = as_tensor(y_pred)
    if isinstance(y_true, (Tensor, Variable)):
        true = as_tensor(y_true)
        if true.dtype != pred.dtype and true.dtype.kind in "iub":
            true = cast(true, pred.dtype)
    else:
        true = Tensor(np.asarray(as_tensor(y_true).value).astype(pred.dtype)[()])
    a, b = true.shape, pred.shape
    if len(a) == len(b) - 1 and b[-1] == 1:
        true = reshape(true, (*a, 1))
    elif len(b) == len(a) - 1 and a[-1] == 1:
        true = reshape(true, b)
    if true.shape != pred.shape:
        raise EngineError("shape-mismatch", "loss", op=op, shapes=(a, b))
    filled(pred, op)
    return true, pred


def filled(values: Any, op: str) -> None:
    """Raise `bad-value` for a batch without examples: it has no mean."""
    if not values.size:
        raise EngineError("bad-value", "empty-batch", op=op, shape=values.shape)


def loss(function: Loss) -> Loss:
    """Give a function of two tensors, one number an example, its `reduction` and checked operands."""
    op = function.__name__

    @functools.wraps(function)
    def call(y_true: Any, y_pred: Any, *args: Any, reduction: Any = "mean", **kwargs: Any) -> Any:
        true, pred = pair(y_true, y_pred, op)
        try:
            return reduced(function(true, pred, *args, **kwargs), reduction, op)
        except EngineError as error:
            if "op" in error.facts:
                error.facts["op"] = op
            raise

    call.per_example = function  # type: ignore[attr-defined]
    return call


def _last(values: Any) -> Any:
    return reduce_mean(values, axis=-1) if values.shape else values


@loss
def mean_squared_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of (y_true - y_pred)**2.

    >>> mean_squared_error([1.0, 2.0], [1.0, 4.0])
    2.0
    """
    return _last(square(y_true - y_pred))


@loss
def mean_absolute_error(y_true: Any, y_pred: Any) -> Any:
    """The mean of |y_true - y_pred|.

    >>> mean_absolute_error([1.0, 2.0], [1.0, 4.0])
    1.0
    """
    return _last(abs(y_true - y_pred))


@loss
def huber(y_true: Any, y_pred: Any, delta: Any = 1.0) -> Any:
    """e**2 / 2 where |e| <= delta, else delta |e| - delta**2 / 2, for e = y_pred - y_true.

    >>> huber([0.0, 0.0], [1.0, 3.0])
    1.5
    """
    width = number(delta, "huber", "delta")
    error = y_pred - y_true
    size = abs(error)
    return _last(where(size <= width, 0.5 * square(error), width * size - 0.5 * width * width))


@loss
def log_cosh(y_true: Any, y_pred: Any) -> Any:
    """The mean of log(cosh(y_pred - y_true)), without overflow.

    >>> log_cosh([0.0], [0.0])
    0.0
    """
    x = y_pred - y_true
    return _last(x + softplus(x * -2.0) - float(np.log(2.0)))


@loss
def hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of maximum(1 - y_true y_pred, 0), for labels -1 and 1; labels 0 and 1 are taken as -1 and 1.

    >>> hinge([1.0, -1.0], [0.5, 0.5])
    1.0
    """
    return _last(relu(1.0 - _signs(y_true) * y_pred))


@loss
def squared_hinge(y_true: Any, y_pred: Any) -> Any:
    """The mean of maximum(1 - y_true y_pred, 0)**2, for labels -1 and 1; labels 0 and 1 are taken as -1 and 1.

    >>> squared_hinge([1.0, -1.0], [0.5, 0.5])
    1.25
    """
    return _last(square(relu(1.0 - _signs(y_true) * y_pred)))


def _signs(labels: Any) -> Any:
    values = labels.value
    return 2.0 * labels - 1.0 if ((values == 0) | (values == 1)).all() else labels


@loss
def categorical_hinge(y_true: Any, y_pred: Any) -> Any:
    """maximum(1 + the largest score of a wrong class - the score of the right one, 0).

    >>> categorical_hinge([[1.0, 0.0]], [[0.5, 0.25]])
    0.75
    """
    from gradcli.engine.ops.reduction import reduce_max

    right = reduce_sum(y_true * y_pred, axis=-1)
    wrong = reduce_max((1.0 - y_true) * y_pred, axis=-1)
    return relu(wrong - right + 1.0)


def _clipped(p: Any) -> Any:
    return clip_by_value(p, EPSILON, 1.0 - EPSILON)


def _smooth(y_true: Any, label_smoothing: Any, op: str, classes: int) -> Any:
    amount = number(label_smoothing, op, "label_smoothing")
    if not 0 <= amount <= 1:
        raise EngineError("bad-value", "fraction", op=op, given=amount)
    return y_true * (1.0 - amount) + amount / classes if amount else y_true


@loss
def binary_crossentropy(y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0.0) -> Any:
    """The mean of -y log(p) - (1 - y) log(1 - p); with `from_logits`, p = sigmoid(y_pred), without loss of digits.

    >>> binary_crossentropy([1.0], [0.0], from_logits=true) ~= log(2.0)
    true
    """
    y_true = _smooth(y_true, label_smoothing, "binary_crossentropy", 2)
    if from_logits:
        return _last(sigmoid_cross_entropy_with_logits(y_true, y_pred))
    p = _clipped(y_pred)
    return _last(-(y_true * log(p) + (1.0 - y_true) * log(1.0 - p)))


@loss
def categorical_crossentropy(y_true: Any, y_pred: Any, from_logits: Any = False, label_smoothing: Any = 0.0) -> Any:
    """-sum(y log(p)) over the classes, p scaled to sum 1; with `from_logits`, p = softmax(y_pred).

    >>> categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]) ~= log(2.0)
    true
    """
    y_true = _smooth(y_true, label_smoothing, "categorical_crossentropy", y_pred.shape[-1] if y_pred.shape else 1)
    if from_logits:
        return softmax_cross_entropy_with_logits(y_true, y_pred)
    p = _clipped(y_pred / reduce_sum(y_pred, axis=-1, keepdims=True))
    return -reduce_sum(y_true * log(p), axis=-1)


def sparse_categorical_crossentropy(
    y_true: Any, y_pred: Any, from_logits: Any = False, reduction: Any = "mean"
) -> Any:  # fmt: skip
    """-log(p) at the class that each label names, p scaled to sum 1; with `from_logits`, p = softmax(y_pred).

    >>> sparse_categorical_crossentropy([1], [[0.5, 0.5]]) ~= log(2.0)
    true
    """
    op = "sparse_categorical_crossentropy"
    pred, labels = as_tensor(y_pred), as_tensor(y_true)
    if labels.dtype.kind == "f" and (labels.value == np.floor(labels.value)).all():
        labels = Tensor(labels.value.astype(np.int64))
    if labels.dtype.kind not in "iu":
        raise EngineError("bad-value", "whole-number", op=op, given=f"labels of dtype {labels.dtype.name}")
    if len(labels.shape) == len(pred.shape) and labels.shape[-1:] == (1,):
        labels = reshape(labels, labels.shape[:-1])
    if not pred.shape or labels.shape != pred.shape[:-1]:
        raise EngineError("shape-mismatch", "labels", op=op, shapes=(labels.shape, pred.shape))
    filled(pred, op)
    check_labels(labels.value, pred.shape[-1], op)
    logits = pred if from_logits else log(_clipped(pred))
    return reduced(sparse_softmax_cross_entropy_with_logits(labels, logits), reduction, op)


def check_labels(labels: Any, classes: int, op: str) -> None:
    """Raise `index-out-of-range` for the first label that names no class."""
    data = np.asarray(labels)
    wrong = (data < 0) | (data >= classes)
    if wrong.any():
        where_ = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise EngineError(
            "index-out-of-range", "label", op=op, given=int(data[where_]), classes=classes, position=where_
        )


@loss
def kl_divergence(y_true: Any, y_pred: Any) -> Any:
    """sum(p log(p / q)) of two distributions p = y_true and q = y_pred, none of whose entries is taken below 1e-7.

    >>> kl_divergence([0.5, 0.5], [0.5, 0.5])
    0.0
    """
    p, q = clip_by_value(y_true, EPSILON, 1.0), clip_by_value(y_pred, EPSILON, 1.0)
    return reduce_sum(p * log(p / q), axis=-1)


@loss
def poisson(y_true: Any, y_pred: Any) -> Any:
    """The mean of y_pred - y_true log(y_pred + 1e-7): minus the log-likelihood of counts, but for a constant.

    >>> poisson([2.0], [1.0]) ~= 1.0
    true
    """
    return _last(y_pred - y_true * log(y_pred + EPSILON))


@loss
def cosine_similarity(y_true: Any, y_pred: Any) -> Any:
    """Minus the cosine of the angle between the vectors along the last axis: -1 where they point the same way.

    >>> cosine_similarity([[1.0, 0.0]], [[2.0, 0.0]])
    -1.0
    """
    return -reduce_sum(l2_normalize(y_true, axis=-1) * l2_normalize(y_pred, axis=-1), axis=-1)


@loss
def binary_focal_crossentropy(
    y_true: Any, y_pred: Any, apply_class_balancing: Any = False, alpha: Any = 0.25, gamma: Any = 2.0,
    from_logits: Any = False, label_smoothing: Any = 0.0,
) -> Any:  # fmt: skip
    """The mean of (1 - p)**gamma times the binary cross-entropy, p the probability of the true label.

    `apply_class_balancing` weighs label 1 by alpha and label 0 by 1 - alpha.

    >>> binary_focal_crossentropy([1.0], [0.5]) ~= log(2.0) / 4.0
    true
    """
    op = "binary_focal_crossentropy"
    y = _smooth(y_true, label_smoothing, op, 2)
    q = sigmoid(y_pred) if from_logits else y_pred
    p = _clipped(q)
    entropy = -(y * log(p) + (1.0 - y) * log(1.0 - p))
    found = (1.0 - (y * q + (1.0 - y) * (1.0 - q))) ** number(gamma, op, "gamma") * entropy
    if apply_class_balancing:
        share = number(alpha, op, "alpha")
        found = (y * share + (1.0 - y) * (1.0 - share)) * found
    return _last(found)


@loss
def categorical_focal_crossentropy(
    y_true: Any, y_pred: Any, alpha: Any = 0.25, gamma: Any = 2.0, from_logits: Any = False, label_smoothing: Any = 0.0
) -> Any:
    """-sum(alpha (1 - p)**gamma y log(p)) over the classes, p scaled to sum 1 or the softmax of logits.

    >>> categorical_focal_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]) ~= log(2.0) / 16.0
    true
    """
    op = "categorical_focal_crossentropy"
    y = _smooth(y_true, label_smoothing, op, y_pred.shape[-1] if y_pred.shape else 1)
    q = softmax(y_pred) if from_logits else y_pred
    p = _clipped(q / reduce_sum(q, axis=-1, keepdims=True))
    return reduce_sum((1.0 - p) ** number(gamma, op, "gamma") * alpha * (-y * log(p)), axis=-1)
