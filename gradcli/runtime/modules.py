"""Modules in programs: the `module` statement, and layers, losses and optimizers as functions of the language."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from gradcli.engine import EngineError, Tensor, Variable
from gradcli.engine.journal import entering
from gradcli.engine.structure import flatten, pack
from gradcli.nn.module import Module
from gradcli.nn.names import ALIASES, PLACES, find, parameters
from gradcli.nn.optimizer import Optimizer

from . import data_files
from .compiler import PARENT
from .outcomes import NoGradient, Place, ProgramError
from .values import Bound, Builtin, Derived, Function, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from .session import Session

#: layers, losses and optimizers that Keras has and this version does not
LATER = frozenset([
    "Adadelta", "Adamax", "Adafactor", "Bidirectional", "ConvLSTM2D", "Conv1DTranspose", "Conv2DTranspose", "Conv3D",
    "DepthwiseConv2D", "Ftrl", "GroupNormalization", "Lamb", "Lion", "Nadam", "SeparableConv2D", "SpatialDropout1D",
    "SpatialDropout2D", "SpectralNormalization", "TimeDistributed", "UnitNormalization",
])  # fmt: skip
#: every name of `gradcli.nn` that a program may use, and those that are told of
NAMES = frozenset((*PLACES, *ALIASES, *LATER))
_LISTS = ("variables", "trainable_variables", "non_trainable_variables", "submodules", "weights")
_METHODS = {
    "get_weights": (),
    "set_weights": ("weights",),
    "count_params": (),
    "build": ("input_shape",),
    "add": ("layer",),
}


class ProgramModule(Module):
    """A module of a program: its attributes are the names that its block bound, in their order."""

    def __init__(self, kind: str, frame: dict[Any, Any]) -> None:
        super().__init__()
        self._kind = kind
        self._frame = frame

    @property
    def name(self) -> str:
        """The name of the module statement, as a variable is written."""
        from gradcli.nn.module import snake

        return snake(self._kind)

    @property
    def kind(self) -> str:
        """The name of the module statement."""
        return self._kind

    def attributes(self) -> list[tuple[str, Any]]:
        """What the block bound."""
        return [(name, value) for name, value in self._frame.items() if isinstance(name, str) and name != PARENT]

    @property
    def takes_training(self) -> bool:
        """Does its `call` have a parameter `training`?"""
        call = self._frame.get("call")
        return isinstance(call, Function) and "training" in call.params

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self._frame.get("call")
        if not isinstance(call, Function):
            raise EngineError("not-a-tensor", "no-call", op=self._kind)
        return call.call(call.place, list(args), kwargs)

    def set(self, name: str, value: Any) -> None:
        """Give an attribute another value."""
        entering(self)
        self._frame[name] = value


class ModuleClass(Function):
    """What a `module` statement makes: calling it runs the block, and what that bound is the module."""

    __slots__ = ()

    def call(self, place: Place, args: list[Any], kwargs: dict[str, Any]) -> ProgramModule:
        """A new module. Raises `wrong-arguments`, and what its block raises."""
        frame = self._bind(place, args, kwargs)
        session = self.session
        before, session.calls = session.calls, session.calls + 1
        try:
            for statement in self.body:
                statement(frame)
        finally:
            session.calls = before
        return ProgramModule(self.name, frame)


def _later(name: str) -> Builtin:
    def refuse(session: Session, place: Place) -> Any:
        raise ProgramError(place, "not-available", "later", name=name)

    return Builtin(name, ("...",), {}, refuse)


@cache
def function_of(name: str) -> Builtin:
    """A layer, loss, optimizer or initializer as a function of the language."""
    if name in LATER:
        return _later(name)
    made = find(name)
    names, defaults = parameters(made)

    def run(session: Session, place: Place, **values: Any) -> Any:
        return made(**{key: _plain(session, place, value) for key, value in values.items()})

    return Builtin(name, names, defaults, run)


def _plain(session: Session, place: Place, value: Any) -> Any:
    """A function of the program as one of Python; a list of such too; anything else as it is."""
    if isinstance(value, Builtin) and value.name in PLACES:
        return find(value.name)
    if isinstance(value, (Function, Derived, Builtin, Bound)):
        return _Called(session, place, value)
    if isinstance(value, (list, tuple)) and not isinstance(value, str):
        return [_plain(session, place, item) for item in value]
    return None if type(value) is NoGradient else value


class _Called:
    """A function of the program that a layer calls."""

    __slots__ = ("function", "place", "session")

    def __init__(self, session: Session, place: Place, function: Any) -> None:
        self.session = session
        self.place = place
        self.function = function

    @property
    def takes_training(self) -> bool:
        """A function of a tensor takes nothing else."""
        return False

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from .calls import apply

        return apply(self.session, self.place, self.function, list(args), kwargs)


@cache
def _call_names(kind: Any) -> tuple[str, ...]:
    import inspect

    return tuple(name for name in inspect.signature(kind.__call__).parameters if name != "self")


def call_module(session: Session, place: Place, module: Module, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """`layer(x)`. Raises `wrong-arguments` and `not-a-tensor`."""
    if type(module) is ProgramModule:
        call = dict(module.attributes()).get("call")
        if not isinstance(call, Function):
            raise ProgramError(place, "not-a-tensor", "no-call", op=module.kind)
        return call.call(place, args, kwargs)
    if len(args) != 1 or kwargs:
        layer: Any = type(module)
        names, op = _call_names(layer), layer.__name__
        if len(args) > len(names):
            raise ProgramError(place, "wrong-arguments", "too-many", op=op, given=len(args), names=names)
        for key in kwargs:
            if key not in names or key in names[: len(args)]:
                kind = "unknown" if key not in names else "twice"
                raise ProgramError(place, "wrong-arguments", kind, op=op, argument=key, names=names)
        if not args and names[0] not in kwargs:
            raise ProgramError(place, "wrong-arguments", "missing", op=op, argument=names[0], names=names)
    if args and (args[0] is None or type(args[0]) is NoGradient):
        none = args[0].reason.code if args[0] is not None else None
        raise ProgramError(place, "not-a-tensor", "operand", op=type(module).__name__, type="none", none=none)
    run: Any = module
    return run(*args, **kwargs)


# -- what stands after a dot -------------------------------------------------------------------------------------------


def attributes_of(value: Module | Optimizer) -> dict[str, Any]:
    """The attributes of a module or an optimizer by name, as a program sees them."""
    if isinstance(value, Optimizer):
        names = [name for name in vars(value) if not name.startswith("_") and name != "slots"]
        return {name: getattr(value, name) for name in names}
    found: dict[str, Any] = dict.fromkeys((*_LISTS, "name", "trainable"))
    own = value.attributes() if isinstance(value, ProgramModule) else vars(value).items()
    found.update((name, item) for name, item in own if not name.startswith("_"))
    return found


def get(session: Session, place: Place, value: Module | Optimizer, name: str) -> Any:
    """`value.name`; a method is bound. Raises `unknown-name` with the nearest name."""
    known = attributes_of(value)
    if isinstance(value, Module) and name in (*_LISTS, "name", "trainable") and known[name] is None:
        found = getattr(value, name)
        return list(found) if name in _LISTS else found
    if name in known:
        return known[name]
    run = method(value, name)
    if run is not None:
        return Bound(value, name, run)
    raise _unknown(place, value, name)


def _unknown(place: Place, value: Any, name: str) -> ProgramError:
    return ProgramError(
        place, "unknown-name", "attribute", name=name, of=kind_of(value), known=attribute_names(value), none=None
    )


def attribute_names(value: Module | Optimizer) -> list[str]:
    """The attributes and methods of a module or an optimizer."""
    methods = ("apply", "apply_gradients") if isinstance(value, Optimizer) else _METHODS
    files = () if isinstance(value, Optimizer) else _FILES
    return sorted({*attributes_of(value), *files, *(name for name in methods if hasattr(value, name))})


def method(value: Any, name: str) -> Callable[..., Any] | None:
    """The function `(session, place, owner, args, kwargs)` behind a method's name; None if the value has none."""
    if isinstance(value, Optimizer):
        return _STEPS.get(name)
    if isinstance(value, ProgramModule) and name in value._frame:
        return None
    if name in _FILES:
        return _FILES[name]
    names = _METHODS.get(name)
    if names is None or not hasattr(value, name):
        return None

    def run(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        def call(session: Session, place: Place, **values: Any) -> Any:
            found = getattr(owner, name)(*(_plain(session, place, item) for item in values.values()))
            return [Tensor(item[()]) for item in found] if name == "get_weights" else found

        return Builtin(name, names, {}, call).call(session, place, args, kwargs)

    return run


def _apply(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    def call(session: Session, place: Place, grads: Any, variables: Any) -> None:
        flat = flatten(grads)
        reasons = [item.reason.code if type(item) is NoGradient else "" for item in flat]
        if flat and all(item is None or type(item) is NoGradient for item in flat):
            named = [item.name if isinstance(item, Variable) else "" for item in flatten(variables)]
            if len(named) == len(flat):
                raise ProgramError(
                    place, "no-gradients", "all-none", op=owner.label, variables=tuple(named), reasons=tuple(reasons)
                )
        owner.apply(pack(grads, iter([None if type(i) is NoGradient else i for i in flat])), variables)

    return Builtin("apply", ("grads", "variables"), {}, call).call(session, place, args, kwargs)  # type: ignore[no-any-return]


def _apply_pairs(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    def call(session: Session, place: Place, grads_and_vars: Any) -> None:
        pairs = list(grads_and_vars) if isinstance(grads_and_vars, (list, tuple)) else []
        if not pairs or any(not isinstance(item, (list, tuple)) or len(item) != 2 for item in pairs):
            raise ProgramError(
                place, "wrong-arguments", "gradient-pairs", op=owner.label, given=kind_of(grads_and_vars)
            )
        _apply(session, place, owner, [[grad for grad, _ in pairs], [variable for _, variable in pairs]], {})

    return Builtin("apply_gradients", ("grads_and_vars",), {}, call).call(session, place, args, kwargs)  # type: ignore[no-any-return]


def _save(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    def call(session: Session, place: Place, path: Any) -> None:
        named = owner.named_variables()
        if not named:
            raise ProgramError(place, "bad-value", "no-variables", op=owner.name)
        data_files.save(session, place, path, named)

    Builtin("save", ("path",), {}, call).call(session, place, args, kwargs)


def _load(session: Session, place: Place, owner: Any, args: list[Any], kwargs: dict[str, Any]) -> None:
    def call(session: Session, place: Place, path: Any) -> None:
        found = data_files.load(session, place, path, None, {})
        if not owner.named_variables():
            raise ProgramError(place, "bad-value", "no-variables", op=owner.name)
        owner.set_weights(_by_path(found) if isinstance(found, dict) else [found])

    Builtin("load", ("path",), {}, call).call(session, place, args, kwargs)


def _by_path(found: dict[Any, Any], above: str = "") -> dict[str, Any]:
    """Nested dicts of a .json file as one, by dotted names."""
    flat: dict[str, Any] = {}
    for key, value in found.items():
        path = f"{above}.{key}" if above else str(key)
        flat.update(_by_path(value, path) if isinstance(value, dict) else {path: value})
    return flat


_FILES: dict[str, Callable[..., Any]] = {"save": _save, "load": _load}
_STEPS: dict[str, Callable[..., Any]] = {"apply": _apply, "apply_gradients": _apply_pairs}


def put(session: Session, place: Place, owner: Any, name: str, value: Any) -> None:
    """`owner.name = value`. Raises `cannot-assign` where that is not possible, `unknown-name` for an unknown name."""
    if not isinstance(owner, (Module, Optimizer)):
        raise ProgramError(place, "cannot-assign", "entry", of=f"an attribute of {kind_of(owner)}")
    if name not in attributes_of(owner):
        raise _unknown(place, owner, name)
    if isinstance(owner, Module) and name in (*_LISTS, "name"):
        raise ProgramError(place, "cannot-assign", "read-only", name=name, of=kind_of(owner))
    if name == "trainable":
        owner.trainable = bool(value)  # type: ignore[union-attr]
    elif isinstance(attributes_of(owner)[name], Variable):
        raise ProgramError(place, "cannot-assign", "module-variable", name=name)
    elif isinstance(owner, ProgramModule):
        owner.set(name, value)
    elif isinstance(owner, Optimizer) and name == "learning_rate":
        from gradcli.engine.ops.axes import number

        given = _plain(session, place, value)
        entering(owner)
        owner.learning_rate = given if callable(given) else number(given, owner.label, name)
    else:
        raise ProgramError(place, "cannot-assign", "read-only", name=name, of=kind_of(owner))
