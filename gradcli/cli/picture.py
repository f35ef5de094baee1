"""`--export FILE`: what a terminal would show, as an SVG or HTML file, whatever the output itself looks like."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

from .exits import UsageError
from .printer import Printer

if TYPE_CHECKING:
    from .options import Parsed

#: columns of a picture where nothing says how wide the terminal is
_WIDTH = 100
_ENDINGS = (".svg", ".html")
#: columns of the longest title
_TITLE = 72


class Picture(Printer):
    """A printer on a canvas. Raises UsageError for a file that could not be written, before anything runs."""

    def __init__(self, options: Parsed, derivative_only: bool = False) -> None:
        from gradcli.data.files import obstacle

        self._path = str(options.get("export"))
        self._ending = os.path.splitext(self._path)[1].lower()
        trouble = obstacle(self._path) if self._ending in _ENDINGS else f"the name must end in {' or '.join(_ENDINGS)}"
        if trouble:
            raise UsageError(f"--export {self._path}: {trouble}")
        from gradcli.report.picture import recording

        super().__init__(options.without("export"), "plain", derivative_only)
        width = max(shutil.get_terminal_size((_WIDTH, 24)).columns, 20)
        self.out = self.err = recording(width, self.precision, bool(options.get("full")))
        self._command = title(sys.argv[1:])

    def save(self) -> None:
        """Write the file. Raises UsageError; then nothing was changed."""
        from gradcli.data.files import write_whole
        from gradcli.report.picture import drawn

        assert self.out is not None
        if not self.quiet:
            self.lines([[(text, "info")] for text in self.closing])
        try:
            text = drawn(self.out, self._ending, self._command)
            write_whole(os.path.realpath(self._path), text.encode("utf-8", "replace"))
        except OSError as error:
            raise UsageError(f"--export {self._path}: {error.strerror or error}") from None


def title(argv: list[str]) -> str:
    """The command line without `--export`, as the title of its picture."""
    kept = []
    skip = False
    for word in argv:
        if skip or word == "--export" or word.startswith("--export="):
            skip = word == "--export"
            continue
        kept.append(f"'{word}'" if not word or any(c in word for c in " ;|*[(") else word)
    text = " ".join(" ".join(["gradcli", *kept]).split())
    return text if len(text) <= _TITLE else text[: _TITLE - 1] + "…"
