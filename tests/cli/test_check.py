"""`gradcli check PATH…`: which programs run, what their lines say, and the statuses."""

import os
import re

import pytest

from tests.cli.checked_programs import BAD, BROKEN, ENDLESS, GOOD, OUTCOMES, SILENT, write_programs
from tests.cli.run import gradcli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines_of(done):
    """Name, state, checks and failed of each program's line."""
    found = []
    for line in done.out.splitlines()[:-1]:
        name, state, checks, failed = re.fullmatch(
            r"(\S+) +(ok|no checks|FAILED|error|limit) +(\d+) checks?(?:, (\d+) failed)? +\d+\.\d\d s", line
        ).groups()
        found.append((name, state, int(checks), int(failed or 0)))
    return found


def names_of(done):
    return [line[0] for line in lines_of(done)]


def test_a_line_a_program_and_a_summary(folder):
    write_programs(folder, {name: outcome[0] for name, outcome in OUTCOMES.items()})
    done = gradcli("check", ".")
    assert done.status == 3
    assert lines_of(done) == [(name, state, checks, failed) for name, (_, state, _, checks, failed) in OUTCOMES.items()]
    summary = done.out.splitlines()[-1]
    assert summary.startswith("7 programs: 3 ok, 1 no checks, 1 FAILED, 2 error; 4 checks, 1 failed; ")
    assert "b_bad.tp:2:1: assert[failed]" in done.err and "d_broken.tp:1:9: error[syntax]" in done.err
    assert "f_warns.tp:2:7: warning[watched-dtype]" in done.err and "g_untold.tp:3:1: check[cannot-tell]" in done.err
    assert "printed before it stopped:\n    before\n" in done.err
    assert "a_good.tp" not in done.err and "Traceback" not in done.err


@pytest.mark.parametrize("name", OUTCOMES)
def test_the_status_of_a_program_alone(folder, name):
    text, state, status, checks, failed = OUTCOMES[name]
    write_programs(folder, {name: text})
    done = gradcli("check", name)
    assert (done.status, lines_of(done)) == (status, [(name, state, checks, failed)])


def test_a_program_without_a_check_is_named_as_such(folder):
    write_programs(folder, {"c.tp": SILENT})
    done = gradcli("check", "c.tp")
    assert (
        done.status == 0 and "c.tp  no checks  0 checks" in done.out and "1 program: 1 no checks; 0 checks" in done.out
    )


def test_an_empty_folder_is_told_and_the_others_go_on(folder):
    write_programs(folder, {"full/a.tp": GOOD, "full/.hidden/b.tp": BAD, "full/.c.tp": BAD, "full/notes.txt": "x"})
    (folder / "empty").mkdir()
    done = gradcli("check", "empty", "full")
    assert done.status == 2 and names_of(done) == ["empty", "full/a.tp"]
    assert "empty: there is no program (*.tp) in this folder" in done.err
    assert gradcli("check", "full").status == 0


def test_files_of_any_ending_each_once_in_the_order_of_the_paths(folder):
    write_programs(folder, {"z.txt": GOOD, "sub/b.tp": GOOD, "sub/a/c.tp": GOOD})
    (folder / "sub" / "loop").symlink_to("..", target_is_directory=True)
    done = gradcli("check", "z.txt", "sub", "sub/b.tp", "./z.txt")
    assert done.status == 0
    assert names_of(done)[0] == "z.txt" and sorted(names_of(done)[1:]) == ["sub/a/c.tp", "sub/b.tp"]


def test_a_missing_file_and_one_that_is_no_text(folder):
    write_programs(folder, {"a.tp": GOOD})
    (folder / "binary.tp").write_bytes(b"\xff\xfe\x00x")
    done = gradcli("check", "missing.tp", "binary.tp", "a.tp")
    assert done.status == 2
    assert lines_of(done) == [("missing.tp", "error", 0, 0), ("binary.tp", "error", 0, 0), ("a.tp", "ok", 1, 0)]
    assert "missing.tp: there is no such file" in done.err


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ("loss", ["models/Loss.tp", "models/loss_slow.tp"]),
        ("loss and not slow", ["models/Loss.tp"]),
        ("not loss", ["models/layer.tp"]),
        ("layer or slow", ["models/layer.tp", "models/loss_slow.tp"]),
        ("slow or models/la and not xyz", ["models/layer.tp", "models/loss_slow.tp"]),
        ("not not LAYER", ["models/layer.tp"]),
    ],
)
def test_k_chooses_by_path(folder, words, chosen):
    write_programs(folder, dict.fromkeys(["models/Loss.tp", "models/layer.tp", "models/loss_slow.tp"], GOOD))
    done = gradcli("check", "models", "-k", words)
    assert done.status == 0 and names_of(done) == chosen


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("nothing", "-k nothing: none of 1 programs has such a path"),
        ("", "a word is missing"),
        ("and", "a word is missing"),
        ("loss or", "a word is missing"),
        ("loss and", "a word is missing"),
        ("not", "a word is missing"),
    ],
)
def test_a_k_that_chooses_nothing_is_wrong_usage(folder, words, message):
    write_programs(folder, {"a.tp": GOOD})
    done = gradcli("check", ".", "-k", words)
    assert done.status == 2 and message in done.err and not done.out


def test_x_stops_after_the_first_failure(folder):
    write_programs(folder, {"a.tp": GOOD, "b.tp": BAD, "c.tp": ENDLESS})
    done = gradcli("check", ".", "-x", "--timeout", "5")
    assert done.status == 1 and names_of(done) == ["a.tp", "b.tp"]
    assert "stopped after 2 of 3 programs: 1 ok, 1 FAILED" in done.out


def test_a_program_past_its_time_has_status_4_and_the_others_go_on(folder):
    write_programs(folder, {"a.tp": ENDLESS, "b.tp": GOOD, "c.tp": BROKEN})
    done = gradcli("check", ".", "--timeout", "0.2")
    assert done.status == 4
    assert [line[:2] for line in lines_of(done)] == [("a.tp", "limit"), ("b.tp", "ok"), ("c.tp", "error")]
    assert "not finished after 0.2 s" in done.err


def test_a_bug_of_ours_in_one_program_has_status_70_and_the_others_go_on(folder, monkeypatch):
    from gradcli.cli import check_program

    def run_program(collector, options, source, *rest):
        if source.name == "a.tp":
            raise RuntimeError("a bug")
        return real(collector, options, source, *rest)

    real = check_program.run_program
    monkeypatch.setattr(check_program, "run_program", run_program)
    write_programs(folder, {"a.tp": GOOD, "b.tp": GOOD})
    done = gradcli("check", ".")
    assert done.status == 70 and [line[:2] for line in lines_of(done)] == [("a.tp", "error"), ("b.tp", "ok")]
    assert "bug" in done.err and "Traceback" not in done.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "nothing to check"),
        (["-"], "gradcli eval -"),
        ([""], "an empty word is no path"),
        (["a.tp", "--junit", "no/such/folder/x.xml"], "--junit no/such/folder/x.xml"),
        (["a.tp", "--junit", ""], "a name is missing"),
        (["a.tp", "-j", "0"], "between 1 and 1000"),
        (["a.tp", "--format", "xml"], "json, tap or github"),
        (["a.tp", "--timeout", "-1"], "--timeout"),
        (["a.tp", "--set", "nope=1"], "nope"),
    ],
)
def test_wrong_usage_has_status_2_before_anything_runs(folder, words, message):
    write_programs(folder, {"a.tp": GOOD})
    done = gradcli("check", *words)
    assert done.status == 2 and message in done.err and not done.out


def test_names_are_shown_on_one_line_whatever_they_hold(folder):
    for name in ("new\nline.tp", "é🎉.tp", "quo'te\".tp", "[bold]x[/bold].tp", "-k.tp"):
        write_programs(folder, {name: BAD})
    for form in ("plain", "rich"):
        done = gradcli("check", ".", "--format", form)
        assert done.status == 1 and "new\\nline.tp" in done.out
        assert "[bold]x[/bold].tp" in done.out and "é🎉.tp" in done.out
        assert len([line for line in done.out.splitlines() if line.strip()]) == 6


def test_strict_and_expected_failures_are_checks(folder):
    write_programs(folder, {"none.tp": "variable x = 1.0\nconstant c = 2.0\ngradient(x * c, c)\n"})
    assert gradcli("check", "none.tp").status == 0
    done = gradcli("check", "none.tp", "--strict")
    assert done.status == 1 and lines_of(done) == [("none.tp", "FAILED", 1, 1)] and "none[not-watched]" in done.err
    write_programs(folder, {"expect.tp": "constant(1.0) + constant(1)  # expect: error[dtype-mismatch]\n"})
    done = gradcli("check", "expect.tp")
    assert done.status == 0 and lines_of(done) == [("expect.tp", "ok", 1, 0)]
    write_programs(folder, {"absent.tp": "1 + 1  # expect: error[dtype-mismatch]\n"})
    assert lines_of(gradcli("check", "absent.tp")) == [("absent.tp", "FAILED", 1, 1)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_in_a_folder_is_no_program(folder):
    os.mkfifo(folder / "pipe.tp")
    write_programs(folder, {"a.tp": GOOD})
    done = gradcli("check", ".")
    assert done.status == 0 and names_of(done) == ["a.tp"]


def test_links_that_lead_nowhere_are_told(folder):
    (folder / "loop.tp").symlink_to("loop.tp")
    (folder / "nowhere.tp").symlink_to("missing")
    write_programs(folder, {"a.tp": GOOD})
    done = gradcli("check", ".")
    assert done.status == 2 and names_of(done) == ["a.tp", "loop.tp", "nowhere.tp"]
    assert "nowhere.tp: there is no such file" in done.err


@pytest.mark.parametrize(
    ("left", "right", "told"), [("1.0", "inf", "inf"), ("-inf", "inf", "inf"), ("1.0", "nan", "nan")]
)
def test_what_differs_without_end_is_not_told_as_no_relative_difference(folder, left, right, told):
    write_programs(folder, {"a.tp": f"assert constant([2.0, {left}]) ~= [2.0, {right}]\n"})
    done = gradcli("check", "a.tp")
    assert done.status == 1 and f"largest difference {told}, relative {told}, at [1]" in done.err
