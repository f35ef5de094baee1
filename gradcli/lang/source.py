"""A source: a name and a text. Places in it are offsets; line and column are computed when one is shown."""

from __future__ import annotations

from bisect import bisect_right


class NotText(Exception):
    """The bytes are no UTF-8 text; `offset` is where that shows."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Source:
    """A named text. Lines and columns count from 1, columns in characters."""

    __slots__ = ("_starts", "name", "text")

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self._starts: list[int] | None = None

    @classmethod
    def from_bytes(cls, name: str, data: bytes) -> Source:
        """Decode UTF-8, without a byte order mark, with line ends of any system. Raises NotText."""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise NotText(error.start) from None
        zero = text.find("\0")
        if zero >= 0:
            raise NotText(zero)
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return cls(name, text)

    def _lines(self) -> list[int]:
        if self._starts is None:
            starts, at = [0], self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._starts = starts
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        starts = self._lines()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """The text of a line, without its end."""
        starts = self._lines()
        end = starts[line] - 1 if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end]
