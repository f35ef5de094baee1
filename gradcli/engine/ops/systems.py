"""Linear systems: solve, triangular_solve, cholesky_solve, lstsq, and the pseudoinverse."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite, primitive
from .arrangement import matrix_transpose
from .contraction import matmul
from .linalg import PAIR, REGULAR, computed, in_the_plane, matrices, square, tables
from .products import adjoint as _turned

_TALL = [[1.0, 2.0], [3.0, 4.5], [5.0, 7.0]]


def _system(operands: list[Any]) -> dict[str, Any]:
    if len(operands) != 2:
        raise EngineError("shape-mismatch", "operands", op="solve", shapes=tuple(np.shape(x) for x in operands))
    a, b = operands
    square(a, "solve")
    if np.ndim(b) < 2 or np.shape(b)[-2] != np.shape(a)[-1]:
        raise EngineError("shape-mismatch", "operands", op="solve", shapes=(np.shape(a), np.shape(b)))
    return {}


def _system_rule(ct: Any, y: Any, xs: Any) -> list[Any]:
    back = solve_system([matrix_transpose(xs[0]), ct])
    return [-matmul(back, matrix_transpose(y)), back]


@primitive(
    _system_rule,
    arity=-1,
    prepare=_system,
    cases=(Case([(2, 2), (2, 1)]), Case([(2, 2, 2), (2, 3)])),
    domain=(0.4, 2.0),
)
def solve_system(values: Any) -> Any:
    """The solution of a linear system given as a list of matrix and right sides; what `solve` does.

    d/dvalues: for the right sides solve(a^T, upstream); for the matrix minus that times y^T
    >>> solve_system([[[2.0]], [[6.0]]])
    [[3.0]]
    """
    return computed("solve", np.linalg.solve, *values)


def _solved(matrix: Any, rhs: Any) -> Any:
    """A vector on the right is one column."""
    from .shape import expand_dims, squeeze

    if len(rhs.shape) == 1:
        return squeeze(solve_system([matrix, expand_dims(rhs, -1)]), axis=-1)
    return solve_system([matrix, rhs])


@composite(
    arity=2,
    tf="linalg.solve matrix_solve",
    numpy="linalg.solve",
    accepts="float",
    cases=(
        Case(REGULAR, (3, 2)),
        Case(PAIR, (2, 2, 1)),
        Case(REGULAR, (3,)),
        Case(REGULAR, (3, 1), adjoint=True),
        Case(PAIR, (2, 1)),
        Case(REGULAR, (4, 3, 2)),
    ),
)
def solve(matrix: Any, rhs: Any, adjoint: Any = False) -> Any:
    """The solution x of matrix @ x = rhs; of the adjoint matrix if `adjoint`. Axes in front are a batch.

    d/dmatrix: -solve(matrix^T, upstream) @ y^T
    d/drhs: solve(matrix^T, upstream)
    >>> solve([[2.0, 0.0], [0.0, 4.0]], [6.0, 8.0])
    [3.0, 2.0]
    """
    return _solved(_turned(matrix) if adjoint else matrix, rhs)


@composite(
    arity=2,
    tf="linalg.triangular_solve matrix_triangular_solve",
    accepts="float",
    cases=(
        Case(REGULAR, (3, 2)),
        Case(REGULAR, (3, 1), lower=False),
        Case(PAIR, (2, 2, 1), adjoint=True),
        Case(REGULAR, (4, 3, 1)),
    ),
)
def triangular_solve(matrix: Any, rhs: Any, lower: Any = True, adjoint: Any = False) -> Any:
    """The solution of a system of which only one triangle is read, the lower one or the upper one.

    d/dmatrix: the triangle of -solve(matrix^T, upstream) @ y^T
    d/drhs: solve(matrix^T, upstream)
    >>> triangular_solve([[2.0, 9.0], [0.0, 4.0]], [[6.0], [8.0]])
    [[3.0], [2.0]]
    """
    from .diagonal import tril, triu

    square(matrix, "triangular_solve")
    triangle = tril(matrix) if lower else triu(matrix)
    return _solved(_turned(triangle) if adjoint else triangle, rhs)


@in_the_plane
def _pinv_rule(ct: Any, y: Any, x: Any) -> Any:
    turned, back = _turned(y), _turned(ct)
    rows, columns = x.shape[-2:]
    left = np.eye(rows, dtype=x.dtype) - matmul(x, y)  # what the range of x leaves over
    right = np.eye(columns, dtype=x.dtype) - matmul(y, x)
    return (
        matmul(matmul(left, back), matmul(y, turned))
        + matmul(matmul(turned, y), matmul(back, right))
        - matmul(matmul(turned, ct), turned)
    )


@primitive(
    _pinv_rule,
    tf="linalg.pinv",
    numpy="linalg.pinv",
    accepts="float",
    prepare=tables("pinv"),
    cases=(Case(_TALL), Case(REGULAR[:2]), Case([_TALL, _TALL])),
)
def pinv(x: Any) -> Any:
    """The pseudoinverse of a matrix: the inverse on its range, 0 beside it. Its derivative is that at constant rank.

    d/dx: -y^H @ upstream @ y^H, and what the range and the kernel turn
    >>> pinv([[2.0, 0.0], [0.0, 4.0], [0.0, 0.0]])
    [[0.5, 0.0, 0.0], [0.0, 0.25, 0.0]]
    """
    eps = np.finfo(x.dtype if x.dtype.itemsize > 2 else np.float32).eps
    return computed("pinv", lambda m: np.linalg.pinv(m, rcond=10 * max(m.shape[-2:]) * eps), x)


@composite(
    arity=2, tf="linalg.lstsq", accepts="float", cases=(Case(_TALL, (3, 2)), Case(_TALL, (3, 1), l2_regularizer=0.5))
)
def lstsq(matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: Any = True) -> Any:
    """The x with the least sum of squares of matrix @ x - rhs, plus `l2_regularizer` times that of x.

    d/dmatrix: the upstream through the pseudoinverse of the matrix
    d/drhs: pinv(matrix)^H @ upstream
    >>> lstsq([[1.0], [0.0]], [[2.0], [4.0]])
    [[2.0]]
    """
    matrices(matrix, "lstsq")
    if len(rhs.shape) < 2 or rhs.shape[-2] != matrix.shape[-2]:
        raise EngineError("shape-mismatch", "operands", op="lstsq", shapes=(tuple(matrix.shape), tuple(rhs.shape)))
    weight = getattr(l2_regularizer, "value", l2_regularizer)
    if not isinstance(weight, (int, float, np.floating, np.integer)):
        raise EngineError("bad-value", "scalar-expected", op="lstsq", shape=np.shape(weight))
    if not weight:
        return matmul(pinv(matrix), rhs)
    turned = _turned(matrix)
    gram = matmul(turned, matrix) + np.eye(matrix.shape[-1], dtype=matrix.dtype) * matrix.dtype.type(weight)
    return solve_system([gram, matmul(turned, rhs)])


@composite(
    arity=2,
    tf="linalg.cholesky_solve",
    accepts="float",
    cases=(Case(REGULAR, (3, 2)), Case(PAIR, (2, 2, 1)), Case(PAIR, (2, 1))),
)
def cholesky_solve(chol: Any, rhs: Any) -> Any:
    """The solution of (chol @ chol^T) @ x = rhs for a lower triangular factor.

    d/dchol: the lower triangle of what the two triangular systems give back
    d/drhs: the solution for the upstream
    >>> cholesky_solve([[2.0, 0.0], [0.0, 1.0]], [[8.0], [3.0]])
    [[2.0], [3.0]]
    """
    return triangular_solve(chol, triangular_solve(chol, rhs), adjoint=True)
