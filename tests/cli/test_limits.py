"""Limits, interruption and saving: nothing hangs, nothing is half-written."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tests.cli.run import evaluate, gradcli


def start(*argv: str) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-m", "gradcli", *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_an_endless_program_is_stopped():
    result = evaluate("print(1); while true { }", "--timeout", "0.3")
    assert (result.status, result.out) == (4, "1\n")
    assert "error[limit-reached]" in result.err
    document = evaluate("print(1); while true { }", "--timeout", "0.3", "--format", "json").document
    assert document["status"] == 4 and len(document["results"]) == 1


def test_a_program_in_time_is_not():
    assert evaluate("1", "--timeout", "30").status == 0


def test_the_other_files_run_after_one_that_was_stopped(tmp_path):
    (tmp_path / "a.tp").write_text("while true { }")
    (tmp_path / "b.tp").write_text("7")
    result = gradcli("eval", "--timeout", "0.3", str(tmp_path / "a.tp"), str(tmp_path / "b.tp"))
    assert (result.status, result.out) == (4, "7\n")


def test_too_much_memory_is_refused():
    code = "print(1); x = zeros([2000, 1000, 1000])"
    done = start("eval", "--max-memory", "400M", "-e", code)
    out, err = done.communicate(timeout=60)
    assert (done.returncode, out) == (4, "1\n") and "error[limit-reached]" in err
    assert start("eval", "--max-memory", "1G", "-e", "zeros([10])").wait(60) == 0


@pytest.mark.parametrize(
    "argv", [["--timeout", "soon"], ["--timeout", "-1"], ["--max-memory", "lots"], ["--max-memory", "0"]]
)
def test_limits_that_are_none(argv):
    assert evaluate("1", *argv).status == 2


def test_recursion_and_nesting_are_limited():
    assert evaluate("def f(n) { if n == 0 { return 0 }; return f(n - 1) }; f(900)").out == "0\n"
    deep = evaluate("def f(n) { if n == 0 { return 0 }; return f(n - 1) }; f(5000)")
    assert deep.status == 4 and "error[limit-reached]" in deep.err
    assert evaluate("(" * 400 + "1" + ")" * 400).out == "1\n"
    assert evaluate("(" * 4000 + "1" + ")" * 4000).status == 4
    assert evaluate("-" * 400 + "1").out == "1\n"


def test_numbers_do_not_grow_without_end():
    for code in ("10 ** 10 ** 10", "x = 9; for i in range(60) { x = x * x }", "2 ** 100000"):
        result = evaluate(code)
        assert result.status == 3 and "error[bad-value]" in result.err


@pytest.mark.skipif(not hasattr(signal, "SIGINT") or os.name == "nt", reason="POSIX signals")
def test_ctrl_c_ends_with_130():
    process = start("eval", "-e", "print(1); while true { }")
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=10)
    assert (process.returncode, out) == (130, "1\n")
    assert "Traceback" not in err


def test_save_writes_what_the_names_hold(tmp_path):
    code = "variable w = [1.0, 2.0]; constant k = 3; g = gradient(w * w, {'w': w}); n = 2; s = 'text'"
    path = tmp_path / "out.npz"
    assert evaluate(code, "--save", str(path)).status == 0
    with np.load(path) as saved:
        assert sorted(saved.files) == ["g.w", "k", "n", "w"]
        assert saved["g.w"].tolist() == [2.0, 4.0] and saved["g.w"].dtype == np.float32
    path = tmp_path / "out.json"
    assert evaluate(code, "--save", str(path)).status == 0
    assert json.loads(path.read_text())["g.w"] == {"dtype": "float32", "shape": [2], "data": [2.0, 4.0]}
    assert evaluate(f'load("{path}")["g.w"]').out == "[2.0, 4.0]\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.json", "out.npz"]


def test_grad_saves_value_and_gradient(tmp_path):
    path = tmp_path / "g.npz"
    assert gradcli("grad", "x**2", "x=3", "--save", str(path)).status == 0
    with np.load(path) as saved:
        assert saved["gradient"] == 6.0 and saved["value"] == 9.0


def test_a_failing_program_leaves_the_old_file(tmp_path):
    path = tmp_path / "out.npz"
    evaluate("variable w = 1.0", "--save", str(path))
    before = path.read_bytes()
    result = evaluate("variable w = 2.0; 1 / 0", "--save", str(path))
    assert result.status == 3 and "nothing was written" in result.err
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["out.txt", "no/such/folder/out.npz", "."])
def test_a_file_that_cannot_be_saved_is_refused_before_anything_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = evaluate("print(1)", "--save", name)
    assert (result.status, result.out) == (2, "")


def test_time_says_where_it_went():
    result = evaluate("variable x = 3.0; gradient(x * x, x)", "--time")
    assert result.out == "6.0\n"
    assert [word for word in ("parse", "forward", "backward", "total") if word not in result.err] == []
