"""What the engine raises: facts, never sentences. The words for them live in `gradcli.report.catalogue`.

EngineError
├── InvalidArgument (ValueError)     shape-mismatch, bad-axis, bad-value, singular-matrix,
│   │                                no-gradients
│   ├── InvalidDtype (TypeError)     dtype-mismatch, not-a-tensor, wrong-arguments
│   └── InvalidIndex (IndexError)    index-out-of-range
├── WrongUse (RuntimeError)          tape-used-up, not-recording, cannot-assign
└── NoDerivative (LookupError)       no-derivative
"""

from __future__ import annotations

from typing import Any


class EngineError(Exception):
    """An operation or a tape was used wrongly.

    `code` is the documented slug (`shape-mismatch`, `dtype-mismatch`, `tape-used-up`, …), `kind` tells apart the ways
    to get there, `facts` holds what a message needs: `op`, `shapes`, `dtypes`, `axis`, `rank` and the like.
    `site` is where the fault lies when that is not the operation being run. Made with a code that has a class of its
    own, it is of that class.
    """

    def __new__(cls, code: str, kind: str, **_: Any) -> EngineError:
        return Exception.__new__(_CLASSES.get(code, cls) if cls is EngineError else cls, code, kind)

    def __init__(self, code: str, kind: str, *, site: int = 0, **facts: object) -> None:
        super().__init__(code, kind)
        self.code = code
        self.kind = kind
        self.site = site
        self.facts = facts

    def __str__(self) -> str:
        facts = ", ".join(f"{name}={value!r}" for name, value in self.facts.items() if name != "nodes")
        return f"{self.code} ({self.kind}): {facts}" if facts else f"{self.code} ({self.kind})"


class InvalidArgument(EngineError, ValueError):
    """A shape, axis or value that an operation cannot take."""


class InvalidDtype(InvalidArgument, TypeError):
    """A dtype that does not fit, or what is no tensor at all."""


class InvalidIndex(InvalidArgument, IndexError):
    """A position that is not there."""


class WrongUse(EngineError, RuntimeError):
    """A tape or variable in the wrong state."""


class NoDerivative(EngineError, LookupError):
    """A gradient came to an operation that has no derivative here."""


_CLASSES: dict[str, type[EngineError]] = {
    "shape-mismatch": InvalidArgument, "bad-axis": InvalidArgument, "bad-value": InvalidArgument,
    "singular-matrix": InvalidArgument, "dtype-mismatch": InvalidDtype, "not-a-tensor": InvalidDtype,
    "wrong-arguments": InvalidDtype, "no-gradients": InvalidArgument, "index-out-of-range": InvalidIndex,
    "tape-used-up": WrongUse, "not-recording": WrongUse, "cannot-assign": WrongUse, "no-derivative": NoDerivative,
}  # fmt: skip
