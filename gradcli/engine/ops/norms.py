"""Norms of every order, of vectors and of matrices: norm, array_norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite
from .arithmetic import abs as size
from .axes import axis_set
from .complexes import real
from .reduction import reduce_max, reduce_sum
from .statistics import reduce_euclidean_norm

_INF = float("inf")


def _order(ord: Any, known: tuple[str, ...]) -> Any:
    """ "euclidean", or a number above 0, or the name of a norm of matrices that is `known`. Raises `bad-value`."""
    ord = getattr(ord, "value", ord)
    if ord is None or (isinstance(ord, str) and ord in ("euclidean", "fro")):
        return "euclidean"
    if isinstance(ord, str):
        if ord == "inf":
            return _INF
        if ord in known:
            return ord
    elif isinstance(ord, (int, float, np.number)) and not isinstance(ord, bool) and ord > 0:
        return float(ord)
    raise EngineError(
        "bad-value", "choice", op="norm", given=str(ord), known=("euclidean", "inf", "1", "2", "p > 0", *known)
    )


def _matrix_norm(x: Any, ord: Any, axes: tuple[int, ...], keepdims: Any) -> Any:
    """The norm of matrices in two axes: of rows' or columns' sums, or of singular values."""
    from .shape import reshape, squeeze, transpose
    from .spectral import svd

    if ord == "euclidean":
        return reduce_euclidean_norm(x, axis=list(axes), keepdims=keepdims)
    if ord in (1.0, _INF):
        summed, compared = axes if ord == 1.0 else axes[::-1]
        sums = reduce_sum(size(x), axis=summed, keepdims=True)
        y = reduce_max(sums, axis=compared, keepdims=True)
        return y if keepdims else squeeze(y, axis=list(axes))
    if ord not in (2.0, "nuc"):
        raise EngineError(
            "bad-value", "choice", op="norm", given=str(ord), known=("euclidean", "inf", "1", "2", "nuc")
        )  # fmt: skip
    rest = [i for i in range(-len(x.shape), 0) if i not in axes]
    values = svd(transpose(x, [*rest, *axes]), compute_uv=False)
    y = (reduce_max if ord == 2.0 else reduce_sum)(values, axis=-1)
    return reshape(y, [1 if i in axes else n for i, n in zip(range(-len(x.shape), 0), x.shape)]) if keepdims else y


_VECTORS = (Case((4,)), Case((4,), ord=1), Case((2, 3), ord="inf", axis=1), Case((4,), ord=3), Case((2, 3), ord=1.5))
_MATRICES = tuple(Case((2, 3), ord=ord, axis=[0, 1]) for ord in ("fro", 1, 2, "inf", "nuc"))


@composite(
    arity=1,
    tf="linalg.norm",
    accepts="float",
    cases=(*_VECTORS, *_MATRICES, Case((2, 3, 2), ord=2, axis=[0, 2], keepdims=True)),
)
def norm(x: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = False) -> Any:
    """The norm of the entries, all taken as one vector, or of the vectors along an axis.

    Its order is "euclidean" (or 2), 1, "inf", or any p > 0. Along two axes it is the norm of matrices: "euclidean" (or
    "fro"), 1 (largest column sum), "inf" (largest row sum), 2 (largest singular value) or "nuc" (sum of them). The
    euclidean norm of complex numbers is of their dtype, as in TensorFlow; the others are real.

    d/dx: x / norm for the euclidean norm, nan where it is 0
    >>> norm([3.0, 4.0])
    5.0
    """
    places = None if axis is None else axis_set(axis, len(x.shape), "norm")
    if places is not None and len(places) == 2:
        return _matrix_norm(x, _order(ord, ("nuc",)), places, keepdims)
    p = _order(ord, ())
    rest = {"axis": None if places is None else list(places), "keepdims": keepdims}
    if p in ("euclidean", 2.0):
        return reduce_euclidean_norm(x, **rest)
    if p == _INF:
        return reduce_max(size(x), **rest)
    if p == 1.0:
        return reduce_sum(size(x), **rest)
    return reduce_sum(size(x) ** p, **rest) ** (1.0 / p)


@composite(arity=1, numpy="linalg.norm", accepts="float", cases=(Case((3,), ord=1), Case((2, 3)), Case((2, 3), ord=2)))
def array_norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm as NumPy takes it: as `norm`, but a matrix with an order and no axis has the norm of matrices.

    d/dx: x / norm for the euclidean norm, nan where it is 0
    >>> array_norm([[3.0, 0.0], [0.0, 4.0]], 2)
    4.0
    """
    if axis is None and ord is not None and len(x.shape) == 2:
        axis = [0, 1]
    y = norm(x, ord=ord, axis=axis, keepdims=keepdims)
    return real(y) if y.dtype.kind == "c" else y
