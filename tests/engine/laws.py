"""The laws that every operation of the registry obeys: `LAWS`, each a function of an operation, a case, randomness, a dtype.

A law returns how many comparisons it made, and raises `Broken` where one fails.
"""

from __future__ import annotations

import numpy as np

from gradcli.engine.primitive import Case
from tests.engine.array_laws import (
    bears_nothing_and_scalars,
    holds_in_every_dtype,
    leaves_operands_alone,
    reads_any_layout,
    takes_numbers,
)
from tests.engine.conventions import free_of_convention
from tests.engine.derivative_laws import (
    agrees_with_differences,
    batch_is_row_by_row,
    broadcasts,
    records_the_same_sweep,
    second_order,
    transposes,
)
from tests.engine.trials import takes, varied

#: every law, and the dtypes in which it is tried, as far as an operation takes them
LAWS = {
    agrees_with_differences: (np.float64, np.complex128),
    transposes: (np.float64, np.complex128),
    second_order: (np.float64, np.complex128),
    batch_is_row_by_row: (np.float64, np.complex128),
    records_the_same_sweep: (np.float64, np.complex128),
    broadcasts: (np.float64, np.complex128),
    holds_in_every_dtype: (np.float16, np.float32, np.complex64),
    takes_numbers: (np.float32, np.float64, np.complex128),
    reads_any_layout: (np.float64, np.complex128),
    leaves_operands_alone: (np.float64, np.complex128),
    bears_nothing_and_scalars: (np.float64, np.complex128),
}


def holds(law, op, cases: list[Case], seed: int = 0) -> int:
    """Try a law with all cases in all dtypes, with tables as they are for the seed 0; how many comparisons were made."""
    count = 0
    for dtype in LAWS[law]:
        if takes(op, np.dtype(dtype).kind):
            for i, case in enumerate(cases):
                random = np.random.default_rng([seed, i])
                tried = varied(op, case, random) if seed else case
                count += law(free_of_convention(op, case.params, dtype), tried, random, dtype)
    return count
