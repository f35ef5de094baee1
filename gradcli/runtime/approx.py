"""`a ~= b`: approximate equality, leaf by leaf, with where and by how much two values differ."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import Tensor, Variable

from .outcomes import NoGradient

#: relative tolerance of each dtype; the absolute floor has the same size
TOLERANCE = {"float64": 1e-9, "complex128": 1e-9, "float32": 1e-5, "complex64": 1e-5, "float16": 1e-2}


class Comparison:
    """`ok`, the largest absolute and relative difference, where the largest sits, and a slug for a structural why."""

    __slots__ = ("max_abs", "max_rel", "ok", "where", "why")

    def __init__(self, ok: bool, why: str | None = None, where: str | None = None) -> None:
        self.ok = ok
        self.why = why
        self.where = where
        self.max_abs: float | None = None
        self.max_rel: float | None = None


def approximately(a: Any, b: Any, rtol: float | None = None, atol: float | None = None) -> Comparison:
    """Compare values or structures of them. Shapes must match, nan equals nan, none equals only none."""
    total = Comparison(True)
    _compare(a, b, "", rtol, atol, total)
    return total


def _refuse(total: Comparison, why: str, path: str) -> None:
    if total.ok:
        total.ok, total.why, total.where = False, why, path or None


def _compare(a: Any, b: Any, path: str, rtol: Any, atol: Any, total: Comparison) -> None:
    none_a, none_b = a is None or type(a) is NoGradient, b is None or type(b) is NoGradient
    if none_a or none_b:
        if not (none_a and none_b):
            _refuse(total, "none", path)
        return
    if isinstance(a, dict) or isinstance(b, dict):
        if not (isinstance(a, dict) and isinstance(b, dict)) or set(a) != set(b):
            _refuse(total, "structure", path)
            return
        for key in a:
            _compare(a[key], b[key], f"{path}[{key!r}]", rtol, atol, total)
        return
    sequences = isinstance(a, (list, tuple)), isinstance(b, (list, tuple))
    if any(sequences) and (all(sequences) or not _is_numeric(a) or not _is_numeric(b)):
        if not all(sequences) or len(a) != len(b):
            _refuse(total, "structure", path)
            return
        for i, (x, y) in enumerate(zip(a, b)):
            _compare(x, y, f"{path}[{i}]", rtol, atol, total)
        return
    _leaves(a, b, path, rtol, atol, total)


def _is_numeric(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_numeric(item) for item in value)
    return isinstance(value, (int, float, complex, Tensor, Variable))


def _raw(value: Any) -> Any:
    if isinstance(value, (Tensor, Variable)):
        return np.asarray(value.value)
    if isinstance(value, (list, tuple)):
        try:
            return np.array([_raw(item) for item in value])
        except ValueError:
            return np.array(None)
    return np.asarray(value)


def _tolerance(a: Any, b: Any) -> float:
    dtypes = [str(v.value.dtype) for v in (a, b) if isinstance(v, (Tensor, Variable))]
    floats = [TOLERANCE[d] for d in dtypes if d in TOLERANCE]
    return max(floats) if floats else 0.0 if dtypes else TOLERANCE["float64"]


def _leaves(a: Any, b: Any, path: str, rtol: Any, atol: Any, total: Comparison) -> None:
    x, y = _raw(a), _raw(b)
    if x.shape != y.shape:
        _refuse(total, "shape", path)
        return
    if x.dtype.kind not in "iufcb" or y.dtype.kind not in "iufcb":
        if not (x.dtype.kind == y.dtype.kind and bool(np.all(x == y))):
            _refuse(total, "value", path)
        return
    tol = _tolerance(a, b)
    relative = tol if rtol is None else rtol
    floor = (tol if rtol is None else 0.0) if atol is None else atol
    kind: Any = np.complex128 if "c" in (x.dtype.kind, y.dtype.kind) else np.float64
    if x.dtype.kind in "iu" and y.dtype.kind in "iu":
        kind = np.int64 if x.dtype != np.uint64 else np.uint64
    with np.errstate(all="ignore"):
        x, y = x.astype(kind), y.astype(kind)
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        gap = np.where(same, 0.0, np.abs(x - y))
        size = np.maximum(np.abs(x), np.abs(y))
        allowed = np.maximum(floor, relative * size) if rtol is None else floor + relative * np.abs(y)
        close = same | (np.isfinite(gap) & (gap <= allowed))
        ratio = np.where(gap == 0, 0.0, gap / np.where((size == 0) | np.isinf(size), 1.0, size))
    if gap.size:
        worst = int(np.argmax(np.where(np.isnan(gap), np.inf, gap)))
        largest = float(gap.reshape(-1)[worst])
        if total.max_abs is None or largest > total.max_abs or largest != largest:
            total.max_abs = largest
            if not close.all():
                index = np.unravel_index(worst, gap.shape)
                total.where = path + (f"[{', '.join(map(str, index))}]" if gap.shape else "")
        greatest = float(np.max(ratio))
        if total.max_rel is None or greatest > total.max_rel or greatest != greatest:
            total.max_rel = greatest
    if not close.all():
        if total.ok:
            total.why = "value"
        total.ok = False
