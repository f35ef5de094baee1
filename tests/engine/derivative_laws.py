"""Laws of derivatives: numeric differentiation, forward against reverse mode, second order, batches, broadcasting.

With <a, b> = Re(sum(conj(a) b)) a gradient g of a real L is that with dL = <g, dx>, for real and complex operands alike.
"""

from __future__ import annotations

import numpy as np

from gradcli.engine import GradientTape, Tensor, constant, current_state
from gradcli.engine.primitive import Case
from gradcli.engine.pullback import pull_back
from gradcli.engine.pushforward import jvp
from gradcli.engine.tape import node_of
from tests.engine.differences import derivative
from tests.engine.trials import Run, flat, inner, jittered, nudged, replaced, sample, size, values, weights
from tests.engine.verdicts import condition, near, need


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


def records_the_same_sweep(op, case: Case, random, dtype) -> int:
    """What an outer tape records of a sweep is the sweep of arrays, also for a batch; a batch's derivative is its rows'."""
    run = Run(op, sample(op, case, random, dtype), case.params)
    batch = [np.stack(rows) for rows in zip(*(weights(random, run.targets) for _ in range(2)))]
    nodes, targets = [node_of(s) for s in run.sources], [node_of(t) for t in run.targets]
    state = current_state()

    def recorded(cotangents: list, lead: int):
        outer = GradientTape(persistent=True)
        with np.errstate(all="ignore"), outer:
            outer.watch([*run.sources, *(made := [constant(ct) for ct in cotangents])])
            return outer, pull_back(state, run.tape.mark, list(zip(targets, made)), nodes, lead, True)

    def derivative_of(found, factors) -> list:
        outer, grads = found
        live = [(g, w) for g, w in zip(grads, factors) if isinstance(g, Tensor)]
        second = outer.gradient([g for g, _ in live], run.sources, [w for _, w in live], "zero")
        return [g.numpy() for g in second]

    with np.errstate(all="ignore"):
        arrays = pull_back(state, run.tape.mark, list(zip(targets, batch)), nodes, 1)
    whole = recorded(batch, 1)
    for k, (a, b) in enumerate(zip(whole[1], arrays)):
        near(getattr(a, "value", a), b, 1e-12, f"the recorded batch of operand {k}")
    factors = [np.stack(rows) for rows in zip(*(weights(random, run.sources) for _ in range(2)))]
    rows = [recorded([b[i][()] for b in batch], 0) for i in range(2)]
    parts = [derivative_of(row, [f[i][()] for f in factors]) for i, row in enumerate(rows)]
    for k, (a, *b) in enumerate(zip(derivative_of(whole, factors), *parts)):
        near(a, sum(b), 1e-11, f"the derivative of a batch by operand {k}")
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
