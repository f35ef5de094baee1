"""The three dtype warnings, through `logging`, with TensorFlow's texts: at most five from one line of the caller."""

from __future__ import annotations

import logging
import sys
from typing import Any

from gradcli.engine import recording

_PLACES: dict[tuple[str, str, int], int] = {}
_TEXTS = {
    "watched-dtype": "The dtype of the watched tensor must be floating (e.g. tf.float32), got %r",
    "target-dtype": "The dtype of the target tensor must be floating (e.g. tf.float32) when calling "
    "GradientTape.gradient, got %r",
    "source-dtype": "The dtype of the source tensor must be floating (e.g. tf.float32) when calling "
    "GradientTape.gradient, got %r",
    "skipped-variable": "Gradients do not exist for a variable of dtype %r when minimizing the loss.",
}
#: as many from one line as TensorFlow shows
LIMIT = 5


class _Named:
    """A dtype as TensorFlow's messages write it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"tf.{self.name}"


def _warn(code: str, dtype: str, item: Any) -> None:
    frame: Any = sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith("gradcli."):
        frame = frame.f_back
    place = (code, frame.f_code.co_filename, frame.f_lineno) if frame is not None else (code, "", 0)
    _PLACES[place] = _PLACES.get(place, 0) + 1
    if _PLACES[place] <= LIMIT or place[1].startswith("<"):
        logging.getLogger("gradcli").warning(_TEXTS[code], _Named(dtype))


def install() -> None:
    """Let every thread's tapes warn here."""
    recording.set_default_warning(_warn)
