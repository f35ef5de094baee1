"""How long the interactive session lets one wait: for the first prompt, the first answer, the end of an interrupt."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
import time

#: the prompt is drawn after prompt_toolkit has asked for the marking of pasted text
_ASKS = b"\x1b[?2004h"
_DRAWN = b"\x1b[?25h"
#: between prompt and first key: nobody types faster
_TYPING = 1.0


def _until(terminal: int, mark: bytes, seen: bytes = b"") -> bytes:
    """Read until `mark` is there; returns what came behind it."""
    end = time.monotonic() + 30
    while mark not in seen:
        if time.monotonic() > end or not select.select([terminal], [], [], 30)[0]:
            raise TimeoutError(f"{mark!r} did not come; there was {seen!r}")
        seen += os.read(terminal, 65536)
    return seen.partition(mark)[2]


def waits(argv: list[str], folder: str) -> tuple[float, float, float]:
    """Seconds from the start to the prompt, from Enter to the first answer, and from Ctrl-C in a loop to the prompt."""
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
        os.chdir(folder)
        unwanted = ("PYTHONDONTWRITEBYTECODE", "COLUMNS", "LINES")
        surroundings = {key: value for key, value in os.environ.items() if key not in unwanted}
        surroundings |= {"TERM": "xterm-256color", "XDG_STATE_HOME": folder, "PROMPT_TOOLKIT_NO_CPR": "1"}
        os.execve(argv[0], argv, surroundings)
    rest = _until(terminal, _DRAWN, _until(terminal, _ASKS))
    prompt = time.perf_counter() - start
    time.sleep(_TYPING)
    os.write(terminal, b"variable x = 3.0; gradient(sin(x) * x^2, x)")
    rest = _until(terminal, b"^", rest)
    start = time.perf_counter()
    os.write(terminal, b"\r")
    rest = _until(terminal, b"-8.06", rest)  # 2 x sin(x) + x² cos(x) at 3
    answer = time.perf_counter() - start
    rest = _until(terminal, _ASKS, rest)
    os.write(terminal, b"print(1); while true { x.assign_add(1.0) }\r")
    rest = _until(terminal, b"<2>:1", rest)
    time.sleep(0.2)
    start = time.perf_counter()
    os.write(terminal, b"\x03")
    rest = _until(terminal, _ASKS, rest)
    interrupted = time.perf_counter() - start
    os.write(terminal, b"\x04")
    while True:
        try:
            if not os.read(terminal, 65536):
                break
        except OSError:
            break
    os.waitpid(child, 0)
    os.close(terminal)
    return prompt, answer, interrupted
