"""A small interactive session: one line (or an unfinished block) at a time, the same session and printing as `eval`."""

from __future__ import annotations

import contextlib
import sys

from .evaluate import chosen_format
from .options import parse_arguments
from .printer import Printer

_HELP = """\
Write a statement; a bare expression prints. Try:  variable x = 3.0   then   gradient(x^2, x)
:help this page, :quit the end (also Ctrl-D); an unfinished block goes on in the next line."""


def run(argv: list[str]) -> int:
    """Read, evaluate, print until the input ends; returns the exit status."""
    options = parse_arguments("eval", argv)
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.lang.source import Source
    from gradcli.runtime.session import Session
    from gradcli.runtime.settings import Settings

    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # gives `input` its line editing
    printer = Printer(options, chosen_format(options))
    session = Session(printer.emit, Settings(options.get("dtype")))
    sys.stdout.write("gradcli: a gradient calculator. :help for help, :quit to leave.\n")
    count = 0
    while True:
        try:
            text = _read(parse, FaultError)
        except EOFError:
            sys.stdout.write("\n")
            return printer.finish() if printer.document is not None else 0
        except KeyboardInterrupt:
            sys.stdout.write("\n")
            continue
        command = text.strip()
        if command in (":quit", ":q", ":exit"):
            return printer.finish() if printer.document is not None else 0
        if command in (":help", ":h", "?"):
            sys.stdout.write(_HELP + "\n")
            continue
        if command.startswith(":"):
            sys.stdout.write(f"there is no command {command.split()[0]}; :help shows what there is\n")
            continue
        if not command:
            continue
        count += 1
        whole = session.program_tape is not None
        try:
            session.run(Source(f"<{count}>", text))
        except KeyboardInterrupt:
            sys.stdout.write("\ninterrupted\n")
        if whole and session.program_tape is None:
            sys.stderr.write("note: from here on only tapes record; the session as a whole no longer does\n")


def _read(parse: object, fault_error: type[Exception]) -> str:
    """One complete input. An input is complete when the parser says so, or at an empty line."""
    lines = [input("> ")]
    while lines[-1].strip() and not lines[0].startswith(":"):
        text = "\n".join(lines)
        try:
            parse(text)  # type: ignore[operator]
        except fault_error as error:
            if all(fault.incomplete for fault in error.faults):  # type: ignore[attr-defined]
                lines.append(input("... "))
                continue
        break
    return "\n".join(lines)
