"""One-sided slopes of a function of one number, by extrapolated difference quotients.

Quotients at steps that halve are extrapolated to step zero (Neville's scheme for an error in powers of the step:
W. H. Press et al., Numerical Recipes, §3.2 and §5.7). The slope is given only where the extrapolation settles; where
quotients grow without end, it is infinite; otherwise it is unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

_STEPS = 14
#: a slope counts as known where two extrapolations agree to this, relative to its size
_SETTLED = 1e-8


def one_sided(f: Callable[[Any], Any], here: float, side: float, scale: float = 1.0) -> float | None:
    """The slope of `f(t)` at t = 0 towards `side` (1 or -1); `here` is f(0), steps are of the order of `scale`.

    None if it cannot be told; an infinity where quotients grow without end.
    """
    steps = [0.04 * scale * 0.5**k for k in range(_STEPS)]
    with np.errstate(all="ignore"):
        quotients = [(f(side * h) - here) / (side * h) for h in steps]
    best = extrapolated(quotients)
    if best is not None:
        return rounded(best)
    return _endless(f, here, side, scale)


def limit(f: Callable[[Any], Any], side: float, scale: float = 1.0) -> float | None:
    """The value to which `f(t)` tends as t goes to 0 from `side`; None if it cannot be told."""
    with np.errstate(all="ignore"):
        values = [f(side * 0.04 * scale * 0.5**k) for k in range(_STEPS)]
        found = extrapolated(values)
        if found is not None:
            return found
        # t log(t) and its kind have no series in t: near enough to 0 they are their limit all the same
        before, last = f(side * scale * 1e-11), f(side * scale * 1e-13)
    if np.isfinite(last) and abs(last - before) <= 1e-8 * (1 + abs(last)):
        return float(f"{float(last):.8f}")
    return None


def extrapolated(values: list[Any]) -> float | None:
    """The limit of a sequence whose error is a series in powers of a step that halves; None if it does not settle."""
    best, error = None, np.inf
    row: list[Any] = []
    for value in values:
        if not np.isfinite(value):
            row = []
            continue
        new = [value]
        for j, before in enumerate(row[:7], 1):
            new.append(new[-1] + (new[-1] - before) / (2.0**j - 1))
            wrong = max(abs(new[-1] - new[-2]), abs(new[-1] - before))
            if wrong < error:
                best, error = new[-1], wrong
        row = new
    if best is None or not np.isfinite(error):
        return None
    if error <= _SETTLED * abs(best):
        return float(best)
    return 0.0 if abs(best) <= 10 * error <= 1e-8 else None


def _endless(f: Callable[[Any], Any], here: float, side: float, scale: float) -> float | None:
    """An infinity, where quotients grow in one direction by steps that do not shrink, decade after decade."""
    with np.errstate(all="ignore"):
        steps = [scale * 10.0**-k for k in range(3, 12)]
        quotients = [(f(side * h) - here) / (side * h) for h in steps]
        rise = np.diff(np.array(quotients, np.float64))
    if not np.isfinite(rise).all() or not (np.all(rise > 0) or np.all(rise < 0)):
        return None
    if np.any(np.abs(rise[1:]) < 0.9 * np.abs(rise[:-1])):
        return None
    return float(np.inf * np.sign(rise[-1]))


def rounded(value: float) -> float:
    """The number of at most six digits that the extrapolation means, where it is that close to one."""
    near = float(f"{value:.6g}")
    return near if abs(near - value) <= 1e-8 * (1 + abs(value)) else value


def least(a: float, b: float) -> float:
    """Between two one-sided slopes the subgradient of least size."""
    low, high = min(a, b), max(a, b)
    return 0.0 if low <= 0 <= high else (low if low > 0 else high)
