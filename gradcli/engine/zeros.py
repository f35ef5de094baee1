"""Why a gradient is zero: where the last of it was lost on the way back.

Asked only when a gradient that is printed is zero in every entry, or no more than rounding. The sweep is made again,
and each place is noted where something arrived and nothing went on (a saturated clip, a factor that is zero, a slope
that is zero at this point) or where contributions added up to nothing (they cancel).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .kinks import leading_to
from .passages import GRADIENT, SETTLED
from .pullback import contributions, deliver, fit, seeded, split

if TYPE_CHECKING:
    from .asked import Asked
    from .tensor import Node

#: operations with flat parts or entries that they leave: nothing comes back from there
_SATURATING = frozenset((
    "relu", "relu6", "clip_by_value", "hard_sigmoid", "hard_tanh", "hard_swish", "elu", "selu", "sigmoid", "tanh",
    "softsign", "erf", "erfc", "log_sigmoid", "softplus", "celu", "leaky_relu", "atan",
))  # fmt: skip
_CHOOSING = frozenset((
    "where", "maximum", "minimum", "strided_slice", "gather", "reduce_max", "reduce_min", "top_k", "max_pool",
    "boolean_mask", "gather_nd",
))  # fmt: skip
_STEPS = frozenset(("sign", "relu_gradient"))
_FACTORS = frozenset(("multiply", "matmul", "divide", "multiply_no_nan", "einsum", "tensordot", "matvec", "vdot"))
#: operations whose results add up to a constant along an axis
_NORMALISED = frozenset(("softmax",))


class Lost:
    """One place where a gradient became zero.

    `how` is saturated, chosen, step, factor, flat, constant-sum, cancelled, or independent (the target does not depend
    on the source) and linear (so it is, being a derivative itself); `x` an entry of the operand there, `parts` two of
    the contributions that cancelled.
    """

    __slots__ = ("how", "op", "parts", "site", "x")

    def __init__(self, how: str, node: Node, x: Any = None, parts: tuple[Any, ...] = ()) -> None:
        self.how = how
        self.op = node.op.name if node.op is not None else ""
        self.site = node.site
        self.x = np.asarray(x).reshape(-1)[0] if x is not None and np.size(x) else None
        self.parts = parts


def is_zero(answer: Any) -> bool:
    """Is a gradient nothing but zeros, or rounding errors around zero?"""
    data = np.asarray(answer)
    if data.dtype.kind not in "fc" or not data.size or not np.isfinite(data).all():
        return False
    largest = float(np.abs(data).max())
    return largest == 0 or largest < 64 * float(np.finfo(data.dtype).eps)


def lost_on_the_way(asked: Asked, source: int) -> list[Lost]:
    """The places where the gradient in one source became zero, nearest the target first; empty if it did not."""
    wanted = [asked.wanted[source]]
    order, store = seeded(asked.mark, asked.seeds, wanted)
    useful = leading_to(order, set(wanted))
    sizes: dict[Node, Any] = {}
    parts: dict[Node, list[Any]] = {}
    lost: list[Lost] = []
    reached = [node for node, _ in asked.seeds] + [p for node in order for p in node.parents()]
    if wanted[0] not in reached:
        return [Lost("linear" if any(_is_derivative(node) for node, _ in asked.seeds) else "independent", wanted[0])]
    for node in [*order, *(node for node in wanted if node not in store or node.op is None)]:
        ct = store.get(node)
        if ct is None:
            continue
        if node in sizes and len(parts[node]) > 1 and _nothing(ct, sizes[node]):
            if np.any(sizes[node] != 0):
                lost.append(Lost("cancelled", parts[node][0][0], parts=_cancelled(parts[node])))
            continue
        if node.op is None or node in wanted or not np.any(np.asarray(ct) != 0):
            continue
        parents, xs = split(node)
        for i, g in contributions(node, ct, node.y, xs, store, 0):
            if parents[i] not in useful or hasattr(g, "by_position"):
                continue
            if _vanishes(node, g, ct):
                lost.append(_lost_in(node, i, xs, g))
                continue
            deliver(store, parents[i], g, xs[i])
            sizes[parents[i]] = sizes.get(parents[i], 0) + fit(np.abs(g), xs[i], 0)
            parts.setdefault(parents[i], []).append((node, g))
    return lost


def _is_derivative(node: Node) -> bool:
    return node.op is GRADIENT or node.op is SETTLED


def _vanishes(node: Node, g: Any, ct: Any) -> bool:
    if not np.any(np.asarray(g) != 0):
        return True
    normalised = node.op is not None and node.op.name in _NORMALISED
    return normalised and _nothing(g, np.max(np.abs(ct)))


def _nothing(value: Any, size: Any) -> bool:
    """Is a sum zero but for rounding, held against the sum of the sizes of its parts?"""
    data = np.asarray(value)
    return bool(np.all(np.abs(data) <= 64 * np.finfo(data.dtype).eps * np.asarray(size)))


def _lost_in(node: Node, i: int, xs: Any, g: Any) -> Lost:
    name = node.op.name if node.op is not None else ""
    x = xs[i]
    value = x if isinstance(x, (np.ndarray, np.generic)) else None
    if name in _NORMALISED and np.any(np.asarray(g) != 0):
        return Lost("constant-sum", node)
    if name == "pow" and i == 1 and np.any(np.asarray(xs[0]) < 0):
        return Lost("undefined", node, xs[0])
    if name in _STEPS:
        return Lost("step", node, value)
    if name in _SATURATING:
        return Lost("saturated", node, value)
    if name in _CHOOSING:
        return Lost("chosen", node)
    if name in _FACTORS and any(
        np.size(other) and not np.any(np.asarray(other) != 0)
        for k, other in enumerate(xs)
        if k != i and isinstance(other, (np.ndarray, np.generic, float))
    ):
        return Lost("factor", node)
    return Lost("flat", node, value)


def _cancelled(parts: list[Any]) -> tuple[Any, ...]:
    """An entry of the first two contributions that cancel: the largest."""
    (_, a), (_, b) = parts[:2]
    if np.shape(a) != np.shape(b):
        return ()
    at = int(np.argmax(np.abs(np.asarray(a).reshape(-1))))
    return np.asarray(a).reshape(-1)[at], np.asarray(b).reshape(-1)[at]
