"""Linear algebra against its definitions: minors, reconstructions, closed forms, central differences."""

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, constant, lookup

RANDOM = np.random.default_rng(12)


def op(name):
    return lookup(name).call


def gradient(function, *values, upstream=None):
    xs = [constant(np.asarray(v, np.float64)) for v in values]
    with GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    found = [g.numpy() for g in tape.gradient(y, xs, upstream)]
    return found[0] if len(found) == 1 else found


def minors(m):
    n = len(m)
    return np.array(
        [[(-1) ** (i + j) * np.linalg.det(np.delete(np.delete(m, i, 0), j, 1)) for j in range(n)] for i in range(n)]
    )


def singular(n):
    m = RANDOM.normal(size=(n, n))
    m[1] = m[0] * 2.0
    return m


@pytest.mark.parametrize("n", [2, 3, 5, 6, 9])
def test_the_gradient_of_det_is_the_cofactors_of_a_singular_matrix_too(n):
    m = singular(n)
    want = minors(m)
    np.testing.assert_allclose(gradient(op("det"), m), want, atol=1e-12 * np.abs(want).max())


def test_det_of_rank_zero_has_the_gradient_zero():
    np.testing.assert_array_equal(gradient(op("det"), np.zeros((7, 7))), np.zeros((7, 7)))


@pytest.mark.parametrize("n", [3, 7])
def test_det_has_its_second_derivative_at_a_singular_matrix(n):
    m, weights, direction = singular(n), RANDOM.normal(size=(n, n)), RANDOM.normal(size=(n, n))
    x = constant(m)
    with GradientTape() as outer:
        outer.watch(x)
        with GradientTape() as inner:
            inner.watch(x)
            y = op("det")(x)
        g = inner.gradient(y, x)
    mine = np.sum(outer.gradient(g, x, weights).numpy() * direction)
    h = 1e-5
    want = np.sum((minors(m + h * direction) - minors(m - h * direction)) * weights) / (2 * h)
    assert mine == pytest.approx(want, rel=1e-6)


def test_det_of_a_large_regular_matrix_whose_value_is_small_beside_its_rows():
    m = RANDOM.normal(size=(60, 60)) / 20
    value = np.linalg.det(m)
    np.testing.assert_allclose(gradient(op("det"), m), value * np.linalg.inv(m).T, rtol=1e-9)


@pytest.mark.parametrize("shape", [(4, 4), (5, 3), (3, 5), (2, 4, 3)])
def test_factors_multiply_to_the_matrix(shape):
    m = RANDOM.normal(size=shape)
    q, r = (part.numpy() for part in op("qr")(constant(m)))
    s, u, v = (part.numpy() for part in op("svd")(constant(m)))
    np.testing.assert_allclose(q @ r, m, atol=1e-13)
    np.testing.assert_allclose((u * s[..., None, :]) @ np.swapaxes(v, -1, -2), m, atol=1e-13)


@pytest.mark.parametrize("shape", [(3, 3), (4, 2), (2, 4), (2, 3, 2)])
@pytest.mark.parametrize("full", [False, True])
def test_factors_of_complex_matrices_multiply_to_the_matrix(shape, full):
    m = RANDOM.normal(size=shape) + 1j * RANDOM.normal(size=shape)
    rows, columns = shape[-2:]
    k = min(rows, columns)
    q, r = (part.numpy() for part in op("qr")(constant(m), full_matrices=full))
    s, u, v = (part.numpy() for part in op("svd")(constant(m), full_matrices=full))
    np.testing.assert_allclose(q @ r, m, atol=1e-13)
    np.testing.assert_allclose(
        (u[..., :k] * s[..., None, :]) @ np.conj(np.swapaxes(v[..., :k], -1, -2)), m, atol=1e-13
    )  # fmt: skip
    assert s.dtype == np.float64
    assert u.shape[-2:] == (rows, rows if full else k) and v.shape[-2:] == (columns, columns if full else k)
    for basis in (q, u, v):
        np.testing.assert_allclose(
            np.conj(np.swapaxes(basis, -1, -2)) @ basis, np.broadcast_to(np.eye(basis.shape[-1]), (*shape[:-2], basis.shape[-1], basis.shape[-1])), atol=1e-13
        )  # fmt: skip


def test_hermitian_matrices_in_closed_form():
    # the matrix [[a, conj(z)], [z, b]] with a = b = 0 has the eigenvalues -|z| and |z|
    z = 3.0 + 4.0j
    x = constant(np.array([[0.0, np.conj(z)], [z, 0.0]]))
    with GradientTape() as tape:
        tape.watch(x)
        e = op("eigvalsh")(x)
        largest = op("real")(e[1])
    np.testing.assert_allclose(e.numpy(), [-5, 5], atol=1e-14)
    # d|z| is z / |z| in TensorFlow's convention; it reads the lower triangle; by a and b half each
    np.testing.assert_allclose(tape.gradient(largest, x).numpy(), [[0.5, 0.0], [z / 5, 0.5]], atol=1e-14)
    spd = constant(np.array([[5.0, np.conj(z)], [z, 9.0]]))
    with GradientTape() as tape:
        tape.watch(spd)
        size = op("logdet")(spd)
    assert size.dtype == np.float64 and float(size) == pytest.approx(np.log(20.0))  # 45 - 25
    np.testing.assert_allclose(tape.gradient(size, spd).numpy(), np.linalg.inv(spd.numpy()), atol=1e-14)


def test_the_sign_of_a_complex_determinant_turns():
    # det = z: z / |z| has by x the derivative i y Im(conj(z)) / |z|², across it
    z = 3.0 + 4.0j
    x = constant(np.array([[z]]))
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        sign, size = op("slogdet")(x)
        part = op("real")(sign)
    assert complex(sign) == pytest.approx(0.6 + 0.8j) and complex(size) == pytest.approx(np.log(5.0))
    np.testing.assert_allclose(tape.gradient(part, x).numpy(), [[0.128 - 0.096j]], atol=1e-14)
    np.testing.assert_allclose(tape.gradient(size, x).numpy(), [[z / 25]], atol=1e-14)


def test_equal_eigenvalues_and_singular_values_have_finite_gradients():
    for name in ("eigvalsh", "eigh", "svd"):
        g = gradient(
            lambda x, name=name: op("reduce_sum")(op(name)(x) if name == "eigvalsh" else op(name)(x)[1]), np.eye(3)
        )
        assert np.all(np.isfinite(g))
    np.testing.assert_array_equal(gradient(op("eigvalsh"), np.eye(2), upstream=np.array([1.0, 2.0])), [[1, 0], [0, 2]])


def test_cholesky_gives_a_symmetric_gradient_and_eigh_a_triangle():
    spd = np.array([[4.0, 1.0], [1.0, 3.0]])
    # recorded from TensorFlow 2.21 with the upstream 1, 2, 3, 4
    want = [[0.1378778361444409, 0.4484886554222363], [0.4484886554222363, 1.2060453783110545]]
    np.testing.assert_allclose(
        gradient(op("cholesky"), spd, upstream=np.array([[1.0, 2.0], [3.0, 4.0]])), want, rtol=1e-13
    )
    assert gradient(op("eigvalsh"), spd, upstream=np.array([1.0, 3.0]))[0, 1] == 0.0


def test_the_exponential_of_a_turn_and_of_a_nilpotent_matrix():
    angle = constant(np.array([[0.0, -2.0], [2.0, 0.0]]))
    np.testing.assert_allclose(op("expm")(angle).numpy(), [[np.cos(2), -np.sin(2)], [np.sin(2), np.cos(2)]], rtol=1e-14)
    shift = np.diag([1.0, 1.0], 1)
    np.testing.assert_allclose(op("expm")(constant(shift)).numpy(), np.eye(3) + shift + shift @ shift / 2, rtol=1e-15)
    # d tr(exp(x)) / dx = exp(x)^T
    m = RANDOM.normal(size=(4, 4)) * 3
    g = gradient(lambda x: op("trace")(op("expm")(x)), m)
    np.testing.assert_allclose(g, op("expm")(constant(m)).numpy().T, rtol=1e-9, atol=1e-9 * np.abs(g).max())


def test_a_square_root_squares_back_and_its_trace_has_half_its_inverse_as_gradient():
    m = RANDOM.normal(size=(4, 4)) * 0.3 + 2 * np.eye(4)
    root = op("sqrtm")(constant(m)).numpy()
    np.testing.assert_allclose(root @ root, m, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        gradient(lambda x: op("trace")(op("sqrtm")(x)), m), np.linalg.inv(root).T / 2, rtol=1e-11, atol=1e-12
    )


def test_a_logarithm_is_undone_by_the_exponential():
    shift = np.array([[1.0, 1.0], [0.0, 1.0]])  # it has one eigenvector only
    np.testing.assert_allclose(op("logm")(constant(shift)).numpy(), [[0.0, 1.0], [0.0, 0.0]], atol=1e-15)
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    quarter = np.pi / 2
    np.testing.assert_allclose(op("logm")(constant(turn)).numpy(), [[0.0, -quarter], [quarter, 0.0]], atol=1e-14)
    negative = np.diag([-1.0 + 0j, 1.0])
    np.testing.assert_allclose(op("logm")(constant(negative)).numpy(), np.diag([1j * np.pi, 0.0]), atol=1e-15)
    for n in (2, 3, 6):
        m = RANDOM.normal(size=(2, n, n)) + 1j * RANDOM.normal(size=(2, n, n))
        back = op("expm")(op("logm")(constant(m))).numpy()
        np.testing.assert_allclose(back, m, atol=1e-12 * np.linalg.cond(m).max() * np.abs(m).max())


@pytest.mark.parametrize(
    ("name", "matrix", "kind"),
    [
        ("inv", [[1.0, 2.0], [2.0, 4.0]], "singular"),
        ("cholesky", [[1.0, 2.0], [2.0, 1.0]], "not-positive-definite"),
        ("sqrtm", [[-1.0, 0.0], [0.0, 1.0]], "no-square-root"),
        ("logm", [[-1.0, 0.0], [0.0, 1.0]], "no-logarithm"),
        ("logm", [[0.0, 0.0], [0.0, 1.0]], "no-logarithm"),
    ],
)
def test_a_matrix_that_has_no_such_thing_is_an_error(name, matrix, kind):
    with pytest.raises(EngineError) as caught:
        op(name)(constant(np.array(matrix)))
    assert (caught.value.code, caught.value.kind) == ("singular-matrix", kind)


@pytest.mark.parametrize("name", ["lu", "logm"])
def test_what_has_no_derivative_says_so_also_upstream_of_the_source(name):
    x = constant(np.array([[4.0, 1.0], [2.0, 3.0]]))
    with GradientTape() as tape:
        tape.watch(x)
        y = op(name)(x)
        between = (y.lu if name == "lu" else y) * 2.0
        tape.watch(between)
        z = between * between
    with pytest.raises(EngineError) as caught:
        tape.gradient(z, x)
    assert caught.value.code == "no-derivative"


def test_einsum_takes_diagonals_ellipses_and_many_operands():
    a, b, c = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(4, 5)), RANDOM.normal(size=(5, 2))
    m, stack = RANDOM.normal(size=(3, 3)), RANDOM.normal(size=(2, 1, 3, 3))
    for equation, operands in [
        ("ij,jk,kl->il", (a, b, c)), ("ii->i", (m,)), ("ii", (m,)), ("...ij,jk->...ik", (stack, m)), ("ij,jk", (a, b)),
        ("...ij,...ji->...", (stack, m)), ("i j -> j i", (a,)), ("ij,ij,ij->", (a, a, a)),
    ]:  # fmt: skip
        got = op("einsum")(equation, *(constant(x) for x in operands)).numpy()
        np.testing.assert_allclose(got, np.einsum(equation, *operands), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(
    ("equation", "code"),
    [("ij->k", "bad-value"), ("i.j->ij", "bad-value"), ("ij,jk->ik", "bad-value"), ("ijk->", "shape-mismatch"), ("ii->", "shape-mismatch")],
)  # fmt: skip
def test_a_wrong_equation_is_an_error(equation, code):
    with pytest.raises(EngineError) as caught:
        op("einsum")(equation, constant(np.ones((2, 3))))
    assert caught.value.code == code
