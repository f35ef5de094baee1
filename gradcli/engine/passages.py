"""Passages of a value that are no operations of the registry, but stand in the history of a tensor.

A node carries one of them as its operation where a value came by assignment, out of a gradient call, or from outside.
"""

from __future__ import annotations

from typing import Any

from .primitive import Primitive


def _nothing(*_: Any) -> Any:
    raise AssertionError("a passage is not called")


def passage(name: str, code: str | None) -> Primitive:
    """A passage called `name`; `code` is the reason a None tells where the path ends here."""
    op = Primitive(name, _nothing)
    op.blocked = code
    op.arity = 1
    op.rules = (None,)
    return op


#: a variable took the value of a tensor
ASSIGN = passage("assign", "cut-assign")
#: the result of a gradient query
GRADIENT = passage("gradient", "after-tape")
#: a gradient that is not finite and carries its mathematical value in `params`; it hands a gradient on
SETTLED = Primitive("gradient", lambda x, math: x)
SETTLED.family = "passage"
SETTLED.rules = (lambda ct, _y, _x, **_: ct,)
SETTLED.keeps_x = (False,)
#: a value computed by NumPy, or handed over as an array
OUTSIDE = passage("numpy", "cut-outside")
