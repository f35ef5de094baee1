"""`gradcli explain FILE`: the whole story of each gradient that a program asks for."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from . import exits, limits
from .evaluate import Unreadable, chosen_format, overrides, read_source, run_limited
from .printer import Printer
from .streams import text_of

if TYPE_CHECKING:
    from .options import Parsed


def run(options: Parsed) -> int:
    """Run the programs, tell of their gradients; returns the exit status, that of `eval`.

    A program that fails is explained as far as it ran, and then its error is shown.
    """
    from gradcli.lang.source import Source

    sources: list[tuple[Any, str]] = [
        (Source("<command line>", text_of(code)), ".") for code in options.get("code", [])
    ]
    for path in options.arguments:
        try:
            sources.append((read_source(path), os.path.dirname(path) if path != "-" else "."))
        except Unreadable as error:
            sources.append((str(error), "."))
    printer = _Teller(options, chosen_format(options))
    timeout, memory = limits.seconds(options.get("timeout")), limits.size(options.get("max_memory"))
    values = overrides(options)
    for source, folder in sources:
        if isinstance(source, str):
            from gradcli.report.diagnostic import Diagnostic

            printer.raise_to(exits.USAGE)
            printer.diagnostic(Diagnostic("error", "program-file", source, None))
            continue
        _explain(printer, options, source, folder, values, timeout, memory)
    return printer.finish()


def _explain(
    printer: _Teller, options: Parsed, source: Any, folder: str, values: dict[str, str], timeout: Any, memory: Any
) -> None:
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.runtime.outcomes import faulted

    from .evaluate import emit_faults

    try:
        program = parse(source.text)
    except FaultError as error:
        emit_faults(printer, source, faulted(source, error.faults))
        return
    from gradcli.runtime.session import Session
    from gradcli.runtime.settings import Settings

    settings = Settings(options.get("dtype"), values, options.get("seed"), thorough=True)
    held: list[Any] = []
    session = Session(held.append, settings, folder)
    run_limited(printer, source, timeout, memory, lambda: session.run(source, program))
    for told in session.explained.values():
        printer.tell(told)
    failed = printer.status >= exits.PROGRAM or any(type(outcome).__name__ == "Failed" for outcome in held)
    if not session.explained and not failed:
        printer.nothing(source)
    for outcome in held:
        if type(outcome).__name__ != "Shown":
            printer.emit(outcome)


class _Teller(Printer):
    """Prints stories; what a program prints by itself is left out."""

    def __init__(self, options: Parsed, format_: str) -> None:
        super().__init__(options, format_)
        self._first = True

    def tell(self, told: Any) -> None:
        """Print one story, or keep it for the document."""
        from gradcli.report.story import story_lines, story_value

        if self.document is not None:
            self.document.explanations = [*(self.document.explanations or []), story_value(told)]
        lines = story_lines(told)
        if not self._first:
            lines.insert(0, [("", "")])
        self._first = False
        self.lines(lines)

    def nothing(self, source: Any) -> None:
        """Say that there is nothing to explain."""
        if self.document is None:
            sys.stdout.write(f"{source.name} asks for no gradient\n")
