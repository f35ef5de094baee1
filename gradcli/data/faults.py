"""What is wrong with a file of numbers, in words: the layers above add its name and its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class DataError(ValueError):
    """A file that is not understood, or that cannot be written so. `hint` says what to write instead.

    `name` was looked for among the names `known` and is not there.
    """

    def __init__(self, message: str, hint: str = "", name: str = "", known: Sequence[str] = ()) -> None:
        super().__init__(printable(message))
        self.hint = printable(hint)
        self.name = name
        self.known = tuple(map(printable, known))


class TooLarge(DataError):
    """A file that takes `size` bytes of memory where `left` bytes are left. It was not read."""

    def __init__(self, size: int, left: int) -> None:
        super().__init__(f"it takes {amount(size)} of memory, and {amount(left)} are left")
        self.size = size
        self.left = left


def printable(text: str) -> str:
    """What a file or its name says, without what would steer a terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def amount(size: int) -> str:
    """Bytes as a person writes them: `812 bytes`, `3.1 GB`."""
    if size < 1000:
        return f"{size} byte{'s' * (size != 1)}"
    value, units = float(size), iter(("kB", "MB", "GB", "TB", "PB", "EB"))
    unit = "bytes"
    while value >= 999.95:
        step = next(units, None)
        if step is None:
            break
        value, unit = value / 1000, step
    return f"{value:.3g} {unit}"
