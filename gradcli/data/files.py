"""Writing a file whole or not at all: beside it first, then in its place."""

from __future__ import annotations

import contextlib
import os
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


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
    temporary = f"{path}.{os.getpid()}.part"
    try:
        with open(temporary, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def write_whole(path: str, data: bytes) -> None:
    """Write bytes in place of a file. Raises OSError; then nothing was changed."""
    with whole(path) as file:
        file.write(data)
