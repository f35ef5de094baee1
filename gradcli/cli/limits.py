"""`--timeout` and `--max-memory`: a run that takes too long or too much ends with status 4."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .exits import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: numbers of what `mallopt` sets, in glibc's malloc.h
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_UNITS = {"": 1, "b": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


class TimeIsUp(BaseException):
    """Raised in the running program when its time is over. Not an Exception, so that nothing on the way catches it."""


def seconds(text: str | None) -> float | None:
    """The value of `--timeout`. Raises UsageError."""
    if text is None:
        return None
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise UsageError(f"--timeout takes a number of seconds above 0, not {text}")
    return value


def size(text: str | None) -> int | None:
    """The value of `--max-memory` in bytes: `500M`, `2G`. Raises UsageError."""
    if text is None:
        return None
    word = text.strip().lower().removesuffix("ib").removesuffix("b")
    unit = word[-1:] if word[-1:] in _UNITS and word[-1:].isalpha() else ""
    try:
        value = float(word.removesuffix(unit)) * _UNITS[unit]
    except ValueError:
        value = 0.0
    if not 1 <= value < 2**62:
        raise UsageError(f"--max-memory takes a size such as 500M or 2G, not {text}")
    return int(value)


@contextlib.contextmanager
def limited(timeout: float | None, memory: int | None) -> Iterator[None]:
    """Run a block under limits. Raises TimeIsUp in it, or Python's MemoryError."""
    keep_freed_memory()
    with _time(timeout), _space(memory):
        yield


def keep_freed_memory() -> None:
    """Let the C library keep the memory of arrays that are gone for the next ones, where it can be told so (glibc).

    By itself it gives large blocks back to the system at once, and every step of a training then waits for new pages:
    a quarter of its time, with arrays of some megabytes.
    """
    import ctypes  # NumPy has imported it

    try:
        tell = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError, TypeError):  # another C library
        return
    tell(_TRIM_THRESHOLD, 2**30)
    tell(_MMAP_THRESHOLD, 2**25)  # the largest that it takes


@contextlib.contextmanager
def _time(timeout: float | None) -> Iterator[None]:
    if timeout is None:
        yield
        return
    import signal
    import threading

    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():

        def stop(*_: Any) -> None:
            raise TimeIsUp

        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, timeout)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
        return
    import _thread

    up = threading.Event()

    def interrupt() -> None:
        up.set()
        _thread.interrupt_main()

    timer = threading.Timer(timeout, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if up.is_set():
            raise TimeIsUp from None
        raise
    finally:
        timer.cancel()


@contextlib.contextmanager
def _space(memory: int | None) -> Iterator[None]:
    if memory is None:
        yield
        return
    try:
        import resource
    except ImportError:
        raise UsageError("--max-memory is not available on this system") from None
    # the limit is on address space, of which a process reserves more than it uses: count from what is reserved now
    reserved, resident = _memory_now()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = max(reserved - resident, 0) + memory
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_AS, (wanted, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _memory_now() -> tuple[int, int]:
    """Bytes of address space reserved, and of memory in use, by this process."""
    import resource

    try:
        with open("/proc/self/statm") as file:
            reserved, resident = (int(word) * resource.getpagesize() for word in file.read().split()[:2])
        return reserved, resident
    except OSError:
        resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return resident, resident
