"""Hard points: kinks, ties, zeros and infinities, with TensorFlow's recorded values (float64)."""

import math

import numpy as np
import pytest

from gradcli.engine import GradientTape, constant, lookup

INF, NAN = math.inf, math.nan


DTYPES = [np.float16, np.float32, np.float64]


def gradients(name, *values, dtype=np.float64):
    xs = [constant(np.array(v, dtype)[()]) for v in values]
    with np.errstate(all="ignore"), GradientTape() as tape:
        tape.watch(xs)
        y = lookup(name).call(*xs)
    with np.errstate(all="ignore"):
        # + 0.0: a negative zero is a zero
        return np.asarray(y.numpy() + 0.0).tolist(), [(g.numpy() + 0.0).tolist() for g in tape.gradient(y, xs)]


@pytest.mark.parametrize(
    ("name", "x", "value", "slope"),
    [
        ("sqrt", 0.0, 0.0, INF), ("sqrt", -1.0, NAN, NAN), ("rsqrt", 0.0, INF, -INF), ("reciprocal", 0.0, INF, -INF),
        ("abs", 0.0, 0.0, 0.0), ("relu", 0.0, 0.0, 0.0), ("relu", NAN, NAN, 0.0), ("log", 0.0, -INF, INF),
        ("log", -1.0, NAN, -1.0), ("sigmoid", 1000.0, 1.0, 0.0), ("sigmoid", -1000.0, 0.0, 0.0),
        ("tanh", 1000.0, 1.0, 0.0), ("softplus", 1000.0, 1000.0, 1.0), ("softplus", -1000.0, 0.0, 0.0),
        ("exp", 1000.0, INF, INF), ("sign", 0.0, 0.0, 0.0),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", DTYPES)
def test_one_operand(name, x, value, slope, dtype):
    np.testing.assert_equal(gradients(name, x, dtype=dtype), (value, [slope]))


@pytest.mark.parametrize(
    ("name", "a", "b", "da", "db"),
    [
        ("divide", 1.0, 0.0, INF, -INF), ("divide", 0.0, 0.0, INF, NAN),
        ("pow", 0.0, 2.0, 0.0, 0.0), ("pow", 0.0, 1.0, 1.0, 0.0), ("pow", 0.0, 0.5, INF, 0.0),
        ("pow", 0.0, 0.0, NAN, 0.0), ("pow", 0.0, -1.0, -INF, NAN), ("pow", -2.0, 3.0, 12.0, 0.0),
        ("pow", -2.0, 0.5, NAN, NAN), ("maximum", 2.0, 2.0, 1.0, 0.0), ("minimum", 2.0, 2.0, 1.0, 0.0),
        ("maximum", NAN, 1.0, 0.0, 1.0), ("multiply_no_nan", INF, 0.0, 0.0, INF),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", DTYPES)
def test_two_operands(name, a, b, da, db, dtype):
    np.testing.assert_equal(gradients(name, a, b, dtype=dtype)[1], [da, db])


def test_powers_of_a_constant_without_a_logarithm():
    # 0**x and (-2)**2 have no slope in the exponent that is a real number: TensorFlow gives 0
    assert gradients("pow", [0.0, -2.0], [3.0, 2.0])[1][1] == [0.0, 0.0]


@pytest.mark.parametrize("dtype", DTYPES)
def test_stable_forms_far_out(dtype):
    far = [-1000.0, 1000.0]
    assert gradients("log_sigmoid", far, dtype=dtype) == ([-1000.0, 0.0], [[1.0, 0.0]])
    assert gradients("softplus", far, dtype=dtype) == ([0.0, 1000.0], [[0.0, 1.0]])
    assert gradients("reduce_logsumexp", far, dtype=dtype) == (1000.0, [[0.0, 1.0]])
    assert gradients("log_softmax", far, dtype=dtype) == ([-2000.0, 0.0], [[1.0, -1.0]])
    assert gradients("logaddexp", -1000.0, 1000.0, dtype=dtype) == (1000.0, [0.0, 1.0])
    assert gradients("elu", far, dtype=dtype) == ([-1.0, 1000.0], [[0.0, 1.0]])
    assert gradients("gelu", far, dtype=dtype) == ([0.0, 1000.0], [[0.0, 1.0]])


@pytest.mark.parametrize("dtype", DTYPES)
def test_ties_in_every_dtype(dtype):
    assert gradients("reduce_max", [1.0, 5.0, 5.0], dtype=dtype)[1] == [[0.0, 0.5, 0.5]]
    assert gradients("reduce_min", [[1.0, 1.0], [1.0, 5.0]], dtype=dtype)[1][0][0] == pytest.approx(
        [1 / 3, 1 / 3], rel=1e-3
    )
    assert gradients("maximum", [1.0, 2.0], [1.0, 1.0], dtype=dtype)[1] == [[1.0, 1.0], [0.0, 0.0]]
    assert gradients("cumprod", [2.0, 0.0, 4.0], dtype=dtype)[1] == [
        [1.0, 10.0, 0.0]
    ]  # 1 + x2 + x2 x3, x1 + x1 x3, x1 x2
    assert gradients("reduce_prod", [2.0, 0.0, 4.0], dtype=dtype)[1] == [[0.0, 8.0, 0.0]]


def test_largest_entries_by_ties_go_to_the_lower_index():
    x = constant(np.array([3.0, 5.0, 5.0, 5.0]))
    with GradientTape() as tape:
        tape.watch(x)
        values, places = lookup("top_k").call(x, 2)
    assert places.numpy().tolist() == [1, 2]
    assert tape.gradient(values, x, [1.0, 10.0]).numpy().tolist() == [0.0, 1.0, 10.0, 0.0]


def second(function, *values):
    """For each operand the derivatives of the sum of its gradient, 0 where there is none."""
    xs = [constant(np.asarray(v, np.float64)[()]) for v in values]
    with np.errstate(all="ignore"):
        with GradientTape(persistent=True) as outer:
            outer.watch(xs)
            with GradientTape() as inner:
                inner.watch(xs)
                y = function(*xs)
            first = inner.gradient(y, xs)
        return [[(g.numpy() + 0.0).tolist() for g in outer.gradient(one, xs, None, "zero")] for one in first]


@pytest.mark.parametrize(
    ("name", "values", "want"),
    [
        ("rsqrt", [0.0], [[INF]]), ("log", [0.0], [[-INF]]), ("reciprocal", [0.0], [[INF]]), ("elu", [0.0], [[0.0]]),
        ("softsign", [0.0], [[0.0]]), ("atan2", [0.0, 0.0], [[NAN, NAN], [NAN, NAN]]),
        ("divide_no_nan", [1.0, 0.0], [[0.0, 0.0], [0.0, 0.0]]),
        ("multiply_no_nan", [INF, 0.0], [[0.0, 1.0], [1.0, 0.0]]), ("l2_normalize", [[0.0, 0.0]], [[[0.0, 0.0]]]),
        ("softplus", [[1000.0, -1000.0]], [[[0.0, 0.0]]]), ("sigmoid", [[1000.0, -1000.0]], [[[0.0, 0.0]]]),
        ("reduce_logsumexp", [[-INF, 0.0]], [[[0.0, 0.0]]]), ("reduce_logsumexp", [[-INF, -INF]], [[[NAN, NAN]]]),
        ("elu", [[INF, -INF]], [[[0.0, 0.0]]]), ("relu6", [[INF, -INF, NAN]], [[[0.0, 0.0, 0.0]]]),
        ("abs", [[NAN, INF]], [[[0.0, 0.0]]]), ("norm", [[0.0, 0.0]], [[[NAN, NAN]]]),
        # by calculus, where TensorFlow divides by the zero: d²/dx dz (x y z) = y, and it is linear in x beside log y
        ("reduce_prod", [[2.0, 0.0, 4.0]], [[[4.0, 6.0, 2.0]]]), ("reduce_prod", [[0.0, 0.0, 4.0]], [[[4.0, 4.0, 0.0]]]),
        ("xlogy", [0.0, 2.0], [[0.0, 0.5], [0.5, 0.0]]), ("xdivy", [0.0, 2.0], [[0.0, -0.25], [-0.25, 0.0]]),
    ],
)  # fmt: skip
def test_second_derivatives(name, values, want):
    np.testing.assert_equal(second(lookup(name).call, *values), want)


@pytest.mark.parametrize(("power", "want"), [(1.5, INF), (0.5, -INF), (1.0, NAN), (2.0, 2.0), (3.0, 0.0)])
def test_second_derivatives_of_powers_of_zero(power, want):
    np.testing.assert_equal(second(lambda x: x**power, 0.0), [[want]])


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
@pytest.mark.parametrize(
    ("name", "x", "value", "slope"),
    [
        ("sqrt", 0.0, 0.0, INF), ("abs", 0.0, 0.0, 0.0), ("log", -1.0, NAN, -1.0), ("sigmoid", -1000.0, 0.0, 0.0),
        ("softplus", 1000.0, 1000.0, 1.0), ("tanh", -1000.0, -1.0, 0.0), ("exp", 1000.0, INF, INF), ("elu", INF, INF, 1.0),
        ("log_sigmoid", -1000.0, -1000.0, 1.0), ("gelu", -1000.0, 0.0, 0.0), ("silu", 1000.0, 1000.0, 1.0),
    ],
)  # fmt: skip
def test_small_dtypes_have_the_same_hard_points(name, x, value, slope, dtype):
    source = constant(dtype(x))
    with np.errstate(all="ignore"), GradientTape() as tape:
        tape.watch(source)
        y = lookup(name).call(source)
    got = tape.gradient(y, source).numpy()
    assert (y.dtype, got.dtype) == (dtype, dtype)
    np.testing.assert_equal([float(y) + 0.0, float(got) + 0.0], [value, slope])


@pytest.mark.parametrize("name", ["relu6", "hard_sigmoid", "nan_to_num", "elu", "selu", "celu", "prelu"])
def test_an_infinite_upstream_is_silenced_where_the_slope_is_zero_or_one(name):
    x = constant(np.array([INF, 7.0, 1.0]))
    with GradientTape() as tape:
        tape.watch(x)
        y = lookup(name).call(x, *([constant(np.float64(0.5))] if name == "prelu" else []))
    got = tape.gradient(y, x, constant(np.array([INF, INF, 1.0]))).numpy()
    assert not np.isnan(got).any()


def test_ties_of_reductions_are_split_evenly():
    assert gradients("reduce_max", [1.0, 5.0, 5.0])[1] == [[0.0, 0.5, 0.5]]
    assert gradients("reduce_min", [1.0, 1.0, 5.0])[1] == [[0.5, 0.5, 0.0]]
    assert all(math.isnan(g) for g in gradients("reduce_max", [1.0, NAN])[1][0])


def test_clipping_passes_at_both_bounds():
    assert gradients("clip_by_value", [-1.0, 0.0, 0.5, 1.0, 2.0], 0.0, 1.0)[1] == [[0.0, 1.0, 1.0, 1.0, 0.0], 1.0, 1.0]


def test_a_zero_upstream_silences_the_root_but_not_the_logarithm():
    x = constant(np.array([1.0, 0.0]))
    with np.errstate(all="ignore"), GradientTape(persistent=True) as tape:
        tape.watch(x)
        where = lookup("where").call
        root = where(x > 0.0, lookup("sqrt").call(x), 0.0)
        logarithm = where(x > 0.0, lookup("log").call(x), 0.0)
    assert tape.gradient(root, x).numpy().tolist() == [0.5, 0.0]
    np.testing.assert_equal(tape.gradient(logarithm, x).numpy().tolist(), [1.0, NAN])


def test_empty_tensors():
    assert gradients("reduce_sum", np.zeros(0))[1] == [[]]
    assert gradients("reduce_max", np.zeros(0)) == (-INF, [[]])
    assert math.isnan(gradients("reduce_mean", np.zeros(0))[0])


def test_complex_gradients_follow_tensorflow():
    z = constant(np.complex128(1.5 - 2.0j))
    with GradientTape(persistent=True) as tape:
        tape.watch(z)
        square, size = z * z, lookup("abs").call(z)
        both = lookup("real").call(z) * 2.0 + lookup("imag").call(z) * 3.0
        wave = lookup("exp").call(z)
    assert complex(tape.gradient(square, z)) == (2 * (1.5 - 2.0j)).conjugate()
    assert complex(tape.gradient(size, z)) == pytest.approx((1.5 - 2.0j) / 2.5)
    assert complex(tape.gradient(both, z)) == 2 + 3j
    assert complex(tape.gradient(wave, z)) == pytest.approx(np.exp(1.5 - 2.0j).conjugate())


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_powers_of_ten_and_cubes_are_exact(dtype):
    powers = np.arange(0, 11)
    tens, cubes = (10.0**powers).astype(dtype), ((powers - 5.0) ** 3).astype(dtype)
    for name, given, right in (("log10", tens, powers), ("cbrt", cubes, powers - 5.0)):
        found = lookup(name).forward(given)
        assert found.tolist() == right.tolist()
        assert found.dtype == dtype
