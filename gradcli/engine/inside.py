"""What a user's own function ran: the operations between its operands and its results, with their values.

A function with a pullback of its own is one operation to a tape. While it runs, every operation in it keeps its
operands, so that it can be seen afterwards what it read, and so that it can be run again on other values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import EngineError
from .pullback import split
from .recording import current_state, join, next_index
from .replay import replay
from .tape import GradientTape, node_of
from .tensor import Tensor
from .variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from .recording import State
    from .tensor import Node


class Inside:
    """The operations that led to the results since the node of number `start`, earliest first.

    `variables` and `tensors` are what the function read beside its operands and a tape may ask for.
    """

    __slots__ = ("operands", "order", "results", "several", "tensors", "variables")

    def __init__(self, results: list[Tensor], several: type | None, operands: list[Node], start: int) -> None:
        self.results = results
        #: list or tuple, if there may be several results
        self.several = several
        self.operands = operands
        self.variables: list[Variable] = []
        self.tensors: list[Tensor] = []
        found: dict[Node, None] = {}
        known = set(operands)
        stack = [item.node for item in results if item.node is not None]
        while stack:
            node = stack.pop()
            if node in found or node in known or node.index <= start or node.op is None or node.x0 is None:
                continue
            found[node] = None
            stack.extend(node.parents())
        self.order = sorted(found, key=lambda node: node.index)

    @property
    def others(self) -> list[Tensor]:
        """What was read beside the operands, as tensors."""
        return [*(Tensor(v.value, v.node) for v in self.variables), *self.tensors]

    def packed(self, results: list[Any]) -> Any:
        """Results in the form in which the function gives them."""
        return results[0] if self.several is None else self.several(results)

    def again(self, operands: list[Any], taken: Callable[[Any], Any]) -> Any:
        """The results (raw arrays) for other operands, those that were read beside them last."""
        values: dict[Any, Any] = replay(self.order, dict(zip(self.operands, operands)), taken)
        return self.packed([values.get(item.node, taken(item.value)) for item in self.results])

    def _read_from(self, state: State, known: set[Node]) -> None:
        """Note the tensors of open tapes that the function read from outside."""
        seen: dict[Node, Any] = {}
        for node in self.order:
            for p, x in zip(*split(node)):
                if p is not None:
                    seen.setdefault(p, x)
        for item in self.results:
            if item.node is not None:
                seen.setdefault(item.node, item.value)
        now, inner = state.recording, known | set(self.order)
        for node, value in seen.items():
            if node not in inner and now is not None and node.rec is not None and join(node.rec, None, now) is not None:
                self.tensors.append(Tensor(value, node))


def run_watched(name: str, run: Callable[[], Any], operands: list[Any]) -> Inside:
    """Call `run` on no tape but one that watches what it reads. Raises `not-a-tensor` for what it may not return."""
    state = current_state()
    watcher, before, keeping = GradientTape(persistent=True), state.recording, state.keeps_operands
    start, site = next_index(), state.site
    with watcher:
        state.recording, state.keeps_operands, state.epoch = watcher.mark, True, 1
        try:
            out = run()
        finally:
            state.recording, state.keeps_operands, state.site = before, keeping, site
    state.refresh()
    state.recording = before
    several = type(out) if isinstance(out, (list, tuple)) else None
    results = [item.read() if isinstance(item, Variable) else item for item in (out if several else [out])]
    for item in results:
        if type(item) is not Tensor:
            raise EngineError("not-a-tensor", "custom-result", op=name, type=type(item).__name__)
    nodes = [node_of(item) for item in operands]
    inside = Inside(results, several, nodes, start)
    known = set(nodes)
    inside.variables = [v for v in watcher.watched_variables() if v.node not in known]
    inside._read_from(state, known | {v.node for v in inside.variables})
    return inside
