"""Forward mode with TensorFlow's class: tangents are fixed when it is made, `jvp` looks them up."""

from __future__ import annotations

from typing import Any

from gradcli.engine import GradientTape, Tensor, Variable, current_state, structure
from gradcli.engine.jacobian import direction
from gradcli.engine.pushforward import push_forward
from gradcli.engine.tape import node_of, result, unconnected


class ForwardAccumulator:
    """Computes Jacobian-vector products of what runs inside its block: `jvp(target)`.

    `primals` and `tangents` have one structure. Raises ValueError for a primal that comes twice.
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._primals = structure.flatten(primals)
        given = structure.flatten(tangents)
        if len(given) != len(self._primals):
            raise ValueError(f"{len(self._primals)} primals, {len(given)} tangents")
        ids = [id(node_of(p)) for p in self._primals]
        if len(set(ids)) != len(ids):
            raise ValueError("Tensor {} was specified as a primal multiple times. This may indicate an error.")
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)
        self._around: Any = None
        self._tangents = {node_of(p): _tangent(t, p) for p, t in zip(self._primals, given)}

    def __enter__(self) -> ForwardAccumulator:
        if self._tape.open:
            raise ValueError("Accumulator is already recording.")
        # the products are recorded by what is open around the block, never by what opens inside it
        self._around = current_state().recording
        self._tape.__enter__()
        self._tape.watch([p for p in self._primals if p.dtype.kind in "fc"])
        return self

    def __exit__(self, *error: Any) -> None:
        self._tape.__exit__(None, None, None)

    def jvp(self, primals: Any, unconnected_gradients: str = "none") -> Any:
        """The tangents of `primals`, in their structure; None where none arrived."""
        zero = unconnected(unconnected_gradients)
        state = current_state()
        found = []
        for item in structure.flatten(primals):
            tangent = None
            if isinstance(item, (Tensor, Variable)):
                before = state.recording
                state.recording = self._around
                try:
                    tangent = push_forward(state, self._tape.mark, node_of(item), self._tangents)
                finally:
                    state.recording = before
            found.append(tangent if tangent is not None and tangent.node is not None else result(
                state, None if tangent is None else tangent.value, item, zero, conjugate=False
            ))  # fmt: skip
        return structure.pack(primals, iter(found))


def _tangent(value: Any, primal: Any) -> Tensor:
    if isinstance(value, (Tensor, Variable)) and value.dtype != primal.dtype:
        raise ValueError(f"the tangent is {value.dtype}, its primal {primal.dtype}")
    if getattr(value, "shape", None) == () and primal.shape:
        from gradcli.engine.ops.shape import broadcast_to

        value = broadcast_to(value, list(primal.shape))
    return direction(value, primal, "jvp")
