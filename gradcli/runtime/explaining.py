"""The whole story of each gradient, for `explain`: the way from source to target, where it is cut, what it would be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import Tensor
from gradcli.engine.bridge import Bridged, bridged, path_between
from gradcli.engine.passages import GRADIENT
from gradcli.engine.replay import run_again
from gradcli.engine.tape import node_of, seeds_of

from .outcomes import NoGradient, Noted, Outcome, Place

if TYPE_CHECKING:
    from gradcli.engine.tensor import Node

    from .inquiry import Inquiry

#: operations that only pick, order or copy entries: applied to a gradient, they give the gradient of what they made
_PICKING = ("indexing", "shape", "gathering", "arrangement")


class Step:
    """One operation on the way; `cut` if the path ends there."""

    __slots__ = ("cut", "op", "place")

    def __init__(self, op: str, place: Place | None, cut: bool) -> None:
        self.op = op
        self.place = place
        self.cut = cut


class Leaf:
    """The story of the gradient in one source.

    `result` is the gradient or NoGradient; `bridged` tells, for a None, what it would be with every cut bridged.
    """

    __slots__ = ("bridged", "declared", "name", "path", "result", "source")

    def __init__(self, name: str, source: Any, result: Any, declared: Place | None) -> None:
        self.name = name
        self.source = source
        self.result = result
        self.declared = declared
        self.path: list[Step] = []
        self.bridged: Bridged | None = None


class Explained(Outcome):
    """One query that ran (`times` over, of which the last is told), with a story for each source, and its notes."""

    __slots__ = ("kind", "leaves", "notes", "target", "times")

    def __init__(self, place: Place, kind: str, target: Place | None) -> None:
        super().__init__(place)
        self.kind = kind
        self.target = target
        self.leaves: list[Leaf] = []
        self.notes: list[Noted] = []
        self.times = 1


def explain_answer(inquiry: Inquiry) -> None:
    """Enter the story of an answered query with its session, in the place of an earlier one of the same place."""
    session, asked = inquiry.session, inquiry.asked
    notes: list[Any] = []
    session.captured = notes
    try:
        inquiry.settle()
        inquiry.tell()
    finally:
        session.captured = None
    targets = [node_of(target) for target in asked.targets]
    told = Explained(
        inquiry.place, asked.kind, session.places[targets[0].site] if targets and targets[0].site else None
    )
    told.notes = notes
    for name, source, result in zip(inquiry.names, asked.sources, inquiry.results):
        node = node_of(source)
        leaf = Leaf(name, source, result, session.places[node.site] if node.site else None)
        cuts = result.places if type(result) is NoGradient else ()
        for step in path_between(targets, node)[1:]:
            place = session.places[step.site] if step.site else None
            cut = bool(cuts) and place is not None and _same(place, cuts[0]) and _names(result, step)
            leaf.path.append(Step(step.op.name if step.op is not None else "variable", place, cut))
        if type(result) is NoGradient:
            leaf.bridged = _bridged(inquiry, node, source, result)
        told.leaves.append(leaf)
    key = (inquiry.place.source, inquiry.place.start, inquiry.place.end)
    if key in session.explained:
        told.times = session.explained[key].times + 1
    session.explained[key] = told


def _same(a: Place, b: Place) -> bool:
    return a.source is b.source and a.start == b.start and a.end == b.end


def _names(result: NoGradient, step: Node) -> bool:
    """Is it the operation that the reason names, if it names one?"""
    named = result.reason.facts.get("op")
    return named is None or (step.op is not None and step.op.name == named)


def _bridged(inquiry: Inquiry, node: Node, source: Any, result: NoGradient) -> Bridged | None:
    asked = inquiry.asked
    if asked.kind != "gradient":
        return None
    floating = [t for t in asked.targets if t.value.dtype.kind in "fc"]
    if len(floating) == len(asked.targets):
        seeds = [
            (node_of(t), ct.value) for t, ct in zip(asked.targets, seeds_of(asked.targets, asked.target, asked.weights))
        ]
    else:
        seeds = [(node_of(t), np.ones(t.shape)[()]) for t in asked.targets if t.value.dtype.kind in "fciub"]
    if source.value.dtype.kind not in "fciub":
        return None
    if result.reason.code != "fresh-source":
        return bridged(seeds, node, source.value)
    op: Any = node.op
    if type(node.p0) is not tuple or op is GRADIENT or op.family not in _PICKING or node.x0 is None:
        return None
    whole = bridged(seeds, node.p0[0], node.x0[0])
    if whole.value is not None:
        whole.value = run_again(node, [whole.value, *node.x0[1:]])
    return whole


def shown(value: Any) -> Tensor:
    """A raw value as a tensor, to be printed."""
    return Tensor(np.asarray(value)[()])
