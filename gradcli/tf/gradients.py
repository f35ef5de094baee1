"""Functions with a gradient of their own: custom_gradient, grad_pass_through, recompute_grad."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable, current_state, structure
from gradcli.engine.custom import recomputed, with_pullback
from gradcli.engine.ops.selection import as_tensor

if TYPE_CHECKING:
    from collections.abc import Callable


def _operands(args: Any) -> list[Any]:
    return [item if isinstance(item, (Tensor, Variable)) else as_tensor(item) for item in structure.flatten(args)]


def custom_gradient(f: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function that returns its value and a function from upstream gradients to gradients.

    Variables that it reads must be asked for: the gradient function then takes `variables=` and returns the gradients
    of the arguments and of those. Raises TypeError if it does not.
    """

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        operands = _operands(list(args))
        packed = structure.pack(list(args), iter(operands))
        state = current_state()
        watcher = GradientTape(persistent=True)
        before = state.recording
        with watcher:
            state.recording = watcher.mark  # only to see which variables are read
            try:
                value, grad = f(*packed, **kwargs)
            finally:
                state.recording = before
        given = {id(item) for item in operands}
        variables = [v for v in watcher.watched_variables() if id(v) not in given]
        if variables and not _takes_variables(grad):
            raise TypeError(
                "If using @custom_gradient with a function that uses variables, then grad_fn must accept keyword "
                f"argument 'variables', since function uses variables: {[v.name for v in variables]}"
            )
        flat = structure.flatten(value)
        results = [Tensor(as_tensor(item).value) for item in flat]

        def pullback(cotangents: list[Tensor], xs: tuple[Any, ...]) -> list[Any]:
            if variables:
                grads, of_variables = grad(*cotangents, variables=variables)
                return [*structure.flatten(_as_list(grads)), *structure.flatten(list(of_variables))]
            return structure.flatten(_as_list(grad(*cotangents)))

        made = with_pullback("custom_gradient", [*operands, *variables], lambda: results, pullback)
        return structure.pack(value, iter(made))

    return decorated


def _as_list(grads: Any) -> list[Any]:
    return list(grads) if isinstance(grads, (list, tuple)) else [grads]


def _takes_variables(function: Any) -> bool:
    parameters = inspect.signature(function).parameters
    return "variables" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def grad_pass_through(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the identity as its gradient."""

    @custom_gradient
    def decorated(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: Any = None) -> Any:
            if variables is not None:
                return upstream, [None] * len(variables)
            return upstream

        return f(*args, **kwargs), grad

    return decorated


def recompute_grad(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose intermediate values are computed again when a gradient is asked."""

    @functools.wraps(f)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        return recomputed("recompute_grad", lambda *xs: f(*xs, **kwargs), _operands(list(args)))

    return decorated
