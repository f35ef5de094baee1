"""What a gradient would be if the path went on where it was cut; and that path.

For `explain` alone: the state was `thorough` while the program ran, so every operation kept its operands, recorded or
not. A value that left the tape, a `stop_gradient`, an assignment hand the cotangent on here; a step function (a cast to
integers, `floor`, a comparison) has the derivative zero almost everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import EngineError
from .passages import ASSIGN, GRADIENT, OUTSIDE
from .pullback import contributions, fit, split
from .replay import operands, run_again
from .widened import wide

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tensor import Node

_IDENTITIES = (OUTSIDE, GRADIENT)


class Bridged:
    """`value` is the gradient with every cut bridged, None if it cannot be told.

    `stepped`: the path led through a step function; `cuts`: it led over at least one cut; `connected`: there is a path.
    """

    __slots__ = ("connected", "cuts", "stepped", "value")

    def __init__(self, value: Any, connected: bool, cuts: bool, stepped: bool) -> None:
        self.value = value
        self.connected = connected
        self.cuts = cuts
        self.stepped = stepped


def path_between(targets: list[Node], source: Node) -> list[Node]:
    """The operations on a shortest path from source to target, the source's node first; empty if there is none.

    One along which a gradient flows, if there is one.
    """
    return _path(targets, source, True) or _path(targets, source, False)


def _path(targets: list[Node], source: Node, flowing: bool) -> list[Node]:
    before: dict[Node, Node | None] = dict.fromkeys(targets)
    frontier = list(targets)
    while frontier:
        found = next((node for node in frontier if node is source), None)
        if found is not None:
            path: list[Node] = []
            step: Node | None = found
            while step is not None:
                path.append(step)
                step = before[step]
            return path
        following = []
        for node in frontier:
            for i, p in enumerate(node.p0 if type(node.p0) is tuple else (node.p0, node.p1)):
                if p is not None and p not in before and not (flowing and _ends(node, i)):
                    before[p] = node
                    following.append(p)
        frontier = following
    return []


def _ends(node: Node, i: int) -> bool:
    """Does no gradient go from a node to its i-th operand?"""
    op = node.op
    if op is None or op.blocked is not None or not op.rules:
        return op is None or op.blocked is not None
    return op.rules[0 if op.arity < 0 else i] is None


def bridged(seeds: list[tuple[Node, Any]], source: Node, like: Any) -> Bridged:
    """The gradient of weighed targets with respect to `source` (a value of shape and dtype `like`), cuts bridged.

    Integers are taken for the real numbers they are. What cannot be computed has the value None.
    """
    order = _ordered([node for node, _ in seeds], source)
    if source not in order:
        return Bridged(np.zeros_like(_real(like)), False, False, False)
    try:
        with np.errstate(all="ignore"):
            return _swept(order, seeds, source, like)
    except (EngineError, TypeError, ValueError, IndexError, KeyError, ArithmeticError, np.linalg.LinAlgError, _Unknown):
        return Bridged(None, True, True, False)


class _Unknown(Exception):
    """There is a step that cannot be told."""


def _ordered(targets: list[Node], source: Node) -> list[Node]:
    """The ancestors of the targets, each after all that it came from; the source's own past is left out."""
    done: set[Node] = set()
    order: list[Node] = []
    stack: list[tuple[Node, bool]] = [(node, False) for node in targets]
    while stack:
        node, left = stack.pop()
        if left:
            order.append(node)
            continue
        if node in done:
            continue
        done.add(node)
        stack.append((node, True))
        if node is not source:
            stack.extend((p, False) for p in node.parents() if p not in done)
    return order


def _swept(order: list[Node], seeds: list[tuple[Node, Any]], source: Node, like: Any) -> Bridged:
    integers = np.asarray(like).dtype.kind not in "fc"
    taken: Callable[[Any], Any] = wide if integers else lambda x: x
    values: dict[Node, Any] = {}
    store: dict[Node, Any] = dict.fromkeys(order)
    leads = {source}
    for node in order:
        if node is source:
            continue
        if any(p in leads for p in node.parents()):
            leads.add(node)
        if node.op is not None and node.op.family and node.x0 is not None:
            xs = operands(node, values, taken)
            values[node] = run_again(node, [_real(x) for x in xs] if integers and _takes_reals(node) else xs)
    cuts = stepped = False
    for node, ct in seeds:
        if node in store:
            ct = _real(ct) if integers or np.asarray(ct).dtype.kind not in "fc" else ct
            store[node] = ct if store[node] is None else store[node] + ct
    for node in reversed(order):
        ct = store[node]
        if ct is None or node not in leads or node is source:
            continue
        through, cut = _identity_parents(node)
        if through:
            cuts = cuts or cut
            for p, sign in through:
                if p in leads:
                    store[p] = sign * ct if store[p] is None else store[p] + sign * ct
            continue
        if node.op is None:
            continue
        if node.op.blocked is not None or node.x0 is None:
            if node.op.blocked is None:
                raise _Unknown
            stepped = cuts = True
            continue
        parents, kept = split(node)
        xs = operands(node, values, taken)
        if integers and _takes_reals(node):
            xs = [_real(x) for x in xs]
        y = values.get(node, node.y)
        live = {p: store[p] for p in parents if p is not None and p in leads}
        for i, g in contributions(node, ct, y, tuple(xs), live, 0):
            fitted = fit(g, xs[i], 0)
            held = store[parents[i]]
            store[parents[i]] = fitted if held is None else held + fitted
        del kept
    found = store[source]
    if found is None:
        found = np.zeros_like(_real(like))
    return Bridged(found, True, cuts, stepped)


def _identity_parents(node: Node) -> tuple[list[tuple[Node, int]], bool]:
    """Where a node hands its value on as it is: to whom, with which sign; and whether a tape is left there."""
    op = node.op
    if op is None:  # a variable: what was assigned to it, if that was one thing
        made = node.p0
        return ([(made, 1)] if made is not None and type(made) is not tuple else []), False
    if op in _IDENTITIES:
        parents = node.parents()
        if len(parents) > 1 or (op is OUTSIDE and parents and not node.params):
            raise _Unknown
        return [(p, 1) for p in parents], op is OUTSIDE
    if op is ASSIGN:
        signs = (node.params or {}).get("signs", ())
        if (node.x1 or 1) > 1 or not signs:
            raise _Unknown
        return [(p, sign) for p, sign in zip(node.parents(), signs)], True
    if op.blocked == "cut-stop-gradient":
        return [(p, 1) for p in node.parents()[:1]], True
    return [], False


def _real(x: Any) -> Any:
    if not isinstance(x, (np.ndarray, np.generic, int, float)):
        return x
    data = np.asarray(x)
    return data.astype(np.float64)[()] if data.dtype.kind in "iub" else data[()]


def _takes_reals(node: Node) -> bool:
    op: Any = node.op
    return all("f" in kinds for kinds in op.accepts) and op.blocked is None
