"""Statements to closures. A statement gives None, or the signal with which it leaves its block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import EngineError, GradientTape, Tensor, Variable

from .approx import approximately
from .compiler import Compiler
from .declarations import declare_statement
from .expressions import bind, entries, make_function, truth
from .inquiry import tell_of
from .modules import ModuleClass, put
from .operators import operate
from .outcomes import Asserted, ProgramError, Shown
from .queries import QUERIES
from .values import Return, kind_of

if TYPE_CHECKING:
    from .compiler import Closure, Frame

BREAK, CONTINUE = object(), object()


def _expression(compiler: Compiler, node: Any) -> Closure:
    call = type(node.value).__name__ == "Call"
    compiler.shown = True
    value = compiler.expr(node.value)
    compiler.shown = False
    session, place = compiler.session, compiler.place(node.value)
    labels = _labels(compiler, node.value)

    def show(frame: Frame) -> None:
        before, session.showing = session.showing, place
        try:
            v = value(frame)
        finally:
            session.showing = before
        if v is None and call:
            return
        if isinstance(v, Variable):
            v.read()
        tell_of(session, place, v)
        session.emit(Shown(place, v, labels, labels is not None))
        session.frame["_"] = v

    return show


def _labels(compiler: Compiler, node: Any) -> Any:
    """The texts of the sources of a gradient call, nested as they are written."""
    if type(node).__name__ != "Call":
        return None
    query = QUERIES.get(getattr(node.func, "id", None) or getattr(node.func, "name", None) or "")
    if query is None or query.check:
        return None
    arguments = {keyword.name.rstrip("s"): keyword.value for keyword in node.kwargs}
    sources = node.args[1] if len(node.args) > 1 else arguments.get("source")
    return _label_tree(compiler, sources) if sources is not None else None


def _label_tree(compiler: Compiler, node: Any) -> Any:
    kind = type(node).__name__
    if kind in ("ListExpr", "TupleExpr"):
        return [_label_tree(compiler, item) for item in node.items]
    return compiler.place(node).text


def _names(target: Any) -> list[str]:
    if type(target).__name__ == "Name":
        return [target.id]
    return [name for item in target.items for name in _names(item)]


def _assign(compiler: Compiler, node: Any) -> Closure:
    value = compiler.expr(node.value)
    if type(node.target).__name__ == "Attribute":
        return _put(compiler, node.target, value)
    if type(node.target).__name__ != "Name":
        put, naming = bind(node.target, compiler.place(node.value)), compiler.session.tracing
        bound = [] if naming is None else _names(node.target)

        def unpack(frame: Frame) -> None:
            put(frame, value(frame))
            for each in bound:
                naming.name(frame[each], each)  # type: ignore[union-attr]

        return unpack
    name, site = node.target.id, compiler.site(node)
    key, tracing = ("rebound", name), compiler.session.tracing

    def assign(frame: Frame) -> None:
        v = value(frame)
        if tracing is not None:
            tracing.name(v, name)
        if type(v) is not Variable:
            if type(frame.get(name)) is Variable:
                frame[key] = site
        elif key in frame:
            del frame[key]
        frame[name] = v

    return assign


def _put(compiler: Compiler, target: Any, value: Closure) -> Closure:
    """`owner.name = value`."""
    session, place, site, name = compiler.session, compiler.place(target), compiler.site(target), target.name
    owner = compiler.expr(target.value)

    def assign(frame: Frame) -> None:
        v = value(frame)
        session.state.site = site
        put(session, place, owner(frame), name, v)

    return assign


def _augment(compiler: Compiler, node: Any) -> Closure:
    session, place = compiler.session, compiler.place(node)
    if type(node.target).__name__ == "Attribute":
        read = compiler.expr(node.target)
        changed = operate(compiler, node.op, compiler.site(node), read, compiler.expr(node.value))
        return _put(compiler, node.target, changed)
    name = node.target.id
    if compiler.distance(name) != 0:
        raise compiler.error(node.target, "unknown-name", "unknown-name", name=name)
    change = operate(compiler, node.op, compiler.site(node), compiler.expr(node.target), compiler.expr(node.value))
    key, site, tracing = ("rebound", name), session.site(place), session.tracing

    def augment(frame: Frame) -> None:
        if type(frame.get(name)) is Variable:
            raise ProgramError(place, "cannot-assign", "augmented-variable", name=name, op=node.op)
        frame[name] = v = change(frame)
        if tracing is not None:
            tracing.name(v, name)
        if key in frame:
            frame[key] = site

    return augment


def _watch(compiler: Compiler, node: Any) -> Closure:
    session = compiler.session
    items = [(compiler.expr(item), compiler.site(item), item) for item in node.items]
    state, place = session.state, compiler.place(node)

    def watch(frame: Frame) -> None:
        for value, site, item in items:
            v = value(frame)
            state.site = site
            if not state.tapes:
                raise ProgramError(place, "not-recording", "watch-outside", name=compiler.place(item).text)
            if isinstance(v, (int, float, complex, str)) and not isinstance(v, bool):
                raise ProgramError(compiler.place(item), "not-a-tensor", "watch-number", given=kind_of(v))
            state.tapes[-1].watch(v)

    return watch


def run_block(body: list[Closure], frame: Frame) -> Any:
    """Run statements until one leaves the block."""
    for statement in body:
        signal = statement(frame)
        if signal is not None:
            return signal
    return None


def _tape(compiler: Compiler, node: Any) -> Closure:
    session, site, name = compiler.session, compiler.site_of_head(node), node.name
    options = {option.name: (truth(compiler, option.value)) for option in node.options}
    persistent: Any = options.get("persistent", lambda frame: False)
    watches: Any = options.get("watch_accessed_variables", lambda frame: True)
    body = compiler.block(node.body)
    state = session.state

    def run(frame: Frame) -> Any:
        tape = GradientTape(persistent(frame), watches(frame), name or "")
        if name is not None:
            frame[name] = tape
        state.site = site
        session.last_tape = tape
        with tape:
            signal = run_block(body, frame)
        session.last_tape = tape
        return signal

    return run


def _stop_recording(compiler: Compiler, node: Any) -> Closure:
    session, place, site = compiler.session, compiler.place(node), compiler.site_of_head(node)
    owner = compiler.expr(node.tape) if node.tape is not None else None
    body, state = compiler.block(node.body), session.state

    def run(frame: Frame) -> Any:
        if owner is not None:
            tape = owner(frame)
            if not isinstance(tape, GradientTape):
                raise ProgramError(place, "not-a-tensor", "tape-expected", given=kind_of(tape), op="stop_recording")
        elif not state.tapes:
            raise ProgramError(place, "not-recording", "stop_recording", tape="", used=False)
        else:
            tape = state.tapes[-1]
        state.site = site
        with tape.stop_recording():
            return run_block(body, frame)

    return run


def _default(compiler: Compiler, node: Any) -> Closure:
    from gradcli.engine.dtypes import find_dtype

    session, place = compiler.session, compiler.place(node)
    name = compiler.place(node.dtype).text if not isinstance(node.dtype, str) else node.dtype
    name = name.strip("'\"").removeprefix("tf.")
    try:
        dtype = find_dtype(name)
    except EngineError:
        dtype = None
    if dtype is None or dtype.kind != "f":
        raise compiler.error(node, "bad-value", "default-dtype", given=name)
    del place
    if session.settings.dtype is None:
        session.state.float_dtype = dtype

    def set_default(frame: Frame) -> None:
        if session.settings.dtype is None:
            session.state.float_dtype = dtype

    return set_default


def _if(compiler: Compiler, node: Any) -> Closure:
    branches = [(truth(compiler, test), compiler.block(body)) for test, body in node.branches]
    orelse = compiler.block(node.orelse) if node.orelse else []

    def choose(frame: Frame) -> Any:
        for test, body in branches:
            if test(frame):
                return run_block(body, frame)
        return run_block(orelse, frame)

    return choose


def _for(compiler: Compiler, node: Any) -> Closure:
    iterable, place = compiler.expr(node.iterable), compiler.place(node.iterable)
    put, body = bind(node.target, place), compiler.repeated(node.body)
    progress, text = compiler.session.progress, f"for … in {place.text}"

    def loop(frame: Frame) -> Any:
        given = iterable(frame)
        items = entries(given, place)
        if progress is not None:
            items = progress(items, len(given) if hasattr(given, "__len__") else None, text)
        for item in items:
            put(frame, item)
            for statement in body:
                signal = statement(frame)
                if signal is not None:
                    break
            else:
                continue
            if signal is BREAK:
                return None
            if signal is not CONTINUE:
                return signal
        return None

    return loop


def _while(compiler: Compiler, node: Any) -> Closure:
    test, body = truth(compiler, node.test), compiler.repeated(node.body)
    progress, text = compiler.session.progress, f"while {compiler.place(node.test).text}"

    def loop(frame: Frame) -> Any:
        turns = iter(lambda: bool(test(frame)), False)
        for _ in turns if progress is None else progress(turns, None, text):
            signal = run_block(body, frame)
            if signal is BREAK:
                return None
            if signal is not None and signal is not CONTINUE:
                return signal
        return None

    return loop


def _return(compiler: Compiler, node: Any) -> Closure:
    if node.value is None:
        return lambda frame: Return(None)
    value = compiler.expr(node.value)
    return lambda frame: Return(value(frame))


def _def(compiler: Compiler, node: Any) -> Closure:
    name = node.name
    make = make_function(compiler, node, name)

    def define(frame: Frame) -> None:
        frame[name] = make(frame)

    return define


def _assert(compiler: Compiler, node: Any) -> Closure:
    session, place = compiler.session, compiler.place(node)
    message = compiler.expr(node.message) if node.message is not None else None
    state, site = session.state, compiler.site(node.test)
    comparing = type(node.test).__name__ == "Compare"
    if comparing:
        left, right, op = compiler.expr(node.test.left), compiler.expr(node.test.right), node.test.op
        held: list[Any] = [None, None]
        decide = operate(compiler, op, site, lambda frame: held[0], lambda frame: held[1])
    else:
        left = compiler.expr(node.test)
        op = ""

    def check(frame: Frame) -> None:
        a = left(frame)
        b = right(frame) if comparing else None
        state.site = site
        outcome = Asserted(place, True, None)
        if op == "~=":
            compared = approximately(a, b)
            outcome.ok = compared.ok
            outcome.max_abs, outcome.max_rel = compared.max_abs, compared.max_rel
            outcome.where, outcome.why = compared.where, compared.why
        else:
            if comparing:
                held[:] = [a, b]
                result = decide(frame)
            else:
                result = a
            outcome.ok = _all(result)
            if comparing and op in ("==", "!="):
                difference = approximately(a, b, 0.0, 0.0)
                outcome.max_abs, outcome.max_rel, outcome.where = (
                    difference.max_abs,
                    difference.max_rel,
                    difference.where,
                )
        if comparing:
            outcome.compared, outcome.left, outcome.right = op, a, b
        if message is not None:
            outcome.message = str(message(frame))
        session.emit(outcome)

    return check


def _all(value: Any) -> bool:
    if isinstance(value, (Tensor, Variable)):
        return bool(value.numpy().all())
    return bool(value)


def _module(compiler: Compiler, node: Any) -> Closure:
    name = node.name
    make = make_function(compiler, node, name, ModuleClass)

    def define(frame: Frame) -> None:
        frame[name] = make(frame)

    return define


STATEMENTS: dict[str, Any] = {
    "ExprStatement": _expression,
    "Declare": declare_statement,
    "Assign": _assign,
    "AugAssign": _augment,
    "Watch": _watch,
    "TapeBlock": _tape,
    "StopRecording": _stop_recording,
    "Default": _default,
    "If": _if,
    "For": _for,
    "While": _while,
    "Break": lambda compiler, node: lambda frame: BREAK,
    "Continue": lambda compiler, node: lambda frame: CONTINUE,
    "Return": _return,
    "Def": _def,
    "Assert": _assert,
    "ModuleDef": _module,
}
