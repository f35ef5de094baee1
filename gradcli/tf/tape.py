"""TensorFlow's tape: the engine's, with Jacobians as methods."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import GradientTape as EngineTape
from gradcli.engine import Tensor, Variable, constant
from gradcli.engine.jacobian import batch_jacobian, jacobian
from gradcli.engine.tape import unconnected


class UnconnectedGradients:
    """What stands for a gradient that is not connected: None, or zeros."""

    NONE = "none"
    ZERO = "zero"


class IndexedSlices:
    """A gradient of a gather in parts. Gradients here are dense: nothing makes one."""

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None) -> None:
        self.values = values
        self.indices = indices
        self.dense_shape = dense_shape


class GradientTape(EngineTape):
    """Record operations for automatic differentiation."""

    def watch(self, sources: Any) -> None:
        """Track tensors or variables from here on; behind the block it has no effect, as in TensorFlow."""
        if self.open or self.used or not self.mark.opened_at:
            super().watch(sources)

    def _warn(self, code: str, source: Any) -> None:
        # TensorFlow looks at the handle of a variable as a source, which has no dtype to warn of
        if code != "source-dtype" or not isinstance(source, Variable):
            super()._warn(code, source)

    def gradient(
        self, target: Any, sources: Any, output_gradients: Any = None, unconnected_gradients: str = "none"
    ) -> Any:
        """The gradient of `target` with respect to `sources`, in the structure of `sources`."""
        unconnected(unconnected_gradients)
        if target is None:
            raise TypeError(
                "Argument `target` should be a list or nested structure of Tensors, Variables or CompositeTensors "
                "to be differentiated, but received None."
            )
        if isinstance(output_gradients, list) and not isinstance(target, (list, tuple, dict)):
            # TensorFlow flattens a Python list, and a single target takes the first entry
            output_gradients = output_gradients[0] if output_gradients else None
            if isinstance(output_gradients, float):  # on its own a Python float is float32
                output_gradients = Tensor(np.full(target.value.shape, output_gradients, np.float32))
            elif isinstance(output_gradients, list):
                output_gradients = constant(output_gradients)
        return super().gradient(target, sources, output_gradients, unconnected_gradients)

    def jacobian(
        self, target: Any, sources: Any, unconnected_gradients: str = "none", parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:  # fmt: skip
        """The Jacobian of one tensor: shape `target.shape + source.shape`, in the structure of `sources`."""
        self._refuse_without_pfor(experimental_use_pfor)
        return jacobian(self, target, sources, unconnected_gradients)

    def _refuse_without_pfor(self, pfor: bool) -> None:
        if not pfor and not self.persistent:
            raise RuntimeError(
                "GradientTape must be created with persistent=True to compute the jacobian with eager execution "
                "enabled and with experimental_use_pfor set to False."
            )

    def batch_jacobian(
        self, target: Any, source: Any, unconnected_gradients: str = "none", parallel_iterations: Any = None,
        experimental_use_pfor: bool = True,
    ) -> Any:  # fmt: skip
        """The Jacobian of each row; zeros where not connected, whatever the mode, as in TensorFlow."""
        unconnected(unconnected_gradients)
        self._refuse_without_pfor(experimental_use_pfor)
        return batch_jacobian(self, target, source, "zero")
