"""The operations, one family a file; importing this package enters them all in the registry.

Order matters only where one family is written in terms of another at import time, which none is: rules look the
operations up when they run.
"""

from . import (
    activation,
    activations,
    arithmetic,
    arrangement,
    comparison,
    complexes,
    contraction,
    creation,
    elementary,
    exponential,
    indexing,
    joining,
    linalg,
    operators,
    products,
    random,
    reduction,
    rounding,
    scan,
    selection,
    shape,
    trigonometric,
)

__all__ = [
    "activation",
    "activations",
    "arithmetic",
    "arrangement",
    "comparison",
    "complexes",
    "contraction",
    "creation",
    "elementary",
    "exponential",
    "indexing",
    "joining",
    "linalg",
    "operators",
    "products",
    "random",
    "reduction",
    "rounding",
    "scan",
    "selection",
    "shape",
    "trigonometric",
]
