"""Is every number finite? Asked of each gradient, so it must cost little beside making it."""

from __future__ import annotations

from typing import Any

import numpy as np

#: below so many entries a plain look at each is as fast
_MANY = 4096
#: entries whose squares are summed at a time
_BLOCK = 2**19


def all_finite(x: Any) -> bool:
    """True if no entry of an array or scalar is infinite or not a number; integers and booleans are finite.

    The sum of the squares of many numbers is finite only if they all are, and one call of BLAS gives it without an
    array in between. Where it is not, or where large squares overflow, each entry is looked at.
    """
    if type(x) is np.ndarray and x.size > _MANY and x.dtype.kind == "f" and x.dtype.itemsize > 2 and x.flags.forc:
        flat = x.reshape(-1, order="A")
        with np.errstate(over="ignore", invalid="ignore"):
            return all(
                np.isfinite(np.dot(part, part)) or np.isfinite(part).all()
                for part in (flat[i : i + _BLOCK] for i in range(0, flat.size, _BLOCK))
            )
    return bool(np.isfinite(x).all())
