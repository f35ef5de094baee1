"""Where the history is kept: a file in the user's state folder, or memory where that cannot be."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

if TYPE_CHECKING:
    from collections.abc import Iterable

#: inputs longer than this are remembered in the session, not in the file
_LONGEST = 10_000
#: of a longer file, the last part is kept
_SIZE = 4_000_000


def place() -> str | None:
    """The path of the history; None where there is no home folder."""
    state = os.environ.get("XDG_STATE_HOME", "")
    if not os.path.isabs(state):
        home = os.path.expanduser("~")
        if not os.path.isabs(home):
            return None
        state = os.path.join(home, ".local", "state")
    return os.path.join(state, "gradcli", "history")


def open_history() -> tuple[History, str]:
    """The history, and a line that says why it is not kept, if it is not."""
    path = place()
    if path is None:
        return InMemoryHistory(), "the history is not kept: there is no home folder"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600))
        _shorten(path)
    except OSError as error:
        return InMemoryHistory(), f"the history is not kept: {path}: {error.strerror or error}"
    return _KeptHistory(path), ""


def _shorten(path: str) -> None:
    size = os.path.getsize(path)
    if size <= _SIZE:
        return
    from gradcli.data.files import write_whole

    with open(path, "rb") as file:
        file.seek(size - _SIZE // 2)
        data = file.read()
    first = data.find(b"\n# ")  # where an entry begins
    if first >= 0:
        write_whole(path, data[first:])


class _KeptHistory(FileHistory):
    def load_history_strings(self) -> Iterable[str]:
        try:
            yield from super().load_history_strings()
        except OSError:
            return

    def store_string(self, string: str) -> None:
        if len(string) > _LONGEST:
            return
        try:
            super().store_string(string)
        except OSError:
            return  # a full disk or a folder that went away is no reason to lose the line
