"""What is left to convention in a factorisation, taken out: phases of complex vectors, bases of what is left over.

A derivative there is one of functions that do not depend on the convention, so the laws try such functions.
"""

from __future__ import annotations

import numpy as np

from gradcli.engine import lookup


def _op(name):
    return lookup(name).call


def _spread(left, right=None):
    """left @ diag(1, 2, …) @ right^H: columns count in pairs, whatever phase a pair has."""
    right = left if right is None else right
    weights = (1.0 + np.arange(left.shape[-1])).astype(left.dtype)
    return _op("matmul")(left * weights, _op("adjoint")(right))


def _span(columns):
    """The projection to what the columns span."""
    return _op("matmul")(columns, _op("adjoint")(columns))


def _eigh(y, _x):
    return [y.e, _spread(y.v)]


def _eigh_matrix(y, _x):
    return [y[..., 0, :], _spread(y[..., 1:, :])]


def _svd(y, _x):
    s, u, v = y
    k = s.shape[-1]
    first, second = u[..., :k], v[..., :k]
    more = [_span(w[..., k:]) for w in (u, v) if w.shape[-1] > k]
    return [s, _spread(first, second), _spread(first), _spread(second), *more]


def _svd_matrix(y, x):
    rows = x.shape[-2]
    return _svd((y[..., rows, :], y[..., :rows, :], y[..., rows + 1 :, :]), x)


def _qr(y, x):
    k = min(x.shape[-2:])
    return [y.q[..., :k], y.r, *([_span(y.q[..., k:])] if y.q.shape[-1] > k else [])]


_FREE = {"eigh": _eigh, "eigh_matrix": _eigh_matrix, "svd": _svd, "svd_matrix": _svd_matrix, "qr": _qr,
         "complement": lambda y, _x: _span(y)}  # fmt: skip


class _Free:
    """An operation followed by a function that takes the convention out."""

    def __init__(self, op, function) -> None:
        self.op = op
        self.function = function

    def __getattr__(self, name):
        return getattr(self.op, name)

    def call(self, x, **params):
        y = self.op.call(x, **params)
        return y if params.get("compute_uv") is False else self.function(y, x)


def free_of_convention(op, params: dict, dtype):
    """The operation, or a stand-in for it where its result is a matter of convention."""
    matters = np.dtype(dtype).kind == "c" or params.get("full_matrices") or op.name == "complement"
    return _Free(op, _FREE[op.name]) if matters and op.name in _FREE else op
