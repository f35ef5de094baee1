"""The derivative of a function of one number by central differences at steps that halve, extrapolated to step zero.

The error of a central difference is a series in even powers of the step (Richardson's extrapolation in Neville's
scheme: W. H. Press et al., Numerical Recipes, section 5.7). With every value comes an error bar: what neighbouring
extrapolations differ by, and what rounding leaves at that step. What the two sides differ by tells a kink, at no
further cost: between the slopes of a smooth function it goes to zero with the step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .one_sided import extrapolated, rounded

if TYPE_CHECKING:
    from collections.abc import Callable

    Increments = Callable[[float], tuple[float, float]]

#: the first step relative to the scale, and how many
_FIRST = 2.0**-6
_LEVELS = 9
#: where two extrapolations, or the value that is expected, agree to this, no more steps are taken
_SETTLED = 1e-9
_EPS = 2.0**-52
_WIDE = float(np.finfo(np.longdouble).eps)
#: slopes of the two sides that differ by less than this, relative to the greater, are the same
_SAME = 1e-5


class Slope:
    """`value` with its `error` bar; `left` and `right` are the slopes of the two sides if they are not the same.

    `value` is nan where no difference could be taken; `left` or `right` alone is None where that side has no values.
    `quotients` are those of the two sides at the last step, `gap` what they differ by as the step goes to zero, as far
    as that can be told.
    """

    __slots__ = ("error", "gap", "left", "quotients", "right", "value")

    def __init__(self, value: float = np.nan, error: float = np.inf) -> None:
        self.value = value
        self.error = error
        self.left: float | None = None
        self.right: float | None = None
        self.gap = 0.0
        self.quotients = (np.nan, np.nan)

    def in_floats(self) -> Slope:
        """The same in Python's floats: the function may have given numbers of a wider format."""
        self.value, self.gap = float(self.value), float(self.gap)
        self.error = float(self.error) + (_EPS * abs(self.value) if np.isfinite(self.value) else 0.0)
        self.left = None if self.left is None else float(self.left)
        self.right = None if self.right is None else float(self.right)
        self.quotients = (float(self.quotients[0]), float(self.quotients[1]))
        return self

    @property
    def kink(self) -> bool:
        """Do the sides have two different slopes?"""
        return self.left is not None and self.right is not None

    @property
    def one_side(self) -> bool:
        """Does the function have values on one side only?"""
        return (self.left is None) is not (self.right is None)


def slope(
    increments: Increments, scales: list[float], noise: float, expected: float = np.nan, unit: float = 0.0,
    least: float = 0.0,
) -> Slope:  # fmt: skip
    """The derivative at t = 0 of a function f of which `increments(h)` gives f(h) - f(0) and f(0) - f(-h).

    Steps begin at a fraction of the first of `scales`; the others are tried where that does not settle. `noise` is the
    error of a difference of values by rounding. The search ends early where the value is the `expected` one. `unit` is
    the size from which on a derivative counts, `least` the smallest step that moves a point by what it says.
    """
    best = Slope()
    for scale in scales:
        found = _Table(increments, scale * _FIRST, noise, expected, unit, least).run()
        if found.error < best.error or (not np.isfinite(best.error) and (found.kink or found.one_side)):
            best = found.in_floats()
        if best.kink or best.one_side or best.error <= _SETTLED * max(abs(best.value), unit):
            break
        if _close(best.value, expected, best.error):
            break
    return best


def _close(a: float, b: float, error: float) -> bool:
    return bool(np.isfinite(b) and abs(a - b) <= _SETTLED * max(abs(a), abs(b)) and error <= 1e-4 * max(abs(a), abs(b)))


class _Table:
    """One series of steps from `first` on."""

    def __init__(
        self, increments: Increments, first: float, noise: float, expected: float, unit: float, least: float
    ) -> None:  # fmt: skip
        self.increments = increments
        self.first = first
        self.noise = noise
        self.expected = expected
        self.unit = unit
        self.least = least
        self.steps: list[float] = []
        self.rights: list[float] = []
        self.lefts: list[float] = []

    def run(self) -> Slope:
        """Take steps until the value settles, or rounding overtakes it."""
        best = Slope()
        row: list[float] = []
        for k in range(_LEVELS):
            h = self.first * 0.5**k
            if h == 0 or (h < self.least and k > 2):
                break
            right, left = self.increments(h)
            self.steps.append(h)
            self.rights.append(right / h)
            self.lefts.append(left / h)
            middle = (right + left) / (2 * h)
            if not np.isfinite(middle):
                row = []
                continue
            rounding = self._rounding(right, left) / h
            row, best = self._extended(row, middle, rounding, best)
            if len(row) > 1 and self._enough(row, rounding, best) and not self._suspicious(rounding):
                return best
            if len(row) > 2 and rounding > best.error:
                break  # smaller steps only lose digits
        if self._endless():
            best = Slope(best.value if np.isfinite(best.value) else (self.rights[-1] + self.lefts[-1]) / 2)
        best = self._sides(best)
        jump = self._jump()
        if jump is not None:
            best.gap, best.quotients = abs(jump), (self.lefts[-1], self.rights[-1])
        return best

    def _rounding(self, right: Any, left: Any) -> float:
        """The error of the two differences: far from the point, values may be greater than there."""
        eps = _EPS if type(right) is not np.longdouble else _WIDE
        return max(self.noise, float(eps * max(abs(right), abs(left))))

    def _extended(self, before: list[float], middle: float, rounding: float, best: Slope) -> tuple[list[float], Slope]:
        new = [middle]
        for j, old in enumerate(before, 1):
            new.append(new[-1] + (new[-1] - old) / (4.0**j - 1))
            wrong = 2 * max(abs(new[-1] - new[-2]), abs(new[-1] - old)) + 2 * rounding
            if wrong < best.error:
                best = Slope(new[-1], wrong)
        return new, best

    def _enough(self, row: list[float], rounding: float, best: Slope) -> bool:
        if best.error <= _SETTLED * max(abs(best.value), self.unit):
            # far below the number that is expected, a wave shorter than the steps looks as settled as a slope of 0
            return bool(best.error <= _SETTLED * abs(best.value) or not abs(best.value - self.expected) > self.unit / 2)
        value, size = row[1], max(abs(row[1]), abs(self.expected))
        if len(row) == 2 and np.isfinite(size) and abs(value - self.expected) <= _SETTLED * size + 2 * rounding:
            # two numbers that know nothing of one another agree: the next term is as much smaller as the first one was
            step = abs(value - row[0])
            following = 16 * step * step / max(size, step) if step else 0.0
            best.value, best.error = value, min(best.error, following + 2 * rounding)
            return best.error <= 1e-4 * max(size, self.unit)
        return False

    def _suspicious(self, rounding: float) -> bool:
        """Do the slopes of the sides differ by what does not go to zero with the step?"""
        jump = self._jump()
        if jump is None:
            return False
        size = max(abs(self.rights[-1]), abs(self.lefts[-1]), self.unit)
        return bool(abs(jump) > 1e-3 * size and abs(jump) > 20 * rounding)

    def _jump(self) -> float | None:
        gaps = [r - le for r, le in zip(self.rights, self.lefts)]
        if len(gaps) < 2 or not np.isfinite(gaps[-2:]).all():
            return None
        first = 2 * gaps[-1] - gaps[-2]
        if len(gaps) < 3 or not np.isfinite(gaps[-3]):
            return first
        return (4 * first - (2 * gaps[-2] - gaps[-3])) / 3

    def _sides(self, best: Slope) -> Slope:
        """The slopes of the two sides, where they are not the same, or where there is only one side."""
        with np.errstate(all="ignore"):
            right, left = self._one(self.rights), self._one(self.lefts)
        if right is None and left is None:
            return best
        if right is None or left is None:
            other = self.lefts if right is not None else self.rights
            if not np.isfinite(other).any():
                best.left, best.right = left, right
            return best
        if np.isinf(left) or np.isinf(right):
            if left == right and not self._jumps():
                return Slope(left, 0.0)
            best.left, best.right = left, right
            return best
        size = max(abs(left), abs(right), self.unit)
        if abs(right - left) > max(_SAME * size, 20 * self.noise / self.steps[-1]):
            best.left, best.right = rounded(left), rounded(right)
            return best
        # the error of one side is a series in all powers of the step: x |x| settles here alone
        error = abs(right - left) / 2 + 1e-8 * size + 2 * self.noise / self.steps[-1]
        return Slope((right + left) / 2, error) if error < best.error else best

    def _jumps(self) -> bool:
        """Do the values of the two sides differ by what does not go to zero with the step?"""
        gains = [(r + le) * h for r, le, h in zip(self.rights, self.lefts, self.steps)]
        return bool(abs(gains[-1]) > 0.9 * abs(gains[0]))

    def _endless(self) -> bool:
        """Do the differences stay as great while the step shrinks, to either side, as those of a wave far shorter?"""
        gains = [max(abs(r), abs(le)) * h for r, le, h in zip(self.rights, self.lefts, self.steps)]
        return len(gains) > 5 and bool(max(gains[-3:]) > 0.5 * max(gains[:3]) and max(gains[-3:]) > 20 * self.noise)

    def _one(self, quotients: list[float]) -> float | None:
        """The slope of one side; an infinity where quotients grow without end, as those of a root do."""
        usable: list[Any] = [q for q in quotients if np.isfinite(q)]
        found = extrapolated(usable) if len(usable) > 2 else None
        if found is None and len(usable) > 5:
            last = np.array(usable[-6:])
            others = [q for q in (self.rights[-1], self.lefts[-1]) if np.isfinite(q)]
            if abs(last[-1]) < 1e-4 * max([abs(q) for q in others], default=0.0):
                return float(last[-1])  # a kink of the other side lies beyond the step
            growth = np.abs(last[1:]) / np.abs(last[:-1])
            if np.all(growth > 1.1) and np.abs(np.sum(np.sign(last))) == 6:
                return float(np.inf * np.sign(last[-1]))
        return found
