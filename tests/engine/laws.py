"""The laws that every operation of the registry obeys: `LAWS`, each a function of an operation, a case and randomness.

A law returns how many comparisons it made, and raises `Broken` where one fails. Real and complex operands obey the same
ones: with <a, b> = Re(sum(conj(a) b)) a gradient g of a real L is that with dL = <g, dx>.
"""

from __future__ import annotations

import numpy as np

from gradcli.engine import EngineError, constant, current_state
from gradcli.engine.primitive import Case
from gradcli.engine.pullback import pull_back
from gradcli.engine.pushforward import jvp
from gradcli.engine.tape import node_of
from tests.engine.conventions import free_of_convention
from tests.engine.differences import derivative
from tests.engine.trials import (
    Run,
    flat,
    inner,
    is_varied,
    jittered,
    nudged,
    replaced,
    sample,
    size,
    takes,
    unlike,
    values,
    weights,
)  # fmt: skip


class Broken(Exception):
    """A law does not hold."""


def need(holds, what: str) -> None:
    if not holds:
        raise Broken(what)


def near(a, b, tolerance: float, what: str) -> None:
    """The same shape, and entries alike relative to the largest one; infinities and nan in the same places."""
    need(not unlike(a, b, tolerance), f"{what}: {a} is not {b}")


def condition(response) -> float:
    """How far a result moves for each relative change of the operands: the most of three random ones."""
    step = 1e-6
    return max(response(step * factor) / step for factor in (1, -1, 0.5))


# -- derivatives -------------------------------------------------------------------------------------------------------


def agrees_with_differences(op, case: Case, random, dtype) -> int:
    """The gradient is that of extrapolated numeric differentiation, to 1e-9 (1 + condition number), entry by entry."""
    operands = sample(op, case, random, dtype)
    run = Run(op, operands, case.params)
    upstream = weights(random, run.targets)
    grads = run.gradients(upstream)

    def moves(step: float) -> float:
        other = Run(op, jittered(op, operands, step), case.params)
        return size([a - b for a, b in zip(other.gradients(upstream), grads)])

    def numeric(position: int, index, turn) -> float:
        def at(h):
            moved = nudged(operands, position, index, h * turn)
            return inner(upstream, values(op, moved, case.params))

        return derivative(at, max(1.0, abs(flat(operands)[position][index])))

    count = 0
    for position, grad in zip(run.positions, grads):
        need(grad is not None, f"the gradient of operand {position} is None")
        for index in np.ndindex(np.shape(grad)):
            for turn in (1.0, 1j) if np.iscomplexobj(grad) else (1.0,):
                want, mine = numeric(position, index, turn), float((np.conj(grad[index]) * turn).real)
                wrong = abs(mine - want)
                if not wrong <= 1e-9:
                    need(wrong <= 1e-9 * (1 + condition(moves)), f"operand {position}{index}: {mine} is not {want}")
                count += 1
    return count or 1


def transposes(op, case: Case, random, dtype) -> int:
    """<u, J v> = <Jᵀ u, v>: forward mode and reverse mode are of one Jacobian, for each operand alone."""
    run = Run(op, sample(op, case, random, dtype), case.params)
    for source in run.sources:
        u = weights(random, run.targets)
        (v,) = weights(random, [source])
        forward = [jvp(run.tape, y, source, v) for y in run.targets]
        need(any(t is not None for t in forward), "no tangent arrives")
        for t, y in zip(forward, run.targets):
            need(t is None or (t.dtype, t.shape) == (y.dtype, y.shape), "a tangent unlike its target")
        back = run.tape.gradient(run.targets, source, u)
        pairs = [(w, t.numpy()) for w, t in zip(u, forward) if t is not None]
        a, b = inner(*zip(*pairs)), inner([back.numpy()], [v])
        terms = sum(float(np.sum(np.abs(x * y))) for x, y in (*pairs, (back.numpy(), v)))
        need(abs(a - b) <= 1e-11 * (1 + terms), f"<u, Jv> = {a}, <Jᵀu, v> = {b}")
    return len(run.sources)


def second_order(op, case: Case, random, dtype) -> int:
    """The gradient of the gradient is that of extrapolated differences of the gradient, in two random directions."""
    operands = sample(op, case, random, dtype)
    shapes = Run(op, operands, case.params)
    upstream, others = weights(random, shapes.targets), weights(random, shapes.sources)

    def first(operands):
        run = Run(op, operands, case.params)
        with run.tape:
            grads = run.tape.gradient(run.targets, run.sources, upstream)
        return run, grads

    def second(operands):
        run, grads = first(operands)
        found = run.tape.gradient(grads, run.sources, others, unconnected_gradients="zero")
        return [g.numpy() for g in found]

    def compare(v) -> None:
        def at(h):
            moved = replaced(operands, lambda i, x: x + h * v[i] if i in v else x)
            return inner(others, [g.numpy() for g in first(moved)[1]])

        want, mine = derivative(at), inner(exact, list(v.values()))
        wrong = abs(mine - want)
        if not wrong <= 1e-9:

            def moves(step: float) -> float:
                return abs(inner(second(jittered(op, operands, step)), list(v.values())) - mine)

            need(wrong <= 1e-9 * (1 + condition(moves)), f"the second derivative {mine} is not {want}")

    exact = second(operands)
    for _ in range(2):
        directions = weights(random, shapes.sources)
        compare({i: d / max(size([d]), 1.0) for i, d in zip(shapes.positions, directions)})
    return 2


# -- batches and broadcasting ------------------------------------------------------------------------------------------


def batch_is_row_by_row(op, case: Case, random, dtype) -> int:
    """A batch of cotangents gives what its rows give one by one."""
    run = Run(op, sample(op, case, random, dtype), case.params)
    batch = [np.stack(rows) for rows in zip(*(weights(random, run.targets) for _ in range(3)))]
    nodes, targets = [node_of(s) for s in run.sources], [node_of(t) for t in run.targets]
    state = current_state()
    with np.errstate(all="ignore"):
        whole = pull_back(state, run.tape.mark, list(zip(targets, batch)), nodes, 1)
        rows = [
            pull_back(state, run.tape.mark, [(t, b[i][()]) for t, b in zip(targets, batch)], nodes) for i in range(3)
        ]
    for k, source in enumerate(run.sources):
        need(np.shape(whole[k]) == (3, *source.shape), f"the batch has shape {np.shape(whole[k])}")
        for i in range(3):
            near(whole[k][i], rows[i][k], 1e-12, f"row {i}")
    return len(run.sources)


def broadcasts(op, case: Case, random, dtype) -> int:
    """A gradient has the shape of its operand; the sum, over the axes along which it was repeated, of what it has
    there if the operands are repeated beforehand."""
    operands = sample(op, case, random, dtype)
    run = Run(op, operands, case.params)
    upstream = weights(random, run.targets)
    grads = run.gradients(upstream)
    for source, grad in zip(run.sources, grads):
        need(np.shape(grad) == source.shape, f"shape {np.shape(grad)} for a source of {source.shape}")
    if op.elementwise and len(flat(operands)) > 1:
        shape = np.broadcast_shapes(*(np.shape(x) for x in flat(operands)))
        whole = Run(op, [np.array(np.broadcast_to(x, shape))[()] for x in operands], case.params)
        near(whole.targets[0].numpy(), run.targets[0].numpy(), 1e-14, "the value of repeated operands")
        for source, grad, spread in zip(run.sources, grads, whole.gradients(upstream)):
            added = len(shape) - source.ndim
            axes = tuple(i for i in range(len(shape)) if i < added or source.shape[i - added] != shape[i])
            near(grad, np.sum(spread, axes).reshape(source.shape), 1e-12, "the sum over what was repeated")
    return len(run.sources)


# -- dtypes and arrays -------------------------------------------------------------------------------------------------


def holds_in_every_dtype(op, case: Case, random, dtype) -> int:
    """In float16, float32 and complex64: gradients of the operand's dtype, and values near those of twice the digits.

    Near is what rounding of operands and result explains: eight units, and sixteen times what the result moves by if
    operands move by one.
    """
    low = sample(op, case, random, dtype)
    unit = float(np.finfo(dtype).eps)
    wide = np.complex128 if np.dtype(dtype).kind == "c" else np.float64
    high = replaced(low, lambda _i, x: x.astype(wide)[()])
    run = Run(op, low, case.params)
    upstream = weights(random, run.targets)

    def everything(run: Run) -> list:
        u = [np.asarray(w).astype(t.dtype)[()] for w, t in zip(upstream, run.targets)]
        return [t.numpy() for t in run.targets] + run.gradients(u)

    mine, want = everything(run), everything(Run(op, high, case.params))
    others = [everything(Run(op, jittered(op, high, unit, seed), case.params)) for seed in range(3)]
    for source, grad in zip(run.sources, mine[len(run.targets) :]):
        need(grad.dtype == source.dtype, f"a gradient of {grad.dtype} for a source of {source.dtype}")
        need(type(grad) is np.ndarray or np.shape(grad) == (), "a scalar is a NumPy scalar")
    for k, (a, b) in enumerate(zip(mine, want)):
        moved = max(size([other[k] - b]) for other in others)
        allowed = 8 * unit * (1e-3 + size([b])) + 16 * moved
        need(size([a.astype(b.dtype) - b]) <= allowed, f"{a} in {np.dtype(dtype)} is {b} in {np.dtype(wide)}")
    return len(run.sources)


def _backwards(x):
    view = np.zeros((2 * x.shape[0], *x.shape[1:]), x.dtype)[::-2]
    view[...] = x
    return view


def _spaced(x):
    view = np.zeros((*x.shape[:-1], 3 * x.shape[-1]), x.dtype)[..., 1::3]
    view[...] = x
    return view


#: memory layouts that an array of the same entries can have
LAYOUTS = {"backwards": _backwards, "spaced": _spaced, "columns first": np.asfortranarray, "read-only": np.array}


def reads_any_layout(op, case: Case, random, dtype) -> int:
    """Strided backwards, with gaps, in column order, read-only: the same results and gradients, and nobody writes."""
    operands = sample(op, case, random, dtype)
    plain = Run(op, operands, case.params)
    upstream = weights(random, plain.targets)
    grads = plain.gradients(upstream)

    def odd(part, laid):
        if not isinstance(part, np.ndarray) or not part.ndim:
            return part
        view = laid(part)
        view.flags.writeable = False
        return view

    for name, laid in LAYOUTS.items():
        laid_out = [[odd(p, laid) for p in item] if isinstance(item, list) else odd(item, laid) for item in operands]
        run = Run(op, laid_out, case.params)
        for a, b in zip(run.results, plain.results, strict=True):
            near(a.numpy(), b.numpy(), 1e-12, f"the value of operands {name}")
        for a, b in zip(run.gradients([odd(u, laid) for u in upstream]), grads):
            near(a, b, 1e-12, f"the gradient of operands {name}")
        for x, before in zip(flat(laid_out), flat(operands)):
            need(not isinstance(x, np.ndarray) or np.array_equal(x, before), "an operand was changed")
    return len(LAYOUTS)


def leaves_operands_alone(op, case: Case, random, dtype) -> int:
    """Arrays that could be written to are as they were after value and gradient; and writing to a gradient, which
    belongs to whoever asked for it, changes neither operands, upstream nor results."""
    operands = sample(op, case, random, dtype)
    before = replaced(operands, lambda _i, x: np.array(x)[()])
    run = Run(op, operands, case.params)
    upstream = weights(random, run.targets)
    held = [*(x for x in flat(operands) if is_varied(x)), *upstream, *(t.numpy() for t in run.results)]
    kept = [*(x for x in flat(before) if is_varied(x)), *(np.array(x) for x in held[-len(upstream + run.results) :])]
    for grad in run.gradients([constant(u) for u in upstream]):
        if isinstance(grad, np.ndarray) and grad.flags.writeable:
            grad += 1
    for x, y in zip(held, kept, strict=True):
        near(x, y, 0.0, "what was changed")
    return len(held)


def bears_nothing_and_scalars(op, case: Case, random, dtype) -> int:
    """Operands without entries, and scalars: an empty or scalar gradient of their shape, or an error of ours."""
    shapes = [item if isinstance(item, tuple) else None for item in case.operands]
    tried = []
    if any(shapes):
        for shrink in (lambda s: (0, *s[1:]), lambda s: (*s[:-1], 0), lambda s: (), lambda s: (*s, 0)):
            smaller = [shrink(s) if s else item for s, item in zip(shapes, case.operands)]
            tried.append(sample(op, Case(*smaller), random, dtype))
    operands = sample(op, case, random, dtype)
    tried.append(replaced(operands, lambda _i, x: x[..., :0] if np.ndim(x) else x))
    tried.append(replaced(operands, lambda _i, x: x[:0] if np.ndim(x) else x))
    for items in tried:
        _bears(op, items, case.params)
    return len(tried)


def _bears(op, operands: list, params: dict) -> None:
    try:
        run = Run(op, operands, params)
        grads = run.gradients([np.ones(t.shape, t.dtype)[()] for t in run.targets])
    except EngineError:
        return
    for target in run.results:
        need(isinstance(target.numpy(), np.generic if target.shape == () else np.ndarray), "a value that is no array")
    for source, grad in zip(run.sources, grads):
        if grad is not None:  # nothing comes from no results
            need(grad.shape == source.shape, f"shape {grad.shape} for a source of {source.shape}")
            need(grad.dtype == source.dtype, f"dtype {grad.dtype} for a source of {source.dtype}")


#: every law, and the dtypes in which it is tried, as far as an operation takes them
LAWS = {
    agrees_with_differences: (np.float64, np.complex128),
    transposes: (np.float64, np.complex128),
    second_order: (np.float64, np.complex128),
    batch_is_row_by_row: (np.float64, np.complex128),
    broadcasts: (np.float64, np.complex128),
    holds_in_every_dtype: (np.float16, np.float32, np.complex64),
    reads_any_layout: (np.float64, np.complex128),
    leaves_operands_alone: (np.float64, np.complex128),
    bears_nothing_and_scalars: (np.float64, np.complex128),
}


def holds(law, op, cases: list[Case], seed: int = 0) -> int:
    """Try a law with all cases in all dtypes; the number of comparisons made."""
    return sum(
        law(free_of_convention(op, case.params, dtype), case, np.random.default_rng([seed, i]), dtype)
        for dtype in LAWS[law]
        if takes(op, np.dtype(dtype).kind)
        for i, case in enumerate(cases)
    )
