"""Recorded operations run again: on the values they saw, on moved ones, or in a wider number format.

Reasons are found this way after the fact, so that recording keeps no more than the rules need. What decided (the
comparison behind a `where`) is run again too, so that a moved value takes the branch that is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import find_dtype
from .pullback import collect, split
from .tensor import Shadow, Spec

if TYPE_CHECKING:
    from collections.abc import Callable

    from .recording import Mark
    from .tensor import Node


class CannotReplay(Exception):
    """The tape holds a function of the user's own, or it let go of the values with which one could run it again."""


def history(mark: Mark, targets: list[Node], wanted: list[Node]) -> list[Node]:
    """The operations between sources and targets on one tape, earliest first, with the decisions they rest on."""
    order, _ = collect(mark, targets, wanted)
    seen = set(order)
    stack = list(order)
    while stack:
        for p in stack.pop().parents():
            if type(p) is Shadow and p not in seen and p.op is not None and p.op.family and p.x0 is not None:
                seen.add(p)
                stack.append(p)
    return sorted(seen, key=lambda node: node.index)


def replay(
    order: list[Node], given: dict[Node, Any], taken: Callable[[Any], Any] = lambda x: x,
    made: Callable[[Any], Any] | None = None,
) -> dict[Node, Any]:  # fmt: skip
    """The values of recorded operations (earliest first) where some nodes have the values `given`.

    Operands that were not recorded go in as `taken` makes them, results go on as `made` makes them.
    Raises CannotReplay at a function with a pullback of its own.
    """
    values = dict(given)
    for node in order:
        if node in values or node.op is None:
            continue
        y = run_again(node, operands(node, values, taken), taken)
        values[node] = y if made is None else made(y)
    return values


def operands(node: Node, values: dict[Node, Any], taken: Callable[[Any], Any] = lambda x: x) -> list[Any]:
    """The operands of a node: the replayed value of a parent where there is one, else what was kept."""
    parents, kept = split(node)
    return [values[p] if p is not None and p in values else taken(x) for p, x in zip(parents, kept)]


def run_again(node: Node, xs: list[Any], taken: Callable[[Any], Any] = lambda x: x) -> Any:
    """The operation of a node on other operands: what operands decide is decided anew, a float dtype is as `taken`.

    Of a user's function with several results, the results in a list or tuple. Raises CannotReplay.
    """
    op, params = node.op, node.params or {}
    assert op is not None
    if any(type(x) is Spec for x in xs):
        raise CannotReplay(op.name)  # its values were released
    if not op.family:
        if op.inside is not None:
            return op.inside.again(xs, taken)
        if "position" in params and isinstance(xs[0], (list, tuple)):
            return xs[0][params["position"]]
        raise CannotReplay(op.name)
    if op.anew is not None:
        params = op.anew(*xs, **params)
    # those of creations are as they were written: none, or a name
    if (written := params.get("dtype")) is not None and (dtype := find_dtype(written)).kind in "fc":
        params = params | {"dtype": taken(np.zeros((), dtype)).dtype}
    y = op.forward(*xs, **params) if op.arity >= 0 else op.forward(xs, **params)
    return y[()] if type(y) is np.ndarray and not y.ndim else y


def value_seen(order: list[Node], node: Node) -> Any:
    """The value with which a source went into the operations; None if they saw different ones."""
    seen: list[Any] = []
    for child in order:
        parents, kept = split(child)
        seen.extend(x for p, x in zip(parents, kept) if p is node and isinstance(x, (np.ndarray, np.generic)))
    return seen[0] if seen and all(x is seen[0] or np.array_equal(x, seen[0]) for x in seen) else None


def function_of(
    order: list[Node], seeds: list[tuple[Node, Any]], moved: Node, taken: Callable[[Any], Any]
) -> Callable[[Any], float]:
    """The weighted sum of the targets' entries as a function of one source's value.

    What does not depend on the source is computed once.
    """
    live = {moved}
    after = []
    for node in order:
        if any(p in live for p in node.parents()):
            live.add(node)
            after.append(node)
    still = set(after)
    fixed = replay([node for node in order if node not in still], {}, taken)
    fixed.pop(moved, None)

    def f(value: Any) -> float:
        values = replay(after, fixed | {moved: value}, taken)
        total: Any = 0
        for target, ct in seeds:
            if target in values:
                total = total + np.sum(values[target] * ct)
        return total  # type: ignore[no-any-return]

    return f
