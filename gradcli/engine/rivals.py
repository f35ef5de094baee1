"""What TensorFlow would answer, where its derivative is a wrong finite number: the same sweep with its rules.

An operation tells in its entry where TensorFlow differs (`Differs`). A composite marks its result with `differing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .history import record, shadow
from .primitive import Differs, Primitive
from .pullback import contributions, deliver, seeded, split
from .recording import current_state, join
from .replay import operands
from .tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from .asked import Asked
    from .tensor import Node


def differing(name: str, result: Tensor, operand: Tensor, pullback: Callable[[Any, Any], Any]) -> Tensor:
    """`result` of a composite, with TensorFlow's `pullback(ct, x)` to the one operand where it is a wrong one."""
    state = current_state()
    now, rec = state.recording, None
    if now is not None and result.node is not None and result.node.rec is not None:
        rec = join(result.node.rec, None, now)
    op = Primitive(name, lambda y, x: y)
    op.family = "passage"
    op.arity = 2
    op.rules = (lambda ct, _r, _y, _x: ct, None)
    op.keeps_x = (False, True)
    op.tensorflow = Differs(
        lambda r, y, x: True, lambda ct, _r, y, x: np.zeros_like(ct), lambda ct, _r, y, x: pullback(ct, x)
    )
    nodes = (result.node, operand.node)
    if rec is None:
        return Tensor(result.value, shadow(state, op, nodes))
    return Tensor(result.value, record(state, op, rec, [result.value, operand.value], list(nodes), result.value, None))


class Differing:
    """Operations on the way whose derivative differs in TensorFlow, and TensorFlow's answers."""

    __slots__ = ("answers", "ops")

    def __init__(self, ops: list[tuple[str, int]], answers: list[Any]) -> None:
        self.ops = ops
        self.answers = answers


def tensorflow_answers(asked: Asked) -> Differing | None:
    """TensorFlow's answers to a query, if they are others."""
    if asked.kind == "batch_jacobian":
        return _mixed_rows(asked)
    if asked.in_rows:
        return None
    order, store = seeded(asked.mark, asked.seeds, asked.wanted)
    suspects = {node for node in order if node.op is not None and node.op.tensorflow is not None and _hit(node)}
    if not suspects:
        return None
    with np.errstate(all="ignore"):
        for node in order:
            ct = store[node]
            if ct is None:
                continue
            parents, xs = split(node)
            rules = _theirs if node in suspects else contributions
            for i, g in rules(node, ct, node.y, xs, store, 0):
                deliver(store, parents[i], g, xs[i])
    answers = [_handed_out(store.get(node)) for node in asked.wanted]
    if all(_same(a, b) for a, b in zip(answers, asked.answers)):
        return None
    ops = sorted({(node.op.name, node.site) for node in suspects if node.op is not None}, key=lambda pair: pair[1])
    return Differing(ops, answers)


def _handed_out(ct: Any) -> Any:
    """A cotangent as a query hands it out: of a complex tensor the conjugate of what the sweep carries."""
    return np.conj(ct) + 0 if np.iscomplexobj(ct) else ct


def _mixed_rows(asked: Asked) -> Differing | None:
    """A batched Jacobian over rows that depend on one another: TensorFlow adds up the other rows' parts."""
    from .jacobian import blocks

    (answer,) = asked.answers
    found = blocks(asked.state, asked.mark, asked.targets[0], asked.sources[0], None)
    if answer is None or found is None:
        return None
    theirs = np.reshape(getattr(found, "value", found), np.shape(answer))
    return None if _same(theirs, answer) else Differing([("batch_jacobian", 0)], [theirs])


def _hit(node: Node) -> bool:
    op: Any = node.op
    return bool(np.any(op.tensorflow.where(node.y, *operands(node, {}), **(node.params or {}))))


def _theirs(node: Node, ct: Any, y: Any, xs: Any, store: dict[Node, Any], _lead: int) -> Any:
    op: Any = node.op
    parents, _ = split(node)
    for i, rule in enumerate(op.tensorflow.rules):
        if rule is not None and parents[i] is not None and parents[i] in store:
            yield i, rule(ct, y, *xs, **(node.params or {}))


def _same(a: Any, b: Any) -> bool:
    if a is None or b is None:
        return a is b
    return bool(np.allclose(a, b, rtol=1e-6, atol=0, equal_nan=True))
