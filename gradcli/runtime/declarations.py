"""Declarations to closures: variables and constants with dtype, shape and options; what `--set` puts in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import EngineError, Tensor, Variable, constant, current_state

from .builtins import make_constant, make_variable, shape_argument
from .outcomes import NoGradient, ProgramError
from .values import kind_of

if TYPE_CHECKING:
    from .compiler import Closure, Compiler, Frame


def declare_statement(compiler: Compiler, node: Any) -> Closure:
    """`variable x = 3.0` or `constant k = 2`."""
    session, place, name = compiler.session, compiler.place(node), node.name
    value, state, site = compiler.expr(node.value), session.state, compiler.site(node)
    options = {option.name: compiler.expr(option.value) for option in node.options}
    dtype = compiler.expr(node.dtype) if node.dtype is not None else options.pop("dtype", None)
    shape = [compiler.expr(item) for item in node.shape] if node.shape is not None else None
    shape_option = options.pop("shape", None)
    top = compiler.scope.parent is None
    make = _make_variable if node.kind == "variable" else _make_constant
    if node.kind == "constant" and "trainable" in options:
        option = next(o for o in node.options if o.name == "trainable")
        raise compiler.error(option, "unknown-option", "constant-trainable", name="trainable")

    def declare(frame: Frame) -> None:
        override = session.override(name) if top else None
        v = value(frame) if override is None else _overridden(override, value, frame)
        state.site = site
        if v is None or not _is_value(v):
            none = v.reason.code if isinstance(v, NoGradient) else None
            raise ProgramError(place, "not-a-tensor", "declared", given=kind_of(v), name=name, none=none)
        given = {key: option(frame) for key, option in options.items()}
        kind = dtype(frame) if dtype is not None else None
        dims = None
        if shape is not None:
            dims = shape_argument([item(frame) for item in shape], place)
        elif shape_option is not None:
            dims = shape_argument(shape_option(frame), place)
        state.site = site
        frame[name] = made = make(session, v, given, kind, dims, name)
        if session.tracing is not None:
            session.tracing.name(made, name)
        frame.pop(("rebound", name), None)

    return declare


def _overridden(override: Any, declared: Closure, frame: Frame) -> Any:
    """What `--set` gave; a whole number takes the floating dtype of the value it stands for (`--set x=5`)."""
    if not _is_whole(override):
        return override
    try:
        value = declared(frame)
    except (ProgramError, EngineError):
        return override
    if isinstance(value, (Tensor, Variable)):
        return constant(override, value.dtype) if value.dtype.kind == "f" else override
    return constant(override, current_state().float_dtype) if _is_float(value) else override


def _is_whole(value: Any) -> bool:
    if isinstance(value, list):
        return all(_is_whole(item) for item in value)
    return isinstance(value, int) and not isinstance(value, bool)


def _is_float(value: Any) -> bool:
    return any(_is_float(item) for item in value) if isinstance(value, list) else isinstance(value, float)


def _is_value(value: Any) -> bool:
    return isinstance(value, (int, float, complex, str, list, tuple, Tensor, Variable))


def _make_variable(session: Any, value: Any, options: dict[str, Any], dtype: Any, shape: Any, name: str) -> Any:
    return make_variable(session, value, options.get("trainable", True), str(options.get("name", name)), dtype, shape)


def _make_constant(session: Any, value: Any, options: dict[str, Any], dtype: Any, shape: Any, name: str) -> Any:
    return make_constant(session, value, dtype, shape)
