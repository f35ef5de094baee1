"""Variables and constants with TensorFlow's signatures."""

from __future__ import annotations

from typing import Any

from gradcli.engine import Tensor
from gradcli.engine import Variable as EngineVariable
from gradcli.engine import constant as engine_constant
from gradcli.engine.dtypes import find_dtype
from gradcli.engine.operands import holds_tensor
from gradcli.engine.ops.selection import as_tensor, cast, identity


def _value(value: Any, dtype: Any, shape: Any) -> Any:
    if callable(value) and not isinstance(value, (Tensor, EngineVariable)):
        value = value()
    if isinstance(value, (EngineVariable, Tensor)) or holds_tensor(value):
        value = as_tensor(value)
        return value if dtype is None or find_dtype(dtype) == value.dtype else cast(value, dtype)
    found = engine_constant(value, dtype, None if shape is None else tuple(shape))
    return Tensor(found.value.copy(), found.node) if found.value is value else found  # the array may be written to


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """A tensor of numbers, lists or an array; a tensor, also in a list, stays connected."""
    found: Tensor = _value(value, dtype, shape)
    return found


def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None) -> Tensor:
    """A tensor of anything that can be one; a variable is read."""
    if isinstance(value, EngineVariable):
        read: Tensor = identity(value)
        return read
    return constant(value, dtype)


class Variable(EngineVariable):
    """A variable; `dtype` and `shape` are fixed by the first value."""

    __slots__ = ()

    def __init__(
        self, initial_value: Any = None, trainable: bool | None = None, name: str | None = None, dtype: Any = None,
        shape: Any = None, **_: Any,
    ) -> None:  # fmt: skip
        first = _value(initial_value, dtype, shape)
        super().__init__(first, True if trainable is None else trainable, name or "Variable")

    def read_value(self) -> Tensor:
        """The value as a new tensor, connected to this variable."""
        found: Tensor = identity(self)
        return found

    def assign(self, value: Any, use_locking: bool = False, name: Any = None, read_value: bool = True) -> Any:
        """Replace the value; the result stands for the variable."""
        return super().assign(value)

    def assign_add(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Add to the value; the result stands for the variable."""
        return super().assign_add(delta)

    def assign_sub(
        self, delta: Any, use_locking: bool = False, name: str | None = None, read_value: bool = True
    ) -> Any:
        """Subtract from the value; the result stands for the variable."""
        return super().assign_sub(delta)

    def ref(self) -> int:
        """A key for dicts: variables themselves compare by value."""
        return id(self)
