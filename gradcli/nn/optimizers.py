"""SGD, Adam, AdamW, RMSprop and Adagrad, with the update formulas and defaults of Keras 3."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import EngineError
from gradcli.engine.ops.axes import number

from .optimizer import Optimizer


def _share(value: Any, op: str, argument: str) -> float:
    found = number(value, op, argument)
    if not 0 <= found <= 1:
        raise EngineError("bad-value", "fraction", op=op, given=found)
    return found


class SGD(Optimizer):
    """w - rate g. With `momentum`: m = momentum m - rate g, w + m; with `nesterov`: w + momentum m - rate g.

    >>> variable w = 1.0; SGD(0.5).apply(2.0, w); w
    0.0
    """

    def __init__(
        self, learning_rate: Any = 0.01, momentum: Any = 0.0, nesterov: Any = False, weight_decay: Any = None,
        clipnorm: Any = None, clipvalue: Any = None, global_clipnorm: Any = None, name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, name)
        self.momentum = _share(momentum, self.label, "momentum")
        self.nesterov = bool(nesterov)
        self.slots = ("momentum",) if self.momentum else ()

    def update(self, value: Any, grad: Any, buffers: tuple[Any, ...], scratch: Any, rate: Any, like: Any) -> None:
        """One step of one variable."""
        np.multiply(grad, rate, out=scratch)
        if not buffers:
            np.subtract(value, scratch, out=value)
            return
        (m,) = buffers
        np.multiply(m, like(self.momentum), out=m)
        np.subtract(m, scratch, out=m)
        if self.nesterov:
            np.subtract(m * like(self.momentum), scratch, out=scratch)
            np.add(value, scratch, out=value)
        else:
            np.add(value, m, out=value)


class Adam(Optimizer):
    """w - rate' m / (sqrt(v) + epsilon), with running means m of g and v of g**2.

    rate' = rate sqrt(1 - beta_2**t) / (1 - beta_1**t) at step t.

    `amsgrad` takes the largest v so far. (Kingma and Ba, 2014.)

    >>> variable w = 1.0; Adam(0.5).apply(2.0, w); w ~= 0.5
    true
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta_1: Any = 0.9, beta_2: Any = 0.999, epsilon: Any = 1e-7,
        amsgrad: Any = False, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, name)
        self.beta_1, self.beta_2 = _share(beta_1, self.label, "beta_1"), _share(beta_2, self.label, "beta_2")
        self.epsilon = number(epsilon, self.label, "epsilon")
        self.amsgrad = bool(amsgrad)
        self.slots = ("momentum", "velocity", "velocity_hat") if self.amsgrad else ("momentum", "velocity")

    def update(self, value: Any, grad: Any, buffers: tuple[Any, ...], scratch: Any, rate: Any, like: Any) -> None:
        """One step of one variable."""
        m, v = buffers[:2]
        step = like(self.iterations + 1)
        alpha = rate * np.sqrt(1 - like(self.beta_2) ** step) / (1 - like(self.beta_1) ** step)
        np.subtract(grad, m, out=scratch)
        np.multiply(scratch, like(1 - self.beta_1), out=scratch)
        np.add(m, scratch, out=m)
        np.multiply(grad, grad, out=scratch)
        np.subtract(scratch, v, out=scratch)
        np.multiply(scratch, like(1 - self.beta_2), out=scratch)
        np.add(v, scratch, out=v)
        if self.amsgrad:
            v = np.maximum(buffers[2], v, out=buffers[2])
        np.sqrt(v, out=scratch)
        np.add(scratch, like(self.epsilon), out=scratch)
        np.divide(m * alpha, scratch, out=scratch)
        np.subtract(value, scratch, out=value)


class AdamW(Adam):
    """Adam that first takes `weight_decay` times the learning rate off each variable (Loshchilov and Hutter, 2017).

    >>> variable w = 1.0; AdamW(0.5).apply(2.0, w); w ~= 0.498
    true
    """

    def __init__(
        self, learning_rate: Any = 0.001, weight_decay: Any = 0.004, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = 1e-7, amsgrad: Any = False, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay, clipnorm, clipvalue, global_clipnorm, name
        )


class RMSprop(Optimizer):
    """w - rate g / sqrt(v + epsilon), v a running mean of g**2 (less the square of that of g, if `centered`).

    With `momentum`: m = momentum m + that step, w - m.

    >>> variable w = 1.0; RMSprop(0.1, rho=0.0).apply(2.0, w); w ~= 0.9
    true
    """

    def __init__(
        self, learning_rate: Any = 0.001, rho: Any = 0.9, momentum: Any = 0.0, epsilon: Any = 1e-7,
        centered: Any = False, weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None,
        global_clipnorm: Any = None, name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, name)
        self.rho, self.momentum = _share(rho, self.label, "rho"), _share(momentum, self.label, "momentum")
        self.epsilon = number(epsilon, self.label, "epsilon")
        self.centered = bool(centered)
        self.slots = ("velocity", *["momentum"] * bool(self.momentum), *["average"] * self.centered)

    def update(self, value: Any, grad: Any, buffers: tuple[Any, ...], scratch: Any, rate: Any, like: Any) -> None:
        """One step of one variable."""
        v, rest = buffers[0], like(1 - self.rho)
        np.multiply(grad, grad, out=scratch)
        np.multiply(scratch, rest, out=scratch)
        np.multiply(v, like(self.rho), out=v)
        np.add(v, scratch, out=v)
        spread = v
        if self.centered:
            mean = buffers[-1]
            np.multiply(mean, like(self.rho), out=mean)
            np.add(mean, rest * grad, out=mean)
            spread = v - mean * mean
        np.add(spread, like(self.epsilon), out=scratch)
        np.sqrt(scratch, out=scratch)
        np.divide(rate * grad, scratch, out=scratch)
        if self.momentum:
            m = buffers[1]
            np.multiply(m, like(self.momentum), out=m)
            np.add(m, scratch, out=m)
            np.subtract(value, m, out=value)
        else:
            np.subtract(value, scratch, out=value)


class Adagrad(Optimizer):
    """w - rate g / sqrt(a + epsilon), a the sum of g**2 so far, from `initial_accumulator_value` (Duchi et al., 2011).

    >>> variable w = 1.0; Adagrad(0.5, initial_accumulator_value=0.0).apply(2.0, w); w ~= 0.5
    true
    """

    slots = ("accumulator",)

    def __init__(
        self, learning_rate: Any = 0.001, initial_accumulator_value: Any = 0.1, epsilon: Any = 1e-7,
        weight_decay: Any = None, clipnorm: Any = None, clipvalue: Any = None, global_clipnorm: Any = None,
        name: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, weight_decay, clipnorm, clipvalue, global_clipnorm, name)
        self.initial_accumulator_value = number(initial_accumulator_value, self.label, "initial_accumulator_value")
        self.epsilon = number(epsilon, self.label, "epsilon")

    def first(self, slot: str) -> float:
        """The accumulator's first value."""
        return self.initial_accumulator_value

    def update(self, value: Any, grad: Any, buffers: tuple[Any, ...], scratch: Any, rate: Any, like: Any) -> None:
        """One step of one variable."""
        (total,) = buffers
        np.multiply(grad, grad, out=scratch)
        np.add(total, scratch, out=total)
        np.add(total, like(self.epsilon), out=scratch)
        np.sqrt(scratch, out=scratch)
        np.divide(rate * grad, scratch, out=scratch)
        np.subtract(value, scratch, out=value)
