"""`gradcli trace`: steps forward and backward with values from calculus, in every format, and what can go wrong."""

import math

import jsonschema
import numpy as np
import pytest

from gradcli.report.schema import SCHEMA
from tests.cli.run import gradcli

PRODUCT = "variable x = 2.0; y = sin(x) * x; gradient(y, x)"


def traces(code, *argv):
    result = gradcli("trace", "-e", code, "--format", "json", "--dtype", "float64", *argv)
    jsonschema.validate(result.document, SCHEMA)
    assert result.status == 0, result.err
    return result.document["traces"]


def column(rows, key, value):
    return [(row["name"], row[key], row[value] and row[value]["data"]) for row in rows]


def test_a_product_forward_and_backward():
    (trace,) = traces(PRODUCT)
    sine, cosine = math.sin(2.0), math.cos(2.0)
    assert [(row["name"], row["expression"]) for row in trace["forward"]] == [
        ("v1", "sin(x)"),
        ("y", "multiply(v1, x)"),
    ]
    assert [row["value"]["data"] for row in trace["forward"]] == pytest.approx([sine, 2.0 * sine])
    back = trace["backward"]
    assert [(row["name"], row["rule"]) for row in back[1:]] == [
        ("d/dv1", "d/dy * x"), ("d/dx", "d/dy * v1"), ("d/dx", "d/dv1 * cos(x)"),
    ]  # fmt: skip
    assert [row["contribution"]["data"] for row in back] == pytest.approx([1.0, 2.0, sine, 2.0 * cosine])
    assert [row["total"] and row["total"]["data"] for row in back] == [
        None,
        None,
        None,
        pytest.approx(sine + 2 * cosine),
    ]
    assert back[3]["upstream"]["data"] == 2.0
    (answer,) = trace["answers"]
    assert (answer["source"], answer["value"]["data"]) == ("x", pytest.approx(sine + 2.0 * cosine))


def test_lines_are_those_of_the_program(tmp_path):
    file = tmp_path / "lines.tp"
    file.write_text("variable x = 2.0\n\nu = x * x\ny = exp(u)\n\ngradient(y, x)\n")
    (trace,) = gradcli("trace", str(file), "--format", "json").document["traces"]
    assert [row["line"] for row in trace["forward"]] == [3, 4]
    assert [row["line"] for row in trace["backward"]] == [None, 4, 3, 3]
    assert (trace["line"], trace["column"], trace["label"]) == (6, 1, "gradient(y, x)")


def test_a_broadcast_operand_is_told_of():
    (trace,) = traces("variable w = [1.0, 2.0]; variable b = 0.5; gradient(reduce_sum(w + b), [w, b])")
    by_name = {row["name"]: row for row in trace["backward"]}
    assert by_name["d/db"]["remark"] == "summed to the shape () of b"
    assert by_name["d/db"]["contribution"]["data"] == 2.0
    assert by_name["d/dw"]["remark"] == ""


def test_tangents_of_a_jvp():
    (trace,) = traces("variable x = [1.0, 2.0]; y = reduce_sum(x ** 3); jvp(y, x, [1.0, 10.0])")
    assert column(trace["backward"], "rule", "contribution") == [
        ("dv1", "dx * (3.0 * x**2.0)", [3.0, 120.0]), ("dy", "dv1", 123.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("hessian(y, x)", [[6.0, 0.0], [0.0, 12.0]]), ("hvp(y, x, [1.0, 1.0])", [6.0, 12.0]),
        ("jacobian(x * x, x)", [[2.0, 0.0], [0.0, 4.0]]),
    ],
)  # fmt: skip
def test_queries_of_more_than_one_sweep(query, answer):
    (trace,) = traces(f"variable x = [1.0, 2.0]; y = reduce_sum(x ** 3); {query}")
    assert trace["answers"][0]["value"]["data"] == answer
    assert trace["forward"] and trace["backward"]


def test_only_the_steps_about_one_value():
    (trace,) = traces("variable x = 2.0; u = x * x; v = exp(x); gradient(u + v, x)", "--only", "u")
    assert {row["name"] for row in trace["forward"]} == {"u", "target"}
    assert {row["name"] for row in trace["backward"]} == {"d/du", "d/dx"}


def test_a_name_given_in_a_loop_is_numbered():
    (trace,) = traces("variable x = 2.0; s = 1.0; for i in range(3) { s = s * x }; gradient(s, x)")
    assert [row["name"] for row in trace["forward"]] == ["s.1", "s.2", "s.3"]
    assert trace["answers"][0]["value"]["data"] == 12.0


def test_a_long_program_is_shortened_at_both_ends():
    code = "variable x = 1.0; s = x; for i in range(1000) { s = s * 1.001 }; gradient(s, x)"
    (trace,) = traces(code, "--steps", "4")
    assert [row["step"] for row in trace["forward"]] == [1, 2, 999, 1000]
    assert (len(trace["backward"]), trace["left_out"]) == (4, 996 + 997)
    plain = gradcli("trace", "-e", code, "--steps", "4").out
    assert "… 996 more steps (--steps shows more)" in plain


def test_the_last_of_many_runs_is_shown():
    (trace,) = traces("variable x = 1.0; for i in range(5) { gradient(x * i, x) }")
    assert (trace["times"], trace["answers"][0]["value"]["data"]) == (5, 4.0)


def test_the_last_of_very_many_runs_is_found_by_running_again():
    code = "variable x = 1.0; s = x; for i in range(300) { s = s + x; gradient(s, x) }; gradient(x * x, x)"
    last, once = traces(code, "--steps", "2")
    assert (last["times"], last["answers"][0]["value"]["data"], len(last["forward"])) == (300, 301.0, 2)
    assert last["forward"][-1]["step"] == 300
    assert (once["times"], once["answers"][0]["value"]["data"]) == (1, 2.0)


def test_big_values_are_summarised():
    (trace,) = traces("variable x = arange(0.0, 2000.0); gradient(reduce_sum(x * x), x)")
    value = trace["answers"][0]["value"]
    assert value == {"kind": "summary", "dtype": "float64", "shape": [2000], "min": 0.0, "max": 3998.0, "mean": 1999.0,
                     "nan": 0, "zeros": 1}  # fmt: skip
    assert (
        "min 0.0  max 3998.0  mean 1999.0  0 NaN  1 zeros"
        in gradcli("trace", "-e", "variable x = arange(0.0, 2000.0); gradient(reduce_sum(x * x), x)").out
    )


def test_a_pullback_of_the_programs_own():
    code = "def f(x) = x * x\ndef df(dy, x) = dy * 7.0\ng = custom_gradient(f, df)\nvariable x = 3.0\ngradient(g(x), x)"
    (trace,) = traces(code)
    assert trace["backward"][-1]["rule"].startswith("the pullback of ")
    assert trace["answers"][0]["value"]["data"] == 7.0


def test_no_way_back():
    result = gradcli("trace", "-e", "variable x = 3.0; k = stop_gradient(x) * 2.0; gradient(k, x)")
    assert result.status == 0
    assert "gradient of k by x = None: no step leads from it to the target" in result.out


def test_a_program_that_asks_for_no_gradient_shows_its_steps():
    (trace,) = traces("variable x = 3.0; y = x * x")
    assert (trace["kind"], [row["name"] for row in trace["forward"]], trace["backward"]) == ("", ["y"], [])
    result = gradcli("trace", "-e", "1 + 1")
    assert (result.status, result.out) == (0, "<command line> computes nothing that a tape records\n")


def test_an_error_comes_after_what_ran():
    result = gradcli("trace", "-e", "variable x = 3.0; gradient(x * x, x); 1 + nope(2)")
    assert result.status == 3
    result = gradcli("trace", "-e", "variable x = 3.0; gradient(x * x, x); inv(zeros([2, 2]))")
    assert result.status == 3 and "multiply(x, x)" in result.out and "error[singular-matrix]" in result.err


def test_markdown_has_tables_and_no_raw_markup(tmp_path):
    out = gradcli("trace", "-e", PRODUCT, "--format", "markdown", "--precision", "4").out
    assert "| 1 | `v1 = sin(x)` | 0.9093 | float32 () | 1 |" in out
    assert "| 1 | `d/dx += d/dv1 * cos(x)` | -0.8323 | 0.077 | 1 |" in out
    assert "`<command line>`, line 1" in out
    masks = "variable x = [1.0, -1.0]; m = (x > 0.0) | (x < -5.0); gradient(reduce_sum(where(m, x, 0.0)), x)"
    for line in gradcli("trace", "-e", masks, "--format", "markdown").out.splitlines():
        if line.startswith("| 1"):
            assert line.replace("\\|", "").count("|") == 6


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-e", PRODUCT, "--only", "q"], "no step has to do with a value q"),
        (["-e", "variable speed = 1.0; gradient(speed * 2, speed)", "--only", "sped"], "did you mean speed?"),
        ([], "which program? gradcli trace FILE"), (["-e", PRODUCT, "--steps", "0"], "--steps is between 1 and"),
        (["-e", PRODUCT, "--format", "tap"], "--format is rich, plain, json or markdown"),
        (["nowhere.tp"], "nowhere.tp"),
    ],
)  # fmt: skip
def test_wrong_usage(argv, words):
    result = gradcli("trace", *argv)
    assert result.status == 2
    assert words in result.err + result.out


def test_names_wider_than_a_column_stay_aligned():
    out = gradcli("trace", "-e", "variable 重量 = 2.0; y = 重量 * 重量; gradient(y, 重量)").out.splitlines()
    first, second = (line for line in out if line.startswith("  1  d/d重量"))
    assert "so far 4.0" in second and first.index("=") == second.index("+=")


def test_every_contribution_arrives():
    """The totals in the trace of a program with every kind of step add up to its gradient."""
    code = (
        "variable a = [[1.0, 2.0], [3.0, 4.0]]\nb = softmax(a @ transpose(a))\nc = concat([b, a], 0)\n"
        "y = reduce_sum(c ** 2) + det(a) + reduce_max(a)\ngradient(y, a)"
    )
    (trace,) = traces(code)
    parts = [np.array(row["contribution"]["data"]) for row in trace["backward"] if row["name"] == "d/da"]
    assert len(parts) == 5
    assert sum(parts) == pytest.approx(np.array(trace["answers"][0]["value"]["data"]))


@pytest.mark.parametrize("width", [20, 40, 60, 80, 160])
def test_lines_fit_the_terminal(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    code = "variable w = [[1.0, -2.0], [0.5, 3.0]]; x = [[1.0], [2.0]]; gradient(reduce_mean(relu(w @ x) ** 2), w)"
    lines = gradcli("trace", "-e", code, "--format", "rich", "--color", "never").out.splitlines()
    assert max(len(line) for line in lines) <= max(width, 26)  # what goes on below is indented by six columns
    text = "".join(" ".join(lines).split())
    assert "matmul(w,[[1.0],[2.0]])" in text and "d/dtarget*(1/2)" in text
