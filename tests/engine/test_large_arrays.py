"""Large arrays are reused and released where nobody can notice: what somebody still holds keeps its value."""

import numpy as np
import pytest

from gradcli.engine import GradientTape, Variable, constant
from gradcli.engine.finite import all_finite
from gradcli.engine.ops.arithmetic import add, add_onto, subtract_onto
from gradcli.engine.ops.contraction import matmul
from gradcli.engine.ops.exponential import exp
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.lang.source import Source
from gradcli.nn.optimizers import SGD, Adam
from gradcli.runtime.session import Session

ROWS, COLUMNS = 600, 300
random = np.random.default_rng(3)
X = random.normal(size=(ROWS, 40))
W = random.normal(size=(40, COLUMNS))
B = random.normal(size=COLUMNS)


def test_a_product_that_nobody_holds_takes_the_sum():
    product = matmul(constant(X), constant(W))
    before = product.value.__array_interface__["data"][0]
    total = add_onto(product, constant(B))
    assert total.value.__array_interface__["data"][0] == before
    np.testing.assert_allclose(total.value, X @ W + B)


def test_the_difference_too():
    np.testing.assert_allclose(subtract_onto(matmul(constant(X), constant(W)), constant(B)).value, X @ W - B)


def test_an_array_that_somebody_holds_is_left_alone():
    product = matmul(constant(X), constant(W))
    held = product.value
    add_onto(product, constant(B))
    np.testing.assert_allclose(held, X @ W)


def test_a_view_is_left_alone():
    product = matmul(constant(X), constant(W))
    view = product.value.T
    add_onto(product, constant(B))
    np.testing.assert_allclose(view, (X @ W).T)


def test_a_result_that_its_own_rule_reads_is_left_alone():
    x = Variable(random.normal(size=(ROWS, COLUMNS)))
    with GradientTape() as tape:
        y = reduce_sum(add_onto(exp(x), constant(B)))
    np.testing.assert_allclose(tape.gradient(y, x).value, np.exp(x.value))


def test_an_operand_outside_the_tape_is_left_alone():
    b = Variable(B)
    product = matmul(constant(X), constant(W))
    with GradientTape() as tape:
        y = reduce_sum(add_onto(product, b) ** 2)
    np.testing.assert_allclose(product.value, X @ W)
    np.testing.assert_allclose(tape.gradient(y, b).value, 2 * (X @ W + B).sum(axis=0))


def test_a_sum_that_is_larger_is_made_anew():
    product = matmul(constant(X), constant(W))
    wider = add_onto(product, constant(random.normal(size=(2, 1, 1))))
    assert wider.shape == (2, ROWS, COLUMNS)


def test_numbers_and_small_arrays_go_the_usual_way():
    assert float(add_onto(constant(1.0), constant(2.0))) == 3.0
    np.testing.assert_allclose(add_onto(constant([1.0, 2.0]), 1.0).value, [2.0, 3.0])


def test_gradients_are_those_of_a_plain_sum():
    x, w, b = constant(X), Variable(W), Variable(B)
    grads = []
    for plus in (add, add_onto):
        with GradientTape() as tape:
            y = reduce_sum(exp(plus(matmul(x, w), b) * 0.1))
        grads.append([g.value for g in tape.gradient(y, [w, b])])
    for ours, plain in zip(*grads):
        np.testing.assert_allclose(ours, plain, rtol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 70_000, 1_199_999])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_one_number_that_is_not_finite_is_found(bad, place, dtype):
    x = np.zeros(1_200_000, dtype)
    assert all_finite(x)
    x[place] = bad
    assert not all_finite(x)
    assert not all_finite(x.reshape(1000, 1200).T)


def test_large_squares_are_not_taken_for_infinity():
    assert all_finite(np.full(10_000, 1e30, np.float32)) and all_finite(np.full((100, 100), 1e300))


def test_integers_complex_numbers_and_halves_are_looked_at():
    assert all_finite(np.arange(10_000)) and all_finite(np.full(10_000, 60_000, np.float16))
    assert not all_finite(np.full(10_000, complex(1, np.inf)))


@pytest.mark.parametrize("made", [lambda: SGD(0.1), lambda: SGD(0.1, momentum=0.9), lambda: Adam(0.1)])
def test_a_step_goes_through_a_large_variable_as_through_a_small_one(made):
    start, grad = random.normal(size=(300, 400)), random.normal(size=(300, 400))
    whole, rows = Variable(start), [Variable(row) for row in start]
    fortran = Variable(np.asfortranarray(start))
    one, many, other = made(), made(), made()
    for _ in range(3):
        one.apply(constant(grad), whole)
        many.apply([constant(row) for row in grad], rows)
        other.apply(constant(np.asfortranarray(grad)), fortran)
    np.testing.assert_allclose(whole.value, np.stack([row.value for row in rows]), rtol=1e-12)
    np.testing.assert_array_equal(whole.value, fortran.value)


LOOP = """
variable w = ones([100, 100])
constant x = random.normal([100, 100])
for step in range(3) {{
    tape {{ h = exp(x @ w * 0.01); loss = reduce_mean(h ** 2) }}
    {query}
}}
"""


def run(text):
    found = []
    session = Session(found.append)
    session.run(Source("loop.tp", text))
    return session, found


def kept(node):
    """The large arrays that the operations behind a node still hold."""
    stack, seen, found = [node], set(), 0
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        operands = node.x0 if type(node.x0) is tuple else (node.x0, node.x1)
        found += sum(type(x) is np.ndarray and x.size >= 4096 for x in (*operands, node.y) if node.op is not None)
        stack.extend(node.parents())
    return found


def test_a_tape_in_a_loop_lets_go_of_large_values_with_its_gradient():
    session, _ = run(LOOP.format(query="w.assign_sub(0.1 * gradient(loss, w))"))
    assert kept(session.frame["loss"].node) == 0


@pytest.mark.parametrize("query", ["loss", "gradient(loss, w)", "g = gradient(log(loss * 0.0 - 1.0), w)"])
def test_what_may_be_asked_about_is_kept(query):
    session, _ = run(LOOP.format(query=query))
    assert kept(session.frame["loss"].node) > 0


def test_a_nan_after_many_finite_steps_is_still_explained():
    _, found = run(
        "variable w = ones([100, 100])\nfor step in range(4) {\n"
        "    tape { y = reduce_sum(sqrt(w)) }\n    w.assign_sub(gradient(y, w))\n}\n"
    )
    notes = [item for item in found if getattr(item, "code", "") == "non-finite"]
    assert notes and notes[0].facts["op"] == "sqrt"
