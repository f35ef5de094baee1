"""Convolution, pooling, Fourier transforms, gathering, scattering and segments against definitions written out."""

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, constant, lookup

RANDOM = np.random.default_rng(21)


def op(name):
    return lookup(name).call


def gradient(function, *values, upstream=None):
    xs = [constant(np.asarray(v, np.float64)) for v in values]
    with GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    found = [None if g is None else g.numpy() for g in tape.gradient(y, xs, upstream)]
    return found[0] if len(found) == 1 else found


def sliding(x, k, strides, pads, dilations):
    """A convolution by its definition, entry by entry."""
    x = np.pad(x, [(0, 0), *pads, (0, 0)])
    kh, kw = k.shape[:2]
    down = (x.shape[1] - (kh - 1) * dilations - 1) // strides + 1
    across = (x.shape[2] - (kw - 1) * dilations - 1) // strides + 1
    out = np.zeros((len(x), down, across, k.shape[3]))
    for n, p, q, i, j in np.ndindex(len(x), down, across, kh, kw):
        out[n, p, q] += x[n, p * strides + i * dilations, q * strides + j * dilations] @ k[i, j]
    return out


@pytest.mark.parametrize(("strides", "dilations"), [(1, 1), (2, 1), (3, 1), (1, 2)])
@pytest.mark.parametrize("pads", [((0, 0), (0, 0)), ((1, 2), (0, 3))])
def test_convolution_by_its_definition(strides, dilations, pads):
    x, k = RANDOM.normal(size=(2, 6, 7, 2)), RANDOM.normal(size=(2, 3, 2, 3))
    call = lambda a, b: op("conv2d")(a, b, strides, [list(p) for p in pads], "NHWC", dilations)
    want = sliding(x, k, strides, pads, dilations)
    np.testing.assert_allclose(call(constant(x), constant(k)).numpy(), want, atol=1e-13)
    # it is linear in either operand, so <g, conv(dx, k)> = <gx, dx> exactly
    g, dx, dk = RANDOM.normal(size=want.shape), RANDOM.normal(size=x.shape), RANDOM.normal(size=k.shape)
    gx, gk = gradient(call, x, k, upstream=g)
    assert np.sum(gx * dx) == pytest.approx(np.sum(g * sliding(dx, k, strides, pads, dilations)))
    assert np.sum(gk * dk) == pytest.approx(np.sum(g * sliding(x, dk, strides, pads, dilations)))


def test_same_padding_puts_the_odd_row_behind():
    ones = np.ones((1, 4, 4, 1))
    got = op("conv2d")(constant(ones), constant(np.ones((2, 2, 1, 1))), padding="SAME").numpy()[0, :, :, 0]
    np.testing.assert_array_equal(got, [[4, 4, 4, 2], [4, 4, 4, 2], [4, 4, 4, 2], [2, 2, 2, 1]])
    mean = op("avg_pool")(constant(ones), 2, 1, "SAME").numpy()
    np.testing.assert_array_equal(mean, ones)  # the margin does not count


def test_max_pool_gives_a_tie_to_the_first_and_a_nan_to_itself():
    x = np.array([[1.0, 1.0, 0.0, 5.0], [1.0, 1.0, 5.0, 5.0]]).reshape(1, 2, 4, 1)
    g = gradient(lambda v: op("max_pool")(v, 2), x, upstream=np.array([1.0, 2.0]).reshape(1, 1, 2, 1))
    np.testing.assert_array_equal(g[0, :, :, 0], [[1, 0, 0, 2], [0, 0, 0, 0]])
    x[0, 1, 0, 0] = np.nan
    g = gradient(lambda v: op("max_pool")(v, 2), x)
    np.testing.assert_array_equal(g[0, :, :, 0], [[0, 0, 0, 1], [1, 0, 0, 0]])


@pytest.mark.parametrize("n", [1, 4, 5])
def test_real_transforms_by_the_matrix_of_roots_of_unity(n):
    x, half = RANDOM.normal(size=n), n // 2 + 1
    roots = np.exp(-2j * np.pi * np.outer(np.arange(half), np.arange(n)) / n)
    a, b = RANDOM.normal(size=half), RANDOM.normal(size=half)
    total = lambda v: op("reduce_sum")(op("real")(op("rfft")(v)) * a + op("imag")(op("rfft")(v)) * b)
    np.testing.assert_allclose(gradient(total, x), a @ roots.real + b @ roots.imag, atol=1e-13)
    np.testing.assert_allclose(op("irfft")(op("rfft")(constant(x)), n).numpy(), x, atol=1e-14)


def test_a_power_spectrum_has_parsevals_gradient():
    x = RANDOM.normal(size=(3, 4))
    g = gradient(lambda v: op("reduce_sum")(op("square")(op("abs")(op("fft2d")(v)))), x)
    np.testing.assert_allclose(g, 2 * x.size * x, atol=1e-12)


def test_an_update_that_is_overwritten_has_the_gradient_zero():
    update = lambda x, u: op("tensor_scatter_nd_update")(x, [[1], [1]], u)
    gx, gu = gradient(update, [1.0, 2.0, 3.0], [5.0, 6.0], upstream=np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(gx, [1, 0, 3])
    np.testing.assert_array_equal(gu, [0, 2])
    stitch = lambda a, b: op("dynamic_stitch")([[0, 2], [1, 2]], [a, b])
    ga, gb = gradient(stitch, [1.0, 2.0], [3.0, 4.0], upstream=np.array([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(ga, [1, 0])
    np.testing.assert_array_equal(gb, [2, 3])


def test_segments():
    x, ids = [0.0, 2.0, 3.0, 5.0, 5.0], [0, 0, 0, 2, 2]
    upstream = np.array([1.0, 10.0, 100.0])
    expected = {
        "segment_sum": ([5, 0, 10], [1, 1, 1, 100, 100]),
        "segment_prod": ([0, 1, 25], [6, 0, 0, 500, 500]),
        "segment_max": ([3, 0, 5], [0, 0, 1, 50, 50]),
        "segment_min": ([0, 0, 5], [1, 0, 0, 50, 50]),
    }
    for name, (value, slope) in expected.items():
        np.testing.assert_array_equal(op(name)(constant(np.array(x)), ids).numpy(), value)
        np.testing.assert_array_equal(gradient(lambda v, name=name: op(name)(v, ids), x, upstream=upstream), slope)
    got = op("unsorted_segment_max")(constant(np.array([1.0, 2.0])), [0, -1], 2).numpy()
    np.testing.assert_array_equal(got, [1.0, np.finfo(np.float64).min])


@pytest.mark.parametrize("mode", ["constant", "reflect", "symmetric"])
def test_margins_turns_and_repetitions_are_those_of_numpy(mode):
    x = RANDOM.normal(size=(2, 3, 4))
    rows = [[1, 0], [2, 2], [0, 3]]
    np.testing.assert_array_equal(op("pad")(constant(x), rows, mode).numpy(), np.pad(x, rows, mode=mode))
    for k in range(-2, 5):
        for axes in [(0, 1), (2, 0)]:
            np.testing.assert_array_equal(op("rot90")(constant(x), k, list(axes)).numpy(), np.rot90(x, k, axes))
    np.testing.assert_array_equal(op("repeat")(constant(x), [1, 0, 2], 1).numpy(), np.repeat(x, [1, 0, 2], 1))


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda x: op("gather_nd")(x, [[3]]), "index-out-of-range"),
        (lambda x: op("gather_nd")(x, [[0.5]]), "index-out-of-range"),
        (lambda x: op("pad")(x, [[-1, 0]]), "bad-value"),
        (lambda x: op("pad")(x, [[3, 0]], "REFLECT"), "shape-mismatch"),
        (lambda x: op("split")(x, 2), "shape-mismatch"),
        (lambda x: op("segment_sum")(x, [1, 0, 2]), "bad-value"),
        (lambda x: op("unsorted_segment_sum")(x, [1, 0, 2], 2), "index-out-of-range"),
        (lambda x: op("boolean_mask")(x, [1, 0, 1]), "dtype-mismatch"),
        (lambda x: op("repeat")(x, -1), "bad-value"),
        (lambda x: op("conv2d")(x, x), "shape-mismatch"),
        (lambda x: op("roll")(x, 1, 1), "bad-axis"),
    ],
)
def test_bad_input_is_an_error_with_a_code(call, code):
    with pytest.raises(EngineError) as caught:
        call(constant(np.array([1.0, 2.0, 3.0])))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("method", "size", "value", "slope"),
    [  # recorded from TensorFlow 2.21, with the upstream 1, 2, 3, …
        ("bilinear", [2, 5], [1.75, 1.925, 2.625, 3.325, 3.5, 13.0, 14.3, 19.5, 24.7, 26.0], [3.525, 7.725, 5.475, 8.275, 12.9, 17.1]),
        ("bilinear", [1, 1], [6.0], [0.0, 0.0, 0.5, 0.5, 0.0, 0.0]),
        ("nearest", [2, 5], [1, 1, 2, 2, 2, 16, 16, 32, 32, 32], [3, 12, 0, 0, 13, 27]),
        ("nearest", [1, 1], [8.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]),
    ],
)  # fmt: skip
def test_images_in_another_size(method, size, value, slope):
    image = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0]).reshape(1, 3, 2, 1)
    y = op("resize")(constant(image), size, method)
    assert y.dtype == (np.float32 if method == "bilinear" else np.float64)
    np.testing.assert_allclose(y.numpy().ravel(), value, rtol=1e-6)
    upstream = np.arange(1.0, 1.0 + y.size).reshape(y.shape).astype(y.dtype)
    got = gradient(lambda v: op("resize")(v, size, method), image, upstream=upstream)
    np.testing.assert_allclose(got.ravel(), slope, rtol=1e-6)
