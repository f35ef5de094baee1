"""The registry: one entry an operation, from which its call, its derivative, its page and its tests come.

An entry is a decorated function in `ops/<family>.py`; see `registrars` for the decorators and CONTRIBUTING.md for the
recipe. This file knows what an operation is, not how it is called (`calling`) and not one operation by name.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .dtypes import dtype_name
from .errors import EngineError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Rule = Callable[..., Any]

#: dtype kinds an operand may have, by the word that entries use
KINDS = {"float": "fc", "real": "f", "number": "iufc", "ordered": "iuf", "integer": "iu", "bool": "b", "any": "biufcUS",
         "numeric": "biufc"}  # fmt: skip


#: what TensorFlow calls the first operand of one operation or another
_FIRST = frozenset(
    ["input", "input_tensor", "tensor", "value", "values", "features", "logits", "params", "t", "x", "a"]
)


class Case:
    """Operands and parameters with which the laws try an operation: `Case((2, 3), (3,), axis=1)`.

    A tuple is the shape of a random operand within the operation's domain; a list or number is taken as it is.
    """

    __slots__ = ("operands", "params")

    def __init__(self, *operands: Any, **params: Any) -> None:
        self.operands = operands
        self.params = params


class Kink:
    """Where an operation has no derivative, and which value stands for it.

    `where(y, *xs, **params)` gives the mask of such entries; `code` is `kink`, `tie` or `domain-edge`; `convention`
    is the value taken, in words; `slopes` the two one-sided slopes, in words. `of` is the parameter that tells for
    which operation this one was called, if it is a part of several.
    """

    __slots__ = ("code", "convention", "of", "slopes", "where")

    def __init__(self, code: str, where: Callable[..., Any], convention: str, slopes: str, of: str = "") -> None:
        self.code = code
        self.of = of
        self.where = where
        self.convention = convention
        self.slopes = slopes


class Differs:
    """Where TensorFlow's derivative is a wrong finite number, and the rules that give it.

    `where(y, *xs, **params)` gives the mask of such entries; `rules` stand in the place of the operation's own.
    """

    __slots__ = ("rules", "where")

    def __init__(self, where: Callable[..., Any], *rules: Rule | None) -> None:
        self.where = where
        self.rules = rules


class Primitive:
    """One operation.

    `rules[i](ct, y, *xs, **params)` is the contribution to operand i: None where none flows (an index, a condition).
    `blocked` is the reason code where nothing flows at all. `arity` counts the tensor operands, -1 for a list of them.
    """

    __slots__ = (
        "accepts", "aliases", "anew", "arity", "batchable", "blocked", "call", "cases", "composite",
        "covers", "decides", "defaults",
        "domain", "elementwise", "family", "forward", "inside", "jvp", "keeps_x", "keeps_y", "kink", "literal_float",
        "method", "name", "names", "numpy", "plain", "prepare", "result", "rules", "summary", "tensorflow",
        "underivable",
    )  # fmt: skip

    def __init__(self, name: str, forward: Callable[..., Any]) -> None:
        self.name = name
        self.forward = forward
        self.family = ""
        self.aliases: tuple[str, ...] = ()
        self.numpy: str | None = None
        self.method: str | None = None
        self.arity = 1
        self.names: tuple[str, ...] = ()
        self.defaults: dict[str, Any] = {}
        self.accepts: tuple[str, ...] = ()
        self.literal_float = False
        self.rules: tuple[Rule | None, ...] = ()
        self.jvp: Rule | None = None
        self.keeps_x: tuple[bool, ...] = ()
        self.keeps_y = False
        self.blocked: str | None = None
        self.batchable = True
        #: its result is a choice (a comparison, logic): where it changes, what depends on it may have a kink
        self.decides = False
        self.elementwise = False
        #: of two operands those that its forward and rules use by Python's operators alone: a number may stay a number
        self.plain = (False, False)
        self.composite = False
        #: it has a derivative that nobody wrote: a gradient that passes it is an error, not None; what the error names
        self.underivable = ""
        self.prepare: Callable[..., dict[str, Any]] | None = None
        #: the parameters for other operands, of an operation whose parameters hold what its operands decided
        self.anew: Callable[..., dict[str, Any]] | None = None
        #: for each operand where it is smooth: `(low, high)`, or `(low, high, low, high)` around a kink or pole
        self.domain: tuple[tuple[float, ...], ...] = ()
        self.cases: tuple[Case, ...] = ()
        self.kink: Kink | None = None
        #: of one call of a user's own function: what it ran, if that was kept (`inside.Inside`)
        self.inside: Any = None
        #: of one such call, the shape and dtype of its result, if it has one
        self.result: Any = None
        #: of a list of operands, how many the rule gives a gradient for; 0: all of them
        self.covers = 0
        self.tensorflow: Differs | None = None
        self.summary = ""
        self.call: Callable[..., Any] = forward

    @property
    def differentiable(self) -> bool:
        """Does a gradient flow through at least one operand?"""
        return self.blocked is None and (self.composite or any(rule is not None for rule in self.rules))

    @property
    def doc(self) -> str:
        """The entry's page: a sentence, the derivative, an example."""
        return self.forward.__doc__ or ""

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Split a call into operands and parameters. Raises `wrong-arguments`, naming what the operation takes."""
        names, arity = self.names, self.arity if self.arity >= 0 else 1
        if len(args) > len(names):
            raise EngineError("wrong-arguments", "too-many", op=self.name, given=len(args), names=names)
        values = dict(zip(names, args))
        for key, value in kwargs.items():
            name = {"axes": "perm", "dim": "axis", "keep_dims": "keepdims"}.get(key, key) if key not in names else key
            if names[:2] == ("a", "b") and key in ("x", "y"):
                name = "a" if key == "x" else "b"  # TensorFlow's names of two equal operands
            if name not in names and name in _FIRST and names and names[0] not in values and names[0] not in kwargs:
                name = names[0]
            if name not in names:
                raise EngineError("wrong-arguments", "unknown", op=self.name, argument=key, names=names)
            if name in values:
                raise EngineError("wrong-arguments", "twice", op=self.name, argument=key, names=names)
            values[name] = value
        operands = []
        for name in names[:arity]:
            if name not in values:
                if name in self.defaults:
                    operands.append(self.defaults[name])
                    continue
                raise EngineError("wrong-arguments", "missing", op=self.name, argument=name, names=names)
            operands.append(values[name])
        params = {}
        for name in names[arity:]:
            if name in values:
                params[name] = values[name]
            elif name in self.defaults:
                params[name] = self.defaults[name]
            else:
                raise EngineError("wrong-arguments", "missing", op=self.name, argument=name, names=names)
        return operands, params

    def refuse_dtype(self, dtype: Any, operand: int) -> EngineError:
        """The error for an operand of a dtype that the operation does not take."""
        return EngineError(
            "dtype-mismatch", "unsupported", op=self.name, dtype=dtype_name(dtype), operand=operand,
            accepts=self.accepts[min(operand, len(self.accepts) - 1)],
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


class Entries(dict[str, Primitive]):
    """Operations by name. A family of `ops/` is imported when one of its names is first asked for.

    `ops/families.py` holds the family of each name, as plain data; it is generated, and a test holds it current.
    Whoever goes through the entries has them all.
    """

    def __init__(self, kind: str) -> None:
        super().__init__()
        self.kind = kind

    def __missing__(self, name: str) -> Primitive:
        from .ops.families import FAMILIES

        family = FAMILIES[self.kind].get(name)
        if family is not None:
            _import(family)
        if dict.__contains__(self, name):
            return dict.__getitem__(self, name)
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The operation, or `default`."""
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        load_all()
        return super().__iter__()

    def __len__(self) -> int:
        load_all()
        return super().__len__()

    def keys(self) -> Any:
        """All names."""
        load_all()
        return super().keys()

    def values(self) -> Any:
        """All operations."""
        load_all()
        return super().values()

    def items(self) -> Any:
        """All pairs."""
        load_all()
        return super().items()


#: canonical name → operation
REGISTRY = Entries("name")
#: every other name it answers to, without `tf.` → operation
ALIASES = Entries("alias")
#: NumPy's name, for the `np.` door → operation
NUMPY = Entries("numpy")
#: method name → operation
METHODS = Entries("method")
_all_loaded = [False]


def load_all() -> None:
    """Import every family."""
    if _all_loaded[0]:
        return
    from pkgutil import iter_modules

    from . import ops

    for module in iter_modules(ops.__path__):
        _import(module.name)
    _all_loaded[0] = True  # only now: another thread, or whoever goes on after an interrupt, must not take some for all


def _import(family: str) -> None:
    try:
        import_module(f".ops.{family}", __package__)
    except BaseException:  # an interrupt: Python forgets the module, and so must the entries, or they come in twice
        for entries in (REGISTRY, ALIASES, NUMPY, METHODS):
            half = [name for name, op in dict.items(entries) if op.forward.__module__ not in sys.modules]
            for name in half:
                del entries[name]
        raise


def _loaded(entries: Entries, name: str) -> Primitive | None:
    return dict.get(entries, name)


def register(op: Primitive) -> None:
    """Enter an operation under all its names. A name taken twice is a mistake in the entries: ValueError."""
    if _loaded(REGISTRY, op.name) or _loaded(ALIASES, op.name):
        raise ValueError(f"operation {op.name} is registered twice")
    REGISTRY[op.name] = op
    for alias in op.aliases:
        if _loaded(REGISTRY, alias) or (_loaded(ALIASES, alias) or op) is not op:
            raise ValueError(f"{alias} would name two operations")
        ALIASES[alias] = op
    if op.numpy:
        NUMPY[op.numpy] = op
        if op.numpy != op.name and not _loaded(ALIASES, op.numpy):
            ALIASES[op.numpy] = op
    if op.method:
        METHODS[op.method] = op


def lookup(name: str) -> Primitive | None:
    """The operation that answers to `name`, with or without `tf.`; None if there is none."""
    plain = name.removeprefix("tf.")
    found: Primitive | None = REGISTRY.get(plain) or ALIASES.get(plain)
    return found


def all_names() -> Iterable[str]:
    """Every name that `lookup` knows, for suggestions."""
    return (*REGISTRY, *ALIASES)
