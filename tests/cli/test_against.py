"""`gradcli check --against FILE`: gradients from elsewhere, right and wrong, in every kind of file."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from tests.cli.run import gradcli

PROGRAM = """\
default float64
variable w = [[0.1, 0.2], [0.3, 0.4]]
variable b = [0.5, -0.5]
constant x = [[1.0, 2.0], [3.0, 4.0]]
loss = reduce_sum((x @ w + b)**2)
gradient(loss, {"w": w, "b": b})
"""
W, B, X = np.array([[0.1, 0.2], [0.3, 0.4]]), np.array([0.5, -0.5]), np.array([[1.0, 2.0], [3.0, 4.0]])
# of the sum of squares r: 2 x^T r and 2 sum r
R = X @ W + B
DW, DB = 2 * X.T @ R, 2 * R.sum(0)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.tp").write_text(PROGRAM, encoding="utf-8")
    return tmp_path


def check(*words, program="model.tp"):
    return gradcli("check", program, "--format", "plain", *words)


def save(path, **arrays):
    if path.endswith(".npz"):
        np.savez(path, **arrays)
    elif path.endswith(".json"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({name: array.tolist() for name, array in arrays.items()}, file)
    else:
        save_file({name: np.ascontiguousarray(array) for name, array in arrays.items()}, path)
    return path


@pytest.mark.parametrize("file", ["grads.npz", "grads.json", "grads.safetensors"])
def test_right_gradients_agree(folder, file):
    done = check("--against", save(file, w=DW, b=DB))
    assert done.status == 0, done.err
    wrong = check("--against", save(file, w=DW * 1.0001, b=DB))
    assert wrong.status == 1 and "every entry of the gradient of `w`" in wrong.err and "`b` agrees" in wrong.err


def test_a_lone_array_is_of_the_lone_gradient(folder):
    (folder / "one.tp").write_text(PROGRAM.replace('{"w": w, "b": b}', "w"), encoding="utf-8")
    np.save("one.npy", DW)
    np.savetxt("one.csv", DW, delimiter=",", fmt="%.17g")
    for file in ("one.npy", "one.csv"):
        assert check("--against", file, program="one.tp").status == 0
        done = check("--against", file)
        assert done.status == 1 and "without a name" in done.err and "`b` and `w`" in done.err


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({"w": DW.T, "b": DB}, "is the transpose of the one in grads.npz"),
        ({"w": -DW, "b": DB}, "is the negative of the one in grads.npz"),
        ({"w": DW / 2, "b": DB / 2}, "every entry of the gradients of `w` and `b` is 2.0 times"),
        ({"w": DW + np.array([[0, 0], [0, 1e-3]]), "b": DB}, "differs in one entry of 4, w[1, 1]"),
        ({"w": DW.ravel(), "b": DB}, "has shape (2, 2), the one in grads.npz (4)"),
        ({"w": DW, "b": [DB[0], np.nan]}, "is finite in 1 entry where the one in grads.npz is not"),
        ({"w": DW, "b": DB * np.inf}, "is finite in 2 entries where the one in grads.npz is not"),
        ({"v": DW, "b": DB}, "takes no gradient of v, which grads.npz has"),
        ({"b": DB}, "grads.npz has no gradient of w"),
        ({"w": np.array([["a", "b"], ["c", "d"]]), "b": DB}, "not numbers"),
    ],
)
def test_what_is_wrong_is_told(folder, arrays, words):
    done = check("--against", save("grads.npz", **{name: np.asarray(value) for name, value in arrays.items()}))
    assert done.status == 1 and words in done.err, done.err


def test_gradients_are_found_by_the_names_that_hold_them(folder):
    program = PROGRAM.replace('gradient(loss, {"w": w, "b": b})', "dw, db = gradient(loss, [w, b])")
    (folder / "held.tp").write_text(program, encoding="utf-8")
    assert check("--against", save("held.npz", dw=DW, db=DB), program="held.tp").status == 0
    assert check("--against", save("sources.npz", w=DW, b=DB), program="held.tp").status == 0
    assert check("--against", save("wrong.npz", dw=DW, db=DB + 1), program="held.tp").status == 1


def test_the_narrower_dtype_sets_the_tolerance_unless_one_is_given(folder):
    file = save("narrow.npz", w=DW.astype(np.float32), b=DB.astype(np.float32))
    assert check("--against", file).status == 0
    assert check("--against", file, "--rtol", "1e-12").status == 1
    loose = save("loose.npz", w=DW * 1.01, b=DB * 1.01)
    assert check("--against", loose).status == 1
    assert check("--against", loose, "--rtol", "0.02").status == 0
    assert check("--against", loose, "--rtol", "0", "--atol", "1").status == 0


def test_a_none_where_the_reference_has_numbers_fails(folder):
    (folder / "none.tp").write_text("variable w = 1.0\nvariable z = 2.0\ngradient(z * 2.0, [w, z])\n", encoding="utf-8")
    done = check("--against", save("none.npz", w=np.array(1.0), z=np.array(2.0)), program="none.tp")
    assert done.status == 1 and "is none (unconnected)" in done.err


def test_an_infinity_is_near_to_nothing_but_itself(folder):
    text = "default float64\nvariable w = [0.0, 1.0]\ngradient(sum(log(w)), w)\n"
    (folder / "log.tp").write_text(text, encoding="utf-8")
    for right, status in ([np.inf, 1.0], 0), ([-np.inf, 1.0], 1), ([1.0, 1.0], 1), ([np.inf, np.inf], 1):
        for words in ([], ["--rtol", "1", "--atol", "1"]):
            assert check("--against", save("log.npz", w=np.array(right)), *words, program="log.tp").status == status


def test_no_tolerance_is_told_where_there_is_none(folder):
    done = check("--against", save("nan.npz", w=DW * np.nan, b=DB))
    assert done.status == 1 and "nan.npz nan\n" in done.err


def test_large_gradients_are_compared_in_every_entry(folder):
    text = "default float64\nvariable w = zeros([300, 400])\ngradient(reduce_sum(w), w)\n"
    (folder / "large.tp").write_text(text, encoding="utf-8")
    right = np.ones((300, 400))
    assert check("--against", save("large.npz", w=right), program="large.tp").status == 0
    right[123, 321] = 1.5
    done = check("--against", save("large.npz", w=right), program="large.tp")
    assert done.status == 1 and "w[123, 321]" in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--against", "nothing.npz"], "there is no such file"),
        (["--against", "model.tp"], "are not read"),
        (["--against", "empty.npz"], "it holds no arrays"),
        (["--against", "broken.safetensors"], "not a .safetensors file"),
        (["--rtol", "1e-3"], "tolerances of --against"),
        (["--against", "ok.npz", "--rtol", "-1"], "takes a number from 0"),
        (["--against", "ok.npz", "--atol", "nan"], "takes a number from 0"),
    ],
)
def test_wrong_usage_is_told_before_anything_runs(folder, words, message):
    np.savez("empty.npz")
    save("ok.npz", w=DW)
    (folder / "broken.safetensors").write_bytes(b"\x00" * 5)
    done = check(*words)
    assert done.status == 2 and message in done.err and not done.out


def test_in_json_it_is_an_assert_with_a_verdict(folder):
    file = save("half.npz", w=DW, b=DB / 2)
    document = gradcli("check", "model.tp", "--format", "json", "--against", file).document
    (entry,) = document["asserts"]
    assert (entry["ok"], entry["verdict"], entry["line"]) == (False, "differs", 6)
    assert entry["max_rel"] == 0.5


def test_numeric_checks_every_query(folder):
    done = check("--numeric")
    assert done.status == 0 and "1 check" in done.out
    text = "variable x = 1.0\ng = custom_gradient(lambda u: u**2, lambda dy, u: dy * u)\ngradient(g(x), x)\n"
    (folder / "wrong.tp").write_text(text, encoding="utf-8")
    for flag in ("--numeric", "--verify"):
        done = check(flag, program="wrong.tp")
        assert done.status == 1 and "0.5 times the numeric one" in done.err
    assert check(program="wrong.tp").status == 0
