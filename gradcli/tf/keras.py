"""`tf.keras`: the layers, losses, optimizers, initializers and activations of `gradcli.nn`, with Keras's manners.

What Keras does otherwise is here and nowhere else: inputs are cast to a layer's dtype, losses as functions are not
reduced, a gradient of None warns as Python warns.
"""

from __future__ import annotations

import warnings
from functools import cache
from types import SimpleNamespace
from typing import Any

from gradcli.engine import EngineError, current_state
from gradcli.engine import Variable as EngineVariable
from gradcli.nn.initializers import BY_NAME
from gradcli.nn.layer import Layer, activation_of
from gradcli.nn.names import ALIASES, PLACES, find
from gradcli.nn.optimizer import Optimizer
from gradcli.nn.sequential import Input


class _Weight(EngineVariable):
    """A layer's variable; `path` ends in its name."""

    __slots__ = ()

    @property
    def path(self) -> str:
        """The name; the layers above it have no say in it here."""
        return self.name


@cache
def _layer(name: str) -> Any:
    made = find(name)
    return type(made.__name__, (made,), {"weight_type": _Weight, "autocast": True, "__doc__": made.__doc__})


@cache
def _optimizer(name: str) -> Any:
    made = find(name)

    def apply(self: Optimizer, grads: Any, variables: Any) -> None:
        pairs = list(zip(grads, variables)) if isinstance(grads, (list, tuple)) else [(grads, variables)]
        missing = [variable.name for grad, variable in pairs if grad is None]
        if pairs and len(missing) == len(pairs):
            raise ValueError("No gradients provided for any variable.")
        if missing:
            warnings.warn(
                f"Gradients do not exist for variables {[_named(name) for name in missing]} when minimizing the loss. "
                "If using `model.compile()`, did you forget to provide a `loss` argument?",
                stacklevel=3,
            )
        state = current_state()
        before, state.warn = state.warn, None  # it is told already, in Keras's words
        try:
            made.apply(self, [grad for grad, _ in pairs], [variable for _, variable in pairs])
        finally:
            state.warn = before

    return type(made.__name__, (made,), {"apply": apply, "__doc__": made.__doc__})


def _named(name: str) -> str:
    return name if ":" in name else f"{name}:0"


@cache
def _loss(name: str) -> Any:
    made = find(name)

    def loss(y_true: Any, y_pred: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("reduction", "none")
        return made(y_true, y_pred, *args, **kwargs)

    loss.__name__, loss.__doc__ = made.__name__, made.__doc__
    return loss


#: classes of losses that Keras has, and the function of each
_CLASSES = {
    "MeanSquaredError": "mean_squared_error", "MeanAbsoluteError": "mean_absolute_error", "Huber": "huber",
    "LogCosh": "log_cosh", "Hinge": "hinge", "SquaredHinge": "squared_hinge", "CategoricalHinge": "categorical_hinge",
    "BinaryCrossentropy": "binary_crossentropy", "CategoricalCrossentropy": "categorical_crossentropy",
    "SparseCategoricalCrossentropy": "sparse_categorical_crossentropy", "KLDivergence": "kl_divergence",
    "Poisson": "poisson", "CosineSimilarity": "cosine_similarity",
    "BinaryFocalCrossentropy": "binary_focal_crossentropy",
    "CategoricalFocalCrossentropy": "categorical_focal_crossentropy",
}  # fmt: skip
_REDUCTIONS = {"sum_over_batch_size": "mean", None: "none"}


@cache
def _loss_class(name: str) -> Any:
    function = find(_CLASSES[name])

    def init(self: Any, reduction: Any = "sum_over_batch_size", name: Any = None, **arguments: Any) -> None:
        self._arguments = {**arguments, "reduction": _REDUCTIONS.get(reduction, reduction)}

    def call(self: Any, y_true: Any, y_pred: Any) -> Any:
        return function(y_true, y_pred, **self._arguments)

    return type(name, (), {"__init__": init, "__call__": call, "__doc__": function.__doc__})


class _Names:
    """A module of Keras: an attribute is made when it is first asked for."""

    def __init__(self, path: str, family: str, make: Any, **more: Any) -> None:
        self._path, self._family, self._make = path, family, make
        vars(self).update(more)

    def __getattr__(self, name: str) -> Any:
        place = PLACES.get(ALIASES.get(name, name))
        if place is not None and place[0] == self._family:
            return self._make(name)
        if self._family == "losses" and name in _CLASSES:
            return _loss_class(name)
        raise AttributeError(f"gradcli.tf.keras.{self._path} has no {name}")


class _Activations:
    """`tf.keras.activations.relu`: the functions that layers know by name."""

    def __getattr__(self, name: str) -> Any:
        try:
            found = activation_of(name, "activations")
        except EngineError:
            raise AttributeError(f"gradcli.tf.keras.activations has no {name}") from None
        return found or (lambda x: x)


layers = _Names("layers", "layers", _layer, Layer=Layer, Input=Input, InputLayer=Input)
losses = _Names("losses", "losses", _loss)
optimizers = _Names("optimizers", "optimizers", _optimizer, Optimizer=Optimizer)
initializers = SimpleNamespace(**BY_NAME)
activations = _Activations()


def __getattr__(name: str) -> Any:
    if name == "Sequential":
        return _layer(name)
    if name == "Input":
        return Input
    raise AttributeError(f"gradcli.tf.keras has no {name}")
