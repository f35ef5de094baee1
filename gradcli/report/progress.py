"""How far a long loop is, in one line that goes when it ends. Rich is imported when the line first appears."""

from __future__ import annotations

import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

#: seconds that a loop runs before anything is shown
_PATIENCE = 1.0
#: seconds between two looks
_PAUSE = 0.1


class LoopProgress:
    """A line on standard error about the outermost loop that runs: its text, the share done, how long it will take.

    What else is written must come after `hide`; the line comes back by itself.
    """

    def __init__(self, clock: Any = perf_counter) -> None:
        self._clock = clock
        self._busy = False
        self._drawn: Any = None
        self._task: Any = None

    def over(self, items: Iterator[Any], total: int | None, text: str) -> Iterator[Any]:
        """The same items; while they come, the line shows how many of `total` have (None: nobody knows)."""
        if self._busy:
            yield from items
            return
        self._busy = True
        clock = self._clock
        look = clock() + _PATIENCE
        try:
            for done, item in enumerate(items):
                if clock() > look:
                    self._draw(done, total, " ".join(text.split()))
                    look = clock() + _PAUSE
                yield item
        finally:
            self._busy = False
            self.hide()

    def hide(self) -> None:
        """Take the line away."""
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None

    def _draw(self, done: int, total: int | None, text: str) -> None:
        if self._drawn is None:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            console = Console(file=sys.stderr, markup=False, emoji=False, highlight=False)
            name = TextColumn("{task.description}", markup=False)
            columns = (name, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._drawn = Progress(
                *columns, console=console, transient=True, auto_refresh=False, redirect_stdout=False,
                redirect_stderr=False,
            )  # fmt: skip
            self._task = self._drawn.add_task(text if len(text) <= 40 else text[:39] + "…", total=total)
            self._drawn.start()
        self._drawn.update(self._task, completed=done)
        self._drawn.refresh()
