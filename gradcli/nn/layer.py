"""What every layer is: built at its first call, with weights by name, a dtype and a source of random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable, constant, current_state, lookup
from gradcli.engine.dtypes import dtype_name, find_dtype
from gradcli.engine.journal import entering
from gradcli.engine.ops.axes import number, whole_number
from gradcli.engine.ops.random import generator
from gradcli.engine.ops.selection import as_tensor, cast

from .initializers import initial
from .module import Module, snake

#: names that layers take beyond those of operations
_ACTIVATIONS = {"linear": None, "swish": "silu", "exponential": "exp", "hard_swish": "hard_silu"}


def activation_of(given: Any, op: str) -> Any:
    """A function of a tensor by its name, a function as it is, or None for `none` and "linear". Raises `bad-value`."""
    if given is None or callable(given):
        return given
    name = str(given)
    if name in _ACTIVATIONS and _ACTIVATIONS[name] is None:
        return None
    found = lookup(_ACTIVATIONS.get(name) or name) if isinstance(given, str) else None
    if found is None or not (found.elementwise or found.family in ("activation", "activations", "gates")):
        known = ("relu", "sigmoid", "tanh", "softmax", "softplus", "elu", "selu", "gelu", "silu", "linear")
        raise EngineError("bad-value", "choice", op=op, given=repr(given), known=known)
    return found.call


class Layer(Module):
    """A module whose weights are made at its first call, of the shape of what it is given.

    Each weight can be given by its name (`kernel=[[…]]`, `bias=[…]`): a list or tensor is its first value, a variable
    is used itself. `dtype` is that of the weights, the default float dtype if none is given. `seed` makes first values
    and dropout the same each time, whatever else draws random numbers.
    """

    #: the class of a weight
    weight_type: Any = Variable
    #: are inputs of another floating dtype cast to the layer's, as Keras does?
    autocast = False
    #: are lists of whole numbers left as they are?
    takes_integers = False

    def __init__(
        self, name: str | None = None, trainable: bool = True, dtype: Any = None, seed: Any = None, **given: Any
    ) -> None:
        super().__init__(None if name is None else str(name))
        if not trainable:
            self.trainable = False
        self._dtype = None if dtype is None else find_dtype(dtype)
        self._random = None if seed is None else generator(seed)
        self._given = {key: value for key, value in given.items() if value is not None}
        self.built = False

    @property
    def name(self) -> str:
        """The name given, else that of the class: `Conv2D` is `conv2d`."""
        return self._name or snake(type(self).__name__, digits=False)

    @property
    def label(self) -> str:
        """The layer in a message: its class, with its name if it was given one."""
        kind = type(self).__name__
        return f"{kind} {self.name}" if self._name else kind

    @property
    def dtype(self) -> Any:
        """The dtype of the weights; the default float dtype where none was given."""
        return self._dtype or current_state().float_dtype

    @property
    def random(self) -> np.random.Generator:
        """Where the layer's random numbers come from."""
        if self._random is None:
            return current_state().random
        entering(self)  # they are about to be drawn
        return self._random

    def build(self, input_shape: Any) -> None:
        """Make the weights for inputs of a shape; lengths that do not matter may be None."""
        if not self.built:
            self._dtype = self.dtype  # it stays what it was when the layer was built
            self.make_weights(tuple(input_shape))
            self.built = True

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """Make this layer's own weights; by default it has none."""

    def weight(self, name: str, shape: tuple[int, ...], initializer: Any, trainable: bool = True) -> None:
        """Make the weight `name`, an attribute. Raises `shape-mismatch` or `dtype-mismatch` for a given one."""
        given = self._given.pop(name, None)
        if isinstance(given, Variable):
            made = given
        else:
            first = initial(initializer, shape, self.dtype, self.random, self.label) if given is None else given
            if not isinstance(first, (Tensor, Variable)):
                first = constant(first, self.dtype) if not hasattr(first, "dtype") else constant(first)
            made = self.weight_type(first, trainable, name)
        if made.shape != shape:
            raise EngineError(
                "shape-mismatch", "weight", op=self.label, name=name, shapes=(shape, made.shape)
            )  # fmt: skip
        if made.dtype != self.dtype:
            raise EngineError(
                "dtype-mismatch", "weight", op=self.label, name=name,
                dtypes=(dtype_name(self.dtype), dtype_name(made.dtype)),
            )  # fmt: skip
        setattr(self, name, made)

    def input(self, x: Any) -> Any:
        """What the layer is given, as a tensor; a list of numbers takes its dtype."""
        if type(x) is not Tensor:
            if isinstance(x, Variable):
                x = x.read()
            elif hasattr(x, "dtype"):
                x = as_tensor(x)
            elif isinstance(x, (int, float, list, tuple)):
                found = as_tensor(x)
                whole = found.value.dtype.kind in "iu" and not self.takes_integers and found.node is None
                x = Tensor(found.value.astype(self.dtype)) if whole else found
            else:
                raise EngineError("not-a-tensor", "operand", op=self.label, type=type(x).__name__)
        if self.autocast and x.value.dtype.kind == "f" and x.value.dtype != self.dtype:
            x = cast(x, self.dtype)
        return x

    def __call__(self, x: Any, training: Any = None) -> Any:
        x = self.input(x)
        if not self.built:
            self.build(x.value.shape)
        return self.call(x, training)

    def call(self, x: Any, training: Any) -> Any:
        """The layer's function of a tensor; `training` is true while weights are fitted."""
        raise NotImplementedError(type(self).__name__)

    def ranked(self, shape: tuple[int, ...], rank: int) -> None:
        """Raise `shape-mismatch` for an input that has not `rank` axes."""
        if len(shape) != rank:
            raise EngineError("shape-mismatch", "layer-rank", op=self.label, shapes=(shape,), rank=rank)

    def fits(self, shape: tuple[int, ...], length: int) -> None:
        """Raise `shape-mismatch` where the last axis is not the one that the layer was built for."""
        if not shape or shape[-1] != length:
            raise EngineError("shape-mismatch", "layer-input", op=self.label, shapes=(shape,), length=length)


def last_length(shape: tuple[Any, ...], op: str) -> int:
    """The length of an input's last axis, which a layer must know to make its weights."""
    if not shape or shape[-1] is None:
        raise EngineError("shape-mismatch", "rank", op=op, shapes=(tuple(shape),), rank=1)
    return int(shape[-1])


def count(value: Any, op: str, argument: str) -> int:
    """A whole number of at least 1. Raises `bad-value`."""
    found = whole_number(value, op)
    if found < 1:
        raise EngineError("bad-value", "positive", op=op, argument=argument, given=found)
    return found


def rate(value: Any, op: str, argument: str) -> float:
    """A number from 0 to below 1. Raises `bad-value`."""
    found = number(value, op, argument)
    if not 0 <= found < 1:
        raise EngineError("bad-value", "fraction", op=op, given=found)
    return found
