"""Reading line by line: where there is no terminal, or one that can do no more."""

from __future__ import annotations

import sys

from .typed import is_unfinished, normalized


class PlainReader:
    """Complete inputs from standard input; prompts only for a person."""

    def __init__(self, person: bool) -> None:
        self._person = person

    def read(self) -> str:
        """The next input. Raises EOFError at the end, KeyboardInterrupt."""
        lines: list[str] = []
        while True:
            row = self._row("... " if lines else "> ")
            if row is None:
                if not lines:
                    raise EOFError
                return "\n".join(lines)
            lines.append(row)
            text = "\n".join(lines)
            if not is_unfinished(text, patient=not self._person):
                return text

    def _row(self, prompt: str) -> str | None:
        if self._person:
            sys.stdout.write(prompt)
            sys.stdout.flush()
        row = sys.stdin.readline()
        if self._person and not row:
            sys.stdout.write("\n")
        return normalized(row).rstrip("\n") if row else None
