"""Kinks, ties and edges as the entries declare them: where they are, the value taken there, the slopes on both sides."""

import re

import numpy as np
import pytest

from gradcli.engine.primitive import REGISTRY
from tests.engine.trials import Run, values

INF = np.inf
DTYPES = [np.float16, np.float32, np.float64]

#: operation → operands at such a point, parameters, and the gradient of the first operand that one reaches there
POINTS = {
    "abs": ([0.0], {}, 0.0), "sign": ([0.0], {}, 0.0), "relu": ([0.0], {}, 0.0), "relu6": ([6.0], {}, 0.0),
    "selu": ([0.0], {}, 1.0507009873554805), "leaky_relu": ([0.0], {"alpha": 0.25}, 0.25),
    "hard_sigmoid": ([-3.0], {}, 0.0), "prelu": ([0.0, 0.25], {}, 0.25), "relu_gradient": ([1.0, 0.0], {}, 0.0),
    "clip_by_value": ([1.0, -1.0, 1.0], {}, 1.0), "maximum": ([2.0, 2.0], {}, 1.0), "minimum": ([2.0, 2.0], {}, 1.0),
    "sqrt": ([0.0], {}, INF), "asin": ([1.0], {}, INF), "acos": ([1.0], {}, -INF), "acosh": ([1.0], {}, INF),
    "atanh": ([1.0], {}, INF), "hypot": ([0.0, 0.0], {}, np.nan),
    "reduce_max": ([[1.0, 3.0, 3.0]], {}, [0.0, 0.5, 0.5]), "reduce_min": ([[1.0, 1.0, 3.0]], {}, [0.5, 0.5, 0.0]),
    "max_pool": ([[[[[2.0], [2.0]]]]], {"ksize": [1, 2]}, [[[[1.0], [0.0]]]]),
    "segment_extreme": ([[4.0, 4.0, 1.0]], {"ids": [0, 0, 0], "count": 1}, [0.5, 0.5, 0.0]),
    "tensor_scatter_nd_max": ([[5.0, 0.0], [[0]], [5.0]], {}, [0.5, 1.0]),
    "tensor_scatter_nd_min": ([[5.0, 0.0], [[0]], [5.0]], {}, [0.5, 1.0]),
}  # fmt: skip


def drawn(name, dtype):
    operands = [np.array(x) for x in POINTS[name][0]]
    return [(x.astype(dtype) if x.dtype.kind == "f" else x)[()] for x in operands]


def test_every_declared_kink_is_here():
    assert {name for name, op in REGISTRY.items() if op.kink is not None} <= POINTS.keys()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", POINTS)
def test_the_value_taken(name, dtype):
    op, (_, params, want) = REGISTRY[name], POINTS[name]
    run = Run(op, drawn(name, dtype), params)
    with np.errstate(all="ignore"):
        grad = run.gradients([np.ones(t.shape, dtype)[()] for t in run.targets])[0]
    assert grad.dtype == dtype
    np.testing.assert_allclose(grad, np.array(want).astype(dtype), rtol=1e-3 if dtype == np.float16 else 1e-6)


@pytest.mark.parametrize("name", [name for name in POINTS if REGISTRY[name].kink is not None])
def test_the_point_is_found_and_its_words_are_true(name):
    op, (_, params, want) = REGISTRY[name], POINTS[name]
    operands = drawn(name, np.float64)
    run = Run(op, operands, params)
    full = {**op.defaults, **(run.results[0].node.params or {})} if op.prepare else {**op.defaults, **params}
    full = {key: full[key] for key in op.names[op.arity :]}
    assert np.any(op.kink.where(run.results[0].numpy(), *operands, **full))
    numbers = re.fullmatch(r"-?[\d.]+|-?inf", op.kink.convention)
    if numbers:
        assert float(numbers[0]) == pytest.approx(float(np.max(want)), rel=1e-4)
    sides = re.fullmatch(r"(-?[\d./]+) and (-?[\d./]+)", op.kink.slopes)
    if sides and op.kink.code == "kink" and len(operands) < 3:
        told = [float(np.prod([float(p) ** e for p, e in zip(side.split("/"), (1, -1))])) for side in sides.groups()]
        h = 1e-7

        def at(step):
            return float(values(op, [operands[0] + step, *operands[1:]], params)[0])

        seen = [(at(0.0) - at(-h)) / h, (at(h) - at(0.0)) / h]
        assert sorted(seen) == pytest.approx(sorted(told), abs=1e-4)
