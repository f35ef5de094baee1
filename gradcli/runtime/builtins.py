"""The functions of the language that are no operations. Each is one entry of `BUILTINS`.

The queries stand here by name; how they ask a tape is in `queries`. Layers, losses and optimizers are in `modules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, GradientTape, Tensor, Variable, constant
from gradcli.engine.operands import holds_tensor

from . import data_files, functional
from .approx import approximately
from .outcomes import Place, ProgramError, Shown
from .values import QUERY_NAMES, Builtin, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .session import Session

BUILTINS: dict[str, Builtin] = {}


def builtin(name: str, /, *names: str, **defaults: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Enter a function of the language under `name`, with its parameters and their defaults."""

    def enter(run: Callable[..., Any]) -> Callable[..., Any]:
        BUILTINS[name] = Builtin(name, (*names, *defaults), defaults, run)
        return run

    return enter


@builtin("print", "*")
def _print(session: Session, place: Place, *values: Any) -> None:
    for value in values:
        session.emit(Shown(place, value))


@builtin("len", "x")
def _len(session: Session, place: Place, x: Any) -> int:
    if isinstance(x, (list, tuple, dict, str, range, Tensor, Variable)):
        return len(x)
    raise ProgramError(place, "not-a-tensor", "no-length", given=kind_of(x))


def _whole(value: Any, place: Place, op: str) -> int:
    try:
        if isinstance(value, (bool, float)):
            raise TypeError
        return int(value.__index__())
    except (AttributeError, TypeError, EngineError):
        raise ProgramError(place, "bad-value", "whole-number", op=op, given=kind_of(value)) from None


@builtin("range", "start", stop=None, step=1)
def _range(session: Session, place: Place, start: Any, stop: Any, step: Any) -> range:
    first, last = _whole(start, place, "range"), None if stop is None else _whole(stop, place, "range")
    by = _whole(step, place, "range")
    if by == 0:
        raise ProgramError(place, "bad-value", "zero-step", op="range")
    return range(first) if last is None else range(first, last, by)


def _iterated(values: tuple[Any, ...], place: Place) -> list[Any]:
    from .expressions import entries

    return [entries(value, place) for value in values]


@builtin("zip", "*")
def _zip(session: Session, place: Place, *values: Any) -> list[Any]:
    return list(zip(*_iterated(values, place)))


@builtin("enumerate", "x", start=0)
def _enumerate(session: Session, place: Place, x: Any, start: Any) -> list[Any]:
    return list(enumerate(_iterated((x,), place)[0], _whole(start, place, "enumerate")))


@builtin("type", "x")
def _type(session: Session, place: Place, x: Any) -> str:
    if isinstance(x, Variable):
        return "Variable"
    if isinstance(x, Tensor):
        return "Tensor"
    if isinstance(x, GradientTape):
        return "Tape"
    return kind_of(x).removeprefix("a ")


@builtin("isclose", "a", "b", rtol=1e-5, atol=1e-8)
def _isclose(session: Session, place: Place, a: Any, b: Any, rtol: Any, atol: Any) -> bool:
    try:
        return approximately(a, b, float(rtol), float(atol)).ok
    except (TypeError, ValueError):
        raise ProgramError(place, "bad-value", "tolerance", op="isclose") from None


def shape_argument(value: Any, place: Place) -> tuple[int, ...] | None:
    """A shape as a tuple of whole numbers."""
    if value is None:
        return None
    items = value if isinstance(value, (list, tuple)) else [value]
    return tuple(_whole(item, place, "shape") for item in items)


@builtin("constant", "value", dtype=None, shape=None, name=None)
def _constant(session: Session, place: Place, value: Any, dtype: Any, shape: Any, name: Any) -> Tensor:
    return make_constant(session, value, dtype, shape_argument(shape, place))


def make_constant(session: Session, value: Any, dtype: Any, shape: Any) -> Tensor:
    """A constant of the language: a number, list or array is a new tensor, a tensor stays the tensor it is."""
    if isinstance(value, (Tensor, Variable)) or holds_tensor(value):
        tensor = session.tensor(value)
        if dtype is not None or shape is not None:
            constant(tensor, dtype, shape)  # checks what was declared
        return tensor
    return constant(value, dtype, shape)


@builtin("variable", "value", trainable=True, name="Variable", dtype=None, shape=None)
def _variable(
    session: Session, place: Place, value: Any, trainable: Any, name: Any, dtype: Any, shape: Any
) -> Variable:  # fmt: skip
    return make_variable(session, value, trainable, str(name), dtype, shape_argument(shape, place))


def make_variable(session: Session, value: Any, trainable: Any, name: str, dtype: Any, shape: Any) -> Variable:
    """A variable of the language, of a number, list, array or tensor."""
    if isinstance(value, Variable) or holds_tensor(value):
        value = session.tensor(value)
    return Variable(value, bool(trainable), name, dtype, shape)


@builtin("load", "path", dtype=None, **data_files.LAYOUT)
def _load(session: Session, place: Place, path: Any, dtype: Any, **layout: Any) -> Any:
    return data_files.load(session, place, path, dtype, layout)


@builtin("save", "path", "value")
def _save(session: Session, place: Place, path: Any, value: Any) -> None:
    data_files.save(session, place, path, value)


@builtin("set_seed", "seed")
def _set_seed(session: Session, place: Place, seed: Any) -> None:
    number = _whole(seed, place, "set_seed")
    if not 0 <= number < 2**63:
        raise ProgramError(place, "bad-value", "whole-number", op="set_seed", given="a number below 0 or beyond 2**63")
    session.state.random = np.random.default_rng(number)


def _by_name(name: str) -> None:
    """A query: every call by name is compiled in `queries`; this is reached when the function itself is passed on."""

    @builtin(name, "...")
    def refuse(session: Session, place: Place) -> Any:
        raise ProgramError(place, "wrong-arguments", "call-by-name", op=name)


for _name in QUERY_NAMES:
    _by_name(_name)


@builtin("grad", "f")
def _grad(session: Session, place: Place, f: Any) -> Any:
    return functional.grad(session, place, f)


@builtin("value_and_grad", "f")
def _value_and_grad(session: Session, place: Place, f: Any) -> Any:
    return functional.value_and_grad(session, place, f)


@builtin("vmap", "f")
def _vmap(session: Session, place: Place, f: Any) -> Any:
    return functional.vmap(session, place, f)


@builtin("custom_gradient", "f", "df")
def _custom_gradient(session: Session, place: Place, f: Any, df: Any) -> Any:
    return functional.custom_gradient(session, place, f, df)


@builtin("recompute", "f")
def _recompute(session: Session, place: Place, f: Any) -> Any:
    return functional.recompute(session, place, f)
