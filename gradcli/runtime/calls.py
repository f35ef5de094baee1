"""Calls and attributes to closures. What is called is resolved here where the name is no name of the program's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import EngineError, GradientTape
from gradcli.engine.calling import by_name
from gradcli.nn.module import Module

from .attributes import attribute, method
from .compiler import Compiler
from .modules import ModuleClass, call_module
from .outcomes import NoGradient, Place, ProgramError
from .outside import call_outside
from .predefined import MISSING, ROOTS, dotted, predefined
from .values import Bound, Builtin, Derived, Function, Outside, kind_of

if TYPE_CHECKING:
    from .compiler import Closure, Frame
    from .session import Session


def path_of(compiler: Compiler, node: Any) -> str | None:
    """`tf.nn.relu` as text, if the node is a dotted name whose root is a door and no name of the program."""
    names = []
    while type(node).__name__ == "Attribute":
        names.append(node.name)
        node = node.value
    if type(node).__name__ != "Name" or node.id not in ROOTS or compiler.distance(node.id) is not None:
        return None
    return ".".join([node.id, *reversed(names)])


def compile_attribute(compiler: Compiler, node: Any) -> Closure:
    """`value.name`."""
    path = path_of(compiler, node)
    if path is not None:
        found = dotted(compiler.session, path)
        if found is MISSING:
            raise compiler.error(node, "unknown-name", "dotted", name=path)
        return lambda frame: found
    value, name = compiler.expr(node.value), node.name
    session, place, site = compiler.session, compiler.place(node), compiler.site(node)
    state = session.state

    def get(frame: Frame) -> Any:
        owner = value(frame)
        state.site = site
        return attribute(session, place, owner, name)

    return get


def _static(compiler: Compiler, node: Any) -> Any:
    kind = type(node).__name__
    if kind == "Name" and compiler.distance(node.id) is None:
        return predefined(compiler.session, node.id)
    if kind == "Attribute":
        path = path_of(compiler, node)
        if path is not None:
            return dotted(compiler.session, path)
    return MISSING


def compile_call(compiler: Compiler, node: Any) -> Closure:
    """A call: of an operation, a function of the language or of the program, a method."""
    from .queries import QUERIES, compile_query

    kind = type(node.func).__name__
    if kind == "Prime":
        return _prime(compiler, node)
    function = _static(compiler, node.func)
    if isinstance(function, Builtin) and function.name in QUERIES:
        return compile_query(compiler, node, function.name, None)
    if kind == "Attribute" and node.func.name in QUERIES and path_of(compiler, node.func) is None:
        return compile_query(compiler, node, node.func.name, compiler.expr(node.func.value))
    shown, compiler.shown = (
        compiler.shown,
        compiler.shown and isinstance(function, Builtin) and function.name == "print",
    )
    args = [compiler.expr(arg) for arg in node.args]
    kwargs = [(keyword.name, compiler.expr(keyword.value)) for keyword in node.kwargs]
    compiler.shown = shown
    names = [name for name, _ in kwargs]
    for keyword, name in zip(node.kwargs, names):
        if names.count(name) > 1:
            raise compiler.error(
                keyword, "wrong-arguments", "twice", op=compiler.place(node.func).text, argument=name, names=()
            )
    session, place, site = compiler.session, compiler.place(node), compiler.site(node)
    if function is not MISSING and callable(function):
        return _operation(session, place, site, function, args, kwargs)
    if function is not MISSING:
        return _dynamic(session, place, site, lambda frame: function, args, kwargs)
    if kind == "Attribute":
        return _method(compiler, node, place, site, args, kwargs)
    return _dynamic(session, place, site, compiler.expr(node.func), args, kwargs)


def _prime(compiler: Compiler, node: Any) -> Closure:
    """`f''(x)`: the derivative of a function in its first argument."""
    from .functional import prime

    function, order = compiler.expr(node.func.func), node.func.order
    args = [compiler.expr(arg) for arg in node.args]
    kwargs = [(keyword.name, compiler.expr(keyword.value)) for keyword in node.kwargs]
    session, place, site = compiler.session, compiler.place(node), compiler.site(node)
    state = session.state

    def call(frame: Frame) -> Any:
        f = function(frame)
        values = [arg(frame) for arg in args]
        named = {name: value(frame) for name, value in kwargs}
        state.site = site
        return prime(session, place, f, order, values, named)

    return call


_CAUGHT = (TypeError, ValueError, IndexError, KeyError, OverflowError, AttributeError, ZeroDivisionError)


def _odd(place: Place, function: Any, error: Exception) -> Exception:
    """An argument of a kind that the operation cannot take, which came up inside it; an engine error as it is."""
    if isinstance(error, EngineError):
        return error
    op = getattr(getattr(function, "op", None), "name", getattr(function, "name", "this"))
    return ProgramError(place, "wrong-arguments", "odd", op=op, reason=str(error))


def _operation(session: Session, place: Place, site: int, function: Any, args: list[Any], kwargs: Any) -> Closure:
    state = session.state
    if len(args) == 1 and not kwargs:
        first = args[0]

        def one(frame: Frame) -> Any:
            x = first(frame)
            state.site = site
            try:
                return function(x)
            except _CAUGHT as error:
                raise _odd(place, function, error) from None
            except MemoryError:
                raise ProgramError(place, "limit-reached", "memory", op=function.op.name) from None

        return one

    if kwargs and function.op.elementwise:
        function = by_name(function.op)

    def many(frame: Frame) -> Any:
        values = [arg(frame) for arg in args]
        named = {name: value(frame) for name, value in kwargs}
        state.site = site
        try:
            return function(*values, **named)
        except _CAUGHT as error:
            raise _odd(place, function, error) from None
        except MemoryError:
            raise ProgramError(place, "limit-reached", "memory", op=function.op.name) from None

    return many


def apply(session: Session, place: Place, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """Call any value. Raises `not-a-tensor` where it is no function."""
    if type(function) is Function:
        return function.call(place, args, kwargs)
    if type(function) is Derived:
        return function.run(session, place, args, kwargs)
    try:
        if type(function) is Builtin:
            return function.call(session, place, args, kwargs)
        if type(function) is Bound:
            return function.run(session, place, function.owner, args, kwargs)
        if type(function) is Outside:
            return call_outside(session, function, args, kwargs)
        if isinstance(function, ModuleClass):
            return function.call(place, args, kwargs)
        if isinstance(function, Module):
            return call_module(session, place, function, args, kwargs)
        if getattr(function, "op", None) is not None:
            return function(*args, **kwargs)
    except (*_CAUGHT, MemoryError) as error:
        raise _odd(place, function, error) from None
    none = function.reason.code if isinstance(function, NoGradient) else None
    raise ProgramError(place, "not-a-tensor", "not-callable", given=kind_of(function), none=none)


def _dynamic(session: Session, place: Place, site: int, function: Closure, args: list[Any], kwargs: Any) -> Closure:
    state = session.state

    def call(frame: Frame) -> Any:
        what = function(frame)
        values = [arg(frame) for arg in args]
        named = {name: value(frame) for name, value in kwargs}
        state.site = site
        return apply(session, place, what, values, named)

    return call


def _method(compiler: Compiler, node: Any, place: Place, site: int, args: list[Any], kwargs: Any) -> Closure:
    owner_of, name = compiler.expr(node.func.value), node.func.name
    session, at = compiler.session, compiler.place(node.func)
    state = session.state

    def call(frame: Frame) -> Any:
        owner = owner_of(frame)
        run = method(owner, name)
        values = [arg(frame) for arg in args]
        named = {key: value(frame) for key, value in kwargs}
        state.site = site
        if run is None:
            if isinstance(owner, GradientTape) and name == "stop_recording":
                raise ProgramError(place, "wrong-arguments", "block-expected", op=name)
            return apply(session, place, attribute(session, at, owner, name), values, named)
        try:
            return run(session, place, owner, values, named)
        except EngineError:
            raise
        except (*_CAUGHT, MemoryError) as error:
            raise _odd(place, type("Method", (), {"name": name}), error) from None

    return call
