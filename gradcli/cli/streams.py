"""Where output goes and whether it is coloured; decided by us, for each stream, before Rich is asked."""

from __future__ import annotations

import os
import sys
from typing import Any


def prepare() -> None:
    """A character that the terminal's encoding lacks is written as an escape, never an error."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


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
