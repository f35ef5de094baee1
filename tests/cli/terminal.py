"""A session on a pseudo-terminal, driven by keys; what it answers is read without escape sequences."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

import pytest

#: the session asks for keys: prompt_toolkit then switches the marking of pasted text on
_ASKS = "\x1b[?2004h"
_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z~]|\][^\x07]*\x07|[()][A-Z0-9]|[=>])|\r")


class Terminal:
    """gradcli on a terminal of its own, with a state folder of its own."""

    def __init__(self, folder, columns=80, arguments=(), **environment):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
            os.environ.update(
                TERM="xterm-256color", NO_COLOR="1", XDG_STATE_HOME=str(folder), PROMPT_TOOLKIT_NO_CPR="1"
            )
            os.environ.update(environment)
            surroundings = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
            command = [sys.executable, "-m", "gradcli", *(("repl", *arguments) if arguments else ())]
            os.execve(sys.executable, command, surroundings)  # readline puts COLUMNS there, unknown to os.environ
        self.raw = ""

    def wait_for(self, pattern, seconds=20.0):
        """Read until a pattern is in the text since the last call; returns the text up to its end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = _ESCAPES.sub("", self.raw.replace(_ASKS, "⟨asks⟩"))
            found = re.search(pattern, text, re.DOTALL)
            if found:
                # the rest, in its escaped form, is what comes after as many characters of text
                self.raw = text[found.end() :].replace("⟨asks⟩", _ASKS)
                return text[: found.end()]
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    data = os.read(self.fd, 65536)
                except OSError:
                    data = b""
                if not data:
                    break
                self.raw += data.decode(errors="replace")
        pytest.fail(f"{pattern!r} did not come; there was {self.raw!r}")

    def asks(self):
        """Wait for the prompt; returns the text before it."""
        return self.wait_for("⟨asks⟩").removesuffix("⟨asks⟩")

    def type(self, keys):
        os.write(self.fd, keys.encode())

    def __call__(self, line):
        """Type a line, press Enter, and give what is printed up to the next prompt."""
        self.type(line + "\r")
        return self.asks()

    def interrupt(self):
        """What the terminal does for Ctrl-C while something runs."""
        os.kill(self.pid, signal.SIGINT)

    def close(self):
        """End it; returns its exit status, or None if it had to be killed."""
        end = time.monotonic() + 10
        while time.monotonic() < end:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                os.close(self.fd)
                return os.waitstatus_to_exitcode(status)
            if select.select([self.fd], [], [], 0.05)[0]:
                try:
                    os.read(self.fd, 65536)
                except OSError:
                    time.sleep(0.02)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)
        return None
