"""What stands after a dot: attributes and methods of tensors, variables, tapes; names in the doors `tf` and `np`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable
from gradcli.engine.primitive import METHODS
from gradcli.nn.module import Module
from gradcli.nn.optimizer import Optimizer

from . import modules
from .outcomes import NoGradient, Place, ProgramError
from .predefined import MISSING, dotted
from .values import QUERY_NAMES, Bound, Dotted, Function, kind_of

if TYPE_CHECKING:
    from .session import Session


def _plain(name: str) -> Any:
    return lambda session, place, owner: getattr(owner, name)


_TENSOR: dict[str, Any] = {
    "shape": _plain("shape"),
    "dtype": _plain("dtype"),
    "ndim": _plain("ndim"),
    "size": _plain("size"),
    "T": _plain("T"),
    "name": lambda session, place, owner: owner.name if isinstance(owner, Variable) else None,
}
_VARIABLE: dict[str, Any] = {"trainable": _plain("trainable")}
_TAPE: dict[str, Any] = {
    "name": _plain("name"),
    "persistent": _plain("persistent"),
}


def _numpy(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    from .outside import leave

    _none(place, "numpy", args, kwargs)
    return leave(session, owner)


def _none(place: Place, name: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    if args or kwargs:
        raise ProgramError(place, "wrong-arguments", "too-many", op=name, given=len(args) + len(kwargs), names=())


def _one(place: Place, name: str, args: list[Any], kwargs: dict[str, Any], parameter: str) -> Any:
    values = [*args, *kwargs.values()]
    if len(values) != 1 or (kwargs and parameter not in kwargs):
        kind = "missing" if not values else "too-many"
        raise ProgramError(
            place, "wrong-arguments", kind, op=name, given=len(values), names=(parameter,), argument=parameter
        )
    return values[0]


def _assign(name: str) -> Any:
    def run(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
        getattr(owner, name)(_one(place, name, args, kwargs, "value"))

    return run


def _read(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    from gradcli.engine.ops.selection import identity

    _none(place, "read_value", args, kwargs)
    return identity(owner)


def _watched(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    _none(place, "watched_variables", args, kwargs)
    return list(owner.watched_variables())


def _watch(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    for value in args:
        owner.watch(value)


def _reset(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    _none(place, "reset", args, kwargs)
    owner.reset()


_METHODS: list[tuple[type, dict[str, Any]]] = [
    (
        Variable,
        {
            "assign": _assign("assign"),
            "assign_add": _assign("assign_add"),
            "assign_sub": _assign("assign_sub"),
            "read_value": _read,
            "value": _read,
        },
    ),
    (Variable, {"numpy": _numpy}),
    (Tensor, {"numpy": _numpy}),
    (
        GradientTape,
        {
            "watched_variables": _watched,
            "watch": _watch,
            "reset": _reset,
        },
    ),
]


def method(value: Any, name: str) -> Any:
    """The function `(session, place, owner, args, kwargs)` behind a method's name; None if the value has none."""
    for kind, methods in _METHODS:
        if isinstance(value, kind) and name in methods:
            return methods[name]
    if isinstance(value, (Module, Optimizer)):
        return modules.method(value, name)
    if isinstance(value, (Tensor, Variable)) and name in METHODS:
        call = METHODS[name].call

        def run(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
            if name in ("reshape", "transpose") and len(args) > 1 and not kwargs:
                args = [list(args)]  # x.reshape(2, 3), as in NumPy
            return call(owner, *args, **kwargs)

        return run
    return None


def attribute(session: Session, place: Place, value: Any, name: str) -> Any:
    """`value.name`. Raises `unknown-name` with the names that there are."""
    if isinstance(value, Dotted):
        found = dotted(session, f"{value.path}.{name}")
        if found is not MISSING:
            return found
        raise ProgramError(place, "unknown-name", "dotted", name=f"{value.path}.{name}")
    if isinstance(value, (Module, Optimizer)):
        return modules.get(session, place, value, name)
    table = _table(value)
    if name in table:
        return table[name](session, place, value)
    run = method(value, name)
    if run is not None:
        return Bound(value, name, run)
    none = value.reason.code if isinstance(value, NoGradient) else None
    raise ProgramError(
        place, "unknown-name", "attribute", name=name, of=kind_of(value), known=attribute_names(value), none=none
    )


def _table(value: Any) -> dict[str, Any]:
    if isinstance(value, Variable):
        return _TENSOR | _VARIABLE
    if isinstance(value, Tensor):
        return _TENSOR
    if isinstance(value, GradientTape):
        return _TAPE
    if isinstance(value, Function):
        return {"name": _plain("name")}
    return {}


def attribute_names(value: Any) -> list[str]:
    """The attributes and methods a value has."""
    if isinstance(value, (Module, Optimizer)):
        return modules.attribute_names(value)
    names = [*_table(value)]
    for kind, methods in _METHODS:
        if isinstance(value, kind):
            names.extend(methods)
    if isinstance(value, (Tensor, Variable)):
        names.extend(METHODS)
    if isinstance(value, GradientTape):
        names.extend((*QUERY_NAMES, "stop_recording"))
    return sorted(names)
