"""A gradient computed again in a wider number format, where a square, a power or an exponential overflowed.

float16, bfloat16 and float32 are done again in float64; float64 in the extended format of the machine, if it has one
(on x86 numbers go up to 1e4932). Where that gives a finite number, it is the value of the formula as written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .pullback import contributions, deliver, seeded, split
from .replay import replay

if TYPE_CHECKING:
    from collections.abc import Callable

    from .recording import Mark
    from .tensor import Node


def wide(x: Any) -> Any:
    """Floats in the next wider format; anything else as it is."""
    if not isinstance(x, (np.ndarray, np.generic)) or x.dtype.kind not in "fcV":
        return x
    complex_kind = x.dtype.kind == "c"
    if x.dtype.itemsize < (16 if complex_kind else 8):
        return x.astype(np.complex128 if complex_kind else np.float64)
    return x.astype(np.clongdouble if complex_kind else np.longdouble)


def widened(mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node], found: list[Any]) -> list[Any]:
    """`found`, with the value of the wider format wherever an entry is not finite and the wider one is.

    A value is taken only if it bears a change of the last bits of everything that goes in: what cancels in the wider
    format too is no better than what was found.
    """
    try:
        with np.errstate(all="ignore"):
            store = swept(mark, seeds, wanted)
            if not any(_mends(value, store.get(node)) for node, value in zip(wanted, found)):
                return found
            moved = swept(mark, seeds, wanted, shaken)
    except (TypeError, ValueError, ArithmeticError, np.linalg.LinAlgError):
        return found  # an operation without the wider format, such as a factorisation
    out = []
    for node, value in zip(wanted, found):
        better = store.get(node)
        if not _mends(value, better):
            out.append(value)
            continue
        with np.errstate(all="ignore"):
            narrow = np.asarray(better).astype(np.asarray(value).dtype)
            away: Any = better - moved[node]
            firm = np.abs(away) <= 1e-6 * np.abs(np.asarray(better))
        mended = ~np.isfinite(value) & np.isfinite(narrow)
        # one entry that is not firm makes its neighbours, which went the same way, no better
        out.append(np.where(mended, narrow, value)[()] if np.all(firm | ~mended) else value)
    return out


def _mends(value: Any, better: Any) -> bool:
    if value is None or better is None or np.shape(better) != np.shape(value):
        return False
    return bool(np.any(~np.isfinite(value) & np.isfinite(better)))


def shaken(x: Any) -> Any:
    """The wider number, changed in its last bits: up or down as its own digits say, equal numbers alike."""
    broad: Any = wide(x)
    if not isinstance(broad, (np.ndarray, np.generic)) or broad.dtype.kind not in "fc":
        return broad
    eps = 5 * np.finfo(broad.dtype).eps
    change = np.where(np.sin(np.abs(broad) * 12345.678) > 0, eps, -eps)
    change = np.where(broad == np.rint(broad), 0, change)  # a whole number is meant: an exponent, a count
    return broad * (1 + change).astype(broad.dtype)[()]


def widest(x: Any) -> Any:
    """Floats in the machine's widest format; anything else as it is."""
    return wide(wide(x)) if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "fc" else x


def swept(
    mark: Mark, seeds: list[tuple[Node, Any]], wanted: list[Node], wider: Callable[[Any], Any] = wide,
    sizes: dict[Node, Any] | None = None, random: Any = None,
) -> dict[Node, Any]:  # fmt: skip
    """The cotangents of a sweep in a wider format, by node. `sizes` takes the sums of the moduli of what each of its
    nodes is given: where that is much greater than the cotangent, terms have cancelled. With `random` numbers all
    cotangents get random signs on the way, so that what cancels in a sum over entries is seen too."""
    order, store = seeded(mark, [(node, wider(ct)) for node, ct in seeds], wanted)
    values = replay(order[::-1], {}, wider, shaken if wider is shaken else None)
    for node in order:
        ct = store[node]
        if ct is None:
            continue
        if random is not None and np.ndim(ct):
            ct = ct * random.choice([-1.0, 1.0], np.shape(ct))
        parents, kept = split(node)
        xs = tuple(values[p] if p is not None and p in values else wider(x) for p, x in zip(parents, kept))
        for i, g in contributions(node, ct, values[node], xs, store, 0):
            parent = parents[i]
            if sizes is not None and parent in sizes and g is not None:
                size = np.abs(np.asarray(g))
                sizes[parent] = sizes[parent] + (size if size.shape == np.shape(xs[i]) else np.sum(size))
            deliver(store, parent, g, xs[i])
    return store
