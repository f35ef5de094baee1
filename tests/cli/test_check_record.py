"""`gradcli check --record`, and what has moved since."""

import json
import os

import pytest

from tests.cli.checked_programs import BAD, SILENT, write_programs
from tests.cli.run import gradcli

PROGRAM = """\
default float64
variable x = 3.0
gradient(x**2, x)
[x, none, "text"]
for i in range(2) { x * i }
gradient(abs(x - 3.0), x)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def recorded(folder):
    write_programs(folder, {"a.tp": PROGRAM})
    done = gradcli("check", "a.tp", "--record")
    assert done.status == 0 and "recorded 5 values" in done.out, done.err
    return folder


def changed(folder, old, new, name="a.tp"):
    text = (folder / name).read_text(encoding="utf-8")
    assert old in text
    (folder / name).write_text(text.replace(old, new), encoding="utf-8")
    return gradcli("check", "a.tp")


def test_each_thing_recorded_is_a_check(recorded):
    document = json.loads((recorded / "a.expected.json").read_text(encoding="utf-8"))
    assert document["results"][0]["label"] == "gradient(x**2, x)"
    assert document["results"][0]["value"]["data"] == 6.0 and document["notes"][0]["code"] == "kink"
    done = gradcli("check", "a.tp")
    assert done.status == 0 and "a.tp  ok         6 checks" in done.out


def test_lines_may_move(recorded):
    assert changed(recorded, "variable", "# a comment\n\nvariable").status == 0


def test_what_moved_is_told_with_both_values(recorded):
    done = changed(recorded, "3.0\ngrad", "3.5\ngrad")
    assert done.status == 1 and "a.tp:3:1" in done.err and "gradient(x**2, x) is not what was recorded" in done.err
    assert "recorded  6.0\n  now       7.0\n" in done.err and "largest difference 1.0" in done.err
    assert "note[kink] at `abs(x - 3.0)`" in done.err or "kink" in done.err


def test_within_the_tolerance_of_the_dtype_nothing_moved(folder):
    text = "default float64\nvariable x = 3.0\nprint(gradient(x**2, x))\n[x * x]\n"
    write_programs(folder, {"a.tp": text})
    assert gradcli("check", "a.tp", "--record").status == 0
    write_programs(folder, {"a.tp": text.replace("3.0", "3.0000000001")})  # 3e-11 of it; the tolerance is 1e-9
    assert gradcli("check", "a.tp").status == 0
    write_programs(folder, {"a.tp": text.replace("3.0", "3.00000001")})
    assert gradcli("check", "a.tp").status == 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("gradient(x**2, x)\n", "", "gradient(x**2, x)"),
        ("gradient(x**2, x)\n", "gradient(x**2, x)\nx + 1\n", "x + 1"),
        ("range(2)", "range(1)", "x * i"),
        ("default float64", "default float32", "recorded  6.0   float64 ()\n  now       6.0   float32 ()"),
        ('"text"', '"other"', "other"),
        ("variable x = 3.0", "variable x = [3.0]", "now       [6.0]   float64 (1,)"),
        ("variable x = 3.0", "variable x = nan", "now       nan\n"),
        ('[x, none, "text"]', '(x, none, "text")', "(x, none"),
    ],
)
def test_any_change_is_a_failure(recorded, old, new, words):
    done = changed(recorded, old, new)
    assert done.status == 1 and words in done.err


def test_record_accepts_what_moved(recorded):
    assert changed(recorded, "3.0\ngrad", "4.0\ngrad").status == 1
    assert gradcli("check", "a.tp", "--record").status == 0
    assert gradcli("check", "a.tp").status == 0


def test_only_what_passes_and_shows_something_is_recorded(folder):
    write_programs(folder, {"bad.tp": BAD + "1 + 1\n", "quiet.tp": "assert 1 == 1\n", "silent.tp": SILENT})
    done = gradcli("check", ".", "--record")
    assert done.status == 1 and [path.name for path in folder.glob("*.json")] == ["silent.expected.json"]
    assert gradcli("check", "silent.tp").out.startswith("silent.tp  ok         1 check")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "line 1"),
        (b"{", "line 1"),
        (b"\xff\xfe", "text"),
        (b"[]", "schema"),
        (b'{"schema": "gradcli-expected/2"}', "newer"),
        (b'{"schema": "gradcli-expected/1"}', "results"),
        (b'{"schema": "gradcli-expected/1", "results": [1], "notes": [], "warnings": []}', "entry 1 of results"),
        (b"[" * 100_000, "deep"),
    ],
)
def test_a_broken_record_has_status_2(recorded, content, words):
    (recorded / "a.expected.json").write_bytes(content)
    done = gradcli("check", "a.tp")
    assert done.status == 2 and "a.expected.json" in done.err and words in done.err and "Traceback" not in done.err
    assert gradcli("check", "a.tp", "--record").status == 0 and gradcli("check", "a.tp").status == 0


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_an_unwritable_folder_is_told(folder):
    write_programs(folder, {"sub/a.tp": PROGRAM})
    (folder / "sub").chmod(0o500)
    try:
        done = gradcli("check", "sub", "--record")
    finally:
        (folder / "sub").chmod(0o700)
    assert done.status == 2 and "a.expected.json" in done.err


def test_a_record_that_cannot_be_written_is_told(folder):
    write_programs(folder, {"a.tp": PROGRAM})
    (folder / "a.expected.json").mkdir()
    done = gradcli("check", "a.tp", "--record")
    assert done.status == 2 and "a.expected.json" in done.err and "Traceback" not in done.err
    assert gradcli("check", "a.tp").status == 2
