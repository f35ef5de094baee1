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
    batchable: bool = False,
) -> Any:  # fmt: skip
    """Call `run` unrecorded; its result (a tensor, or a list or tuple of them) has `pullback` as its derivative.

    `pullback(cotangents, operands)` gets a tensor for each result (zeros where none arrived) and returns a tensor,
    number or None for each operand; those of complex tensors are d/dx + i d/dy, as a query gives them. When the
    gradient is asked, raises `wrong-arguments` where their count differs, `shape-mismatch` where a shape does.
    """
    state = current_state()
    operands = [item.read() if isinstance(item, Variable) else item for item in operands]
    nodes = [node_of(item) for item in operands]
    out, others = _watched(state, run, nodes)
    several = isinstance(out, (list, tuple))
    results = [item.read() if isinstance(item, Variable) else item for item in (out if several else [out])]
    for item in results:
        if type(item) is not Tensor:
            raise EngineError("not-a-tensor", "custom-result", op=name, type=type(item).__name__)
    specs = [Spec(item.shape, item.dtype) for item in results]
    op = _one_call(name, specs, pullback, batchable, len(operands))
    operands, nodes = [*operands, *others], [*nodes, *map(node_of, others)]
    from .history import record, shadow

    now, rec = state.recording, None
    if now is not None:
        for node in nodes:
            if node.rec is not None:
                rec = join(rec, node.rec, now)
    values = [item.value for item in operands]
    if rec is None:
        made = [Tensor(item.value, shadow(state, op, tuple(nodes))) for item in results]
    elif not several:
        made = [Tensor(results[0].value, record(state, op, rec, values, list(nodes), results[0].value, None))]
    else:
        whole = record(state, op, rec, values, list(nodes), None, None)
        made = []
        for position, item in enumerate(results):
            node = record(state, PICK, rec, [item.value], [whole], None, {"position": position})
            made.append(Tensor(item.value, node))
    if not several:
        return made[0]
    return tuple(made) if isinstance(out, tuple) else made


def _watched(state: State, run: Callable[[], Any], nodes: list[Node]) -> tuple[Any, list[Tensor]]:
    """Call `run` on no tape but one that watches: its result, and the variables that it reads beside its operands.

    The pullback gives nothing for these. They are operands without a derivative, so that a None can tell it.
    """
    watcher, before = GradientTape(persistent=True), state.recording
    with watcher:
        state.recording = watcher.mark
        try:
            out = run()
        finally:
            state.recording = before
    state.refresh()
    state.recording = before
    known = set(nodes)
    return out, [Tensor(v.value, v.node) for v in watcher.watched_variables() if v.node not in known]


def _one_call(name: str, specs: list[Spec], pullback: Any, batchable: bool, covered: int) -> Primitive:
    op = Primitive(name, lambda values: values)

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
    state = current_state()
    watcher = GradientTape(persistent=True)
    before = state.recording
    with watcher:
        state.recording = watcher.mark  # only to see which variables are read
        try:
            first = function(*operands)
        finally:
            state.recording = before
    variables = [v for v in watcher.watched_variables() if not any(v is item for item in operands)]
    values = [v.value for v in variables]

    def pullback(cotangents: list[Tensor], xs: tuple[Any, ...]) -> list[Any]:
        fresh = [Tensor(x.value, None) for x in xs[: len(operands)]]
        recording = current_state().recording
        inputs: list[Any] = list(xs[: len(operands)]) if recording is not None else fresh
        kept = [v.value for v in variables]
        tape = GradientTape(persistent=True)
        try:
            for v, value in zip(variables, values):
                v.value = value
            with tape:
                tape.watch(inputs)
                out = function(*inputs)
        finally:
            for v, value in zip(variables, kept):
                v.value = value
        outs = list(out) if isinstance(out, (list, tuple)) else [out]
        found: list[Any] = tape.gradient(outs, [*inputs, *variables], cotangents, "zero")
        return found

    return with_pullback(name, [*operands, *variables], lambda: _plain(first), pullback)


def _plain(value: Any) -> Any:
    """The same values without the history of the first run."""
    if isinstance(value, (list, tuple)):
        return type(value)(_plain(item) for item in value)
    return Tensor(value.value) if type(value) is Tensor else value
