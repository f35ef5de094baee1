"""Operations made while a program runs: functions with a pullback of their own, and functions that are run again on the
way back instead of keeping their intermediate values. Also several results of one operation.

Such an operation is a `Primitive` of one call. Its node holds the operands as a list; an operation with several results
has a node for each of them, `PICK`, whose cotangents meet in `Parts`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import EngineError
from .inside import Inside, run_watched
from .primitive import Primitive
from .recording import current_state, join
from .tape import GradientTape, conjugated, node_of
from .tensor import Spec, Tensor
from .variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .recording import State
    from .tensor import Node


class Parts:
    """Cotangents of several results of one operation, by position; they add up position by position."""

    __slots__ = ("by_position",)

    def __init__(self, by_position: dict[int, Any]) -> None:
        self.by_position = by_position

    def __add__(self, other: Parts) -> Parts:
        total = dict(self.by_position)
        for position, ct in other.by_position.items():
            total[position] = total[position] + ct if position in total else ct
        return Parts(total)


def _pick(ct: Any, _y: Any, _x: Any, position: int) -> Parts:
    return Parts({position: ct})


PICK = Primitive("result", lambda x, position: x)
PICK.rules = (_pick,)
PICK.keeps_x = (False,)


@contextmanager
def not_recording(state: State) -> Iterator[None]:
    """Let no tape record."""
    before, state.recording = state.recording, None
    try:
        yield
    finally:
        state.recording = before


def with_pullback(
    name: str, operands: list[Any], run: Callable[[], Any], pullback: Callable[[list[Tensor], tuple[Any, ...]], Any],
    batchable: bool = False, inside: Inside | None = None,
) -> Any:  # fmt: skip
    """Call `run` unrecorded; its result (a tensor, or a list or tuple of them) has `pullback` as its derivative.

    `pullback(cotangents, operands)` gets a tensor for each result (zeros where none arrived) and returns a tensor,
    number or None for each operand; those of complex tensors are d/dx + i d/dy, as a query gives them. When the
    gradient is asked, raises `wrong-arguments` where their count differs, `shape-mismatch` where a shape does. What
    the function reads beside its operands is an operand without a derivative, so that a None can tell it. `inside` is
    the run, if it was made already.
    """
    state = current_state()
    operands = [item.read() if isinstance(item, Variable) else item for item in operands]
    inside = inside or run_watched(name, run, operands)
    results = inside.results
    specs = [Spec(item.shape, item.dtype) for item in results]
    op = _one_call(name, specs, pullback, batchable, len(operands))
    operands = [*operands, *inside.others]
    nodes = [node_of(item) for item in operands]
    if state.replayable or state.keeps_operands:
        op.inside, inside.operands = inside, nodes
    from .history import record, shadow

    now, rec = state.recording, None
    if now is not None:
        for node in nodes:
            if node.rec is not None:
                rec = join(rec, node.rec, now)
    values = [item.value for item in operands]

    def enter(op: Primitive, values: list[Any], nodes: list[Any], y: Any, params: Any) -> Node:
        if rec is None:
            return shadow(state, op, tuple(nodes), values, params)
        return record(state, op, rec, values, nodes, y, params)

    if inside.several is None:
        return Tensor(results[0].value, enter(op, values, nodes, results[0].value, None))
    whole = enter(op, values, nodes, None, None)
    made = [
        Tensor(item.value, enter(PICK, [item.value], [whole], None, {"position": position}))
        for position, item in enumerate(results)
    ]
    return inside.packed(made)


def _one_call(name: str, specs: list[Spec], pullback: Any, batchable: bool, covered: int) -> Primitive:
    op = Primitive(name, lambda values: values)
    op.result = specs[0] if len(specs) == 1 else None

    def rule(ct: Any, _y: Any, xs: Any) -> list[Any]:
        recorded = type(ct) is Tensor or (
            type(ct) is Parts and any(type(part) is Tensor for part in ct.by_position.values())
        )
        found = ct.by_position if type(ct) is Parts else {0: ct}
        cotangents = [
            conjugated(_tensor(found[i])) if i in found else Tensor(np.zeros(spec.shape, spec.dtype)[()])
            for i, spec in enumerate(specs)
        ]
        operands = tuple(x if type(x) is Tensor else Tensor(x) for x in xs[:covered])
        grads = pullback(cotangents, operands)
        grads = list(grads) if isinstance(grads, (list, tuple)) else [grads]
        if len(grads) != len(operands):
            raise EngineError("wrong-arguments", "custom-count", op=name, wanted=len(operands), given=len(grads))
        given = [_given(name, g, x, recorded) for g, x in zip(grads, operands)]
        return given + [None] * (len(xs) - covered)

    op.arity = -1
    op.rules = (rule,)
    op.keeps_x = (True,)
    op.covers = covered
    op.batchable = batchable
    return op


def _tensor(value: Any) -> Tensor:
    return value if type(value) is Tensor else Tensor(value)


def _given(name: str, g: Any, x: Tensor, recorded: bool) -> Any:
    if g is None:
        return None
    if isinstance(g, Variable):
        g = g.read()
    if type(g) is not Tensor:
        if not isinstance(g, (int, float, complex, np.ndarray, np.generic, list)):
            raise EngineError("not-a-tensor", "custom-gradient", op=name, type=type(g).__name__)
        g = Tensor(np.asarray(g, x.dtype)[()])
    if g.shape != x.shape:
        raise EngineError("shape-mismatch", "custom-gradient", op=name, shapes=(x.shape, g.shape))
    g = conjugated(g)
    return g if recorded else g.value


def recomputed(name: str, function: Callable[..., Any], operands: list[Any]) -> Any:
    """`function(*operands)`, whose intermediate values are dropped and computed again when a gradient is asked.

    Variables that it reads are operands too. An operand that it does not use has a gradient of zeros.
    """
    operands = [item.read() if isinstance(item, Variable) else item for item in operands]
    inside = run_watched(name, lambda: function(*operands), operands)
    variables, tensors = inside.variables, inside.tensors
    values = [v.value for v in variables]

    def pullback(cotangents: list[Tensor], xs: tuple[Any, ...]) -> list[Any]:
        fresh = [Tensor(x.value, None) for x in xs[: len(operands)]]
        state = current_state()
        recording = state.recording
        inputs: list[Any] = list(xs[: len(operands)]) if recording is not None else fresh
        kept = [v.value for v in variables]
        tape = GradientTape(persistent=True)
        try:
            for v, value in zip(variables, values):
                v.value = value
            with tape:
                tape.watch([*inputs, *tensors])
                out = function(*inputs)
        finally:
            for v, value in zip(variables, kept):
                v.value = value
            state.recording = recording  # closing a tape looks among the open tapes only: a forward sweep is none
        outs = list(out) if isinstance(out, (list, tuple)) else [out]
        found: list[Any] = tape.gradient(outs, [*inputs, *variables, *tensors], cotangents, "zero")
        return found

    everything = [*operands, *variables, *tensors]
    inside.variables, inside.tensors, inside.operands = [], [], [node_of(item) for item in everything]
    return with_pullback(name, everything, lambda: None, pullback, inside=inside)
