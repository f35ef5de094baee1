"""`gradcli explain FILE`: the way of each gradient, its cut, and what it would be with the cut bridged."""

from pathlib import Path

import jsonschema
import pytest

from gradcli.report.schema import SCHEMA
from tests.cli.run import gradcli

NONE = Path(__file__).parents[2] / "examples" / "none"

#: the derivative of each example's function without its cut, from calculus; None where the target is no function of it
WITHOUT_CUT = {
    "access-not-watched": 6.0,  # v**2 at 3
    "after-tape": 36.0,  # (3 x)**2 at 2
    "before-tape": 12.0,  # s**2 at 6
    "cut-assign": -3.2,  # (1 - 2 lr)**2 at 0.1
    "cut-cast": 0.0,  # a step function
    "cut-no-derivative": 0.0,
    "cut-outside": [1.5, 1.5],  # mean(x)**2 at [1, 2]
    "cut-stop-gradient": 36.0,
    "dtype": 6.0,  # n**2 at 3
    "fresh-source": 2.0,  # v[0]**2 at 1
    "not-trainable": 6.0,
    "not-watched": 6.0,
    "rebound": 6.0,  # x**2 at 3
    "recording-stopped": 36.0,
    "tape-reset": 4.0,  # x**2 at 2
    "unconnected": 0.0,
    "watched-late": 4.0,
}


def explain(*argv):
    document = gradcli("explain", "--format", "json", *argv).document
    jsonschema.validate(document, SCHEMA)
    return document


@pytest.mark.parametrize("code", sorted(path.stem for path in NONE.glob("*.tp")))
def test_a_none_is_explained_and_bridged(code):
    path = str(NONE / f"{code}.tp")
    (told,) = explain(path)["explanations"]
    (source,) = told["sources"]
    assert source["value"]["code"] == code
    assert source["bridged"]["data"] == pytest.approx(WITHOUT_CUT[code], rel=1e-6)
    assert source["connected"] is (code != "unconnected")
    evaluated = gradcli("eval", "--format", "json", path).document["results"][-1]["value"]
    assert evaluated["code"] == code and evaluated["places"] == source["value"]["places"]


def test_the_path_names_the_lines_and_the_cut():
    code = "variable x = [1.0, 2.0]\ntape {\n a = x * 3.0\n b = np.mean(a)\n y = b * b\n}\ngradient(y, x)"
    (told,) = explain("-e", code)["explanations"]
    steps = [(step["op"], step["line"], step["cut"]) for step in told["sources"][0]["path"]]
    assert steps == [
        ("multiply", 3, False), ("reduce_mean", 4, False), ("numpy", 4, True), ("multiply", 5, False),
    ]  # fmt: skip
    assert told["sources"][0]["bridged"]["data"] == pytest.approx([13.5, 13.5])  # b**2 with b = mean(3 x) = 4.5


def test_a_nan_is_told_with_its_origin_and_right_value():
    code = "default float64\nvariable x = [1.0, 0.0]\ntape { y = where(x > 0.0, log(x), 0.0) }\ng = gradient(y, x)"
    (told,) = explain("-e", code)["explanations"]
    assert told["sources"][0]["value"]["math"]["data"] == [1.0, 0.0]
    (note,) = [note for note in told["notes"] if note["code"] == "non-finite"]
    assert note["line"] == 3
    for text in ("log(0.0)", "[1]", "inf", "upstream 0.0", "where", "other branch"):
        assert text in note["message"]


def test_a_program_that_fails_is_explained_as_far_as_it_ran():
    result = gradcli("explain", "-e", "variable x = 2.0\ny = x * x\ng = gradient(y, x)\nh = y + zeros([2]) @ y")
    assert result.status == 3
    assert result.out.startswith("gradient(y, x)") and "4.0" in result.out
    assert "error[" in result.err


def test_a_query_in_a_loop_is_told_once():
    code = (
        "variable x = 2.0\nfor i in range(5) {\n tape { y = x ** 3 }\n g = gradient(y, x)\n x.assign_sub(g * 0.01)\n}"
    )
    (told,) = explain("-e", code)["explanations"]
    assert told["times"] == 5


@pytest.mark.parametrize(
    "function", ["custom_gradient(lambda u: u * {}, lambda dy, u: dy * {})", "recompute(lambda u: u * {})"]
)
@pytest.mark.parametrize(
    "made", ["ones([2])", 'ones([2], "float32")', "one_hot(1, 2)", "eye(2)[0]", "ones([2], float32)"]
)
def test_a_function_that_creates_a_tensor_is_run_again(made, function):
    code = f"variable x = [2.0, 3.0]\nf = {function.replace('{}', made)}\ny = f(x)\ngradient(reduce_sum(y), x)"
    (told,) = explain("-e", code)["explanations"]
    right = {"one_hot(1, 2)": [0.0, 1.0], "eye(2)[0]": [1.0, 0.0]}.get(made, [1.0, 1.0])
    assert told["sources"][0]["value"]["data"] == right


def test_nothing_to_explain():
    result = gradcli("explain", "-e", "1 + 1")
    assert (result.status, result.out) == (0, "<command line> asks for no gradient\n")
    assert gradcli("explain", "no-such-file.tp").status == 2
