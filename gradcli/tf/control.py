"""Control flow with TensorFlow's names; everything runs eagerly, and only what ran is recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import Tensor, Variable, constant, structure
from gradcli.engine.history import shadow
from gradcli.engine.ops.joining import stack
from gradcli.engine.ops.selection import as_tensor
from gradcli.engine.passages import OUTSIDE
from gradcli.engine.recording import current_state

if TYPE_CHECKING:
    from collections.abc import Callable


def function(func: Any = None, **_: Any) -> Any:
    """`@tf.function`: the function as it is."""
    return func if func is not None else lambda f: f


def cond(pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None) -> Any:
    """Run one of two functions."""
    return true_fn() if bool(as_tensor(pred)) else false_fn()


def while_loop(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, maximum_iterations: Any = None, **_: Any
) -> Any:
    """Run `body` on the loop variables as long as `cond` holds."""
    count = 0
    while (maximum_iterations is None or count < int(maximum_iterations)) and bool(as_tensor(cond(*loop_vars))):
        given = body(*loop_vars)
        loop_vars = list(given) if isinstance(given, (list, tuple)) else [given]
        count += 1
    return loop_vars


def _rows(elems: Any) -> list[Any]:
    leaves: list[Any] = [as_tensor(item) for item in structure.flatten(elems)]
    return [structure.pack(elems, iter([leaf[i] for leaf in leaves])) for i in range(leaves[0].shape[0])]


def _stacked(rows: list[Any]) -> Any:
    columns = zip(*(structure.flatten(row) for row in rows))
    return structure.pack(rows[0], iter([stack(list(column)) for column in columns]))


def map_fn(fn: Callable[..., Any], elems: Any, **_: Any) -> Any:
    """Apply a function to each row and stack the results."""
    return _stacked([fn(row) for row in _rows(elems)])


def vectorized_map(fn: Callable[..., Any], elems: Any, **_: Any) -> Any:
    """Apply a function to each row and stack the results."""
    return map_fn(fn, elems)


def scan(fn: Callable[..., Any], elems: Any, initializer: Any = None, reverse: bool = False, **_: Any) -> Any:
    """Carry a value through the rows: every intermediate value, stacked."""
    rows = _rows(elems)
    if reverse:
        rows.reverse()
    out = []
    if initializer is None:
        value, rows = rows[0], rows[1:]
        out.append(value)
    else:
        value = structure.pack(initializer, iter([as_tensor(item) for item in structure.flatten(initializer)]))
    for row in rows:
        value = fn(value, row)
        out.append(value)
    return _stacked(out[::-1] if reverse else out)


def numpy_function(func: Callable[..., Any], inp: Any, Tout: Any, **_: Any) -> Any:
    """Run a NumPy function; its result leaves the tape."""
    operands = [as_tensor(item) for item in inp]
    found = func(*(np.array(item.numpy()) for item in operands))
    several = isinstance(Tout, (list, tuple))
    kinds = list(Tout) if several else [Tout]
    values = list(found) if isinstance(found, (list, tuple)) else [found]
    nodes = tuple(item.node for item in operands)
    made = [
        Tensor(np.asarray(v, kind)[()], shadow(current_state(), OUTSIDE, nodes)) for v, kind in zip(values, kinds)
    ]  # fmt: skip
    return made if several else made[0]


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, **_: Any) -> Any:
    """Run a Python function on tensors; what it does is recorded."""
    found = func(*(item if isinstance(item, Variable) else as_tensor(item) for item in inp))
    if isinstance(found, (list, tuple)):
        return [as_tensor(item) for item in found]
    return found if isinstance(found, Tensor) else constant(found, Tout)
