"""What was asked of a tape, and what it answered: kept while somebody may want to know more about the answer.

Every kind of query comes down to rows. A row is a set of cotangents of the targets (`seeds`) whose pullback to the
sources is one piece of the answer: the whole of it for a gradient, one row of a Jacobian or Hessian, one entry of a
jvp. So what looks for reasons looks at a row, whatever was asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .jacobian import recorded_by
from .tape import gradient_of, node_of, seeds_of

if TYPE_CHECKING:
    from .recording import Mark, State
    from .tensor import Node

Seeds = list[tuple["Node", Any]]

#: rows of one answer whose mathematical value is looked for
_ROWS = 64


class Asked:
    """A query: `kind` is its name, `targets` and `sources` tensors or variables, `weights` what weighs the targets.

    `weights` is the upstream of a gradient, the vector of an hvp, the tangent of a jvp, or None; `target` is the target
    as it was given, nested. `answers` are raw arrays, one for each source (None where not connected).
    """

    __slots__ = ("_base", "answers", "kind", "mark", "sources", "state", "target", "targets", "wanted", "weights")

    def __init__(
        self, state: State, mark: Mark, kind: str, target: Any, targets: list[Any], sources: list[Any], weights: Any,
        answers: list[Any],
    ) -> None:  # fmt: skip
        self.state = state
        self.mark = mark
        self.kind = kind
        self.target = target
        self.targets = targets
        self.sources = sources
        self.wanted = [node_of(source) for source in sources]
        self.weights = weights
        self.answers = answers
        self._base: Seeds | None = None

    @property
    def in_rows(self) -> bool:
        """Does the answer consist of several rows?"""
        return self.kind in ("jacobian", "batch_jacobian", "hessian", "jvp")

    @property
    def second_order(self) -> bool:
        """Is it a derivative of a derivative that the query itself took?"""
        return self.kind in ("hessian", "hvp")

    def first_order(self) -> Asked | None:
        """Of a query of second order, that for the gradient which it differentiates; None if there is none."""
        first = self._first()
        if first is None:
            return None
        return Asked(self.state, self.mark, "gradient", self.target, self.targets, self.sources, None, [first.value])

    def _first(self) -> Any:
        with recorded_by(self.state, self.mark):
            return gradient_of(self.state, self.mark, self.targets[0], self.sources[0])

    @property
    def seeds(self) -> Seeds:
        """The cotangents of the whole query; of one in rows, of the sum of its rows."""
        if self._base is None:
            self._base = self._seeds()
        return self._base

    def _seeds(self) -> Seeds:
        if self.second_order:
            first = self._first()
            if first is None:
                return []
            weights = np.ones_like(first.value) if self.kind == "hessian" else np.asarray(self.weights.value)[()]
            return [(node_of(first), weights)]
        upstream = self.weights if self.kind == "gradient" else None
        return [
            (node_of(item), ct.value)
            for item, ct in zip(self.targets, seeds_of(self.targets, self.target, upstream))
            if ct.value.dtype.kind in "fc"
        ]

    def faulty_rows(self) -> list[tuple[int, tuple[int, ...]]]:
        """For a query in rows, `(source, index of the row in its answer)` of those that are not finite."""
        lead = np.ndim(self.seeds[0][1]) if self.seeds else 0
        found: list[tuple[int, tuple[int, ...]]] = []
        for i, answer in enumerate(self.answers):
            if answer is not None and not np.isfinite(answer).all():
                bad = ~np.isfinite(answer)
                axes = tuple(range(lead, bad.ndim))
                found.extend((i, tuple(int(k) for k in index)) for index in np.argwhere(bad.any(axis=axes)))
        return found[:_ROWS]

    def row(self, index: tuple[int, ...]) -> Seeds:
        """The cotangents of one row: one at `index`, zero elsewhere."""
        ((node, ct),) = self.seeds
        one = np.zeros_like(ct)
        one = np.asarray(one)
        one[index] = 1
        return [(node, one[()])]

    def piece(self, index: tuple[int, ...], pulled: Any) -> Any:
        """What a row's pullback to a source contributes to the answer at `index`."""
        if self.kind == "batch_jacobian":
            return pulled[index[0]]
        if self.kind == "jvp":
            tangent = np.asarray(self.weights.value)
            return np.sum(np.where(tangent == 0, 0, pulled * tangent))
        return pulled
