"""Tensor and Node: a value, and what is known about where it came from.

A `Tensor` is a value (a NumPy array, or a NumPy scalar for shape `()`) with a node. The node is the identity: an alias
shares it, `x + 0` has another one. Tensor and node are apart so that a value can go while its node stays.

    node of …                      op          parents             on tapes
    a constant or a variable       None        -                   those that watch it
    a recorded operation           the op      the operands'       `rec`
    an operation in a tape's       the op      the operands'       None: a `Shadow`, which keeps no values; it is there
      block that was not recorded                                  to tell why a gradient is None
    an operation outside tapes     the op      none                None
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import DType, dtype_name, find_dtype, pack, weak
from .errors import EngineError
from .recording import current_state, next_index

if TYPE_CHECKING:
    from .primitive import Primitive
    from .recording import Mark, Recording


class Node:
    """What a tape remembers of one operation, in order of creation.

    For one operand `p0`, `x0` are its node and its value; for two also `p1`, `x1`; for more, `p0` and `x0` are tuples.
    A value that no rule of the operation reads is replaced by a `Spec`. `y` is the result, if a rule reads it.
    """

    __slots__ = ("index", "op", "p0", "p1", "params", "rec", "site", "x0", "x1", "y")

    op: Primitive | None
    rec: Recording | Mark | None
    site: int
    index: int
    p0: Any
    p1: Any
    x0: Any
    x1: Any
    y: Any
    params: dict[str, Any] | None

    def parents(self) -> tuple[Node, ...]:
        """The nodes of the operands that have one."""
        if type(self.p0) is tuple:
            return tuple(p for p in self.p0 if p is not None)
        return tuple(p for p in (self.p0, self.p1) if p is not None)


class Shadow(Node):
    """An operation that no tape recorded. `made` is who was recording when it ran."""

    __slots__ = ("made",)

    made: Recording | Mark | None


class Spec:
    """Shape and dtype of a value that was not kept."""

    __slots__ = ("dtype", "shape")

    def __init__(self, shape: tuple[int, ...], dtype: DType) -> None:
        self.shape = shape
        self.dtype = dtype

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of entries."""
        size = 1
        for n in self.shape:
            size *= n
        return size


def leaf(site: int) -> Node:
    """A node without an operation: a constant or a variable."""
    node = Node.__new__(Node)
    node.op = node.rec = node.p0 = node.p1 = node.x0 = node.x1 = node.y = node.params = None
    node.site = site
    node.index = next_index()
    return node


class Tensor:
    """An immutable value of one dtype and shape. Its operators are operations of the registry (see `ops`)."""

    __slots__ = ("node", "value")

    __array_priority__ = 1000  # so that `ndarray + tensor` comes to the tensor's `__radd__`

    value: Any
    node: Node | None

    def __init__(self, value: Any, node: Node | None = None) -> None:
        self.value = value
        self.node = node

    @property
    def dtype(self) -> DType:
        """The NumPy dtype."""
        dtype: DType = self.value.dtype
        return dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis; `()` for a scalar."""
        shape: tuple[int, ...] = self.value.shape
        return shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.value.shape)

    @property
    def size(self) -> int:
        """The number of entries."""
        return int(self.value.size)

    def numpy(self) -> Any:
        """The raw value; it leaves every tape."""
        return self.value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.value, dtype=dtype)

    def __len__(self) -> int:
        if not self.value.shape:
            raise EngineError("not-a-tensor", "scalar-has-no-length", op="len")
        return int(self.value.shape[0])

    def __bool__(self) -> bool:
        if self.value.size != 1:
            raise EngineError("bad-value", "truth-of-many", op="bool", shape=self.value.shape)
        return bool(self.value)

    def __float__(self) -> float:
        return float(self._one("float"))

    def __int__(self) -> int:
        return int(self._one("int"))

    def __complex__(self) -> complex:
        return complex(self._one("complex"))

    def __index__(self) -> int:
        if self.value.dtype.kind not in "iu" or self.value.shape:
            raise EngineError("bad-value", "not-an-index", dtype=dtype_name(self.value.dtype), shape=self.value.shape)
        return int(self.value)

    def _one(self, op: str) -> Any:
        if self.value.size != 1:
            raise EngineError("bad-value", "truth-of-many", op=op, shape=self.value.shape)
        return self.value.item()

    def __repr__(self) -> str:
        return f"Tensor({self.value!r}, shape={self.shape}, dtype={dtype_name(self.dtype)})"

    __hash__ = None  # type: ignore[assignment]  # `==` compares entries; use the node as the identity


def constant(value: Any, dtype: Any = None, shape: tuple[int, ...] | None = None) -> Tensor:
    """A tensor of `value` (number, nested list, array), watched by no tape until `watch` is called.

    Float literals are of the state's default float dtype (float32), integer literals int32, unless `dtype` says
    otherwise. A scalar fills `shape`. Raises `bad-value`, `shape-mismatch` or `dtype-mismatch`.
    """
    state = current_state()
    if isinstance(value, Tensor):
        data = value.value
        if dtype is not None and find_dtype(dtype) != data.dtype:
            raise EngineError(
                "dtype-mismatch", "declared", dtypes=(dtype_name(find_dtype(dtype)), dtype_name(data.dtype))
            )
    elif dtype is not None:
        like = find_dtype(dtype)
        if isinstance(value, (np.ndarray, np.generic)):
            data = value.astype(like)
        else:
            data = weak(value, like, "constant")
    else:
        data = pack(value, state.float_dtype)
    if shape is not None and tuple(shape) != data.shape:
        if data.size == 1:
            data = np.full(shape, data)
        elif data.size == int(np.prod(shape)):
            data = data.reshape(shape)
        else:
            raise EngineError("shape-mismatch", "declared", shapes=(tuple(shape), data.shape))
    if type(data) is np.ndarray and data.ndim == 0:
        data = data[()]
    return Tensor(data, leaf(state.site))
