"""Products whose factors are zero, entropies at 0, ties in order: the points at which the usual formulas divide by 0."""

import numpy as np
import pytest

from tests.cli.run import evaluate


def results(code):
    document = evaluate("default float64\n" + code, "--format", "json").document
    return [np.array(r["value"]["data"], float) for r in document["results"]]


@pytest.mark.parametrize(
    ("x", "gradient"),
    [("[2.0, 3.0, 4.0]", [12, 8, 6]), ("[2.0, 0.0, 4.0]", [0, 8, 0]), ("[0.0, 0.0, 4.0]", [0, 0, 0]), ("[5.0]", [1])],
)
def test_the_gradient_of_a_product_is_the_product_of_the_others(x, gradient):
    assert results(f"variable x = {x}\ntape {{ p = reduce_prod(x) }}\ngradient(p, x)")[0].tolist() == gradient


def test_the_hessian_of_a_product_with_two_zeros():
    # d2/dxi dxj is the product of all but xi and xj
    (h,) = results("variable x = [0.0, 0.0, 3.0, 2.0]\ndef f(v) = reduce_prod(v)\nhessian(f, x)")
    want = np.zeros((4, 4))
    want[0, 1] = want[1, 0] = 6.0
    assert h.tolist() == want.tolist()


def test_running_products_through_a_zero():
    # x1 + 2 x1 x2 + 3 x1 x2 x3 at (2, 0, 4): 1, 2 x1 + 3 x1 x3, 0
    (g,) = results("variable x = [2.0, 0.0, 4.0]\ntape { y = sum(cumprod(x) * [1.0, 2.0, 3.0]) }\ngradient(y, x)")
    assert g.tolist() == [1.0, 28.0, 0.0]


def test_running_sums_without_the_entry_itself_beside_an_infinity():
    assert results("cumsum([1.0, inf, 2.0], exclusive=true)")[0].tolist() == [0.0, 1.0, np.inf]
    assert results("cumulative_logsumexp([1.0, 2.0], exclusive=true)")[0].tolist() == [-np.inf, 1.0]


def test_entropies_at_zero():
    # d/dp p log(c) = log(c), also at p = 0; and log(p) goes to -inf
    value, gradient = results("variable p = 0.0\ntape { y = xlogy(p, 0.5) }\ny\ngradient(y, p)")
    assert (value, gradient) == (0.0, pytest.approx(np.log(0.5)))
    value, gradient = results("variable p = 0.0\ntape { y = xlogy(p, p) }\ny\ngradient(y, p)")
    assert (value, gradient) == (0.0, -np.inf)


def test_cross_entropy_keeps_its_digits():
    # log(1 + exp(-40)) and its derivative -1 / (1 + exp(40)), from mpmath
    value, gradient = results(
        "variable l = 40.0\ntape { y = sigmoid_cross_entropy_with_logits(1.0, l) }\ny\ngradient(y, l)"
    )
    assert value == pytest.approx(4.248354255291589e-18, rel=1e-14)
    assert gradient == pytest.approx(-4.248354255291589e-18, rel=1e-14)


def test_equal_entries_keep_their_order():
    ascending, descending = results(
        'argsort([1.0, 0.0, 1.0, 0.0])\nargsort([1.0, 0.0, 1.0, 0.0], direction="DESCENDING")'
    )
    assert ascending.tolist() == [1, 3, 0, 2] and descending.tolist() == [0, 2, 1, 3]


@pytest.mark.parametrize(
    ("code", "printed", "mathematical"),
    [
        # squares of 1e-30 underflow float32: TensorFlow gives inf and nan, the norm's slope is 1
        ("variable x = [1e-30, 0.0]\ntape { y = norm(x) }\ngradient(y, x)", ["inf", "nan"], [1.0, 0.0]),
        # exp(100) overflows float32; p (1 - p) with p = 1 / (1 + 1/e)
        (
            "variable x = [100.0, 99.0]\ntape { y = (exp(x) / sum(exp(x)))[0] }\ngradient(y, x)",
            ["nan", "nan"],
            [0.19661193, -0.19661193],
        ),
        # a cone: the subgradient of least norm
        ("variable x = [0.0, 0.0]\ntape { y = norm(x) }\ngradient(y, x)", ["nan", "nan"], [0.0, 0.0]),
    ],
)
def test_overflow_and_underflow_are_undone_beside_the_printed_value(code, printed, mathematical):
    (result,) = evaluate(code, "--format", "json").document["results"]
    assert result["value"]["data"] == printed
    assert result["value"]["math"]["data"] == pytest.approx(mathematical, rel=1e-6)
