"""The derivative of one expression in given names, of any order: what `gradcli grad` asks of a session."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable, constant, explain
from gradcli.engine.jacobian import hessian, jacobian
from gradcli.engine.ops.selection import as_tensor

from .compiler import Compiler, Scope
from .inquiry import answer
from .outcomes import NoGradient, Place, ProgramError, Shown
from .values import kind_of

if TYPE_CHECKING:
    from gradcli.lang.source import Source

    from .session import Session


def derive(
    session: Session, source: Source, program: Any, values: dict[str, str], names: list[str], order: int,
    kind: str = "gradient",
) -> bool:  # fmt: skip
    """Emit the value of the expression and its derivative of an order; a dict for several names. False if it failed."""

    def body() -> None:
        for name, text in values.items():
            session.frame[name] = _variable(session, name, text)
        session.check_names(program)
        node = program.body[0].value
        place = Place(source, node.start, node.end)
        tape = GradientTape(persistent=True)
        session.last_tape = tape
        with tape:
            value = Compiler(session, source, Scope(frozenset(), None)).expr(node)(session.frame)
            if not isinstance(value, (Tensor, Variable)):
                if isinstance(value, (int, float, complex, list, tuple)) and not isinstance(value, bool):
                    value = as_tensor(value)
                else:
                    raise ProgramError(place, "not-a-tensor", "target", given=kind_of(value))
            session.state.site = session.site(place)
            started = perf_counter()
            found = {name: _differentiate(session, tape, place, value, name, order, kind) for name in names}
            session.backward_seconds += perf_counter() - started
        if len(names) == 1:
            session.frame["gradient"] = found[names[0]]
        else:
            session.frame["gradient"] = found
        session.frame["value"] = value
        session.emit(Shown(place, value, label=" ".join(source.text.split())))
        mark = "d" if order == 1 else f"d{order}"
        bottom = names[0] if order == 1 else f"{names[0]}{order}"
        single = len(names) == 1
        label = f"{mark}/d{bottom}" if single else f"{mark}/d" + ",".join(names)
        if kind != "gradient":
            label = f"{kind} in {', '.join(names)}"
        result: Any = found[names[0]] if single else found
        session.emit(Shown(place, result, names[0] if single else None, True, label))

    return session.guarded(source, body)


def _differentiate(
    session: Session, tape: GradientTape, place: Place, value: Any, name: str, order: int, kind: str
) -> Any:
    variable = session.frame[name]
    target = value
    if kind != "gradient":
        ask = jacobian if kind == "jacobian" else hessian
        found = ask(tape, value, variable)
    else:
        found = value
        for _ in range(order):
            target = found
            found = tape.gradient(target, variable)
            if found is None:
                break
    if found is None:
        return _none(session, tape, target, variable, place, name)
    (result,) = answer(session, place, kind, tape, target, [variable], [found], None, [name], True)
    return result


def _none(session: Session, tape: GradientTape, target: Any, source: Any, place: Place, name: str) -> NoGradient:
    reason = explain(tape, [target], source)
    places = tuple(session.places[site] for site in reason.sites)
    return NoGradient(reason, places or (place,), name)


def _variable(session: Session, name: str, text: str) -> Variable:
    value = session.evaluate(text, f"{name}=")
    dtype = session.state.float_dtype
    if not isinstance(value, (Tensor, Variable)):
        value = constant(value, dtype if _is_real(value) else None)
    if value.dtype.kind in "iu":
        value = constant(value.numpy().astype(dtype))
    return Variable(value, True, name)


def _is_real(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_is_real(item) for item in value)
    return isinstance(value, (int, float)) and not isinstance(value, bool)
