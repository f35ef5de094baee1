"""Rivals of reductions, scans, shapes, indices and joins."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rival import SIDE, Rival, uniform

RIVALS: dict[str, Rival] = {}


def reduced(name: str, f: Any, g: Any, low: float = 0.2, high: float = 0.8, **params: Any) -> None:
    """`g(x, y, ct)` is the gradient, where y = f(x) reduces the last axis."""

    def by_hand(x: Any) -> Any:
        y = f(x)
        return y, [g(x, y, np.ones_like(y))]

    RIVALS[name] = Rival(uniform(low, high), by_hand, params)


def _last(ct: Any, x: Any) -> Any:
    return np.broadcast_to(ct[:, None], x.shape)


def _others(x: Any) -> Any:
    before = np.concatenate([np.ones_like(x[:, :1]), np.cumprod(x, 1)[:, :-1]], 1)
    after = np.concatenate([np.cumprod(x[:, ::-1], 1)[:, ::-1][:, 1:], np.ones_like(x[:, :1])], 1)
    return before * after


def _extreme(x: Any, y: Any, ct: Any) -> Any:
    hit = (x == y[:, None]).astype(x.dtype)
    return hit * (ct / hit.sum(1))[:, None]


def _softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _softmax_back(x: Any, y: Any, ct: Any) -> Any:
    return y * (ct - (ct * y).sum(-1, keepdims=True))


def _log_softmax(x: Any) -> Any:
    z = x - x.max(-1, keepdims=True)
    return z - np.log(np.exp(z).sum(-1, keepdims=True))


def _logsumexp(x: Any) -> Any:
    top = x.max(1)
    return top + np.log(np.exp(x - top[:, None]).sum(1))


reduced("reduce_sum", lambda x: x.sum(1), lambda x, y, ct: _last(ct, x).copy(), axis=1)
reduced("reduce_mean", lambda x: x.mean(1), lambda x, y, ct: _last(ct / x.shape[1], x).copy(), axis=1)
reduced("reduce_max", lambda x: x.max(1), _extreme, axis=1)
reduced("reduce_min", lambda x: x.min(1), _extreme, axis=1)
reduced("reduce_prod", lambda x: x.prod(1), lambda x, y, ct: ct[:, None] * _others(x), 0.9, 1.1, axis=1)
reduced("reduce_variance", lambda x: x.var(1),
        lambda x, y, ct: (ct * 2 / x.shape[1])[:, None] * (x - x.mean(1, keepdims=True)), axis=1)  # fmt: skip
reduced("reduce_std", lambda x: x.std(1),
        lambda x, y, ct: (ct / (y * x.shape[1]))[:, None] * (x - x.mean(1, keepdims=True)), axis=1)  # fmt: skip
reduced("reduce_logsumexp", _logsumexp, lambda x, y, ct: ct[:, None] * np.exp(x - y[:, None]), axis=1)
reduced("reduce_euclidean_norm", lambda x: np.sqrt((x * x).sum(1)), lambda x, y, ct: (ct / y)[:, None] * x, axis=1)
reduced("norm", lambda x: np.sqrt((x * x).sum(1)), lambda x, y, ct: (ct / y)[:, None] * x, axis=1)
reduced("l2_loss", lambda x: (x * x).sum() / 2, lambda x, y, ct: ct * x)
reduced("softmax", _softmax, _softmax_back)
reduced("log_softmax", _log_softmax, lambda x, y, ct: ct - np.exp(y) * ct.sum(-1, keepdims=True))
reduced("l2_normalize", lambda x: x / np.sqrt((x * x).sum(1, keepdims=True)),
        lambda x, y, ct: (ct - y * (ct * y).sum(1, keepdims=True)) / np.sqrt((x * x).sum(1, keepdims=True)),
        axis=1)  # fmt: skip
reduced("clip_by_norm", lambda x: x / np.sqrt((x * x).sum()),
        lambda x, y, ct: (ct - y * (ct * y).sum()) / np.sqrt((x * x).sum()), clip_norm=1.0)  # fmt: skip
reduced("cumsum", lambda x: np.cumsum(x, 1), lambda x, y, ct: np.cumsum(ct[:, ::-1], 1)[:, ::-1].copy(), axis=1)
reduced("cumprod", lambda x: np.cumprod(x, 1),
        lambda x, y, ct: np.cumsum((ct * y)[:, ::-1], 1)[:, ::-1] / x, 0.99, 1.01, axis=1)  # fmt: skip
reduced("cumulative_logsumexp", lambda x: np.logaddexp.accumulate(x, 1),
        lambda x, y, ct: np.exp(x) * np.cumsum((ct * np.exp(-y))[:, ::-1], 1)[:, ::-1], axis=1)  # fmt: skip
reduced("diff", lambda x: np.diff(x, axis=1),
        lambda x, y, ct: np.diff(np.pad(-ct, ((0, 0), (1, 1))), axis=1), axis=1)  # fmt: skip


def _cumulative_extreme(accumulate: Any) -> Any:
    def by_hand(x: Any) -> Any:
        y = accumulate(x, axis=1)
        new = np.concatenate([np.ones_like(x[:, :1], bool), y[:, 1:] != y[:, :-1]], 1)
        at = np.maximum.accumulate(np.where(new, np.arange(x.shape[1]), 0), 1)
        g = np.zeros_like(x)
        flat = at + np.arange(x.shape[0])[:, None] * x.shape[1]
        g = np.bincount(flat.ravel(), np.ones(x.size), x.size).reshape(x.shape)
        return y, [g]

    return by_hand


RIVALS["cummax"] = Rival(uniform(), _cumulative_extreme(np.maximum.accumulate), {"axis": 1})
RIVALS["cummin"] = Rival(uniform(), _cumulative_extreme(np.minimum.accumulate), {"axis": 1})


def moved(name: str, f: Any, back: Any, params: Any = None) -> None:
    """Entries that only change their places: `back(ct, x)` puts the upstream where they came from."""

    def by_hand(x: Any) -> Any:
        y = np.ascontiguousarray(f(x))
        return y, [np.ascontiguousarray(back(np.ones_like(y), x))]

    RIVALS[name] = Rival(uniform(), by_hand, params)


moved("transpose", lambda x: x.T, lambda ct, x: ct.T)
moved("matrix_transpose", lambda x: x.T, lambda ct, x: ct.T)
moved("adjoint", lambda x: x.T, lambda ct, x: ct.T)
moved("swapaxes", lambda x: x.swapaxes(0, 1), lambda ct, x: ct.swapaxes(0, 1), {"axis1": 0, "axis2": 1})
moved("moveaxis", lambda x: np.moveaxis(x, 0, 1), lambda ct, x: np.moveaxis(ct, 1, 0), {"source": 0, "destination": 1})
moved("reverse", lambda x: x[::-1], lambda ct, x: ct[::-1], {"axis": [0]})
moved("rot90", np.rot90, lambda ct, x: np.rot90(ct, -1))
moved("roll", lambda x: np.roll(x, 3, 1), lambda ct, x: np.roll(ct, -3, 1), {"shift": 3, "axis": 1})
moved("tril", np.tril, lambda ct, x: np.tril(ct))
moved("triu", np.triu, lambda ct, x: np.triu(ct))
moved("band_part", lambda x: np.tril(np.triu(x, -2), 3), lambda ct, x: np.tril(np.triu(ct, -2), 3),
      {"num_lower": 2, "num_upper": 3})  # fmt: skip
moved("reshape", lambda x: x.reshape(-1), lambda ct, x: ct.reshape(x.shape), {"shape": [-1]})
moved("flatten", lambda x: x.reshape(-1), lambda ct, x: ct.reshape(x.shape))
moved("expand_dims", lambda x: x[None], lambda ct, x: ct[0], {"axis": 0})
moved(
    "tile", lambda x: np.tile(x, (1, 2)), lambda ct, x: ct[:, : x.shape[1]] + ct[:, x.shape[1] :], {"multiples": [1, 2]}
)
moved("repeat", lambda x: np.repeat(x, 2, 1), lambda ct, x: ct.reshape(*x.shape, 2).sum(-1), {"repeats": 2, "axis": 1})
moved("pad", lambda x: np.pad(x, ((1, 1), (2, 2))), lambda ct, x: ct[1:-1, 2:-2], {"paddings": [[1, 1], [2, 2]]})
moved("sort", lambda x: np.sort(x, 1), lambda ct, x: _unsorted(ct, x), {"axis": 1})


def _unsorted(ct: Any, x: Any) -> Any:
    g = np.empty_like(ct)
    np.put_along_axis(g, np.argsort(x, 1, kind="stable"), ct, 1)
    return g


RIVALS["squeeze"] = Rival(
    uniform(shape=lambda: (1, SIDE[0], SIDE[0])), lambda x: (x[0].copy(), [np.ones_like(x)]), {"axis": [0]}
)
RIVALS["broadcast_to"] = Rival(
    uniform(shape=lambda: (1, SIDE[0])),
    lambda x: (np.broadcast_to(x, (SIDE[0], SIDE[0])).copy(), [np.ones((SIDE[0], SIDE[0])).sum(0, keepdims=True)]),
    lambda: {"shape": [SIDE[0], SIDE[0]]},
)  # fmt: skip


def picked(name: str, f: Any, params: Any = None, shape: Any = None) -> None:
    """Entries that are picked: the upstream goes back to their places, added up where one was picked twice."""

    def by_hand(x: Any) -> Any:
        y = f(x)
        places = f(np.arange(x.size).reshape(x.shape))
        return y, [np.bincount(places.ravel(), np.ones(places.size), x.size).reshape(x.shape)]

    RIVALS[name] = Rival(uniform(shape=shape), by_hand, params)


def _rows() -> Any:
    return (np.arange(SIDE[0]) * 7 % SIDE[0]).tolist()


def _one_slice(x: Any) -> Any:
    y = x[1:, 2:].copy()
    g = np.zeros_like(x)
    g[1:, 2:] = np.ones_like(y)
    return y, [g]


def _gathered(x: Any) -> Any:
    rows = np.array(_rows())
    y = x[rows]
    g = np.zeros_like(x)
    np.add.at(g, rows, np.ones_like(y))
    return y, [g]


RIVALS["slice"] = Rival(uniform(), _one_slice, lambda: {"begin": [1, 2], "size": [SIDE[0] - 1, SIDE[0] - 2]})
RIVALS["strided_slice"] = Rival(uniform(), _one_slice, lambda: {"begin": [1, 2], "end": [SIDE[0], SIDE[0]]})
RIVALS["gather"] = Rival(uniform(), _gathered, lambda: {"indices": _rows()})
RIVALS["embedding_lookup"] = Rival(uniform(), _gathered, lambda: {"ids": _rows()})
RIVALS["diag_part"] = Rival(uniform(), lambda x: (np.diagonal(x).copy(), [np.diag(np.ones(len(x)))]))
RIVALS["diag"] = Rival(
    uniform(shape=lambda: (SIDE[0],)), lambda x: (np.diag(x), [np.diagonal(np.ones((len(x),) * 2)).copy()])
)
RIVALS["trace"] = Rival(uniform(), lambda x: (np.trace(x), [np.eye(len(x))]))


def _split(x: Any) -> Any:
    return np.split(x, 2, 1), [np.concatenate([np.ones_like(part) for part in np.split(x, 2, 1)], 1)]


def _joined(axis: int, stacked: bool) -> Any:
    def by_hand(*xs: Any) -> Any:
        y = np.stack(xs, axis) if stacked else np.concatenate(xs, axis)
        ct = np.ones_like(y)
        parts = [np.take(ct, i, axis) for i in range(len(xs))] if stacked else np.split(ct, len(xs), axis)
        return y, [part.copy() for part in parts]

    return by_hand


RIVALS["split"] = Rival(uniform(), _split, {"num_or_size_splits": 2, "axis": 1})
RIVALS["unstack"] = Rival(
    uniform(shape=lambda: (4, SIDE[0], SIDE[0] // 4)), lambda x: (list(x), [np.stack([np.ones_like(p) for p in x])])
)
RIVALS["concat"] = Rival(uniform(count=2), _joined(1, False), {"axis": 1}, spread=True)
RIVALS["stack"] = Rival(uniform(count=2), _joined(0, True), spread=True)
RIVALS["add_n"] = Rival(uniform(count=2), lambda a, b: (a + b, [np.ones_like(a), np.ones_like(b)]), spread=True)


def _median(x: Any) -> Any:
    n, k = x.shape[1], x.shape[1] // 2
    order = np.argpartition(x, (k - 1, k), 1)
    y = (np.take_along_axis(x, order[:, k - 1 : k + 1], 1)).mean(1)
    g = np.zeros_like(x)
    np.put_along_axis(g, order[:, k - 1 : k + 1] if n % 2 == 0 else order[:, k : k + 1], 0.5, 1)
    return y, [g]


RIVALS["median"] = Rival(uniform(), _median, {"axis": 1})
RIVALS["quantile"] = Rival(uniform(), _median, {"q": 0.5, "axis": 1})
RIVALS["top_k"] = Rival(uniform(), lambda x: _top(x, 5), {"k": 5})


def _top(x: Any, k: int) -> Any:
    at = np.argpartition(-x, k, 1)[:, :k]
    values = np.take_along_axis(x, at, 1)
    order = np.argsort(-values, 1)
    g = np.zeros_like(x)
    np.put_along_axis(g, at, 1.0, 1)
    return np.take_along_axis(values, order, 1), [g]
