"""`gradcli repl`: the interactive session, on a terminal with all that a terminal can do, else line by line."""

from __future__ import annotations

import os
import sys
import textwrap
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from . import exits
from .evaluate import chosen_format
from .exits import UsageError, bug_text
from .options import Parsed, parse_arguments
from .streams import coloured, is_terminal

if TYPE_CHECKING:
    from gradcli.repl.workbench import Lines, Workbench

    from .printer import Printer

_WELCOME = "gradcli: a gradient calculator. :help for help, :quit to leave."


def run(argv: list[str]) -> int:
    """Read, evaluate, print until the input ends; returns the exit status: of what failed only where nobody watches."""
    options = parse_arguments("repl", argv)
    if options.arguments:
        raise UsageError(f"repl takes no files; write :load {options.arguments[0]} in it")
    from gradcli.repl.loop import loop
    from gradcli.repl.warmup import WarmUp

    person, screen_ = is_terminal(sys.stdin), is_terminal(sys.stdout)
    format_ = chosen_format(options)
    warm = WarmUp(rich=format_ == "rich")
    made: list[tuple[Workbench, ScreenPrinter]] = []

    def bench() -> Workbench:
        if not made:
            from gradcli.repl.workbench import Workbench

            screen = ScreenPrinter(options, format_)
            made.append((Workbench(screen, options.get("dtype"), options.get("seed")), screen))
        return made[0][0]

    def bug(error: Exception) -> None:
        if options.get("debug"):
            raise error
        sys.stderr.write(bug_text(error) + "; the session goes on as it was before this line\n")

    reader: Any
    if person and screen_ and os.environ.get("TERM", "dumb") != "dumb":
        from gradcli.repl.terminal import TerminalReader

        reader = TerminalReader(warm, bench, coloured(sys.stdout, options.get("color")))
        sys.stdout.write(textwrap.fill(_WELCOME, get_terminal_size().columns - 1) + "\n")
        if reader.complaint:
            sys.stderr.write(reader.complaint + "\n")
    else:
        from gradcli.repl.plain_loop import PlainReader

        reader = PlainReader(person)
        if person:
            sys.stdout.write(_WELCOME + "\n")
            sys.stdout.flush()
    loop(reader, warm, bench, bug)
    if not made and format_ != "json":
        return exits.OK
    bench()
    status = made[0][1].printer.finish()
    return exits.OK if person else status


class ScreenPrinter:
    """The session's screen: outcomes as `eval` prints them, lines of commands to standard output."""

    def __init__(self, options: Parsed, format_: str) -> None:
        from .printer import Printer

        self.printer: Printer = Printer(options, format_)

    def emit(self, outcome: Any) -> None:
        """Print an outcome."""
        self.printer.emit(outcome)

    def lines(self, lines: Lines) -> None:
        """Print lines of pieces with their styles."""
        self.printer.lines(lines)

    def say(self, text: str) -> None:
        """A line beside the results."""
        sys.stdout.flush()
        if self.printer.err is not None:
            self.printer.err.lines([[(text, "")]])
        else:
            sys.stderr.write(text + "\n")

    def code_page(self, word: str) -> Lines | None:
        """The page of a code; None if it is none."""
        from .explain_code import lines_of

        return lines_of(word, min(self.printer.width, 100))

    def display(self) -> dict[str, Any]:
        """The settings of what printed values look like."""
        printer = self.printer
        return {name: getattr(printer, name) for name in ("precision", "full", "math", "quiet")}

    def set_display(self, name: str, value: Any) -> None:
        """Change one of them."""
        setattr(self.printer, name, value)
        if self.printer.out is not None and self.printer.err is not None and name in ("precision", "full"):
            setattr(self.printer.out, name, value)
            setattr(self.printer.err, name, value)
