"""Whence a NaN or an infinity came, and what the gradient is where the function has one all the same.

Asked only when a gradient is not finite. `first_fault` walks the recorded operations forward, then backward, for the
first that makes a non-finite number of finite ones. `settled` finds the mathematical value: overflow and underflow are
undone in a wider number format (`widened`); a cotangent that is exactly zero (a branch that was not taken, a masked
entry) silences an infinite slope; what is still not a number is settled by the limit of difference quotients around the
point, by replaying the operations.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .pullback import _contributions, _split, collect, fit

if TYPE_CHECKING:
    from collections.abc import Callable

    from .recording import Mark, State
    from .tensor import Node


class CannotReplay(Exception):
    """The tape holds a function of the user's own, which cannot be run again on other values."""


class Fault:
    """The first operation that made a non-finite number of finite ones.

    `direction` is forward or backward; `index` the first such entry of its result (forward) or of the contribution to
    operand `operand` (backward); `inputs` the operands' entries there, `upstream` the cotangent's, `made` the number.
    """

    __slots__ = ("direction", "index", "inputs", "made", "op", "operand", "site", "upstream")

    def __init__(
        self, direction: str, node: Node, index: tuple[int, ...], inputs: list[Any], made: Any, operand: int = 0,
        upstream: Any = None,
    ) -> None:  # fmt: skip
        self.direction = direction
        self.op: str = node.op.name if node.op is not None else ""
        self.site = node.site
        self.index = index
        self.inputs = inputs
        self.made = made
        self.operand = operand
        self.upstream = upstream


def _finite(x: Any) -> Any:
    data = np.asarray(x)
    return np.isfinite(data) if data.dtype.kind in "fc" else np.ones(data.shape, np.bool_)


def _entry(x: Any, index: tuple[int, ...]) -> Any:
    """The entry of an operand that belongs to an entry of the result, under broadcasting."""
    shape = np.shape(x)
    if not shape or len(shape) > len(index):
        return np.asarray(x).reshape(-1)[0] if np.size(x) == 1 else None
    tail = index[len(index) - len(shape) :]
    return np.asarray(x)[tuple(0 if n == 1 else i for i, n in zip(tail, shape))]


def replay(order: list[Node], given: dict[Node, Any], taken: Callable[[Any], Any] = lambda x: x) -> dict[Node, Any]:
    """The values of recorded operations (earliest first) where some nodes have the values `given`.

    Operands that were not recorded go in as `taken` makes them.
    Raises CannotReplay at a function with a pullback of its own.
    """
    values = dict(given)
    for node in order:
        if node in values or node.op is None:
            continue
        parents, kept = _split(node)
        xs = [values[p] if p is not None and p in values else taken(x) for p, x in zip(parents, kept)]
        params = node.params or {}
        if not node.op.family:
            raise CannotReplay(node.op.name)
        values[node] = node.op.forward(*xs, **params) if node.op.arity >= 0 else node.op.forward(xs, **params)
    return values


def first_fault(state: State, mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node]) -> Fault | None:
    """The first operation, forward or else backward, that made a non-finite number; None if none did."""
    order, store = collect(mark, [node for node, _ in seeds], wanted)
    forward = replay(order[::-1], {})
    for node in reversed(order):
        parents, kept = _split(node)
        operands = [forward.get(p, x) if p is not None else x for p, x in zip(parents, kept)]
        y = forward[node]
        bad = ~_finite(y)
        if bad.any() and all(np.all(_finite(x)) for x in operands):
            index = tuple(int(i) for i in np.argwhere(bad)[0])
            return Fault("forward", node, index, [_entry(x, index) for x in operands], np.asarray(y)[index])
    for node, ct in seeds:
        if node in store:
            store[node] = ct if store[node] is None else store[node] + ct
    for node in order:
        ct = store[node]
        if ct is None:
            continue
        parents, xs = _split(node)
        for i, g in _contributions(node, ct, node.y, xs, store, 0):
            fitted = fit(g, xs[i], 0)
            bad = ~_finite(g)
            if bad.any() and np.all(_finite(ct)):
                index = tuple(int(k) for k in np.argwhere(bad)[0])
                inputs = [_entry(x, index) for x in xs]
                return Fault("backward", node, index, inputs, np.asarray(g)[index], i, _entry(ct, index))
            held = store[parents[i]]
            store[parents[i]] = fitted if held is None else held + fitted
    return None


def settled(state: State, mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node], found: list[Any]) -> list[Any]:
    """The mathematical values of gradients that are not numbers, where they have one; `found` otherwise."""
    from .widened import widened

    found = widened(mark, seeds, wanted, found)
    if all(value is None or np.all(_finite(value)) for value in found):
        return found
    order, store = collect(mark, [node for node, _ in seeds], wanted)
    for node, ct in seeds:
        if node in store:
            store[node] = ct if store[node] is None else store[node] + ct
    for node in order:
        ct = store[node]
        if ct is None:
            continue
        parents, xs = _split(node)
        for i, g in _contributions(node, ct, node.y, xs, store, 0):
            if node.op is not None and node.op.elementwise:
                # 0 · inf: nothing comes from where nothing is asked
                g = np.where((np.asarray(ct) == 0) & ~_finite(g), np.zeros_like(g), g)[()]
            fitted = fit(g, xs[i], 0)
            held = store[parents[i]]
            store[parents[i]] = fitted if held is None else held + fitted
    out = []
    for node, value in zip(wanted, found):
        better = store.get(node)
        if value is None or better is None:
            out.append(value)
            continue
        better = np.where(np.isnan(value), better, value)
        if np.isnan(better).any():
            better = _by_limit(order[::-1], seeds, node, better)
        out.append(better[()])
    return out


def _leaf_value(order: list[Node], node: Node) -> Any:
    """The value with which a source went into the operations; None if they saw different ones."""
    seen: list[Any] = []
    for child in order:
        parents, kept = _split(child)
        seen.extend(x for p, x in zip(parents, kept) if p is node and isinstance(x, (np.ndarray, np.generic)))
    return seen[0] if seen and all(np.array_equal(x, seen[0]) for x in seen) else None


def _by_limit(order: list[Node], seeds: list[tuple[Node, Any]], node: Node, value: Any) -> Any:
    """Difference quotients from both sides at shrinking steps, for the entries that are still not numbers."""
    x = _leaf_value(order, node)
    if x is None or np.asarray(x).dtype.kind != "f" or np.isnan(value).sum() > 100:
        return value
    from .widened import wide

    start, settled_value = np.array(x, np.float64), np.array(value)

    def f(moved: Any) -> float:
        values = replay(order, {node: moved[()]}, wide)  # at least float64: steps of 1e-6 vanish in float32
        return float(
            sum(np.sum(np.asarray(values[target], np.float64) * ct) for target, ct in seeds if target in values)
        )

    with np.errstate(all="ignore"):
        here = f(start)
        if not np.isfinite(here):
            return value
        for index in zip(*np.nonzero(np.isnan(np.atleast_1d(value)))):
            at = index if start.ndim else ()
            sides = [_one_side(f, start, at, sign, here) for sign in (1.0, -1.0)]
            known = [s for s in sides if s is not None]
            if len(known) == 2:
                settled_value[at] = _least(*sides)
            elif known:
                settled_value[at] = known[0]
    return settled_value


def _one_side(f: Any, x: Any, at: tuple[int, ...], sign: float, here: float) -> float | None:
    """The slope from one side; None if it does not settle as the step shrinks."""
    scale = max(1.0, abs(float(x[at])))
    slopes = []
    for h in (1e-3, 1e-4, 1e-5, 1e-6):
        moved = x.copy()
        moved[at] += sign * h * scale
        slopes.append((f(moved) - here) / (sign * h * scale))
    # the error of a one-sided quotient shrinks with the step: take the last two together
    last = slopes[-1] + (slopes[-1] - slopes[-2]) / 9
    if not np.isfinite(last) or abs(slopes[-1] - slopes[-2]) > 1e-3 * (1 + abs(slopes[-1])):
        return None
    rounded = round(last, 4)
    return rounded if abs(last - rounded) < 1e-6 else float(last)


def _least(a: Any, b: Any) -> float:
    """Between two one-sided slopes the subgradient of least size."""
    low, high = min(a, b), max(a, b)
    return 0.0 if low <= 0 <= high else (low if low > 0 else high)
