"""The door shaped like TensorFlow: `import gradcli.tf as tf`, and eager snippets run on the gradcli engine.

Operations come from the registry by their TensorFlow names; what is particular to TensorFlow's Python (nested
structures, decorators, exception and warning texts) are the small adapters of this package, and nowhere else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradcli.engine import Tensor
from gradcli.engine.dtypes import NAMES, STRING, find_dtype

from . import autodiff, errors, nest, warnings
from .control import cond, function, map_fn, numpy_function, py_function, scan, vectorized_map, while_loop
from .gradients import custom_gradient, grad_pass_through, recompute_grad
from .modules import Module
from .names import Namespace, operation
from .shapes import TensorShape, rank, shape, size
from .tape import GradientTape, IndexedSlices, UnconnectedGradients
from .values import Variable, constant, convert_to_tensor

__all__ = [
    "DType", "GradientTape", "IndexedSlices", "Module", "Tensor", "TensorShape", "UnconnectedGradients", "Variable",
    "as_dtype", "autodiff", "bool", "cond", "constant", "convert_to_tensor", "custom_gradient", "errors", "function",
    "grad_pass_through", "linalg", "map_fn", "math", "nest", "nn", "numpy_function", "py_function", "random", "rank",
    "recompute_grad", "scan", "shape", "size", "string", "vectorized_map", "while_loop",
]  # fmt: skip

DType = np.dtype
as_dtype = find_dtype
string = STRING
globals().update(NAMES)
math, nn, linalg, random, signal, image = (
    Namespace(name) for name in ("math", "nn", "linalg", "random", "signal", "image")
)
raw_ops = Namespace("raw_ops")

# TensorFlow computes inf and nan silently, and so does this door
np.seterr(divide="ignore", over="ignore", under="ignore", invalid="ignore")
warnings.install()


def executing_eagerly() -> Any:
    """Always: there are no graphs here."""
    return True


def __getattr__(name: str) -> Any:
    if name == "keras":  # only who asks for it waits for it
        from importlib import import_module

        return import_module(".keras", __package__)
    found = operation(name)
    if found is None:
        raise AttributeError(f"gradcli.tf has no {name}")
    return found
