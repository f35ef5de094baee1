"""The line about a long loop: on a terminal, about the outermost loop, and gone before anything else is written."""

import itertools
import os
import pty
import select
import subprocess
import sys

from gradcli.report.progress import LoopProgress


class Drawn(LoopProgress):
    def __init__(self, seconds):
        ticks = itertools.count()
        super().__init__(lambda: next(ticks) * seconds)
        self.told = []

    def _draw(self, done, total, text):
        self.told.append((done, total, text))


def test_nothing_is_said_of_a_short_loop():
    bar = Drawn(0.001)
    assert list(bar.over(iter(range(50)), 50, "for … in range(50)")) == list(range(50))
    assert bar.told == []


def test_a_long_loop_is_told_of_and_one_inside_it_is_not():
    bar = Drawn(0.2)
    inner = [list(bar.over(iter("ab"), 2, "inner")) for _ in bar.over(iter(range(20)), 20, "outer\n loop")]
    assert inner == [["a", "b"]] * 20
    assert {(total, text) for _, total, text in bar.told} == {(20, "outer loop")}
    assert [done for done, _, _ in bar.told] == sorted(done for done, _, _ in bar.told)


def test_a_loop_after_a_broken_one_is_told_of_again():
    bar = Drawn(0.2)
    for item in bar.over(iter(range(20)), 20, "first"):
        if item == 15:
            break
    del item
    list(bar.over(iter(range(20)), 20, "second"))
    assert {text for _, _, text in bar.told} == {"first", "second"}


def test_on_a_terminal_the_line_comes_and_goes(tmp_path):
    """The terminal's standard error has a bar while the loop runs; standard output has the values alone."""
    program = tmp_path / "loop.tp"
    program.write_text("s = 0\nwhile s < 1000000000 { s += 1; if s % 100000 == 0 { s } }\n")
    parent, child = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "gradcli",
        "eval",
        str(program),
        "--format",
        "rich",
        "--color",
        "never",
        "--timeout",
        "2.5",
    ]
    run = subprocess.Popen(
        command, stderr=child, stdout=subprocess.PIPE, env=os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    )
    os.close(child)
    seen = b""
    while True:
        ready, _, _ = select.select([parent], [], [], 20)
        try:
            piece = os.read(parent, 65536) if ready else b""
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        seen += piece
    out = run.stdout.read().decode()
    assert run.wait(20) == 4
    os.close(parent)
    text = seen.decode(errors="replace")
    assert "while s < 1000000000" in text and "error[limit-reached]" in text
    assert "while" not in out and out.startswith("s   100000 ")
