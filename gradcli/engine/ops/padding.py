"""Margins around the entries: pad, with a constant or with the entries mirrored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import composite, primitive
from .axes import shape_of


def _margins(x: Any, paddings: Any) -> dict[str, Any]:
    return {"paddings": pairs(paddings, np.ndim(x))}


def pairs(paddings: Any, ndim: int) -> tuple[tuple[int, int], ...]:
    """So many entries before and behind each axis, checked."""
    given = getattr(paddings, "value", paddings)
    rows = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(rows, (list, tuple)):
        raise EngineError("bad-value", "shape", op="pad", given=str(given))
    found = tuple(shape_of(row, "pad") for row in rows)
    if len(found) != ndim or any(len(row) != 2 for row in found):
        raise EngineError("shape-mismatch", "operands", op="pad", shapes=((len(found), 2), (ndim, 2)))
    if any(n < 0 for row in found for n in row):
        raise EngineError("bad-value", "shape", op="pad", given=str([list(row) for row in found]))
    return tuple((row[0], row[1]) for row in found)


def _inside(ct: Any, _y: Any, _x: Any, paddings: Any) -> Any:
    inner = tuple(slice(before, before + n) for (before, _), n in zip(paddings, _x.shape))
    return ct[(Ellipsis, *inner)] if inner else ct


@primitive(
    _inside,
    accepts="any",
    prepare=_margins,
    cases=(Case((2, 3), paddings=[[0, 1], [2, 0]]), Case((3,), paddings=[[1, 1]]), Case((), paddings=[])),
)
def pad_with_zeros(x: Any, paddings: Any) -> Any:
    """Zeros before and behind the entries of each axis.

    d/dx: the upstream without the margins
    >>> pad_with_zeros([1.0], [[1, 2]])
    [0.0, 1.0, 0.0, 0.0]
    """
    out = np.zeros([n + before + behind for n, (before, behind) in zip(np.shape(x), paddings)], x.dtype)
    out[tuple(slice(before, before + n) for n, (before, _) in zip(np.shape(x), paddings))] = x
    return out


@composite(
    arity=1,
    accepts="any",
    numpy="pad",
    cases=(
        Case((2, 3), paddings=[[1, 0], [0, 2]]),
        Case((2, 3), paddings=[[1, 1], [2, 2]], mode="REFLECT"),
        Case((3,), paddings=[[2, 3]], mode="SYMMETRIC"),
        Case((2,), paddings=[[1, 1]], constant_values=7.0),
        Case((2, 1), [[1, 0], [0, 2]], "CONSTANT", 0.5),
    ),
)
def pad(x: Any, paddings: Any, mode: Any = "CONSTANT", constant_values: Any = 0) -> Any:
    """Margins around the entries: `[before, behind]` for each axis.

    They hold a constant ("CONSTANT"), the entries mirrored at the outermost one ("REFLECT") or at the edge
    ("SYMMETRIC").

    d/dx: the upstream inside, and what the mirrored margins fold back
    >>> pad([1.0, 2.0], [[1, 0]])
    [0.0, 1.0, 2.0]
    """
    rows = pairs(paddings, len(x.shape))
    kind = str(mode).upper()
    if kind not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
        raise EngineError("bad-value", "choice", op="pad", given=str(mode), known=("CONSTANT", "REFLECT", "SYMMETRIC"))
    if kind == "CONSTANT":
        filler = getattr(constant_values, "value", constant_values)
        return pad_with_zeros(x, rows) if np.ndim(filler) == 0 and filler == 0 else _around(x, rows, constant_values)
    for axis, (before, behind) in enumerate(rows):
        n = x.shape[axis]
        if max(before, behind) > (n - 1 if kind == "REFLECT" else n):
            raise EngineError("shape-mismatch", "operands", op="pad", shapes=(tuple(x.shape), (before, behind)))
        x = _mirrored(x, axis, before, behind, 1 if kind == "REFLECT" else 0)
    return x


def _around(x: Any, rows: Any, filler: Any) -> Any:
    from .selection import where

    inside = np.pad(np.ones(tuple(x.shape), np.bool_), rows) if rows else np.True_
    return where(inside, pad_with_zeros(x, rows), filler)


def _mirrored(x: Any, axis: int, before: int, behind: int, skip: int) -> Any:
    """The entries along an axis between their mirror images; the outermost entry is skipped or comes twice."""
    from .arrangement import reverse
    from .joining import concat

    n, front = x.shape[axis], (slice(None),) * axis
    parts = [x]
    if before:
        parts.insert(0, reverse(x[(*front, slice(skip, before + skip))], axis=[axis]))
    if behind:
        parts.append(reverse(x[(*front, slice(n - behind - skip, n - skip))], axis=[axis]))
    return concat(parts, axis) if len(parts) > 1 else x
