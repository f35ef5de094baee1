"""Layers that carry a state along a sequence [batch, length, features]: SimpleRNN, LSTM, GRU.

The weights are laid out as Keras's: kernel [features, gates units], recurrent_kernel [units, gates units], the gates in
the order i, f, c, o (LSTM) and z, r, h (GRU).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import EngineError, Tensor
from gradcli.engine.ops.contraction import matmul
from gradcli.engine.ops.joining import stack
from gradcli.engine.ops.products import tensordot

from .initializers import initial
from .layer import Layer, activation_of, count, last_length


class _Recurrent(Layer):
    kernel: Any
    recurrent_kernel: Any
    bias: Any
    _gates = 1
    _states = 1

    def __init__(
        self, units: Any, activation: Any = "tanh", use_bias: Any = True, kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal", bias_initializer: Any = "zeros", return_sequences: Any = False,
        return_state: Any = False, go_backwards: Any = False, kernel: Any = None, recurrent_kernel: Any = None,
        bias: Any = None, name: Any = None, trainable: Any = True, dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, seed, kernel=kernel, recurrent_kernel=recurrent_kernel, bias=bias)
        self.units = count(units, self.label, "units")
        self.activation = activation_of(activation, self.label) or (lambda x: x)
        self.use_bias = bool(use_bias)
        self.return_sequences, self.return_state = bool(return_sequences), bool(return_state)
        self.go_backwards = bool(go_backwards)
        self._initializers = kernel_initializer, recurrent_initializer, bias_initializer

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """kernel, recurrent_kernel and bias."""
        self.ranked(shape, 3)
        self._length = last_length(shape, self.label)
        width = self._gates * self.units
        self.weight("kernel", (self._length, width), self._initializers[0])
        self.weight("recurrent_kernel", (self.units, width), self._initializers[1])
        if self.use_bias:
            self.weight("bias", self.bias_shape(), self.first_bias)

    def bias_shape(self) -> tuple[int, ...]:
        """The shape of the bias."""
        return (self._gates * self.units,)

    def first_bias(self, shape: Any) -> Any:
        """The first value of the bias."""
        return initial(self._initializers[2], tuple(shape), self.dtype, self.random, self.label)

    def __call__(self, x: Any, training: Any = None, initial_state: Any = None) -> Any:
        x = self.input(x)
        if not self.built:
            self.build(x.value.shape)
        shape = x.value.shape
        self.ranked(shape, 3)
        self.fits(shape, self._length)
        if not shape[1]:
            raise EngineError("bad-value", "empty-sequence", op=self.label, shape=shape)
        state = self._first_state(shape[0], initial_state)
        inputs = self.inputs(x)
        outputs = []
        times = range(shape[1] - 1, -1, -1) if self.go_backwards else range(shape[1])
        for time in times:
            state = self.step(inputs[:, time], state)
            if self.return_sequences:
                outputs.append(state[0])
        y = stack(outputs, axis=1) if self.return_sequences else state[0]
        return [y, *state] if self.return_state else y

    def _first_state(self, batch: int, given: Any) -> list[Any]:
        if given is None:
            return [Tensor(np.zeros((batch, self.units), self.dtype)) for _ in range(self._states)]
        found = list(given) if isinstance(given, (list, tuple)) and self._states > 1 else [given]
        if len(found) == 1 and isinstance(found[0], (list, tuple)) and len(found[0]) == 1 and self._states == 1:
            first = found[0][0]
            found = [first] if hasattr(first, "shape") else found
        found = [self.input(item) for item in found]
        shapes = [item.value.shape for item in found]
        if len(found) != self._states or any(shape != (batch, self.units) for shape in shapes):
            raise EngineError(
                "shape-mismatch", "layer-state", op=self.label, shapes=((batch, self.units), *shapes),
                wanted=self._states,
            )  # fmt: skip
        return found

    def inputs(self, x: Any) -> Any:
        """What the kernel makes of the whole sequence, in one product."""
        y = tensordot(x, self.kernel, axes=1)
        return y + self.bias if self.use_bias else y

    def step(self, x: Any, state: list[Any]) -> list[Any]:
        """The state after one step; its first entry is the output."""
        raise NotImplementedError(type(self).__name__)


class SimpleRNN(_Recurrent):
    """h = activation(x @ kernel + bias + h @ recurrent_kernel), step after step; the last h, or all of them.

    >>> SimpleRNN(1, activation="linear", kernel=[[1.0]], recurrent_kernel=[[0.5]])([[[2.0], [4.0]]])
    [[5.0]]
    """

    def step(self, x: Any, state: list[Any]) -> list[Any]:
        """h of one step."""
        return [self.activation(x + matmul(state[0], self.recurrent_kernel))]


class LSTM(_Recurrent):
    """Long short-term memory: c = f c + i activation(…), h = o activation(c), with gates i, f, o between 0 and 1.

    `unit_forget_bias` begins the bias of f at 1. The states are h and c.

    >>> LSTM(2, kernel_initializer="zeros", recurrent_initializer="zeros")([[[1.0]]])
    [[0.0, 0.0]]
    """

    _gates = 4
    _states = 2

    def __init__(
        self, units: Any, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: Any = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", unit_forget_bias: Any = True, return_sequences: Any = False,
        return_state: Any = False, go_backwards: Any = False, kernel: Any = None, recurrent_kernel: Any = None,
        bias: Any = None, name: Any = None, trainable: Any = True, dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            return_sequences, return_state, go_backwards, kernel, recurrent_kernel, bias, name, trainable, dtype, seed,
        )  # fmt: skip
        self.recurrent_activation = activation_of(recurrent_activation, self.label) or (lambda x: x)
        self.unit_forget_bias = bool(unit_forget_bias)

    def first_bias(self, shape: Any) -> Any:
        """Zeros, and ones for the gate f."""
        first = super().first_bias(shape)
        if not self.unit_forget_bias:
            return first
        data = np.array(getattr(first, "value", first))
        data[self.units : 2 * self.units] = 1.0
        return Tensor(data)

    def step(self, x: Any, state: list[Any]) -> list[Any]:
        """h and c of one step."""
        n, (h, c) = self.units, state
        z = x + matmul(h, self.recurrent_kernel)
        gates = self.recurrent_activation(z[:, : 2 * n])
        c = gates[:, n:] * c + gates[:, :n] * self.activation(z[:, 2 * n : 3 * n])
        return [self.recurrent_activation(z[:, 3 * n :]) * self.activation(c), c]


class GRU(_Recurrent):
    """Gated recurrent unit: h = z h + (1 - z) activation(…), with gates z and r between 0 and 1.

    With `reset_after` the gate r is applied behind the recurrent product, which has a bias of its own: bias is [2, 3
    units] then, and [3 units] without.

    >>> GRU(2, kernel_initializer="zeros", recurrent_initializer="zeros")([[[1.0]]])
    [[0.0, 0.0]]
    """

    _gates = 3

    def __init__(
        self, units: Any, activation: Any = "tanh", recurrent_activation: Any = "sigmoid", use_bias: Any = True,
        kernel_initializer: Any = "glorot_uniform", recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros", return_sequences: Any = False, return_state: Any = False,
        go_backwards: Any = False, reset_after: Any = True, kernel: Any = None, recurrent_kernel: Any = None,
        bias: Any = None, name: Any = None, trainable: Any = True, dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            units, activation, use_bias, kernel_initializer, recurrent_initializer, bias_initializer,
            return_sequences, return_state, go_backwards, kernel, recurrent_kernel, bias, name, trainable, dtype, seed,
        )  # fmt: skip
        self.recurrent_activation = activation_of(recurrent_activation, self.label) or (lambda x: x)
        self.reset_after = bool(reset_after)

    def bias_shape(self) -> tuple[int, ...]:
        """[2, 3 units], or [3 units] without `reset_after`."""
        return (2, 3 * self.units) if self.reset_after else (3 * self.units,)

    def inputs(self, x: Any) -> Any:
        """What the kernel makes of the whole sequence, in one product."""
        y = tensordot(x, self.kernel, axes=1)
        if not self.use_bias:
            return y
        return y + (self.bias[0] if self.reset_after else self.bias)

    def step(self, x: Any, state: list[Any]) -> list[Any]:
        """h of one step."""
        n, h = self.units, state[0]
        if self.reset_after:
            inner = matmul(h, self.recurrent_kernel)
            if self.use_bias:
                inner = inner + self.bias[1]
            gates = self.recurrent_activation(x[:, : 2 * n] + inner[:, : 2 * n])
            found = self.activation(x[:, 2 * n :] + gates[:, n:] * inner[:, 2 * n :])
        else:
            kernel = self.recurrent_kernel
            gates = self.recurrent_activation(x[:, : 2 * n] + matmul(h, kernel[:, : 2 * n]))
            found = self.activation(x[:, 2 * n :] + matmul(gates[:, n:] * h, kernel[:, 2 * n :]))
        z = gates[:, :n]
        return [z * h + (1.0 - z) * found]
