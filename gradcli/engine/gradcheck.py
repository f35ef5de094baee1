"""Is a gradient right? The answer of a query compared with numeric differentiation of the recorded operations.

Entry by entry up to a number of entries, beyond that along seeded random directions, each of which moves every entry.
A verdict is `agrees`, `differs` or `cannot tell`; every compared number carries the error bar of the numeric one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .central import Slope
from .comparison import AGREES, CANNOT_TELL, DIFFERS, FEW, Compared, Comparison, Source
from .custom import not_recording
from .dtypes import dtype_name
from .objective import OUTSIDE, Objective, as_float64
from .pushforward import push_forward
from .replay import CannotReplay
from .tensor import Tensor
from .widened import swept, widest

if TYPE_CHECKING:
    from .asked import Asked

#: up to so many entries of all sources together they are compared one by one; sources of a few entries always are
_ENTRIES = 1000
#: random directions of a source that has more
_DIRECTIONS = 3
#: relative difference that a right gradient may have beside the numeric error bar
RTOL = 1e-7
#: the rounding of a sum relative to the moduli of its terms
_ROUNDING = 8 * 2.0**-52
#: sweeps with random signs, which tell how great the terms are
_SWEEPS = 2
#: where the pullback of a function of the user's computes in float32 or float16 only
_NARROW = {"float32": 1e-3, "complex64": 1e-3, "float16": 0.1, "bfloat16": 0.2}


#: why a gradient cannot be the one of a reference, so that it counts as differing
REFUSED = ("nameless", "not-in-program", "not-in-reference", "none", "no-numbers", "shape")


class Check:
    """The outcome of a check. `unconnected` are the positions of sources whose gradient is None: nothing to compare."""

    __slots__ = ("dtype", "evaluations", "reason", "sources", "unconnected")

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.unconnected: list[int] = []
        self.evaluations = 0
        #: why nothing could be compared: `custom`, `not-finite`, `unconnected`, or one of REFUSED
        self.reason = ""
        self.dtype = ""

    @property
    def refused(self) -> bool:
        """Could nothing be compared with a reference, which counts as differing?"""
        return self.reason in REFUSED

    @property
    def verdict(self) -> str:
        """`agrees`, `differs` or `cannot tell`."""
        found = {source.verdict for source in self.sources}
        if DIFFERS in found or self.refused:
            return DIFFERS
        return CANNOT_TELL if self.reason or CANNOT_TELL in found else AGREES

    @property
    def worst(self) -> tuple[Source, Compared] | None:
        """The comparison with the worst verdict, of these that with the greatest relative difference."""
        order = (AGREES, CANNOT_TELL, DIFFERS)
        pairs = [(source, item) for source in self.sources for item in source.compared]
        return max(pairs, key=lambda pair: (order.index(pair[1].verdict), _known(pair[1].relative)), default=None)

    @property
    def max_rel(self) -> float:
        """The greatest relative difference of what could be told."""
        told = [item.relative for source in self.sources for item in source.compared if item.verdict != CANNOT_TELL]
        return max(told, default=0.0)


def _known(value: float) -> float:
    return value if value == value else -1.0


def check(asked: Asked, directions_only: bool = False, seed: int = 0) -> Check:
    """Compare the answers of a query with numeric derivatives; with `directions_only` along one direction a source.

    Answers in rows (a Jacobian, a Hessian) are compared row by row at once, weighed by random numbers.
    """
    found = Check()
    random = np.random.default_rng(seed)
    with not_recording(asked.state), np.errstate(all="ignore"):
        try:
            numbers, objective = _prepared(asked, random)
        except CannotReplay:
            found.reason = "custom"
            return found
        noise = objective.rounding()
        if not np.isfinite(objective.size):
            found.reason = "not-finite"
            return found
        judged, narrow = _judged(asked, numbers)
        finer, rooms = _Finer(asked, objective), _Rooms(asked, objective)
        found.dtype = narrow
        total = sum(x.size for x in numbers if x is not None)
        for i, numbers_of in enumerate(numbers):
            if numbers_of is None:
                found.unconnected.append(i)
                continue
            source = Source(i, judged[i])
            tolerance = RTOL if judged[i] is not numbers_of or not narrow else _NARROW[narrow]
            source.rounding = _distance(numbers_of, judged[i])
            comparison = Comparison(objective, source, noise, tolerance, finer, rooms)
            if asked.kind == "jvp":
                comparison.along(np.asarray(as_float64(asked.weights.value)), float(judged[i]))
            elif directions_only:
                comparison.along_directions(random, 1)
            elif total <= _ENTRIES or source.numbers.size <= FEW:
                comparison.entries(list(np.ndindex(source.numbers.shape)))
            else:
                comparison.along_directions(random, _DIRECTIONS)
                if not narrow and asked.kind == "gradient":
                    _compare_modes(asked, source, random)
            if source.verdict == DIFFERS and source.numbers.size > len(source.compared):
                comparison.locate(random)
            found.sources.append(source)
        found.evaluations = objective.evaluations
        if found.unconnected and not found.sources:
            found.reason = "unconnected"
    return found


def _compare_modes(asked: Asked, source: Source, random: Any) -> None:
    """Hold forward mode against reverse mode along a direction v: <u, Jv> = <J^T u, v>, which has no numeric error."""
    node, numbers = asked.wanted[source.position], source.numbers
    v = random.choice([-1.0, 1.0], numbers.shape).astype(numbers.dtype)
    forward: Any = 0.0
    try:
        for target, u in asked.seeds:
            tangent = push_forward(asked.state, asked.mark, target, {node: Tensor(v[()])})
            if tangent is not None:
                forward += np.real(np.sum(u * tangent.value))
    except OUTSIDE:
        return
    if np.iscomplexobj(numbers):
        numbers = np.conj(numbers)
    reverse = float(np.real(np.sum(numbers * v)))
    size = float(np.sum(np.abs(numbers)))
    item = Compared(None, reverse, Slope(float(forward), 1e-11 * size))
    if not abs(reverse - float(forward)) <= 1e-9 * size:
        item.verdict = DIFFERS
    source.compared.append(item)


class _Finer:
    """The objective in the machine's widest format, made when it is first wanted; None if there is none."""

    def __init__(self, asked: Asked, objective: Objective) -> None:
        self.asked = asked
        self.seeds = objective.seeds
        self.found: tuple[Objective, float] | None = None
        self.looked = bool(np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps)

    def __call__(self) -> tuple[Objective, float] | None:
        if not self.looked:
            self.looked = True
            try:
                made = Objective(self.asked, self.seeds, widest)
                self.found = made, made.rounding()
            except (*OUTSIDE, CannotReplay):
                self.found = None  # an operation without the wider format, such as a factorisation
        return self.found


class _Rooms:
    """What rounding leaves of the gradients, found when it is first wanted: a part of the terms that they are sums of.
    Where these cancel it is all there is."""

    def __init__(self, asked: Asked, objective: Objective) -> None:
        self.asked = asked
        self.seeds = objective.seeds
        self.sizes: dict[Any, Any] | None = None

    def __call__(self, source: Source) -> Any:
        """The room of each number of a source's gradient."""
        if self.sizes is None:
            self.sizes = dict.fromkeys(self.asked.wanted, 0.0)
            random = np.random.default_rng(0)
            try:
                for _ in range(_SWEEPS if self.asked.kind != "jvp" else 0):
                    swept(self.asked.mark, self.seeds, self.asked.wanted, as_float64, self.sizes, random)
            except (*OUTSIDE, CannotReplay):
                self.sizes = dict.fromkeys(self.asked.wanted, 0.0)
        room = _ROUNDING * self.sizes[self.asked.wanted[source.position]]
        return np.broadcast_to(np.nan_to_num(room, nan=0.0, posinf=0.0), source.numbers.shape)


def _prepared(asked: Asked, random: Any) -> tuple[list[Any], Objective]:
    """The gradients to be judged, one number for each entry of a source, and the function they are gradients of."""
    answers = [None if a is None else np.asarray(a) for a in asked.answers]
    if not asked.in_rows:
        return answers, Objective(asked)
    ((node, ct),) = asked.seeds
    lead = np.ndim(ct)
    weights = np.asarray(random.uniform(0.5, 1.5, np.shape(ct)) * random.choice([-1.0, 1.0], np.shape(ct)))
    objective = Objective(asked, [(node, weights[()])])
    if asked.kind == "jvp":
        return [None if a is None else np.asarray(np.sum(weights * as_float64(a))) for a in answers], objective
    if asked.kind == "batch_jacobian":
        return [None if a is None else _by_batch(weights, as_float64(a)) for a in answers], objective
    return [None if a is None else np.asarray(np.tensordot(weights, as_float64(a), lead)) for a in answers], objective


def _by_batch(weights: Any, answer: Any) -> Any:
    return np.stack([np.tensordot(w, a, np.ndim(w)) for w, a in zip(weights, answer)]) if len(answer) else answer


def _judged(asked: Asked, numbers: list[Any]) -> tuple[list[Any], str]:
    """The gradients in float64: of a program in narrower floats computed again, so that its rounding does not count.

    Also the narrow dtype, if there is one. The gradients stay as they are where a function of the user's refuses.
    """
    dtypes = {np.asarray(s.value).dtype for s in asked.sources} | {np.asarray(t.value).dtype for t in asked.targets}
    names = {dtype_name(d) for d in dtypes} & set(_NARROW)
    if not names:
        return [None if x is None else as_float64(x) for x in numbers], ""
    narrow = max(names, key=lambda name: _NARROW[name])
    if asked.in_rows:
        return [None if x is None else as_float64(x) for x in numbers], narrow
    try:
        store = swept(asked.mark, asked.seeds, asked.wanted, as_float64)
    except (*OUTSIDE, CannotReplay):
        return numbers, narrow
    found = []
    for node, answer in zip(asked.wanted, numbers):
        again = store.get(node)
        if answer is None or again is None:
            found.append(answer)
        else:
            again = np.conj(again) + 0 if np.iscomplexobj(again) else again
            found.append(np.asarray(np.broadcast_to(again, np.shape(answer))))
    return found, narrow


def _distance(a: Any, b: Any) -> float:
    """The greatest difference of two arrays relative to the greatest entry."""
    if a is b or not a.size:
        return 0.0
    with np.errstate(all="ignore"):
        size, away = np.max(np.abs(b)), np.max(np.abs(a - b))
    return float(away / size) if size and np.isfinite(away) else 0.0
