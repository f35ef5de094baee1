"""The mathematical value of a gradient that is not a number, where the function has one.

Overflow and underflow are undone in a wider number format (`widened`); a cotangent that is exactly zero (a branch that
was not taken, a masked entry) silences an infinite slope; what is still not a number is settled by the limit of
difference quotients around the point, by running the operations again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .one_sided import least, limit, one_sided
from .provenance import finite
from .pullback import contributions, deliver, seeded, split
from .replay import function_of, history, value_seen
from .widened import shaken, wide, widened

if TYPE_CHECKING:
    from collections.abc import Callable

    from .provenance import Fault
    from .recording import Mark
    from .tensor import Node


def settled(
    mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node], found: list[Any], fault: Fault | None = None,
    cones: list[Any] | None = None,
) -> list[Any]:  # fmt: skip
    """The mathematical values of gradients that are not numbers, where they have one; `found` otherwise.

    A zero cotangent silences an infinite slope where a choice made it zero (a branch, a mask, a slice). Where
    arithmetic did (`sqrt(x)**2` at 0), the limit decides, and silence only if there is none. Where the limit is another
    one from either side, `(position of the source, entry, left, right)` is entered in `cones`.
    """
    found = widened(mark, seeds, wanted, found)
    if all(value is None or np.all(finite(value)) for value in found):
        return found
    store = _silent_sweep(mark, seeds, wanted)
    chosen = fault is not None and fault.chosen
    order = history(mark, [target for target, _ in seeds], wanted)
    out = []
    for i, (node, value) in enumerate(zip(wanted, found)):
        silent = store.get(node)
        if value is None or silent is None:
            out.append(value)
            continue
        better = np.where(np.isnan(value) & (np.isfinite(silent) | chosen), silent, value)
        if np.isnan(value).any():
            better, differing = _by_limit(order, seeds, node, better, np.isnan(value), chosen)
            if cones is not None:
                cones.extend((i, *cone) for cone in differing)
        out.append(better[()])
    return out


def _silent_sweep(mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node]) -> dict[Node, Any]:
    """The sweep in which nothing comes from where nothing is asked: 0 · inf and 0 · nan are 0."""
    order, store = seeded(mark, seeds, wanted)
    for node in order:
        ct = store[node]
        if ct is None:
            continue
        parents, xs = split(node)
        for i, g in contributions(node, ct, node.y, xs, store, 0):
            if not np.all(finite(g)):
                g = np.where(_unasked(node, ct, np.shape(g)) & ~finite(g), np.zeros_like(g), g)[()]
            deliver(store, parents[i], g, xs[i])
    return store


def _unasked(node: Node, ct: Any, shape: tuple[int, ...]) -> Any:
    """Which entries of a contribution belong to entries of the result whose cotangent is zero."""
    zero = np.asarray(ct) == 0
    if zero.all():
        return np.ones(shape, np.bool_)
    op, params = node.op, node.params or {}
    if op is None or op.elementwise:
        return (
            np.broadcast_to(zero, shape) if op is not None and _fits(zero.shape, shape) else np.zeros(shape, np.bool_)
        )
    if "axis" not in params or not shape:
        return np.zeros(shape, np.bool_)
    axis = params["axis"]
    axes = tuple(range(len(shape))) if axis is None else tuple(np.atleast_1d(axis))
    if zero.shape == shape:  # softmax and its kind: a row is asked for, or it is not
        return np.broadcast_to(zero.all(axis=axes, keepdims=True), shape)
    if zero.ndim < len(shape):
        zero = np.expand_dims(zero, axes) if zero.ndim + len(axes) == len(shape) else zero
    return np.broadcast_to(zero, shape) if _fits(zero.shape, shape) else np.zeros(shape, np.bool_)


def _fits(have: tuple[int, ...], want: tuple[int, ...]) -> bool:
    return len(have) <= len(want) and all(a in (1, b) for a, b in zip(have[::-1], want[::-1]))


def _by_limit(
    order: list[Node], seeds: list[tuple[Node, Any]], node: Node, value: Any, asked: Any, chosen: bool
) -> tuple[Any, list[tuple[tuple[int, ...], float, float]]]:
    """One-sided slopes for the entries `asked`; `value` where they cannot be told.

    Where a choice silenced an entry, the slopes count only if both sides have the same.
    """
    x = value_seen(order, node)
    if x is None or np.asarray(x).dtype.kind != "f" or np.count_nonzero(asked) > 100:
        return value, []
    better, cones = np.array(value), []
    for index in zip(*np.nonzero(np.atleast_1d(asked))):
        at = index if np.ndim(value) else ()
        slopes = slopes_at(order, seeds, node, x, at)
        if slopes is None:
            continue
        known = [slope for slope in slopes if slope is not None]
        if chosen and not np.isnan(better[at]) and not (len(known) == 2 and abs(known[0] - known[1]) <= 1e-6):
            continue
        if len(known) == 2 and not np.isfinite(known).all() and known[0] != known[1]:
            continue  # a cusp, or rounding beside a singular point
        if known:
            better[at] = least(*known) if len(known) == 2 else known[0]
        if len(known) == 2 and np.isfinite(known).all() and abs(known[0] - known[1]) > 1e-6:
            cones.append((at, known[0], known[1]))
    return better, cones


def slopes_at(
    order: list[Node], seeds: list[tuple[Node, Any]], node: Node, x: Any, at: tuple[int, ...]
) -> tuple[float | None, float | None] | None:
    """The slopes of the targets in one entry of a source from the left and from the right, in the widest numbers.

    Where the value itself is not a number, it is taken to be its limit, if both sides have the same. None if unknown:
    also where the slope does not bear a change in the last bits of what goes in.
    """
    first = _slopes(order, seeds, node, x, at, wide)
    if first is None or first == (None, None):
        return first
    second = _slopes(order, seeds, node, x, at, shaken) or (None, None)
    return _firm(first[0], second[0]), _firm(first[1], second[1])


def _firm(a: float | None, b: float | None) -> float | None:
    if a is None or b is None:
        return None
    return a if a == b or abs(a - b) <= 1e-6 * abs(a) else None


def _slopes(
    order: list[Node], seeds: list[tuple[Node, Any]], node: Node, x: Any, at: tuple[int, ...],
    wider: Callable[[Any], Any],
) -> tuple[float | None, float | None] | None:  # fmt: skip
    start = np.array(wider(np.asarray(x)))
    f = function_of(order, seeds, node, wider)

    def moved(t: Any) -> Any:
        there = start.copy()
        there[at] += t
        return f(there[()])

    scale = max(1.0, abs(float(start[at])))
    try:
        with np.errstate(all="ignore"):
            here = moved(0.0)
            if np.isinf(here) and all(moved(t * scale) == here for t in (-0.1, -1e-3, 1e-3, 0.1)):
                return 0.0, 0.0  # infinite, whatever the source is
            if not np.isfinite(here):
                left, right = limit(moved, -1.0, scale), limit(moved, 1.0, scale)
                if left is None and right is not None:
                    return None, one_sided(moved, right, 1.0, scale)  # the edge of a domain
                if right is None and left is not None:
                    return one_sided(moved, left, -1.0, scale), None
                if left is None or right is None or abs(left - right) > 1e-9 * (1 + abs(left)):
                    return None
                here = (left + right) / 2
            return one_sided(moved, here, -1.0, scale), one_sided(moved, here, 1.0, scale)
    except (TypeError, ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None  # an operation without the wider format, or outside its domain
