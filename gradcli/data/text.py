"""Text of a file, packed by gzip (.gz) or not, and its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .faults import DataError
from .files import check_room, opened, size_of

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_text(path: str, weight: int = 2) -> str:
    """A file's text with plain line ends; a byte comes to take `weight` bytes. Raises OSError and DataError."""
    with opened(path) as file:
        size = size_of(file)
        if not path.lower().endswith(".gz"):
            check_room(weight * size)
            data = file.read()
        else:
            import gzip
            import zlib

            try:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    parts = []
                    while part := unpacked.read(2**22):
                        parts.append(part)
                        check_room(weight * sum(map(len, parts)))
                data = b"".join(parts)
            except (EOFError, zlib.error, gzip.BadGzipFile):
                raise DataError("it is no file of gzip, or it is damaged", "copy or download it again") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"it is not UTF-8 text (byte {error.start})", "save it as UTF-8") from None
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lines(text: str) -> Iterator[str]:
    """One line after the other: most that ask want the first few of very many."""
    at = 0
    while at < len(text):
        end = text.find("\n", at) + 1 or len(text)
        yield text[at:end]
        at = end
