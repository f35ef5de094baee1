"""Names for the values of a trace: those that the program gives, and `v1`, `v2`, … for the rest, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine.dtypes import dtype_name

from ..grid import summary
from ..plain import array_text

if TYPE_CHECKING:
    from gradcli.engine.tensor import Node
    from gradcli.runtime.tracing import Traced

#: entries of a value that is written in full
SMALL = 9
#: digits of an entry of an array; a lone number is written in full
_DIGITS = 6


class Names:
    """The name of each value of one trace."""

    def __init__(self, traced: Traced) -> None:
        self._known = dict(traced.names)
        self._arrays = traced.arrays
        taken = set(self._known.values()) | set(self._arrays.values())
        count = 0
        for step in traced.trace.steps:
            if step.node not in self._known:
                count += 1
                while f"v{count}" in taken:
                    count += 1
                self._known[step.node] = f"v{count}"

    def of(self, node: Node) -> str:
        """The name of a node's value."""
        return self._known.get(node, "a value from outside")

    def operand(self, node: Node | None, value: Any) -> str:
        """The name of an operand; of a value without one what it is: a small one's entries, else dtype and shape."""
        if node is not None and node in self._known:
            return self._known[node]
        if id(value) in self._arrays:
            return self._arrays[id(value)]
        if isinstance(value, (np.ndarray, np.generic)) and value.size <= SMALL:
            return array_text(np.asarray(value)[()] if not value.shape else value, _DIGITS if value.shape else None)
        dtype, shape = getattr(value, "dtype", None), getattr(value, "shape", ())
        if dtype is None:
            return str(value)
        return f"<{dtype_name(dtype)} {shape_text(shape)}>"


def shape_text(shape: Any) -> str:
    """`(2, 3)`; of a lone number `()`."""
    return "(" + ", ".join(map(str, shape)) + ")"


def brief(value: Any, precision: int | None = None) -> str:
    """A value on one line: the entries of a small one, else its extremes, mean, NaN and zeros."""
    if value is None:
        return "not kept"
    by_position = getattr(value, "by_position", None)
    if by_position is not None:
        return "; ".join(f"result {i}: {brief(part, precision)}" for i, part in sorted(by_position.items()))
    data = np.asarray(value)
    if data.size <= SMALL or data.dtype.kind not in "iuf":
        few = data.reshape(-1)[:SMALL] if data.size > SMALL else data
        text = array_text(few[()] if not few.shape else few, precision or (_DIGITS if few.shape else None))
        return text if data.size <= SMALL else text.removesuffix("]") + ", …]"
    return summary(data)
