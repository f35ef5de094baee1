"""More products: matvec, outer, and the transposed last axes."""

from __future__ import annotations

from typing import Any

from ..errors import EngineError
from ..registrars import composite


@composite(arity=2, tf="linalg.matvec", accepts="number")
def matvec(a: Any, b: Any, transpose_a: Any = False) -> Any:
    """Matrix times vector, over the last axes; axes in front are a batch.

    d/da: the outer product of the upstream and b
    d/db: a^T times the upstream
    >>> matvec([[1.0, 2.0], [3.0, 4.0]], [1.0, 1.0])
    [3.0, 7.0]
    """
    from .contraction import matmul
    from .shape import expand_dims, squeeze

    if len(a.shape) < 2 or not b.shape:
        raise EngineError("shape-mismatch", "matmul-rank", op="matvec", shapes=(tuple(a.shape), tuple(b.shape)))
    return squeeze(matmul(a, expand_dims(b, -1), transpose_a=transpose_a), axis=-1)


@composite(arity=2, numpy="outer", accepts="number")
def outer(a: Any, b: Any) -> Any:
    """Every product of an entry of one vector and one of another.

    d/da: the upstream times b
    d/db: the upstream transposed times a
    >>> outer([1.0, 2.0], [3.0, 4.0])
    [[3.0, 4.0], [6.0, 8.0]]
    """
    from .shape import expand_dims

    if len(a.shape) != 1 or len(b.shape) != 1:
        raise EngineError("shape-mismatch", "matmul-rank", op="outer", shapes=(tuple(a.shape), tuple(b.shape)))
    return expand_dims(a, -1) * expand_dims(b, 0)
