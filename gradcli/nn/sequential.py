"""Layers one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import EngineError, Tensor
from gradcli.engine.dtypes import find_dtype
from gradcli.engine.journal import entering

from .layer import Layer
from .module import Module


class Input:
    """The shape of one example, with which a model is built before its first call; `shape` leaves the batch out."""

    def __init__(self, shape: Any, dtype: Any = None) -> None:
        self.shape = tuple(shape)
        self.dtype = dtype


class Sequential(Layer):
    """Layers one after the other: each is given what the one before it gives. Functions of a tensor are layers too.

    >>> Sequential([Dense(1, kernel=[[2.0]], bias=[0.0]), Activation("relu")])([[-1.0], [3.0]])
    [[0.0], [6.0]]
    """

    takes_integers = True

    def __init__(self, layers: Any = (), name: Any = None, trainable: Any = True) -> None:
        super().__init__(name, trainable)
        self.layers: list[Any] = []
        first: Input | None = None
        for layer in layers:
            if isinstance(layer, Input) and not self.layers:
                first = layer
            else:
                self.add(layer)
        if first is not None:
            self._build_from(first)

    def add(self, layer: Any) -> None:
        """Put a layer, a module or a function of a tensor behind the others. Raises `not-a-tensor` for what is none."""
        if not callable(layer) or isinstance(layer, type):
            raise EngineError("not-a-tensor", "layer", op=self.label, type=type(layer).__name__)
        entering(self)
        self.layers.append(layer)

    def build(self, input_shape: Any) -> None:
        """Make the weights of all layers, for inputs of a shape whose first axis is the batch."""
        self._build_from(Input(tuple(input_shape)[1:]))

    def _build_from(self, first: Input) -> None:
        like = self.dtype if first.dtype is None else find_dtype(first.dtype)
        self(Tensor(np.zeros((1, *first.shape), like)))

    def __call__(self, x: Any, training: Any = None) -> Any:
        x = self.input(x)
        for layer in self.layers:
            # a function, or a module whose `call` says so, takes no `training`
            x = layer(x, training=training) if training is not None and _takes_training(layer) else layer(x)
        if not self.built:
            self.built = True
        return x

    def attributes(self) -> Any:
        """The layers that are modules, by their place."""
        return [("layers", [layer for layer in self.layers if isinstance(layer, Module)])]


def _takes_training(layer: Any) -> bool:
    return bool(getattr(layer, "takes_training", isinstance(layer, Layer)))
