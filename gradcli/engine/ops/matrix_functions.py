"""Functions of square matrices: expm, sqrtm, matrix_power; and logm, whose derivative is not here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite, primitive, underivable
from .arrangement import matrix_transpose
from .contraction import matmul
from .linalg import PAIR, REGULAR, computed, inv, square, squares

_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def _in_direction(function: Any, x: Any, direction: Any) -> Any:
    """The derivative of a function of matrices in a direction: the corner of its value at [[x, direction], [0, x]]."""
    from .joining import concat
    from .shape import broadcast_to

    n = x.shape[-1]
    if tuple(x.shape) != tuple(direction.shape):
        x = broadcast_to(x, tuple(direction.shape))
    above, below = concat([x, direction], -1), concat([x * 0.0, x], -1)
    return function(concat([above, below], -2))[..., :n, n:]


def _exponential(a: Any) -> Any:
    """Scaled down by a power of two, a quotient of polynomials of degree 13, and squared up again."""
    if a.ndim > 2:
        parts = [_exponential(m) for m in a.reshape(math.prod(a.shape[:-2]), *a.shape[-2:])]
        return np.array(parts, a.dtype).reshape(a.shape)
    if not a.size:
        return a.copy()
    size = float(np.max(np.sum(np.abs(a), axis=0)))
    if not np.isfinite(size):
        return np.full_like(a, np.nan)
    squarings = max(0, int(np.ceil(np.log2(size / 5.4)))) if size > 5.4 else 0
    a = a / a.dtype.type(2.0**squarings)
    one = np.eye(len(a), dtype=a.dtype)
    b = [a.dtype.type(c / _PADE[0]) for c in _PADE]
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    odd = a @ (a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2 + b[1] * one)
    even = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2 + b[0] * one
    found = np.linalg.solve(even - odd, even + odd)
    for _ in range(squarings):
        found = found @ found
    return found


@primitive(
    lambda ct, _y, x: _in_direction(expm, matrix_transpose(x), ct),
    tf="linalg.expm",
    prepare=squares("expm"),
    cases=(Case(REGULAR), Case(PAIR), Case([[0.0, 1.0], [0.0, 0.0]]), Case([[-6.0, 2.0], [1.0, 0.5]])),
)
def expm(x: Any) -> Any:
    """The exponential of a square matrix, 1 + x + x @ x / 2 + ...; axes in front are a batch.

    d/dx: the derivative of expm at x^T in the direction of the upstream
    >>> expm([[0.0, 0.0], [0.0, 0.0]])
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return computed("expm", _exponential, x)


def _root(a: Any) -> Any:
    """Newton's iteration in product form, scaled by the determinant."""
    if a.ndim > 2:
        parts = [_root(m) for m in a.reshape(math.prod(a.shape[:-2]), *a.shape[-2:])]
        return np.array(parts, a.dtype).reshape(a.shape)
    n = len(a)
    one = np.eye(n, dtype=a.dtype)
    root, rest = a.copy(), a.copy()
    tolerance = n * np.finfo(a.dtype).eps
    before = np.inf
    for step in range(100):
        back = np.linalg.inv(rest)
        _, size = np.linalg.slogdet(rest)
        scale = a.dtype.type(np.exp(-float(np.real(size)) / (2 * n))) if step < 6 else a.dtype.type(1)
        root = root @ (one + back / scale**2) * (scale / 2)
        rest = (one + (rest * scale**2 + back / scale**2) / 2) / 2
        error = float(np.max(np.abs(rest - one)))
        if error <= tolerance or (error >= before and error < 1e3 * tolerance):
            return root
        before = error
    raise EngineError("singular-matrix", "no-square-root", op="sqrtm")


def _square_root(x: Any) -> Any:
    if x.size and np.array_equal(x, np.swapaxes(np.conj(x), -1, -2)):
        values, vectors = np.linalg.eigh(x)
        if np.all(values >= 0):
            return (vectors * np.sqrt(values)[..., None, :]) @ np.swapaxes(np.conj(vectors), -1, -2)
        if x.dtype.kind != "c":
            raise EngineError("singular-matrix", "no-square-root", op="sqrtm")
        return (vectors * np.sqrt(values.astype(x.dtype))[..., None, :]) @ np.swapaxes(np.conj(vectors), -1, -2)
    return _root(x)


@primitive(
    lambda ct, _y, x: _in_direction(sqrtm, matrix_transpose(x), ct),
    tf="linalg.sqrtm matrix_square_root",
    prepare=squares("sqrtm"),
    cases=(Case(REGULAR), Case([[4.0, 1.0], [1.0, 3.0]]), Case([[[4.0, 1.0], [0.5, 3.0]], [[1.0, 0.2], [0.1, 2.0]]])),
)
def sqrtm(x: Any) -> Any:
    """The square root of a matrix without eigenvalues at or below 0: y @ y = x.

    d/dx: the derivative of sqrtm at x^T in the direction of the upstream
    >>> sqrtm([[4.0, 0.0], [0.0, 9.0]])
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return computed("sqrtm", _square_root, x)


@composite(
    arity=1,
    numpy="linalg.matrix_power",
    accepts="float",
    cases=(Case(REGULAR, n=3), Case(PAIR, n=-2), Case(REGULAR, n=0), Case(REGULAR, n=1)),
)
def matrix_power(x: Any, n: Any) -> Any:
    """A square matrix to a whole power, by repeated squaring; a negative power is one of the inverse.

    d/dx: the sum over the places of a factor of the other factors transposed around the upstream
    >>> matrix_power([[1.0, 1.0], [0.0, 1.0]], 5)
    [[1.0, 5.0], [0.0, 1.0]]
    """
    from .axes import whole_number

    square(x, "matrix_power")
    power = whole_number(n, "matrix_power")
    base, power = (inv(x), -power) if power < 0 else (x, power)
    if not power:
        return x * 0.0 + np.eye(x.shape[-1], dtype=x.dtype)
    found: Any = None
    while power:
        if power & 1:
            found = base if found is None else matmul(found, base)
        power >>= 1
        base = matmul(base, base) if power else base
    return found


def _logarithm(a: Any) -> Any:
    """Of the 2^k-th root, which is near the identity matrix, by an integral; times 2^k."""
    if a.ndim > 2:
        parts = [_logarithm(m) for m in a.reshape(-1, *a.shape[-2:])]
        return np.array(parts, a.dtype).reshape(a.shape)
    if not a.size or not np.all(np.isfinite(a)):
        return np.full_like(a, np.nan)
    values = np.linalg.eigvals(a)
    if np.any(values == 0) or (a.dtype.kind != "c" and np.any((np.imag(values) == 0) & (np.real(values) < 0))):
        raise EngineError("singular-matrix", "no-logarithm", op="logm")
    if np.array_equal(a, np.conj(a.T)):
        values, vectors = np.linalg.eigh(a)
        return (vectors * np.log(values.astype(a.dtype))) @ np.conj(vectors.T)
    one, doublings = np.eye(len(a), dtype=a.dtype), 0
    while np.max(np.sum(np.abs(a - one), axis=0)) > 0.25 and doublings < 100:
        a, doublings = _root(a), doublings + 1
    x = a - one
    points, weights = np.polynomial.legendre.leggauss(12)
    # the integral of x / (1 + t x) over t from 0 to 1 is log(1 + x)
    found = sum(w * np.linalg.solve(one + t * x, x) for t, w in zip((points + 1) / 2, weights / 2))
    return (found * 2.0**doublings).astype(a.dtype)


@underivable(of="logm", accepts="float")
def logm_matrix(values: Any) -> Any:
    """The logarithm of a matrix; what `logm` does.

    >>> logm_matrix([[[1.0, 0.0], [0.0, 1.0]]])
    [[0.0, 0.0], [0.0, 0.0]]
    """
    square(values[0], "logm")
    return computed("logm", _logarithm, values[0])


@composite(arity=1, derivable=False, tf="linalg.logm", accepts="float")
def logm(x: Any) -> Any:
    """The y with expm(y) = x whose eigenvalues have imaginary parts between -pi and pi; its derivative is not here.

    A real matrix with an eigenvalue at or below 0 has no real one.

    >>> logm([[1.0, 0.0], [0.0, 1.0]])
    [[0.0, 0.0], [0.0, 0.0]]
    """
    return logm_matrix([x])
