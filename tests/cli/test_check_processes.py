"""`gradcli check -j N`, and Ctrl-C: results in order, whatever happens to a process."""

import os
import re
import signal
import subprocess
import sys

import pytest

from gradcli.checking.workers import Ended, in_order
from gradcli.cli import check
from gradcli.cli.check_program import check_program
from tests.cli.checked_programs import BAD, ENDLESS, GOOD, OUTCOMES, write_programs
from tests.cli.run import gradcli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def without_seconds(text):
    return re.sub(r"\d+\.\d+ s|\"seconds\": [0-9.e-]+|time(stamp)?=\"[^\"]*\"", "T", text)


def test_two_processes_write_what_one_does(folder):
    write_programs(folder, {name: outcome[0] for name, outcome in OUTCOMES.items()})
    # the first takes longest: its line still comes first
    write_programs(folder, {"a_first.tp": "s = 0.0\nfor i in range(20000) { s = s + 1.0 }\nassert s == 20000.0\n"})
    for form in ("plain", "tap", "json"):
        alone = gradcli("check", ".", "--format", form, "--junit", "1.xml")
        together = gradcli("check", ".", "--format", form, "--junit", "2.xml", "-j", "2")
        assert alone.status == together.status == 3
        assert without_seconds(together.out) == without_seconds(alone.out)
        assert without_seconds(together.err) == without_seconds(alone.err)
        reports = [(folder / name).read_text(encoding="utf-8") for name in ("1.xml", "2.xml")]
        assert without_seconds(reports[0]) == without_seconds(reports[1])


def test_x_and_timeout_with_processes(folder):
    write_programs(folder, {"a.tp": ENDLESS, "b.tp": GOOD, "c.tp": BAD, "d.tp": ENDLESS})
    done = gradcli("check", ".", "-j", "2", "--timeout", "0.3", "-x")
    assert done.status == 4 and "stopped after 1 of 4 programs: 1 limit" in done.out
    done = gradcli("check", "a.tp", "b.tp", "c.tp", "-j", "2", "--timeout", "0.3")
    assert done.status == 4 and "3 programs: 1 ok, 1 FAILED, 1 limit" in done.out


def mortal(named, options):
    """As `check_program`, but a program named killed, left or hung takes its process with it, or never ends."""
    if "killed" in named.path:
        os.kill(os.getpid(), signal.SIGKILL)
    if "left" in named.path:
        os._exit(7)
    return check_program(named, options)


def test_a_process_that_dies_is_told_and_the_others_go_on(folder, monkeypatch):
    monkeypatch.setattr(check, "check_program", mortal)
    write_programs(folder, dict.fromkeys(["a.tp", "b_killed.tp", "c.tp", "d_left.tp", "e.tp"], GOOD))
    done = gradcli("check", ".", "-j", "2", "--junit", "report.xml")
    assert done.status == 3
    assert [line.split()[:2] for line in done.out.splitlines()[:-1]] == [
        ["a.tp", "ok"], ["b_killed.tp", "error"], ["c.tp", "ok"], ["d_left.tp", "error"], ["e.tp", "ok"],
    ]  # fmt: skip
    assert "b_killed.tp" in done.err and "SIGKILL" in done.err and "status 7" in done.err
    assert (folder / "report.xml").read_text(encoding="utf-8").count("<error ") == 2
    document = gradcli("check", ".", "-j", "2", "--format", "json").document
    assert [program["status"] for program in document["programs"]] == [0, 3, 0, 3, 0]
    assert [error["file"] for error in document["errors"]] == ["b_killed.tp", "d_left.tp"]


def squared(item):
    """The square of a number; for 3 the process ends, for 5 it never does."""
    if item == 3:
        os._exit(1)
    while item == 5:
        signal.pause()
    return item * item


def test_a_process_that_does_not_heed_its_time_is_ended():
    found = list(in_order(squared, [1, 5, 3, 2], 2, limit=0.2, patience=0.3))
    assert [found[0], found[3]] == [1, 4]
    assert isinstance(found[1], Ended) and found[1].code is None
    assert isinstance(found[2], Ended) and found[2].code == 1


def start(folder, *words):
    environment = dict(os.environ, PYTHONUNBUFFERED="1")
    return subprocess.Popen(
        [sys.executable, "-m", "gradcli", "check", *words], cwd=folder, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "lines", "summary"),
    [
        ([], 1, "interrupted after 1 of 3 programs: 1 ok; 1 check"),
        (["-j", "2"], 1, "interrupted after 1 of 3 programs: 1 ok; 1 check"),
        (["--format", "tap"], 3, "Bail out! interrupted"),
    ],
)
def test_ctrl_c_leaves_a_partial_summary(folder, words, lines, summary):
    write_programs(folder, {"a.tp": GOOD, "b.tp": ENDLESS, "c.tp": GOOD})
    process = start(folder, ".", "--junit", "report.xml", *words)
    first = [process.stdout.readline() for _ in range(lines)]
    os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to the whole group
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130 and "a.tp" in first[-1]
    assert out.startswith(summary) and "Traceback" not in err
    assert 'tests="1"' in (folder / "report.xml").read_text(encoding="utf-8")


def test_a_closed_pipe_ends_quietly(folder):
    write_programs(folder, dict.fromkeys([f"{i:03}.tp" for i in range(50)], GOOD))
    process = start(folder, ".")
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=20) in (0, -signal.SIGPIPE, 128 + signal.SIGPIPE)
    assert process.stderr.read() == ""
    process.stderr.close()
