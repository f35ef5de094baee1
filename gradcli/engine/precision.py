"""Digits lost to a number format: overflow, underflow and cancellation, found by computing again in a wider one.

Asked only when a value or gradient is printed. float16 and float32 are held against float64, float64 against the
machine's extended format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .provenance import entry, finite
from .pullback import collect
from .replay import CannotReplay, operands, replay
from .widened import swept, wide, widest

if TYPE_CHECKING:
    from .asked import Asked
    from .recording import Mark
    from .tensor import Node

#: a result counts as lost where its relative error is above this, for 2, 4 and 8 bytes
_TOLERANCE = {2: 0.1, 4: 1e-2, 8: 1e-5}
#: numbers in all operations together, up to which the wider computation is made
_LARGEST = 2_000_000
#: operations up to which it is made: each is run again several times
_LONGEST = 5_000


class LostDigits:
    """The operation at which digits were lost. `how` is overflow, underflow or cancellation.

    `index` is the first such entry of its result, `inputs` the operands' entries there, `made` what came out, `true`
    what it is in the wider format. `answers` are the true answers of the query (None for a printed value).
    """

    __slots__ = ("answers", "dtype", "how", "index", "inputs", "made", "op", "site", "true")

    def __init__(self, node: Node, index: tuple[int, ...], inputs: list[Any], made: Any, true: Any) -> None:
        self.op = node.op.name if node.op is not None else ""
        self.site = node.site
        self.index = index
        self.inputs = inputs
        self.made = made
        self.true = true
        self.dtype = made.dtype
        self.how = "cancellation"
        if np.isinf(made) and np.isfinite(true):
            self.how = "overflow"
        elif made == 0 or abs(made) < np.finfo(made.dtype).tiny:
            self.how = "underflow" if abs(true) < np.finfo(made.dtype).tiny else "cancellation"
        self.answers: list[Any] | None = None


def lost_in_value(mark: Mark, node: Node, value: Any) -> LostDigits | None:
    """The operation at which a recorded value overflowed or lost its digits; None if it did not."""
    try:
        with np.errstate(all="ignore"):
            order, _ = collect(mark, [node], [])
            if _too_large(order) or not order:
                return None
            narrow, broad = replay(order[::-1], {}), replay(order[::-1], {}, wide)
    except _FAILS:
        return None
    if not _wrong(value, broad.get(node, value), np.asarray(value).dtype):
        return None
    return _culprit(order[::-1], narrow, broad)


def lost_in_answers(asked: Asked) -> LostDigits | None:
    """The operation on the way to a gradient at which digits were lost; None if there is none.

    Found where the gradient itself is wrong, or where a value on the way overflowed although the gradient is right.
    """
    if asked.in_rows or any(a is None or np.asarray(a).dtype.kind != "f" for a in asked.answers):
        return None
    targets = [node for node, _ in asked.seeds]
    try:
        with np.errstate(all="ignore"):
            order, _ = collect(asked.mark, targets, asked.wanted)
            if _too_large(order) or not order:
                return None
            narrow, broad = replay(order[::-1], {}), replay(order[::-1], {}, wide)
            store = swept(asked.mark, asked.seeds, asked.wanted)
    except _FAILS:
        return None
    true = [store.get(node) for node in asked.wanted]
    wrong = any(
        t is not None and np.shape(t) == np.shape(a) and _wrong(a, t, np.asarray(a).dtype)
        for a, t in zip(asked.answers, true)
    )
    if not _confirmed(asked, true, order):
        true = [None for _ in true]
    found = _culprit(order[::-1], narrow, broad, only=None if wrong else "overflow")
    if found is not None and wrong and any(t is not None for t in true):
        found.answers = true
    return found


def _confirmed(asked: Asked, answers: list[Any], order: list[Node]) -> bool:
    """Does a still wider format give the same answers? Not asked of long computations."""
    if len(order) > 1000 or all(a is None or np.asarray(a).dtype.itemsize > 8 for a in answers):
        return True
    try:
        with np.errstate(all="ignore"):
            again = swept(asked.mark, asked.seeds, asked.wanted, widest)
    except _FAILS:
        return True
    wider = [again.get(node) for node in asked.wanted]
    return all(a is None or b is None or np.allclose(a, b, rtol=1e-3, atol=0) for a, b in zip(answers, wider))


_FAILS = (CannotReplay, TypeError, ValueError, ArithmeticError, np.linalg.LinAlgError)


def _too_large(order: list[Node]) -> bool:
    if len(order) > _LONGEST:
        return True
    total = 0
    for node in order:
        for x in (*node.x0, None) if type(node.x0) is tuple else (node.x0, node.x1):
            total += int(getattr(x, "size", 1))
    return total > _LARGEST


def _wrong(narrow: Any, broad: Any, dtype: Any) -> bool:
    return bool(np.any(_mask(narrow, broad, dtype)))


def _mask(narrow: Any, broad: Any, dtype: Any) -> Any:
    """Entries whose relative error is above the tolerance. Below one rounding of the largest entry, it is none."""
    a, b = np.asarray(narrow), np.asarray(broad)
    if a.dtype.kind != "f" or b.dtype.kind != "f" or a.shape != b.shape or not a.size:
        return np.zeros(a.shape, np.bool_)
    known = np.isfinite(b)
    limit = _TOLERANCE.get(dtype.itemsize, 1e-5)
    with np.errstate(all="ignore"):
        away = np.abs(a.astype(b.dtype) - b)
        off = ~(away <= limit * np.abs(b)) & ~(away <= 4 * np.finfo(a.dtype).eps * _scale(a, b))
    return known & off & (b != 0)


def _scale(a: Any, b: Any) -> Any:
    """The size of the largest entry, if there are several; a number alone has no other to be small beside."""
    return np.max(np.abs(b), where=finite(b), initial=0) if a.size > 1 else 0


def _culprit(order: list[Node], narrow: Any, broad: Any, only: str | None = None) -> LostDigits | None:
    """The first operation whose result is wrong although its operands are not."""
    for node in order:
        y = np.asarray(narrow[node])
        if y.dtype.kind != "f":
            continue
        mask = _mask(y, broad[node], y.dtype)
        if not mask.any():
            continue
        mine, theirs = operands(node, narrow), operands(node, broad, wide)
        if any(np.any(_mask(a, b, np.asarray(a).dtype)) for a, b in zip(mine, theirs) if hasattr(a, "dtype")):
            continue
        index = tuple(int(i) for i in np.argwhere(mask)[0])
        found = LostDigits(node, index, [entry(x, index) for x in mine], y[index], np.asarray(broad[node])[index])
        if only is None or found.how == only:
            return found
    return None
