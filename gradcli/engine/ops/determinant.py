"""Linear algebra, determinants: det, right where the matrix is singular, and slogdet."""

from __future__ import annotations

import math
from itertools import combinations, permutations
from string import ascii_letters
from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..primitive import Case, Differs
from ..registrars import composite, primitive
from .arrangement import matrix_transpose
from .linalg import PAIR, REGULAR, column, computed, in_the_plane, inv, real_part, square, squares
from .products import adjoint

#: up to this size cofactors are determinants one size smaller, exact for whole numbers; above, they come from an SVD
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


def _others(s: Any) -> Any:
    """The product of all entries but one, for each; without a division, so that zeros do no harm."""
    ones = np.ones_like(s[..., :1])
    before = np.cumprod(np.concatenate([ones, s[..., :-1]], -1), axis=-1)
    behind = np.cumprod(np.concatenate([ones, s[..., :0:-1]], -1), axis=-1)[..., ::-1]
    return before * behind


def _without(s: Any, count: int) -> Any:
    """The products of all entries but those of `count` places, on an axis for each place; 0 where two are the same."""
    n = s.shape[-1]
    places = [np.arange(n).reshape([-1 if i == k else 1 for k in range(count)]) for i in range(count)]
    wide = s.reshape(*s.shape[:-1], *(1,) * (count - 1), n)
    for i in range(count - 1):
        wide = np.where(places[i] == places[-1], 1, wide)
    found = _others(wide)
    for i, k in combinations(range(count), 2):
        found = np.where(places[i] == places[k], 0, found)
    return found


def _swapped(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def _form(x: Any, *directions: Any) -> Any:
    """det(x + E) = det(u) det(v^H) det(s + u^H E v), and the determinant of a sum with a diagonal is one of minors."""
    u, s, vh = np.linalg.svd(x)
    phase = (np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    inner = [_swapped(u.conj()) @ d @ _swapped(vh.conj()) for d in directions]
    count = len(directions) + 1
    rows, rest, total = ascii_letters[:count], _without(s, count), np.zeros((1, 1), x.dtype)
    for columns in permutations(range(count)):
        odd = sum(a > b for a, b in combinations(columns, 2)) % 2
        names = [f"...{rows[i]}{rows[columns[i]]}" for i in range(count - 1)]
        last = rows[-1] if columns[-1] == count - 1 else rows[-1] + rows[columns[-1]]
        part = np.einsum(",".join([f"...{rows}", *names]) + f"->...{last}", rest, *inner)
        part = part[..., None] * np.eye(s.shape[-1], dtype=s.dtype) if len(last) == 1 else part
        total = total - part if odd else total + part
    return phase * (u.conj() @ total @ vh.conj())


def _form_rule(ct: Any, _y: Any, xs: Any) -> list[Any]:
    """It is linear and symmetric in the directions; in the matrix its derivative is the form with one more of them."""
    others = [[d for k, d in enumerate(xs) if k not in (0, i)] for i in range(len(xs))]
    return [determinant_form([xs[0], *rest, ct]) for rest in others]


def _of_one_size(values: list[Any]) -> dict[str, Any]:
    square(values[0], "determinant_form")
    for value in values[1:]:
        if np.shape(value)[-2:] != np.shape(values[0])[-2:]:
            shapes = tuple(np.shape(v) for v in values)
            raise EngineError("shape-mismatch", "operands", op="determinant_form", shapes=shapes)
    return {}


_SINGULAR = [[1.0, 2.0, 0.5], [2.0, 4.0, 1.0], [1.5, 3.0, 0.75]]


@primitive(
    _form_rule,
    arity=-1,
    prepare=_of_one_size,
    cases=(Case([(3, 3)]), Case([(2, 2), (2, 2)]), Case([(3, 3), (3, 3)]), Case([(2, 2, 2), (2, 2, 2)])),
)
def determinant_form(values: Any) -> Any:
    """The derivatives of a determinant at a matrix, the first of `values`, in the directions that follow.

    The result is the slope in one more direction: of a matrix alone its cofactors. It is right at singular matrices
    too, and of any order: sums over minors between the singular vectors.

    d/dvalues: the form with the upstream as another direction
    >>> determinant_form([[[0.0, 0.0], [0.0, 3.0]]])
    [[3.0, 0.0], [0.0, 0.0]]
    """
    return computed("det", _form, *values)


@composite(arity=1, accepts="float", cases=(Case(REGULAR), Case(PAIR), Case(_SINGULAR)))
def cofactors(x: Any) -> Any:
    """The cofactors of a square matrix, which are the derivatives of its determinant; right also where it is singular.

    d/dx: between the singular vectors, products of all singular values but two
    >>> cofactors([[0.0, 0.0], [0.0, 3.0]])
    [[3.0, 0.0], [0.0, 0.0]]
    """
    square(x, "cofactors")
    return determinant_form([x])


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
    slopes = _minors(x) if n <= _SMALL else determinant_form([x])
    if np.all(poor):
        return column(ct) * slopes
    mask = poor[..., None, None]
    safe = where(mask, np.eye(n, dtype=raw.dtype), x)
    return where(mask, column(ct) * slopes, column(ct * y) * matrix_transpose(inv(safe)))


def _without_conjugate(ct: Any, y: Any, x: Any) -> Any:
    return column(ct * np.conj(y)) * _swapped(np.linalg.inv(x))


@primitive(
    _det_rule,
    tf="linalg.det matrix_determinant",
    tensorflow=Differs(lambda y, x: np.iscomplexobj(x) & np.not_equal(y, 0), _without_conjugate),
    numpy="linalg.det",
    prepare=squares("det"),
    cases=(
        Case(REGULAR),
        Case(PAIR),
        Case([[1.0, 2.0], [2.0, 4.0]]),
        Case(_SINGULAR),
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
