"""The small interactive session, driven on a real pseudo-terminal."""

import os
import pty
import re
import select
import sys
import time

import pytest


class Terminal:
    """gradcli on a terminal of its own."""

    def __init__(self):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm", COLUMNS="80", NO_COLOR="1")
            os.execv(sys.executable, [sys.executable, "-m", "gradcli"])
        self.text = ""

    def wait_for(self, pattern: str, seconds: float = 20) -> str:
        """Read until the pattern appears in what came since the last call."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = re.search(pattern, self.text)
            if found:
                self.text = self.text[found.end() :]
                return found.group()
            if select.select([self.fd], [], [], 0.1)[0]:
                self.text += os.read(self.fd, 4096).decode(errors="replace")
        pytest.fail(f"{pattern!r} did not come; there was {self.text!r}")

    def type(self, line: str) -> None:
        os.write(self.fd, line.encode())

    def close(self) -> None:
        os.close(self.fd)
        os.waitpid(self.pid, 0)


@pytest.fixture
def terminal():
    found = Terminal()
    found.wait_for("> $")
    yield found
    found.close()


def test_a_session(terminal):
    terminal.type("variable x = 3.0\n")
    terminal.wait_for("> $")
    terminal.type("tape {\n")
    terminal.wait_for(r"\.\.\. $")
    terminal.type("y = x * x\n")
    terminal.wait_for(r"\.\.\. $")
    terminal.type("}\n")
    terminal.wait_for("> $")
    terminal.type("gradient(y, x)\n")
    terminal.wait_for(r"x +6\.0 +float32")
    terminal.wait_for("> $")
    terminal.type(":quit\n")


def test_an_error_leaves_everything_as_it_was(terminal):
    terminal.type("variable x = 3.0\n")
    terminal.wait_for("> $")
    terminal.type("x.assign(5.0); y = 1; 1 / 0\n")
    terminal.wait_for(r"error\[bad-value\]")
    terminal.wait_for("> $")
    terminal.type("x\n")
    terminal.wait_for(r"x +3\.0")
    terminal.wait_for("> $")
    terminal.type("y\n")
    terminal.wait_for("unknown name y")
    terminal.wait_for("> $")
    terminal.type("\x04")


def test_ctrl_c_cancels_and_the_session_goes_on(terminal):
    terminal.type("while true { }\n")
    time.sleep(1.0)
    terminal.type("\x03")
    terminal.wait_for("interrupted", 5)
    terminal.wait_for("> $")
    terminal.type("1 + 1\n")
    terminal.wait_for(r"1 \+ 1 +2")
    terminal.wait_for("> $")
    terminal.type(":nonsense\n")
    terminal.wait_for("no command :nonsense")
    terminal.wait_for("> $")
    terminal.type(":quit\n")
