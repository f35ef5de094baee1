"""Complex numbers: parts, conjugate, angle.

Rules carry the cotangent c with dL = Re(c · dx), so that a holomorphic rule needs no conjugate; a gradient query
conjugates what it hands over, which is TensorFlow's convention (d|z|² / dz = 2z).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..namespace import xp
from ..primitive import Case
from ..registrars import primitive


@primitive(lambda ct, _y, _x: conj(ct), tf="math.conj", numpy="conj", accepts="number", cases=(Case((3,)),))
def conj(x: Any) -> Any:
    """The complex conjugate; a real tensor as it is.

    d/dx: 1 for a real tensor; the upstream is conjugated for a complex one
    >>> conj(2.0)
    2.0
    """
    return xp.conjugate(x) if np.iscomplexobj(x) else x


@primitive(lambda ct, _y, _x: ct, tf="math.real", numpy="real", accepts="number", cases=(Case((3,)),))
def real(x: Any) -> Any:
    """The real part.

    d/dx: 1
    >>> real(3.0)
    3.0
    """
    return xp.real(x)


def _imag_rule(ct: Any, _y: Any, _x: Any) -> Any:
    from .arithmetic import multiply_no_nan
    from .selection import cast

    return cast(ct, _x.dtype) * -1j if _x.dtype.kind == "c" else multiply_no_nan(ct, 0.0)


@primitive(_imag_rule, tf="math.imag", numpy="imag", accepts="float", cases=(Case((3,)),))
def imag(x: Any) -> Any:
    """The imaginary part; 0 for a real tensor.

    d/dx: -i (TensorFlow: i, the conjugate)
    >>> imag(3.0)
    0.0
    """
    return xp.imag(x)


@primitive(
    lambda ct, _y, _re, _im: real(ct), lambda ct, _y, _re, _im: -imag(ct), name="complex", tf="dtypes.complex",
    accepts="real", cases=(Case((), ()), Case((3,), (2, 3)), Case((2, 1), (1, 3)), Case((0, 2), (2,))),
)  # fmt: skip
def complex_(real: Any, imag: Any) -> Any:
    """A complex number from its real and imaginary part.

    d/dreal: 1
    d/dimag: i
    >>> complex(1.0, 2.0)
    (1.0+2.0j)
    """
    kind = np.complex128 if np.result_type(real, imag) == np.float64 else np.complex64
    # not `re + 1j * im`: infinite and nan parts must not mix
    out = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), kind)
    out.real, out.imag = real, imag
    return out[()]


def _angle_rule(ct: Any, _y: Any, x: Any) -> Any:
    from .arithmetic import multiply_no_nan
    from .selection import cast

    if x.dtype.kind != "c":
        return multiply_no_nan(ct, 0.0)
    return cast(ct, x.dtype) * -1j / x


@primitive(_angle_rule, tf="math.angle", numpy="angle", accepts="float", cases=(Case((3,)),))
def angle(x: Any) -> Any:
    """The argument of a complex number, in (-pi, pi]; of a real one 0 or pi.

    d/dx: -i / x
    >>> angle(1.0)
    0.0
    """
    return xp.angle(x)
