"""Expressions to closures: literals, names, operators, indexing, comprehensions. Calls are in `calls`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import EngineError, Tensor, Variable
from gradcli.engine.ops.indexing import getitem

from .calls import compile_attribute, compile_call
from .compiler import PARENT, Compiler
from .data_files import column_index
from .operators import operate
from .outcomes import NoGradient, ProgramError
from .predefined import MISSING, predefined
from .values import Function, kind_of

if TYPE_CHECKING:
    from .compiler import Closure, Frame


def _literal(compiler: Compiler, node: Any) -> Closure:
    value = node.value
    return lambda frame: value


def _ellipsis(compiler: Compiler, node: Any) -> Closure:
    return lambda frame: Ellipsis


def _name(compiler: Compiler, node: Any) -> Closure:
    name = node.id
    steps = compiler.distance(name)
    given = predefined(compiler.session, name)
    if steps is None:
        if given is MISSING:
            raise compiler.error(node, "unknown-name", "unknown-name", name=name)
        return lambda frame: given
    place = compiler.place(node)

    def unbound(frame: Frame) -> Any:
        if given is not MISSING:
            return given
        raise ProgramError(place, "unknown-name", "no-value-yet", name=name)

    if steps == 0:

        def local(frame: Frame) -> Any:
            try:
                return frame[name]
            except KeyError:
                return unbound(frame)

        return local

    def outer(frame: Frame) -> Any:
        for _ in range(steps):
            frame = frame[PARENT]
        try:
            return frame[name]
        except KeyError:
            return unbound(frame)

    return outer


def _list(compiler: Compiler, node: Any) -> Closure:
    items = [compiler.expr(item) for item in node.items]
    return lambda frame: [item(frame) for item in items]


def _tuple(compiler: Compiler, node: Any) -> Closure:
    items = [compiler.expr(item) for item in node.items]
    return lambda frame: tuple([item(frame) for item in items])


def _dict(compiler: Compiler, node: Any) -> Closure:
    keys = [compiler.expr(key) for key in node.keys]
    values = [compiler.expr(value) for value in node.values]
    place = compiler.place(node)

    def make(frame: Frame) -> Any:
        made = {}
        for key, value in zip(keys, values):
            k = key(frame)
            if not isinstance(k, (str, int, float, bool)):
                raise ProgramError(place, "bad-value", "dict-key", given=kind_of(k))
            made[k] = value(frame)
        return made

    return make


def _chain(compiler: Compiler, node: Any) -> Closure:
    value = compiler.expr(node.first)
    if len(node.rest) <= 20:
        start = node.first.start
        for op, right, _ in node.rest:
            site = compiler.session.site_at(compiler.source, start, right.end)
            value = operate(compiler, op, site, value, compiler.expr(right))
        return value
    # a long sum is a loop, not a tower of closures
    start, links = node.first.start, []
    for op, right, _ in node.rest:
        site = compiler.session.site_at(compiler.source, start, right.end)
        run = operate(compiler, op, site, lambda frame: frame[0], lambda frame: frame[1])
        links.append((run, compiler.expr(right)))

    def total(frame: Frame) -> Any:
        result = value(frame)
        for run, right in links:
            result = run((result, right(frame)))  # type: ignore[arg-type]
        return result

    return total


def _power_node(compiler: Compiler, node: Any) -> Closure:
    return operate(compiler, "**", compiler.site(node), compiler.expr(node.base), compiler.expr(node.exponent))


def _compare(compiler: Compiler, node: Any) -> Closure:
    return operate(compiler, node.op, compiler.site(node), compiler.expr(node.left), compiler.expr(node.right))


def truth(compiler: Compiler, node: Any) -> Closure:
    """The closure of a condition: a bool."""
    value = compiler.expr(node)
    state, site = compiler.session.state, compiler.site(node)

    def decide(frame: Frame) -> bool:
        v = value(frame)
        if type(v) is bool:
            return v
        state.site = site
        return bool(v)

    return decide


def _unary(compiler: Compiler, node: Any) -> Closure:
    if node.op == "not":
        condition = truth(compiler, node.operand)
        return lambda frame: not condition(frame)
    value = compiler.expr(node.operand)
    state, site, place, op = compiler.session.state, compiler.site(node), compiler.place(node), node.op
    run: Any = {"-": lambda v: -v, "+": lambda v: +v, "~": lambda v: not v if type(v) is bool else ~v}[op]

    def apply(frame: Frame) -> Any:
        v = value(frame)
        state.site = site
        if type(v) is list:
            v = compiler.session.tensor(v)
        try:
            return run(v)
        except EngineError:
            raise
        except TypeError:
            none = v.reason.code if isinstance(v, NoGradient) else None
            raise ProgramError(place, "not-a-tensor", "operand", op=op, type=kind_of(v), none=none) from None

    return apply


def _is_none(compiler: Compiler, node: Any) -> Closure:
    value, negated = compiler.expr(node.operand), node.negated

    def test(frame: Frame) -> bool:
        v = value(frame)
        return (v is None or type(v) is NoGradient) is not negated

    return test


def _bool_op(compiler: Compiler, node: Any) -> Closure:
    values = [compiler.expr(item) for item in node.operands]
    sites = [compiler.site(item) for item in node.operands]
    state, stop_at = compiler.session.state, node.op == "or"

    def decide(frame: Frame) -> Any:
        result: Any = None
        for value, site in zip(values, sites):
            result = value(frame)
            state.site = site
            if bool(result) is stop_at:
                return result
        return result

    return decide


def _conditional(compiler: Compiler, node: Any) -> Closure:
    test, body, orelse = truth(compiler, node.test), compiler.expr(node.body), compiler.expr(node.orelse)
    return lambda frame: body(frame) if test(frame) else orelse(frame)


def _lambda(compiler: Compiler, node: Any) -> Closure:
    return make_function(compiler, node, "lambda")


def make_function(compiler: Compiler, node: Any, name: str, kind: type[Function] = Function) -> Closure:
    """The closure that makes a function value of a `def` or `lambda` in its frame."""
    inner = compiler.inner(node.locals)
    params = tuple(param.name for param in node.params)
    defaults = [(param.name, compiler.expr(param.default)) for param in node.params if param.default is not None]
    session, place = compiler.session, compiler.place(node)
    if isinstance(node.body, list):
        body, result = inner.block(node.body), None
    else:
        body, result = [], inner.expr(node.body)

    def make(frame: Frame) -> Function:
        made = kind(session, name, params, {key: value(frame) for key, value in defaults}, frame, place)
        made.body, made.result = body, result
        return made

    return make


def entries(value: Any, place: Any) -> Any:
    """An iterator over a value in `for`. Raises `not-a-tensor` for what has no entries."""
    if isinstance(value, (list, tuple, range, str, dict, Tensor, Variable)) or hasattr(value, "__next__"):
        return iter(value)
    raise ProgramError(place, "not-a-tensor", "not-iterable", given=kind_of(value))


def bind(target: Any, place: Any) -> Any:
    """A function that binds a value to the names of an assignment's target, unpacking it."""
    if type(target).__name__ == "Name":
        name = target.id

        def one(frame: Frame, value: Any) -> None:
            frame[name] = value

        return one
    parts = [bind(item, place) for item in target.items]

    def unpack(frame: Frame, value: Any) -> None:
        items = list(entries(value, place))
        if len(items) != len(parts):
            raise ProgramError(place, "bad-value", "unpack", wanted=len(parts), given=len(items))
        for part, item in zip(parts, items):
            part(frame, item)

    return unpack


def _comprehension(compiler: Compiler, node: Any) -> Closure:
    iterable, place = compiler.expr(node.iterable), compiler.place(node.iterable)
    inner = compiler.inner(node.locals)
    element = inner.expr(node.element)
    condition = truth(inner, node.condition) if node.condition is not None else None
    put = bind(node.target, place)

    def build(frame: Frame) -> list[Any]:
        own: dict[Any, Any] = {PARENT: frame}
        out = []
        for item in entries(iterable(frame), place):
            put(own, item)
            if condition is None or condition(own):
                out.append(element(own))
        return out

    return build


def index_of(compiler: Compiler, node: Any) -> Closure:
    """The closure of what stands between the brackets."""
    items = [_index_item(compiler, item) for item in node.items]
    if node.is_tuple:
        return lambda frame: tuple([item(frame) for item in items])
    return items[0]


def _index_item(compiler: Compiler, node: Any) -> Closure:
    if type(node).__name__ != "SliceExpr":
        return compiler.expr(node)
    parts = [None if part is None else compiler.expr(part) for part in (node.lower, node.upper, node.step)]
    return lambda frame: slice(*[None if part is None else part(frame) for part in parts])


def _index(compiler: Compiler, node: Any) -> Closure:
    value, index = compiler.expr(node.value), index_of(compiler, node)
    state, site, place = compiler.session.state, compiler.site(node), compiler.place(node)

    def pick(frame: Frame) -> Any:
        v: Any = value(frame)
        i = index(frame)
        state.site = site
        if isinstance(v, (Tensor, Variable)):
            if type(i) is str or (type(i) is list and i and all(type(name) is str for name in i)):
                i = column_index(v, i, place)
            return getitem(v, index=i)
        try:
            if isinstance(v, dict):
                return v[i.value.item() if isinstance(i, Tensor) else i]
            if isinstance(v, (list, tuple, str, range)):
                return v[i]
        except (IndexError, KeyError):
            known = list(v) if isinstance(v, dict) else len(v)
            kind = "key" if isinstance(v, dict) else "position"
            given = i if isinstance(i, (int, str, float)) else str(getattr(i, "value", kind_of(i)))
            raise ProgramError(place, "index-out-of-range", kind, given=given, known=known) from None
        except (TypeError, EngineError):
            raise ProgramError(place, "index-out-of-range", "index-type", of=kind_of(v), given=kind_of(i)) from None
        none = v.reason.code if isinstance(v, NoGradient) else None
        raise ProgramError(place, "not-a-tensor", "not-indexable", given=kind_of(v), none=none)

    return pick


EXPRESSIONS: dict[str, Any] = {
    "Number": _literal, "NumberList": _literal, "String": _literal, "Constant": _literal, "EllipsisLiteral": _ellipsis,
    "Name": _name, "ListExpr": _list, "TupleExpr": _tuple, "DictExpr": _dict, "Chain": _chain, "Power": _power_node,
    "Unary": _unary, "Compare": _compare, "IsNone": _is_none, "BoolOp": _bool_op, "Conditional": _conditional,
    "Lambda": _lambda, "Call": compile_call, "Attribute": compile_attribute, "Index": _index,
    "Comprehension": _comprehension,
}  # fmt: skip
