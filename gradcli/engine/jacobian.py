"""Jacobians, Hessians and Hessian-vector products: one batched sweep of a recorded tape, not one sweep a row.

A batch of cotangents has a leading axis; rules count axes from the right, so it passes through them. Large batches are
taken in slices that bound the memory.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import structure
from .dtypes import is_differentiable
from .errors import EngineError
from .pullback import pull_back
from .recording import current_state
from .tape import checked, gradient_of, node_of, result, unconnected
from .tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .recording import Mark, State
    from .tape import GradientTape

#: entries of one batch of cotangents, so that a Jacobian of a large tensor does not take all memory at once
_BATCH = 1 << 22


def jacobian(tape: GradientTape, target: Any, sources: Any, unconnected_gradients: str = "none") -> Any:
    """d`target` / d`sources`, in the structure of `sources`: shape `target.shape + source.shape`, or None.

    Raises `not-a-tensor` for a list of targets, and what `gradient` raises.
    """
    state = current_state()
    zero = unconnected(unconnected_gradients)
    checked(target, "target")
    wanted = [checked(item, "source") for item in structure.flatten(sources)]
    tape.check_dtypes([target], wanted)
    tape.begin_query(state)
    rows = _rows(state, tape.mark, target, wanted)
    results = [_shaped(state, row, target, source, zero) for row, source in zip(rows, wanted)]
    return structure.pack(sources, iter(results))


def _rows(state: State, mark: Mark, target: Any, wanted: list[Any]) -> list[Any]:
    """For each source the batch of its cotangents: one row for each entry of the target, raw or recorded."""
    shape, dtype = target.value.shape, target.value.dtype
    size = int(np.prod(shape))
    nodes = [node_of(item) for item in wanted]
    record = state.recording is not None
    widest = max([int(item.value.size) for item in wanted] + [size, 1])
    step = max(1, min(size, _BATCH // widest)) if not record else max(size, 1)
    parts = []
    for start in range(0, max(size, 1), step):
        count = min(step, size - start)
        seeds = np.zeros((count, size), dtype)
        seeds[np.arange(count), np.arange(start, start + count)] = 1
        batch: Any = seeds.reshape((count, *shape))
        with np.errstate(all="ignore"):
            found = pull_back(
                state, mark, [(node_of(target), Tensor(batch) if record else batch)], nodes, 1, record
            )  # fmt: skip
        parts.append(found)
    if len(parts) == 1:
        return parts[0]
    return [
        None if columns[0] is None else np.concatenate(columns) for columns in zip(*parts)
    ]  # fmt: skip


def _shaped(state: State, row: Any, target: Any, source: Any, zero: bool) -> Tensor | None:
    shape = target.value.shape + source.value.shape
    if row is None:
        if not zero:
            return None
        return Tensor(np.zeros(shape, source.value.dtype)[()])
    if type(row) is Tensor:
        from .ops.shape import reshape

        row = reshape(row, list(shape))
    else:
        row = np.reshape(row, shape)[()]
    return result(state, row, source, zero)


def batch_jacobian(tape: GradientTape, target: Any, source: Any, unconnected_gradients: str = "none") -> Any:
    """The blocks of the Jacobian that belong to one row: shape `[b] + target.shape[1:] + source.shape[1:]`.

    Rows that depend on one another are found: then the diagonal blocks of the whole Jacobian are given (TensorFlow
    adds up the other rows' parts). Raises `shape-mismatch` for ranks below 2 or different first axes.
    """
    state = current_state()
    zero = unconnected(unconnected_gradients)
    checked(target, "target")
    checked(source, "source")
    first, second = target.value.shape, source.value.shape
    if len(first) < 2 or len(second) < 2 or first[0] != second[0]:
        raise EngineError("shape-mismatch", "batch-jacobian", op="batch_jacobian", shapes=(first, second))
    tape.check_dtypes([target], [source])
    tape.begin_query(state)
    shape = (first[0], *first[1:], *second[1:])
    found = blocks(state, tape.mark, target, source, None)
    if found is None:
        return Tensor(np.zeros(shape, source.value.dtype)) if zero else None
    if first[0] > 1 and _coupled(state, tape.mark, target, source, found):
        (rows,) = _rows(state, tape.mark, target, [source])
        whole: Any = np.asarray(getattr(rows, "value", rows)).reshape(first + second)
        found = np.stack([whole[(i, *[slice(None)] * (len(first) - 1), i)] for i in range(first[0])])
    shaped = found if type(found) is Tensor else np.reshape(found, shape)
    return result(state, shaped, source, zero)


def blocks(state: State, mark: Mark, target: Any, source: Any, weights: Any) -> Any:
    """One row of seeds for each entry of a target's row, the same in every row of the batch."""
    shape = target.value.shape
    size = int(np.prod(shape[1:]))
    seeds = np.zeros((size, shape[0], size), target.value.dtype)
    seeds[np.arange(size), :, np.arange(size)] = 1 if weights is None else weights
    record = state.recording is not None and weights is None
    batch: Any = seeds.reshape((size, *shape))
    pairs = [(node_of(target), Tensor(batch) if record else batch)]
    with np.errstate(all="ignore"):
        (found,) = pull_back(state, mark, pairs, [node_of(source)], 1, record)
    if found is None:
        return None
    if type(found) is Tensor:
        from .ops.shape import reshape, transpose

        moved = transpose(found, [1, 0, *range(2, len(found.shape))])
        return reshape(moved, [shape[0], *shape[1:], *source.value.shape[1:]])
    return np.moveaxis(found, 0, 1)


def _coupled(state: State, mark: Mark, target: Any, source: Any, found: Any) -> bool:
    """Do rows depend on one another? Weighing rows by powers of two scales their blocks exactly, unless they do."""
    plain = np.asarray(getattr(found, "value", found)).reshape(target.value.shape[0], -1)
    random = np.random.default_rng(0)
    for _ in range(2):
        weights = 2.0 ** random.integers(-3, 4, target.value.shape[0])
        weighed = blocks(state, mark, target, source, weights.astype(target.value.dtype))
        scaled = np.asarray(weighed).reshape(plain.shape)
        if not np.allclose(scaled, plain * weights[:, None], rtol=1e-5, atol=0, equal_nan=True):
            return True
    return False


@contextmanager
def recorded_by(state: State, mark: Mark) -> Iterator[None]:
    """Let a tape's own mark record, on top of whoever records: its sweep can then be swept again."""
    from .recording import include

    before, epoch = state.recording, state.epoch
    state.recording = include(before, frozenset((mark,)), None) if before is not None else mark
    state.epoch = epoch or mark.opened_at
    try:
        yield
    finally:
        state.recording, state.epoch = before, epoch


def _scalar(target: Any, op: str) -> None:
    checked(target, "target")
    if target.value.size != 1 or not is_differentiable(target.value.dtype):
        raise EngineError("shape-mismatch", "scalar-target", op=op, shapes=(target.value.shape,))


def hessian(tape: GradientTape, target: Any, source: Any, unconnected_gradients: str = "none") -> Tensor | None:
    """The matrix of second derivatives of a scalar: shape `source.shape + source.shape`; None if not connected.

    A target that is linear in the source has zeros. Raises `shape-mismatch` for a target that is no scalar.
    """
    state = current_state()
    zero = unconnected(unconnected_gradients)
    _scalar(target, "hessian")
    checked(source, "source")
    tape.check_dtypes([target], [source])
    tape.begin_query(state)
    with recorded_by(state, tape.mark):
        first = gradient_of(state, tape.mark, target, source)
    if first is None:
        return _shaped(state, None, source, source, zero)
    (rows,) = _rows(state, tape.mark, first, [source])
    return _shaped(state, rows, source, source, True)


def hvp(
    tape: GradientTape, target: Any, source: Any, vector: Any, unconnected_gradients: str = "none"
) -> Tensor | None:
    """The Hessian of a scalar times a vector of the source's shape, by one more sweep; None if not connected."""
    state = current_state()
    zero = unconnected(unconnected_gradients)
    _scalar(target, "hvp")
    checked(source, "source")
    tape.check_dtypes([target], [source])
    v = direction(vector, source, "hvp")
    tape.begin_query(state)
    with recorded_by(state, tape.mark):
        first = gradient_of(state, tape.mark, target, source)
    if first is None:
        return result(state, None, source, zero)
    record = state.recording is not None
    with np.errstate(all="ignore"):
        (found,) = pull_back(
            state, tape.mark, [(node_of(first), v if record else v.value)], [node_of(source)], 0, record
        )  # fmt: skip
    return result(state, found, source, True)


def direction(value: Any, source: Any, op: str) -> Tensor:
    """A tangent of a source: a tensor or numbers of its shape and dtype. Raises `shape-mismatch`, `dtype-mismatch`."""
    from .dtypes import dtype_name, weak
    from .operands import holds_tensor, operand
    from .passages import GRADIENT
    from .variable import Variable

    like = source.value
    if isinstance(value, Variable):
        value = value.read()
    if holds_tensor(value):
        value = operand(GRADIENT, value)
    if isinstance(value, (np.ndarray, np.generic)):
        value = Tensor(value.astype(like.dtype)[()])
    elif isinstance(value, (int, float, complex, list, tuple)):
        value = Tensor(weak(value, like.dtype, op))
    if type(value) is not Tensor:
        raise EngineError("not-a-tensor", "tangent", op=op, type=type(value).__name__)
    if value.dtype != like.dtype:
        names = (dtype_name(like.dtype), dtype_name(value.dtype))
        raise EngineError("dtype-mismatch", "tangent", op=op, dtypes=names)
    if value.shape != like.shape:
        raise EngineError("shape-mismatch", "tangent", op=op, shapes=(like.shape, value.shape))
    return value
