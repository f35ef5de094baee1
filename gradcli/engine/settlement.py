"""A gradient with its mathematical value beside the one that IEEE arithmetic gave."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .history import record, shadow
from .passages import GRADIENT, SETTLED
from .tensor import Tensor

if TYPE_CHECKING:
    from .recording import State


def with_math(state: State, gradient: Tensor, value: Any) -> Tensor:
    """The same gradient, which also knows its mathematical value; still on the tapes it was on."""
    params = {"math": np.asarray(value, gradient.dtype)[()]}
    node = gradient.node
    if node is not None and node.rec is not None:
        made: Any = record(state, SETTLED, node.rec, [gradient.value], [node], gradient.value, params)
    else:
        made = shadow(state, GRADIENT, (node,))
        made.params = params
    return Tensor(gradient.value, made)


def give_math(gradient: Tensor, value: Any) -> bool:
    """Let a gradient know its mathematical value after the fact; False if a tape has recorded it as it was."""
    node = gradient.node
    if node is None or node.op not in (SETTLED, GRADIENT):
        return False
    node.params = {"math": np.asarray(value, gradient.dtype)[()]}
    return True


def math_of(value: Any) -> Tensor | None:
    """The mathematical value of a gradient, if it is another one."""
    node = value.node if type(value) is Tensor else None
    if node is None or node.op not in (SETTLED, GRADIENT) or not node.params:
        return None
    return Tensor(node.params["math"])
