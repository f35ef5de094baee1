"""The interactive session: on a real pseudo-terminal, and line by line through pipes."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from .run import gradcli
from .terminal import Terminal

ESCAPE_ENTER = "\x1b\r"


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One session for many tests; each begins with `:reset`."""
    folder = tmp_path_factory.mktemp("state")
    terminal = Terminal(folder)
    terminal.asks()
    terminal.folder = folder
    yield terminal
    terminal.type("\x04")
    assert terminal.close() == 0


@pytest.fixture
def session(shared):
    shared(":reset")
    return shared


def test_several_lines(session):
    session("variable x = 3.0")
    session.type("tape {\ry = x * x\r")
    said = session("}")
    assert "note: from here on only tapes record" in said
    assert "x      6.0     float32  ()" in session("gradient(y, x)")
    session.type("z = (1 +\r")
    assert "z   3" in session("2); z")
    session.type(f"a = 5{ESCAPE_ENTER}")
    assert "a   5" in session("a")
    # two empty lines end what is unfinished
    session.type("tape {\r\r")
    assert "error[syntax]" in session("")


def test_completion(session):
    session("variable weight = [1.0, 2.0]")
    assert "reduce_sum(weight)   3.0" in session("reduce_su\t(wei\t)")
    assert "[ 3.0  4.0 ]" in session("reduce_sum([[1.0, 2.0], [2.0, 2.0]], axi\t1)")
    assert "fastest" in session(":tim\t weight")
    assert "cut-stop-gradient" in session(":explain cut-st\t")
    assert "y0   3.0" in session("y0 = reduce_sum(weight, keepd\tfalse); y0")


def test_history_and_its_search(session):
    session("12345 + 1")
    session("2 + 2")
    assert "12345 + 1   12346" in session("\x12345\r")  # Ctrl-R 345, Enter: found; Enter: run
    assert "2 + 2   4" in session("\x1b[A\x1b[A")  # Up, twice
    history = (session.folder / "gradcli" / "history").read_text()
    assert "+12345 + 1\n" in history
    assert (session.folder / "gradcli" / "history").stat().st_mode & 0o777 == 0o600


def test_an_error_leaves_everything_as_it_was(session):
    session("variable x = 3.0")
    assert "error[bad-value]" in session("x.assign(5.0); y = 1; 1 / 0")
    assert "x   3.0" in session("x")
    assert "unknown name y" in session("y")


def test_ctrl_c_cancels_and_the_session_goes_on(session):
    session("variable x = 3.0")
    session.type("print('running'); while true { x.assign_add(1.0) }\r")
    session.wait_for(r"   running +<\d+>:1")
    started = time.monotonic()
    session.type("\x03")
    session.wait_for("interrupted")
    assert time.monotonic() - started < 5  # a busy machine; bench/startup.py measures it
    session.asks()
    assert "x   3.0" in session("x")
    # at the prompt it drops what was typed
    session.type("half a line")
    session.type("\x03")
    session.asks()
    assert "1 + 1   2" in session("1 + 1")


def test_undo_and_save(session, tmp_path):
    path = tmp_path / "saved.tp"
    session("variable x = 3.0")
    session("y = x ** 2")
    session("x.assign(9.0)")
    assert "taken back: x.assign(9.0)" in session(":undo")
    session("g = gradient(y, x)")
    session("tape { z = x * y }; r = random.normal([2])")
    assert "4 lines saved in" in session(f":save {path}").replace("\n", " ")
    values = gradcli("eval", "--save", str(tmp_path / "v.npz"), str(path))
    assert values.status == 0
    saved = np.load(tmp_path / "v.npz")
    assert {name: saved[name].tolist() for name in ("x", "y", "g", "z")} == {"x": 3.0, "y": 9.0, "g": 6.0, "z": 27.0}
    for name in ("x", "y", "g", "z"):
        assert f"{name}   {saved[name].item()}" in session(name)


def test_commands(session):
    assert "did you mean :undo?" in session(":udno")
    session("variable x = 3.0")
    session("gradient(x ** 2, x)")
    assert "agrees with the numeric derivative" in session(":check")
    assert "x ** 2" in session(":explain").split("→")[1]
    assert "cut-stop-gradient" in session(":explain cut-stop-gradient")


def test_pasted_text(session):
    """Tabs, line ends of another system, and a brace that is missing."""
    session.type("\x1b[200~variable x = 2.0\r\nif true {\r\n\ty = x * 3\r\n\x1b[201~")
    session("}")
    assert "y   6.0" in session("y")
    session.type("\x1b[200~z = 1; tape {\r\n\tz = 2\r\n\x1b[201~\r")
    assert "error[syntax]" in session("")
    assert "unknown name z" in session("z")


def test_other_alphabets_and_control_characters(session):
    said = session("变量 = '🙂'; naïve = 变量 + 1")
    line, marks = [row for row in said.split("\n") if "│" in row][-2:]
    assert "变量 + 1" in line
    wide = line.index("变量 + 1") + 3  # three wide characters stand before it, each in two cells
    assert marks.index("^") == wide and marks.count("^") == len("变量 + 1") + 2
    assert "error[syntax]" in session("x = \x16\x01 1")  # Ctrl-V: the next key as it is


def test_a_million_entries(session):
    said = session("a = zeros([1000, 1000]); a")
    assert "1000000 zeros" in said and len(said) < 4000
    assert "1000000 zeros" in session(":vars")


def test_the_history_that_cannot_be_kept(tmp_path):
    (tmp_path / "file").touch()
    terminal = Terminal(tmp_path / "file")
    assert terminal.asks().count("the history is not kept: ") == 1
    assert "1 + 1   2" in terminal("1 + 1")
    assert "1 + 1   2" in terminal("\x1b[A")
    terminal.type(":quit\r")
    assert terminal.close() == 0


def test_a_narrow_terminal(tmp_path):
    terminal = Terminal(tmp_path, columns=20)
    terminal.asks()
    terminal("variable x = 3.0")
    said = terminal("gradient(x * x, x); nothing_of_that_name")
    assert "error[unknown-" in said
    assert max(len(row) for row in said.split("\n") if "│" in row or "hint" in row) <= 20
    terminal.type("\x04")
    assert terminal.close() == 0


def test_leaving_at_once(tmp_path):
    terminal = Terminal(tmp_path)
    terminal.asks()
    terminal.type("\x04")
    assert terminal.close() == 0


# -- line by line ------------------------------------------------------------------------------------------------------


def piped(text, *argv):
    return gradcli("repl", *argv, stdin=text.encode())


def test_through_a_pipe():
    found = piped("\ufeffvariable x = 3.0\r\ntape {\n\n\n\ty = x * x\n}\ngradient(y, x)\n:undo\n:nothing\n_\n")
    assert found.out == "6.0\ntaken back: gradient(y, x)\n"
    assert "there is no command :nothing" in found.err and "_ has no value yet" in found.err
    assert found.status == 3
    assert piped("1 + 1").out == "2\n" and piped("1 + 1").status == 0
    assert piped("").status == 0
    assert piped(":quit\n1 + 1\n").out == ""
    assert "error[syntax]" in piped("tape {\n y = 1\n").err


def test_a_bug_does_not_end_the_session(monkeypatch):
    from gradcli.repl import commands

    def wrong(bench, argument):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(commands.COMMANDS[":vars"], "call", wrong)
    found = piped("x = 1\n:vars\nx\n")
    assert found.out == "1\n" and found.err.startswith("gradcli: a bug of ours: ZeroDivisionError: oh; ")
    with pytest.raises(ZeroDivisionError):
        piped(":vars\n", "--debug")


def test_options():
    assert piped("constant(0.1).dtype\nrandom.normal([])\n", "--dtype", "float64", "--seed", "7").out == (
        f"float64\n{np.random.default_rng(7).normal()}\n"
    )
    assert piped("1 / 3.0\n:set precision 5\n1 / 3.0", "--precision", "3").out == "0.333\n0.33333\n"
    assert piped("1 + 1\n:vars\n", "--format", "json").document["results"][0]["value"]["data"] == 2
    assert piped("", "--format", "json").document["status"] == 0
    assert piped("", "--timeout", "3").status == 2
    found = piped("", "a.tp")
    assert found.status == 2 and "write :load a.tp in it" in found.err


def test_a_dumb_terminal_gets_a_plain_loop(tmp_path):
    terminal = Terminal(tmp_path, TERM="dumb")
    terminal.wait_for("> $")
    terminal.type("variable x = 3.0\ntape {\ny = x * x\n}\ngradient(y, x)\n")
    terminal.wait_for(r"x +6\.0 +float32")
    terminal.wait_for("> $")
    terminal.type("print('running'); while true { }\n")
    terminal.wait_for(r"   running +<\d+>:1")
    terminal.interrupt()
    terminal.wait_for("interrupted")
    terminal.wait_for("> $")
    terminal.type("\x04")
    assert terminal.close() == 0


def test_nothing_heavy_is_imported_before_the_prompt(tmp_path):
    code = """
import sys
from prompt_toolkit import PromptSession
def prompt(self):
    print("MODULES", *sorted({name.partition(".")[0] for name in sys.modules} & {"numpy", "rich", "typer", "lark", "pygments"}))
    raise EOFError
PromptSession.prompt = prompt
sys.stdin.isatty = sys.stdout.isatty = lambda: True
from gradcli.cli.main import guarded
guarded(["repl"])
"""
    environment = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment)
    assert "MODULES\n" in done.stdout, done
