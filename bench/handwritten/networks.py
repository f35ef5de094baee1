"""Rivals of what networks are made of: convolutions, pools, normalisations, losses, scatters and segments."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from .rival import IMAGE, SIDE, Rival, uniform

RIVALS: dict[str, Rival] = {}


def _images(rng: np.random.Generator) -> list[Any]:
    channels = IMAGE[0][-1]
    return [rng.standard_normal(IMAGE[0]), rng.standard_normal((3, 3, channels, channels)) / 9]


def _conv2d(x: Any, k: Any) -> Any:
    windows = sliding_window_view(x, (3, 3), axis=(1, 2))  # n, h, w, c, 3, 3
    y = np.tensordot(windows, k, ([4, 5, 3], [0, 1, 2]))
    ct = np.ones_like(y)
    gk = np.tensordot(windows, ct, ([0, 1, 2], [0, 1, 2])).transpose(1, 2, 0, 3)
    gx = np.zeros_like(x)
    h, w = y.shape[1:3]
    for i in range(3):
        for j in range(3):
            gx[:, i : i + h, j : j + w] += ct @ k[i, j].T
    return y, [gx, gk]


def _conv1d(x: Any, k: Any) -> Any:
    windows = sliding_window_view(x, 3, axis=1)
    y = np.tensordot(windows, k, ([3, 2], [0, 1]))
    ct = np.ones_like(y)
    gk = np.tensordot(windows, ct, ([0, 1], [0, 1])).transpose(1, 0, 2)
    gx = np.zeros_like(x)
    for i in range(3):
        gx[:, i : i + y.shape[1]] += ct @ k[i].T
    return y, [gx, gk]


def _depthwise(x: Any, k: Any) -> Any:
    h, w = x.shape[1] - 2, x.shape[2] - 2
    y = sum(x[:, i : i + h, j : j + w] * k[i, j, :, 0] for i in range(3) for j in range(3))
    ct = np.ones_like(y)
    gx, gk = np.zeros_like(x), np.zeros_like(k)
    for i in range(3):
        for j in range(3):
            gx[:, i : i + h, j : j + w] += ct * k[i, j, :, 0]
            gk[i, j, :, 0] = (x[:, i : i + h, j : j + w] * ct).sum((0, 1, 2))
    return y, [gx, gk]


def _pooled(x: Any) -> Any:
    n, h, w, c = x.shape
    return x.reshape(n, h // 2, 2, w // 2, 2, c)


def _avg_pool(x: Any) -> Any:
    y = _pooled(x).mean((2, 4))
    g = np.empty_like(x)
    _pooled(g)[:] = (np.ones_like(y) / 4)[:, :, None, :, None]
    return y, [g]


def _max_pool(x: Any) -> Any:
    n, h, w, c = x.shape
    windows = _pooled(x).transpose(0, 1, 3, 5, 2, 4).reshape(n, h // 2, w // 2, c, 4)
    at = windows.argmax(-1)
    y = np.take_along_axis(windows, at[..., None], -1)[..., 0]
    g = np.zeros_like(windows)
    np.put_along_axis(g, at[..., None], 1.0, -1)
    return y, [g.reshape(n, h // 2, w // 2, c, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(x.shape)]


RIVALS["conv2d"] = Rival(_images, _conv2d)
RIVALS["conv1d"] = Rival(
    lambda rng: [rng.standard_normal((SIDE[0] // 10, SIDE[0], 10)), rng.standard_normal((3, 10, 10))], _conv1d
)
RIVALS["depthwise_conv2d"] = Rival(
    lambda rng: [rng.standard_normal(IMAGE[0]), rng.standard_normal((3, 3, IMAGE[0][-1], 1))], _depthwise,
    {"strides": [1, 1, 1, 1]},
)  # fmt: skip
RIVALS["avg_pool"] = Rival(lambda rng: [rng.standard_normal(IMAGE[0])], _avg_pool, {"ksize": 2, "strides": 2})
RIVALS["max_pool"] = Rival(lambda rng: [rng.standard_normal(IMAGE[0])], _max_pool, {"ksize": 2, "strides": 2})


def _batch_norm(x: Any, mean: Any, variance: Any, offset: Any, scale: Any) -> Any:
    inverse = 1 / np.sqrt(variance + 1e-3)
    centred = x - mean
    factor = inverse * scale
    y = centred * factor + offset
    ct = np.ones_like(y)
    along = (ct * centred).sum(0)
    total = ct.sum(0)
    return y, [ct * factor, -total * factor, along * scale * -0.5 * inverse**3, total, along * inverse]


def _layer_norm(x: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    inverse = 1 / np.sqrt((centred * centred).mean(-1, keepdims=True) + 1e-5)
    y = centred * inverse
    ct = np.ones_like(y)
    inner = ct - ct.mean(-1, keepdims=True) - y * (ct * y).mean(-1, keepdims=True)
    return y, [inner * inverse]


def _with_channels(rng: np.random.Generator) -> list[Any]:
    return [*uniform()(rng), *(rng.uniform(0.5, 1.5, SIDE[0]) for _ in range(4))]


def _moments(x: Any) -> Any:
    mean, variance = x.mean(1), x.var(1)
    n = x.shape[1]
    return [mean, variance], [np.full_like(x, 1 / n) + 2 / n * (x - mean[:, None])]


RIVALS["batch_norm"] = Rival(_with_channels, _batch_norm)
RIVALS["layer_norm"] = Rival(uniform(), _layer_norm)
RIVALS["bias_add"] = Rival(
    lambda rng: [*uniform()(rng), rng.uniform(0, 1, SIDE[0])],
    lambda x, b: (x + b, [np.ones_like(x), np.ones_like(x).sum(0)]),
)
RIVALS["moments"] = Rival(uniform(), _moments, {"axes": [1]})
RIVALS["glu"] = Rival(uniform(), lambda x: _glu(*np.split(x, 2, -1)))


def _glu(a: Any, b: Any) -> Any:
    s = 1 / (1 + np.exp(-b))
    ct = np.ones_like(a)
    return a * s, [np.concatenate([ct * s, ct * a * s * (1 - s)], -1)]


def _cross_entropy(z: Any, x: Any) -> Any:
    shifted = x - x.max(-1, keepdims=True)
    e = np.exp(shifted)
    total = e.sum(-1, keepdims=True)
    logs = shifted - np.log(total)
    y = -(z * logs).sum(-1)
    ct = np.ones_like(y)[:, None]
    return y, [-ct * logs, ct * (e / total * z.sum(-1, keepdims=True) - z)]


def _sparse_cross_entropy(labels: Any, x: Any) -> Any:
    shifted = x - x.max(-1, keepdims=True)
    e = np.exp(shifted)
    total = e.sum(-1, keepdims=True)
    rows = np.arange(len(x))
    y = np.log(total[:, 0]) - shifted[rows, labels]
    g = e / total
    g[rows, labels] -= 1
    return y, [g]


RIVALS["softmax_cross_entropy_with_logits"] = Rival(uniform(count=2), _cross_entropy)
RIVALS["sparse_softmax_cross_entropy_with_logits"] = Rival(
    lambda rng: [rng.integers(0, SIDE[0], SIDE[0]), *uniform()(rng)], _sparse_cross_entropy
)


def _ids() -> Any:
    return np.sort(np.arange(SIDE[0]) * 7 % (SIDE[0] // 2))


def _segmented(weigh: Any) -> Any:
    def by_hand(x: Any) -> Any:
        ids = _ids()
        counts = np.bincount(ids, minlength=SIDE[0] // 2)[:, None]
        y = np.zeros((SIDE[0] // 2, x.shape[1]))
        np.add.at(y, ids, x)
        w = weigh(np.maximum(counts, 1))
        return y * w, [np.broadcast_to(w, y.shape)[ids]]

    return by_hand


for _name, _weigh in {
    "segment_sum": lambda n: n / n, "segment_mean": lambda n: 1 / n, "unsorted_segment_sum": lambda n: n / n,
    "unsorted_segment_mean": lambda n: 1 / n, "unsorted_segment_sqrt_n": lambda n: 1 / np.sqrt(n),
}.items():  # fmt: skip
    _sorted = not _name.startswith("unsorted")
    RIVALS[_name] = Rival(
        uniform(), _segmented(_weigh),
        (lambda: {"segment_ids": _ids()}) if _sorted
        else (lambda: {"segment_ids": _ids(), "num_segments": SIDE[0] // 2}),
    )  # fmt: skip


def _rows() -> Any:
    return [[i] for i in range(0, SIDE[0], 2)]


def _scattered(how: str) -> Any:
    def by_hand(x: Any, updates: Any) -> Any:
        rows = np.arange(0, SIDE[0], 2)
        y, gx, gu = x.copy(), np.ones_like(x), np.ones_like(updates)
        if how == "add":
            y[rows] += updates
        elif how == "sub":
            y[rows] -= updates
            gu = -gu
        else:
            y[rows] = updates
            gx[rows] = 0
        return y, [gx, gu]

    return by_hand


for _how in ("add", "sub", "update"):
    RIVALS[f"tensor_scatter_nd_{_how}"] = Rival(
        lambda rng: [*uniform()(rng), rng.uniform(0, 1, (SIDE[0] // 2, SIDE[0]))], _scattered(_how),
        lambda: {"indices": _rows()},
    )  # fmt: skip
