"""Files that a program writes: below the working directory alone, whole or not at all, through no link that leaves it."""

import os
import resource
import stat
import subprocess
import sys

import numpy as np
import pytest

from gradcli.data.files import whole, write_whole
from gradcli.runtime import data_files
from tests.cli.run import evaluate, gradcli

SAVE = 'variable w = [1.0, 2.0]; save("{}", {})'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    inner = tmp_path / "work"
    (inner / "sub").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(inner)
    return inner


def names(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() or path.is_symlink())


def test_what_is_saved_is_loaded(folder):
    code = """
    variable w = [[1.0, 2.0], [3.0, 4.0]]
    save("w.npy", w)
    save("sub/m.npz", {"w": w, "deep": {"b": 2.0, "l": [w, w[0]]}})
    save("t.csv", {"a": w[0], "b": w[1]})
    save("m.safetensors", {"w": w})
    save("m.json", {"n": 3})
    assert load("w.npy") ~= w
    assert load("sub/m.npz")["deep.l.1"] ~= w[0]
    assert load("t.csv")["b"] ~= w[1]
    assert load("m.safetensors")["w"] ~= w
    load("m.json")
    """
    result = evaluate(code)
    assert (result.status, result.out) == (0, '{"n": 3}\n'), result.err
    assert names(folder) == ["m.json", "m.safetensors", "sub/m.npz", "t.csv", "w.npy"]
    with np.load(folder / "sub/m.npz") as found:
        assert sorted(found.files) == ["deep.b", "deep.l.0", "deep.l.1", "w"]


def test_a_path_is_relative_to_the_program(folder):
    (folder / "sub" / "p.tp").write_text('save("w.npy", zeros([2])); load("w.npy")')
    assert gradcli("eval", "sub/p.tp").out == "[0.0, 0.0]\n"
    assert names(folder) == ["sub/p.tp", "sub/w.npy"]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("../w.npy", "w", "absolute paths and .. are refused"),
        ("sub/../../elsewhere/w.npy", "w", "absolute paths and .. are refused"),
        ("sub/../w.npy", "w", "absolute paths and .. are refused"),
        ("/tmp/w.npy", "w", "absolute paths and .. are refused"),
        ("p.tp", "w", "in which format"),
        ("p.expected.json", '{"w": w}', "check --record"),
        ("sub", "w", "this is a folder"),
        ("no/w.npy", "w", "there is no folder"),
        ("x\\0.npy", "w", "no file can have this name"),
        ("", "w", "the path of a file as a string"),
        ("n" * 300 + ".npy", "w", "cannot be written"),
        ("w.npz", '{"w": none}', "w is none"),
        ("w.npz", '{"a": {"b": w}, "a.b": w}', "two values would be saved as a.b"),
        ("w.npz", "w", "arrays by name"),
        ("w.npy", '"text"', "this is a string"),
        ("w.npz", '{"a": {"f": sin}}', "a.f is a function"),
        ("w.npy", "[[1.0], [1.0, 2.0]]", "this is a list"),
    ],
)
def test_a_save_that_is_refused(folder, path, value, message):
    result = evaluate(SAVE.format(path, value))
    assert result.status == 3 and "error[data-file]" in result.err and message in result.err, result.err
    assert names(folder.parent) == []


def test_a_program_outside_the_working_directory_saves_nothing(folder):
    (folder.parent / "elsewhere" / "p.tp").write_text('save("w.npy", zeros([2]))')
    result = gradcli("eval", "../elsewhere/p.tp")
    assert result.status == 3 and "below the working directory only" in result.err
    assert names(folder.parent) == ["elsewhere/p.tp"]


def test_links(folder):
    outside = folder.parent / "elsewhere"
    (outside / "kept.npy").write_bytes(b"kept")
    (folder / "program.tp").write_text("1")
    (folder / "out").symlink_to(outside)
    (folder / "file.npy").symlink_to(outside / "kept.npy")
    (folder / "new.npy").symlink_to(outside / "new.npy")
    (folder / "p.npy").symlink_to(folder / "program.tp")
    for path in ("out/w.npy", "file.npy", "new.npy"):
        result = evaluate(SAVE.format(path, "w"))
        assert result.status == 3 and "leads out of it" in result.err
    result = evaluate(SAVE.format("p.npy", "w"))
    assert result.status == 3 and "a link to program.tp" in result.err
    assert (folder / "program.tp").read_text() == "1"
    assert (outside / "kept.npy").read_bytes() == b"kept" and names(outside) == ["kept.npy"]
    (folder / "in").symlink_to(folder / "sub")
    (folder / "inside.npy").symlink_to(folder / "sub" / "target.npy")
    assert evaluate(SAVE.format("in/w.npy", "w")).status == 0
    assert evaluate(SAVE.format("inside.npy", "w")).status == 0
    assert names(folder / "sub") == ["target.npy", "w.npy"] and (folder / "inside.npy").is_symlink()


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path):
    path = tmp_path / "a.bin"
    write_whole(str(path), b"first")
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600
    with pytest.raises(RuntimeError), whole(str(path)) as file:
        file.write(b"sec")
        file.flush()
        assert len(list(tmp_path.iterdir())) == 2
        raise RuntimeError
    assert path.read_bytes() == b"first" and list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_the_old_file(folder):
    (folder / "w.npy").write_bytes(b"old")
    (folder / "w.npz").write_bytes(b"old")

    def small():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    def run(*argv):
        return subprocess.run(
            [sys.executable, "-m", "gradcli", "eval", *argv],
            capture_output=True,
            text=True,
            preexec_fn=small,
            timeout=60,
        )

    done = run("-e", 'save("w.npy", zeros([10000]))')
    assert done.returncode == 3 and "error[data-file] w.npy cannot be written: File too large" in done.stderr
    done = run("-e", "variable w = zeros([10000])", "--save", "w.npz")
    assert done.returncode == 2 and "--save w.npz: File too large" in done.stderr
    assert (folder / "w.npy").read_bytes() == (folder / "w.npz").read_bytes() == b"old"
    assert names(folder) == ["w.npy", "w.npz"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(folder):
    (folder / "sub").chmod(0o500)
    result = evaluate(SAVE.format("sub/w.npy", "w"))
    assert result.status == 3 and "no permission" in result.err


def test_a_program_that_is_tried_with_a_change_writes_nothing(folder, monkeypatch):
    # what overflows here has the program run again with softplus; only the run itself writes
    written = []
    monkeypatch.setattr(data_files, "write_below", lambda *given: written.append(given))
    code = 'default float64\nvariable x = 1000.0\nsave("w.npy", x)\ntape { y = log(exp(x) + 1.0) }\ngradient(y, x)'
    result = evaluate(code)
    assert "softplus(x)" in result.err and len(written) == 1


def test_the_flag_writes_where_the_user_says(folder):
    from safetensors.numpy import load_file

    target = folder.parent / "elsewhere" / "m.safetensors"
    assert evaluate("variable file = [1.0]; k = [file, file * 2.0]", "--save", str(target)).status == 0
    assert {name: data.tolist() for name, data in load_file(target).items()} == {
        "file": [1.0], "k.0": [1.0], "k.1": [2.0],
    }  # fmt: skip
    assert evaluate("variable file = [1.0]", "--save", "../elsewhere/m.npz").status == 0
    with np.load(folder.parent / "elsewhere" / "m.npz") as found:
        assert found["file"] == 1.0
    result = evaluate("constant z = cast([1.0], complex128)", "--save", "m.safetensors")
    assert result.status == 2 and "complex128" in result.err and names(folder) == []
