"""First values of weights: functions of a shape, and the names by which layers know them.

Fans and scales are those of Keras: for a kernel [..., in, out] the fan in is the product of all lengths but the last,
the fan out that of all but the last but one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, Tensor, Variable, constant, current_state
from gradcli.engine.dtypes import find_dtype
from gradcli.engine.ops.axes import number, shape_of
from gradcli.engine.ops.random import generator

if TYPE_CHECKING:
    from collections.abc import Callable

#: the standard deviation of a standard normal number cut at -2 and 2
_CUT = 0.87962566103423978


def fans(shape: tuple[int, ...]) -> tuple[float, float]:
    """How many numbers go into each output of a kernel of this shape, and how many outputs each input reaches."""
    if not shape:
        return 1.0, 1.0
    if len(shape) == 1:
        return float(shape[0]), float(shape[0])
    field = math.prod(shape[:-2])
    return float(shape[-2] * field), float(shape[-1] * field)


def _random(seed: Any) -> np.random.Generator:
    return seed if isinstance(seed, np.random.Generator) else generator(seed)


def _tensor(data: Any, dtype: Any) -> Tensor:
    like = current_state().float_dtype if dtype is None else find_dtype(dtype)
    return constant(np.asarray(data).astype(like))


def _dims(shape: Any, op: str) -> tuple[int, ...]:
    dims = shape_of(shape, op)
    if any(n < 0 for n in dims):
        raise EngineError("bad-value", "shape", op=op, given=str(list(dims)))
    return dims


def _cut_normal(shape: tuple[int, ...], stddev: float, seed: Any) -> Any:
    random = _random(seed)
    found = random.normal(size=shape)
    while True:
        outside = np.abs(found) > 2.0
        count = int(np.count_nonzero(outside))
        if not count:
            return found * stddev
        found = np.asarray(found)
        found[outside] = random.normal(size=count)


def _scaled(shape: Any, op: str, mode: str, scale: float, normal: bool, seed: Any, dtype: Any) -> Tensor:
    dims = _dims(shape, op)
    into, out = fans(dims)
    fan = max(1.0, {"in": into, "out": out, "average": (into + out) / 2.0}[mode])
    if normal:
        return _tensor(_cut_normal(dims, math.sqrt(scale / fan) / _CUT, seed), dtype)
    limit = math.sqrt(3.0 * scale / fan)
    return _tensor(_random(seed).uniform(-limit, limit, size=dims), dtype)


def glorot_uniform(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    """Uniform between -limit and limit, limit = sqrt(6 / (fan in + fan out)); the first value of most kernels.

    >>> glorot_uniform([2, 3]).shape
    [2, 3]
    """
    return _scaled(shape, "glorot_uniform", "average", 1.0, False, seed, dtype)


def glorot_normal(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    """Normal, cut at two standard deviations, of variance 2 / (fan in + fan out).

    >>> glorot_normal([2, 3]).shape
    [2, 3]
    """
    return _scaled(shape, "glorot_normal", "average", 1.0, True, seed, dtype)


def he_uniform(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    """Uniform between -limit and limit, limit = sqrt(6 / fan in): for layers of relu.

    >>> he_uniform([2, 3]).shape
    [2, 3]
    """
    return _scaled(shape, "he_uniform", "in", 2.0, False, seed, dtype)


def he_normal(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    """Normal, cut at two standard deviations, of variance 2 / fan in: for layers of relu.

    >>> he_normal([2, 3]).shape
    [2, 3]
    """
    return _scaled(shape, "he_normal", "in", 2.0, True, seed, dtype)


def lecun_uniform(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    """Uniform between -limit and limit, limit = sqrt(3 / fan in).

    >>> lecun_uniform([2, 3]).shape
    [2, 3]
    """
    return _scaled(shape, "lecun_uniform", "in", 1.0, False, seed, dtype)


def lecun_normal(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    """Normal, cut at two standard deviations, of variance 1 / fan in: for layers of selu.

    >>> lecun_normal([2, 3]).shape
    [2, 3]
    """
    return _scaled(shape, "lecun_normal", "in", 1.0, True, seed, dtype)


def truncated_normal(shape: Any, mean: Any = 0.0, stddev: Any = 0.05, seed: Any = None, dtype: Any = None) -> Tensor:
    """Normal numbers, drawn again where they are more than two standard deviations from the mean.

    >>> truncated_normal([2], mean=3.0, stddev=0.0)
    [3.0, 3.0]
    """
    op = "truncated_normal"
    spread = number(stddev, op, "stddev")
    return _tensor(_cut_normal(_dims(shape, op), spread, seed) + number(mean, op, "mean"), dtype)


def orthogonal(shape: Any, gain: Any = 1.0, seed: Any = None, dtype: Any = None) -> Tensor:
    """A matrix with orthonormal rows or columns, from the QR factors of normal numbers; for recurrent kernels.

    >>> q = orthogonal([2, 2]); abs(det(q)) ~= 1.0
    true
    """
    dims = _dims(shape, "orthogonal")
    if len(dims) < 2:
        raise EngineError("shape-mismatch", "rank", op="orthogonal", shapes=(dims,), rank=2)
    rows, columns = math.prod(dims[:-1]), dims[-1]
    q, r = np.linalg.qr(_random(seed).normal(size=(max(rows, columns), min(rows, columns))))
    q = q * np.sign(np.diag(r))
    return _tensor(number(gain, "orthogonal", "gain") * (q.T if rows < columns else q).reshape(dims), dtype)


def _uniform(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    return _tensor(_random(seed).uniform(-0.05, 0.05, size=shape), dtype)


def _normal(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    return _tensor(_random(seed).normal(0.0, 0.05, size=shape), dtype)


def _zeros(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    return _tensor(np.zeros(shape), dtype)


def _ones(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    return _tensor(np.ones(shape), dtype)


def _identity(shape: Any, seed: Any = None, dtype: Any = None) -> Tensor:
    if len(shape) != 2:
        raise EngineError("shape-mismatch", "rank", op="identity", shapes=(tuple(shape),), rank=2)
    return _tensor(np.eye(*shape), dtype)


#: the names that layers take; those of numbers without a scale are Keras's, with a standard deviation or bound of 0.05
BY_NAME: dict[str, Callable[..., Tensor]] = {
    "glorot_uniform": glorot_uniform, "glorot_normal": glorot_normal, "he_uniform": he_uniform, "he_normal": he_normal,
    "lecun_uniform": lecun_uniform, "lecun_normal": lecun_normal, "truncated_normal": truncated_normal,
    "orthogonal": orthogonal, "random_uniform": _uniform, "random_normal": _normal, "uniform": _uniform,
    "normal": _normal, "zeros": _zeros, "ones": _ones, "identity": _identity,
}  # fmt: skip


def initial(initializer: Any, shape: tuple[int, ...], dtype: Any, random: Any, op: str) -> Any:
    """The first value of a weight: by an initializer's name, by a function of the shape, or from the numbers given."""
    if isinstance(initializer, str):
        function = BY_NAME.get(initializer)
        if function is None:
            raise EngineError("bad-value", "choice", op=op, given=repr(initializer), known=tuple(BY_NAME))
        return function(shape, seed=random, dtype=dtype)
    if not isinstance(initializer, (Tensor, Variable)) and callable(initializer):
        known = BY_NAME.get(getattr(initializer, "__name__", ""))
        if known is initializer and known is not None:
            return known(shape, seed=random, dtype=dtype)
        op_of: Any = getattr(initializer, "op", None)
        if op_of is not None and "dtype" in op_of.names:
            return initializer(list(shape), dtype=dtype)
        return initializer(list(shape))
    return initializer
