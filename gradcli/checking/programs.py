"""The programs that paths name: a file is one, a folder holds every `*.tp` below it."""

from __future__ import annotations

import os
from typing import NamedTuple

ENDING = ".tp"


class Named(NamedTuple):
    """A program's path, or a folder's with the reason why it gives none: `empty` or the system's words."""

    path: str
    trouble: str | None = None


def find_programs(paths: list[str]) -> list[Named]:
    """The programs of all paths in their order, each once; those of a folder sorted.

    Hidden files and folders below a folder are left out, and what is no file, as a pipe that nobody writes to. Links
    are followed, and no folder is entered twice. A path that does not exist counts as a program, which then
    cannot be read.
    """
    found: dict[str, Named] = {}
    for path in paths:
        for named in _below(path) if os.path.isdir(path) else [Named(path)]:
            found.setdefault(os.path.normpath(os.path.abspath(named.path)), named)
    return list(found.values())


def _below(folder: str) -> list[Named]:
    programs: list[str] = []
    troubles: list[Named] = []
    entered: set[tuple[int, int]] = set()
    stack = [folder]
    while stack:
        here = stack.pop()
        try:
            identity = os.stat(here)
            if (identity.st_dev, identity.st_ino) in entered:
                continue
            entered.add((identity.st_dev, identity.st_ino))
            with os.scandir(here) as entries:
                inside = sorted(entry.name for entry in entries if not entry.name.startswith("."))
        except OSError as error:
            troubles.append(Named(here, error.strerror or str(error)))
            continue
        for name in reversed(inside):
            path = name if here == os.curdir else os.path.join(here, name)
            if os.path.isdir(path):
                stack.append(path)
            elif name.endswith(ENDING) and (os.path.isfile(path) or not os.path.exists(path)):
                programs.append(path)
    if not programs and not troubles:
        return [Named(folder, "empty")]
    return sorted([*map(Named, programs), *troubles], key=lambda named: named.path.split(os.sep))
