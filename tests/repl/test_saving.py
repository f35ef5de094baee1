"""`:save` writes a program that gives the same values when it is run again."""

import os

import numpy as np
import pytest

from gradcli.lang.source import Source
from gradcli.runtime.session import Session

from .bench import Bench

SESSIONS = {
    "plain": ["variable x = 3.0", "y = x ** 2", "g = gradient(y, x)"],
    "the whole session, then a tape": [
        "variable x = 3.0", "y = x ** 2", "g = gradient(y, x)", "# a comment", "tape {\n    z = x ** 3\n}",
        "h = gradient(z, x)",
    ],
    "a tape first": ["variable x = 3.0", "tape t(persistent=true) { y = x * x }", "g = t.gradient(y, x)"],
    "a tape in a function": ["variable x = 3.0", "g = gradient(x * x, x)", "def f() { tape { y = x ** 3 }; return gradient(y, x) }",
                             "h = f()"],
    "watched": ["c = constant(2.0)", "watch c", "y = c ** 3", "g = gradient(y, c)", "tape { }"],
    "errors and what was taken back": ["variable x = 3.0", "x.assign(4.0)", "1 / 0", ":undo", "x.assign_add(0.5)", "y = x"],
    "random": ["a = random.normal([3])", "random.normal([2]); 1 / 0", "b = random.normal([3])", ":set seed 3", "c = random.uniform([2])"],
    "dtypes": ["a = constant(0.1)", "default float64", "b = constant(0.1)", ":set dtype float16", "c = constant(0.1)", "d = a"],
    "the value printed last": ["2 + 3", "_ * 2", "y = _"],
    "what a line could go on with": ["x = 1, # one", "-2", "y = _", "z = (3,)", "w = z,\n;", "[1, 2]", "v = _"],
    "names of operations": ["y = e * 2", "e = 3", "z = e", "z = sin(1.0)", "sin = 5"],
    "tabs and other alphabets": ["if true {\n\tünï = 1.5\n}", "变量 = ünï * 2; s = '🙂'"],
    "reset": ["x = 1", ":reset", "y = 2"],
}  # fmt: skip


def values(session):
    return session.named_values()


@pytest.mark.parametrize("options", [{}, {"seed": 5, "dtype": "float64"}], ids=["", "with options"])
@pytest.mark.parametrize("name", SESSIONS)
def test_run_again_it_gives_the_same_values(name, options, tmp_path):
    bench = Bench(**options)
    bench(*SESSIONS[name])
    path = tmp_path / "saved.tp"
    count = len(bench.lines)
    assert bench(f":save {path}") == [f"{count} line{'' if count == 1 else 's'} saved in {path}"]
    wrong = []
    session = Session(lambda outcome: wrong.append(outcome) if type(outcome).__name__ == "Failed" else None)
    assert session.run(Source.from_bytes(str(path), path.read_bytes())), path.read_text()
    ours, again = values(bench.session), values(session)
    assert ours.keys() == again.keys() and ours
    for key, value in ours.items():
        assert value.dtype == again[key].dtype and np.array_equal(value, again[key]), key
    loaded = Bench()
    loaded(f":load {path}")
    assert {k: v.tolist() for k, v in values(loaded.session).items()} == {k: v.tolist() for k, v in ours.items()}


def test_paths_start_from_the_saved_program(tmp_path, monkeypatch):
    (tmp_path / "data").mkdir()
    (tmp_path / "out").mkdir()
    np.save(tmp_path / "data" / "w.npy", np.arange(3.0))
    (tmp_path / "data" / "read.tp").write_text("w = load('w.npy')\n")
    monkeypatch.chdir(tmp_path)
    bench = Bench()
    bench(":load data/read.tp", "v = [load('data/w.npy'), load(\"data/w.npy\")]", ":save out/f.tp")
    text = (tmp_path / "out" / "f.tp").read_text()
    assert text == 'w = load("../data/w.npy")\nv = [load("../data/w.npy"), load("../data/w.npy")]\n'
    session = Session(lambda outcome: None, folder="out")
    assert session.run(Source("f.tp", text))
    assert session.named_values()["w"].tolist() == [0.0, 1.0, 2.0]


def test_a_file_is_never_half_written(tmp_path, monkeypatch):
    path = tmp_path / "f.tp"
    path.write_text("old")
    bench = Bench()
    bench("x = 1")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert bench(f":save {path}") == [f"{path} cannot be written: No space left on device"]
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["f.tp"]
    monkeypatch.undo()
    assert bench(f":save '{path}'") == [f"1 line saved in {path} (there was one; it is replaced)"]
    assert path.read_text() == "x = 1\n"
    assert bench(f":save {tmp_path}/no/f.tp") == [
        f"{tmp_path}/no/f.tp cannot be written: there is no folder {tmp_path}/no"
    ]
    assert bench(f":load {tmp_path}/no.tp") == [f"{tmp_path}/no.tp cannot be read: No such file or directory"]
    (tmp_path / "b").write_bytes(b"\xff")
    assert bench(f":load {tmp_path}/b") == [f"{tmp_path}/b is not a text file in UTF-8 (byte 0)"]
