"""Work in several processes: results come in the order of the items, and a process that dies costs its item only.

Processes are spawned, so that all systems behave alike; multiprocessing is imported by the first call.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

#: seconds that a process has beyond an item's own time limit, to stop by itself
PATIENCE = 10.0


class Ended:
    """In place of a result: the process has ended. `code` is as of multiprocessing, -9 for SIGKILL; None: it was ended
    here, because the item's time was over long ago."""

    def __init__(self, code: int | None) -> None:
        self.code = code

    @property
    def signal(self) -> str | None:
        """The name of the signal that ended it."""
        if self.code is None or self.code >= 0:
            return None
        try:
            return signal.Signals(-self.code).name
        except ValueError:
            return f"signal {-self.code}"


def in_order(
    run: Callable[[Any], Any], items: list[Any], count: int, limit: float | None = None, patience: float = PATIENCE
) -> Generator[Any, None, None]:
    """`run(item)` for each item in `count` processes; `Ended` for one whose process ended. `run` must be picklable.

    `limit` is how many seconds an item may take by its own means. When the caller stops, all processes are ended.
    """
    from multiprocessing import connection, get_context

    context = get_context("spawn")
    waiting = deque(enumerate(items))
    done: dict[int, Any] = {}
    team: list[_Worker] = []
    try:
        for index in range(len(items)):
            while index not in done:
                while waiting and len(team) < count:
                    team.append(_Worker(context, run))
                for worker in team:
                    if worker.ready and worker.index is None and waiting:
                        worker.give(*waiting.popleft())
                pause = None if limit is None else 0.5
                heard = connection.wait([worker.connection for worker in team], pause)
                for worker in [worker for worker in team if worker.connection in heard]:
                    found = worker.hear()
                    if isinstance(found, Ended):
                        team.remove(worker)
                        if (
                            worker.index is None and waiting
                        ):  # it died before it began: its item is told, not tried again
                            worker.index, _ = waiting.popleft()
                    if worker.index is not None and found is not _READY:
                        done[worker.index] = found
                        worker.index = None
                for worker in [worker for worker in team if limit is not None and worker.busy > limit + patience]:
                    worker.end()
                    team.remove(worker)
                    if worker.index is not None:
                        done[worker.index] = Ended(None)
            yield done.pop(index)
    finally:
        for worker in team:
            worker.end()


_READY = object()


class _Worker:
    """A process and the pipe to it; `index` is that of the item it works at."""

    def __init__(self, context: Any, run: Callable[[Any], Any]) -> None:
        self.connection, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, run), daemon=True)
        with _interrupts_blocked():
            self.process.start()
        other.close()
        self.ready = False
        self.index: int | None = None
        self._since = 0.0

    @property
    def busy(self) -> float:
        """How many seconds it has been at its item."""
        return 0.0 if self.index is None else monotonic() - self._since

    def give(self, index: int, item: Any) -> None:
        """Hand over an item. That the process is gone is noticed when it is heard."""
        self.index, self._since = index, monotonic()
        with contextlib.suppress(OSError):
            self.connection.send(item)

    def hear(self) -> Any:
        """What the process sends: that it is ready, or a result; Ended if it is gone."""
        try:
            found = self.connection.recv()
        except (EOFError, OSError):
            self.connection.close()
            self.process.join(5)
            return Ended(self.process.exitcode)
        if not self.ready:
            self.ready = True
            return _READY
        return found

    def end(self) -> None:
        """End the process, whatever it does."""
        self.connection.close()
        self.process.terminate()
        self.process.join(1)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


@contextlib.contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A process that starts in here never hears Ctrl-C, not even while it imports: the parent ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Any, run: Callable[[Any], Any]) -> None:
    """What a process does: results for items, until the parent closes the pipe or is gone."""
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(True)
        while True:
            item = pipe.recv()
            pipe.send(run(item))


def _end_with_parent() -> None:
    from multiprocessing import connection, parent_process

    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
