"""The sweep: from cotangents of the targets back through the recorded operations to the sources.

It collects the ancestors of the targets on one tape, and walks them in reverse order of creation; no recursion, no
topological sort. Each sweep has its own store of cotangents, so sweeps may nest. The edge does what no rule mentions:
it sums over broadcast axes, casts to the dtype of the operand, and adds up contributions.

Two walks share the collecting: `_sweep_arrays` on raw arrays, and `_sweep_tensors` on tensors, where an outer tape (or
this one, persistent) records, so that the derivative can be differentiated again. `lead` is the number of leading axes
that the cotangents carry beyond the shape of the targets: 1 for a batch of cotangents.
"""

from __future__ import annotations

import gc
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import EngineError
from .tensor import Node, Shadow, Spec, Tensor

if TYPE_CHECKING:
    from .recording import Mark, State

_ndarray = np.ndarray
_by_index = attrgetter("index")
_INPLACE = 16384
#: the entries of a value that is worth letting go
_RELEASED = 4096


def pull_back(
    state: State, mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node], lead: int = 0, record: bool = False,
    swept: list[Node] | None = None,
) -> list[Any]:  # fmt: skip
    """The cotangent of each node of `wanted`, None where nothing arrived.

    `seeds` are nodes with their cotangents: raw arrays, or tensors with `record`. A seed that is wanted itself counts
    even if it is on no tape. `swept`, if given, gets the operations that were gone through. Raises `no-derivative` at
    an operation that has none.
    """
    order, store = collect(mark, [node for node, _ in seeds], wanted)
    if swept is not None:
        swept.extend(order)
    for node, ct in seeds:
        if node in store:
            held = store[node]
            store[node] = ct if held is None else held + ct
    site = state.site
    collecting = gc.isenabled()
    gc.disable()  # a sweep makes no cycles, and long tapes make the collector walk every node again and again
    try:
        if record:
            _sweep_tensors(state, order, store, set(wanted), lead)
        else:
            _sweep_arrays(state, order, store, set(wanted), lead)
    finally:
        state.site = site
        if collecting:
            gc.enable()
    return [store.get(node) for node in wanted]


def release(mark: Mark, swept: list[Node]) -> None:
    """Let go of the large values that operations kept for their rules: their one-shot tape has given its gradient.

    What another tape holds as well is left alone. Small values stay, so that a reason can still be looked for.
    """
    for node in swept:
        if node.rec is mark:
            if type(node.p0) is tuple:
                node.x0 = tuple(_spec(x) for x in node.x0)
            else:
                node.x0, node.x1 = _spec(node.x0), _spec(node.x1)
            if type(node.y) is _ndarray and node.y.size >= _RELEASED:
                node.y = None


def _spec(x: Any) -> Any:
    return Spec(x.shape, x.dtype) if type(x) is _ndarray and x.size >= _RELEASED else x


def cotangents(state: State, mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node]) -> dict[Node, Any]:
    """The cotangent of every recorded ancestor of the seeds (raw arrays), by node; for those who look at the way."""
    order, store = seeded(mark, seeds, wanted)
    _sweep_arrays(state, order, store, {*order, *wanted}, 0)
    return store


def seeded(mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node]) -> tuple[list[Node], dict[Node, Any]]:
    """`collect`, with the cotangents of the seeds in the store: a sweep for those who look at each step of it."""
    order, store = collect(mark, [node for node, _ in seeds], wanted)
    for node, ct in seeds:
        if node in store:
            store[node] = ct if store[node] is None else store[node] + ct
    return order, store


def deliver(store: dict[Node, Any], parent: Node, g: Any, x: Any) -> None:
    """Add a contribution (an array) to the cotangent of a parent, whose operand is `x`."""
    fitted = fit(g, x, 0)
    held = store[parent]
    store[parent] = fitted if held is None else held + fitted


def collect(mark: Mark, targets: list[Node], wanted: list[Node]) -> tuple[list[Node], dict[Node, Any]]:
    """The operations on the tape that the targets came from, latest first; and the store, keyed by what it may hold."""
    store: dict[Node, Any] = {}
    leaves = mark.watched_at
    wishes = set(wanted)
    order: list[Node] = []
    stack: list[Node] = []
    for node in targets:
        rec = node.rec
        on_tape = rec is mark or (rec is not None and rec.has(mark))
        if node not in store and (on_tape or node in wishes):
            store[node] = None
            if on_tape and node.op is not None:
                stack.append(node)
    while stack:
        node = stack.pop()
        if type(node) is Shadow or (leaves and node in leaves):
            continue  # watched explicitly, not recorded: for this tape it is a source like a constant
        order.append(node)
        p = node.p0
        if type(p) is tuple:
            for q in p:
                if q is not None and q not in store:
                    rec = q.rec
                    if q.op is not None and (rec is mark or (rec is not None and rec.has(mark))):
                        store[q] = None
                        stack.append(q)
            continue
        if p is not None and p.op is not None and p not in store:
            rec = p.rec
            if rec is mark or (rec is not None and rec.has(mark)):
                store[p] = None
                stack.append(p)
        p = node.p1
        if p is not None and p.op is not None and p not in store:
            rec = p.rec
            if rec is mark or (rec is not None and rec.has(mark)):
                store[p] = None
                stack.append(p)
    order.sort(key=_by_index, reverse=True)
    for node in wanted:
        if node not in store:
            rec = node.rec
            if rec is mark or (rec is not None and rec.has(mark)):
                store[node] = None
    return order, store


def _sweep_arrays(state: State, order: list[Node], store: dict[Node, Any], keep: set[Node], lead: int) -> None:
    owned: set[Node] = set()
    take = store.pop
    node = None
    try:
        for node in order:
            ct = store[node] if node in keep else take(node)
            if ct is None:
                continue
            op = node.op
            arity = op.arity  # type: ignore[union-attr]
            params = node.params
            if params is not None or arity > 2 or arity < 0 or (lead and not op.batchable):  # type: ignore[union-attr]
                parents, xs = split(node)
                for i, g in contributions(node, ct, node.y, xs, store, lead):
                    x = xs[i]
                    if type(g) is not _ndarray or g.shape != x.shape or g.dtype is not x.dtype:
                        g = fit(g, x, lead)
                    p = parents[i]
                    h = store[p]
                    store[p] = g if h is None else _add(h, g, p, owned)
            elif arity == 1:
                p = node.p0
                if p in store:
                    rule = op.rules[0]  # type: ignore[union-attr]
                    if rule is None:
                        continue
                    x = node.x0
                    g = rule(ct, node.y, x)
                    if type(g) is not type(x) or (
                        type(g) is _ndarray and (g.shape != x.shape or g.dtype is not x.dtype)
                    ):
                        g = fit(g, x, lead)
                    h = store[p]
                    if h is None:
                        store[p] = g
                    else:
                        store[p] = _add(h, g, p, owned)
            else:
                x, z = node.x0, node.x1
                rules = op.rules  # type: ignore[union-attr]
                p = node.p0
                if p in store:
                    rule = rules[0]
                    if rule is not None:
                        g = rule(ct, node.y, x, z)
                        if type(g) is not type(x) or (
                            type(g) is _ndarray and (g.shape != x.shape or g.dtype is not x.dtype)
                        ):
                            g = fit(g, x, lead)
                        h = store[p]
                        if h is None:
                            store[p] = g
                        else:
                            store[p] = _add(h, g, p, owned)
                p = node.p1
                if p in store:
                    rule = rules[1]
                    if rule is not None:
                        g = rule(ct, node.y, x, z)
                        if type(g) is not type(z) or (
                            type(g) is _ndarray and (g.shape != z.shape or g.dtype is not z.dtype)
                        ):
                            g = fit(g, z, lead)
                        h = store[p]
                        if h is None:
                            store[p] = g
                        else:
                            store[p] = _add(h, g, p, owned)
    except BaseException:
        if node is not None:
            state.site = node.site
        raise


def _add(h: Any, g: Any, p: Node, owned: set[Node]) -> Any:
    """Add a contribution: in place only into a buffer that this sweep allocated, and only where that pays."""
    if type(h) is _ndarray and h.size >= _INPLACE:
        if p in owned:
            return np.add(h, g, out=h)
        owned.add(p)
    return h + g


def split(node: Node) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Parents and operands as tuples, whatever the number of operands."""
    if type(node.p0) is tuple:
        return node.p0, node.x0
    if node.op.arity == 1:  # type: ignore[union-attr]
        return (node.p0,), (node.x0,)
    return (node.p0, node.p1), (node.x0, node.x1)


def contributions(node: Node, ct: Any, y: Any, xs: tuple[Any, ...], store: dict[Node, Any], lead: int) -> Any:
    """The general case, on arrays or tensors: pairs of operand position and contribution."""
    op = node.op
    assert op is not None
    if op.underivable:
        raise EngineError("no-derivative", "operation", site=node.site, op=op.underivable)
    params = node.params or {}
    parents, _ = split(node)
    live = [i for i, p in enumerate(parents) if p is not None and p in store]
    if not live:
        return
    if lead and not op.batchable:
        rows = [dict(contributions(node, ct[i], y, xs, store, lead - 1)) for i in range(ct.shape[0])]
        for i in rows[0] if rows else ():
            yield i, _stack([_fit_any(row[i], xs[i], lead - 1) for row in rows])
    elif op.arity < 0:
        rule = op.rules[0]
        if rule is not None:
            parts = rule(ct, y, xs, **params)
            for i in live:
                if parts[i] is not None:
                    yield i, parts[i]
    else:
        for i in live:
            rule = op.rules[i]
            if rule is not None:
                yield i, rule(ct, y, *xs, **params)


def _fit_any(g: Any, x: Any, lead: int) -> Any:
    return fit_tensor(g, x, lead) if type(g) is Tensor else fit(g, x, lead)


def _stack(rows: list[Any]) -> Any:
    if any(type(row) is Tensor for row in rows):
        from .ops.joining import stack

        return stack(rows)
    return np.stack(rows)


def fit(g: Any, x: Any, lead: int) -> Any:
    """A contribution in the shape and dtype of its operand: summed over the axes that were broadcast, cast.

    Raises AssertionError where a rule gave a shape that cannot belong to the operand: a mistake in the rule.
    """
    if hasattr(g, "by_position"):
        return g  # cotangents of several results, which the operation itself sorts out
    shape = np.shape(x)
    want = np.shape(g)[:lead] + shape
    have = np.shape(g)
    if have != want:
        extra = len(have) - len(want)
        if extra > 0:
            g = g.sum(axis=tuple(range(lead, lead + extra)))
            have = np.shape(g)
        axes = tuple(i for i in range(lead, min(len(have), len(want))) if want[i] == 1 and have[i] != 1)
        if axes and extra >= 0:
            g = g.sum(axis=axes, keepdims=True)
        if np.shape(g) != want:
            g = np.broadcast_to(g, want)
    dtype = getattr(x, "dtype", None)
    if dtype is not None and getattr(g, "dtype", None) != dtype:
        if np.iscomplexobj(g) and dtype.kind != "c":
            g = np.real(g)
        g = np.asarray(g).astype(dtype)
    if type(g) is _ndarray and not g.shape:
        return g[()]
    return g


def _sweep_tensors(state: State, order: list[Node], store: dict[Node, Any], keep: set[Node], lead: int) -> None:
    """The same walk, on tensors: rules call operations, and those are recorded by the tapes that record now."""
    for node in order:
        ct = store[node] if node in keep else store.pop(node)
        if ct is None:
            continue
        op = node.op
        assert op is not None
        state.site = node.site
        parents, values = split(node)
        if not op.underivable and not any(p is not None and p in store for p in parents):
            continue
        xs = tuple(_tensor(x, p) for x, p in zip(values, parents))
        y = None if node.y is None else Tensor(node.y, node)
        for i, g in contributions(node, ct, y, xs, store, lead):
            p = parents[i]
            g = fit_tensor(g, xs[i], lead)
            h = store[p]
            store[p] = g if h is None else h + g


def _tensor(x: Any, p: Node | None) -> Any:
    return Tensor(x, p) if isinstance(x, (np.ndarray, np.generic)) else x


def fit_tensor(g: Any, x: Any, lead: int) -> Tensor:
    """`fit`, written in operations."""
    from .ops.reduction import reduce_sum
    from .ops.selection import cast
    from .ops.shape import broadcast_to, reshape

    if hasattr(g, "by_position"):
        return g  # type: ignore[no-any-return]
    if type(g) is not Tensor:
        g = Tensor(np.asarray(g, dtype=x.dtype)[()], None)
    want = g.shape[:lead] + tuple(x.shape)
    if g.shape != want:
        extra = len(g.shape) - len(want)
        if extra > 0:
            g = reduce_sum(g, axis=list(range(lead, lead + extra)))
        axes = [i for i in range(lead, min(len(g.shape), len(want))) if want[i] == 1 and g.shape[i] != 1]
        if axes and extra >= 0:
            g = reduce_sum(g, axis=axes, keepdims=True)
        if g.shape != want:
            if g.size == int(np.prod(want)):
                g = reshape(g, list(want))
            else:
                g = broadcast_to(g, list(want))
    if g.dtype != x.dtype:
        g = cast(g, x.dtype)
    found: Tensor = g
    return found
