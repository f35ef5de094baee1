"""Rivals of linear algebra, contractions and Fourier transforms. The upstream is all ones, as everywhere here."""

from __future__ import annotations

from typing import Any

import numpy as np

from .rival import MATRIX, SIDE, Rival, matrices, uniform

RIVALS: dict[str, Rival] = {}


def _matmul(a: Any, b: Any) -> Any:
    y = a @ b
    ct = np.ones_like(y)
    return y, [ct @ b.T, a.T @ ct]


def _inv(a: Any) -> Any:
    y = np.linalg.inv(a)
    return y, [-y.T @ np.ones_like(y) @ y.T]


def _det(a: Any) -> Any:
    y = np.linalg.det(a)
    return y, [y * np.linalg.inv(a).T]


def _logdet_of(a: Any) -> Any:
    return np.linalg.slogdet(a)[1], [np.linalg.inv(a).T]


def _solve(a: Any, b: Any) -> Any:
    y = np.linalg.solve(a, b)
    g = np.linalg.solve(a.T, np.ones_like(y))
    return y, [-g @ y.T, g]


def _triangular(a: Any, b: Any) -> Any:
    y, (ga, gb) = _solve(np.tril(a), b)
    return y, [np.tril(ga), gb]


def _cholesky(a: Any) -> Any:
    factor = np.linalg.cholesky(a)
    ct = np.tril(np.ones_like(factor))
    inner = np.tril(factor.T @ ct)
    inner[np.diag_indices_from(inner)] /= 2
    inverse = np.linalg.inv(factor)
    g = inverse.T @ inner @ inverse
    return factor, [(g + g.T) / 2]


def _cholesky_solve(factor: Any, b: Any) -> Any:
    factor = np.tril(factor)
    y = np.linalg.solve(factor @ factor.T, b)
    g = np.linalg.solve(factor @ factor.T, np.ones_like(y))
    ga = -g @ y.T
    return y, [np.tril((ga + ga.T) @ factor), g]


def _pinv(a: Any) -> Any:
    # of a regular matrix: its inverse, whose gradient is -A^-T G A^-T
    y = np.linalg.pinv(a)
    return y, [-y.T @ np.ones_like(y) @ y.T]


def _cube(a: Any) -> Any:
    square = a @ a
    y = square @ a
    ct = np.ones_like(y)
    return y, [ct @ square.T + a.T @ ct @ a.T + square.T @ ct]


def _positive(rng: np.random.Generator) -> list[Any]:
    (a,) = matrices()(rng)
    return [a @ a.T + MATRIX[0] * np.eye(MATRIX[0])]


def _lower(rng: np.random.Generator) -> list[Any]:
    a, b = matrices(2)(rng)
    return [np.tril(a) + MATRIX[0] * np.eye(MATRIX[0]), b]


def _regular(rng: np.random.Generator) -> list[Any]:
    a, b = matrices(2)(rng)
    return [a + MATRIX[0] * np.eye(MATRIX[0]), b]


RIVALS["matmul"] = Rival(matrices(2), _matmul)
RIVALS["inv"] = Rival(matrices(1, True), _inv)
RIVALS["slogdet"] = Rival(matrices(1, True), _logdet_of)
RIVALS["logdet"] = Rival(_positive, _logdet_of)
RIVALS["det"] = Rival(lambda rng: [np.eye(MATRIX[0]) + matrices()(rng)[0] / (10 * MATRIX[0])], _det)
RIVALS["solve"] = Rival(_regular, _solve)
RIVALS["triangular_solve"] = Rival(_lower, _triangular)
RIVALS["cholesky"] = Rival(_positive, _cholesky)
RIVALS["cholesky_solve"] = Rival(_lower, _cholesky_solve)
RIVALS["lstsq"] = Rival(_regular, _solve)
RIVALS["pinv"] = Rival(matrices(1, True), _pinv)
RIVALS["matrix_power"] = Rival(lambda rng: [matrices()(rng)[0] / MATRIX[0]], _cube, {"n": 3})


def _matvec(a: Any, b: Any) -> Any:
    y = a @ b
    ct = np.ones_like(y)
    return y, [np.outer(ct, b), a.T @ ct]


def _outer(a: Any, b: Any) -> Any:
    y = np.outer(a, b)
    ct = np.ones_like(y)
    return y, [ct @ b, ct.T @ a]


def _vdot(a: Any, b: Any) -> Any:
    return np.vdot(a, b), [b.copy(), a.copy()]


def _inner(a: Any, b: Any) -> Any:
    y = a @ b.T
    ct = np.ones_like(y)
    return y, [ct @ b, ct.T @ a]


def _cross(a: Any, b: Any) -> Any:
    y = np.cross(a, b)
    ct = np.ones_like(y)
    return y, [np.cross(b, ct), np.cross(ct, a)]


def _kron(a: Any, b: Any) -> Any:
    y = (a[:, None, :, None] * b[None, :, None, :]).reshape(a.shape[0] * b.shape[0], -1)
    ct = np.ones_like(y).reshape(a.shape[0], b.shape[0], a.shape[1], b.shape[1])
    return y, [np.einsum("iajb,ab->ij", ct, b), np.einsum("iajb,ij->ab", ct, a)]


RIVALS["matvec"] = Rival(lambda rng: [*matrices()(rng), rng.standard_normal(MATRIX[0])], _matvec)
RIVALS["outer"] = Rival(uniform(count=2, shape=lambda: (SIDE[0],)), _outer)
RIVALS["vdot"] = Rival(uniform(count=2, shape=lambda: (SIDE[0] ** 2,)), _vdot)
RIVALS["inner"] = Rival(matrices(2), _inner)
RIVALS["cross"] = Rival(uniform(count=2, shape=lambda: (SIDE[0], SIDE[0] // 3, 3)), _cross)
RIVALS["kron"] = Rival(uniform(count=2, shape=lambda: (SIDE[0] // 32 + 1,) * 2), _kron)
RIVALS["tensordot"] = Rival(matrices(2), _matmul, {"axes": 1})


RIVALS["einsum"] = Rival(matrices(2), _matmul, {"equation": "ij,jk->ik"})


def _complexes(rng: np.random.Generator) -> list[Any]:
    a, b = uniform(0.2, 0.8, 2)(rng)
    return [a + 1j * b]


def _ifft(x: Any) -> Any:
    y = np.fft.ifft(x)
    return y, [np.fft.fft(np.ones_like(y)) / x.shape[-1]]


def _fft_gradient(x: Any) -> Any:
    y = np.fft.fft(x)
    return y, [np.fft.ifft(np.ones_like(y)) * x.shape[-1]]


def _fft2(x: Any) -> Any:
    y = np.fft.fft2(x)
    return y, [np.fft.ifft2(np.ones_like(y)) * x.shape[-1] * x.shape[-2]]


def _ifft2(x: Any) -> Any:
    y = np.fft.ifft2(x)
    return y, [np.fft.fft2(np.ones_like(y)) / (x.shape[-1] * x.shape[-2])]


RIVALS["fft"] = Rival(_complexes, _fft_gradient)
RIVALS["ifft"] = Rival(_complexes, _ifft)
RIVALS["fft2d"] = Rival(_complexes, _fft2)
RIVALS["ifft2d"] = Rival(_complexes, _ifft2)
RIVALS["real"] = Rival(_complexes, lambda z: (z.real.copy(), [np.ones(z.shape) + 0j]))
RIVALS["imag"] = Rival(_complexes, lambda z: (z.imag.copy(), [1j * np.ones(z.shape)]))
RIVALS["conj"] = Rival(_complexes, lambda z: (np.conj(z), [np.ones_like(z)]))
RIVALS["angle"] = Rival(_complexes, lambda z: (np.angle(z), [1j * z / (z.real**2 + z.imag**2)]))
