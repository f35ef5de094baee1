"""Leaving the tape: `np.` functions and `.numpy()` give plain constants, whose history remembers that they left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import Tensor, Variable
from gradcli.engine.history import shadow
from gradcli.engine.passages import OUTSIDE

if TYPE_CHECKING:
    from .session import Session
    from .values import Outside


def leave(session: Session, value: Any) -> Tensor:
    """The value as a constant outside every tape."""
    tensor = session.tensor(value)
    return Tensor(tensor.value, shadow(session.state, OUTSIDE, (tensor.node,)))


def call_outside(session: Session, function: Outside, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Compute an operation on raw arrays. The result is a constant (or a list of them)."""
    nodes: list[Any] = []
    raw_args = [_raw(value, nodes) for value in args]
    raw_kwargs = {key: _raw(value, nodes) for key, value in kwargs.items()}
    result = function.call(*raw_args, **raw_kwargs)
    return _wrapped(session, result, tuple(nodes))


def _wrapped(session: Session, result: Any, nodes: tuple[Any, ...]) -> Any:
    if isinstance(result, (list, tuple)):
        return [_wrapped(session, item, nodes) for item in result]
    value = result.value if isinstance(result, Tensor) else np.asarray(result)[()]
    return Tensor(value, shadow(session.state, OUTSIDE, nodes))


def _raw(value: Any, nodes: list[Any]) -> Any:
    if isinstance(value, (Tensor, Variable)):
        data = value.numpy()
        if value.node is not None:
            nodes.append(value.node)
        return data
    if isinstance(value, (list, tuple)) and any(isinstance(item, (Tensor, Variable, list, tuple)) for item in value):
        return [_raw(item, nodes) for item in value]
    return value
