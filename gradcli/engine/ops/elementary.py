"""Questions to each entry, and the bits of a number: is_finite, is_nan, is_inf, bitcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import find_dtype
from ..errors import EngineError
from ..namespace import xp
from ..registrars import blocked

_CUT = "cut-no-derivative"


@blocked(_CUT, elementwise=True, tf="math.is_finite", numpy="isfinite", accepts="float")
def is_finite(x: Any) -> Any:
    """Is each entry a number, neither infinite nor nan? No gradient.

    >>> is_finite([1.0, inf])
    [true, false]
    """
    return xp.isfinite(x)


@blocked(_CUT, elementwise=True, tf="math.is_nan", numpy="isnan", accepts="float")
def is_nan(x: Any) -> Any:
    """Is each entry nan? No gradient.

    >>> is_nan([1.0, nan])
    [false, true]
    """
    return xp.isnan(x)


@blocked(_CUT, elementwise=True, tf="math.is_inf", numpy="isinf", accepts="float")
def is_inf(x: Any) -> Any:
    """Is each entry infinite? No gradient.

    >>> is_inf([1.0, inf])
    [false, true]
    """
    return xp.isinf(x)


@blocked("cut-cast", accepts="numeric")
def bitcast(x: Any, dtype: Any) -> Any:
    """The same bits as another dtype of the same size. No gradient.

    >>> bitcast(constant(1.0), "int32")
    1065353216
    """
    like = find_dtype(dtype)
    data = np.asarray(x)
    if data.dtype.itemsize != like.itemsize:
        raise EngineError("dtype-mismatch", "bitcast", op="bitcast", dtypes=(data.dtype.name, like.name))
    return data.view(like)[()]
