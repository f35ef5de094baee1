"""Where output goes and whether it is coloured; decided by us, for each stream, before Rich is asked."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import Any

#: why a system takes no more output
FULL = tuple(getattr(errno, name) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO") if hasattr(errno, name))


def prepare() -> None:
    """A character that the terminal's encoding lacks is written as an escape, never an error.

    A stream that was closed before the process began (`>&-`) takes everything and keeps nothing.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Keep Python from complaining, when it flushes standard output at the end, that it cannot."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def text_of(word: str) -> str:
    """An argument as text: where the locale could not decode it, it is UTF-8 all the same."""
    if word.isascii() or not any("\udc80" <= c <= "\udcff" for c in word):
        return word
    return os.fsencode(word).decode("utf-8", "replace")


def is_terminal(stream: Any) -> bool:
    """Is a person reading this stream?"""
    try:
        return bool(stream.isatty())
    except (AttributeError, ValueError):
        return False


def coloured(stream: Any, flag: str | None) -> bool:
    """Colour on this stream: the flag, then NO_COLOR, then FORCE_COLOR, then a terminal that is not dumb."""
    if flag in ("always", "never"):
        return flag == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"
