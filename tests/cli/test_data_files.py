"""Data on the command line and in programs: places, statuses, limits."""

import os
import struct
import subprocess
import sys

import numpy as np
import pytest

from tests.cli.run import evaluate, gradcli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("age,height\n1,10\n2,20.5\n3,30\n")
    (tmp_path / "bad.csv").write_text("age,height\n1,10\n2,tall\n")
    np.save(tmp_path / "w.npy", np.array([1.0, 2.0], np.float32))
    return tmp_path


PROGRAMS = [
    ('load("t.csv")["age"]', "[1.0, 2.0, 3.0]"),
    ('load("t.csv")[:, 1]', "[10.0, 20.5, 30.0]"),
    ('load("t.csv")[["height", "age"]][0]', "[10.0, 1.0]"),
    ('constant t = load("t.csv"); t["height"]', "[10.0, 20.5, 30.0]"),
    ('load("t.csv", columns=["height"]).shape', "[3, 1]"),
    ('load("t.csv", columns="age", dtype=int32)', "[1, 2, 3]"),
    ('load("bad.csv", columns="age").dtype', "float32"),
    ('default float64\nload("t.csv").dtype', "float64"),
    ('load("bad.csv", columns="height", dtype=string)', '["10", "tall"]'),
    ('load("w.npy", dtype=float64).dtype', "float64"),
    ('t = load("t.csv")\ntape { watch t; y = reduce_sum(t["age"] ** 2.0) }\ngradient(y, t)[:, 0]', "[2.0, 4.0, 6.0]"),
]


@pytest.mark.parametrize(("code", "out"), PROGRAMS)
def test_a_program_loads(folder, code, out):
    result = evaluate(code)
    assert (result.status, result.out) == (0, out + "\n"), result.err


FAULTS = [
    ('load("bad.csv")', "data-file", "row 3, column 2 (height): 'tall' is not a number"),
    ('load("t.csv", columns="hight")', "data-file", "did you mean `height`?"),
    ('load("t.csv")["hight"]', "index-out-of-range", "did you mean 'height'?"),
    ('load("t.csv")["weight_in_kg"]', "index-out-of-range", "there are 'age' and 'height'"),
    ('(load("t.csv") * 2.0)["age"]', "index-out-of-range", "what is computed of it has none"),
    ('load("t.csv", delimiter="ab")', "bad-value", "one character"),
    ('load("t.csv", skip=-1)', "bad-value", "skip= does not take -1"),
    ('load("t.csv", header=3)', "bad-value", "true or false"),
    ('load("t.csv", missing="x")', "bad-value", "missing=nan"),
    ('load("t.csv", columns=[1.5])', "bad-value", "a name or a position"),
    ('load("t.csv", dtype="float12")', "bad-value", "float12"),
    ('load("t.csv", colums=1)', "wrong-arguments", "colums"),
    ('load("w.npy", header=true)', "data-file", "of .csv files alone"),
    ('load("none.npy")', "data-file", "the program's own folder"),
    ('load(".")', "data-file", "this is a folder"),
    ('load("/dev/zero")', "data-file", "a device or a pipe"),
    ('load("a\\0.npy")', "data-file", "a\\x00.npy: no file can have this name"),
    ('load("")', "data-file", "as a string"),
    ("load(w=1)", "wrong-arguments", "w"),
]


@pytest.mark.parametrize(("code", "slug", "message"), FAULTS)
def test_a_load_that_fails(folder, code, slug, message):
    result = evaluate(code)
    assert result.status == 3 and f"<command line>:1:1: error[{slug}]" in result.err and message in result.err, (
        result.err
    )
    assert "\0" not in result.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="POSIX")
def test_a_pipe_does_not_hang(folder):
    os.mkfifo(folder / "p.npy")
    assert "a device or a pipe" in evaluate('load("p.npy")').err
    assert evaluate("variable w = 1.0", "--set", "w=@p.npy").status == 2


def test_a_file_of_a_flag_is_relative_to_the_working_directory_and_its_faults_are_usage(folder):
    (folder / "sub").mkdir()
    (folder / "sub" / "p.tp").write_text("variable w = [0.0, 0.0]\nreduce_sum(w)\n")
    assert gradcli("eval", "--set", "w=@w.npy", "sub/p.tp").out == "3.0\n"
    for name, message in [("none.npy", "relative to the working directory"), ("bad.csv", "row 3, column 2")]:
        result = gradcli("eval", "--set", f"w=@{name}", "sub/p.tp")
        assert (result.status, result.out) == (2, "") and "error[data-file]" in result.err and message in result.err
        assert gradcli("eval", "--format", "json", "--set", f"w=@{name}", "sub/p.tp").document["status"] == 2
    assert gradcli("grad", "sum(w**2)", "w=@w.npy").out == "[2.0, 4.0]\n"
    assert gradcli("grad", "sum(w**2)", "w=@none.npy").status == 2
    assert gradcli("check", "--set", "w=@none.npy", "sub/p.tp").status == 2


def run(*argv):
    return subprocess.run([sys.executable, "-m", "gradcli", *argv], capture_output=True, text=True, timeout=60)


def test_more_than_max_memory_is_told_before_it_is_read(folder):
    with open(folder / "big.npy", "wb") as file:  # 2 GB that the disk does not hold
        text = b"{'descr': '<f4', 'fortran_order': False, 'shape': (500000000,)}\n"
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text)
        file.truncate(10 + len(text) + 2_000_000_000)
    done = run("eval", "--max-memory", "500M", "-e", 'print(1); load("big.npy")')
    assert (done.returncode, done.stdout) == (4, "1\n")
    assert "error[limit-reached] big.npy: it takes 2 GB of memory" in done.stderr and "not read" in done.stderr
    header = b'{"w":{"dtype":"F32","shape":[500000000],"data_offsets":[0,2000000000]}}'
    with open(folder / "big.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + 2_000_000_000)
    (folder / "big.csv").touch()
    os.truncate(folder / "big.csv", 2_000_000_000)
    for name in ("big.safetensors", "big.csv"):
        done = run("eval", "--max-memory", "500M", "-e", f'load("{name}")')
        assert done.returncode == 4 and f"error[limit-reached] {name}" in done.stderr
    done = run("eval", "-e", 'load("big.npy")[0:3]; load("big.npy").shape')
    assert (done.returncode, done.stdout) == (0, "[0.0, 0.0, 0.0]\n[500000000]\n"), done.stderr


def test_a_mapped_file_is_not_read_whole(folder):
    with open(folder / "big.idx", "wb") as file:
        file.write(bytes([0, 0, 8, 1]) + struct.pack(">I", 4_000_000_000) + b"\x07")
        file.truncate(8 + 4_000_000_000)
    code = "import resource, sys; from gradcli.cli.main import guarded; s = guarded(sys.argv[1:]); "
    code += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, s)"
    done = subprocess.run(
        [sys.executable, "-c", code, "eval", "-e", 'load("big.idx")[0:2]'], capture_output=True, text=True, timeout=60
    )
    values, usage = done.stdout.splitlines()
    kilobytes, status = map(int, usage.split())
    assert values == "[7, 0]" and status == 0 and kilobytes < 300_000


def test_a_variable_of_a_mapped_file_can_be_changed(folder):
    np.save(folder / "m.npy", np.zeros(5_000_000, np.float32))
    code = 'variable w = load("m.npy"); w.assign_add(ones([5000000])); w[0]; load("m.npy")[0]'
    assert evaluate(code).out == "1.0\n0.0\n"
