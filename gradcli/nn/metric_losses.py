"""Losses of distances between embeddings: contrastive, InfoNCE, and triplets in four forms.

Distances are squared euclidean ones unless `squared=false`; the root has slope 0 at distance 0 here, not infinity.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import EngineError, Tensor
from gradcli.engine.ops.activation import relu
from gradcli.engine.ops.activations import log_softmax
from gradcli.engine.ops.arithmetic import square
from gradcli.engine.ops.axes import number
from gradcli.engine.ops.contraction import matmul
from gradcli.engine.ops.exponential import sqrt
from gradcli.engine.ops.reduction import reduce_max, reduce_min, reduce_sum
from gradcli.engine.ops.selection import as_tensor, where
from gradcli.engine.ops.shape import expand_dims, transpose
from gradcli.engine.ops.statistics import l2_normalize

from .losses import filled, loss, reduced


@loss
def contrastive_loss(y_true: Any, y_pred: Any, margin: Any = 1.0) -> Any:
    """y d**2 + (1 - y) maximum(margin - d, 0)**2 for distances d = y_pred; y is 1 where a pair belongs together.

    >>> contrastive_loss([1.0, 0.0], [0.5, 0.5])
    0.25
    """
    apart = relu(number(margin, "contrastive_loss", "margin") - y_pred)
    return y_true * square(y_pred) + (1.0 - y_true) * square(apart)


def info_nce(queries: Any, keys: Any, temperature: Any = 0.1, reduction: Any = "mean") -> Any:
    """-log(softmax(cos(q, k) / temperature)) at each query's own key, the one in its row.

    >>> info_nce([[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [1.0, 0.0]]) ~= log(2.0)
    true
    """
    op = "info_nce"
    q: Any = as_tensor(queries)
    k: Any = as_tensor(keys)
    if len(q.shape) != 2 or q.shape != k.shape:
        raise EngineError("shape-mismatch", "loss", op=op, shapes=(q.shape, k.shape))
    filled(q, op)
    heat = number(temperature, op, "temperature")
    if not heat > 0:
        raise EngineError("bad-value", "positive", op=op, argument="temperature", given=heat)
    scores: Any = matmul(l2_normalize(q, axis=-1), l2_normalize(k, axis=-1), transpose_b=True) / heat
    own = np.eye(q.shape[0], dtype=q.dtype)
    likely: Any = reduce_sum(log_softmax(scores) * own, axis=-1)
    return reduced(-likely, reduction, op)


def triplet_loss(anchor: Any, positive: Any, negative: Any, margin: Any = 1.0, reduction: Any = "mean") -> Any:
    """maximum(|a - p|**2 - |a - n|**2 + margin, 0) of each row: the positive must be nearer than the negative.

    >>> triplet_loss([[0.0]], [[1.0]], [[1.0]])
    1.0
    """
    op = "triplet_loss"
    a: Any = as_tensor(anchor)
    p: Any = as_tensor(positive)
    n: Any = as_tensor(negative)
    if not a.shape == p.shape == n.shape:
        raise EngineError("shape-mismatch", "operands", op=op, shapes=(a.shape, p.shape, n.shape))
    filled(a, op)
    near: Any = reduce_sum(square(a - p), axis=-1)
    far: Any = reduce_sum(square(a - n), axis=-1)
    return reduced(relu(near - far + number(margin, op, "margin")), reduction, op)


def distances(embeddings: Any, squared: Any) -> Any:
    """The distance of every pair of rows, [n, n], exactly 0 of a row to itself."""
    norms = reduce_sum(square(embeddings), axis=-1)
    products = matmul(embeddings, transpose(embeddings))
    found = relu(expand_dims(norms, 1) - 2.0 * products + expand_dims(norms, 0))
    n = embeddings.shape[0]
    found = found * Tensor((1 - np.eye(n)).astype(embeddings.dtype))
    if squared:
        return found
    apart = found > 0.0
    return where(apart, sqrt(where(apart, found, 1.0)), 0.0 * found)


def _mined(labels: Any, embeddings: Any, squared: Any, op: str) -> tuple[Any, Any, Any]:
    """Distances, and for each pair of rows: are they two of one class, are they of two classes?"""
    x, classes = as_tensor(embeddings), np.asarray(as_tensor(labels).value)
    if classes.ndim == 2 and classes.shape[1] == 1:
        classes = classes[:, 0]
    if len(x.shape) != 2 or classes.shape != x.shape[:1]:
        raise EngineError("shape-mismatch", "labels", op=op, shapes=(classes.shape, x.shape))
    filled(x, op)
    same = classes[:, None] == classes[None, :]
    return distances(x, squared), same & ~np.eye(len(classes), dtype=bool), ~same


def _share(total: Any, count: int) -> Any:
    return total / float(max(count, 1))


def triplet_all_loss(labels: Any, embeddings: Any, margin: Any = 1.0, squared: Any = True) -> Any:
    """The batch-all form: the mean of maximum(d_ap - d_an + margin, 0) over the triplets where it is not 0.

    >>> triplet_all_loss([0, 0, 1], [[0.0], [1.0], [1.0]])
    1.5
    """
    op = "triplet_all_loss"
    d, same, other = _mined(labels, embeddings, squared, op)
    valid = same[:, :, None] & other[:, None, :]
    terms = relu(expand_dims(d, 2) - expand_dims(d, 1) + number(margin, op, "margin"))
    terms = terms * Tensor(valid.astype(d.dtype))
    return _share(reduce_sum(terms), int(np.count_nonzero(terms.value > 1e-16)))


def triplet_hard_loss(labels: Any, embeddings: Any, margin: Any = 1.0, squared: Any = True) -> Any:
    """The batch-hard form: maximum(margin + farthest of the same class - nearest of another, 0), mean over rows.

    Rows without another of their class, or without one of another class, do not count.

    >>> triplet_hard_loss([0, 0, 1], [[0.0], [1.0], [3.0]])
    0.0
    """
    op = "triplet_hard_loss"
    d, same, other = _mined(labels, embeddings, squared, op)
    counted = same.any(axis=1) & other.any(axis=1)
    farthest = reduce_max(where(same, d, 0.0 * d - 1.0), axis=1)
    nearest = reduce_min(where(other, d, 0.0 * d + float(np.finfo(d.dtype).max)), axis=1)
    kept = Tensor(counted.astype(d.dtype))
    terms = relu(where(counted, farthest - nearest + number(margin, op, "margin"), 0.0 * farthest)) * kept
    return _share(reduce_sum(terms), int(np.count_nonzero(counted)))


def triplet_semihard_loss(labels: Any, embeddings: Any, margin: Any = 1.0, squared: Any = True) -> Any:
    """The semi-hard form: for each pair of one class the nearest row of another class that is farther than the pair.

    Where there is none, the farthest row of another class is taken. The mean of maximum(margin + d_ap - d_an, 0) over
    the pairs (FaceNet, Schroff et al. 2015).

    >>> triplet_semihard_loss([0, 0, 1], [[0.0], [1.0], [3.0]])
    0.0
    """
    op = "triplet_semihard_loss"
    d, same, other = _mined(labels, embeddings, squared, op)
    data = d.value
    # which row is the negative of a pair is a choice: made on values, and the gradient goes through the distance chosen
    further = other[:, None, :] & (data[:, None, :] > data[:, :, None])
    nearest = np.where(further, data[:, None, :], np.inf).argmin(axis=2)
    farthest = np.where(other, data, -np.inf).argmax(axis=1)
    chosen = np.where(further.any(axis=2), nearest, farthest[:, None])
    pairs = same & other.any(axis=1)[:, None]
    rows = np.repeat(np.arange(len(data))[:, None], len(data), axis=1)
    terms = relu(d - d[rows, chosen] + number(margin, op, "margin")) * Tensor(pairs.astype(d.dtype))
    return _share(reduce_sum(terms), int(np.count_nonzero(pairs)))
