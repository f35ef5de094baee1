"""Linear algebra, determinants: det, right where the matrix is singular, and slogdet."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ..primitive import Case, Differs
from ..registrars import composite, primitive, underivable
from .arrangement import matrix_transpose
from .linalg import PAIR, REGULAR, column, computed, in_the_plane, inv, real_part, squares
from .products import adjoint

#: up to this size cofactors are determinants one size smaller, differentiable without end; above, they come from an SVD
_SMALL = 5


def _minors(x: Any) -> Any:
    """The cofactors of a small matrix, from determinants one size smaller."""
    from .joining import stack
    from .shape import reshape

    n = x.shape[-1]
    if n == 1:
        return x * 0.0 + 1.0
    keep = [np.delete(np.arange(n), i) for i in range(n)]
    minors = [
        det(x[(Ellipsis, keep[i][:, None], keep[j])]) * (1.0 if (i + j) % 2 == 0 else -1.0)
        for i in range(n)
        for j in range(n)
    ]
    return reshape(stack(minors, -1), tuple(x.shape))


def _frame(x: Any) -> tuple[Any, Any, Any, Any]:
    """u, s, v^T of a singular value decomposition, and the sign of the determinant of u and v^T."""
    u, s, vt = np.linalg.svd(x)
    return u, s, vt, (np.linalg.det(u) * np.linalg.det(vt))[..., None, None]


def _others(s: Any) -> Any:
    """The product of all entries but one, for each; without a division, so that zeros do no harm."""
    ones = np.ones_like(s[..., :1])
    before = np.cumprod(np.concatenate([ones, s[..., :-1]], -1), axis=-1)
    behind = np.cumprod(np.concatenate([ones, s[..., :0:-1]], -1), axis=-1)[..., ::-1]
    return before * behind


def _cofactors(x: Any) -> Any:
    u, s, vt, sign = _frame(x)
    return sign * ((u * _others(s)[..., None, :]) @ vt)


def _back(values: Any) -> Any:
    x, ct = values
    u, s, vt, sign = _frame(x)
    n = x.shape[-1]
    eye = np.eye(n, dtype=np.bool_)
    pairs = np.where(eye, 0, _others(np.where(eye, 1, s[..., None, :])))  # products of all but two
    inner = sign * (np.swapaxes(u, -1, -2) @ ct @ np.swapaxes(vt, -1, -2))
    along = np.einsum("...ij,...ii->...j", pairs, inner)
    return u @ (np.where(eye, along[..., None, :], -np.swapaxes(inner * pairs, -1, -2))) @ vt


@underivable(of="det", accepts="real")
def cofactor_pullback(values: Any) -> Any:
    """The pullback of `cofactors`, for a matrix and an upstream; its own derivative is not here.

    >>> cofactor_pullback([[[2.0]], [[1.0]]])
    [[0.0]]
    """
    return computed("det", lambda *pair: _back(pair), *values)


@primitive(
    lambda ct, _y, x: cofactor_pullback([x, ct]),
    accepts="real",
    prepare=squares("cofactors"),
    cases=(Case(REGULAR), Case(PAIR)),
)
def cofactors(x: Any) -> Any:
    """The cofactors of a square matrix, which are the derivatives of its determinant; right also where it is singular.

    Its first derivative is here, its second is not.

    d/dx: between the singular vectors, products of all singular values but two
    >>> cofactors([[0.0, 0.0], [0.0, 3.0]])
    [[3.0, 0.0], [0.0, 0.0]]
    """
    return computed("det", _cofactors, x)


def _inverted(x: Any) -> tuple[Any, Any]:
    """The inverses, and which matrices are too near to a singular one for theirs to keep half of the digits."""
    flat = x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:]).astype(np.promote_types(x.dtype, np.float32), copy=False)
    back, poor = np.empty_like(flat), np.zeros(len(flat), np.bool_)
    for i, matrix in enumerate(flat):
        try:
            back[i] = np.linalg.inv(matrix)
        except np.linalg.LinAlgError:
            poor[i] = True
            continue
        poor[i] = not np.linalg.norm(matrix, 1) * np.linalg.norm(back[i], 1) < 1 / np.sqrt(np.finfo(flat.dtype).eps)
    return back.reshape(x.shape).astype(x.dtype, copy=False), poor.reshape(x.shape[:-2])


def _det_rule(ct: Any, y: Any, x: Any) -> Any:
    """det * inv^T where that keeps its digits, else the cofactors."""
    from .selection import where

    raw = np.asarray(getattr(x, "value", x))
    n = raw.shape[-1]
    back, poor = _inverted(raw)
    if not np.any(poor):
        return column(ct * y) * matrix_transpose(back if x is raw else inv(x))
    slopes = _minors(x) if n <= _SMALL or raw.dtype.kind == "c" else cofactors(x)
    if np.all(poor):
        return column(ct) * slopes
    mask = poor[..., None, None]
    safe = where(mask, np.eye(n, dtype=raw.dtype), x)
    return where(mask, column(ct) * slopes, column(ct * y) * matrix_transpose(inv(safe)))


@primitive(
    _det_rule,
    tf="linalg.det matrix_determinant",
    numpy="linalg.det",
    prepare=squares("det"),
    cases=(
        Case(REGULAR),
        Case(PAIR),
        Case([[1.0, 2.0], [2.0, 4.0]]),
        Case([[1.0, 2.0, 0.5], [2.0, 4.0, 1.0], [1.5, 3.0, 0.75]]),
        Case([[[1.0, 2.0], [2.0, 4.0]], [[1.0, 0.5], [0.2, 2.0]]]),
    ),
)
def det(x: Any) -> Any:
    """The determinant of a square matrix; axes in front are a batch.

    d/dx: the cofactors: y * inv(x)^T, and right also where x is singular
    >>> det([[1.0, 0.0], [3.0, 5.0]])
    5.0
    """
    return computed("det", np.linalg.det, x)


def _no_turn(ct: Any, _y: Any, _x: Any) -> Any:
    return column(ct) * np.zeros(tuple(_x.shape), _x.dtype)


@in_the_plane
def _sign_rule(ct: Any, y: Any, x: Any) -> Any:
    """Of a complex matrix the sign turns: dy = i y Im(tr(x^-1 dx))."""
    if x.dtype.kind != "c":
        return _no_turn(ct, y, x)
    from .complexes import conj, imag
    from .selection import cast

    return column(cast(imag(ct * conj(y)), x.dtype)) * (1j * adjoint(inv(x)))


@primitive(
    _sign_rule,
    prepare=squares("slogdet"),
    cases=(Case(REGULAR), Case(PAIR)),
    tensorflow=Differs(lambda _y, x: np.iscomplexobj(x), _no_turn),
)
def slogdet_sign(x: Any) -> Any:
    """The sign of the determinant, of a complex one det / |det|: the first result of `slogdet`.

    d/dx: 0; of a complex matrix i * Im(upstream * conj(y)) * inv(x)^H (TensorFlow: 0)
    >>> slogdet_sign([[0.0, 1.0], [1.0, 0.0]])
    -1.0
    """
    return computed("slogdet", lambda m: np.linalg.slogdet(m)[0], x)


@in_the_plane
def _log_rule(ct: Any, _y: Any, x: Any) -> Any:
    return column(real_part(ct)) * adjoint(inv(x))


@primitive(_log_rule, prepare=squares("slogdet"), cases=(Case(REGULAR), Case(PAIR)))
def slogdet_log(x: Any) -> Any:
    """The logarithm of the absolute value of the determinant, in the dtype of x: the second result of `slogdet`.

    d/dx: inv(x)^H
    >>> slogdet_log([[1.0, 0.0], [0.0, -1.0]])
    0.0
    """
    return computed("slogdet", lambda m: np.asarray(np.linalg.slogdet(m)[1]).astype(m.dtype), x)


class Slogdet(NamedTuple):
    """Sign of a determinant, and logarithm of its absolute value."""

    sign: Any
    log_abs_determinant: Any


@composite(arity=1, tf="linalg.slogdet", numpy="linalg.slogdet", accepts="float", cases=(Case(REGULAR), Case(PAIR)))
def slogdet(x: Any) -> Any:
    """The sign of the determinant, and the logarithm of its absolute value, which does not overflow.

    The sign of a complex determinant is det / |det|; both have the dtype of the matrix, as in TensorFlow.

    d/dx: 0 for the sign of a real determinant, inv(x)^H for the logarithm
    >>> slogdet([[1.0, 0.0], [0.0, -1.0]])
    [-1.0, 0.0]
    """
    return Slogdet(slogdet_sign(x), slogdet_log(x))
