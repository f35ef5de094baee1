"""Shapes as TensorFlow shows them: a tuple that knows its rank; `tf.shape`, `tf.size`, `tf.rank`."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import Tensor, Variable
from gradcli.engine.ops.selection import as_tensor


class TensorShape(tuple[int, ...]):
    """The length of each axis."""

    __slots__ = ()

    @property
    def rank(self) -> int:
        """The number of axes."""
        return len(self)

    @property
    def ndims(self) -> int:
        """The number of axes."""
        return len(self)

    def as_list(self) -> list[int]:
        """The lengths as a list."""
        return list(self)

    def num_elements(self) -> int:
        """The number of entries."""
        return int(np.prod(self, dtype=np.int64))

    def is_fully_defined(self) -> bool:
        """Always: values are there."""
        return True

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"


def _shape(self: Any) -> TensorShape:
    return TensorShape(self.value.shape)


# `t.shape.rank` is written in many snippets; a TensorShape is a tuple wherever the engine looks
Tensor.shape = property(_shape, doc="The length of each axis.")  # type: ignore[assignment,method-assign]
Variable.shape = property(_shape, doc="The length of each axis.")  # type: ignore[assignment,method-assign]


class _String:
    """The dtype of strings, which NumPy names by their length."""

    name = "string"
    kind = "U"

    def __repr__(self) -> str:
        return "tf.string"

    def __eq__(self, other: object) -> bool:
        return other is self or getattr(other, "kind", "") in ("U", "S")

    def __hash__(self) -> int:
        return hash("string")


STRING = _String()


def _dtype(self: Any) -> Any:
    dtype = self.value.dtype
    return STRING if dtype.kind in "US" else dtype


Tensor.dtype = property(_dtype, doc="The dtype.")  # type: ignore[assignment,method-assign]
Variable.dtype = property(_dtype, doc="The dtype.")  # type: ignore[assignment,method-assign]
Tensor.get_shape = Variable.get_shape = _shape  # type: ignore[attr-defined]


def shape(input: Any, out_type: Any = np.int32, name: str | None = None) -> Tensor:
    """The shape as an integer tensor."""
    return Tensor(np.array(as_tensor(input).shape, out_type))


def size(input: Any, out_type: Any = np.int32, name: str | None = None) -> Tensor:
    """The number of entries as an integer tensor."""
    return Tensor(np.dtype(out_type).type(as_tensor(input).size))


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of axes as an integer tensor."""
    return Tensor(np.int32(as_tensor(input).ndim))
