"""Forward mode: tangents pushed from the sources through a tape's recorded operations to the target.

An elementwise rule of reals is its own transpose: applied to a tangent instead of a cotangent it gives the tangent's
image. Any other operation is pushed through by transposing its pullback, which is linear in the cotangent, with one
small sweep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .jacobian import direction
from .pullback import collect, fit_tensor, pull_back
from .recording import Mark, current_state, next_index
from .tape import checked, node_of, result
from .tensor import Node, Tensor, leaf

if TYPE_CHECKING:
    from .recording import State
    from .tape import GradientTape


def jvp(tape: GradientTape, target: Any, source: Any, tangent: Any) -> Tensor | None:
    """The derivative of `target` in the direction `tangent` of `source`: the target's shape; None if not connected.

    Raises `shape-mismatch` or `dtype-mismatch` for a tangent that is not like its source.
    """
    state = current_state()
    checked(target, "target")
    checked(source, "source")
    tape.check_dtypes([target], [source])
    t = direction(tangent, source, "jvp")
    tape.begin_query(state)
    with np.errstate(all="ignore"):
        found = push_forward(state, tape.mark, node_of(target), {node_of(source): t})
    return result(state, found, target, False, conjugate=False)


def push_forward(state: State, mark: Mark, target: Node, tangents: dict[Node, Tensor]) -> Tensor | None:
    """The tangent of a node, given those of the sources; None where none arrives. Recorded by whoever records now."""
    return push_along(state, mark, [target], tangents).get(target)


def push_along(state: State, mark: Mark, targets: list[Node], tangents: dict[Node, Tensor]) -> dict[Node, Any]:
    """The tangents of all that the targets came from, where one arrives."""
    order, _ = collect(mark, targets, list(tangents))
    known: dict[Node, Any] = dict(tangents)
    site = state.site
    try:
        for node in reversed(order):
            if node in tangents:
                continue
            made = _push(state, node, known)
            if made is not None:
                known[node] = made
    finally:
        state.site = site
    return known


def _push(state: State, node: Node, known: dict[Node, Any]) -> Any:
    op = node.op
    assert op is not None
    parents, values = split(node)
    live = [i for i, p in enumerate(parents) if p is not None and p in known]
    if not live:
        return None
    state.site = node.site
    rules = op.rules if op.arity > 0 else op.rules * len(parents)
    live = [i for i in live if rules[i] is not None]
    xs = tuple(_tensor(x, p) for x, p in zip(values, parents))
    y = None if node.y is None else Tensor(node.y, node)
    params = node.params or {}
    total: Any = None
    if op.elementwise and not _is_complex(y, *xs):
        shape = _shape_of(node, values)
        for i in live:
            rule: Any = rules[i]
            part = rule(_broadcast(known[parents[i]], shape), y, *xs, **params)
            total = part if total is None else total + part
        return total
    return _transposed(state, op, y, xs, params, {i: known[parents[i]] for i in live}, node)


def _is_complex(*values: Any) -> bool:
    """Is one complex? An elementwise rule is its own transpose for reals and for holomorphic functions only."""
    return any(dtype is not None and dtype.kind == "c" for dtype in (getattr(x, "dtype", None) for x in values))


def split(node: Node) -> tuple[Any, Any]:
    if type(node.p0) is tuple:
        return node.p0, node.x0
    if node.op is not None and node.op.arity == 2:
        return (node.p0, node.p1), (node.x0, node.x1)
    return (node.p0,), (node.x0,)


def _tensor(x: Any, p: Node | None) -> Any:
    return Tensor(x, p) if isinstance(x, (np.ndarray, np.generic)) else x


def _shape_of(node: Node, values: Any) -> tuple[int, ...]:
    if node.y is not None:
        return tuple(node.y.shape)
    return tuple(np.broadcast_shapes(*(tuple(getattr(x, "shape", ())) for x in values)))


def _broadcast(t: Any, shape: tuple[int, ...]) -> Any:
    if tuple(t.shape) == shape:
        return t
    from .ops.shape import broadcast_to

    return broadcast_to(t, list(shape))


def _transposed(state: State, op: Any, y: Any, xs: Any, params: Any, tangents: dict[int, Any], node: Node) -> Any:
    """The pushforward as the pullback of the pullback: its contributions are linear in the cotangent."""
    shape, dtype = node_shape(op, y, xs, params)
    mark = Mark(0, False, next_index(), state.site)
    cotangent = Tensor(np.zeros(shape, dtype)[()], leaf(state.site))
    assert cotangent.node is not None
    cotangent.node.rec = mark
    before = state.recording
    state.recording = mark if before is None else _both(before, mark)
    try:
        if op.arity < 0:
            parts = op.rules[0](cotangent, y, xs, **params)
        else:
            parts = [op.rules[i](cotangent, y, *xs, **params) if i in tangents else None for i in range(len(xs))]
        outs = [(fit_tensor(parts[i], xs[i], 0), t) for i, t in tangents.items() if parts[i] is not None]
    finally:
        state.recording = before
        mark.alive = False
    record = before is not None
    pairs = [(node_of(out), t if record else t.value) for out, t in outs]
    (found,) = pull_back(state, mark, pairs, [cotangent.node], 0, record)
    if found is None:
        return None
    return found if type(found) is Tensor else Tensor(found)


def _both(now: Any, mark: Mark) -> Any:
    from .recording import Recording

    return Recording(now.marks | {mark})


def node_shape(op: Any, y: Any, xs: Any, params: Any) -> tuple[tuple[int, ...], Any]:
    """Shape and dtype of an operation's result; computed again where the node did not keep it."""
    if y is not None:
        return y.shape, y.dtype
    if op.result is not None:
        return op.result.shape, op.result.dtype
    raw = [np.zeros(x.shape, x.dtype)[()] if not isinstance(x, Tensor) else x.value for x in xs]
    value = op.forward(*raw, **params) if op.arity >= 0 else op.forward(raw, **params)
    return np.shape(value), np.asarray(value).dtype
