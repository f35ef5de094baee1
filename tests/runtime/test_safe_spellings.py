"""Safe spellings: each pattern means the same, and a spelling is proposed only where it gives the right gradient."""

import pytest

from gradcli.lang.rewriting import PATTERNS
from tests.cli.run import evaluate


def values(code):
    document = evaluate("default float64\n" + code, "--format", "json").document
    assert document["status"] == 0, document["errors"]
    return [result["value"]["data"] for result in document["results"]]


@pytest.mark.parametrize(("written", "safe"), PATTERNS)
def test_both_spellings_of_a_pattern_are_the_same_function(written, safe):
    program = (
        f"variable X = [0.7, 1.3]\nvariable Y = [0.4, 2.1]\ntape(persistent=true) {{ a = {written}\n b = {safe} }}\n"
        "reduce_sum(a); reduce_sum(b)\ngradient(a, X); gradient(b, X)"
    )
    a, b, da, db = values(program)
    assert a == pytest.approx(b, rel=1e-12)
    assert da == pytest.approx(db, rel=1e-9)


@pytest.mark.parametrize(
    ("program", "spelling", "line"),
    [
        ("variable x = [1.0, 0.0]\ntape { y = where(x > 0.0, log(x), 0.0) }\ngradient(y, x)",
         "where(x > 0.0, log(where(x > 0.0, x, 1.0)), 0.0)", 2),
        ("variable x = [4.0, 0.0]\ntape { y = where(x == 0.0, 0.0, 1.0 / x) }\ngradient(y, x)",
         "where(x == 0.0, 0.0, 1.0 / where(x == 0.0, 1.0, x))", 2),
        ("variable x = 0.0\ntape {\n m = x > 0.0\n z = log(x)\n y = where(m, z, 0.0)\n}\ngradient(y, x)",
         "log(where(m, x, 1.0))", 4),
        ("variable x = 1000.0\ntape { y = log(exp(x) + 1.0) }\ngradient(y, x)", "softplus(x)", 2),
        ("variable a = [1000.0, 0.0]\ntape { y = log(sum(exp(a))) }\ngradient(y, a)", "reduce_logsumexp(a)", 2),
        ("variable a = 0.0\ntape { y = sin(2.0 * a) / (2.0 * a) }\ngradient(y, a)", "sinc((2.0 * a) / pi)", 2),
        ("variable p = 0.0\ntape { y = p * log(p) }\ngradient(y, p)", "xlogy(p, p)", 2),
    ],
)  # fmt: skip
def test_a_spelling_is_proposed(program, spelling, line):
    document = evaluate("default float64\n" + program, "--format", "json").document
    (note,) = [note for note in document["notes"] if note["code"] == "non-finite"]
    assert f"`{spelling}`" in note["hint"] and note["line"] == line + 1
    # and it is right: put in its place, the same program has the gradient that was called mathematical
    math = document["results"][0]["value"]["math"]["data"]
    text = program.splitlines()[line - 1]
    old = OLD[spelling]
    assert old in text
    mended = program.replace(old, spelling)
    (right,) = values(mended)
    assert right == (pytest.approx(math, rel=1e-6) if math != "-inf" else "-inf")


OLD = {
    "where(x > 0.0, log(where(x > 0.0, x, 1.0)), 0.0)": "where(x > 0.0, log(x), 0.0)",
    "where(x == 0.0, 0.0, 1.0 / where(x == 0.0, 1.0, x))": "where(x == 0.0, 0.0, 1.0 / x)",
    "log(where(m, x, 1.0))": "log(x)",
    "softplus(x)": "log(exp(x) + 1.0)",
    "reduce_logsumexp(a)": "log(sum(exp(a)))",
    "sinc((2.0 * a) / pi)": "sin(2.0 * a) / (2.0 * a)",
    "xlogy(p, p)": "p * log(p)",
}


def test_no_spelling_is_proposed_where_none_is_right():
    # sqrt of a sum of squares at 0 is a cone: no spelling has a derivative there
    code = "default float64\nvariable x = [0.0, 0.0]\ntape { y = sqrt(reduce_sum(x * x)) }\ngradient(y, x)"
    (note,) = [n for n in evaluate(code, "--format", "json").document["notes"] if n["code"] == "kink"]
    assert "tried" not in note["hint"]


def test_trying_prints_nothing_and_draws_the_same_random_numbers():
    code = (
        "default float64\nvariable x = [1.0, 0.0]\nprint(1)\nr = random_normal([2])\n"
        "tape { y = where(x > 0.0, log(x) * r, 0.0) }\ngradient(y, x)\nrandom_normal([1])"
    )
    result = evaluate(code)
    assert result.out.count("1\n") >= 1 and result.out.splitlines()[0] == "1" and len(result.out.splitlines()) == 3
    assert "tried" in result.err
