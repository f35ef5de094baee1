"""The function behind a query: the recorded operations run again in float64, as a function of moved sources.

Narrower floats are taken as the float64 numbers that they are, also the results of casts between floats. Where that
leaves too few digits, the machine's widest format can be asked for. What a source
does not reach is computed once; of one that is moved only what it reaches is computed again. An assigned variable is
moved by the same amount wherever it was read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import EngineError
from .pullback import split
from .replay import CannotReplay, history, replay, run_again
from .tape import node_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .tensor import Node

#: what an operation may raise outside its domain
OUTSIDE = (EngineError, TypeError, ValueError, IndexError, ArithmeticError, np.linalg.LinAlgError)


def as_float64(x: Any) -> Any:
    """Floats of any width as float64 (complex128); anything else as it is."""
    if not isinstance(x, (np.ndarray, np.generic)) or x.dtype.kind not in "fcV":
        return x
    if x.dtype.kind == "c":
        return x.astype(np.complex128, copy=False)
    return x.astype(np.float64, copy=False)


class Objective:
    """L, the sum of the targets' entries weighed by their cotangents, as a function of the sources.

    `points` are the sources' values as `taken` makes them; `evaluations` counts how often L was computed, also in part.
    Raises CannotReplay.
    """

    def __init__(
        self, asked: Asked, seeds: list[tuple[Node, Any]] | None = None, taken: Callable[[Any], Any] = as_float64
    ) -> None:
        seeds = asked.seeds if seeds is None else seeds
        self.taken = taken
        self.eps = float(np.finfo(taken(np.float64(0)).dtype).eps)
        self.evaluations = 0
        self.wanted = asked.wanted
        self.points = [np.asarray(self.taken(source.value)) for source in asked.sources]
        self.seeds = [(node, self.taken(ct)) for node, ct in seeds]
        self.order = history(asked.mark, [node for node, _ in seeds], asked.wanted)
        self._leaves = {node for node in asked.wanted if node.op is None}
        items = [*zip(map(node_of, asked.targets), asked.targets), *zip(asked.wanted, asked.sources)]
        self._last = {node: np.asarray(self.taken(item.value)) for node, item in items}
        run = set(self.order)
        self._given = {node: x[()] for node, x in self._last.items() if node not in self._leaves and node not in run}
        self.values = replay(self.order, self._given, self.taken)
        self.evaluations += 1
        self._base = [np.asarray(self._of(node, self.values)) for node, _ in self.seeds]
        for i, node in enumerate(asked.wanted):
            if node not in self._leaves and node in self.values:
                self.points[i] = np.asarray(self.values[node])
        self._reach: dict[int, list[tuple[Node, list[Any], list[tuple[int, Node]], list[int]]]] = {}

    def _of(self, node: Node, values: dict[Node, Any]) -> Any:
        return values[node] if node in values else self._last[node]

    @property
    def size(self) -> float:
        """The sum of the moduli of what L adds up: rounding is relative to it."""
        with np.errstate(all="ignore"):
            return float(sum(np.sum(np.abs(ct * base)) for (_, ct), base in zip(self.seeds, self._base)))

    def rounding(self) -> float:
        """The error of L by rounding, estimated: how far it moves when every intermediate changes in its last bits."""
        self.evaluations += 1
        try:
            with np.errstate(all="ignore"):
                moved = replay(self.order, self._given, self.taken, self._last_bits)
                away = sum(
                    np.real(np.sum(ct * (self._of(node, moved) - base)))
                    for (node, ct), base in zip(self.seeds, self._base)
                )
        except (*OUTSIDE, CannotReplay):
            away = 0.0
        floor = self.eps * self.size
        return float(max(abs(away), floor)) if np.isfinite(away) else float(floor)

    def _last_bits(self, x: Any) -> Any:
        """A float changed in its last bits, up or down as its own digits say; anything else as it is."""
        x = self.taken(x)
        if not isinstance(x, (np.ndarray, np.generic)) or x.dtype.kind not in "fc":
            return x
        up = np.sin(np.abs(x) * 12345.678) > 0
        return (x + x * np.where(up, self.eps, -self.eps).astype(x.dtype))[()]

    def increments(self, i: int, displacement: Any) -> tuple[float, float]:
        """`(L(x + d) - L(x), L(x) - L(x - d))` for a displacement d of source i; nan outside of L's domain."""
        return self._increment(i, displacement), -self._increment(i, -displacement)

    def _increment(self, i: int, displacement: Any) -> float:
        self.evaluations += 1
        try:
            with np.errstate(all="ignore"):
                moved = self._moved(i, displacement)
                total: Any = 0.0
                for (node, ct), base in zip(self.seeds, self._base):
                    if node in moved:
                        # entries that stay as they are cancel exactly, whatever their size
                        total += np.real(np.sum(ct * (moved[node] - base)))
                return total  # type: ignore[no-any-return]
        except OUTSIDE:
            return float("nan")

    def _moved(self, i: int, displacement: Any) -> dict[Node, Any]:
        source = self.wanted[i]
        moved: dict[Node, Any] = {source: (self.points[i] + displacement)[()]}
        for node, fixed, live, assigned in self._reached(i):
            xs = list(fixed)
            for at, p in live:
                xs[at] = moved[p]
            for at in assigned:
                xs[at] = (fixed[at] + displacement)[()]
            moved[node] = run_again(node, xs, self.taken)
        return moved

    def _reached(self, i: int) -> list[tuple[Node, list[Any], list[tuple[int, Node]], list[int]]]:
        """The operations that source i reaches, with the operands that stay, and where the others come from.

        The last list says where a variable went in with another value than it has now.
        """
        if i in self._reach:
            return self._reach[i]
        source, steps = self.wanted[i], []
        reached = {source}
        for node in self.order:
            if node is source or not any(p in reached for p in node.parents()):
                continue
            reached.add(node)
            parents, kept = split(node)
            fixed, live, assigned = [], [], []
            for at, (p, x) in enumerate(zip(parents, kept)):
                value = self.values[p] if p is not None and p in self.values else self.taken(x)
                fixed.append(value)
                if p is source and p in self._leaves and not _same(value, self.points[i]):
                    assigned.append(at)
                elif p is not None and p in reached:
                    live.append((at, p))
            steps.append((node, fixed, live, assigned))
        self._reach[i] = steps
        return steps


def _same(a: Any, b: Any) -> bool:
    return a is b or bool(np.array_equal(a, b, equal_nan=True))
