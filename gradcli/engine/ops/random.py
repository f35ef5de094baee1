"""Random numbers from the state's generator, which starts from a seed: a program gives the same numbers each time."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import find_dtype
from ..recording import current_state
from ..registrars import blocked, creation
from .axes import shape_of


def generator(seed: Any) -> np.random.Generator:
    """The generator of a seed, or the state's own."""
    return np.random.default_rng(int(seed)) if seed is not None else current_state().random


def _dtype(dtype: Any) -> Any:
    return current_state().float_dtype if dtype is None else find_dtype(dtype)


@creation(name="random.normal", tf="random_normal")
def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Numbers of the normal distribution.

    >>> random.normal([2], stddev=0.0)
    [0.0, 0.0]
    """
    data = generator(seed).normal(float(mean), float(stddev), shape_of(shape, "random.normal"))
    return np.asarray(data).astype(_dtype(dtype))


@creation(name="random.uniform", tf="random_uniform")
def uniform(shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None, seed: Any = None) -> Any:
    """Numbers spread evenly between two bounds.

    >>> random.uniform([2], minval=3.0, maxval=3.0)
    [3.0, 3.0]
    """
    data = generator(seed).uniform(float(minval), float(maxval), shape_of(shape, "random.uniform"))
    return np.asarray(data).astype(_dtype(dtype))


@blocked("cut-no-derivative", name="random.shuffle", accepts="any")
def shuffle(value: Any, seed: Any = None) -> Any:
    """The slices along the first axis in random order. No gradient.

    >>> random.shuffle([5.0])
    [5.0]
    """
    return generator(seed).permutation(value)
