"""`gradcli trace FILE`: the tape of each gradient that a program asks for, step by step, forward and backward."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from . import exits, limits
from .evaluate import Unreadable, chosen_format, overrides, read_source, run_limited
from .options import parse_arguments
from .printer import Printer
from .streams import text_of

if TYPE_CHECKING:
    from .options import Parsed


def run(argv: list[str]) -> int:
    """Run the programs and trace their gradients; returns the exit status, that of `eval`.

    A program that fails is traced as far as it ran, and then its error is shown.
    """
    from gradcli.lang.source import Source

    options = parse_arguments("trace", argv)
    sources: list[tuple[Any, str]] = [
        (Source("<command line>", text_of(code)), ".") for code in options.get("code", [])
    ]
    if not options.arguments and not sources:
        raise exits.UsageError("which program? gradcli trace FILE")
    printer = Tracer(options, chosen_format(options))
    for path in options.arguments:
        try:
            sources.append((read_source(path), os.path.dirname(path) if path != "-" else "."))
        except Unreadable as error:
            sources.append((str(error), "."))
    timeout, memory = limits.seconds(options.get("timeout")), limits.size(options.get("max_memory"))
    values = overrides(options)
    for source, folder in sources:
        if isinstance(source, str):
            from gradcli.report.diagnostic import Diagnostic

            printer.raise_to(exits.USAGE)
            printer.diagnostic(Diagnostic("error", "program-file", source, None))
            continue
        _trace(printer, options, source, folder, values, timeout, memory)
    return printer.finish()


def _trace(
    printer: Tracer, options: Parsed, source: Any, folder: str, values: dict[str, str], timeout: Any, memory: Any
) -> None:
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.runtime.outcomes import Place, faulted

    from .evaluate import emit_faults

    try:
        program = parse(source.text)
    except FaultError as error:
        emit_faults(printer, source, faulted(source, error.faults))
        return
    from gradcli.runtime.session import Session
    from gradcli.runtime.settings import Settings
    from gradcli.runtime.tracing import Tracing

    held: list[Any] = []

    def traced(tracing: Tracing) -> Session:
        held.clear()
        session = Session(held.append, Settings(options.get("dtype"), values, options.get("seed")), folder)
        session.tracing = tracing
        run_limited(printer, source, timeout, memory, lambda: session.run(source, program))
        return session

    tracing = Tracing()
    session = traced(tracing)
    if tracing.again and printer.status < exits.LIMIT:
        tracing = Tracing(tracing.counts)
        session = traced(tracing)
    found = list(tracing.found.values())
    failed = printer.status >= exits.PROGRAM or any(type(outcome).__name__ == "Failed" for outcome in held)
    if not found and not failed:
        steps = tracing.without_query(session, Place(source, 0, 0))
        found = [steps] if steps is not None else []
        if not found:
            printer.nothing(source)
    printer.traces(found)
    for outcome in held:
        if type(outcome).__name__ != "Shown":
            printer.emit(outcome)


class Tracer(Printer):
    """Prints traces; what a program prints by itself is left out."""

    def __init__(self, options: Parsed, format_: str) -> None:
        super().__init__(options, "plain" if format_ == "markdown" else format_)
        self.only: str | None = options.get("only")
        from gradcli.report.trace.rows import STEPS

        self.steps: int = options.get("steps") or STEPS
        self._markdown = format_ == "markdown"
        self._first = True
        if self.document is not None:
            self.document.traces = []

    def traces(self, found: list[Any]) -> None:
        """Print the traces of one program, or keep them for the document. Raises UsageError for a name without one."""
        from gradcli.report.trace.rows import Rows, no_step

        all_rows = [Rows(traced) for traced in found]
        if self.only is not None and all_rows:
            known = sorted({name for rows in all_rows for name in rows.known()})
            all_rows = [rows for rows in all_rows if rows.only(self.only)]
            if not all_rows:
                raise exits.UsageError(no_step(self.only, known))
        for rows in all_rows:
            self._one(rows)

    def _one(self, rows: Any) -> None:
        if self.document is not None:
            from gradcli.report.trace.document import trace_value

            assert self.document.traces is not None
            self.document.traces.append(trace_value(rows, self.steps))
        gap, self._first = not self._first, False
        if self._markdown:
            from gradcli.report.trace.markdown import trace_markdown

            sys.stdout.write(("\n" if gap else "") + trace_markdown(rows, self.steps, self.precision))
        from gradcli.report.trace.text import trace_lines

        lines = trace_lines(rows, self.steps, self.precision)
        if gap:
            lines.insert(0, [("", "")])
        if self._markdown and self.picture is not None:
            self.picture.lines(lines)
        elif not self._markdown:
            self.lines(lines)

    def nothing(self, source: Any) -> None:
        """Say that there is nothing to trace."""
        if self.document is None:
            sys.stdout.write(f"{source.name} computes nothing that a tape records\n")
