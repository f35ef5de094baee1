"""What every optimizer does: pairs gradients with variables, skips None, clips, steps in place where nobody sees it."""

from __future__ import annotations

from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable, current_state
from gradcli.engine.dtypes import dtype_name
from gradcli.engine.journal import entering
from gradcli.engine.ops.axes import number
from gradcli.engine.recording import next_index
from gradcli.engine.structure import flatten

from .module import way_back_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: entries that a step goes through at a time: what it reads and writes then stays in the processor's cache
_BLOCK = 32768


class Optimizer:
    """Steps of variables against their gradients.

    `learning_rate` is a number, or a function of the number of steps done. At most one of `clipnorm` (the norm of each
    gradient), `global_clipnorm` (of all together) and `clipvalue` (each entry) limits the gradients first.
    `weight_decay` takes that share, times the learning rate, off each variable before the step.
    """

    #: the buffers that a variable has, by name
    slots: tuple[str, ...] = ()

    def __init__(
        self, learning_rate: Any, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, name: Any = None,
    ) -> None:  # fmt: skip
        op = self.label
        self.learning_rate = learning_rate if callable(learning_rate) else number(learning_rate, op, "learning_rate")
        self.weight_decay = None if weight_decay is None else number(weight_decay, op, "weight_decay")
        limits = {"clipnorm": clipnorm, "clipvalue": clipvalue, "global_clipnorm": global_clipnorm}
        given = {key: number(value, op, key) for key, value in limits.items() if value is not None}
        if len(given) > 1:
            raise EngineError("wrong-arguments", "one-of", op=op, names=tuple(given))
        for key, value in given.items():
            if not value > 0:
                raise EngineError("bad-value", "positive", op=op, argument=key, given=value)
        self._clip = next(iter(given.items()), None)
        self.name = str(name) if name is not None else op.lower()
        self.iterations = 0
        self._buffers: dict[int, tuple[Variable, tuple[Any, ...]]] = {}
        #: room for what a step computes on the way, by dtype
        self._scratch: dict[Any, Any] = {}
        self._told: set[int] = set()
        self._made = next_index()

    def way_back(self) -> Callable[[], None]:
        """A function that gives it the attributes and buffers that it has now."""
        own = way_back_of(vars(self))
        arrays = [(array, array.copy()) for _, buffers in self._buffers.values() for array in buffers]

        def back() -> None:
            own()
            for array, copy in arrays:
                array[...] = copy

        return back

    @property
    def label(self) -> str:
        """The optimizer in a message."""
        return type(self).__name__

    @property
    def variables(self) -> dict[str, Any]:
        """The buffers that the steps have made, by `number.slot` of the variables in the order of their first step."""
        return {
            f"{i}.{slot}": buffer
            for i, (_, buffers) in enumerate(self._buffers.values())
            for slot, buffer in zip(self.slots, buffers)
        }

    def rate(self) -> float:
        """The learning rate of the next step."""
        given: Any = self.learning_rate
        return float(given(self.iterations)) if callable(given) else float(given)

    def apply(self, grads: Any, variables: Any) -> None:
        """One step. Both are one value, or lists, tuples or dicts alike; None leaves its variable as it is.

        Raises `wrong-arguments` where they do not pair up, `shape-mismatch` or `dtype-mismatch`, and `no-gradients`
        where every gradient is None. Each variable that is skipped is told of once, as the warning `skipped-variable`.
        """
        pairs = self._paired(grads, variables)
        missing = [variable for grad, variable in pairs if grad is None]
        found = [(grad, variable) for grad, variable in pairs if grad is not None]
        if not found:
            raise EngineError(
                "no-gradients", "all-none", op=self.label, variables=tuple(variable.name for variable in missing)
            )
        if missing:
            self._tell(missing)
        arrays = [self._array(grad, variable) for grad, variable in found]
        if self._clip is not None:
            arrays = self._clipped(arrays)
        entering(self)
        rate = self.rate()
        state = current_state()
        recording, journal = state.recording, state.journal
        for array, (grad, variable) in zip(arrays, found):
            if recording is not None:
                variable.read()
            if journal is not None:
                journal.variable(variable)
            variable.settle(self._stepped(array, variable, rate), getattr(grad, "node", None))
        self.iterations += 1

    def apply_gradients(self, grads_and_vars: Iterable[Any]) -> None:
        """One step from pairs of a gradient and its variable."""
        pairs = list(grads_and_vars)
        self.apply([grad for grad, _ in pairs], [variable for _, variable in pairs])

    def _paired(self, grads: Any, variables: Any) -> list[tuple[Any, Variable]]:
        if isinstance(grads, dict) and isinstance(variables, dict):
            if set(grads) != set(variables):
                raise EngineError(
                    "wrong-arguments", "pairs", op=self.label, given=len(grads), wanted=len(variables)
                )  # fmt: skip
            variables = {key: variables[key] for key in grads}
        left, right = flatten(grads), flatten(variables)
        if len(left) != len(right):
            raise EngineError("wrong-arguments", "pairs", op=self.label, given=len(left), wanted=len(right))
        for item in right:
            if not isinstance(item, Variable):
                raise EngineError("not-a-tensor", "variable-expected", op=self.label, type=type(item).__name__)
        return list(zip(left, right))

    def _tell(self, missing: list[Variable]) -> None:
        warn = current_state().warn
        for variable in missing:
            if id(variable.node) not in self._told:
                self._told.add(id(variable.node))
                if warn is not None:
                    warn("skipped-variable", dtype_name(variable.dtype), variable)

    def _array(self, grad: Any, variable: Variable) -> Any:
        value = grad.value if isinstance(grad, (Tensor, Variable)) else np.asarray(grad, variable.dtype)
        old = variable.value
        if value.shape != old.shape:
            raise EngineError(
                "shape-mismatch", "gradient", op=self.label, name=variable.name, shapes=(old.shape, value.shape)
            )
        if value.dtype != old.dtype:
            raise EngineError(
                "dtype-mismatch", "gradient", op=self.label, name=variable.name,
                dtypes=(dtype_name(old.dtype), dtype_name(value.dtype)),
            )  # fmt: skip
        return value

    def _clipped(self, grads: list[Any]) -> list[Any]:
        kind, limit = self._clip or ("", 0.0)
        if kind == "clipvalue":
            return [np.clip(grad, -limit, limit) for grad in grads]
        squares = [np.square(grad).sum() for grad in grads]
        if kind == "clipnorm":
            return [grad * limit / max(np.sqrt(total), limit) for grad, total in zip(grads, squares)]
        norm = np.sqrt(sum(squares))
        if not np.isfinite(norm):
            return [grad * norm.dtype.type(np.nan) for grad in grads]
        return [grad * (limit * min(1.0 / norm, 1.0 / limit)) for grad in grads] if norm else grads

    def _stepped(self, grad: Any, variable: Variable, rate: float) -> Any:
        kept = self._buffers.get(id(variable.node))
        if kept is None:
            value = variable.value
            buffers = tuple(np.full(value.shape, self.first(slot), value.dtype) for slot in self.slots)
            # the variable is kept too, so that its node's number is not given to another one
            kept = self._buffers[id(variable.node)] = (variable, buffers)
        shared = _references(variable) > _ALONE  # by a tensor, a tape or a view that must go on seeing the old value
        value = variable.value
        if shared or not value.shape or not (value.flags.owndata and value.flags.c_contiguous):
            value = np.array(value, order="C")
        scratch = self._scratch.get(value.dtype)
        if scratch is None:
            scratch = self._scratch[value.dtype] = np.empty(_BLOCK, value.dtype)
        like = value.dtype.type
        arrays = [value.reshape(-1), np.asarray(grad).reshape(-1), *(buffer.reshape(-1) for buffer in kept[1])]
        for start in range(0, value.size, _BLOCK):
            parts = arrays if value.size <= _BLOCK else [array[start : start + _BLOCK] for array in arrays]
            self._step(parts[0], parts[1], tuple(parts[2:]), scratch[: parts[0].size], like(rate), like)
        return value

    def _step(self, value: Any, grad: Any, buffers: tuple[Any, ...], scratch: Any, rate: Any, like: Any) -> None:
        if self.weight_decay:
            np.multiply(value, like(self.weight_decay), out=scratch)
            np.multiply(scratch, rate, out=scratch)
            np.subtract(value, scratch, out=value)
        self.update(value, grad, buffers, scratch, rate, like)

    def first(self, slot: str) -> float:
        """What a buffer holds before the first step."""
        return 0.0

    def update(self, value: Any, grad: Any, buffers: tuple[Any, ...], scratch: Any, rate: Any, like: Any) -> None:
        """Step one variable: change `value` and its `buffers` in place. `like` makes a number of their dtype."""
        raise NotImplementedError(type(self).__name__)


def _references(variable: Variable) -> int:
    value = variable.value
    return getrefcount(value)


#: the references to a value that its variable alone holds; how many are ours depends on the interpreter
_ALONE = _references(Variable(np.zeros(1)))
