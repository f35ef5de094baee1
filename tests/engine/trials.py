"""With what an operation is tried: operands sampled within its domain, results of any structure, a tape around it."""

from __future__ import annotations

import numpy as np

from gradcli.engine import GradientTape, Tensor, constant
from gradcli.engine.primitive import Case

#: shapes with which elementwise operations are tried: scalars, broadcasting both ways, nothing at all
SHAPES = {
    1: [((),), ((3,),), ((2, 3),), ((0, 2),)],
    2: [((), ()), ((3,), (2, 3)), ((2, 1), (1, 3)), ((2, 3), ()), ((0,), ())],
}


#: operations whose tables are orthonormal, as they have to be
EXACT = {"complement"}


def cases(op) -> list[Case]:
    """What an operation is tried with: its own cases, or the shapes of an elementwise one."""
    if op.cases:
        return list(op.cases)
    return [Case(*shapes) for shapes in SHAPES[max(op.arity, 1)]] if op.elementwise else []


def takes(op, kind: str) -> bool:
    """Are operands of this kind of dtype taken, wherever floats are?"""
    groups = [kinds for kinds in op.accepts if "f" in kinds]
    return bool(groups) and all(kind in kinds for kinds in groups)


def is_varied(part) -> bool:
    """Is it an operand of numbers that a gradient may reach?"""
    return isinstance(part, (np.ndarray, np.generic)) and part.dtype.kind in "fc"


def flat(operands: list) -> list:
    """The operands one by one, those of a list too."""
    return [part for item in operands for part in (item if isinstance(item, list) else [item])]


def packed(operands: list, parts: list) -> list:
    """The same structure with other parts."""
    left = iter(parts)
    return [[next(left) for _ in item] if isinstance(item, list) else next(left) for item in operands]


def replaced(operands: list, change) -> list:
    """The same operands after `change(position, part)` of those that are varied."""
    return packed(operands, [change(i, part) if is_varied(part) else part for i, part in enumerate(flat(operands))])


def sample(op, case: Case, random, dtype=np.float64) -> list:
    """Raw operands: random within the domain for a shape, otherwise as the case has them.

    For a complex dtype they lie off the axes: numbers in a strip above or below the domain; given tables are turned by
    phases of rows and columns, which keeps a square one hermitian, singular or well conditioned as it was.
    """
    domains = op.domain or ((-2.0, 2.0),)
    is_complex = np.dtype(dtype).kind == "c"

    def drawn(shape, i: int):
        bounds = np.reshape(domains[min(i, len(domains) - 1)], (-1, 2))
        picked = bounds[random.integers(len(bounds), size=shape)]
        low, high = picked[..., 0], picked[..., 1]
        data = low + (high - low) * random.uniform(0.02, 0.98, shape)
        if is_complex:
            data = data + 1j * random.uniform(0.1, 1.0, shape) * random.choice([-1, 1], shape)
        return np.asarray(data).astype(dtype)[()]

    def given(data):
        if not is_complex or not data.ndim:
            return data.astype(dtype)[()]
        columns = np.exp(1j * random.uniform(0, 1, data.shape[-1]))
        if data.ndim == 1:
            return (data * columns).astype(dtype)
        square = data.shape[-1] == data.shape[-2]
        rows = columns.conj() if square else np.exp(1j * random.uniform(0, 1, data.shape[-2]))
        return (rows[:, None] * data * columns).astype(dtype)

    def one(item, i: int):
        if isinstance(item, tuple):
            return drawn(item, i)
        if isinstance(item, list) and item and isinstance(item[0], tuple):
            return [one(part, i) for part in item]
        if isinstance(item, str):
            return item
        try:
            data = np.asarray(item)
        except ValueError:  # lists of different lengths are for the operation to understand
            return (item,)
        return given(data) if data.dtype.kind == "f" else data[()]

    return [one(item, i) for i, item in enumerate(case.operands)]


def varied(op, case: Case, random) -> Case:
    """The case with every entry of its tables of floats off by up to a thirtieth; zeros, signs and order stay."""

    def one(i: int, item):
        unreached = not op.composite and 0 <= i < op.arity and op.rules[i] is None
        if (
            op.name in EXACT
            or unreached
            or isinstance(item, tuple)
            or (isinstance(item, list) and item and isinstance(item[0], tuple))
        ):
            return item
        try:
            data = np.asarray(item)
        except ValueError:
            return item
        if data.dtype.kind != "f" or not data.ndim:
            return item
        return (data * (1 + random.uniform(-1, 1, data.shape) / 30)).tolist()

    return Case(*(one(i, item) for i, item in enumerate(case.operands)), **case.params)


def arguments(operands: list) -> list:
    """The flat operands as the operation is called with them: arrays as new tensors, anything else as it is."""

    def one(part):
        if isinstance(part, tuple):
            return part[0]
        return part if isinstance(part, str) else constant(part)

    return [one(part) for part in flat(operands)]


def reached(op, operands: list) -> list[int]:
    """The positions, among the flat operands, of those that a gradient reaches."""
    parts = flat(operands)
    if op.composite or op.arity < 0:
        return [i for i, part in enumerate(parts) if is_varied(part)]
    return [i for i, part in enumerate(parts) if is_varied(part) and op.rules[i] is not None]


def results(y) -> list[Tensor]:
    """All tensors of a result, which may be one or a structure of several."""
    if isinstance(y, Tensor):
        return [y]
    return [t for item in y if item is not None for t in results(item)]


class Run:
    """One call on a persistent tape that watches every operand that a gradient reaches."""

    def __init__(self, op, operands: list, params: dict) -> None:
        parts = arguments(operands)
        self.positions = reached(op, operands)
        self.sources = [parts[i] for i in self.positions]
        with np.errstate(all="ignore"), GradientTape(persistent=True) as self.tape:
            self.tape.watch(self.sources)
            self.results = results(op.call(*packed(operands, parts), **params))
        #: those that a gradient can start from
        self.targets = [t for t in self.results if t.dtype.kind in "fc"]

    def gradients(self, upstream: list) -> list:
        """The gradient of each source as an array; None where there is none."""
        found = self.tape.gradient(self.targets, self.sources, upstream)
        return [None if g is None else g.numpy() for g in found]


def values(op, operands: list, params: dict) -> list:
    """The results that a gradient can start from, as arrays."""
    with np.errstate(all="ignore"):
        found = results(op.call(*packed(operands, arguments(operands)), **params))
    return [t.numpy() for t in found if t.dtype.kind in "fc"]


def weights(random, items: list) -> list:
    """Random numbers of the shape and kind of each item."""
    found = []
    for item in items:
        w = random.normal(size=item.shape)
        w = w + 1j * random.normal(size=item.shape) if item.dtype.kind == "c" else w
        found.append(np.asarray(w).astype(item.dtype)[()])
    return found


def nudged(operands: list, position: int, index, step) -> list:
    """The same operands but for one entry of one of them, which is `step` more."""

    def moved(i: int, x):
        if i != position:
            return x
        found = np.array(x)
        found[index] += step
        return found[()]

    return replaced(operands, moved)


def jittered(op, operands: list, step: float, seed: int = 0) -> list:
    """The operands that a gradient reaches, each entry off by a relative step up or down."""
    random, varied = np.random.default_rng(seed), reached(op, operands)

    def moved(i: int, x):
        return (x * (1 + step * random.choice([-1.0, 1.0], np.shape(x)))).astype(x.dtype)[()] if i in varied else x

    return replaced(operands, moved)


def unlike(a, b, tolerance: float) -> bool:
    """Do two arrays differ: in shape, in where they are not finite, or by more than that part of the largest entry?"""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype.kind not in "fc" or b.dtype.kind not in "fc":
        return not np.array_equal(a, b)
    finite = np.isfinite(b)
    with np.errstate(invalid="ignore"):
        alike = np.abs(a - b) <= tolerance * (1.0 + size([b[finite]]))
    return not bool(np.all(np.where(finite, alike, (a == b) | (np.isnan(a) & np.isnan(b)))))


def inner(a: list, b: list) -> float:
    """The real inner product: gradients of complex numbers are those of the plane, d/dx + i d/dy."""
    return float(sum(np.sum((np.conj(x) * y).real) for x, y in zip(a, b)))


def size(items: list) -> float:
    """The largest entry."""
    return max((float(np.max(np.abs(x))) for x in items if np.size(x)), default=0.0)
