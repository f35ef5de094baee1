"""Layers of one step: Dense, Embedding, Flatten, Activation, Dropout."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import EngineError, Tensor
from gradcli.engine.ops.arithmetic import add_onto
from gradcli.engine.ops.axes import shape_of
from gradcli.engine.ops.contraction import matmul
from gradcli.engine.ops.indexing import gather
from gradcli.engine.ops.products import tensordot
from gradcli.engine.ops.shape import reshape

from .layer import Layer, activation_of, count, last_length, rate


class Dense(Layer):
    """activation(x @ kernel + bias), over the last axis; kernel [length, units], bias [units].

    >>> Dense(1, kernel=[[2.0], [1.0]], bias=[0.5])([[1.0, 3.0]])
    [[5.5]]
    """

    kernel: Any
    bias: Any

    def __init__(
        self, units: Any, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel: Any = None, bias: Any = None, name: Any = None, trainable: Any = True,
        dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, seed, kernel=kernel, bias=bias)
        self.units = count(units, self.label, "units")
        self.activation = activation_of(activation, self.label)
        self.use_bias = bool(use_bias)
        self._initializers = kernel_initializer, bias_initializer

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """kernel [length, units] and bias [units]."""
        self.weight("kernel", (last_length(shape, self.label), self.units), self._initializers[0])
        if self.use_bias:
            self.weight("bias", (self.units,), self._initializers[1])
        self._length = self.kernel.shape[0]

    def call(self, x: Any, training: Any) -> Any:
        """activation(x @ kernel + bias)."""
        shape = x.value.shape
        if not shape or shape[-1] != self._length:
            self.fits(shape, self._length)
        if len(shape) < 2:
            raise EngineError("shape-mismatch", "layer-batch", op=self.label, shapes=(shape,))
        y = matmul(x, self.kernel) if len(shape) == 2 else tensordot(x, self.kernel, axes=1)
        if self.use_bias:
            y = add_onto(y, self.bias)
        return y if self.activation is None else self.activation(y)


class Embedding(Layer):
    """The rows of a table [input_dim, output_dim] at whole numbers: one vector a number.

    >>> Embedding(2, 3, embeddings=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])([1])
    [[4.0, 5.0, 6.0]]
    """

    takes_integers = True
    embeddings: Any

    def __init__(
        self, input_dim: Any, output_dim: Any, embeddings_initializer: Any = "uniform", embeddings: Any = None,
        name: Any = None, trainable: Any = True, dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, seed, embeddings=embeddings)
        self.input_dim = count(input_dim, self.label, "input_dim")
        self.output_dim = count(output_dim, self.label, "output_dim")
        self._initializer = embeddings_initializer

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """embeddings [input_dim, output_dim]."""
        self.weight("embeddings", (self.input_dim, self.output_dim), self._initializer)

    def call(self, x: Any, training: Any) -> Any:
        """One row for each number; shape of x + [output_dim]."""
        ids = x.value
        if ids.dtype.kind == "f" and (ids == np.floor(ids)).all():
            x = Tensor(ids.astype(np.int32))
        if x.value.dtype.kind not in "iu":
            raise EngineError("bad-value", "whole-number", op=self.label, given=f"{ids.dtype} numbers")
        wrong = np.asarray(x.value)[(x.value < 0) | (x.value >= self.input_dim)]
        if wrong.size:
            raise EngineError(
                "index-out-of-range", "gather", op=self.label, given=int(wrong[0]), length=self.input_dim, axis=0
            )
        return gather(self.embeddings, x)


class Flatten(Layer):
    """Every example as one vector: [batch, a, b] becomes [batch, a b].

    >>> Flatten()([[[1.0, 2.0], [3.0, 4.0]]])
    [[1.0, 2.0, 3.0, 4.0]]
    """

    def __init__(self, name: Any = None) -> None:
        super().__init__(name)

    def call(self, x: Any, training: Any) -> Any:
        """[batch, the rest]."""
        shape = x.value.shape
        if not shape:
            self.ranked(shape, 1)
        return reshape(x, (shape[0], int(np.prod(shape[1:]))))


class Activation(Layer):
    """A function of each entry, by name or as a function.

    >>> Activation("relu")([-1.0, 2.0])
    [0.0, 2.0]
    """

    def __init__(self, activation: Any, name: Any = None) -> None:
        super().__init__(name)
        self.activation = activation_of(activation, self.label)

    def call(self, x: Any, training: Any) -> Any:
        """activation(x)."""
        return x if self.activation is None else self.activation(x)


class Dropout(Layer):
    """While training, each entry is 0 with probability `rate`, and the others are divided by 1 - rate; else x itself.

    `noise_shape` is the shape of the mask, which broadcasts against x.

    >>> Dropout(0.5, seed=1)([1.0, 2.0])
    [1.0, 2.0]
    """

    def __init__(self, rate: Any, noise_shape: Any = None, seed: Any = None, name: Any = None) -> None:
        super().__init__(name, seed=seed)
        self.rate = _rate(rate, self.label)
        self.noise_shape = noise_shape

    def call(self, x: Any, training: Any) -> Any:
        """x, with a new mask each time while training."""
        if not training or not self.rate:
            return x
        shape = x.value.shape
        if self.noise_shape is not None:
            given = self.noise_shape if isinstance(self.noise_shape, (list, tuple)) else [self.noise_shape]
            shape = shape_of([n if m is None else m for n, m in zip(shape, given)], self.label)
        kept = self.random.random(size=shape) >= self.rate
        return x * Tensor((kept / (1.0 - self.rate)).astype(x.value.dtype))


def _rate(value: Any, op: str) -> float:
    return rate(value, op, "rate")
