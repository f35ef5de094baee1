"""TensorFlow's modules as namespaces over the registry: `tf.nn.relu`, `tf.math.exp`."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gradcli.engine import Tensor, lookup
from gradcli.engine.calling import by_name


@functools.cache
def operation(path: str) -> Any:
    """The operation of a TensorFlow name, as a function that also takes (and drops) `name=`; None if there is none."""
    op = lookup(path)
    if op is None:
        return None
    call, takes_name = by_name(op) if op.elementwise else op.call, "name" in op.names

    @functools.wraps(call)
    def run(*args: Any, **kwargs: Any) -> Any:
        if not takes_name:
            kwargs.pop("name", None)
        return _tensors(call(*args, **kwargs))

    return run


def _tensors(value: Any) -> Any:
    """Results as tensors, also where every operand was a NumPy array."""
    if isinstance(value, (np.ndarray, np.generic)):
        return Tensor(value)
    if type(value) in (list, tuple):
        return type(value)(_tensors(item) for item in value)
    return value


class Namespace:
    """`tf.math` and the like: an attribute is the operation of that name, with or without the module's name."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = operation(f"{self._module}.{name}") or operation(name)
        if found is None:
            raise AttributeError(f"gradcli.tf.{self._module} has no {name}")
        return found
