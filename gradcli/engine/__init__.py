"""Differentiable arrays: tensors, the tape, the operations and their derivatives. It imports NumPy and nothing else.

Use it as a library:

    >>> from gradcli.engine import GradientTape, Variable
    >>> x = Variable(3.0)
    >>> with GradientTape() as tape:
    ...     y = x * x
    >>> float(tape.gradient(y, x))
    6.0
"""

from . import ops
from .errors import EngineError
from .explain import Reason, explain
from .ops import operators as _operators  # noqa: F401  (Tensor gets its operators)
from .primitive import REGISTRY, Primitive, lookup
from .recording import State, activate, current_state
from .tape import GradientTape
from .tensor import Node, Tensor, constant
from .variable import Variable

__all__ = [
    "REGISTRY",
    "EngineError",
    "GradientTape",
    "Node",
    "Primitive",
    "Reason",
    "State",
    "Tensor",
    "Variable",
    "activate",
    "constant",
    "current_state",
    "explain",
    "lookup",
    "ops",
]
