"""Layers that slide filters over sequences and images: Conv1D, Conv2D. The channels are the last axis."""

from __future__ import annotations

from typing import Any

from gradcli.engine import EngineError
from gradcli.engine.ops.axes import shape_of
from gradcli.engine.ops.convolution import conv2d
from gradcli.engine.ops.joining import concat
from gradcli.engine.ops.shape import expand_dims, squeeze

from .layer import Layer, activation_of, count


def lengths(value: Any, rank: int, op: str, argument: str) -> tuple[int, ...]:
    """A whole number for each direction: one number for all of them, or a list. Raises `bad-value`."""
    found = shape_of(value, op)
    found = found * rank if len(found) == 1 else found
    if len(found) != rank or min(found) < 1:
        raise EngineError("bad-value", "layer-lengths", op=op, argument=argument, given=str(value), rank=rank)
    return found


def margin(padding: Any, op: str, known: tuple[str, ...]) -> str:
    """The padding's name in lower case. Raises `bad-value`."""
    if str(padding).lower() not in known:
        raise EngineError("bad-value", "choice", op=op, given=repr(padding), known=known)
    return str(padding).lower()


class _Convolution(Layer):
    kernel: Any
    bias: Any
    _rank = 2
    _paddings: tuple[str, ...] = ("valid", "same")

    def __init__(
        self, filters: Any, kernel_size: Any, strides: Any = 1, padding: Any = "valid", dilation_rate: Any = 1,
        groups: Any = 1, activation: Any = None, use_bias: Any = True, kernel_initializer: Any = "glorot_uniform",
        bias_initializer: Any = "zeros", kernel: Any = None, bias: Any = None, name: Any = None, trainable: Any = True,
        dtype: Any = None, seed: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, seed, kernel=kernel, bias=bias)
        op = self.label
        self.filters, self.groups = count(filters, op, "filters"), count(groups, op, "groups")
        self.kernel_size = lengths(kernel_size, self._rank, op, "kernel_size")
        self.strides = lengths(strides, self._rank, op, "strides")
        self.dilation_rate = lengths(dilation_rate, self._rank, op, "dilation_rate")
        self.padding = margin(padding, op, self._paddings)
        self.activation = activation_of(activation, op)
        self.use_bias = bool(use_bias)
        self._initializers = kernel_initializer, bias_initializer
        if self.filters % self.groups:
            raise EngineError("bad-value", "layer-groups", op=op, given=self.filters, groups=self.groups)

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """kernel [lengths of the window, channels / groups, filters] and bias [filters]."""
        self.ranked(shape, self._rank + 2)
        if shape[-1] % self.groups:
            raise EngineError("bad-value", "layer-groups", op=self.label, given=shape[-1], groups=self.groups)
        self.weight(
            "kernel", (*self.kernel_size, shape[-1] // self.groups, self.filters), self._initializers[0]
        )  # fmt: skip
        if self.use_bias:
            self.weight("bias", (self.filters,), self._initializers[1])
        self._channels = int(shape[-1])

    def call(self, x: Any, training: Any) -> Any:
        """activation(convolution + bias)."""
        self.ranked(x.value.shape, self._rank + 2)
        self.fits(x.value.shape, self._channels)
        if self.groups == 1:
            y = self.slide(x, self.kernel)
        else:
            n, m = self._channels // self.groups, self.filters // self.groups
            y = concat(
                [
                    self.slide(x[..., i * n : (i + 1) * n], self.kernel[..., i * m : (i + 1) * m])
                    for i in range(self.groups)
                ],
                axis=-1,
            )
        if self.use_bias:
            y = y + self.bias
        return y if self.activation is None else self.activation(y)

    def slide(self, x: Any, kernel: Any) -> Any:
        """The convolution itself."""
        return conv2d(x, kernel, strides=list(self.strides), padding=self.padding, dilations=list(self.dilation_rate))


class Conv2D(_Convolution):
    """Filters slid over images [batch, height, width, channels]: activation(convolution + bias).

    The kernel is [height, width, channels / groups, filters]; `padding` is "valid" or "same".

    >>> Conv2D(1, [1, 2], kernel=[[[[1.0]], [[-1.0]]]], bias=[0.5])([[[[1.0], [2.0], [4.0]]]])
    [[[[-0.5], [-1.5]]]]
    """


class Conv1D(_Convolution):
    """Filters slid over sequences [batch, length, channels]: activation(convolution + bias).

    The kernel is [length, channels / groups, filters]; `padding` is "valid", "same" or "causal", which puts all of the
    margin in front.

    >>> Conv1D(1, 2, kernel=[[[1.0]], [[-1.0]]], bias=[0.5])([[[1.0], [2.0], [4.0]]])
    [[[-0.5], [-1.5]]]
    """

    _rank = 1
    _paddings = ("valid", "same", "causal")

    def slide(self, x: Any, kernel: Any) -> Any:
        """The convolution itself, of images of height 1."""
        padding: Any = self.padding
        if padding == "causal":
            padding = [[0, 0], [(self.kernel_size[0] - 1) * self.dilation_rate[0], 0]]
        y = conv2d(
            expand_dims(x, 1), expand_dims(kernel, 0), strides=[1, self.strides[0]], padding=padding,
            dilations=[1, self.dilation_rate[0]],
        )  # fmt: skip
        return squeeze(y, axis=1)
