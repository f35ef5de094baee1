"""Writing arrays, atomically: a file is there whole or not at all. One writer for each kind of file."""

from __future__ import annotations

import os
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from .faults import DataError
from .files import inside, obstacle, whole

if TYPE_CHECKING:
    from collections.abc import Callable

#: the endings of files that hold arrays by their names
NAMED = (".npz", ".json", ".safetensors")


def check_writable(path: str) -> str | None:
    """Why no named arrays can be written to a file of this name; None if nothing speaks against it yet."""
    if _ending(path) not in NAMED:
        return f"the name must end in {', '.join(NAMED[:-1])} or {NAMED[-1]}"
    return obstacle(path)


def write_data(path: str, content: Any) -> None:
    """Write an array, or arrays by name, as the ending says. Raises OSError, DataError; then nothing was changed."""
    write = _WRITERS.get(_ending(path))
    if write is None:
        raise DataError("its name does not say in which format", f"let it end in {', '.join(_WRITERS)}")
    named = isinstance(content, dict)
    if named and _ending(path) == ".npy":
        raise DataError("a .npy file holds one array", "save several as .npz")
    if not named and _ending(path) in (".npz", ".safetensors"):
        raise DataError(
            f"a {_ending(path)} file holds arrays by name",
            f'write save("out{_ending(path)}", {{"w": w}}), or save as .npy',
        )
    with whole(os.path.realpath(path)) as file:
        write(file, content)


def write_below(path: str, folder: str, content: Any) -> None:
    """The same for a program, which writes below `folder` alone. Raises OSError, DataError."""
    target = inside(path, folder)
    if target is None:
        raise DataError(
            "a program writes below the working directory only, and this leads out of it",
            "run gradcli in a folder above the file, or let --save FILE name a place elsewhere",
        )
    if target.lower().endswith(".expected.json"):
        raise DataError("this name is for what check --record keeps of a program", "save under another name")
    if _ending(target) != _ending(path):
        raise DataError(f"it is a link to {os.path.basename(target)}", "save under another name")
    trouble = obstacle(target)
    if trouble:
        raise DataError(trouble)
    write_data(target, content)


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()


class _Bytes:
    """A file for NumPy: to a real one it writes past Python, and the reason of a failure is lost."""

    def __init__(self, file: IO[bytes]) -> None:
        self.write = file.write


def _npy(file: IO[bytes], content: Any) -> None:
    np.lib.format.write_array(_Bytes(file), np.asarray(content), allow_pickle=False)


def _npz(file: IO[bytes], content: Any) -> None:
    from .arrays import write_npz

    write_npz(file, content)


def _json(file: IO[bytes], content: Any) -> None:
    from .documents import json_text

    file.write(json_text(content).encode())


def _csv(file: IO[bytes], content: Any) -> None:
    from .cells import csv_text

    file.write(csv_text(content).encode())


def _safetensors(file: IO[bytes], content: Any) -> None:
    from .tensors import safetensors_bytes

    file.write(safetensors_bytes(content))


_WRITERS: dict[str, Callable[[IO[bytes], Any], None]] = {
    ".npy": _npy, ".npz": _npz, ".json": _json, ".csv": _csv, ".safetensors": _safetensors,
}  # fmt: skip
