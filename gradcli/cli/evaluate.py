"""`gradcli eval`: run programs from files, standard input or the command line."""

from __future__ import annotations

import os
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

from . import exits, limits
from .exits import UsageError
from .options import Parsed, parse_arguments
from .streams import is_terminal, text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.lang.source import Source
    from gradcli.report.progress import LoopProgress
    from gradcli.runtime.against import Reference
    from gradcli.runtime.session import Session

    from .printer import Printer


def chosen_format(options: Parsed) -> str:
    """The format asked for; else rich on a terminal and plain elsewhere."""
    return str(options.get("format") or ("rich" if is_terminal(sys.stdout) else "plain"))


def checks_asked(options: Parsed) -> str:
    """How each gradient is to be compared with a numeric one: `numeric` (in full), `verify` (one direction) or not."""
    return "numeric" if options.get("numeric") or options.get("check") else "verify" if options.get("verify") else ""


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


def run_source(source: Source) -> int:
    """Run one program with no options but plain output; returns the status."""
    return _run_all(parse_arguments("eval", ["--format", "plain"]), [(source, ".")], {})


def _run_all(options: Parsed, sources: list[tuple[Any, str]], values: dict[str, str]) -> int:
    from gradcli.report.diagnostic import Diagnostic

    from .printer import Printer

    check_limits(options)
    check_save(options)
    printer = Printer(options, chosen_format(options))
    if values:
        check_overrides([source for source, _ in sources], values)
    saved: dict[str, Any] = {}
    clock = Clock() if options.get("time") else None
    for source, folder in sources:
        if isinstance(source, str):
            printer.raise_to(exits.USAGE)
            printer.diagnostic(Diagnostic("error", "program-file", source, None))
            continue
        session = run_program(printer, options, source, folder, values, clock)
        if session is not None:
            saved.update(session.named_values())
    return conclude(printer, options, saved, clock)


def run_program(
    printer: Printer, options: Parsed, source: Source, folder: str, values: dict[str, str], clock: Clock | None = None
) -> Session | None:
    """Run one program in a session of its own; None if it does not parse. `values` are those of `--set`."""
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.runtime.outcomes import faulted

    timeout, memory = check_limits(options)
    started = perf_counter()
    try:
        program = parse(source.text)
    except FaultError as error:
        emit_faults(printer, source, faulted(source, error.faults))
        return None
    parsed = perf_counter() - started
    # NumPy is imported from here on: a syntax error does not wait for it
    from gradcli.runtime.session import Session
    from gradcli.runtime.settings import Settings

    settings = Settings(options.get("dtype"), values, options.get("seed"), checks=checks_asked(options))
    bar = _loop_progress(printer)

    def emit(outcome: Any) -> None:
        if bar is not None:
            bar.hide()
        printer.emit(outcome)

    session = Session(emit, settings, folder)
    session.progress = None if bar is None else bar.over
    started = perf_counter()
    reference = reference_asked(options)
    if reference is not None:
        session.taken = {}

    def body() -> None:
        if session.run(source, program) and reference is not None:
            from gradcli.runtime.against import compare

            compare(session, source, reference)

    try:
        run_limited(printer, source, timeout, memory, body)
    finally:
        if bar is not None:
            bar.hide()
    if clock is not None:
        clock.add(parsed, perf_counter() - started, session.backward_seconds)
    return session


def _loop_progress(printer: Printer) -> LoopProgress | None:
    """What tells on a terminal how far a long loop is; None where nobody would see it."""
    if printer.format != "rich" or printer.quiet or not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        return None
    from gradcli.report.progress import LoopProgress

    return LoopProgress()


def reference_asked(options: Parsed) -> Reference | None:
    """The gradients of `--against`, read from their file. Raises UsageError."""
    path = options.get("against")
    if path is None:
        return None
    from gradcli.runtime.against import Reference, read_arrays

    try:
        arrays = read_arrays(path)
    except OSError as error:
        raise UsageError(f"--against {path}: {_plain_reason(error)}") from None
    except ValueError as error:
        raise UsageError(f"--against {path}: {error}") from None
    if not arrays:
        raise UsageError(f"--against {path}: it holds no arrays")
    return Reference(os.path.basename(path), arrays, options.get("rtol"), options.get("atol"))


def check_limits(options: Parsed) -> tuple[float | None, int | None]:
    """`--timeout` in seconds and `--max-memory` in bytes. Raises UsageError."""
    return limits.seconds(options.get("timeout")), limits.size(options.get("max_memory"))


def run_limited(printer: Printer, source: Source, timeout: Any, memory: Any, body: Callable[[], Any]) -> None:
    """Run one program under its limits; what stops it becomes an outcome or a status."""
    from gradcli.runtime.outcomes import Failed, Place

    place = Place(source, 0, max(len(source.line_text(1)), 1))
    try:
        with limits.limited(timeout, memory):
            body()
    except limits.TimeIsUp:
        printer.emit(Failed(place, "limit-reached", "timeout", {"limit": timeout}))
    except KeyboardInterrupt:
        if printer.document is None:
            raise
        printer.raise_to(exits.INTERRUPTED)


def check_save(options: Parsed) -> None:
    """Refuse a file for `--save` that could not be written, before anything runs. Raises UsageError."""
    path = options.get("save")
    if path is not None:
        from gradcli.data import check_writable

        trouble = check_writable(path)
        if trouble:
            raise UsageError(f"--save {path}: {trouble}")


def conclude(printer: Printer, options: Parsed, saved: dict[str, Any], clock: Clock | None) -> int:
    """Write what `--save` and `--time` ask for, and the document; returns the exit status."""
    path = options.get("save")
    if path is not None and printer.status >= exits.USAGE:
        sys.stderr.write(f"gradcli: --save {path}: nothing was written, because a program failed\n")
    elif path is not None:
        from gradcli.data import write_data

        try:
            write_data(path, saved)
        except OSError as error:
            raise UsageError(f"--save {path}: {error.strerror or error}") from None
        except ValueError as error:
            hint = getattr(error, "hint", "")
            raise UsageError(f"--save {path}: {error}" + (f"; {hint}" if hint else "")) from None
    status = printer.finish()
    if clock is not None:
        sys.stderr.write(clock.text() + "\n")
    return status


class Clock:
    """Where the time of a run went, in seconds."""

    def __init__(self) -> None:
        self.parse = self.forward = self.backward = 0.0

    def add(self, parse: float, run: float, backward: float) -> None:
        """Enter one program: `run` is forward and backward together."""
        self.parse += parse
        self.forward += run - backward
        self.backward += backward

    def text(self) -> str:
        """One line."""
        parts = (("parse", self.parse), ("forward", self.forward), ("backward", self.backward))
        total = self.parse + self.forward + self.backward
        return "time: " + ", ".join(f"{name} {t * 1e3:.2f} ms" for name, t in parts) + f", total {total * 1e3:.2f} ms"


def emit_faults(printer: Any, source: Any, outcomes: list[Any]) -> None:
    """Print the syntax faults of a source, but for those that their lines expect."""
    from gradcli.runtime.expectations import Expectations

    expectations = Expectations.of_text(source)
    for outcome in outcomes:
        if not expectations.absorbs(outcome):
            printer.emit(outcome)
    for verdict in expectations.verdicts():
        printer.emit(verdict)


def check_overrides(sources: list[Any], values: dict[str, str]) -> None:
    """Refuse a name in `--set` that no program declares; a text stands for an unreadable one. Raises UsageError."""
    from gradcli.lang.faults import FaultError
    from gradcli.lang.parser import parse
    from gradcli.lang.suggest import nearest

    declared: set[str] = set()
    for source in sources:
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
