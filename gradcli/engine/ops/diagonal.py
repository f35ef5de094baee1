"""Diagonals and triangles of matrices, over the last two axes: tril, triu, band_part, diag, diag_part, set_diag."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import primitive
from ..tensor import Tensor
from .axes import whole_number

_MATRICES = (Case((3, 3)), Case((2, 3)), Case((2, 3, 2), k=-1), Case((2, 3), k=1))


def _matrix(x: Any, op: str) -> None:
    if np.ndim(x) < 2:
        raise EngineError("shape-mismatch", "rank", op=op, shapes=(np.shape(x),), rank=2)


def _triangle(op: str) -> Any:
    def prepare(x: Any, k: Any = 0) -> dict[str, Any]:
        _matrix(x, op)
        return {"k": whole_number(k, op)}

    return prepare


@primitive(
    lambda ct, _y, _x, k: tril(ct, k=k), numpy="tril", accepts="numeric", prepare=_triangle("tril"), cases=_MATRICES
)
def tril(x: Any, k: Any = 0) -> Any:
    """The lower triangle of a matrix: zeros above the diagonal `k`.

    d/dx: the lower triangle of the upstream
    >>> tril([[1.0, 2.0], [3.0, 4.0]])
    [[1.0, 0.0], [3.0, 4.0]]
    """
    return xp.tril(x, k)


@primitive(
    lambda ct, _y, _x, k: triu(ct, k=k), numpy="triu", accepts="numeric", prepare=_triangle("triu"), cases=_MATRICES
)
def triu(x: Any, k: Any = 0) -> Any:
    """The upper triangle of a matrix: zeros below the diagonal `k`.

    d/dx: the upper triangle of the upstream
    >>> triu([[1.0, 2.0], [3.0, 4.0]])
    [[1.0, 2.0], [0.0, 4.0]]
    """
    return xp.triu(x, k)


def _bounds(x: Any, num_lower: Any, num_upper: Any) -> dict[str, Any]:
    _matrix(x, "band_part")
    return {"num_lower": whole_number(num_lower, "band_part"), "num_upper": whole_number(num_upper, "band_part")}


@primitive(
    lambda ct, _y, _x, num_lower, num_upper: band_part(ct, num_lower, num_upper),
    tf="linalg.band_part",
    accepts="numeric",
    prepare=_bounds,
    cases=(Case((3, 4), num_lower=1, num_upper=0), Case((2, 3, 3), num_lower=-1, num_upper=1)),
)
def band_part(x: Any, num_lower: Any, num_upper: Any) -> Any:
    """The diagonal of a matrix with so many diagonals below and above it; -1 stands for all of them.

    d/dx: the same band of the upstream
    >>> band_part([[1.0, 2.0], [3.0, 4.0]], 0, -1)
    [[1.0, 2.0], [0.0, 4.0]]
    """
    lower = xp.triu(x, -num_lower) if num_lower >= 0 else x
    return xp.tril(lower, num_upper) if num_upper >= 0 else np.array(lower)


def places(rows: int, columns: int, k: int) -> tuple[Any, Any]:
    """Row and column numbers of the entries of diagonal `k`, from the top."""
    first = max(-k, 0)
    i = np.arange(first, max(first, min(rows, columns - k)))
    return i, i + k


def _frame(x: Any, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1) -> dict[str, Any]:
    if not np.ndim(x):
        raise EngineError("shape-mismatch", "rank", op="diag", shapes=((),), rank=1)
    n, k = np.shape(x)[-1], whole_number(k, "diag")
    rows, columns = whole_number(num_rows, "diag"), whole_number(num_cols, "diag")
    if rows < 0 and columns < 0:
        rows = columns = n + max(k, -k)
    rows, columns = n + max(-k, 0) if rows < 0 else rows, n + max(k, 0) if columns < 0 else columns
    if len(places(rows, columns, k)[0]) != n:
        raise EngineError("shape-mismatch", "operands", op="diag", shapes=(np.shape(x), (rows, columns)))
    return {"k": k, "num_rows": rows, "num_cols": columns}


@primitive(
    lambda ct, _y, _x, k, num_rows, num_cols: diag_part(ct, k=k),
    tf="linalg.diag",
    accepts="numeric",
    prepare=_frame,
    cases=(Case((3,)), Case((2, 3), k=1), Case((2,), k=-1), Case((2,), num_rows=2, num_cols=4)),
)
def diag(x: Any, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1) -> Any:
    """The matrix with the last axis on its diagonal `k` and zeros elsewhere, square unless a length is given.

    d/dx: the diagonal of the upstream
    >>> diag([1.0, 2.0])
    [[1.0, 0.0], [0.0, 2.0]]
    """
    out = np.zeros((*np.shape(x)[:-1], num_rows, num_cols), x.dtype)
    i, j = places(num_rows, num_cols, k)
    out[..., i, j] = x
    return out


@primitive(
    lambda ct, _y, _x, k: diag(ct, k=k, num_rows=_x.shape[-2], num_cols=_x.shape[-1]),
    tf="linalg.diag_part",
    numpy="diagonal",
    method="diagonal",
    accepts="any",
    prepare=_triangle("diag_part"),
    cases=_MATRICES,
)
def diag_part(x: Any, k: Any = 0) -> Any:
    """The entries on the diagonal `k` of a matrix, over the last two axes.

    d/dx: the upstream on that diagonal, 0 elsewhere
    >>> diag_part([[1.0, 2.0], [3.0, 4.0]])
    [1.0, 4.0]
    """
    i, j = places(np.shape(x)[-2], np.shape(x)[-1], k)
    return x[..., i, j]


def _fits(x: Any, diagonal: Any, k: Any = 0) -> dict[str, Any]:
    _matrix(x, "set_diag")
    k = whole_number(k, "set_diag")
    if np.shape(diagonal) != (*np.shape(x)[:-2], len(places(np.shape(x)[-2], np.shape(x)[-1], k)[0])):
        raise EngineError("shape-mismatch", "operands", op="set_diag", shapes=(np.shape(x), np.shape(diagonal)))
    return {"k": k}


def _without(ct: Any, k: int) -> Any:
    shape = tuple(ct.shape)
    n = len(places(shape[-2], shape[-1], k)[0])
    zeros = np.zeros((*shape[:-2], n), ct.dtype)
    return set_diag(ct, Tensor(zeros) if type(ct) is Tensor else zeros, k=k)


@primitive(
    lambda ct, _y, _x, _diagonal, k: _without(ct, k),
    lambda ct, _y, _x, _diagonal, k: diag_part(ct, k=k),
    tf="linalg.set_diag",
    accepts="numeric",
    prepare=_fits,
    cases=(Case((3, 3), (3,)), Case((2, 3, 4), (2, 3), k=1)),
)
def set_diag(x: Any, diagonal: Any, k: Any = 0) -> Any:
    """A matrix with other entries on its diagonal `k`; axes in front are a batch.

    d/dx: the upstream, 0 on that diagonal
    d/ddiagonal: the diagonal of the upstream
    >>> set_diag([[1.0, 2.0], [3.0, 4.0]], [8.0, 9.0])
    [[8.0, 2.0], [3.0, 9.0]]
    """
    out = np.array(x)
    i, j = places(out.shape[-2], out.shape[-1], k)
    out[..., i, j] = diagonal
    return out
