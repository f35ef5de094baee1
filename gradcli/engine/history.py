"""What an operation leaves behind: a node on the tapes that record it, or the shadow of one that none recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .recording import next_index
from .tensor import Node, Shadow, Spec

if TYPE_CHECKING:
    from .primitive import Primitive
    from .recording import State

#: entries of the operands that a decision remembers
_FEW = 65536

_new = object.__new__
_ndarray = np.ndarray


def record(
    state: State, op: Primitive, rec: Any, values: list[Any], nodes: list[Node | None], y: Any, params: Any
) -> Node:
    """A node of `op` on the tapes `rec`, with the values that its rules read."""
    kept = []
    for i, (v, p) in enumerate(zip(values, nodes)):
        keep = op.keeps_x[min(i, len(op.keeps_x) - 1)]
        # a tape can compute again only what it recorded itself
        drop = type(v) is _ndarray and not keep and p is not None and p.rec is rec and p.op is not None
        kept.append(Spec(v.shape, v.dtype) if drop else v)
    node = _new(Node)
    node.op = op
    node.rec = rec
    node.site = state.site
    node.index = next_index()
    node.params = params or None
    node.y = y if op.keeps_y else None
    node.p1 = node.x1 = None
    if op.arity == 1:
        node.p0, node.x0 = nodes[0], kept[0]
    elif op.arity == 2:
        node.p0, node.p1 = nodes
        node.x0, node.x1 = kept
    else:
        node.p0, node.x0 = tuple(nodes), tuple(kept)
    return node


def shadow(
    state: State, op: Primitive, parents: tuple[Node | None, ...], values: Any = None, params: Any = None
) -> Shadow:
    """A node for a result that no tape recorded. While a tape is open it remembers its operands, without values.

    An operand from before the outermost open tape is remembered without its own past, so that a chain of results that
    goes on through many tapes does not grow. Operations that decide (comparisons, logic) remember the operands' values
    too, and what follows of them: a kink can then be looked for where they change their answer. So does every operation
    while the state `keeps_operands`.
    """
    node = _new(Shadow)
    node.op = op
    node.rec = node.p0 = node.p1 = node.x0 = node.x1 = node.y = node.params = None
    node.site = state.site
    node.index = next_index()
    node.made = state.recording
    epoch = state.epoch
    if epoch:
        if values is not None and (state.keeps_operands or ((op.decides or _decided(parents)) and _few(values))):
            node.p0 = tuple(None if p is None else _remembered(p, epoch) for p in parents)
            node.x0 = tuple(values)
            node.params = params or None
            return node
        kept = tuple(None if p is None else _remembered(p, epoch) for p in parents)
        if any(p is not None for p in kept):
            node.p0 = kept
    return node


def _decided(parents: tuple[Node | None, ...]) -> bool:
    return any(type(p) is Shadow and p.x0 is not None for p in parents)


def _few(values: Any) -> bool:
    return sum(getattr(v, "size", 1) for v in values) <= _FEW


def _remembered(p: Node, epoch: int) -> Node:
    return p if p.index >= epoch or p.op is None or (p.p0 is None and p.p1 is None) or p.rec is not None else _stub(p)


def _stub(node: Node) -> Shadow:
    """The same operation and place without its past."""
    stub = _new(Shadow)
    stub.op, stub.site, stub.index = node.op, node.site, node.index
    stub.rec = stub.p0 = stub.p1 = stub.x0 = stub.x1 = stub.y = stub.params = stub.made = None
    return stub
