"""Whence a NaN: the operation, line and element where it arose, and the value that the function has all the same."""

import pytest

from tests.cli.run import evaluate

#: program, the gradient as IEEE arithmetic gives it (TensorFlow's value), the mathematical one, line and operation
CASES = [
    ("variable x = [1.0, 0.0]\ntape { y = where(x > 0.0, log(x), 0.0) }\ngradient(y, x)", [1.0, "nan"], [1.0, 0.0], 2, "log"),
    ("variable x = [4.0, 0.0]\ntape { y = where(x > 1.0, 1.0 / x, 0.0) }\ngradient(y, x)", [-0.0625, "nan"], [-0.0625, 0.0], 2, "divide"),
    ("variable x = [1.0, 2.0]\ntape { y = sqrt(reduce_sum((x - x) ** 2)) }\ngradient(y, x)", ["nan", "nan"], [0.0, 0.0], 2, "sqrt"),
    ("variable x = 3.0\ntape { y = where(x < 1.0, 1.0 / (3.0 - x), log(x)) }\ngradient(y, x)", "nan", 1 / 3, 2, "divide"),
    ("variable a = [0.2, 1.0, -0.5]\ntape {\n p = softmax(a * [1.0, -inf, 1.0])\n q = p[0]\n}\ngradient(q, a)",
     [0.22171287329310904, "nan", -0.22171287329310904], [0.22171287329310904, 0.0, -0.22171287329310904], 3, None),
]  # fmt: skip


def close(got, want):
    got, want = (v if isinstance(v, list) else [v] for v in (got, want))
    return all(a == b if isinstance(b, str) else a == pytest.approx(b, rel=1e-6, abs=1e-9) for a, b in zip(got, want))


@pytest.mark.parametrize(("code", "value", "math", "line", "op"), CASES)
def test_a_gradient_that_is_not_a_number(code, value, math, line, op):
    document = evaluate("default float64\n" + code, "--format", "json").document
    (result,) = document["results"]
    assert close(result["value"]["data"], value) and close(result["value"]["math"]["data"], math)
    (note,) = [n for n in document["notes"] if n["code"] == "non-finite"]
    if op is not None:
        assert note["line"] == line + 1 and op in note["message"]


def test_the_note_names_element_and_upstream():
    result = evaluate(
        "default float64; variable x = [1.0, 0.0]; tape { y = where(x > 0.5, x ** 0.5, 0.0) }; gradient(y, x)"
    )
    assert result.out == "[0.5, nan]\n"
    for text in ("note[non-finite]", "pow", "[1]", "upstream 0.0", "math: [0.5, 0.0]"):
        assert text in result.err, result.err


def test_math_prints_the_mathematical_value_and_strict_fails():
    code = "default float64; variable x = [1.0, 0.0]; tape { y = where(x > 0.0, log(x), 0.0) }; g = gradient(y, x); g"
    assert evaluate(code, "--math").out == "[1.0, 0.0]\n"
    assert evaluate(code, "--strict").status == 1


def test_an_infinite_slope_that_is_true_stays():
    document = evaluate(
        "default float64; variable x = 0.0; tape { y = sqrt(x) }; gradient(y, x)", "--format", "json"
    ).document
    assert document["results"][0]["value"]["data"] == "inf" and "math" not in document["results"][0]["value"]


def test_the_way_stays_open_for_a_second_derivative():
    code = "default float64; variable x = [1.0, 0.0]; y = where(x > 0.0, log(x), 0.0); g = gradient(y, x); gradient(g[0], x)"
    assert evaluate(code, "--quiet").out == "[-1.0, nan]\n"
    assert evaluate(code, "--quiet", "--math").out == "[-1.0, 0.0]\n"


def test_a_function_with_a_pullback_of_its_own_is_not_run_again():
    code = (
        "default float64; f = custom_gradient(lambda u: u * 1.0, lambda dy: dy); variable x = 0.0; "
        "tape { y = where(x > 0.0, log(f(x)), 0.0) }; gradient(y, x)"
    )
    result = evaluate(code)
    assert (result.status, result.out) == (0, "nan\n")
    assert "note[non-finite] nan: where it arose is unknown, as custom_gradient" in result.err


@pytest.mark.parametrize(
    ("target", "op"),
    [("sqrt(reduce_sum(x ** 2))", "sqrt"), ("norm(x)", "norm"), ("reduce_std(x + [1.0, 1.0])", "sqrt")],
)
def test_a_cone_is_a_kink_whose_value_is_the_least_slope(target, op):
    # sqrt(x^T A x) at 0 has the slopes -|a| and |a| along each axis; the subgradient of least norm is 0
    code = f"default float64\nvariable x = [0.0, 0.0]\ny = {target}\ngradient(y, x)"
    document = evaluate(code, "--format", "json").document
    assert document["results"][0]["value"]["math"]["data"] == [0.0, 0.0]
    (note,) = document["notes"]
    assert (note["code"], note["line"]) == ("kink", 3) and op in note["message"]
