"""Laws of arrays: every dtype, every memory layout, operands left alone, operands without entries."""

from __future__ import annotations

import numpy as np

from gradcli.engine import EngineError, constant
from gradcli.engine.primitive import Case
from tests.engine.trials import Run, flat, is_varied, jittered, packed, replaced, sample, size, weights
from tests.engine.verdicts import near, need


def holds_in_every_dtype(op, case: Case, random, dtype) -> int:
    """In float16, float32 and complex64: gradients of the operand's dtype, and values near those of twice the digits.

    Near is what rounding of operands, upstream and result explains: eight units, and sixteen times what the result
    moves by if operands and upstream move by one.
    """
    low = sample(op, case, random, dtype)
    unit = float(np.finfo(dtype).eps)
    wide = np.complex128 if np.dtype(dtype).kind == "c" else np.float64
    high = replaced(low, lambda _i, x: x.astype(wide)[()])
    run = Run(op, low, case.params)
    upstream = weights(random, run.targets)

    def everything(run: Run, step: float = 0.0) -> list:
        signs = np.random.default_rng(1)
        factors = [1 + step * signs.choice([-1.0, 1.0], w.shape) for w in upstream]
        u = [(w.astype(t.dtype) * f).astype(t.dtype)[()] for w, f, t in zip(upstream, factors, run.targets)]
        return [t.numpy() for t in run.targets] + run.gradients(u)

    mine, want = everything(run), everything(Run(op, high, case.params))
    others = [everything(Run(op, jittered(op, high, unit, seed), case.params), unit) for seed in range(3)]
    for source, grad in zip(run.sources, mine[len(run.targets) :]):
        need(grad.dtype == source.dtype, f"a gradient of {grad.dtype} for a source of {source.dtype}")
        need(type(grad) is np.ndarray or np.shape(grad) == (), "a scalar is a NumPy scalar")
    for k, (a, b) in enumerate(zip(mine, want)):
        moved = max(size([other[k] - b]) for other in others)
        allowed = 8 * unit * (1e-3 + size([b])) + 16 * moved
        need(size([a.astype(b.dtype) - b]) <= allowed, f"{a} in {np.dtype(dtype)} is {b} in {np.dtype(wide)}")
    return len(run.sources)


def takes_numbers(op, case: Case, random, dtype) -> int:
    """A Python number for a scalar beside tensors: the same results, and for the others the same derivatives, first
    and second, whatever the default dtype of numbers is."""
    operands = sample(op, case, random, dtype)
    parts = flat(operands)
    scalars = [i for i, x in enumerate(parts) if isinstance(x, np.generic) and is_varied(x)]

    def twice(run: Run, kept: list[int]) -> list:
        sources = [s for s, i in zip(run.sources, run.positions) if i in kept]
        u = [np.ones(t.shape, t.dtype)[()] for t in run.targets]
        with np.errstate(all="ignore"):
            with run.tape:
                first = run.tape.gradient(run.targets, sources, u)
            second = run.tape.gradient(first, sources, unconnected_gradients="zero")
        return [t.numpy() for t in (*run.results, *first, *second)]

    for i in scalars:
        numbers = packed(operands, [(x.item(),) if k == i else x for k, x in enumerate(parts)])
        run = Run(op, numbers, case.params)
        if run.sources:
            for a, b in zip(
                twice(run, run.positions), twice(Run(op, operands, case.params), run.positions), strict=True
            ):
                near(a, b, 8 * float(np.finfo(dtype).eps), f"with a number for operand {i}")
    return len(scalars) or 1


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
