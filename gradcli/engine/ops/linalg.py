"""Linear algebra, the inverse, trace and rank of a matrix; and what its other families share."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import blocked, composite, primitive
from .arrangement import matrix_transpose
from .contraction import matmul

if TYPE_CHECKING:
    from collections.abc import Callable

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


def in_the_plane(rule: Callable[..., Any]) -> Callable[..., Any]:
    """A rule for d/dx + i d/dy, as textbooks have it with adjoint matrices, for a sweep that carries the conjugate."""

    @wraps(rule)
    def conjugate(ct: Any, y: Any, x: Any) -> Any:
        from .complexes import conj

        return conj(rule(conj(ct), y, x)) if x.dtype.kind == "c" else rule(ct, y, x)

    return conjugate


def real_part(x: Any) -> Any:
    """The real part, in the dtype of x."""
    from .complexes import real
    from .selection import cast

    return cast(real(x), x.dtype) if x.dtype.kind == "c" else x


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
