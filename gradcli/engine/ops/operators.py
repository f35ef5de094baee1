"""Python's operators on tensors and variables: each is an operation of the registry."""

from __future__ import annotations

from typing import Any

from ..errors import EngineError
from ..tensor import Tensor
from ..variable import Variable
from . import arithmetic as a
from . import comparison as c
from .contraction import matmul
from .indexing import getitem
from .shape import transpose


def _swapped(op: Any) -> Any:
    return lambda self, other: op(other, self)


_OPERATORS: dict[str, Any] = {
    "__add__": a.add, "__radd__": _swapped(a.add),
    "__sub__": a.subtract, "__rsub__": _swapped(a.subtract),
    "__mul__": a.multiply, "__rmul__": _swapped(a.multiply),
    "__truediv__": a.divide, "__rtruediv__": _swapped(a.divide),
    "__floordiv__": a.floordiv, "__rfloordiv__": _swapped(a.floordiv),
    "__mod__": a.mod, "__rmod__": _swapped(a.mod),
    "__pow__": a.pow, "__rpow__": _swapped(a.pow),
    "__matmul__": lambda x, y: matmul(x, y), "__rmatmul__": lambda x, y: matmul(y, x),
    "__neg__": a.negative, "__abs__": a.abs, "__pos__": lambda x: x,
    "__lt__": c.less, "__le__": c.less_equal, "__gt__": c.greater, "__ge__": c.greater_equal,
    "__eq__": c.equal, "__ne__": c.not_equal,
    "__and__": c.logical_and, "__rand__": _swapped(c.logical_and),
    "__or__": c.logical_or, "__ror__": _swapped(c.logical_or),
    "__invert__": c.logical_not,
    "__getitem__": lambda x, index: getitem(x, index=index),
    "T": property(lambda x: transpose(x)),
}  # fmt: skip


def _iterate(self: Any) -> Any:
    if not self.shape:
        raise EngineError("not-a-tensor", "scalar-has-no-entries", op="for")
    x: Any = self.read() if isinstance(self, Variable) else self
    return (x[i] for i in range(self.shape[0]))


for _name, _operator in _OPERATORS.items():
    setattr(Tensor, _name, _operator)
    setattr(Variable, _name, _operator)
Tensor.__iter__ = Variable.__iter__ = _iterate  # type: ignore[attr-defined]


def _refuse(self: Any, other: Any) -> Any:
    raise EngineError("cannot-assign", "augmented-variable", name=self.name)


# `x += 1` on a variable would silently make a tensor of it
for _name in ("__iadd__", "__isub__", "__imul__", "__itruediv__"):
    setattr(Variable, _name, _refuse)
