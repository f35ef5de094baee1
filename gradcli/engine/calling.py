"""How an operation is called: operands checked, the value computed, and a node made if a tape is interested.

One function is made for each operation, specialised by its number of operands; it is the hot path of the product, so it
repeats on purpose what a generic function would share. Applied to raw arrays alone it returns a raw array, so that a
derivative rule written in operations is the fast sweep on arrays and the recorded one on tensors.
"""

from __future__ import annotations

from itertools import combinations
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import dtype_name, weak
from .errors import EngineError
from .history import record, shadow
from .operands import holds_tensor, operand, read
from .recording import _state, current_state, join, next_index
from .tensor import Node, Spec, Tensor
from .variable import Variable

if TYPE_CHECKING:
    from collections.abc import Callable

    from .primitive import Primitive

_get = _state.get
_new = object.__new__
_float64 = np.float64
_float32 = np.float32
_ndarray = np.ndarray
_RAW = (np.ndarray, np.generic)


def make_call(op: Primitive) -> Callable[..., Any]:
    """The function that users and rules call for `op`."""
    if op.composite:
        return _composite(op)
    if op.elementwise and len(op.names) == op.arity and op.prepare is None:
        if op.arity == 1:
            return _unary(op)
        if op.arity == 2:
            return _binary(op)
    return _general(op)


def by_name(op: Primitive) -> Callable[..., Any]:
    """The call of an operation with operands by name too: elementwise calls, the hot path, take them by position."""
    call = op.call

    def named(*args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            return call(*args)
        operands, params = op.bind(args, kwargs)
        return call(*operands, **params)

    named.op = op  # type: ignore[attr-defined]
    return named


def _unary(op: Primitive) -> Callable[..., Any]:
    forward, kinds = op.forward, op.accepts[0]
    records, keep_x, keep_y = op.differentiable, op.keeps_x[0], op.keeps_y

    def call(x: Any) -> Any:
        if type(x) is not Tensor:
            if isinstance(x, _RAW):
                return forward(x)
            x = operand(op, x)
        v = x.value
        if type(v) is not _float64 and v.dtype.kind not in kinds:
            raise op.refuse_dtype(v.dtype, 0)
        y = forward(v)
        state = _get(None) or current_state()
        parent = x.node
        now = state.recording
        if now is not None and parent is not None and records:
            rec = parent.rec
            if rec is not None:
                if rec is not now:
                    rec = join(rec, None, now)
                if rec is not None:
                    node = _new(Node)
                    node.op = op
                    node.rec = rec
                    node.site = state.site
                    node.index = next_index()
                    node.p0 = parent
                    node.p1 = node.x1 = node.params = None
                    node.x0 = v if keep_x or type(v) is not _ndarray or parent.op is None else Spec(v.shape, v.dtype)
                    node.y = y if keep_y else None
                    t = _new(Tensor)
                    t.value = y
                    t.node = node
                    return t
        t = _new(Tensor)
        t.value = y
        t.node = shadow(state, op, (parent,), (v,))
        return t

    return call


def onto(call: Callable[..., Any], ufunc: Any) -> Callable[..., Any]:
    """`call(a, b)` for a tensor `a` that only the caller holds: where `a` is large, its own array takes the result.

    NumPy does the same with `x @ w + b` on arrays: no second array, and memory that is in the cache already. It is not
    done where anybody else holds the array, or where the operation's node would keep it.
    """
    op: Primitive = call.op  # type: ignore[attr-defined]
    inside = _binary(op, lambda va, vb: ufunc(va, vb, out=va))

    def reusing(a: Any, b: Any) -> Any:
        if (
            type(a) is Tensor
            and type(a.value) is _ndarray
            and a.value.size > _LARGE
            and isinstance(b, (Tensor, Variable))
        ):
            va, vb, node = a.value, b.value, a.node
            state = _get(None) or current_state()
            now = state.recording
            if (
                va.dtype == vb.dtype
                and va.flags.owndata
                and _references(va) <= _ALONE
                and not state.keeps_operands
                and (now is None or (node is not None and node.rec is now and node.op is not None))
                and _spreads(np.shape(vb), va.shape)
            ):
                return inside(a, b)
        return call(a, b)

    return reusing


def _spreads(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    """Does broadcasting leave the larger shape as it is?"""
    return len(small) <= len(large) and all(n in (1, m) for n, m in zip(reversed(small), reversed(large)))


def _references(array: Any) -> int:
    return getrefcount(array)


def _alone() -> int:
    a = Tensor(np.zeros(1))
    va = a.value
    return _references(va)


#: the references to an array that one tensor holds, as `onto` counts them; how many are ours depends on the interpreter
_ALONE = _alone()
#: entries beyond which a second array costs more than asking; more than a decision remembers (`history`)
_LARGE = 131072


def _binary(op: Primitive, forward: Any = None) -> Callable[..., Any]:
    forward, kinds = forward or op.forward, op.accepts[0]
    records, keep_y = op.differentiable, op.keeps_y
    keep_a, keep_b = op.keeps_x if op.keeps_x else (False, False)
    plain_a, plain_b = op.plain

    def call(a: Any, b: Any) -> Any:
        pa: Any = None
        pb: Any = None
        if type(a) is Tensor:
            va = a.value
            pa = a.node
            if type(b) is Tensor:
                vb = b.value
                pb = b.node
                t = type(va)
                if (t is not type(vb) or (t is _ndarray and va.dtype is not vb.dtype)) and va.dtype != vb.dtype:
                    raise _mixed(op, pa, pb, va, vb)
                if t is not _float64 and va.dtype.kind not in kinds:
                    raise op.refuse_dtype(va.dtype, 0)
            elif type(b) is float and plain_b and (type(va) is _float64 or type(va) is _float32):
                vb = b
            else:
                va, pa, vb, pb = _operands(op, a, b)
        elif (
            type(a) is float and plain_a and type(b) is Tensor
            and (type(b.value) is _float64 or type(b.value) is _float32)
        ):  # fmt: skip
            va = a
            vb = b.value
            pb = b.node
        else:
            if isinstance(a, _RAW) and not isinstance(b, (Tensor, Variable)):
                return forward(a, b)
            if isinstance(b, _RAW) and not isinstance(a, (Tensor, Variable)):
                return forward(a, b)
            va, pa, vb, pb = _operands(op, a, b)
        try:
            y = forward(va, vb)
        except EngineError:
            raise
        except ValueError:
            raise EngineError("shape-mismatch", "broadcast", op=op.name, shapes=(np.shape(va), np.shape(vb))) from None
        state = _get(None) or current_state()
        now = state.recording
        if now is not None and records:
            ra = pa.rec if pa is not None else None
            rb = pb.rec if pb is not None else None
            if ra is not None or rb is not None:
                if ra is now or rb is now:
                    rec: Any = now
                else:
                    rec = join(ra, rb, now)
                if rec is not None:
                    node = _new(Node)
                    node.op = op
                    node.rec = rec
                    node.site = state.site
                    node.index = next_index()
                    node.p0 = pa
                    node.p1 = pb
                    node.params = None
                    if type(va) is _ndarray and not keep_a and ra is rec and pa.op is not None:
                        va = Spec(va.shape, va.dtype)
                    if type(vb) is _ndarray and not keep_b and rb is rec and pb.op is not None:
                        vb = Spec(vb.shape, vb.dtype)
                    node.x0 = va
                    node.x1 = vb
                    node.y = y if keep_y else None
                    result = _new(Tensor)
                    result.value = y
                    result.node = node
                    return result
        result = _new(Tensor)
        result.value = y
        result.node = shadow(state, op, (pa, pb), (va, vb))
        return result

    return call


def _mixed(op: Primitive, pa: Any, pb: Any, va: Any, vb: Any) -> EngineError:
    names = (dtype_name(va.dtype), dtype_name(vb.dtype))
    return EngineError("dtype-mismatch", "operands", op=op.name, nodes=(pa, pb), dtypes=names)


def _operands(op: Primitive, a: Any, b: Any) -> tuple[Any, Any, Any, Any]:
    """The values and nodes of two operands of which at least one is a literal, an array or a variable."""
    values, nodes = read(op, [a, b])
    return values[0], nodes[0], values[1], nodes[1]


def _composite(op: Primitive) -> Callable[..., Any]:
    forward = op.forward

    def call(*args: Any, **kwargs: Any) -> Any:
        operands, params = op.bind(args, kwargs)
        groups = [op.accepts[min(i, len(op.accepts) - 1)] for i in range(len(operands))]
        like: dict[str, Any] = {}
        for kinds, x in zip(groups, operands):
            if isinstance(x, (Tensor, Variable)):
                like.setdefault(kinds, x.dtype)
        made = []
        for kinds, x in zip(groups, operands):
            if kinds in like and isinstance(x, (int, float, complex, list)) and not holds_tensor(x):
                x = Tensor(weak(x, like[kinds], op.name))
            made.append(x if isinstance(x, _RAW) else operand(op, x))
        try:
            return forward(*made, **params)
        except EngineError as error:
            raise _as_called(op, error) from None

    return call


def _general(op: Primitive) -> Callable[..., Any]:
    forward, prepare, arity = op.forward, op.prepare, op.arity

    def call(*args: Any, **kwargs: Any) -> Any:
        operands, params = op.bind(args, kwargs)
        if arity < 0:
            operands = _spread(op, operands[0])
        if any(isinstance(x, _RAW) for x in operands) and not any(
            isinstance(x, (Tensor, Variable)) or holds_tensor(x) for x in operands
        ):
            values: list[Any] = [x if isinstance(x, _RAW) else np.asarray(x) for x in operands]
            nodes: list[Node | None] = []
            raw = True
        else:
            values, nodes = read(op, operands)
            raw = False
        try:
            if prepare is not None:
                params = prepare(*values, **params) if arity >= 0 else prepare(values, **params)
            y = forward(*values, **params) if arity >= 0 else forward(values, **params)
        except EngineError as error:
            raise _as_called(op, error) from None
        except ValueError:
            misfit = _misfit(op, tuple(np.shape(v) for v in values))
            if misfit is None:  # it is about a parameter
                raise
            raise misfit from None
        if type(y) is _ndarray and y.ndim == 0:
            y = y[()]
        if raw:
            return y
        state = _get(None) or current_state()
        now = state.recording
        if now is not None and op.blocked is None and y.dtype.kind in "fc":
            rec: Any = None
            for i, node in enumerate(nodes):
                if node is not None and node.rec is not None and op.rules[i if arity >= 0 else 0] is not None:
                    rec = join(rec, node.rec, now)
            if rec is not None:
                return Tensor(y, record(state, op, rec, values, nodes, y, params))
        return Tensor(y, shadow(state, op, tuple(nodes), values, params))

    return call


def _as_called(op: Primitive, error: EngineError) -> EngineError:
    """An error that arose in what an operation is made of, as one of the operation that was called."""
    if "op" in error.facts:
        error.facts["op"] = op.name
    return error


def _misfit(op: Primitive, shapes: tuple[tuple[int, ...], ...]) -> EngineError | None:
    """The error for operands whose shapes do not fit one another; None if nothing is wrong with them."""
    if not op.elementwise:
        return EngineError("shape-mismatch", "operands", op=op.name, shapes=shapes) if len(shapes) > 1 else None
    for pair in combinations(shapes, 2):
        try:
            np.broadcast_shapes(*pair)
        except ValueError:
            return EngineError("shape-mismatch", "broadcast", op=op.name, shapes=pair)
    return None


def _spread(op: Primitive, items: Any) -> list[Any]:
    if isinstance(items, (list, tuple)):
        if not items:
            raise EngineError("bad-value", "empty-list", op=op.name)
        return list(items)
    if isinstance(items, Variable):
        items = items.read()
    from .ops.joining import unstack

    if isinstance(items, (Tensor, *_RAW)) and np.ndim(getattr(items, "value", items)) > 0:
        parts = list(unstack(items))
        if not parts:
            raise EngineError("bad-value", "empty-list", op=op.name)
        return parts
    raise EngineError("not-a-tensor", "list-expected", op=op.name, type=type(items).__name__)
