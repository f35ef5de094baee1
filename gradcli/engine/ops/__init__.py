"""The operations, one family a file; importing this package enters them all in the registry.

Order matters only where one family is written in terms of another at import time, which none is: rules look the
operations up when they run.
"""

from . import (
    activation,
    arithmetic,
    comparison,
    complexes,
    contraction,
    creation,
    exponential,
    indexing,
    joining,
    operators,
    reduction,
    rounding,
    selection,
    shape,
    trigonometric,
)

__all__ = [
    "activation", "arithmetic", "comparison", "complexes", "contraction", "creation", "exponential", "indexing",
    "joining", "operators", "reduction", "rounding", "selection", "shape", "trigonometric",
]  # fmt: skip
