"""Fourier transforms along the last axes: fft, ifft, rfft, irfft, fft2d, ifft2d.

The transform is a symmetric matrix and rules carry cotangents without a conjugate, so each is its own pullback.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import EngineError
from ..primitive import Case
from ..registrars import primitive
from .axes import whole_number

_LINES = (Case((4,)), Case((2, 3)))
_PLANES = (Case((2, 3)), Case((2, 2, 2)))


def _axes(op: str, rank: int) -> Any:
    def prepare(x: Any) -> dict[str, Any]:
        if np.ndim(x) < rank or not all(np.shape(x)[-rank:]):
            raise EngineError("shape-mismatch", "rank", op=op, shapes=(np.shape(x),), rank=rank)
        return {}

    return prepare


def _complex(x: Any) -> Any:
    return x.astype(np.complex64) if x.dtype.kind == "f" and x.dtype.itemsize == 2 else x


@primitive(lambda ct, _y, _x: fft(ct), tf="signal.fft", numpy="fft.fft", prepare=_axes("fft", 1), cases=_LINES)
def fft(x: Any) -> Any:
    """The discrete Fourier transform along the last axis, complex.

    d/dx: the transform of the upstream (TensorFlow: n times the inverse transform, the conjugate)
    >>> fft([1.0, 1.0])
    [(2.0+0.0j), (0.0+0.0j)]
    """
    return np.fft.fft(_complex(x))


@primitive(lambda ct, _y, _x: ifft(ct), tf="signal.ifft", numpy="fft.ifft", prepare=_axes("ifft", 1), cases=_LINES)
def ifft(x: Any) -> Any:
    """The inverse of `fft`.

    d/dx: the inverse transform of the upstream
    >>> ifft([2.0, 0.0])
    [(1.0+0.0j), (1.0+0.0j)]
    """
    return np.fft.ifft(_complex(x))


@primitive(lambda ct, _y, _x: fft2d(ct), tf="signal.fft2d", numpy="fft.fft2", prepare=_axes("fft2d", 2), cases=_PLANES)
def fft2d(x: Any) -> Any:
    """The discrete Fourier transform along the last two axes, complex.

    d/dx: the transform of the upstream
    >>> fft2d([[1.0, 1.0]])
    [[(2.0+0.0j), (0.0+0.0j)]]
    """
    return np.fft.fft2(_complex(x))


@primitive(
    lambda ct, _y, _x: ifft2d(ct), tf="signal.ifft2d", numpy="fft.ifft2", prepare=_axes("ifft2d", 2), cases=_PLANES
)
def ifft2d(x: Any) -> Any:
    """The inverse of `fft2d`.

    d/dx: the inverse transform of the upstream
    >>> ifft2d([[2.0, 0.0]])
    [[(1.0+0.0j), (1.0+0.0j)]]
    """
    return np.fft.ifft2(_complex(x))


def _resized(x: Any, n: int) -> Any:
    """The last axis cut, or filled up with zeros, to length n."""
    from .padding import pad_with_zeros

    have = x.shape[-1]
    if have >= n:
        return x[..., :n] if have > n else x
    return pad_with_zeros(x, paddings=[(0, 0)] * (len(x.shape) - 1) + [(0, n - have)])


def _length(op: str, whole: bool) -> Any:
    def prepare(x: Any, fft_length: Any = None) -> dict[str, Any]:
        _axes(op, 1)(x)
        have = np.shape(x)[-1]
        n = (have if whole else 2 * (have - 1)) if fft_length is None else whole_number(fft_length, op)
        if n < 1:
            raise EngineError("bad-value", "count", op=op, given=n)
        return {"fft_length": n}

    return prepare


def _rfft_rule(ct: Any, _y: Any, _x: Any, fft_length: int) -> Any:
    from .complexes import real

    return _resized(real(fft(_resized(ct, fft_length))), _x.shape[-1])


@primitive(
    _rfft_rule, tf="signal.rfft", numpy="fft.rfft", accepts="real", prepare=_length("rfft", True),
    cases=(Case((4,)), Case((2, 3)), Case((4,), fft_length=3), Case((2, 3), fft_length=6)),
)  # fmt: skip
def rfft(x: Any, fft_length: Any = None) -> Any:
    """The half of the Fourier transform of a real tensor that is not the mirror image of the other half.

    d/dx: the real part of the transform of the upstream filled up with zeros
    >>> rfft([1.0, 1.0])
    [(2.0+0.0j), (0.0+0.0j)]
    """
    return np.fft.rfft(x.astype(np.float32) if x.dtype.itemsize == 2 else x, fft_length)


def _irfft_rule(ct: Any, _y: Any, _x: Any, fft_length: int) -> Any:
    from .complexes import conj

    n = fft_length
    weights = np.full(n // 2 + 1, 2.0 / n)
    weights[0] = 1.0 / n
    if n % 2 == 0:
        weights[-1] = 1.0 / n
    found = conj(rfft(ct, fft_length=n))
    return _resized(found * weights.astype(found.dtype), _x.shape[-1])


@primitive(
    _irfft_rule, tf="signal.irfft", numpy="fft.irfft", prepare=_length("irfft", False),
    cases=(Case((3,)), Case((2, 4)), Case((4,), fft_length=5), Case((2, 2), fft_length=8)),
)  # fmt: skip
def irfft(x: Any, fft_length: Any = None) -> Any:
    """The real tensor whose `rfft` is given.

    d/dx: the conjugate of the transform of the upstream over n, twice where the mirror image counts too
    >>> irfft([2.0, 0.0])
    [1.0, 1.0]
    """
    return np.fft.irfft(_complex(x), fft_length)
