"""The numbers of one source's gradient compared with numeric slopes, entry by entry or along directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .central import Slope, slope

if TYPE_CHECKING:
    from collections.abc import Callable

AGREES, DIFFERS, CANNOT_TELL = "agrees", "differs", "cannot tell"
#: sources of so few entries are compared entry by entry in any case
FEW = 16
#: entries that are looked at one by one where a direction differs
_SAMPLE = 48
#: an error bar above this part of a gradient is no answer
_BLURRED = 1e-3


class Function(Protocol):
    """A sum of numbers, of size `size`, as a function of the arrays `points`."""

    points: list[Any]
    #: the precision of its numbers
    eps: float

    @property
    def size(self) -> float:
        """The sum of the moduli of what is added up."""

    def increments(self, i: int, displacement: Any) -> tuple[float, float]:
        """What the sum gains from point i to either side of it: `f(x + d) - f(x)` and `f(x) - f(x - d)`."""


class Compared:
    """One number of a gradient and its numeric counterpart.

    `index` is the entry of the source, None for a direction. `reason` is why it cannot be told: `kink`, `jump`,
    `domain-edge`, `noise`.
    """

    __slots__ = ("gradient", "index", "reason", "room", "slope", "verdict")

    def __init__(self, index: tuple[int, ...] | None, gradient: float, found: Slope) -> None:
        self.index = index
        self.gradient = gradient
        self.slope = found
        self.verdict = AGREES
        self.reason = ""
        #: what rounding leaves of the gradient, where that was needed to tell
        self.room = 0.0

    @property
    def relative(self) -> float:
        """The difference relative to the greater of both numbers; what bar and rounding cover does not count."""
        size = max(abs(self.gradient), abs(self.slope.value))
        away = abs(self.gradient - self.slope.value)
        if not np.isfinite(away):
            return float("nan") if self.verdict == CANNOT_TELL else float("inf")
        return float(away / size) if size and (away > self.slope.error + self.room or self.verdict == DIFFERS) else 0.0


class Source:
    """What was compared of one source: entries or directions; `rounding` is the relative error of narrow floats."""

    __slots__ = ("compared", "numbers", "position", "rounding")

    def __init__(self, position: int, numbers: Any) -> None:
        self.position = position
        #: the gradient that is judged, in float64
        self.numbers = numbers
        self.compared: list[Compared] = []
        self.rounding = 0.0

    @property
    def verdict(self) -> str:
        """The worst of its verdicts."""
        found = {item.verdict for item in self.compared}
        return DIFFERS if DIFFERS in found else CANNOT_TELL if CANNOT_TELL in found else AGREES


class Comparison:
    """Compares numbers of one source's gradient with the slopes of the function."""

    def __init__(
        self, objective: Function, source: Source, noise: float, rtol: float,
        finer: Callable[[], tuple[Function, float] | None] = lambda: None,
        rooms: Callable[[Source], Any] = lambda source: np.zeros(source.numbers.shape),
    ) -> None:  # fmt: skip
        self.objective = objective
        #: gives the same function with more digits, and its error by rounding, if there is such a thing
        self.finer = finer
        #: gives what rounding leaves of each number of a gradient
        self.rooms = rooms
        self.source = source
        self.noise = noise
        self.rtol = rtol
        self.i = source.position
        self.point = objective.points[self.i]
        #: the size of what is moved
        self.own = 0.0
        with np.errstate(all="ignore"):
            self.widest = float(np.max(np.abs(self.point), initial=0.0)) or 1.0
            finite = np.abs(source.numbers[np.isfinite(source.numbers)])
            self.greatest = float(np.max(finite, initial=0.0))

    def entries(self, indices: list[tuple[int, ...]]) -> list[Compared]:
        """Compare entries one by one; a complex number by its two parts."""
        made = []
        for index in indices:
            number = self.source.numbers[index]
            parts = [(number.real, 1.0), (number.imag, 1j)] if np.iscomplexobj(number) else [(number, 1.0)]
            for value, unit in parts:
                direction = np.zeros(self.point.shape, self.point.dtype)
                direction[index] = unit
                made.append(self._compare(index, direction, float(value), float(abs(self.point[index]))))
        self.source.compared.extend(made)
        return made

    def locate(self, random: Any) -> None:
        """Look for entries that differ, where a direction does: among some, then by halving what moves."""
        size = self.source.numbers.size
        some = sorted(int(k) for k in random.choice(size, min(size, _SAMPLE), replace=False))
        if any(item.verdict == DIFFERS for item in self.entries(self._indices(some))):
            return
        stack = [range(size)]
        found: list[int] = []
        while stack and len(found) < FEW:
            part = stack.pop()
            if len(part) == 1:
                found.append(part[0])
                continue
            middle = len(part) // 2
            stack.extend(half for half in (part[middle:], part[:middle]) if self._part_differs(half, random))
        self.entries(self._indices(found))

    def _indices(self, flat: list[int]) -> list[tuple[int, ...]]:
        return [tuple(int(n) for n in np.unravel_index(k, self.source.numbers.shape)) for k in flat]

    def _part_differs(self, part: range, random: Any) -> bool:
        direction = np.zeros(self.point.size, self.point.dtype)
        direction[part.start : part.stop] = random.choice([-1.0, 1.0], len(part))
        compared = len(self.source.compared)
        differs = self.along(direction.reshape(self.point.shape)).verdict == DIFFERS
        del self.source.compared[compared:]
        return differs

    def along_directions(self, random: Any, count: int) -> list[Compared]:
        """Compare along random directions: every entry is moved by as much, up or down."""
        made = []
        for _ in range(count):
            direction = random.choice([-1.0, 1.0], self.point.shape)
            if np.iscomplexobj(self.point):
                direction = direction + 1j * random.choice([-1.0, 1.0], self.point.shape)
            made.append(self.along(direction))
        return made

    def along(self, direction: Any, expected: float | None = None) -> Compared:
        """Compare along one direction, of which the gradient gives the slope unless it is given."""
        numbers = self.source.numbers
        if expected is None:
            expected = float(np.sum(numbers.real * direction.real + numbers.imag * direction.imag))
            size = float(np.sqrt(np.sum((numbers.real * direction.real) ** 2 + (numbers.imag * direction.imag) ** 2)))
        else:
            size = abs(expected)
        item = self._compare(None, direction, expected, self.widest, size)
        self.source.compared.append(item)
        return item

    def _compare(
        self, index: tuple[int, ...] | None, direction: Any, expected: float, scale: float, size: float = 0.0
    ) -> Compared:
        """`size` is that of the sum of which `expected` is made."""
        scales = self._scales(scale)
        size = max(size, abs(expected) if np.isfinite(expected) else 0.0)
        unit = max(size, 1e-4 * self.greatest, 1e-10 * self.objective.size / max(scales))
        self.own = scale if np.isfinite(scale) else 0.0
        usable = [s for s in self._distinct(scales) if self.noise * 64 / s <= 1e-5 * unit] or self._distinct(scales)
        found = self._slope(direction, usable, expected, unit)
        item = Compared(index, expected, found)
        self._judge(item, direction, usable, size, unit)
        if item.verdict != AGREES and item.reason not in ("kink", "jump", "domain-edge"):
            self._look_closer(item, direction, scales, size, unit)
            self._make_room(item, direction, unit)
        return item

    def _make_room(self, item: Compared, direction: Any, unit: float) -> None:
        """Where large terms cancel in a gradient, it is no better than their rounding."""
        if item.verdict == AGREES or item.reason not in ("", "noise"):
            return
        room = float(np.sum(np.abs(self.rooms(self.source) * direction)))
        error = item.slope.error
        if room and abs(item.gradient - item.slope.value) <= error + room and error <= max(_BLURRED * unit, room):
            item.verdict, item.reason, item.room = AGREES, "", room

    def _look_closer(self, item: Compared, direction: Any, scales: list[float], size: float, unit: float) -> None:
        """Judge again with more digits: where values underflow or cancel, the numeric slope is no better than they."""
        better = self.finer()
        if better is None:
            return
        before = self.objective, self.noise, self.finer
        (self.objective, self.noise), self.finer = better, lambda: None
        scales = self._distinct(scales)
        try:
            again = Compared(item.index, item.gradient, self._slope(direction, scales, item.gradient, unit))
            self._judge(again, direction, scales, size, unit)
            if again.verdict != CANNOT_TELL or again.slope.error < item.slope.error:
                item.slope, item.verdict, item.reason = again.slope, again.verdict, again.reason
        finally:
            self.objective, self.noise, self.finer = before

    def _scales(self, own: float) -> list[float]:
        """Sizes of steps, in the order in which they are tried: the entry's own, that of its neighbours, one."""
        return list(dict.fromkeys(s for s in (own, self.widest, 1.0) if 0 < s < np.inf))

    def _distinct(self, scales: list[float]) -> list[float]:
        """The scales at which a step moves a point by what it says."""
        return [s for s in scales if s >= 1024 * self.objective.eps * self.own] or [max(scales)]

    def _slope(self, direction: Any, scales: list[float], expected: float, unit: float) -> Slope:
        def increments(h: float) -> tuple[float, float]:
            return self.objective.increments(self.i, direction * h)

        return slope(increments, scales, self.noise, expected, unit, self.objective.eps * self.own)

    def _judge(self, item: Compared, direction: Any, scales: list[float], size: float, unit: float) -> None:
        decided = self._decided(item, size, unit)
        if decided and item.verdict == AGREES:
            return
        # a kink, an edge or a short wave within the step: nearer to the point the slope may be another one
        reach = max(unit, item.slope.gap)  # the sides' slopes tell of a size, where the gradient is 0
        held, moved, doubted = item.slope, False, False
        smaller = self._distinct(self._scales(self.own))
        open_ = not decided or item.reason in ("kink", "jump")
        for nearer in [*(scales[0] * part for part in (2.0**-12, 2.0**-24)), *(s for s in smaller if s < scales[0])]:
            closer = self._slope(direction, [nearer], item.gradient, unit)
            away, error = abs(item.gradient - held.value), closer.error + held.error
            if open_ and not held.kink and abs(closer.value - held.value) <= max(error, 0.01 * away):
                if moved and closer.error <= _BLURRED * reach and away > held.error + self.rtol * size:
                    item.slope, item.verdict, item.reason = held, DIFFERS, ""
                    return
                continue  # it says the same, with fewer digits
            again = Compared(item.index, item.gradient, closer)
            again.verdict = DIFFERS
            sharp = closer.error <= 1e-5 * reach
            if sharp and self._decided(again, size, reach) and (not decided or again.verdict == AGREES):
                item.slope, item.verdict, item.reason = again.slope, again.verdict, again.reason
                return
            if open_ and not closer.kink and closer.error <= _BLURRED * reach:
                held, moved = closer, True
            doubted = doubted or abs(item.gradient - closer.value) <= closer.error < 0.5 * abs(item.gradient)
        if decided:
            return
        item.verdict = DIFFERS
        found, away = item.slope, abs(item.gradient - item.slope.value)
        low, high = sorted(found.quotients)
        if found.gap > 0.1 * max(away, high - low) and low - 0.1 * found.gap <= item.gradient <= high + 0.1 * found.gap:
            # a kink so near that no step is small enough
            item.verdict, item.reason = CANNOT_TELL, "kink"
            found.left, found.right = found.quotients
        elif moved and low - 0.1 * found.gap <= held.value <= high + 0.1 * found.gap:
            item.slope = held  # of a side of the kink that is between: the gradient is of neither
        elif moved or doubted or item.slope.error > _BLURRED * max(unit, abs(item.slope.value)):
            # what it seems to be from afar is not so nearer by, and nothing bears that out
            item.verdict, item.reason = CANNOT_TELL, "noise"

    def _decided(self, item: Compared, size: float, unit: float) -> bool:
        """Give the verdict, unless the numbers differ: then it is to be looked at more closely."""
        found, number = item.slope, item.gradient
        bar = found.error + self.rtol * max(size, abs(found.value) if np.isfinite(found.value) else 0.0)
        if found.kink:
            assert found.left is not None and found.right is not None
            low, high = sorted((found.left, found.right))
            near = 1e-6 * max(abs(low), abs(high)) if np.isfinite(high - low) else 0.0
            if np.isinf(low) and low == high:
                item.verdict, item.reason = CANNOT_TELL, "jump"
                return True
            if low - near <= number <= high + near or np.isnan(number):
                item.verdict, item.reason = CANNOT_TELL, "kink"
                return True
            return False
        if found.one_side or not np.isfinite(found.value):
            item.verdict, item.reason = CANNOT_TELL, "domain-edge"
            if number == found.value:
                item.verdict, item.reason = AGREES, ""
            return True
        if not abs(number - found.value) <= bar:
            return False
        item.verdict = AGREES
        if found.error > _BLURRED * unit:
            item.verdict, item.reason = CANNOT_TELL, "noise"
        return True
