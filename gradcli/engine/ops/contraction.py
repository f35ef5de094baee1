"""Sums of products over shared axes: the matrix product."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..namespace import xp
from ..primitive import Case
from ..registrars import primitive


def swap(x: Any) -> Any:
    """The last two axes exchanged."""
    n = len(x.shape)
    if type(x) is np.ndarray:
        return xp.swapaxes(x, -1, -2)
    from .shape import transpose

    return transpose(x, [*range(n - 2), n - 1, n - 2])


def _column(x: Any) -> Any:
    return x[..., None]


def _ranks(a: Any, b: Any, transpose_a: Any = False, transpose_b: Any = False) -> dict[str, Any]:
    sa, sb = np.shape(a), np.shape(b)
    if not sa or not sb:
        raise EngineError("shape-mismatch", "matmul-rank", op="matmul", shapes=(sa, sb))
    if (transpose_a and len(sa) < 2) or (transpose_b and len(sb) < 2):
        raise EngineError("shape-mismatch", "matmul-rank", op="matmul", shapes=(sa, sb))
    inner_a = sa[-2] if transpose_a else sa[-1]
    inner_b = sb[-1] if transpose_b or len(sb) == 1 else sb[-2]
    if inner_a != inner_b:
        raise EngineError("shape-mismatch", "matmul", op="matmul", shapes=(sa, sb), inner=(inner_a, inner_b))
    return {"transpose_a": bool(transpose_a), "transpose_b": bool(transpose_b)}


def _left_rule(ct: Any, _y: Any, _a: Any, b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if len(b.shape) == 1:
        g = _column(ct) * b if len(_a.shape) > 1 or ct.shape else ct * b
    elif len(_a.shape) == 1:
        b = swap(b) if transpose_b else b
        if len(b.shape) == 2:
            return matmul(ct, swap(b))  # one product, also for a batch of cotangents
        return matmul(b, _column(ct))[..., 0]
    else:
        g = matmul(ct, b if transpose_b else swap(b))
    return swap(g) if transpose_a else g


def _right_rule(ct: Any, _y: Any, a: Any, _b: Any, transpose_a: bool, transpose_b: bool) -> Any:
    if len(a.shape) == 1:
        if len(_b.shape) == 1:
            return _column(ct) * a if ct.shape else ct * a
        g = _column(a) * ct[..., None, :]
    elif len(_b.shape) == 1:
        if len(a.shape) == 2:
            return matmul(ct, swap(a) if transpose_a else a)  # one product, also for a batch of cotangents
        return matmul(a if transpose_a else swap(a), _column(ct))[..., 0]
    else:
        g = matmul(a if transpose_a else swap(a), ct)
    return swap(g) if transpose_b else g


@primitive(
    _left_rule,
    _right_rule,
    tf="linalg.matmul",
    numpy="matmul",
    method="dot",
    accepts="number",
    prepare=_ranks,
    cases=(
        Case((2, 3), (3, 2)),
        Case((4, 2, 3), (3, 2)),
        Case((3, 2), (4, 3), transpose_a=True, transpose_b=True),
        Case((2, 3), (3,)),
        Case((3,), (3, 2)),
        Case((3,), (3,)),
        Case((2, 1, 2, 3), (4, 3, 2)),
        Case((4, 3), (2, 3, 2), transpose_a=False),
        Case((2, 2, 3), (3,)),
        Case((3,), (2, 3, 2)),
        Case((3, 2), (3,), transpose_a=True),
    ),
)
def matmul(a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False) -> Any:
    """Matrix product over the last two axes: `a @ b`.

    Axes in front are a batch and broadcast. A vector is a row on the left and a column on the right.

    d/da: upstream @ b^T
    d/db: a^T @ upstream
    >>> matmul([[1.0, 2.0]], [[3.0], [4.0]])
    [[11.0]]
    """
    return xp.matmul(swap(a) if transpose_a else a, swap(b) if transpose_b else b)
