"""Values of a running program that the engine does not know: functions, tapes, the doors `tf` and `np`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable
from gradcli.nn.module import Module
from gradcli.nn.optimizer import Optimizer

from .compiler import PARENT
from .outcomes import NoGradient, Place, ProgramError

if TYPE_CHECKING:
    from collections.abc import Callable

    from .session import Session

#: how many calls of a program's functions may be under way at once
CALLS = 1000


#: what a tape can be asked, also as a method of the tape; `queries` says what each means
QUERY_NAMES = ("gradient", "jacobian", "batch_jacobian", "hessian", "hvp", "jvp", "vjp", "check_gradient")


class Return:
    """The signal of a return statement."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Function:
    """A function of the program: parameters with defaults, a body of statements or one expression, its frame."""

    __slots__ = ("body", "defaults", "frame", "name", "params", "place", "result", "session")

    def __init__(
        self, session: Session, name: str, params: tuple[str, ...], defaults: dict[str, Any], frame: dict[Any, Any],
        place: Place,
    ) -> None:  # fmt: skip
        self.session = session
        self.name = name
        self.params = params
        self.defaults = defaults
        self.frame = frame
        self.place = place
        self.body: list[Callable[[Any], Any]] = []
        self.result: Callable[[Any], Any] | None = None

    def call(self, place: Place, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Call it from `place`. Raises `wrong-arguments`, and `limit-reached` beyond 1,000 calls in one another."""
        frame = self._bind(place, args, kwargs)
        session = self.session
        if session.calls >= CALLS:
            raise ProgramError(place, "limit-reached", "recursion", name=self.name, limit=CALLS)
        session.calls += 1
        try:
            if self.result is not None:
                return self.result(frame)
            for statement in self.body:
                signal = statement(frame)
                if signal is not None:
                    return signal.value if type(signal) is Return else None
            return None
        finally:
            session.calls -= 1

    def _bind(self, place: Place, args: list[Any], kwargs: dict[str, Any]) -> dict[Any, Any]:
        params = self.params
        if len(args) > len(params):
            raise ProgramError(
                place,
                "wrong-arguments",
                "too-many",
                ((self.place, "defined"),),
                op=self.name,
                given=len(args),
                names=params,
            )
        frame: dict[Any, Any] = dict(zip(params, args))
        for name, value in kwargs.items():
            if name not in params:
                raise ProgramError(
                    place,
                    "wrong-arguments",
                    "unknown",
                    ((self.place, "defined"),),
                    op=self.name,
                    argument=name,
                    names=params,
                )
            if name in frame:
                raise ProgramError(
                    place,
                    "wrong-arguments",
                    "twice",
                    ((self.place, "defined"),),
                    op=self.name,
                    argument=name,
                    names=params,
                )
            frame[name] = value
        if len(frame) < len(params):
            for name in params:
                if name not in frame:
                    if name not in self.defaults:
                        raise ProgramError(
                            place, "wrong-arguments", "missing", ((self.place, "defined"),), op=self.name,
                            argument=name, names=params,
                        )  # fmt: skip
                    frame[name] = self.defaults[name]
        frame[PARENT] = self.frame
        return frame


class Builtin:
    """A function of the language that is no operation.

    `names` are its parameters; `*` stands for any number of them, `...` for whatever comes.
    """

    __slots__ = ("defaults", "name", "names", "run")

    def __init__(self, name: str, names: tuple[str, ...], defaults: dict[str, Any], run: Callable[..., Any]) -> None:
        self.name = name
        self.names = names
        self.defaults = defaults
        self.run = run

    def call(self, session: Session, place: Place, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """Bind the arguments and run. Raises `wrong-arguments`."""
        names = self.names
        if names == ("...",):
            return self.run(session, place)
        variadic = bool(names) and names[-1] == "*"
        if variadic:
            if kwargs:
                raise ProgramError(
                    place, "wrong-arguments", "unknown", op=self.name, argument=next(iter(kwargs)), names=()
                )
            return self.run(session, place, *args)
        if len(args) > len(names):
            raise ProgramError(place, "wrong-arguments", "too-many", op=self.name, given=len(args), names=names)
        values = dict(zip(names, args))
        for key, value in kwargs.items():
            if key not in names or key in values:
                kind = "twice" if key in values else "unknown"
                raise ProgramError(place, "wrong-arguments", kind, op=self.name, argument=key, names=names)
            values[key] = value
        for name in names:
            if name not in values:
                if name not in self.defaults:
                    raise ProgramError(place, "wrong-arguments", "missing", op=self.name, argument=name, names=names)
                values[name] = self.defaults[name]
        return self.run(session, place, **values)


class Bound:
    """A method taken off a value: `t.reset`, `x.sum`."""

    __slots__ = ("name", "owner", "run")

    def __init__(self, owner: Any, name: str, run: Callable[..., Any]) -> None:
        self.owner = owner
        self.name = name
        self.run = run


class Dotted:
    """A module-like name that is not a value by itself: `tf`, `tf.nn`, `np`."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        self.path = path


class Derived:
    """A function made of a function: `grad(f)`. `run(session, place, args, kwargs)` calls it."""

    __slots__ = ("name", "run")

    def __init__(self, name: str, run: Callable[..., Any]) -> None:
        self.name = name
        self.run = run


class Outside:
    """A function of the `np.` door: it computes outside every tape."""

    __slots__ = ("call", "name")

    def __init__(self, name: str, call: Callable[..., Any]) -> None:
        self.name = name
        self.call = call


def kind_of(value: Any) -> str:
    """What a value is, in the words of a message."""
    if isinstance(value, NoGradient) or value is None:
        return "none"
    if isinstance(value, bool):
        return "a bool"
    if isinstance(value, (int, float, complex)):
        return "a number"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, Variable):
        return "a variable"
    if isinstance(value, Tensor):
        return "a tensor"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, tuple):
        return "a tuple"
    if isinstance(value, dict):
        return "a dict"
    if isinstance(value, GradientTape):
        return "a tape"
    if isinstance(value, range):
        return "a range"
    if isinstance(value, Module):
        kind = getattr(value, "kind", type(value).__name__)
        return f"a {kind} layer" if type(value).__name__ == kind else f"a module {kind}"
    if isinstance(value, Optimizer):
        return f"the optimizer {value.label}"
    if isinstance(value, Dotted):
        return f"the module {value.path}"
    if isinstance(value, (Function, Builtin, Bound, Outside, Derived)) or callable(value):
        return "a function"
    return type(value).__name__
