"""Norms of every order, quantiles, running extremes, gates and scaling: at ties, kinks and odd sizes, by hand."""

import math

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, constant, lookup

INF, NAN = math.inf, math.nan
MATRIX = [[1.0, -2.0, 0.5], [3.0, 4.0, -1.0]]


def at(name, x, *rest, upstream=None, **params):
    """The value and the gradient with respect to the first operand."""
    source = constant(np.asarray(x, np.float64)[()])
    with np.errstate(all="ignore"), GradientTape() as tape:
        tape.watch(source)
        y = lookup(name).call(source, *rest, **params)
    with np.errstate(all="ignore"):
        grad = tape.gradient(y, source, None if upstream is None else constant(np.asarray(upstream, np.float64)))
    return y.numpy().tolist(), (grad.numpy() + 0.0).tolist()


@pytest.mark.parametrize(
    ("ord", "axis", "value", "grad"),
    [
        (1, None, 11.5, [[1.0, -1.0, 1.0], [1.0, 1.0, -1.0]]),
        ("inf", None, 4.0, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        (1, [0, 1], 6.0, [[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]]),
        ("inf", [0, 1], 8.0, [[0.0, 0.0, 0.0], [1.0, 1.0, -1.0]]),
        (1, [1, 0], 8.0, [[0.0, 0.0, 0.0], [1.0, 1.0, -1.0]]),
    ],
)
def test_norms_of_sums_and_extremes(ord, axis, value, grad):
    assert at("norm", MATRIX, ord=ord, axis=axis) == (value, grad)


def test_norms_by_singular_values():
    # a matrix with orthogonal columns of lengths 5 and 2: the singular values are known
    assert at("norm", [[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]], ord=2, axis=[0, 1])[0] == pytest.approx(5.0)
    assert at("norm", [[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]], ord="nuc", axis=[0, 1])[0] == pytest.approx(7.0)
    assert at("norm", [[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]], axis=[0, 1])[0] == pytest.approx(math.sqrt(29.0))
    grad = at("norm", [[3.0, 0.0], [4.0, 0.0], [0.0, 2.0]], ord=2, axis=[0, 1])[1]
    np.testing.assert_allclose(grad, [[0.6, 0.0], [0.8, 0.0], [0.0, 0.0]], atol=1e-15)


def test_numpy_takes_a_matrix_with_an_order_as_a_matrix():
    assert at("array_norm", MATRIX, 1)[0] == 6.0
    assert at("norm", MATRIX, 1)[0] == 11.5


def test_a_tie_of_the_largest_norm_is_split_with_signs():
    assert at("norm", [3.0, -3.0], ord="inf") == (3.0, [0.5, -0.5])


@pytest.mark.parametrize("ord", [0, -1, "nuc", "two", True])
def test_an_order_that_is_none(ord):
    with pytest.raises(EngineError):
        lookup("norm").call(constant(np.ones(3)), ord=ord)


@pytest.mark.parametrize(
    ("q", "value", "grad"),
    [
        (0.0, 1.0, [0.0, 1.0, 0.0, 0.0]), (1.0, 9.0, [1.0, 0.0, 0.0, 0.0]), (0.5, 3.0, [0.0, 0.0, 0.5, 0.5]),
        (0.25, 1.75, [0.0, 0.25, 0.75, 0.0]),
    ],
)  # fmt: skip
def test_quantiles(q, value, grad):
    assert at("quantile", [9.0, 1.0, 2.0, 4.0], q) == (value, grad)


def test_quantiles_of_what_is_no_number():
    assert at("median", [1.0, 2.0, INF])[0] == 2.0
    assert at("quantile", [1.0, INF], 0.0)[0] == 1.0
    values = at("median", [[1.0, NAN, 3.0], [1.0, 2.0, 3.0]], axis=1)[0]
    assert math.isnan(values[0]) and values[1] == 2.0
    with pytest.raises(EngineError):
        at("median", [])


def test_several_quantiles_come_first():
    y, grad = at("quantile", [[1.0, 2.0, 3.0], [6.0, 5.0, 4.0]], [0.0, 0.5], axis=1)
    assert (y, grad) == ([[1.0, 4.0], [2.0, 5.0]], [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0]])


def test_running_extremes_give_ties_to_the_first():
    assert at("cummax", [1.0, 3.0, 3.0, 2.0]) == ([1.0, 3.0, 3.0, 3.0], [1.0, 3.0, 0.0, 0.0])
    assert at("cummin", [2.0, 2.0, 1.0], upstream=[1.0, 10.0, 100.0]) == ([2.0, 2.0, 1.0], [11.0, 0.0, 100.0])


def test_a_nan_leads_for_good():
    y, grad = at("cummax", [1.0, NAN, 3.0])
    assert y[0] == 1.0 and math.isnan(y[1]) and math.isnan(y[2])
    assert grad == [1.0, 2.0, 0.0]


def test_differences():
    assert at("diff", [1.0, 4.0, 9.0], upstream=[1.0, 10.0]) == ([3.0, 5.0], [-1.0, -9.0, 10.0])
    assert at("diff", [1.0, 4.0, 9.0], n=2) == ([2.0], [1.0, -2.0, 1.0])
    assert at("diff", [1.0]) == ([], [0.0])


@pytest.mark.parametrize(
    ("name", "x", "value", "slope"),
    [
        ("leaky_relu", 0.0, 0.0, 0.2), ("elu", 0.0, 0.0, 1.0), ("celu", 0.0, 0.0, 1.0), ("softsign", 0.0, 0.0, 1.0),
        ("hard_sigmoid", 3.0, 1.0, 0.0), ("hard_sigmoid", 0.0, 0.5, 1 / 6), ("mish", 0.0, 0.0, 0.6),
        ("mish", -1000.0, 0.0, 0.0), ("mish", 1000.0, 1000.0, 1.0), ("celu", 1000.0, 1000.0, 1.0),
        ("relu6", 0.0, 0.0, 0.0), ("relu6", 6.0, 6.0, 0.0), ("gelu", -1000.0, 0.0, 0.0), ("silu", -1000.0, 0.0, 0.0),
    ],
)  # fmt: skip
def test_gates(name, x, value, slope):
    got = at(name, x)
    assert got[0] + 0.0 == value
    assert got[1] == pytest.approx(slope, rel=1e-15)


def test_a_learned_slope_belongs_to_the_negative_side():
    x, alpha = constant(np.array([-2.0, 0.0, 3.0])), constant(np.float64(0.25))
    with GradientTape() as tape:
        tape.watch([x, alpha])
        y = lookup("prelu").call(x, alpha)
    assert y.numpy().tolist() == [-0.5, 0.0, 3.0]
    assert [g.numpy().tolist() for g in tape.gradient(y, [x, alpha])] == [[0.25, 0.25, 1.0], -2.0]


def test_a_layer_that_is_constant_has_a_finite_gradient():
    y, grad = at("layer_norm", [2.0, 2.0, 2.0], upstream=[1.0, 2.0, 3.0], epsilon=0.25)
    assert (y, grad) == ([0.0, 0.0, 0.0], [-2.0, 0.0, 2.0])


def test_labels_outside_the_classes_are_refused():
    logits = constant(np.array([[1.0, 2.0]]))
    for label in (2, -1):
        with pytest.raises(EngineError) as raised:
            lookup("sparse_softmax_cross_entropy_with_logits").call(constant(np.array([label])), logits)
        assert raised.value.code == "index-out-of-range"
    with pytest.raises(EngineError):
        lookup("sparse_softmax_cross_entropy_with_logits").call(constant(np.array([0, 1])), logits)


def test_one_factor_for_a_list():
    a, b = constant(np.array([3.0, 4.0])), constant(np.array([[12.0]]))
    (c, d), length = lookup("clip_by_global_norm").call([a, b], 6.5)
    assert (c.numpy().tolist(), d.numpy().tolist(), float(length.numpy())) == ([1.5, 2.0], [[6.0]], 13.0)
    (c, none), _ = lookup("clip_by_global_norm").call([a, None], 100.0)
    assert c.numpy().tolist() == [3.0, 4.0] and none is None
    with pytest.raises(EngineError):
        lookup("global_norm").call([None])
