"""Signs that there may be more to tell of an answer: one cheap look at each operation on the way.

What follows a sign is looked into by `kinks`, `rivals` and `precision`, which are imported only then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .pullback import collect

if TYPE_CHECKING:
    from .asked import Asked
    from .tensor import Node

#: numbers outside these bounds may overflow or underflow when squared or multiplied, by the bytes of their format
_BOUNDS = {2: (1e-2, 100.0), 4: (1e-15, 1e15), 8: (1e-140, 1e140)}
_SUMS = frozenset(("add", "subtract"))


class Signs:
    """Which of three things may be there: a kink or tie, an operation in which TensorFlow differs, lost digits."""

    __slots__ = ("digits", "kinks", "rivals")

    def __init__(self) -> None:
        self.kinks = self.rivals = self.digits = False


def signs_of(asked: Asked) -> Signs:
    """The signs among the operations between the targets and the sources of a query."""
    signs = Signs()
    order, _ = collect(asked.mark, [node for node, _ in asked.seeds], asked.wanted)
    signs.rivals = asked.kind == "batch_jacobian"
    for node in order:
        op: Any = node.op
        if op.kink is not None or op.name == "where":
            signs.kinks = True
        if op.tensorflow is not None:
            signs.rivals = True
        if not signs.digits:
            signs.digits = _doubtful(node)
    return signs


def _doubtful(node: Node) -> bool:
    """May digits have been lost here: is it a sum of which little is left, or are there numbers near the bounds?"""
    op: Any = node.op
    xs = node.x0 if type(node.x0) is tuple else (node.x0, node.x1) if op.arity == 2 else (node.x0,)
    if op.name in _SUMS and not any(getattr(x, "shape", ()) for x in xs):
        a, b = (float(np.real(x)) for x in xs)
        total = a + b if op.name == "add" else a - b
        if abs(total) < 1e-3 * max(abs(a), abs(b)):
            return True
    elif op.name in _SUMS or not op.elementwise:
        return True
    return any(map(_extreme, xs))


def _extreme(x: Any) -> bool:
    if isinstance(x, float):  # and so is a NumPy number of eight bytes: the usual case, quickly
        size = abs(x)
        return size != 0 and not 1e-140 < size < 1e140
    if not isinstance(x, (np.ndarray, np.floating)) or (type(x) is np.ndarray and x.dtype.kind != "f"):
        return False
    low, high = _BOUNDS.get(getattr(x, "itemsize", 8), _BOUNDS[8])
    sizes = np.abs(x)
    return bool(np.any((sizes != 0) & ~((low < sizes) & (sizes < high))))
