"""Linear algebra: trace; and the factorisations whose derivative is not here: lu, logm."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..registrars import composite, underivable


def _square(x: Any, op: str) -> None:
    shape = np.shape(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise EngineError("shape-mismatch", "square", op=op, shapes=(shape,))


@composite(arity=1, tf="linalg.trace", numpy="trace", method="trace", accepts="number")
def trace(x: Any) -> Any:
    """The sum of the diagonal of a matrix, over the last two axes.

    d/dx: the upstream times the identity matrix
    >>> trace([[1.0, 2.0], [3.0, 4.0]])
    5.0
    """
    from .reduction import reduce_sum

    if len(x.shape) < 2:
        raise EngineError("shape-mismatch", "square", op="trace", shapes=(tuple(x.shape),))
    mask = np.eye(x.shape[-2], x.shape[-1]).astype(x.dtype)
    return reduce_sum(x * mask, axis=[-2, -1])


@underivable(tf="linalg.lu_matrix", accepts="float")
def lu_matrix(values: Any) -> Any:
    """The triangular factors of a matrix in one: L below the diagonal (with ones on it), U on and above it.

    >>> lu_matrix([[[4.0, 1.0], [2.0, 3.0]]])
    [[4.0, 1.0], [0.5, 2.5]]
    """
    factors, _ = _eliminate(values[0])
    return factors


def _eliminate(matrix: Any) -> tuple[Any, Any]:
    """Gaussian elimination with the largest pivot of each column."""
    _square(matrix, "lu")
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


@composite(arity=1, tf="linalg.lu", accepts="float")
def lu(x: Any) -> Any:
    """The factors L and U in one matrix and the order of the rows; its derivative is not here.

    >>> lu([[4.0, 1.0], [2.0, 3.0]])[1]
    [0, 1]
    """
    from .selection import as_tensor

    return Lu(lu_matrix([x]), as_tensor(_eliminate(getattr(x, "value", x))[1]))


@underivable(tf="linalg.logm_matrix", accepts="float")
def logm_matrix(values: Any) -> Any:
    """The logarithm of a matrix that has distinct eigenvalues.

    >>> logm_matrix([[[1.0, 0.0], [0.0, 1.0]]])
    [[0.0, 0.0], [0.0, 0.0]]
    """
    _square(values[0], "logm")
    eigenvalues, vectors = np.linalg.eig(values[0])
    found = (vectors * np.log(eigenvalues)[..., None, :]) @ np.linalg.inv(vectors)
    return found.astype(values[0].dtype) if values[0].dtype.kind == "c" else np.real(found).astype(values[0].dtype)


@composite(arity=1, tf="linalg.logm", accepts="float")
def logm(x: Any) -> Any:
    """The logarithm of a matrix; its derivative is not here.

    >>> logm([[1.0, 0.0], [0.0, 1.0]])
    [[0.0, 0.0], [0.0, 0.0]]
    """
    return logm_matrix([x])
