"""Whence a NaN or an infinity came: the first operation, forward or backward, that made one of finite numbers.

Asked only when a gradient is not finite. What the gradient is where the function has one all the same, `limits` finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .pullback import collect, contributions, deliver, seeded, split
from .replay import operands, replay
from .tensor import Shadow

if TYPE_CHECKING:
    from .recording import Mark
    from .tensor import Node


#: operations that take some of their operands' entries and leave others
CHOICES = frozenset((
    "where", "strided_slice", "gather", "gather_nd", "boolean_mask", "take_along_axis", "split", "unstack", "slice",
    "maximum", "minimum", "relu", "relu6", "clip_by_value", "reduce_max", "reduce_min", "top_k", "multiply_no_nan",
    "divide_no_nan", "diag_part", "band_part", "tril", "triu", "max_pool",
))  # fmt: skip


class Fault:
    """The first operation that made a non-finite number of finite ones, in an entry that has a say in the target.

    `direction` is forward or backward; `index` the first such entry of its result; `inputs` the operands' entries
    there, `made` the number. Backward also: `operand` the position of the operand whose contribution it is, `upstream`
    the cotangent's entry, `slope` the local derivative; where the upstream is zero, `silencer` and `silencer_site`
    name the operation that made it zero; `chosen` is true if that one takes some entries and leaves others.
    """

    __slots__ = (
        "chosen", "direction", "index", "inputs", "made", "node", "op", "operand", "silencer", "silencer_site", "site",
        "slope", "upstream", "value",
    )  # fmt: skip

    def __init__(self, direction: str, node: Node, index: tuple[int, ...], inputs: list[Any], made: Any) -> None:
        self.direction = direction
        self.node = node
        self.op: str = node.op.name if node.op is not None else ""
        self.site = node.site
        self.index = index
        self.inputs = inputs
        self.made = made
        self.operand = 0
        self.upstream: Any = None
        self.slope: Any = None
        self.silencer = ""
        self.chosen = False
        self.silencer_site = 0
        #: backward: the result's own entry, where that is not finite either
        self.value: Any = None


def finite(x: Any) -> Any:
    data = np.asarray(x)
    return np.isfinite(data) if data.dtype.kind in "fc" else np.ones(data.shape, np.bool_)


def entry(x: Any, index: tuple[int, ...]) -> Any:
    """The entry of an operand that belongs to an entry of the result, under broadcasting; None if none does."""
    shape = np.shape(x)
    if not isinstance(x, (np.ndarray, np.generic, float)):
        return None
    if np.size(x) == 1:
        return np.asarray(x).reshape(-1)[0]
    tail = index[len(index) - len(shape) :]
    if len(shape) > len(index) or any(n != 1 and i >= n for i, n in zip(tail, shape)):
        return None
    return np.asarray(x)[tuple(0 if n == 1 else i for i, n in zip(tail, shape))]


def first_fault(mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node]) -> Fault | None:
    """The first operation, forward or else backward, that made a non-finite number; None if none did.

    An entry whose cotangent is zero has no say in the target, and what it became on the way forward is no fault.
    Raises CannotReplay.
    """
    order, store = seeded(mark, seeds, wanted)
    forward = replay(order[::-1], {})
    backward = _sweep(order, store, forward)
    for test in (np.isfinite, lambda x: ~np.isnan(x)):
        # where there are infinities to begin with, the first that made a NaN of none
        for node in reversed(order):
            ct = store[node]
            y = np.asarray(forward[node])
            if ct is None or y.dtype.kind not in "fc":
                continue
            xs = operands(node, forward)
            bad = ~test(y) & _sound(node, xs, y.shape, test) & (np.asarray(ct) != 0)
            if bad.any():
                index = tuple(int(i) for i in np.argwhere(bad)[0])
                return Fault("forward", node, index, [entry(x, index) for x in xs], y[index])
    if backward is not None:
        _find_silencer(backward, order, store)
        _find_origin(backward)
    return backward


def _find_origin(fault: Fault) -> None:
    """Where the operand that is no finite number came from, if no tape recorded it: that operation made it."""
    parents, kept = split(fault.node)
    for p, x, value in zip(parents, kept, fault.inputs):
        if type(p) is not Shadow or p.op is None or not p.op.arity or value is None or np.isfinite(value):
            continue
        if isinstance(x, (np.ndarray, np.generic)) and all(q.op is None for q in p.parents()):
            fault.op, fault.site, fault.direction = p.op.name, p.site, "outside"
            fault.made, fault.inputs = value, []
            return


def first_made_not_finite(mark: Mark, target: Node) -> Fault | None:
    """The first operation that made a non-finite entry of a recorded value. Raises CannotReplay."""
    forward = replay(collect(mark, [target], [])[0][::-1], {})
    value = np.asarray(forward.get(target))
    return first_fault(mark, [(target, (~finite(value)).astype(value.dtype)[()])], list(forward))


def _sound(node: Node, xs: list[Any], shape: tuple[int, ...], test: Any) -> Any:
    """Which entries of a result were made of operands that pass a test."""
    parts = [test(np.asarray(x)) for x in xs if np.asarray(x).dtype.kind in "fc"]
    if node.op is not None and node.op.elementwise:
        sound = np.ones(shape, np.bool_)
        for part in parts:
            sound = sound & part
        return sound
    return np.full(shape, all(part.all() for part in parts))


def _sweep(order: list[Node], store: dict[Node, Any], forward: dict[Node, Any]) -> Fault | None:
    """Fill the store with every cotangent; the first contribution that is not finite although its cotangent is."""
    fault = None
    for node in order:
        ct = store[node]
        if ct is None:
            continue
        parents, xs = split(node)
        for i, g in contributions(node, ct, node.y, xs, store, 0):
            if fault is None and not np.all(finite(g)) and np.all(finite(ct)):
                fault = _backward_fault(node, i, g, ct, xs, store)
                fault.inputs = [entry(x, fault.index) for x in operands(node, forward)]
                value = entry(forward[node], fault.index)
                fault.value = None if value is None or np.isfinite(value) else value
            deliver(store, parents[i], g, xs[i])
    return fault


def _backward_fault(node: Node, i: int, g: Any, ct: Any, xs: Any, store: dict[Node, Any]) -> Fault:
    index = tuple(int(k) for k in np.argwhere(~finite(g))[0])
    fault = Fault("backward", node, index, [entry(x, index) for x in xs], np.asarray(g)[index])
    fault.operand = i
    fault.upstream = entry(ct, index)
    if node.op is not None and node.op.elementwise:
        slopes = dict(contributions(node, np.ones_like(ct)[()], node.y, xs, store, 0))
        fault.slope = entry(slopes[i], index)
    return fault


def _find_silencer(fault: Fault, order: list[Node], store: dict[Node, Any]) -> None:
    """Follow the faulty entry towards the target, to the first operation that has a cotangent itself."""
    if fault.upstream is None or fault.upstream != 0:
        return
    unused = {fault.node}
    for node in reversed(order):
        if any(p in unused for p in node.parents()):
            ct = store[node]
            if ct is not None and np.any(np.asarray(ct) != 0):
                fault.silencer = node.op.name if node.op is not None else ""
                fault.silencer_site = node.site
                fault.chosen = fault.silencer in CHOICES
                return
            unused.add(node)
