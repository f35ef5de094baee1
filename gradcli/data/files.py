"""Opening a file of numbers, and writing one whole or not at all: beside it first, then in its place."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import IO, TYPE_CHECKING

from .faults import DataError, TooLarge

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPEN = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_MAKE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


@contextlib.contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """A regular file to read. Raises OSError, and DataError for a pipe or a device, for which it does not wait."""
    try:
        handle = os.open(path, _OPEN)
    except ValueError:
        raise DataError("no file can have this name", "leave out the character that no name may hold") from None
    with open(handle, "rb") as file:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(21, "Is a directory", path)
        if not stat.S_ISREG(mode):
            raise DataError("it is no file but a device or a pipe", "write its contents to a file first")
        yield file


def size_of(file: IO[bytes]) -> int:
    """The length of an open file in bytes."""
    return os.fstat(file.fileno()).st_size


def check_room(size: int, mapped: bool = False) -> None:
    """Raise TooLarge unless `size` bytes fit: into what a limit leaves, and unless `mapped` what the machine has."""
    left = _addresses()
    if not mapped:
        left = min(left, _memory())
    if size > left:
        raise TooLarge(size, max(left, 0))


def _addresses() -> int:
    """Bytes of address space that the limit of this process leaves."""
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_AS)
        if soft == resource.RLIM_INFINITY:
            return 2**62
        with open("/proc/self/statm") as file:
            return soft - int(file.read().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        return 2**62


def _memory() -> int:
    """Bytes of memory that the machine has left, its swap included."""
    try:
        with open("/proc/meminfo") as file:
            rows = dict(line.split(":", 1) for line in file)
        return sum(int(rows[key].split()[0]) * 1024 for key in ("MemAvailable", "SwapFree"))
    except (OSError, KeyError, ValueError):
        return 2**62


def obstacle(path: str) -> str | None:
    """Why a file of this name cannot be written; None if nothing speaks against it yet."""
    path = os.path.realpath(path) if os.path.islink(path) else path
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        return f"there is no folder {folder}"
    if os.path.isdir(path):
        return "this is a folder"
    if os.path.exists(path) and not os.path.isfile(path):
        return "this is no file but a device or a pipe"
    return None if os.access(folder, os.W_OK) else f"no permission to write in {folder}"


@contextlib.contextmanager
def whole(path: str) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of `path` at the end. Raises OSError; then nothing was changed."""
    # a new name that is a link already is refused, never followed
    temporary = f"{path}.{os.urandom(6).hex()}.part"
    handle = os.open(temporary, _MAKE, 0o666)
    try:
        with open(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)


def write_whole(path: str, data: bytes) -> None:
    """Write bytes in place of a file. Raises OSError; then nothing was changed."""
    with whole(path) as file:
        file.write(data)


def inside(path: str, folder: str) -> str | None:
    """Where `path` leads, all links followed, if that is below `folder`; else None."""
    real, root = os.path.realpath(path), os.path.realpath(folder)
    return real if os.path.commonpath([real, root]) == root and real != root else None
