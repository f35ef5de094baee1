"""A trace in rows of facts: what ran forward, and what the sweep did on the way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine.custom import Parts
from gradcli.lang.suggest import nearest

from .names import Names, shape_text
from .rules import as_operand, parameter_text, rule

if TYPE_CHECKING:
    from gradcli.engine.trace import Contribution, Step
    from gradcli.runtime.tracing import Traced


#: rows of one part of a trace that are shown, if nobody says otherwise
STEPS = 200


class Row:
    """One step. `name` is the result forward (`y`), the derivative backward (`d/dx`); `text` what makes it.

    `values` are raw arrays: forward the result, backward the contribution and what has arrived with it (None where it
    is the first). `place` is that of the operation in the program, `remark` what else there is to say; `about` holds
    the names of the values it speaks of.
    """

    __slots__ = ("about", "amount", "name", "number", "operation", "place", "remark", "text", "total", "upstream")

    def __init__(self, number: int, name: str, operation: str, text: str, amount: Any, place: Any) -> None:
        self.number = number
        self.name = name
        self.operation = operation
        self.text = text
        self.amount = amount
        self.place = place
        self.total: Any = None
        self.upstream: Any = None
        self.remark = ""
        self.about: set[str] = set()


class Rows:
    """The rows of one query: `given` are the values it begins with, `seeds` the cotangents the sweep begins with."""

    def __init__(self, traced: Traced) -> None:
        self.traced = traced
        self.names = Names(traced)
        self._numbers = {step.node: i for i, step in enumerate(traced.trace.steps, 1)}
        self._steps = {step.node: step for step in traced.trace.steps}
        self.forward = [self._forward(step) for step in traced.trace.steps]
        self.tangents = [self._tangent(step) for step in traced.trace.steps if step.tangent is not None]
        self.seeds = [] if traced.kind == "jvp" else [self._seed(node, ct) for node, ct in traced.trace.seeds]
        self.backward = [self._backward(c) for c in traced.trace.contributions]

    def _place(self, site: int) -> Any:
        return self.traced.places[site] if site else None

    def _operands(self, step: Step) -> list[str]:
        return [self.names.operand(node, value) for node, value in step.operands]

    def _forward(self, step: Step) -> Row:
        node, op = step.node, step.node.op
        assert op is not None
        operands = self._operands(step)
        params = [f"{k}={parameter_text(v)}" for k, v in (node.params or {}).items() if _told(op, k, v)]
        name = self.names.of(node)
        text = f"{op.name}({', '.join([*operands, *params])})"
        row = Row(self._numbers[node], name, op.name, text, step.value, self._place(node.site))
        row.about = {name, *operands}
        return row

    def _tangent(self, step: Step) -> Row:
        node = step.node
        name = self.names.of(node)
        parts, sources = [], {n for _, n in self.traced.sources}
        moved = {s.node for s in self.traced.trace.steps if s.tangent is not None} | sources
        for i, (parent, _) in enumerate(step.operands):
            if parent in moved:
                parts.append(self._rule(step, i, f"d{self.names.of(parent)}"))
        assert node.op is not None
        row = Row(
            self._numbers[node], f"d{name}", node.op.name, " + ".join(parts), step.tangent, self._place(node.site)
        )
        row.about = {name, *self._operands(step)}
        return row

    def _seed(self, node: Any, ct: Any) -> Row:
        name = self.names.of(node)
        row = Row(self._numbers.get(node, 0), f"d/d{name}", "seed", "where the sweep begins", ct, None)
        row.about = {name}
        return row

    def _backward(self, made: Contribution) -> Row:
        step = self._steps[made.step]
        operand, through = self.names.of(made.parent), self.names.of(made.step)
        assert step.node.op is not None
        text = self._rule(step, made.position, f"d/d{through}")
        row = Row(
            self._numbers[made.step], f"d/d{operand}", step.node.op.name, text, made.amount, self._place(step.node.site)
        )
        row.upstream = self.traced.trace.upstream.get(made.step)
        if not made.first:
            row.total = made.total
        if made.summed:
            row.remark = f"summed to the shape {shape_text(np.shape(made.amount))} of {operand}"
        row.about = {operand, through}
        return row

    def _rule(self, step: Step, position: int, upstream: str) -> str:
        op, node = step.node.op, step.node
        assert op is not None
        operands = self._operands(step)
        words = {k: parameter_text(v) for k, v in (node.params or {}).items()}
        words |= {"y": self.names.of(node)}
        words |= dict(zip(op.names, map(as_operand, operands)))
        size = int(np.size(step.operands[position][1])) if type(step.value) is not Parts else 0
        result = int(np.size(step.value)) if step.value is not None and not isinstance(step.value, tuple) else 0
        return rule(op, position, upstream, words, (size, result))

    def known(self) -> list[str]:
        """The names of all values, for `--only`."""
        return sorted({name for row in [*self.forward, *self.seeds, *self.backward] for name in row.about})

    def only(self, name: str) -> bool:
        """Keep the rows about one value (`y` also means `y.1`, `y.2`, …); is there any?"""

        def wanted(row: Row) -> bool:
            return any(about == name or about.startswith(name + ".") for about in row.about)

        parts = ("forward", "tangents", "seeds", "backward")
        for part in parts:
            setattr(self, part, [row for row in getattr(self, part) if wanted(row)])
        return any(getattr(self, part) for part in parts)


def no_step(name: str, known: list[str]) -> str:
    """That no step has to do with a value, and which name may have been meant."""
    near = nearest(name, known)
    return f"no step has to do with a value {name}" + (f"; did you mean {near[0]}?" if near else "")


def _told(op: Any, name: str, value: Any) -> bool:
    """Is a parameter worth its room: one that differs from the default?"""
    default = op.defaults.get(name, op)
    try:
        return bool(default is op or (value is not default and not np.all(value == default)))
    except (TypeError, ValueError):
        return True
