"""Kinks, ties and domain edges: every one that an entry declares, with the value that its convention takes.

The values are those of TensorFlow 2.21, and of calculus where its convention is none (a tie split evenly, the first of
equal ones). They hold in every float dtype, for a scalar, an array and a batch of upstreams, and to second order.
"""

import math
import re
from fractions import Fraction

import numpy as np
import pytest

from gradcli.engine import GradientTape, constant, current_state
from gradcli.engine.primitive import REGISTRY
from gradcli.engine.pullback import pull_back
from gradcli.engine.tape import node_of
from tests.cli.run import evaluate
from tests.engine.trials import Run, cases, flat, results, sample, takes, values

INF, NAN = math.inf, math.nan


class Point:
    """Operands at which an operation is hard, and in which entries; its gradients there, and the second ones.

    A second derivative is that of the sum of the gradients, in each operand; zeros if none is given. `reached` are the
    operands that it is asked of.
    """

    def __init__(self, *operands, hard, grads, seconds=None, **params):
        self.operands = operands
        self.params = params
        self.hard = hard
        self.grads = grads
        self.seconds = seconds if seconds is not None else [np.zeros(np.shape(g)).tolist() for g in grads]


_SELU = 1.0507009873554805
_IMAGE = [[[[1.0], [1.0]], [[0.0], [1.0]]]]

POINTS = {
    "abs": Point([-2.0, 0.0, 3.0], hard=[0, 1, 0], grads=[[-1.0, 0.0, 1.0]]),
    "sign": Point([-2.0, 0.0, 3.0], hard=[0, 1, 0], grads=[[0.0, 0.0, 0.0]]),
    "relu": Point([-2.0, 0.0, 3.0], hard=[0, 1, 0], grads=[[0.0, 0.0, 1.0]]),
    "relu_gradient": Point(
        [5.0, 6.0, 7.0], [-2.0, 0.0, 3.0], hard=[0, 1, 0], grads=[[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    ),
    "relu6": Point([-1.0, 0.0, 2.0, 6.0, 7.0], hard=[0, 1, 0, 1, 0], grads=[[0.0, 0.0, 1.0, 0.0, 0.0]]),
    "leaky_relu": Point([-2.0, 0.0, 3.0], alpha=0.25, hard=[0, 1, 0], grads=[[0.25, 0.25, 1.0]]),
    "prelu": Point(
        [-2.0, 0.0, 3.0], [0.25, 0.25, 0.25], hard=[0, 1, 0], grads=[[0.25, 0.25, 1.0], [-2.0, 0.0, 0.0]],
        seconds=[[1.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
    ),
    "selu": Point([0.0, 1.0], hard=[1, 0], grads=[[_SELU, _SELU]]),
    "hard_sigmoid": Point([-3.0, 0.0, 3.0], hard=[1, 0, 1], grads=[[0.0, 1 / 6, 0.0]]),
    "sqrt": Point([0.0, 4.0], hard=[1, 0], grads=[[INF, 0.25]], seconds=[[-INF, -1 / 32]]),
    "asin": Point([-1.0, 0.0, 1.0], hard=[1, 0, 1], grads=[[INF, 1.0, INF]], seconds=[[-INF, 0.0, INF]]),
    "acos": Point([-1.0, 0.0, 1.0], hard=[1, 0, 1], grads=[[-INF, -1.0, -INF]], seconds=[[INF, 0.0, -INF]]),
    "atanh": Point([-1.0, 0.0, 1.0], hard=[1, 0, 1], grads=[[INF, 1.0, INF]], seconds=[[-INF, 0.0, INF]]),
    "acosh": Point([1.0], hard=[1], grads=[[INF]], seconds=[[-INF]]),
    "hypot": Point(
        [0.0, 3.0], [0.0, 4.0], hard=[1, 0], grads=[[NAN, 0.6], [NAN, 0.8]],
        # of x / r + y / r: (y² - x y) / r³ and (x² - x y) / r³
        seconds=[[NAN, 4.0 / 125], [NAN, -3.0 / 125]],
    ),
    "maximum": Point([1.0, 2.0, 5.0], [3.0, 2.0, 1.0], hard=[0, 1, 0], grads=[[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]),
    "minimum": Point([1.0, 2.0, 5.0], [3.0, 2.0, 1.0], hard=[0, 1, 0], grads=[[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
    "clip_by_value": Point(
        [-1.0, 0.0, 0.5, 1.0, 2.0], 0.0, 1.0, hard=[0, 1, 0, 1, 0], grads=[[0.0, 1.0, 1.0, 1.0, 0.0], 1.0, 1.0]
    ),
    "reduce_max": Point([1.0, 5.0, 5.0], hard=[0, 1, 1], grads=[[0.0, 0.5, 0.5]]),
    "reduce_min": Point([1.0, 1.0, 5.0], hard=[1, 1, 0], grads=[[0.5, 0.5, 0.0]]),
    "max_pool": Point(_IMAGE, ksize=2, hard=[[[[1]]]], grads=[[[[[1.0], [0.0]], [[0.0], [0.0]]]]]),
    "tensor_scatter_nd_max": Point(
        [1.0, 2.0, 9.0], [[0], [1]], [1.0, 3.0], hard=[1, 0, 0], grads=[[0.5, 0.0, 1.0], [0.5, 1.0]]
    ),
    "tensor_scatter_nd_min": Point(
        [1.0, 2.0, 9.0], [[0], [1]], [1.0, 3.0], hard=[1, 0, 0], grads=[[0.5, 1.0, 1.0], [0.5, 0.0]]
    ),
    "segment_extreme": Point([4.0, 4.0, 3.0], ids=np.array([0, 0, 1]), count=2, hard=[1, 1, 0], grads=[[0.5, 0.5, 1.0]]),
    "in_order": Point([2.0, 1.0, 2.0], places=np.array([0]), axis=0, hard=[1], grads=[[1.0, 0.0, 0.0]]),
}  # fmt: skip

#: the same by the operations that are called: sort and top_k take the first of equal ones
CALLED = {
    "top_k": ([2.0, 1.0, 2.0], {"k": 1}, [1.0, 0.0, 0.0]),
    "sort": ([2.0, 1.0, 2.0], {}, [1.0, 1.0, 1.0]),
    "cummax": ([1.0, 2.0, 2.0], {}, [1.0, 2.0, 0.0]),
    "cummin": ([2.0, 2.0, 1.0], {}, [2.0, 0.0, 1.0]),
    "median": ([1.0, 2.0, 2.0], {}, [0.0, 1.0, 0.0]),
    "segment_max": ([4.0, 4.0, 3.0], {"segment_ids": [0, 0, 1]}, [0.5, 0.5, 1.0]),
    "unsorted_segment_min": ([4.0, 4.0, 3.0], {"segment_ids": [0, 0, 1], "num_segments": 2}, [0.5, 0.5, 1.0]),
}
DTYPES = [np.float16, np.float32, np.float64]


def operands(point, dtype):
    def one(item):
        data = np.asarray(item)
        return data.astype(dtype)[()] if data.dtype.kind == "f" else data

    return [one(item) for item in point.operands]


def same(mine, want, dtype):
    np.testing.assert_allclose(np.asarray(mine, np.float64), np.asarray(want), rtol=4 * np.finfo(dtype).eps)


def ones(run):
    return [np.ones(t.shape, t.dtype)[()] for t in run.targets]


def test_every_declared_point_is_in_the_table():
    assert {name for name, op in REGISTRY.items() if op.kink is not None} == set(POINTS)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.__name__)
@pytest.mark.parametrize("name", POINTS)
def test_the_convention_is_taken(name, dtype):
    op, point = REGISTRY[name], POINTS[name]
    run = Run(op, operands(point, dtype), point.params)
    for mine, want in zip(run.gradients(ones(run)), point.grads, strict=True):
        assert mine.dtype == dtype
        same(mine, want, dtype)


@pytest.mark.parametrize("name", POINTS)
def test_the_point_is_told_from_its_neighbours(name):
    op, point = REGISTRY[name], POINTS[name]
    xs = operands(point, np.float64)
    params = op.prepare(*xs, **{**op.defaults, **point.params}) if op.prepare else {**op.defaults, **point.params}
    with np.errstate(all="ignore"):
        mask = op.kink.where(op.forward(*xs, **params), *xs, **params)
    np.testing.assert_array_equal(np.asarray(mask).astype(int), point.hard)


@pytest.mark.parametrize("name", [name for name in POINTS if REGISTRY[name].elementwise])
def test_the_words_of_the_entry_are_true(name):
    """The value taken, if the entry gives it as a number, and both slopes, if as numbers, by difference quotients."""
    op, point = REGISTRY[name], POINTS[name]
    kink, i = op.kink, point.hard.index(1)
    taken = re.fullmatch(r"-?[\d.]+|-?inf", kink.convention)
    if taken:
        assert float(taken[0]) == pytest.approx(point.grads[0][i], rel=1e-4)
    told = re.fullmatch(r"(-?[\d./]+) and (-?[\d./]+)", kink.slopes)
    if told and kink.code == "kink" and len(point.operands) == 1:

        def at(step):
            return float(values(op, [np.float64(point.operands[0][i] + step)], point.params)[0])

        seen = sorted(((at(0.0) - at(-1e-7)) / 1e-7, (at(1e-7) - at(0.0)) / 1e-7))
        assert seen == pytest.approx(sorted(float(Fraction(side)) for side in told.groups()), abs=1e-4)


@pytest.mark.parametrize("name", POINTS)
def test_a_batch_of_upstreams_takes_it_too(name):
    op, point = REGISTRY[name], POINTS[name]
    run = Run(op, operands(point, np.float64), point.params)
    (target,) = run.targets
    batch = np.stack([np.ones(target.shape), 2.0 * np.ones(target.shape)])
    nodes = [node_of(source) for source in run.sources]
    with np.errstate(all="ignore"):
        found = pull_back(current_state(), run.tape.mark, [(node_of(target), batch)], nodes, 1)
    for mine, want in zip(found, point.grads, strict=True):
        same(mine[0], want, np.float64)
        same(mine[1], 2.0 * np.asarray(want), np.float64)


@pytest.mark.parametrize("name", [name for name in POINTS if REGISTRY[name].elementwise])
def test_a_scalar_takes_it_too(name):
    op, point = REGISTRY[name], POINTS[name]
    if any(np.ndim(item) != 1 for item in point.operands):
        return  # bounds of clip_by_value are scalars already
    for i in range(len(point.operands[0])):
        run = Run(op, [np.float64(item[i]) for item in point.operands], point.params)
        for mine, want in zip(run.gradients([np.float64(1.0)]), point.grads, strict=True):
            assert np.shape(mine) == ()
            same(mine, want[i], np.float64)


@pytest.mark.parametrize("name", POINTS)
def test_the_second_derivative(name):
    op, point = REGISTRY[name], POINTS[name]
    run = Run(op, operands(point, np.float64), point.params)
    with np.errstate(all="ignore"):
        with run.tape:
            first = run.tape.gradient(run.targets, run.sources, ones(run))
        second = run.tape.gradient(first, run.sources, unconnected_gradients="zero")
    for mine, want in zip(second, point.seconds, strict=True):
        same(mine.numpy() + 0.0, want, np.float64)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda d: d.__name__)
@pytest.mark.parametrize("name", CALLED)
def test_ties_by_the_operations_that_are_called(name, dtype):
    data, params, want = CALLED[name]
    x = constant(np.array(data, dtype))
    with GradientTape() as tape:
        tape.watch(x)
        (y, *_) = results(REGISTRY[name].call(x, **params))
    same(tape.gradient(y, x).numpy(), want, dtype)


@pytest.mark.parametrize(
    ("call", "code", "name"),
    [
        ("top_k(x, 1)[0]", "tie", "top_k"), ("sort(x)[2]", "tie", "sort"), ("cummax(x)[2]", "tie", "cummax"),
        ("segment_max(x, [0, 0, 0])", "tie", "segment_max"), ("sign(x - 2.0)", "kink", "sign"),
    ],
)  # fmt: skip
def test_a_note_names_the_operation_that_was_called(call, code, name):
    result = evaluate(f"x = constant([2.0, 1.0, 2.0]); watch x; gradient({call}, x)")
    assert f"note[{code}] {name} sits at" in result.err


def test_what_is_in_order_without_ties_has_no_note():
    assert "note[tie]" not in evaluate("x = constant([2.0, 1.0, 3.0]); watch x; gradient(sort(x)[2], x)").err


@pytest.mark.parametrize("name", POINTS)
def test_random_interior_points_are_no_such_points(name, samples):
    op = REGISTRY[name]
    for seed in range(3 * samples):
        for i, case in enumerate(cases(op)):
            xs = flat(sample(op, case, np.random.default_rng([seed, i])))
            if all(isinstance(item, (tuple, int, float)) for item in case.operands):
                given = {**op.defaults, **case.params}
                params = op.prepare(*xs, **given) if op.prepare else given
                with np.errstate(all="ignore"):
                    assert not np.any(op.kink.where(op.forward(*xs, **params), *xs, **params))
    assert takes(op, "f")
