"""Linear algebra, eigenvalues and singular values: eigh, eigvalsh, svd.

An operation with several results is a primitive that puts them into one matrix, so that one rule sees all upstreams; a
composite takes it apart.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..primitive import Case
from ..registrars import composite, primitive
from .contraction import matmul
from .diagonal import diag, diag_part, tril
from .linalg import PAIR, REGULAR, computed, in_the_plane, real_part, squares, tables
from .products import adjoint

_POSITIVE = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.2], [0.5, -0.2, 2.0]]
_POSITIVES = [[[2.0, 0.3], [0.3, 1.0]], [[5.0, -1.0], [-1.0, 2.0]]]
_WIDE = [[1.0, 2.0, 0.5], [-0.3, 1.1, 2.0]]
_TALL = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]


def _over(d: Any) -> Any:
    """1 / d, and 0 where d is 0: what equal values would turn into each other does not count."""
    from .comparison import equal
    from .selection import where

    none = equal(d, d * 0.0)
    return where(none, d * 0.0, 1.0 / where(none, d * 0.0 + 1.0, d))


def _gaps(values: Any) -> Any:
    """The differences of values, the column's minus the row's."""
    from .shape import expand_dims

    return expand_dims(values, -2) - expand_dims(values, -1)


@in_the_plane
def _eigen_rule(ct: Any, y: Any, _x: Any) -> Any:
    values, vectors = y[..., 0, :], y[..., 1:, :]
    turned = adjoint(vectors)
    inner = diag(ct[..., 0, :]) + _over(_gaps(values)) * matmul(turned, ct[..., 1:, :])
    g = matmul(matmul(vectors, inner), turned)
    both = g + adjoint(g)
    # only the lower triangle is read, so it carries both halves
    return tril(both) - diag(diag_part(both)) * 0.5


@primitive(_eigen_rule, prepare=squares("eigh"), cases=(Case(_POSITIVE), Case(_POSITIVES), Case(REGULAR)))
def eigh_matrix(x: Any) -> Any:
    """The eigenvalues as a row above the eigenvectors: what `eigh` takes apart.

    d/dx: V @ (diag(g) + (V^H @ gV) / (w_j - w_i)) @ V^H in the lower triangle
    >>> eigh_matrix([[2.0]])
    [[2.0], [1.0]]
    """

    def both(m: Any) -> Any:
        values, vectors = np.linalg.eigh(m)
        return np.concatenate([values[..., None, :], vectors], axis=-2)

    return computed("eigh", both, x)


class Eigh(NamedTuple):
    """Eigenvalues, rising, and eigenvectors as columns."""

    e: Any
    v: Any


@composite(
    arity=1,
    tf="linalg.eigh self_adjoint_eig",
    numpy="linalg.eigh",
    accepts="float",
    cases=(Case(_POSITIVE), Case(_POSITIVES), Case(REGULAR)),
)
def eigh(x: Any) -> Any:
    """The eigenvalues of a hermitian matrix, rising, and its eigenvectors as columns. It reads the lower triangle.

    The gradient is a lower triangle too, with both halves in it. Equal eigenvalues do not turn into each other. As in
    TensorFlow the eigenvalues have the dtype of the matrix, and a gradient through complex eigenvectors has a meaning
    for functions that do not depend on their phases.

    d/dx: the upstreams of values and vectors between the eigenvectors
    >>> eigh([[2.0, 0.0], [0.0, 3.0]])[0]
    [2.0, 3.0]
    """
    both = eigh_matrix(x)
    return Eigh(both[..., 0, :], both[..., 1:, :])


@composite(
    arity=1,
    tf="linalg.eigvalsh self_adjoint_eigvals",
    numpy="linalg.eigvalsh",
    accepts="float",
    cases=(Case(_POSITIVE), Case(_POSITIVES)),
)
def eigvalsh(x: Any) -> Any:
    """The eigenvalues of a hermitian matrix, rising, in its dtype. It reads the lower triangle.

    d/dx: V @ diag(upstream) @ V^H in the lower triangle
    >>> eigvalsh([[2.0, 0.0], [0.0, 3.0]])
    [2.0, 3.0]
    """
    return eigh_matrix(x)[..., 0, :]


@in_the_plane
def _svd_rule(ct: Any, y: Any, _x: Any) -> Any:
    from .shape import expand_dims

    rows, columns = _x.shape[-2:]
    u, s, v = y[..., :rows, :], y[..., rows, :], y[..., rows + 1 :, :]
    gu, gs, gv = ct[..., :rows, :], ct[..., rows, :], ct[..., rows + 1 :, :]
    gaps = _over(_gaps(s) * (expand_dims(s, -2) + expand_dims(s, -1)))
    left, right = matmul(adjoint(u), gu), matmul(adjoint(v), gv)
    along = expand_dims(s, -2)
    inverse = _over(along)
    inner = gaps * (left - adjoint(left)) * along + expand_dims(s, -1) * (gaps * (right - adjoint(right)))
    inner = inner + diag(real_part(gs))
    if y.dtype.kind == "c":  # the phases of u stay, those of v turn
        phases = diag_part(right)
        inner = inner - diag((phases - real_part(phases)) * _over(s))
    g = matmul(matmul(u, inner), adjoint(v))
    if rows > columns:
        g = g + matmul((gu - matmul(u, left)) * inverse, adjoint(v))
    if columns > rows:
        g = g + matmul(u, adjoint((gv - matmul(v, right)) * inverse))
    return g


@primitive(_svd_rule, prepare=tables("svd"), cases=(Case(REGULAR), Case(_TALL), Case(_WIDE), Case(PAIR)))
def svd_matrix(x: Any) -> Any:
    """U above the singular values above V in one matrix: what `svd` takes apart.

    d/dx: the upstreams of U, s and V between U and V^H
    >>> svd_matrix([[2.0]])
    [[1.0], [2.0], [1.0]]
    """

    def all_three(m: Any) -> Any:
        u, s, vh = np.linalg.svd(m, full_matrices=False)
        return np.concatenate([u, s[..., None, :], np.conj(np.swapaxes(vh, -1, -2))], axis=-2)

    return computed("svd", all_three, x)


class Svd(NamedTuple):
    """Singular values, falling, and the vectors as columns of u and v."""

    s: Any
    u: Any
    v: Any


@composite(
    arity=1,
    tf="linalg.svd",
    accepts="float",
    cases=(
        Case(REGULAR),
        Case(_TALL),
        Case(_WIDE),
        Case(PAIR),
        Case(_TALL, compute_uv=False),
        Case(_TALL, full_matrices=True),
        Case([_WIDE, _WIDE], full_matrices=True),
    ),
)
def svd(x: Any, full_matrices: Any = False, compute_uv: Any = True) -> Any:
    """The singular values s, falling, and the orthonormal columns u and v: u @ diag(s) @ v^H = x.

    With `full_matrices` u and v are square; a gradient through their further columns has a meaning for functions of
    what those span, and one through complex columns for functions that do not depend on the phase that each u has in
    common with its v.

    d/dx: u @ diag(gs) @ v^H and what u and v turn; equal values do not turn into each other
    >>> svd([[3.0, 0.0], [0.0, 2.0]], compute_uv=false)
    [3.0, 2.0]
    """
    from .complexes import real
    from .factorisation import complement
    from .joining import concat

    both, (rows, columns) = svd_matrix(x), x.shape[-2:]
    s = both[..., rows, :]
    s = real(s) if s.dtype.kind == "c" else s
    if not compute_uv:
        return s
    u, v = both[..., :rows, :], both[..., rows + 1 :, :]
    if full_matrices and rows > columns:
        u = concat([u, complement(u)], -1)
    if full_matrices and columns > rows:
        v = concat([v, complement(v)], -1)
    return Svd(s, u, v)
