"""`gradcli grad`: values from calculus."""

import math
import re

import numpy as np
import pytest

from tests.cli.run import gradcli


@pytest.mark.parametrize(
    ("argv", "value"),
    [
        (["x^2", "x=3"], 6.0),
        (["x**2 + sin(x)", "x=3"], 6 + math.cos(3)),
        (["exp(-x**2)", "x=0.5"], -math.exp(-0.25)),
        (["x*y", "x=2", "y=5", "--wrt", "x"], 5.0),
        (["x**3", "x=2", "--order", "2"], 12.0),
        (["x**4", "x=1", "--order", "3"], 24.0),
        (["sin(x)", "x=1", "--order", "4"], math.sin(1)),
        (["-x**2", "x=3"], -6.0),
        (["x**2", "x=-3"], -6.0),
        (["1/x", "x=2"], -0.25),
        (["x**x", "x=2"], 4 * (math.log(2) + 1)),
    ],
)
def test_the_derivative_alone_in_a_pipe(argv, value):
    result = gradcli("grad", *argv)
    assert (result.status, result.err) == (0, "")
    assert float(result.out) == pytest.approx(value, rel=1e-14)


def test_the_first_example_of_the_page():
    assert gradcli("grad", "x^2", "x=3").out == "6.0\n"


def test_several_names_give_a_dict():
    assert gradcli("grad", "x*y", "x=2", "y=5").out == '{"x": 5.0, "y": 2.0}\n'
    assert gradcli("grad", "x*y*z", "x=2", "y=5", "z=1", "--wrt", "z,x").out == '{"z": 10.0, "x": 5.0}\n'


def test_value_and_derivative_in_json():
    document = gradcli("grad", "x**2", "x=3", "--format", "json").document
    assert [r["value"]["data"] for r in document["results"]] == [9.0, 6.0]
    assert [r["label"] for r in document["results"]] == ["x**2", "d/dx"]
    assert {r["value"]["dtype"] for r in document["results"]} == {"float64"}


def test_a_file_gives_a_value(tmp_path):
    path = tmp_path / "w.npy"
    np.save(path, np.array([1.0, -2.0]))
    assert gradcli("grad", "reduce_sum(w**2)", f"w=@{path}").out == "[2.0, -4.0]\n"
    assert gradcli("grad", "w", "w=@missing.npy").status == 2


def test_a_list_is_a_tensor_and_its_sum_is_told():
    result = gradcli("grad", "x**2", "x=[1, 2, 3]")
    assert result.out == "[2.0, 4.0, 6.0]\n"
    assert "note[sum-of-components]" in result.err


def test_none_has_its_reason():
    result = gradcli("grad", "round(x)", "x=1.2")
    assert (result.status, result.out) == (0, "none\n")
    assert "none[cut-no-derivative]" in result.err
    assert gradcli("grad", "round(x)", "x=1.2", "--strict").status == 1


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["x +", "x=1"], "syntax"),
        (["x + z", "x=1"], "unknown-name"),
        (["sin(x, 1, 2)", "x=1"], "wrong-arguments"),
        (["x", "x=1 +"], "syntax"),
        (["x @ x", "x=[[1,2,3]]"], "shape-mismatch"),
    ],
)
def test_wrong_expressions(argv, code):
    result = gradcli("grad", *argv)
    assert result.status == 3 and f"error[{code}]" in result.err and result.out == ""


def test_jacobian_and_hessian():
    assert gradcli("grad", "x**2", "x=[1, 2]", "--jacobian").out == "[[2.0, 0.0], [0.0, 4.0]]\n"
    assert gradcli("grad", "x[0]**2 * x[1]", "x=[1, 2]", "--hessian").out == "[[4.0, 2.0], [2.0, 0.0]]\n"
    assert gradcli("grad", "3*x", "x=1", "--hessian").out == "0.0\n"
    both = gradcli("grad", "x*y", "x=[1, 2]", "y=3", "--jacobian")
    assert both.out == '{"x": [[3.0, 0.0], [0.0, 3.0]], "y": [1.0, 2.0]}\n'


def test_a_hessian_is_of_a_scalar():
    result = gradcli("grad", "x**2", "x=[1, 2]", "--hessian")
    assert result.status == 3 and "error[shape-mismatch]" in result.err and "jacobian" in result.err
    assert gradcli("grad", "x**2", "x=1", "--hessian", "--order", "2").status == 2


def test_check_says_on_a_terminal_that_it_agrees():
    """Last of all, and only there: in a pipe the derivative stands alone."""
    done = gradcli("grad", "x**3", "x=2", "--check", "--format", "rich")
    last = done.out.rstrip("\n").splitlines()[-1]
    found = re.fullmatch(r"agrees with the numeric derivative, which is known to ± (\S+)", last)
    assert done.status == 0 and found is not None and 0 < float(found[1]) < 1e-6
    plain = gradcli("grad", "x**3", "x=2", "--check")
    assert (plain.status, plain.out, plain.err) == (0, "12.0\n", "")
    assert "agrees" not in gradcli("grad", "x**3", "x=2", "--check", "--format", "rich", "--quiet").out
    assert "agrees" not in gradcli("grad", "x**3", "x=2", "--format", "rich").out


def test_check_does_not_say_that_it_agrees_where_it_cannot_be_told():
    done = gradcli("grad", "abs(x)", "x=0", "--check", "--format", "rich")
    assert done.status == 0 and "agrees" not in done.out and "cannot-tell" in done.err
