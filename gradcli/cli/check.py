"""`gradcli check`: run programs for their asserts."""

from __future__ import annotations

import os
import sys
from time import perf_counter
from typing import TYPE_CHECKING

from gradcli.checking.programs import find_programs
from gradcli.report.checks.record import Totals

from . import exits
from .check_program import check_program, lost_record
from .check_views import make_view
from .evaluate import Unreadable, check_limits, check_overrides, overrides, read_source, reference_asked
from .exits import UsageError
from .options import Parsed, parse_arguments

if TYPE_CHECKING:
    from collections.abc import Generator
    from typing import Any

    from gradcli.checking.programs import Named
    from gradcli.report.checks.record import ProgramRecord

    from .check_views import View


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    options = parse_arguments("check", argv)
    programs = _programs(options)
    check_limits(options)
    if options.get("against") is None and (options.get("rtol") is not None or options.get("atol") is not None):
        raise UsageError("--rtol and --atol are tolerances of --against FILE")
    reference_asked(options)  # what is wrong with the file is told before anything runs
    junit = _junit_file(options)
    values = overrides(options)
    if values:
        check_overrides(_sources(programs), values)
    view = make_view(options, [named.path for named in programs])
    totals = Totals(len(programs))
    records: list[ProgramRecord] = []
    started, began = _now(), perf_counter()
    try:
        _take_all(_records(options, programs), options, view, totals, records)
    except BrokenPipeError:
        if junit is None:
            raise
        totals.seconds = perf_counter() - began
        _write_junit(junit, records, totals, started)
        raise
    totals.seconds = perf_counter() - began
    if totals.interrupted:
        totals.status = exits.INTERRUPTED
    if junit is not None:
        _write_junit(junit, records, totals, started)
    view.finish(totals)
    return totals.status


def _take_all(
    stream: Generator[ProgramRecord, None, None], options: Parsed, view: View, totals: Totals, kept: list[ProgramRecord]
) -> None:
    """Show each record as it comes, until all have come, the first failed under `-x`, or Ctrl-C."""
    try:
        for record in stream:
            totals.add(record)
            if options.get("junit") is not None:
                kept.append(record)
            view.add(record)
            if record.status and options.get("fail_fast"):
                break
    except KeyboardInterrupt:
        totals.interrupted = True
    finally:
        stream.close()


def _records(options: Parsed, programs: list[Named]) -> Generator[ProgramRecord, None, None]:
    """A record for each program, in their order, from this process or from several."""
    jobs = options.get("jobs")
    if jobs is None:
        for named in programs:
            yield check_program(named, options)
        return
    from functools import partial

    from gradcli.checking.workers import Ended, in_order

    timeout, _ = check_limits(options)
    found = in_order(partial(check_program, options=options), programs, jobs, timeout)
    try:
        for named, record in zip(programs, found):
            yield _lost(named, record, timeout, options) if isinstance(record, Ended) else record
    finally:
        found.close()


def _lost(named: Named, ended: Any, timeout: float | None, options: Parsed) -> ProgramRecord:
    from gradcli.report.catalogue.programs import ended_diagnostic, overdue_diagnostic

    json = options.get("format") == "json"
    if ended.code is None:
        return lost_record(named, overdue_diagnostic(named.path, timeout or 0.0), exits.LIMIT, json)
    return lost_record(named, ended_diagnostic(named.path, ended.signal, ended.code), exits.PROGRAM, json)


def _programs(options: Parsed) -> list[Named]:
    """The programs that the paths name and `-k` chooses. Raises UsageError."""
    paths = options.arguments
    if not paths:
        raise UsageError("nothing to check: name programs or folders, as in gradcli check .")
    for path in paths:
        if path == "-":
            raise UsageError("check takes files and folders; for standard input write gradcli eval -")
        if not path:
            raise UsageError("an empty word is no path")
    found = find_programs(paths)
    words = options.get("only")
    if words is None:
        return found
    from gradcli.checking.selection import Selection

    try:
        selection = Selection(words)
    except ValueError as error:
        raise UsageError(f"-k {words}: {error}") from None
    chosen = [named for named in found if named.trouble is not None or selection.chooses(named.path)]
    if not chosen:
        raise UsageError(f"-k {words}: none of {len(found)} programs has such a path")
    return chosen


def _sources(programs: list[Named]) -> list[Any]:
    sources: list[Any] = []
    for named in programs:
        try:
            sources.append("" if named.trouble is not None else read_source(named.path))
        except Unreadable as error:
            sources.append(str(error))
    return sources


def _junit_file(options: Parsed) -> str | None:
    """Where JUnit's XML goes. Raises UsageError if it could not be written, before anything runs."""
    path = options.get("junit")
    if path is None:
        return None
    from gradcli.data.files import obstacle

    trouble = obstacle(path) if path else "a name is missing"
    if trouble:
        raise UsageError(f"--junit {path}: {trouble}")
    return str(path)


def _write_junit(path: str, records: list[ProgramRecord], totals: Totals, started: str) -> None:
    from gradcli.data.files import write_whole
    from gradcli.report.checks.junit import document

    try:
        write_whole(os.path.realpath(path), document(records, totals, started).encode())
    except OSError as error:
        sys.stdout.flush()
        sys.stderr.write(f"gradcli: --junit {path}: {error.strerror or error}\n")
        totals.status = max(totals.status, exits.USAGE)


def _now() -> str:
    from time import localtime, strftime

    return strftime("%Y-%m-%dT%H:%M:%S", localtime())
