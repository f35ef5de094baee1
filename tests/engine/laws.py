"""The laws that every operation of the registry obeys, and how operands for them are sampled."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np

from gradcli.engine import GradientTape, Tensor, constant, current_state
from gradcli.engine.primitive import Case
from gradcli.engine.pullback import pull_back
from gradcli.engine.pushforward import jvp
from gradcli.engine.tape import node_of

#: shapes with which elementwise operations are tried: scalars, broadcasting both ways, nothing at all
SHAPES = {
    1: [((),), ((3,),), ((2, 3),), ((0, 2),)],
    2: [((), ()), ((3,), (2, 3)), ((2, 1), (1, 3)), ((2, 3), ()), ((0,), ())],
}


class Broken(Exception):
    """A law does not hold."""


def need(holds, what: str) -> None:
    if not holds:
        raise Broken(what)


def cases(op) -> list[Case]:
    """What an operation is tried with: its own cases, or the shapes of an elementwise one."""
    if op.cases:
        return list(op.cases)
    return [Case(*shapes) for shapes in SHAPES[max(op.arity, 1)]] if op.elementwise else []


def sample(op, case: Case, random, dtype=np.float64) -> list:
    """Raw operands: random within the domain for a shape, as it is for anything else."""
    domains = op.domain or ((-2.0, 2.0),)

    def one(item, i: int):
        if isinstance(item, tuple):
            low, high = domains[min(i, len(domains) - 1)]
            data = random.uniform(low, high, item)
            if np.iscomplexobj(np.zeros(0, dtype)):
                data = data + 1j * random.uniform(0.1, 1.0, item)
            return np.asarray(data).astype(dtype)[()]
        if isinstance(item, list) and item and isinstance(item[0], tuple):
            return [one(part, i) for part in item]
        data = np.asarray(item)
        return data.astype(dtype)[()] if data.dtype.kind == "f" else data

    return [one(item, i) for i, item in enumerate(case.operands)]


def flat(operands: list) -> list:
    return [part for item in operands for part in (item if isinstance(item, list) else [item])]


def tensors(operands: list) -> list:
    return [[constant(part) for part in item] if isinstance(item, list) else constant(item) for item in operands]


def differentiable(op, operands: list) -> list[bool]:
    if op.arity < 0:
        return [np.asarray(part).dtype.kind in "fc" for part in flat(operands)]
    rules = op.rules or (None,) * len(operands)
    return [np.asarray(x).dtype.kind in "fc" and (op.composite or rules[i] is not None) for i, x in enumerate(operands)]


def _call(op, operands, params):
    return op.call(*operands, **params)


def taped(op, operands: list, params) -> tuple[GradientTape, list, Tensor]:
    """Run on a persistent tape that watches every differentiable operand."""
    made = tensors(operands)
    sources = [x for x, ok in zip(flat(made), differentiable(op, operands)) if ok]
    with GradientTape(persistent=True) as tape:
        tape.watch(sources)
        y = _call(op, made, params)
    return tape, sources, y


def value(op, operands: list, params):
    return np.asarray(_call(op, tensors(operands), params).numpy(), np.float64)


def numeric(op, operands: list, params, upstream, position: int) -> np.ndarray:
    """d <upstream, y> / d operand by central differences, twice extrapolated."""
    parts = flat(operands)
    x = np.array(parts[position], np.float64)
    out = np.zeros(x.shape)

    def at(index, step: float) -> float:
        moved = x.copy()
        moved[index] += step
        replaced = [moved[()] if i == position else part for i, part in enumerate(parts)]
        return float(np.sum(value(op, _packed(operands, replaced), params) * upstream))

    for index in np.ndindex(x.shape):
        h = 1e-3 * max(1.0, abs(float(x[index])))
        d = [(at(index, h / 2**k) - at(index, -h / 2**k)) / (2 * h / 2**k) for k in range(3)]
        first = [(4 * d[k + 1] - d[k]) / 3 for k in range(2)]
        out[index] = (16 * first[1] - first[0]) / 15
    return out


def _packed(operands: list, parts: list) -> list:
    left = iter(parts)
    return [[next(left) for _ in item] if isinstance(item, list) else next(left) for item in operands]


def close(a, b, tolerance: float) -> bool:
    a, b = np.asarray(a), np.asarray(b)
    scale = 1.0 + (np.max(np.abs(b)) if b.size else 0.0)
    return a.shape == b.shape and bool(np.all(np.abs(a - b) <= tolerance * scale))


# -- the laws ----------------------------------------------------------------------------------------------------------


def agrees_with_differences(op, case, random) -> None:
    operands = sample(op, case, random)
    tape, sources, y = taped(op, operands, case.params)
    upstream = random.normal(size=y.shape)
    grads = tape.gradient(y, sources, upstream)
    positions = [i for i, ok in enumerate(differentiable(op, operands)) if ok]
    for position, grad in zip(positions, grads):
        want = numeric(op, operands, case.params, upstream, position)
        need(grad is not None, f"the gradient of operand {position} is None")
        need(close(grad.numpy(), want, 1e-8), f"operand {position}: {grad.numpy()} is not {want}")


def transposes(op, case, random) -> None:
    """<u, J v> = <Jᵀ u, v>, for each operand alone."""
    operands = sample(op, case, random)
    tape, sources, y = taped(op, operands, case.params)
    for source in sources:
        u, v = random.normal(size=y.shape), random.normal(size=source.shape)
        forward = jvp(tape, y, source, v)
        back = tape.gradient(y, source, u)
        need(forward is not None, "no tangent arrives")
        a, b = float(np.sum(u * forward.numpy())), float(np.sum(back.numpy() * v))
        need(abs(a - b) <= 1e-9 * (1 + abs(a)), f"<u, Jv> = {a}, <Jᵀu, v> = {b}")


def second_order(op, case, random) -> None:
    """The gradient of the gradient against central differences of the gradient."""
    operands = sample(op, case, random)
    made = tensors(operands)
    ok = differentiable(op, operands)
    sources = [x for x, good in zip(flat(made), ok) if good]
    with GradientTape(persistent=True) as outer:
        outer.watch(sources)
        with GradientTape(persistent=True) as inner:
            inner.watch(sources)
            y = _call(op, made, case.params)
        upstream = random.normal(size=y.shape)
        first = inner.gradient(y, sources, upstream)
    weights = [random.normal(size=g.shape) for g in first]
    second = outer.gradient(first, sources, weights, "zero")
    positions = [i for i, good in enumerate(ok) if good]
    parts = flat(operands)

    def gradient_sum(position: int, index, step: float) -> float:
        moved = np.array(parts[position])
        moved[index] += step
        tape, moved_sources, out = taped(
            op, _packed(operands, [moved[()] if i == position else p for i, p in enumerate(parts)]), case.params
        )
        grads = tape.gradient(out, moved_sources, upstream)
        return sum(float(np.sum(w * g.numpy())) for w, g in zip(weights, grads))

    for position, got in zip(positions, second):
        for index in list(np.ndindex(np.shape(parts[position])))[:4]:
            h = 1e-4
            want = (8 * (gradient_sum(position, index, h / 2) - gradient_sum(position, index, -h / 2))
                    - (gradient_sum(position, index, h) - gradient_sum(position, index, -h))) / (6 * h)  # fmt: skip
            mine = np.asarray(got.numpy())[index]
            need(abs(mine - want) <= 1e-6 * (1 + abs(want)), f"operand {position}{index}: {mine} is not {want}")


def batch_is_row_by_row(op, case, random) -> None:
    operands = sample(op, case, random)
    tape, sources, y = taped(op, operands, case.params)
    batch = random.normal(size=(3, *y.shape))
    nodes = [node_of(source) for source in sources]
    state = current_state()
    whole = pull_back(state, tape.mark, [(node_of(y), batch)], nodes, 1)
    for i in range(3):
        rows = pull_back(state, tape.mark, [(node_of(y), batch[i][()])], nodes, 0)
        for source, all_rows, row in zip(sources, whole, rows):
            need(np.shape(all_rows) == (3, *source.shape), f"the batch has shape {np.shape(all_rows)}")
            need(close(all_rows[i], np.asarray(row), 1e-12), f"row {i}: {all_rows[i]} is not {row}")


def keeps_shape_and_dtype(op, case, random, dtype) -> None:
    operands = sample(op, case, random, dtype)
    if any(np.asarray(p).dtype.kind not in kinds_of(op, i) for i, p in enumerate(flat(operands))):
        return
    tape, sources, y = taped(op, operands, case.params)
    if y.dtype.kind not in "fc":
        return
    for source, grad in zip(sources, tape.gradient(y, sources)):
        need(grad.shape == source.shape, f"shape {grad.shape} for a source of {source.shape}")
        need(grad.dtype == source.dtype, f"dtype {grad.dtype} for a source of {source.dtype}")
        need(type(grad.value) is np.ndarray or grad.shape == (), "a scalar is a NumPy scalar")


def kinds_of(op, i: int) -> str:
    return op.accepts[min(i, len(op.accepts) - 1)]


def leaves_operands_alone(op, case, random) -> None:
    """Operands that are read-only, strided backwards or not contiguous: the same values, and nobody writes to them."""
    operands = sample(op, case, random)

    def awkward(x):
        x = np.asarray(x)
        if x.ndim == 0:
            return x[()]
        padded = np.zeros((2 * x.shape[0], *x.shape[1:]), x.dtype)
        view = padded[::-2]
        view[...] = x
        padded.flags.writeable = False
        view.flags.writeable = False
        return view

    odd = [[awkward(p) for p in item] if isinstance(item, list) else awkward(item) for item in operands]
    tape, sources, y = taped(op, odd, case.params)
    plain_tape, plain_sources, plain = taped(op, operands, case.params)
    need(close(y.numpy(), plain.numpy(), 1e-12), "another value for a strided operand")
    if y.dtype.kind in "fc" and sources:
        for a, b in zip(tape.gradient(y, sources), plain_tape.gradient(plain, plain_sources)):
            need((a is None) == (b is None), "None for a strided operand")
            need(a is None or close(a.numpy(), b.numpy(), 1e-12), "another gradient for a strided operand")
    for x, before in zip(flat(odd), flat(operands)):
        need(np.array_equal(x, before), "an operand was changed")


@contextmanager
def temporarily(registry, names):
    """Undo what was registered inside the block."""
    before = [dict(table) for table in registry]
    try:
        yield
    finally:
        for table, kept in zip(registry, before):
            table.clear()
            table.update(kept)
