"""The names that a program finds defined: constants, functions of the language, operations, dtypes, the doors."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from gradcli.engine import REGISTRY, lookup
from gradcli.engine.dtypes import NAMES, STRING
from gradcli.engine.primitive import ALIASES, NUMPY

from .builtins import BUILTINS
from .modules import NAMES as MODULES
from .modules import function_of
from .values import Dotted, Outside

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .session import Session

MISSING: Any = object()

CONSTANTS = {"inf": math.inf, "nan": math.nan, "pi": math.pi, "e": math.e}
#: the roots of dotted names: TensorFlow's modules, with or without `tf.`, and the door to NumPy
ROOTS = frozenset({"tf", "np", "numpy", "nn", "math", "linalg", "random", "signal", "keras"})
_MODULES = ROOTS | {"dtypes", "autodiff", "losses", "layers", "optimizers"}
_TENSORFLOW = {
    "Variable": "variable",
    "constant": "constant",
    "convert_to_tensor": "constant",
    "random.set_seed": "set_seed",
}


def predefined(session: Session, name: str) -> Any:
    """The value of a name that no scope binds; `MISSING` if there is none."""
    if name in CONSTANTS:
        return CONSTANTS[name]
    builtin = BUILTINS.get(name)
    if builtin is not None:
        return builtin
    if name in MODULES:
        return function_of(name)
    op = lookup(name)
    if op is not None:
        return op.call
    if name in NAMES:
        return NAMES[name]
    if name == "string":
        return STRING
    return Dotted(name) if name in ROOTS else MISSING


def dotted(session: Session, path: str) -> Any:
    """The value of a name like `tf.nn.sigmoid` or `np.mean`; `MISSING` if there is none."""
    root, _, rest = path.partition(".")
    if not rest:
        return predefined(session, path)
    if root in ("np", "numpy"):
        if rest in CONSTANTS:
            return CONSTANTS[rest]
        if rest in NAMES:
            return NAMES[rest]
        op = NUMPY.get(rest)
        return MISSING if op is None else Outside(f"{root}.{rest}", op.call)
    plain = path.removeprefix("tf.")
    op = lookup(plain)
    if op is not None:
        return op.call
    if root == "tf":
        name = _TENSORFLOW.get(plain, plain)
        if name in BUILTINS and (plain in _TENSORFLOW or plain == "gradients"):
            return BUILTINS[name]
        if plain in NAMES:
            return NAMES[plain]
        if plain == "string":
            return STRING
    if path in CONSTANTS or plain in ("math.pi", "math.e"):
        return CONSTANTS[plain.rpartition(".")[2]]
    last = plain.rpartition(".")[2]
    if last in MODULES:
        return function_of(last)
    return Dotted(path) if last in _MODULES else MISSING


def known(name: str) -> bool:
    """Is a plain name predefined?"""
    return (
        name in CONSTANTS or name in BUILTINS or name in MODULES or lookup(name) is not None or name in NAMES
        or name == "string" or name in ROOTS
    )  # fmt: skip


def candidates() -> Iterable[str]:
    """Every predefined name, for suggestions."""
    return (*CONSTANTS, *BUILTINS, *MODULES, *REGISTRY, *ALIASES, *NAMES)
