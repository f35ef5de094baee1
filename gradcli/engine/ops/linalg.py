"""Linear algebra, numbers of a matrix and its inverse: inv, det, slogdet, trace, matrix_rank."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import blocked, composite, primitive
from .arrangement import matrix_transpose
from .contraction import matmul

#: well conditioned matrices, and a batch of two
REGULAR = [[2.0, 0.5, -0.3], [0.1, 1.5, 0.4], [-0.6, 0.2, 1.2]]
PAIR = [[[2.0, 0.5], [0.1, 1.5]], [[-1.0, 0.4], [0.3, 0.8]]]


def square(x: Any, op: str) -> None:
    """Raises `shape-mismatch` for what is no square matrix, over the last two axes."""
    shape = np.shape(x)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise EngineError("shape-mismatch", "square", op=op, shapes=(shape,))


def matrices(x: Any, op: str) -> None:
    """Raises `shape-mismatch` for what is no matrix, over the last two axes."""
    if np.ndim(x) < 2:
        raise EngineError("shape-mismatch", "rank", op=op, shapes=(np.shape(x),), rank=2)


def squares(op: str) -> Any:
    """The check of an operation that takes a square matrix and nothing else."""

    def prepare(x: Any) -> dict[str, Any]:
        square(x, op)
        return {}

    return prepare


def tables(op: str) -> Any:
    """The check of an operation that takes a matrix of any shape and nothing else."""

    def prepare(x: Any) -> dict[str, Any]:
        matrices(x, op)
        return {}

    return prepare


def computed(op: str, function: Any, *operands: Any) -> Any:
    """A function of NumPy's linear algebra, in float32 for float16. Raises `bad-value` where the matrix is singular."""
    dtype = operands[0].dtype
    half = dtype.kind == "f" and dtype.itemsize == 2
    try:
        found = function(*(x.astype(np.float32) for x in operands)) if half else function(*operands)
    except np.linalg.LinAlgError:
        raise EngineError("singular-matrix", "singular", op=op) from None
    return found.astype(dtype) if half else found


def column(x: Any) -> Any:
    """Two more axes of length 1 behind."""
    from .shape import expand_dims

    return expand_dims(expand_dims(x, -1), -1)


def _inverse_rule(ct: Any, y: Any, _x: Any) -> Any:
    turned = matrix_transpose(y)
    return -matmul(matmul(turned, ct), turned)


@primitive(
    _inverse_rule,
    tf="linalg.inv matrix_inverse",
    numpy="linalg.inv",
    prepare=squares("inv"),
    cases=(Case(REGULAR), Case(PAIR)),
)
def inv(x: Any) -> Any:
    """The inverse of a square matrix; axes in front are a batch.

    d/dx: -y^T @ upstream @ y^T
    >>> inv([[2.0, 0.0], [0.0, 4.0]])
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return computed("inv", np.linalg.inv, x)


def cofactors(x: Any) -> Any:
    """The cofactors of a matrix from determinants one size smaller: exact also where the matrix is singular."""
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


def _det_rule(ct: Any, y: Any, x: Any) -> Any:
    """det * inv^T where that keeps its digits, else the cofactors."""
    from .selection import where

    raw, value = np.asarray(getattr(x, "value", x)), np.asarray(getattr(y, "value", y))
    most = np.prod(np.linalg.norm(raw.astype(np.promote_types(raw.dtype, np.float32)), axis=-1), axis=-1)
    poor = ~(np.abs(value) > np.sqrt(np.finfo(raw.dtype).eps) * most)
    if not np.any(poor):
        return column(ct * y) * matrix_transpose(inv(x))
    if np.all(poor):
        return column(ct) * cofactors(x)
    mask = poor[..., None, None]
    safe = where(mask, np.eye(raw.shape[-1], dtype=raw.dtype), x)
    return where(mask, column(ct) * cofactors(x), column(ct * y) * matrix_transpose(inv(safe)))


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


def _sign_rule(ct: Any, _y: Any, _x: Any) -> Any:
    return column(ct) * np.zeros(tuple(_x.shape), _x.dtype)


@primitive(_sign_rule, accepts="real", prepare=squares("slogdet"), cases=(Case(REGULAR), Case(PAIR)))
def slogdet_sign(x: Any) -> Any:
    """The sign of the determinant: the first result of `slogdet`.

    d/dx: 0
    >>> slogdet_sign([[0.0, 1.0], [1.0, 0.0]])
    -1.0
    """
    return computed("slogdet", lambda m: np.linalg.slogdet(m)[0], x)


@primitive(
    lambda ct, _y, x: column(ct) * matrix_transpose(inv(x)),
    accepts="real",
    prepare=squares("slogdet"),
    cases=(Case(REGULAR), Case(PAIR)),
)
def slogdet_log(x: Any) -> Any:
    """The logarithm of the absolute value of the determinant: the second result of `slogdet`.

    d/dx: inv(x)^T
    >>> slogdet_log([[1.0, 0.0], [0.0, -1.0]])
    0.0
    """
    return computed("slogdet", lambda m: np.linalg.slogdet(m)[1], x)


class Slogdet(NamedTuple):
    """Sign of a determinant, and logarithm of its absolute value."""

    sign: Any
    log_abs_determinant: Any


@composite(arity=1, tf="linalg.slogdet", numpy="linalg.slogdet", accepts="real")
def slogdet(x: Any) -> Any:
    """The sign of the determinant, and the logarithm of its absolute value, which does not overflow.

    d/dx: 0 for the sign, inv(x)^T for the logarithm
    >>> slogdet([[1.0, 0.0], [0.0, -1.0]])
    [-1.0, 0.0]
    """
    return Slogdet(slogdet_sign(x), slogdet_log(x))


@composite(
    arity=1, tf="linalg.trace", numpy="trace", method="trace", accepts="number", cases=(Case((3, 3)), Case((2, 2, 3)))
)
def trace(x: Any) -> Any:
    """The sum of the diagonal of a matrix, over the last two axes.

    d/dx: the upstream times the identity matrix
    >>> trace([[1.0, 2.0], [3.0, 4.0]])
    5.0
    """
    from .diagonal import diag_part
    from .reduction import reduce_sum

    if len(x.shape) < 2:
        raise EngineError("shape-mismatch", "rank", op="trace", shapes=(tuple(x.shape),), rank=2)
    return reduce_sum(diag_part(x), axis=-1)


@blocked(
    "cut-no-derivative", tf="linalg.matrix_rank", numpy="linalg.matrix_rank", accepts="float",
    prepare=tables("matrix_rank"),
)  # fmt: skip
def matrix_rank(x: Any) -> Any:
    """How many rows of a matrix are independent, as far as rounding lets one tell.

    >>> matrix_rank([[1.0, 2.0], [2.0, 4.0]])
    1
    """
    return np.asarray(computed("matrix_rank", np.linalg.matrix_rank, x)).astype(np.int32)[()]
