"""`gradcli eval`: run programs from files, standard input or the command line."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from . import exits
from .exits import UsageError
from .options import Parsed, parse_arguments
from .streams import is_terminal, text_of

if TYPE_CHECKING:
    from gradcli.lang.source import Source


def chosen_format(options: Parsed) -> str:
    """The format asked for; else rich on a terminal and plain elsewhere."""
    return str(options.get("format") or ("rich" if is_terminal(sys.stdout) else "plain"))


def overrides(options: Parsed) -> dict[str, str]:
    """`--set NAME=VALUE` as a dict. Raises UsageError."""
    found = {}
    for item in options.get("set", []):
        name, equals, value = item.partition("=")
        if not equals or not name.strip().isidentifier() or not value.strip():
            raise UsageError(f"--set takes NAME=VALUE, not {item}")
        found[name.strip()] = value.strip()
    return found


class Unreadable(Exception):
    """A program file that cannot be read: status 2."""


def read_source(path: str) -> Source:
    """The program in a file, or on standard input for `-`. Raises Unreadable with the reason."""
    from gradcli.lang.source import NotText, Source

    try:
        if path == "-":
            data = sys.stdin.buffer.read() if sys.stdin is not None else b""
            return Source.from_bytes("<stdin>", data)
        with open(path, "rb") as file:
            return Source.from_bytes(path, file.read())
    except OSError as error:
        raise Unreadable(f"{path}: {_plain_reason(error)}") from None
    except NotText as error:
        raise Unreadable(f"{path}: not a text file in UTF-8 (byte {error.offset})") from None


def _plain_reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder; name the programs in it"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    return error.strerror or str(error)


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    options = parse_arguments("eval", argv)
    settings_overrides = overrides(options)
    codes, paths = options.get("code", []), options.arguments
    if not codes and not paths:
        if is_terminal(sys.stdin):
            raise UsageError("nothing to run: name a file, write -e CODE, or - for standard input")
        paths = ["-"]
    sources: list[tuple[Any, str]] = []
    from gradcli.lang.source import Source

    for code in codes:
        sources.append((Source("<command line>", text_of(code)), "."))
    for path in paths:
        try:
            sources.append((read_source(path), os.path.dirname(path) if path != "-" else "."))
        except Unreadable as error:
            sources.append((str(error), "."))
    return _run_all(options, sources, settings_overrides)


def _run_all(options: Parsed, sources: list[tuple[Any, str]], values: dict[str, str]) -> int:
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.report.diagnostic import Diagnostic
    from gradcli.runtime.outcomes import faulted

    from .printer import Printer

    printer = Printer(options, chosen_format(options))
    if values:
        _check_overrides(sources, values)
    for source, folder in sources:
        if isinstance(source, str):
            printer.raise_to(exits.USAGE)
            printer.diagnostic(Diagnostic("error", "program-file", source, None))
            continue
        try:
            program = parse(source.text)
        except FaultError as error:
            for outcome in faulted(source, error.faults):
                printer.emit(outcome)
            continue
        # NumPy is imported from here on: a syntax error does not wait for it
        from gradcli.runtime.session import Session
        from gradcli.runtime.settings import Settings

        Session(printer.emit, Settings(options.get("dtype"), values), folder).run(source, program)
    return printer.finish()


def _check_overrides(sources: list[tuple[Any, str]], values: dict[str, str]) -> None:
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.lang.suggest import nearest

    declared: set[str] = set()
    for source, _ in sources:
        if isinstance(source, str):
            continue
        try:
            program: Any = parse(source.text)
        except FaultError:
            return  # the run will say what is wrong with the program
        declared.update(node.name for node in program.body if type(node).__name__ == "Declare")
    for name in values:
        if name not in declared:
            near = nearest(name, sorted(declared))
            hint = f"; did you mean {near[0]}?" if near else ""
            raise UsageError(f"--set {name}: no program declares {name}{hint}")
