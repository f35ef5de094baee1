"""Products that are contractions in disguise: matvec, outer, tensordot, vdot, inner, cross, kron; adjoint, bias_add."""

from __future__ import annotations

from string import ascii_letters
from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from .axes import negative_axis, whole_number
from .einsum import contract


def _rank(op: str, *operands: Any) -> EngineError:
    return EngineError("shape-mismatch", "operands", op=op, shapes=tuple(tuple(x.shape) for x in operands))


@composite(
    arity=2,
    tf="linalg.matvec",
    numpy="matvec",
    accepts="number",
    cases=(Case((2, 3), (3,)), Case((1, 2, 3), (4, 3)), Case((4, 2, 3), (3,)), Case((3, 2), (4, 3), transpose_a=True)),
)
def matvec(a: Any, b: Any, transpose_a: Any = False, adjoint_a: Any = False) -> Any:
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
    if adjoint_a:
        a = adjoint(a)
    return squeeze(matmul(a, expand_dims(b, -1), transpose_a=transpose_a), axis=-1)


@composite(arity=2, numpy="outer", accepts="number", cases=(Case((2,), (3,)), Case((2, 2), (3,))))
def outer(a: Any, b: Any) -> Any:
    """Every product of an entry of one tensor and one of another; both are taken as vectors.

    d/da: the upstream times b
    d/db: the upstream transposed times a
    >>> outer([1.0, 2.0], [3.0, 4.0])
    [[3.0, 4.0], [6.0, 8.0]]
    """
    from .shape import reshape

    return contract([reshape(a, [-1]), reshape(b, [-1])], "i,j->ij")


def _shared_axes(a: Any, b: Any, axes: Any) -> tuple[list[int], list[int]]:
    axes = getattr(axes, "value", axes)
    if isinstance(axes, np.ndarray):
        axes = axes.tolist()
    n, m = len(a.shape), len(b.shape)
    if isinstance(axes, (list, tuple)):
        if len(axes) != 2:
            raise EngineError("bad-value", "shape", op="tensordot", given=str(axes))
        one, two = (list(item) if isinstance(item, (list, tuple)) else [item] for item in axes)
        left = [negative_axis(i, n, "tensordot") + n for i in one]
        right = [negative_axis(i, m, "tensordot") + m for i in two]
    else:
        count = whole_number(axes, "tensordot")
        if not 0 <= count <= min(n, m):
            raise EngineError("bad-axis", "out-of-range", op="tensordot", axis=count, rank=min(n, m))
        left, right = list(range(n - count, n)), list(range(count))
    if [a.shape[i] for i in left] != [b.shape[i] for i in right]:
        raise _rank("tensordot", a, b)
    return left, right


@composite(
    arity=2,
    numpy="tensordot",
    accepts="number",
    cases=(
        Case((2, 3), (3, 2), axes=1),
        Case((2, 3), (2, 4), axes=[[0], [0]]),
        Case((3,), (3,), axes=1),
        Case((2,), (2,), axes=0),
    ),
)
def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Products summed over the last `axes` axes of one and the first of the other, or over the pairs of axes named.

    d/da: the upstream contracted with b
    d/db: the upstream contracted with a
    >>> tensordot([1.0, 2.0], [3.0, 4.0], 1)
    11.0
    """
    left, right = _shared_axes(a, b, axes)
    first = list(ascii_letters[: len(a.shape)])
    second = list(ascii_letters[len(a.shape) : len(a.shape) + len(b.shape)])
    for i, k in zip(left, right):
        second[k] = first[i]
    out = [c for i, c in enumerate(first) if i not in left] + [c for k, c in enumerate(second) if k not in right]
    return contract([a, b], "".join(first) + "," + "".join(second) + "->" + "".join(out))


@composite(arity=2, numpy="vdot", accepts="number", cases=(Case((3,), (3,)), Case((2, 3), (2, 3))))
def vdot(a: Any, b: Any) -> Any:
    """The sum of products of entries, the first one conjugated; both are taken as vectors.

    d/da: b
    d/db: a
    >>> vdot([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    from .complexes import conj
    from .shape import reshape

    a, b = reshape(a, [-1]), reshape(b, [-1])
    if tuple(a.shape) != tuple(b.shape):
        raise _rank("vdot", a, b)
    return contract([conj(a) if a.dtype.kind == "c" else a, b], "i,i->")


@composite(arity=2, numpy="inner", accepts="number", cases=(Case((3,), (3,)), Case((2, 3), (4, 3))))
def inner(a: Any, b: Any) -> Any:
    """Products summed over the last axis of both.

    d/da: the upstream contracted with b
    d/db: the upstream contracted with a
    >>> inner([1.0, 2.0], [3.0, 4.0])
    11.0
    """
    if not a.shape or not b.shape:
        return a * b
    return tensordot(a, b, [[-1], [-1]])


@composite(arity=2, tf="linalg.cross", numpy="cross", accepts="number", cases=(Case((3,), (3,)), Case((2, 3), (3,))))
def cross(a: Any, b: Any) -> Any:
    """The vector product of vectors of three entries, over the last axis.

    d/da: b x upstream
    d/db: upstream x a
    >>> cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    [0.0, 0.0, 1.0]
    """
    if not a.shape or not b.shape or a.shape[-1] != 3 or b.shape[-1] != 3:
        raise _rank("cross", a, b)
    from .arrangement import roll

    return roll(a * roll(b, -1, -1) - roll(a, -1, -1) * b, -1, -1)


@composite(
    arity=2,
    tf="linalg.kron",
    numpy="kron",
    accepts="number",
    cases=(Case((2, 2), (2, 3)), Case((2,), (3,)), Case((2,), (2, 2))),
)
def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: each entry of `a` times the whole of `b`, put together.

    d/da: the sum over each block of the upstream times b
    d/db: the sum of the blocks of the upstream times a
    >>> kron([1.0, 2.0], [3.0, 4.0])
    [3.0, 4.0, 6.0, 8.0]
    """
    from .shape import reshape

    n = max(len(a.shape), len(b.shape))
    first = (1,) * (n - len(a.shape)) + tuple(a.shape)
    second = (1,) * (n - len(b.shape)) + tuple(b.shape)
    wide = reshape(a, [k for m in first for k in (m, 1)]) * reshape(b, [k for m in second for k in (1, m)])
    return reshape(wide, [i * k for i, k in zip(first, second)])


@composite(arity=1, tf="linalg.adjoint", accepts="number", cases=(Case((2, 3)), Case((2, 3, 1))))
def adjoint(x: Any) -> Any:
    """The last two axes exchanged, and each entry conjugated.

    d/dx: the adjoint of the upstream
    >>> adjoint([[1.0, 2.0]])
    [[1.0], [2.0]]
    """
    from .arrangement import matrix_transpose
    from .complexes import conj

    turned = matrix_transpose(x)
    return conj(turned) if x.dtype.kind == "c" else turned


@composite(arity=2, tf="nn.bias_add", accepts="number", cases=(Case((2, 3), (3,)), Case((1, 2, 2, 3), (3,))))
def bias_add(x: Any, bias: Any, data_format: Any = None) -> Any:
    """A vector added along the last axis.

    d/dx: 1
    d/dbias: the upstream summed over all other axes
    >>> bias_add([[1.0, 2.0]], [10.0, 20.0])
    [[11.0, 22.0]]
    """
    if data_format is not None and not str(data_format).endswith("C"):
        raise EngineError("bad-value", "choice", op="bias_add", given=str(data_format), known=("NHWC",))
    if len(bias.shape) != 1 or not x.shape or bias.shape[0] != x.shape[-1]:
        raise EngineError("shape-mismatch", "operands", op="bias_add", shapes=(tuple(x.shape), tuple(bias.shape)))
    return x + bias
