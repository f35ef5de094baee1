"""Functions of functions: grad, value_and_grad, jacobian, hessian, jvp, hvp, vjp, vmap, `f'(x)`; and functions with a
derivative of their own (custom_gradient) or without memory (recompute).

Each opens a tape of its own around a call of the function; such tapes are not the ones that a free `gradient` asks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable, constant
from gradcli.engine import jacobian as _jacobian
from gradcli.engine.custom import recomputed, with_pullback
from gradcli.engine.ops.joining import stack
from gradcli.engine.ops.selection import as_tensor
from gradcli.engine.pushforward import jvp as push

from .inquiry import answer
from .outcomes import Place, ProgramError
from .values import Bound, Builtin, Derived, Function, Outside, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .session import Session


def is_function(value: Any) -> bool:
    """Can it be differentiated as a function?"""
    return isinstance(value, (Function, Derived, Builtin, Bound, Outside)) or getattr(value, "op", None) is not None


def _call(session: Session, place: Place, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    from .calls import apply

    _expect(place, function)
    return apply(session, place, function, args, kwargs)


def point(session: Session, place: Place, value: Any) -> Any:
    """An argument by which a function is differentiated: a tensor or variable; a number or list becomes floating."""
    if isinstance(value, (Tensor, Variable)):
        return value
    if isinstance(value, (int, float, complex, list, tuple)) and not isinstance(value, bool):
        made = as_tensor(value)
        if made.dtype.kind in "iu" and made.node is None:
            made = constant(made.value.astype(session.state.float_dtype))
        return made
    raise ProgramError(place, "not-a-tensor", "operand", op="derivative", type=kind_of(value), none=None)


def _taped(
    session: Session, place: Place, function: Any, args: list[Any], kwargs: dict[str, Any], count: int = 1
) -> tuple[GradientTape, Any, Any]:
    """Call a function on a tape that watches its first arguments: the tape, the first of them, and the result."""
    if not args:
        name = getattr(function, "name", "the function")
        raise ProgramError(place, "wrong-arguments", "missing", op=name, argument="x", names=("x",))
    watched = [point(session, place, x) for x in args[:count]]
    tape = GradientTape(persistent=True)
    session.inner += 1
    try:
        with tape:
            tape.watch(watched)
            y = _call(session, place, function, [*watched, *args[count:]], kwargs)
    finally:
        session.inner -= 1
    if isinstance(y, (int, float, complex)) and not isinstance(y, bool):
        y = as_tensor(y)
    if not isinstance(y, (Tensor, Variable)):
        raise ProgramError(place, "not-a-tensor", "function-result", given=kind_of(y))
    return tape, watched[0], y


def _told(
    session: Session, place: Place, kind: str, tape: GradientTape, y: Any, x: Any, found: Any, weights: Any = None
) -> Any:
    """A derivative as the program gets it: with its mathematical value if it is not finite, and notes if printed."""
    showing = session.showing
    shown = showing is not None and showing.source is place.source and showing.start <= place.start < showing.end
    (result,) = answer(session, place, kind, tape, y, [x], [found], weights, [_argument(place)], shown)
    return result


def _argument(place: Place, position: int = 0) -> str:
    """The text of an argument in a call such as `f'(x)`."""
    text = place.text
    arguments = text[text.rfind("(") + 1 : -1].split(",") if text.endswith(")") else []
    argument = arguments[position].strip() if position < len(arguments) else ""
    return argument if argument.isidentifier() else "its argument"


def prime(session: Session, place: Place, function: Any, order: int, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The derivative of a function in its first argument, `order` times; 0 where it does not depend on it."""
    inner: Any = function
    if order > 1:
        inner = Derived("derivative", lambda s, p, a, k: prime(s, p, function, order - 1, a, k))
    tape, x, y = _taped(session, place, inner, args, kwargs)
    return _told(session, place, "gradient", tape, y, x, tape.gradient(y, x, None, "zero"))


def grad(session: Session, place: Place, f: Any) -> Derived:
    """The function that gives the gradient of `f` in its first argument."""
    _expect(place, f)
    return Derived("grad", lambda s, p, a, k: prime(s, p, f, 1, a, k))


def value_and_grad(session: Session, place: Place, f: Any) -> Derived:
    """The function that gives the pair of value and gradient."""
    _expect(place, f)

    def run(s: Session, p: Place, a: list[Any], k: dict[str, Any]) -> Any:
        tape, x, y = _taped(s, p, f, a, k)
        return (y, _told(s, p, "gradient", tape, y, x, tape.gradient(y, x, None, "zero")))

    return Derived("value_and_grad", run)


def jacobian(session: Session, place: Place, f: Any, *rest: Any) -> Any:
    """The function that gives the Jacobian of `f` in its first argument."""

    def run(s: Session, p: Place, a: list[Any], k: dict[str, Any]) -> Any:
        tape, x, y = _taped(s, p, f, a, k)
        return _told(s, p, "jacobian", tape, y, x, _jacobian.jacobian(tape, y, x, "zero"))

    return _with_rest(session, place, Derived("jacobian", run), rest)


def hessian(session: Session, place: Place, f: Any, *rest: Any) -> Any:
    """The function that gives the Hessian of `f` in its first argument."""

    def run(s: Session, p: Place, a: list[Any], k: dict[str, Any]) -> Any:
        tape, x, y = _taped(s, p, f, a, k)
        return _told(s, p, "hessian", tape, y, x, _jacobian.hessian(tape, y, x, "zero"))

    return _with_rest(session, place, Derived("hessian", run), rest)


def _with_rest(session: Session, place: Place, made: Derived, rest: tuple[Any, ...]) -> Any:
    """`jacobian(f)` is a function, `jacobian(f, x)` its value."""
    return made.run(session, place, list(rest), {}) if rest else made


def jvp(session: Session, place: Place, f: Any, x: Any = None, v: Any = None) -> Any:
    """The derivative of `f` at x in the direction v."""
    _given(place, "jvp", ("f", "x", "v"), x, v)
    tape, source, y = _taped(session, place, f, [x], {})
    found = push(tape, y, source, v)
    return _told(session, place, "jvp", tape, y, source, found, v) if found is not None else y * 0.0


def hvp(session: Session, place: Place, f: Any, x: Any = None, v: Any = None) -> Any:
    """The Hessian of `f` at x times v."""
    _given(place, "hvp", ("f", "x", "v"), x, v)
    tape, source, y = _taped(session, place, f, [x], {})
    return _told(session, place, "hvp", tape, y, source, _jacobian.hvp(tape, y, source, v, "zero"), v)


def vjp(session: Session, place: Place, f: Any, x: Any = None, upstream: Any = None) -> Any:
    """The gradient of `f` at x, its components weighed by the upstream."""
    _given(place, "vjp", ("f", "x", "upstream"), x, upstream)
    tape, source, y = _taped(session, place, f, [x], {})
    found = tape.gradient(y, source, upstream, "zero")
    return _told(session, place, "gradient", tape, y, source, found, upstream)


def check_gradient(session: Session, place: Place, f: Any, x: Any = None, upstream: Any = None) -> Any:
    """The verdict on the gradient of `f` at x, or at several arguments in a list or tuple."""
    from .checking import check_answer, verdict_value
    from .inquiry import asked_of

    _given(place, "check_gradient", ("f", "x"), x)
    several = isinstance(x, (list, tuple)) and any(isinstance(item, (Tensor, Variable)) for item in x)
    xs = [point(session, place, item) for item in (x if several else [x])]
    tape, _, y = _taped(session, place, f, xs, {}, len(xs))
    found = tape.gradient(y, xs, upstream)
    asked = asked_of(session, "gradient", tape, y, xs, found, upstream)
    names = [_argument(place, 1)] if len(xs) == 1 else [f"argument {k}" for k in range(1, len(xs) + 1)]
    return verdict_value(check_answer(session, place, asked, names))


def _given(place: Place, name: str, names: tuple[str, ...], *values: Any) -> None:
    for key, value in zip(names[1:], values):
        if value is None:
            raise ProgramError(place, "wrong-arguments", "missing", op=name, argument=key, names=names)


def _expect(place: Place, f: Any) -> None:
    if not is_function(f):
        raise ProgramError(place, "not-a-tensor", "function-expected", given=kind_of(f))


def vmap(session: Session, place: Place, f: Any) -> Derived:
    """The function that applies `f` to each row of its arguments and stacks the results."""
    _expect(place, f)

    def run(s: Session, p: Place, a: list[Any], k: dict[str, Any]) -> Any:
        rows = [point(s, p, x) for x in a]
        lengths = {x.shape[0] if x.shape else 0 for x in rows}
        if len(lengths) != 1 or 0 in lengths:
            raise ProgramError(p, "shape-mismatch", "vmap", op="vmap", shapes=tuple(x.shape for x in rows))
        return stack([_call(s, p, f, [x[i] for x in rows], k) for i in range(lengths.pop())])

    return Derived("vmap", run)


def _by_position(f: Any, args: list[Any], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a call by position as far as they go: given by name they are differentiated no less."""
    names = f.params if type(f) is Function else getattr(getattr(f, "op", None), "names", ())
    args, kwargs = list(args), dict(kwargs)
    for name in names[len(args) :]:
        if name not in kwargs:
            break
        args.append(kwargs.pop(name))
    return args, kwargs


def custom_gradient(session: Session, place: Place, f: Any, df: Any) -> Derived:
    """`f` with the pullback `df(dy, *args)`, which returns one gradient an argument; with one parameter, `df(dy)`."""
    _expect(place, f)
    _expect(place, df)
    short = type(df) is Function and len(df.params) == 1

    def run(s: Session, p: Place, a: list[Any], k: dict[str, Any]) -> Any:
        a, k = _by_position(f, a, k)
        operands = [point(s, p, x) for x in a]

        def pullback(cotangents: list[Tensor], xs: tuple[Any, ...]) -> Any:
            dy = cotangents[0] if len(cotangents) == 1 else list(cotangents)
            given = _call(s, p, df, [dy] if short else [dy, *xs], {})
            return given if isinstance(given, (list, tuple)) and len(xs) > 1 else [given]

        return with_pullback("custom_gradient", operands, lambda: _call(s, p, f, list(operands), k), pullback)

    return Derived("custom_gradient", run)


def recompute(session: Session, place: Place, f: Any) -> Derived:
    """`f`, whose intermediate values are dropped and computed again on the way back."""
    _expect(place, f)

    def run(s: Session, p: Place, a: list[Any], k: dict[str, Any]) -> Any:
        a, k = _by_position(f, a, k)
        function: Callable[..., Any] = lambda *xs: _call(s, p, f, list(xs), k)
        return recomputed("recompute", function, [point(s, p, x) for x in a])

    return Derived("recompute", run)
