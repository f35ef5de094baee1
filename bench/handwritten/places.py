"""Rivals of masks, indices, scatters and extremes by segment; also real Fourier transforms and eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rival import MATRIX, SIDE, Rival, matrices, uniform

RIVALS: dict[str, Rival] = {}


def _taken(take: Any, put: Any) -> Any:
    def by_hand(x: Any) -> Any:
        y = take(x)
        g = np.zeros_like(x)
        put(g, np.ones_like(y))
        return y, [g]

    return by_hand


def _mask() -> Any:
    return (np.arange(SIDE[0] ** 2) * 7 % 3 == 0).reshape(SIDE[0], SIDE[0])


def _columns() -> Any:
    """One place in each row, a different one in each of a hundred columns."""
    width = min(100, SIDE[0])
    return (np.arange(width) * 3 + np.arange(SIDE[0])[:, None]) % SIDE[0]


def _pairs() -> Any:
    n = SIDE[0]
    return np.stack([np.arange(n * n // 4) % n, np.arange(n * n // 4) * 5 % n], 1)


def _put_mask(g: Any, ct: Any) -> None:
    g[_mask()] = ct


def _put_columns(g: Any, ct: Any) -> None:
    flat = _columns() + np.arange(SIDE[0])[:, None] * SIDE[0]
    g.reshape(-1)[:] = np.bincount(flat.ravel(), ct.ravel(), g.size)


def _put_pairs(g: Any, ct: Any) -> None:
    rows, columns = _pairs().T
    g.reshape(-1)[:] = np.bincount(rows * SIDE[0] + columns, ct, g.size)


def _put_slice(g: Any, ct: Any) -> None:
    g[::2, 1:] = ct


RIVALS["boolean_mask"] = Rival(uniform(), _taken(lambda x: x[_mask()], _put_mask), lambda: {"mask": _mask()})
RIVALS["take_along_axis"] = Rival(
    uniform(), _taken(lambda x: np.take_along_axis(x, _columns(), 1), _put_columns), lambda: {"indices": _columns()}
)
RIVALS["batch_gather"] = Rival(
    uniform(), _taken(lambda x: np.take_along_axis(x, _columns(), 1), _put_columns), lambda: {"indices": _columns()}
)
RIVALS["gather_nd"] = Rival(
    uniform(), _taken(lambda x: x[tuple(_pairs().T)], _put_pairs), lambda: {"indices": _pairs()}
)
RIVALS["index"] = Rival(
    uniform(), _taken(lambda x: x[::2, 1:].copy(), _put_slice), {"index": (slice(None, None, 2), slice(1, None))}
)


def _scatter(updates: Any) -> Any:
    y = np.zeros((SIDE[0], SIDE[0]))
    np.add.at(y, np.arange(0, SIDE[0], 2), updates)
    return y, [np.ones_like(updates)]


def _set_diag(x: Any, d: Any) -> Any:
    y, g = x.copy(), np.ones_like(x)
    at = np.arange(len(x))
    y[at, at] = d
    g[at, at] = 0
    return y, [g, np.ones_like(d)]


RIVALS["scatter_nd"] = Rival(
    uniform(shape=lambda: (SIDE[0] // 2, SIDE[0])), _scatter,
    lambda: {"indices": [[i] for i in range(0, SIDE[0], 2)], "shape": [SIDE[0], SIDE[0]]},
)  # fmt: skip
RIVALS["set_diag"] = Rival(lambda rng: [*uniform()(rng), rng.uniform(0, 1, SIDE[0])], _set_diag)


def _scattered_extreme(larger: bool) -> Any:
    def by_hand(x: Any, updates: Any) -> Any:
        rows = np.arange(0, SIDE[0], 2)
        y, gx = x.copy(), np.ones_like(x)
        new = updates > x[rows] if larger else updates < x[rows]
        y[rows] = np.where(new, updates, x[rows])
        gx[rows] = ~new
        return y, [gx, new.astype(x.dtype)]

    return by_hand


def _segments() -> Any:
    return np.sort(np.arange(SIDE[0]) * 7 % (SIDE[0] // 2))


def _extreme_of(combine: Any, empty: float) -> Any:
    def by_hand(x: Any) -> Any:
        ids = _segments()
        y = np.full((SIDE[0] // 2, x.shape[1]), empty)
        combine.at(y, ids, x)
        hit = (x == y[ids]).astype(x.dtype)
        counts = np.zeros_like(y)
        np.add.at(counts, ids, hit)
        return y, [hit / counts[ids]]

    return by_hand


def _product(x: Any) -> Any:
    ids = _segments()
    y = np.ones((SIDE[0] // 2, x.shape[1]))
    np.multiply.at(y, ids, x)
    return y, [y[ids] / x]


for _how in ("max", "min"):
    RIVALS[f"tensor_scatter_nd_{_how}"] = Rival(
        lambda rng: [*uniform()(rng), rng.uniform(0, 1, (SIDE[0] // 2, SIDE[0]))], _scattered_extreme(_how == "max"),
        lambda: {"indices": [[i] for i in range(0, SIDE[0], 2)]},
    )  # fmt: skip
for _name, _by_hand in {
    "max": _extreme_of(np.maximum, -np.inf), "min": _extreme_of(np.minimum, np.inf), "prod": _product,
}.items():  # fmt: skip
    RIVALS[f"segment_{_name}"] = Rival(uniform(), _by_hand, lambda: {"segment_ids": _segments()})
    RIVALS[f"unsorted_segment_{_name}"] = Rival(
        uniform(), _by_hand, lambda: {"segment_ids": _segments(), "num_segments": SIDE[0] // 2}
    )


def _rfft(x: Any) -> Any:
    y = np.fft.rfft(x)
    whole = np.zeros(x.shape, complex)
    whole[..., : y.shape[-1]] = 1
    return y, [np.fft.ifft(whole).real * x.shape[-1]]


def _irfft(z: Any) -> Any:
    y = np.fft.irfft(z)
    weights = np.full(z.shape[-1], 2.0)
    weights[[0, -1]] = 1
    return y, [np.fft.rfft(np.ones_like(y)) * weights / y.shape[-1]]


def _half(rng: np.random.Generator) -> list[Any]:
    return [np.fft.rfft(uniform()(rng)[0])]


def _eigenvalues(a: Any) -> Any:
    w, v = np.linalg.eigh(a)
    g = v @ v.T  # the upstream of ones between them
    lower = np.tril(g + g.T)
    lower[np.diag_indices_from(lower)] /= 2
    return w, [lower]


def _symmetric(rng: np.random.Generator) -> list[Any]:
    (a,) = matrices()(rng)
    return [(a + a.T) / 2 + np.diag(np.arange(MATRIX[0]))]


RIVALS["rfft"] = Rival(uniform(), _rfft)
RIVALS["irfft"] = Rival(_half, _irfft)
RIVALS["eigvalsh"] = Rival(_symmetric, _eigenvalues)
