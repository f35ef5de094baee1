"""Variables: named state that every tape reading it watches, unless it is not trainable."""

from __future__ import annotations

from _thread import allocate_lock
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import DType, dtype_name, weak
from .errors import EngineError
from .passages import ASSIGN
from .recording import current_state, include
from .tensor import Tensor, constant, leaf

if TYPE_CHECKING:
    from .tensor import Node

_watching = allocate_lock()


class Variable:
    """A value that can be assigned. Its node is its handle: it stays the same while the value changes.

    `dtype` and `shape` are fixed by the first value. Raises what `constant` raises.
    """

    __slots__ = ("name", "node", "trainable", "value")

    __array_priority__ = 1000

    value: Any
    node: Node

    def __init__(
        self, value: Any, trainable: bool = True, name: str = "Variable", dtype: Any = None,
        shape: tuple[int, ...] | None = None,
    ) -> None:  # fmt: skip
        if isinstance(value, Variable):
            value = value.value
        first = constant(value, dtype, shape)
        data = first.value
        self.value = data.copy() if type(data) is np.ndarray else data
        self.node = leaf(current_state().site)
        if isinstance(value, Tensor):
            self.node.p0 = _origin(value)
        self.trainable = bool(trainable)
        self.name = name

    @property
    def dtype(self) -> DType:
        """The NumPy dtype."""
        dtype: DType = self.value.dtype
        return dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""
        shape: tuple[int, ...] = self.value.shape
        return shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(self.value.size)

    def read(self) -> Tensor:
        """The value now, as a tensor whose node is this variable. The tapes that watch what they see read, watch it."""
        now = current_state().recording
        node = self.node
        if now is not None and node.rec is not now and self.trainable:
            self._watch(now.auto, now)
        return Tensor(self.value, node)

    def watch(self, mark: Any) -> None:
        """Be watched by one tape, trainable or not."""
        self._watch(frozenset((mark,)), None)

    def _watch(self, marks: Any, now: Any) -> None:
        if not marks:
            return
        node = self.node
        with _watching:
            for mark in marks:
                mark.variables[self.node] = self
            if self.value.dtype.kind in "fc":
                node.rec = include(node.rec, marks, now)

    def numpy(self) -> Any:
        """The raw value, which leaves every tape; it counts as reading."""
        self.read()
        return self.value

    def assign(self, value: Any) -> Variable:
        """Replace the value. Shape and dtype stay: `shape-mismatch` or `dtype-mismatch` otherwise."""
        self.read()
        return self._put(value, None)

    def assign_add(self, value: Any) -> Variable:
        """Add to the value in place."""
        self.read()
        return self._put(value, np.add)

    def assign_sub(self, value: Any) -> Variable:
        """Subtract from the value in place."""
        self.read()
        return self._put(value, np.subtract)

    def _put(self, value: Any, change: Any) -> Variable:
        old = self.value
        node = None
        if isinstance(value, Variable):
            value = value.read()
        if isinstance(value, (list, tuple)):
            from .operands import operand

            value = operand(ASSIGN, value) if any(isinstance(v, (Tensor, Variable)) for v in value) else value
        if type(value) is Tensor:
            node, data = value.node, value.value
            if data.dtype != old.dtype:
                raise EngineError(
                    "dtype-mismatch", "assign", op="assign", dtypes=(dtype_name(old.dtype), dtype_name(data.dtype)),
                    name=self.name,
                )  # fmt: skip
        elif isinstance(value, (np.ndarray, np.generic)):
            data = value.astype(old.dtype)
        elif isinstance(value, (int, float, complex, str, list, tuple)):
            data = weak(value, old.dtype, "assign")
        else:
            raise EngineError("not-a-tensor", "assign", op="assign", type=type(value).__name__)
        if data.shape != old.shape:
            raise EngineError(
                "shape-mismatch", "assign", op="assign", shapes=(old.shape, data.shape), name=self.name
            )  # fmt: skip
        if change is not None:
            data = change(old, data)
        journal = current_state().journal
        if journal is not None:
            journal.variable(self)
        self.value = data.copy() if type(data) is np.ndarray and change is None else data
        self.node.p0 = _assigned(node, self.node.p0, change)
        return self

    def settle(self, value: Any, node: Node | None = None) -> None:
        """Take a new value of the same shape and dtype as it is, without a copy: what an optimizer's step leaves.

        `node` is that of the gradient, from which `explain` tells that the path was cut here.
        """
        self.value = value[()] if type(value) is np.ndarray and not value.shape else value
        self.node.p0 = _assigned(node, self.node.p0, np.subtract)

    def __len__(self) -> int:
        return len(self.read())

    def __bool__(self) -> bool:
        return bool(self.read())

    def __float__(self) -> float:
        return float(self.read())

    def __int__(self) -> int:
        return int(self.read())

    def __complex__(self) -> complex:
        return complex(self.read())

    def __index__(self) -> int:
        return self.read().__index__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.numpy(), dtype=dtype)

    def __repr__(self) -> str:
        self.read()
        return f"Variable({self.name!r}, {self.value!r}, shape={self.shape}, dtype={dtype_name(self.dtype)})"

    __hash__ = None  # type: ignore[assignment]  # `==` compares entries; the node is the identity


def _origin(value: Tensor) -> Any:
    return _assigned(value.node, None, None) if value.node is not None else None


def _assigned(node: Node | None, before: Any, change: Any) -> Any:
    """The shadow of an assignment, from which `explain` tells that the path was cut here.

    Only while a tape is open, and not one upon another without end: the memory of assignments does not grow.
    """
    from .history import shadow

    state = current_state()
    if not state.epoch:
        return None
    parents = [node] if node is not None else []
    depth = 0
    if before is not None and before.index >= state.epoch:
        depth = before.x1 or 0
        if depth < 32:
            parents.append(before)
    if not parents:
        return None
    made = shadow(state, ASSIGN, tuple(parents))
    made.x1 = depth + 1 if depth < 32 else 1
    if state.thorough and node is not None:
        made.params = {"signs": (-1 if change is np.subtract else 1,)}
    return made
