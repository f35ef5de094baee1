"""Complex numbers by TensorFlow's convention: the gradient of a real L is dL/dx + i dL/dy, the conjugate of JAX's."""

import numpy as np
import pytest

from gradcli.engine import GradientTape, constant, lookup
from gradcli.engine.custom import with_pullback
from gradcli.engine.jacobian import hvp
from gradcli.engine.pushforward import jvp
from tests.cli.run import evaluate


def op(name):
    return lookup(name).call


def gradients(function, *values, upstream=None):
    xs = [constant(v, "complex128") for v in values]
    with GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    return [complex(g) for g in tape.gradient(y, xs, upstream)]


Z = 1.5 - 2.0j


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (lambda z: z * z, np.conj(2 * Z)),
        (lambda z: op("exp")(z), np.conj(np.exp(Z))),
        (lambda z: op("abs")(z), Z / 2.5),
        (lambda z: 2.0 * op("real")(z) + 3.0 * op("imag")(z), 2 + 3j),
        (lambda z: op("real")(op("conj")(z) * (1 + 2j)), 1 + 2j),  # Re(conj(z) (1 + 2i)) = x + 2 y
        (lambda z: op("angle")(z), 1j * Z / 6.25),  # (-y + i x) / |z|²
    ],
)  # fmt: skip
def test_gradients_by_hand(function, want):
    assert gradients(function, Z) == [pytest.approx(want)]


def test_an_upstream_passes_a_linear_map_as_it_is():
    # of Re(conj(u) c z) the gradient is u conj(c)
    assert gradients(lambda z: z * 1.0, Z, upstream=2 + 1j) == [2 + 1j]
    assert gradients(lambda z: z * (3 + 1j), Z, upstream=2 + 1j) == [pytest.approx((2 + 1j) * (3 - 1j))]


def test_a_gradient_of_ones_own_gets_and_gives_tensorflows():
    def square(z):
        def pullback(cotangents, operands):
            assert complex(cotangents[0]) == 2 + 1j
            return [cotangents[0] * op("conj")(2.0 * operands[0])]

        return with_pullback("square", [z], lambda: z * z, pullback)

    assert gradients(square, Z, upstream=2 + 1j) == [pytest.approx((2 + 1j) * np.conj(2 * Z))]


def test_the_second_derivative_of_the_square_of_the_modulus():
    z = constant(Z, "complex128")
    with GradientTape() as tape:
        tape.watch(z)
        y = op("real")(z * op("conj")(z))
    assert complex(hvp(tape, y, z, 1 + 3j)) == pytest.approx(2 * (1 + 3j))  # x² + y² has the Hessian 2


def test_a_complex_base_left_of_the_imaginary_axis_has_a_logarithm():
    a, b = -1 + 2j, 0.5 - 1j
    want = [np.conj(b * a ** (b - 1)), np.conj(a**b * np.log(a))]
    assert gradients(lambda a, b: a**b, a, b) == pytest.approx(want)


def test_the_exponent_of_zero_has_the_gradient_zero():
    assert gradients(lambda a, b: a**b, 0j, 2 + 0j)[1] == 0


def test_tangents_are_not_conjugated():
    z = constant(3 + 4j, "complex128")
    with GradientTape(persistent=True) as tape:
        tape.watch(z)
        size, same, turned = abs(z), z * (1.0 + 1j), op("conj")(z)
    # d|z| = Re(conj(z) dz) / |z|: (3 · 1 + 4 · 2) / 5
    assert float(jvp(tape, size, z, 1 + 2j)) == pytest.approx(2.2)
    assert complex(jvp(tape, same, z, 1 + 2j)) == pytest.approx((1 + 1j) * (1 + 2j))
    assert complex(jvp(tape, turned, z, 1 + 2j)) == 1 - 2j


def test_the_gradient_of_a_direction_is_across_it():
    # Re(z / |z|) at z = 3 + 4i: d/dx = y² / |z|³ = 16/125, d/dy = -x y / |z|³ = -12/125
    (found,) = gradients(lambda z: op("real")(op("sign")(z)), 3 + 4j)
    assert found == pytest.approx(0.128 - 0.096j)
    assert gradients(lambda z: op("imag")(op("sign")(z)), 0j) == [0j]


def test_a_transform_there_and_back():
    x = constant(np.array([1.0, 2.0, 4.0, 8.0], np.complex128))
    with GradientTape() as tape:
        tape.watch(x)
        y = op("ifft")(op("fft")(x) * op("fft")(x))  # the circular convolution of x with itself
        first = op("real")(y)[0]
    # x0² + 2 x1 x3 + x2²
    np.testing.assert_allclose(tape.gradient(first, x).numpy(), [2, 16, 8, 4], atol=1e-12)


def test_no_negative_zero_is_left_by_the_convention():
    z = constant(3 + 0j, "complex128")
    with GradientTape(persistent=True) as tape:
        tape.watch(z)
        square = z * z
        part = op("real")(z)
    for target, want in ((square, "(6+0j)"), (part, "(1+0j)")):
        assert str(complex(tape.gradient(target, z))) == want
        with GradientTape():
            assert str(complex(tape.gradient(target, z))) == want


TABLE = [[3 + 4j, 1 - 2j], [0.5j, 2 + 0j]]


@pytest.mark.parametrize(
    ("name", "params", "value", "want"),
    [  # TensorFlow 2.21
        ("reduce_euclidean_norm", {}, 5.852349955359813 + 0j, [[0.512615 + 0.683486j, 0.170872 - 0.341743j], [0.085436j, 0.341743]]),
        ("norm", {}, 5.852349955359813 + 0j, [[0.512615 + 0.683486j, 0.170872 - 0.341743j], [0.085436j, 0.341743]]),
        ("norm", {"ord": 1}, 9.73606797749979, [[0.6 + 0.8j, 0.447214 - 0.894427j], [1j, 1]]),
        ("norm", {"ord": "inf"}, 5.0, [[0.6 + 0.8j, 0], [0, 0]]),
        ("norm", {"ord": 3}, 5.245184880780202, [[0.545217 + 0.726956j, 0.081276 - 0.162552j], [0.009087j, 0.145391]]),
        ("norm", {"ord": 2, "axis": [0, 1]}, 5.6290102445614485,
         [[0.518878 + 0.68167j, 0.21617 - 0.401839j], [-0.061003 + 0.203403j, 0.112072 - 0.015251j]]),
        ("reduce_variance", {}, 5.921875, [[0.75 + 1.6875j, -0.25 - 1.3125j], [-0.75 - 0.0625j, 0.25 - 0.3125j]]),
        ("reduce_std", {}, 2.433490291741473, [[0.1541 + 0.346724j, -0.051367 - 0.269674j], [-0.1541 - 0.012842j, 0.051367 - 0.064208j]]),
        ("sigmoid", {}, [[1.0320721995882685 - 0.04019550765508408j, 1.0214153641721806 - 0.40343870608154253j],
                         [0.5 + 0.12767096061051814j, 0.8807970779778824]],
         [[-0.031485 - 0.042774j, 0.140889 - 0.420718j], [0.2663, 0.104994]]),
    ],
)  # fmt: skip
def test_norms_spreads_and_gates_of_complex_numbers(name, params, value, want):
    z = constant(np.array(TABLE))
    with GradientTape() as tape:
        tape.watch(z)
        y = op(name)(z, **params)
    np.testing.assert_allclose(y.numpy(), value, rtol=1e-14)
    assert y.dtype.kind == np.asarray(value).dtype.kind
    np.testing.assert_allclose(tape.gradient(y, z).numpy(), want, atol=1e-6)


def test_the_square_of_a_complex_difference_is_that_of_its_modulus():
    a, b = 3 + 4j, 1 + 2j
    assert complex(op("squared_difference")(constant(a, "complex128"), constant(b, "complex128"))) == 8 + 0j
    assert gradients(op("squared_difference"), a, b) == [4 + 4j, -4 - 4j]
    # what NumPy calls the norm of complex numbers is real
    assert op("array_norm")(constant(np.array([3j, 4.0]))).numpy() == 5.0


def test_a_complex_quotient_is_zero_where_the_divisor_is():
    assert complex(op("divide_no_nan")(constant(1j, "complex128"), constant(0j, "complex128"))) == 0
    assert gradients(op("divide_no_nan"), 2 + 1j, 1j) == pytest.approx([1j, 2 - 1j])  # the conjugates of 1/b and -a/b²


def test_the_logistic_function_far_out_in_the_plane():
    far = op("sigmoid")(constant(np.array([-1000 + 1j, 1000 - 1j]))).numpy()
    np.testing.assert_array_equal(far, [0, 1])


@pytest.mark.parametrize(
    ("call", "right", "theirs"),
    [  # TensorFlow 2.21 does not conjugate these slopes
        ("multiply_no_nan(z, 2.0 + 1.0j)", "(2.0-1.0j)", "(2.0+1.0j)"),
        ("xdivy(z, 2.0j)", "(0.0+0.5j)", "(0.0-0.5j)"),
    ],
)
def test_a_slope_that_tensorflow_does_not_conjugate_is_noted(call, right, theirs):
    result = evaluate(f"z = constant(1.0 + 2.0j); watch z; gradient(real({call}), z)")
    assert result.out.strip() == right
    assert f"TensorFlow gives {theirs} here" in result.err
