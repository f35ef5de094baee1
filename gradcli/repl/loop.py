"""Read, run, print, until the input ends or `:quit`."""

from __future__ import annotations

import signal
import sys
import threading
from typing import TYPE_CHECKING, Any, Protocol

from .typed import normalized

if TYPE_CHECKING:
    from collections.abc import Callable

    from .warmup import WarmUp
    from .workbench import Workbench


class Reader(Protocol):
    """Where inputs come from."""

    def read(self) -> str:
        """The next complete input. Raises EOFError, KeyboardInterrupt."""


def loop(
    reader: Reader, warm: WarmUp, bench: Callable[[], Workbench], bug: Callable[[Exception], None]
) -> None:  # fmt: skip
    """Run inputs until they end. `bug` is told of an error of ours; if it does not raise it, the session goes on."""
    from .commands import Leave

    while True:
        try:
            text = normalized(reader.read())
        except EOFError:
            return
        except KeyboardInterrupt:
            continue
        if not text.strip():
            continue
        try:
            warm.all()
            _run(bench(), text)
        except Leave:
            return
        except KeyboardInterrupt:
            sys.stderr.write("\ninterrupted\n")
        except (BrokenPipeError, UnicodeEncodeError):
            raise
        except Exception as error:
            bug(error)
        sys.stdout.flush()


def _run(bench: Workbench, text: str) -> None:
    """Run one input. An interrupt comes out as KeyboardInterrupt, but never between two halves of a change."""
    from .commands import is_command, run_command

    def interrupt(*_: Any) -> None:
        if not bench.uninterruptible:
            raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, interrupt) if main else None
    try:
        if is_command(text):
            run_command(bench, text)
        else:
            bench.run(text)
    finally:
        if main:
            signal.signal(signal.SIGINT, before)
