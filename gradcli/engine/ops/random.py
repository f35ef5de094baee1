"""Random numbers from the state's generator, which starts from a seed: a program gives the same numbers each time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import find_dtype
from ..errors import EngineError
from ..primitive import Case
from ..recording import current_state
from ..registrars import blocked, composite
from ..tensor import Tensor
from ..variable import Variable
from .axes import shape_of, whole_number


def generator(seed: Any) -> np.random.Generator:
    """The generator of a seed, or the state's own."""
    return np.random.default_rng(abs(whole_number(seed, "random"))) if seed is not None else current_state().random


def _dims(shape: Any, op: str) -> tuple[int, ...]:
    dims = shape_of(shape, op)
    if any(n < 0 for n in dims):
        raise EngineError("bad-value", "shape", op=op, given=str(list(dims)))
    return dims


def _noise(data: Any, dtype: Any, *parameters: Any) -> Any:
    """Random numbers as a tensor of the dtype named, else that of a tensor among the parameters."""
    typed = [p.dtype for p in parameters if isinstance(p, (Tensor, Variable))]
    like = find_dtype(dtype) if dtype is not None else typed[0] if typed else current_state().float_dtype
    return Tensor(np.asarray(data).astype(like)[()])


def _plain(value: Any, default: float, op: str) -> bool:
    """Is it just the number that leaves the noise as it is? Raises `not-a-tensor` for what is no number or tensor."""
    if not isinstance(value, (int, float, list, np.ndarray, np.generic, Tensor, Variable)) or isinstance(value, bool):
        raise EngineError("not-a-tensor", "operand", op=op, type=type(value).__name__)
    return isinstance(value, (int, float)) and value == default


@composite(arity=0, name="random.normal", tf="random_normal", accepts="real", cases=(Case([3], (), (), seed=7),))
def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Numbers of the normal distribution: mean + stddev * noise, so that a gradient reaches both.

    d/dmean: 1
    d/dstddev: the noise
    >>> random.normal([2], 3.0, stddev=0.0)
    [3.0, 3.0]
    """
    found = _noise(generator(seed).normal(size=_dims(shape, "random.normal")), dtype, mean, stddev)
    if not _plain(stddev, 1.0, "random.normal"):
        found = found * stddev
    return found if _plain(mean, 0.0, "random.normal") else found + mean


@composite(arity=0, name="random.uniform", tf="random_uniform", accepts="real", cases=(Case([3], (), (2, 1), seed=7),))
def uniform(shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Numbers spread evenly between two bounds: minval + (maxval - minval) * noise, so that a gradient reaches both.

    d/dminval: 1 - noise
    d/dmaxval: the noise
    >>> random.uniform([2], minval=3.0, maxval=3.0)
    [3.0, 3.0]
    """
    found = _noise(generator(seed).uniform(size=_dims(shape, "random.uniform")), dtype, minval, maxval)
    at_zero, at_one = _plain(minval, 0.0, "random.uniform"), _plain(maxval, 1.0, "random.uniform")
    if not (at_zero and at_one):
        numbers = isinstance(minval, (int, float)) and isinstance(maxval, (int, float))
        found = found * (maxval - minval) if numbers else found * maxval - found * minval
    return found if at_zero else found + minval


@blocked("cut-no-derivative", name="random.shuffle", accepts="any")
def shuffle(value: Any, seed: Any = None) -> Any:
    """The slices along the first axis in random order. No gradient.

    >>> random.shuffle([5.0])
    [5.0]
    """
    if not np.ndim(value):
        raise EngineError("shape-mismatch", "rank", op="random.shuffle", shapes=(np.shape(value),), rank=1)
    return generator(seed).permutation(value)
