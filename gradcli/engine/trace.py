"""The way of one query, step by step: what ran forward, and what the sweep did at each step on the way back.

It runs the recorded operations again for the values that were dropped, and sweeps as a query does, so that every number
here is one that the query saw.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .custom import PICK, Parts, not_recording
from .pullback import collect, contributions, fit, seeded, split
from .pushforward import push_along
from .replay import CannotReplay, replay
from .tape import node_of

if TYPE_CHECKING:
    from .asked import Asked
    from .tensor import Node


class Step:
    """One recorded operation: `operands` are pairs of a node (None for a value without one) and a raw value.

    `value` is the result, None if it cannot be computed again; `tangent` what a forward sweep brings there.
    """

    __slots__ = ("node", "operands", "tangent", "value")

    def __init__(self, node: Node, operands: list[tuple[Node | None, Any]], value: Any) -> None:
        self.node = node
        self.operands = operands
        self.value = value
        self.tangent: Any = None


class Contribution:
    """What a step hands back to one operand: `amount`, and the operand's cotangent after it, `total`.

    `position` is that of the operand; `summed` tells that a broadcast operand's part was summed to its shape.
    """

    __slots__ = ("amount", "first", "parent", "position", "step", "summed", "total")

    def __init__(self, step: Node, position: int, parent: Node, amount: Any, total: Any, first: bool) -> None:
        self.step = step
        self.position = position
        self.parent = parent
        self.amount = amount
        self.total = total
        #: is it the first that arrives there?
        self.first = first
        self.summed = False


class Trace:
    """`seeds` are the cotangents with which the sweep began; `cotangents` those of every node at its end."""

    __slots__ = ("contributions", "cotangents", "seeds", "steps", "upstream")

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.seeds: list[tuple[Node, Any]] = []
        self.contributions: list[Contribution] = []
        #: the cotangent with which each step was left
        self.upstream: dict[Node, Any] = {}
        self.cotangents: dict[Node, Any] = {}


def traced(asked: Asked) -> Trace:
    """The steps of a query and what the sweep did at each; of a jvp the tangents instead."""
    found = Trace()
    with not_recording(asked.state), np.errstate(all="ignore"):
        found.seeds = asked.seeds
        found.steps = steps_to(asked, [node for node, _ in found.seeds])
        if asked.kind == "jvp":
            known = push_along(
                asked.state, asked.mark, [n for n, _ in found.seeds], dict(zip(asked.wanted, [asked.weights]))
            )
            for step in found.steps:
                tangent = known.get(step.node)
                step.tangent = None if tangent is None else tangent.value
        else:
            _sweep(asked, found)
    return found


def steps_to(asked: Asked, targets: list[Node]) -> list[Step]:
    """The recorded operations that led to some nodes, earliest first, with their values."""
    order, _ = collect(asked.mark, targets, asked.wanted)
    order.reverse()
    given = {node_of(s): s.value for s in asked.sources if node_of(s).op is not None and node_of(s) not in order}
    try:
        values = replay(order, dict(given))
    except CannotReplay:
        values = {}
    found = []
    for node in order:
        if node.op is PICK:
            continue  # one of several results: the step is the call itself
        parents, kept = split(node)
        operands = [(p, values[p] if p is not None and p in values else x) for p, x in zip(parents, kept)]
        found.append(Step(node, operands, values.get(node, node.y)))
    return found


def _sweep(asked: Asked, found: Trace) -> None:
    order, store = seeded(asked.mark, found.seeds, asked.wanted)
    for node in order:
        ct = store[node]
        if ct is None:
            continue
        found.upstream[node] = ct
        parents, xs = split(node)
        for i, g in contributions(node, ct, node.y, xs, store, 0):
            amount = fit(g, xs[i], 0)
            before = store[parents[i]]
            store[parents[i]] = amount if before is None else before + amount
            if node.op is PICK:
                continue
            made = Contribution(node, i, parents[i], amount, store[parents[i]], before is None)
            if type(amount) is not Parts:
                made.summed = np.size(g) > np.size(amount)
            found.contributions.append(made)
    found.cotangents = store
