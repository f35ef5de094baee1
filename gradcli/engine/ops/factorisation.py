"""Linear algebra, triangular factors: cholesky, logdet, qr; and lu, whose derivative is not here.

^H is the adjoint, the transpose of the conjugate: of a real matrix its transpose.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite, primitive, underivable
from .arrangement import matrix_transpose
from .contraction import matmul
from .diagonal import diag, diag_part, tril
from .linalg import PAIR, REGULAR, computed, in_the_plane, real_part, square, squares, tables
from .products import adjoint
from .systems import solve_system

_POSITIVE = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]]
_POSITIVES = [[[2.0, 0.3], [0.3, 1.0]], [[5.0, -1.0], [-1.0, 2.0]]]
_WIDE = [[1.0, 2.0, 0.5], [-0.3, 1.1, 2.0]]
_TALL = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]
_FRAME = [[0.6, 0.0], [0.8, 0.0], [0.0, 1.0], [0.0, 0.0]]


def _hermitian(x: Any) -> Any:
    return (x + adjoint(x)) * 0.5


@in_the_plane
def _cholesky_rule(ct: Any, y: Any, _x: Any) -> Any:
    turned = adjoint(y)
    inner = tril(matmul(turned, ct))
    inner = inner - diag(diag_part(inner)) * 0.5
    half = solve_system([turned, inner])
    return _hermitian(solve_system([turned, adjoint(half)]))


def _positive(x: Any) -> Any:
    try:
        return np.linalg.cholesky((x + np.conj(np.swapaxes(x, -1, -2))) / 2)
    except np.linalg.LinAlgError:
        raise EngineError("singular-matrix", "not-positive-definite", op="cholesky") from None


@primitive(
    _cholesky_rule,
    tf="linalg.cholesky",
    numpy="linalg.cholesky",
    accepts="float",
    prepare=squares("cholesky"),
    cases=(Case(_POSITIVE), Case(_POSITIVES)),
)
def cholesky(x: Any) -> Any:
    """The lower triangular L with L @ L^H = x, for a hermitian positive definite matrix; it reads (x + x^H) / 2.

    d/dx: a hermitian matrix, from the triangle of L^H @ upstream between two inverses of L
    >>> cholesky([[4.0, 0.0], [0.0, 9.0]])
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return computed("cholesky", _positive, x)


@composite(arity=1, tf="linalg.logdet", accepts="float", cases=(Case(_POSITIVE), Case(_POSITIVES)))
def logdet(x: Any) -> Any:
    """The logarithm of the determinant of a hermitian positive definite matrix.

    d/dx: inv(x), hermitian
    >>> logdet([[1.0, 0.0], [0.0, 1.0]])
    0.0
    """
    from .complexes import real
    from .exponential import log
    from .reduction import reduce_sum

    return reduce_sum(log(real(diag_part(cholesky(x)))), axis=-1) * 2.0


def _triangle_back(q: Any, r: Any, gq: Any, gr: Any) -> Any:
    """The pullback of QR for a square R: (gq + q @ M) @ r^-H with M hermitian from the lower triangle.

    The diagonal of R is real, also for complex matrices; Q has the phases. So that of M is real.
    """
    middle = matmul(r, adjoint(gr)) - matmul(adjoint(gq), q)
    lower = tril(middle, k=-1)
    middle = lower + adjoint(lower) + diag(real_part(diag_part(middle)))
    return adjoint(solve_system([r, adjoint(gq + matmul(q, middle))]))


@in_the_plane
def _qr_rule(ct: Any, y: Any, x: Any) -> Any:
    from .joining import concat

    rows, columns = x.shape[-2:]
    k = min(rows, columns)
    q, r = y[..., :rows, :], matrix_transpose(y[..., rows:, :])
    gq, gr = ct[..., :rows, :], matrix_transpose(ct[..., rows:, :])
    if rows >= columns:
        return _triangle_back(q, r, gq, gr)
    beside = gr[..., :, k:]  # a wide matrix: the columns behind the first square are Q times theirs of R
    first = _triangle_back(q, r[..., :, :k], gq + matmul(x[..., :, k:], adjoint(beside)), gr[..., :, :k])
    return concat([first, matmul(q, beside)], -1)


@primitive(_qr_rule, prepare=tables("qr"), cases=(Case(REGULAR), Case(_TALL), Case(_WIDE), Case(PAIR)))
def qr_matrix(x: Any) -> Any:
    """Q above R^T in one matrix: what `qr` takes apart.

    d/dx: (gQ + Q @ M) @ R^-H with M hermitian from the lower triangle of R @ gR^H - gQ^H @ Q
    >>> qr_matrix([[2.0]])
    [[1.0], [2.0]]
    """

    def both(m: Any) -> Any:
        q, r = np.linalg.qr(m)
        return np.concatenate([q, np.swapaxes(r, -1, -2)], axis=-2)

    return computed("qr", both, x)


@in_the_plane
def _complement_rule(ct: Any, y: Any, x: Any) -> Any:
    return -matmul(y, matmul(adjoint(ct), x))


@primitive(_complement_rule, prepare=tables("complement"), cases=(Case(_FRAME), Case([_FRAME, _FRAME])))
def complement(x: Any) -> Any:
    """Orthonormal columns that complete orthonormal columns to a basis of the whole space.

    Which ones is a matter of convention, so a gradient has a meaning for functions of the space that they span.

    d/dx: -y @ upstream^H @ x
    >>> complement([[1.0], [0.0]]) * 1.0
    [[0.0], [1.0]]
    """
    return computed("qr", lambda m: np.linalg.qr(m, mode="complete")[0][..., :, m.shape[-1] :], x)


class Qr(NamedTuple):
    """The factors of `qr`."""

    q: Any
    r: Any


@composite(
    arity=1,
    tf="linalg.qr",
    numpy="linalg.qr",
    accepts="float",
    cases=(
        Case(REGULAR),
        Case(_TALL),
        Case(_WIDE),
        Case(PAIR),
        Case(_TALL, full_matrices=True),
        Case([_TALL, _TALL], full_matrices=True),
        Case(_WIDE, full_matrices=True),
    ),
)
def qr(x: Any, full_matrices: Any = False) -> Any:
    """Q with orthonormal columns and the upper triangular R, Q @ R = x; the diagonal of R is real.

    With `full_matrices` Q is square: its further columns span what those of x do not, and R has rows of zeros for them.
    A gradient through them has a meaning for functions of that span only.

    d/dx: the upstreams of Q and R through the triangle of R
    >>> qr([[2.0]])
    [[[1.0]], [[2.0]]]
    """
    from .joining import concat
    from .padding import pad_with_zeros

    both = qr_matrix(x)
    rows, columns = x.shape[-2:]
    q, r = both[..., :rows, :], matrix_transpose(both[..., rows:, :])
    if full_matrices and rows > columns:
        q = concat([q, complement(q)], -1)
        r = pad_with_zeros(r, paddings=[(0, 0)] * (len(r.shape) - 2) + [(0, rows - columns), (0, 0)])
    return Qr(q, r)


@underivable(of="lu", accepts="float")
def lu_matrix(values: Any) -> Any:
    """The triangular factors of a matrix in one: L below the diagonal (with ones on it), U on and above it.

    >>> lu_matrix([[[4.0, 1.0], [2.0, 3.0]]])
    [[4.0, 1.0], [0.5, 2.5]]
    """
    factors, _ = _eliminate(values[0])
    return factors


def _eliminate(matrix: Any) -> tuple[Any, Any]:
    """Gaussian elimination with the largest pivot of each column."""
    square(matrix, "lu")
    a = np.array(matrix)
    if a.ndim > 2:
        parts = [_eliminate(part) for part in a]
        return np.stack([p[0] for p in parts]), np.stack([p[1] for p in parts])
    order = np.arange(len(a), dtype=np.int32)
    for k in range(len(a) - 1):
        p = k + int(np.argmax(np.abs(a[k:, k])))
        if p != k:
            a[[k, p]], order[[k, p]] = a[[p, k]], order[[p, k]]
        if a[k, k] != 0:
            a[k + 1 :, k] /= a[k, k]
            a[k + 1 :, k + 1 :] -= np.outer(a[k + 1 :, k], a[k, k + 1 :])
    return a, order


class Lu(NamedTuple):
    """The factors in one matrix, and the order of the rows."""

    lu: Any
    p: Any


@composite(arity=1, derivable=False, tf="linalg.lu", accepts="float")
def lu(x: Any) -> Any:
    """The factors L and U in one matrix and the order of the rows; its derivative is not here.

    >>> lu([[4.0, 1.0], [2.0, 3.0]])[1]
    [0, 1]
    """
    from .selection import as_tensor

    return Lu(lu_matrix([x]), as_tensor(_eliminate(getattr(x, "value", x))[1]))
