"""Leaving the tape: `np.` functions and `.numpy()` give plain constants, whose history remembers that they left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable
from gradcli.engine.history import shadow
from gradcli.engine.passages import OUTSIDE

if TYPE_CHECKING:
    from .session import Session
    from .values import Outside


def leave(session: Session, value: Any) -> Tensor:
    """The value as a constant outside every tape."""
    tensor = session.tensor(value)
    return _left(session, tensor.value, (tensor.node,), True)


def _left(session: Session, value: Any, nodes: tuple[Any, ...], same: bool) -> Tensor:
    """A value outside every tape; `same` if it is the very value of the one node that it came from."""
    made = shadow(session.state, OUTSIDE, nodes)
    if same and session.state.thorough:
        made.params = {"same": True}
    return Tensor(value, made)


def call_outside(session: Session, function: Outside, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Compute an operation on raw arrays. The result is a constant (or a list of them)."""
    nodes: list[Any] = []
    raw_args = [_raw(value, nodes) for value in args]
    raw_kwargs = {key: _raw(value, nodes) for key, value in kwargs.items()}
    result = function.call(*raw_args, **raw_kwargs)
    if session.state.thorough:
        # the same again on tensors: what `explain` would see if the path had stayed on the tape
        try:
            inside = function.call(*args, **kwargs)
        except (EngineError, TypeError, ValueError):
            inside = result
        if type(inside) is Tensor and inside.node is not None:
            return _left(session, np.asarray(getattr(result, "value", result))[()], (inside.node,), True)
    return _wrapped(session, result, tuple(nodes))


def _wrapped(session: Session, result: Any, nodes: tuple[Any, ...]) -> Any:
    if isinstance(result, (list, tuple)):
        return [_wrapped(session, item, nodes) for item in result]
    value = result.value if isinstance(result, Tensor) else np.asarray(result)[()]
    return _left(session, value, nodes, False)


def _raw(value: Any, nodes: list[Any]) -> Any:
    if isinstance(value, (Tensor, Variable)):
        data = value.numpy()
        if value.node is not None:
            nodes.append(value.node)
        return data
    if isinstance(value, (list, tuple)) and any(isinstance(item, (Tensor, Variable, list, tuple)) for item in value):
        return [_raw(item, nodes) for item in value]
    return value
