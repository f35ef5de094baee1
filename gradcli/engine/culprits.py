"""Which function of the user's own has the wrong pullback: each is checked by itself, where a gradient differs.

The pullback of one call is compared with the slopes of what the call computes, weighed by the cotangent that arrived
there. So a mistake is found in its function, whatever lies between it and the sources.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .comparison import DIFFERS, FEW, Comparison, Source
from .custom import Parts, not_recording
from .objective import OUTSIDE, Objective, as_float64
from .pullback import contributions, split
from .replay import CannotReplay
from .widened import swept

if TYPE_CHECKING:
    from .asked import Asked
    from .tensor import Node

_ENTRIES = 1000


class Culprit:
    """A call at `site` whose pullback gives the operand at `position` something else than the slope: see `source`."""

    __slots__ = ("name", "position", "site", "source")

    def __init__(self, name: str, site: int, position: int, source: Source) -> None:
        self.name = name
        self.site = site
        self.position = position
        self.source = source


def culprits(asked: Asked, rtol: float, seed: int = 0) -> list[Culprit]:
    """The operands of functions with a pullback of their own for which it is wrong, the latest call first."""
    found: list[Culprit] = []
    random = np.random.default_rng(seed)
    with not_recording(asked.state), np.errstate(all="ignore"):
        try:
            objective = Objective(asked)
            store = swept(asked.mark, asked.seeds, asked.wanted, as_float64)
            for node in reversed(objective.order):
                if node.op is not None and node.op.inside is not None and store.get(node) is not None:
                    found.extend(_wrong(node, store[node], objective, random, rtol))
        except (*OUTSIDE, CannotReplay):
            return found
    return found


class _Call:
    """One call as a function of its operands, weighed by the cotangents of its results: what a Comparison asks."""

    eps = float(np.finfo(np.float64).eps)

    def __init__(self, node: Node, ct: Any, operands: list[Any]) -> None:
        assert node.op is not None
        self.again = node.op.inside.again
        self.weights = ct.by_position if type(ct) is Parts else {0: ct}
        self.operands = operands
        self.points = [np.asarray(x) for x in operands]
        self.base = self._results(operands)
        self._size = float(sum(np.sum(np.abs(w * self.base[k])) for k, w in self.weights.items()))

    @property
    def size(self) -> float:
        """As of an Objective."""
        return self._size

    def _results(self, operands: list[Any]) -> Any:
        found = self.again(operands, as_float64)
        return found if isinstance(found, (list, tuple)) else [found]

    def increments(self, i: int, displacement: Any) -> tuple[float, float]:
        """As of an Objective."""
        return self._increment(i, displacement), -self._increment(i, -displacement)

    def _increment(self, i: int, displacement: Any) -> float:
        try:
            moved = list(self.operands)
            moved[i] = (self.points[i] + displacement)[()]
            results = self._results(moved)
            return float(sum(np.real(np.sum(w * (results[k] - self.base[k]))) for k, w in self.weights.items()))
        except OUTSIDE:
            return float("nan")


def _wrong(node: Node, ct: Any, objective: Objective, random: Any, rtol: float) -> list[Culprit]:
    assert node.op is not None
    parents, kept = split(node)
    xs = [objective.values[p] if p in objective.values else as_float64(x) for p, x in zip(parents, kept)]
    call = _Call(node, ct, xs)
    noise = 4 * np.finfo(np.float64).eps * call.size
    everything: dict[Any, Any] = {p: None for p in parents if p is not None}
    given = dict(contributions(node, ct, None, tuple(xs), everything, 0))
    found = []
    for i, (p, x) in enumerate(zip(parents, xs)):
        if p is None or np.asarray(x).dtype.kind not in "fc" or (p.rec is None and i not in given):
            continue
        if parents.index(p) != i:
            continue  # the same tensor twice: its slopes cannot be told apart
        total: Any = sum((given[k] for k, q in enumerate(parents) if q is p and k in given), np.zeros(np.shape(x)))
        total = np.conj(total) + 0 if np.iscomplexobj(total) else total
        source = Source(i, np.asarray(np.broadcast_to(total, np.shape(x))))
        comparison = Comparison(call, source, noise, rtol)
        if source.numbers.size <= max(FEW, _ENTRIES):
            comparison.entries(list(np.ndindex(source.numbers.shape)))
        else:
            comparison.along_directions(random, 1)
            if source.verdict == DIFFERS:
                comparison.locate(random)
        if source.verdict == DIFFERS:
            found.append(Culprit(node.op.name, node.site, i, source))
    return found
