"""Layers that scale to mean 0 and variance 1: over the batch, or over each example's own axes."""

from __future__ import annotations

from typing import Any

from gradcli.engine import EngineError
from gradcli.engine.ops.axes import axis_set, number
from gradcli.engine.ops.normalization import batch_norm
from gradcli.engine.ops.reduction import reduce_mean
from gradcli.engine.ops.shape import reshape
from gradcli.engine.ops.statistics import reduce_variance

from .layer import Layer


class BatchNormalization(Layer):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, each entry along `axis` for itself.

    While training, mean and variance are those of the batch, and the moving ones follow them:
    moving = momentum moving + (1 - momentum) batch. Otherwise the moving ones are used.

    >>> BatchNormalization(epsilon=0.0, moving_mean=[1.0], moving_variance=[4.0])([[5.0]])
    [[2.0]]
    """

    gamma: Any
    beta: Any
    moving_mean: Any
    moving_variance: Any

    def __init__(
        self, axis: Any = -1, momentum: Any = 0.99, epsilon: Any = 0.001, center: Any = True, scale: Any = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", moving_mean_initializer: Any = "zeros",
        moving_variance_initializer: Any = "ones", gamma: Any = None, beta: Any = None, moving_mean: Any = None,
        moving_variance: Any = None, name: Any = None, trainable: Any = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            name, trainable, dtype, gamma=gamma, beta=beta, moving_mean=moving_mean, moving_variance=moving_variance
        )
        self.axis = axis
        self.momentum = number(momentum, self.label, "momentum")
        self.epsilon = number(epsilon, self.label, "epsilon")
        self.center, self.scale = bool(center), bool(scale)
        self._initializers = {
            "gamma": gamma_initializer, "beta": beta_initializer, "moving_mean": moving_mean_initializer,
            "moving_variance": moving_variance_initializer,
        }  # fmt: skip

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """gamma, beta, moving_mean and moving_variance, of the length of the axis."""
        (axis,) = axis_set([self.axis], len(shape), self.label) or (-1,)
        length = (int(shape[axis]),)
        names = ["gamma"] * self.scale + ["beta"] * self.center
        for name in names:
            self.weight(name, length, self._initializers[name])
        for name in ("moving_mean", "moving_variance"):
            self.weight(name, length, self._initializers[name], trainable=False)
        self._rank, self._axis = len(shape), axis

    def call(self, x: Any, training: Any) -> Any:
        """The scaled entries; the moving statistics follow while training."""
        shape = x.value.shape
        self.ranked(shape, self._rank)
        others = [i for i in range(-self._rank, 0) if i != self._axis]
        flat: tuple[int, ...] = tuple(-1 if i == self._axis else 1 for i in range(-self._rank, 0))
        if shape[self._axis] != self.moving_mean.shape[0]:
            raise EngineError(
                "shape-mismatch", "layer-input", op=self.label, shapes=(shape,), length=self.moving_mean.shape[0]
            )
        if training and self.trainable:
            if not x.value.size:
                raise EngineError("bad-value", "empty-batch", op=self.label, shape=shape)
            mean, variance = reduce_mean(x, axis=others), reduce_variance(x, axis=others)
            self._follow(self.moving_mean, mean.value)
            self._follow(self.moving_variance, variance.value)
        else:
            mean, variance = self.moving_mean.read(), self.moving_variance.read()
        parts = [mean, variance, self.beta if self.center else None, self.gamma if self.scale else None]
        if self._axis != -1:
            parts = [part if part is None else reshape(part, flat) for part in parts]
        mean, variance, beta, gamma = parts
        return batch_norm(x, mean, variance, beta, gamma, self.epsilon)

    def _follow(self, moving: Any, now: Any) -> None:
        moving.assign(moving.value * self.momentum + now * (1.0 - self.momentum))


class LayerNormalization(Layer):
    """(x - mean) / sqrt(variance + epsilon) * gamma + beta, with mean and variance over the example's own axes.

    >>> LayerNormalization(epsilon=0.0)([[1.0, 3.0]])
    [[-1.0, 1.0]]
    """

    gamma: Any
    beta: Any

    def __init__(
        self, axis: Any = -1, epsilon: Any = 0.001, center: Any = True, scale: Any = True,
        beta_initializer: Any = "zeros", gamma_initializer: Any = "ones", gamma: Any = None, beta: Any = None,
        name: Any = None, trainable: Any = True, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, trainable, dtype, gamma=gamma, beta=beta)
        self.axis = axis
        self.epsilon = number(epsilon, self.label, "epsilon")
        self.center, self.scale = bool(center), bool(scale)
        self._initializers = gamma_initializer, beta_initializer

    def make_weights(self, shape: tuple[int, ...]) -> None:
        """gamma and beta, of the lengths of the axes."""
        axes = self.axis if isinstance(self.axis, (list, tuple)) else [self.axis]
        self._axes = sorted(axis_set(list(axes), len(shape), self.label) or ())
        lengths = tuple(int(shape[i]) for i in self._axes)
        if self.scale:
            self.weight("gamma", lengths, self._initializers[0])
        if self.center:
            self.weight("beta", lengths, self._initializers[1])
        self._lengths, self._rank = lengths, len(shape)

    def call(self, x: Any, training: Any) -> Any:
        """The scaled entries."""
        shape = x.value.shape
        self.ranked(shape, self._rank)
        if tuple(shape[i] for i in self._axes) != self._lengths:
            self.fits(shape, self._lengths[-1])
            raise EngineError("shape-mismatch", "operands", op=self.label, shapes=(shape, self._lengths))
        beta, gamma = self.beta if self.center else None, self.gamma if self.scale else None
        if self._axes != list(range(-len(self._axes), 0)):
            flat = tuple(shape[i] if i in self._axes else 1 for i in range(-self._rank, 0))
            beta, gamma = (part if part is None else reshape(part, flat) for part in (beta, gamma))
        mean = reduce_mean(x, axis=self._axes, keepdims=True)
        return batch_norm(x, mean, reduce_variance(x, axis=self._axes, keepdims=True), beta, gamma, self.epsilon)
