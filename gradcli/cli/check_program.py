"""One program under `gradcli check`: run as `eval` runs it, and what it did kept as plain data."""

from __future__ import annotations

import os
from time import perf_counter
from typing import TYPE_CHECKING, Any

from gradcli.checking.record_path import record_path
from gradcli.report.checks.record import Problem, ProgramRecord

from . import exits
from .evaluate import Unreadable, overrides, read_source, run_program
from .printer import Printer

if TYPE_CHECKING:
    from gradcli.checking.programs import Named
    from gradcli.report.diagnostic import Diagnostic
    from gradcli.report.json_view import Document
    from gradcli.runtime.outcomes import Place

    from .options import Parsed

#: how much of what a program prints is kept
_PRINTED_LINES, _PRINTED_COLUMNS = 100, 500


def check_program(named: Named, options: Parsed, shown: str | None = None) -> ProgramRecord:
    """Run a program; nothing is printed. `shown` is its name in places, else its path. Raises KeyboardInterrupt."""
    record = ProgramRecord(shown or named.path)
    collector = Collector(options, record, named.path)
    started = perf_counter()
    try:
        collector.run(named)
    except exits.UsageError:
        raise
    except MemoryError:
        collector.out_of_memory()
    except Exception as error:
        if options.get("debug"):
            raise
        from gradcli.report.catalogue.programs import bug_diagnostic

        collector.raise_to(exits.BUG)
        collector.diagnostic(bug_diagnostic(record.file, error))
    record.seconds = perf_counter() - started
    record.status = collector.status
    return record


def lost_record(named: Named, diagnostic: Diagnostic, status: int, json: bool) -> ProgramRecord:
    """The record of a program whose process is gone."""
    record = ProgramRecord(named.path)
    record.status = status
    record.problems.append(Problem(diagnostic))
    if json:
        from gradcli.report.json_view import Document

        document = Document(record.file)
        document.add_diagnostic(diagnostic)
        record.entries = document.entries()
    return record


class Collector(Printer):
    """Takes outcomes as a printer does, and keeps them in a record."""

    def __init__(self, options: Parsed, record: ProgramRecord, path: str) -> None:
        super().__init__(options, "plain")
        self.options = options
        self.record = record
        self.writes = bool(options.get("record"))
        self.json = options.get("format") == "json"
        self.recorded_at = record_path(path)
        #: the document, if it is printed or compared; places of its results; notes and warnings by code and place
        self.kept: Document | None = None
        self.places: list[Place] = []
        self.notices: dict[str, list[tuple[str, Place]]] = {"Noted": [], "Warned": []}
        if self.writes or self.json or os.path.exists(self.recorded_at):
            from gradcli.report.json_view import Document

            self.kept = Document(record.file)
            record.entries = self.kept.entries() if self.json else None

    def run(self, named: Named) -> None:
        """Run the program and compare it with its record."""
        from gradcli.report.diagnostic import Diagnostic

        try:
            if named.trouble is not None:
                from gradcli.report.catalogue.programs import no_program_text

                raise Unreadable(f"{named.path}: {no_program_text(named.trouble)}")
            source = read_source(named.path)
        except Unreadable as error:
            self.raise_to(exits.USAGE)
            self.diagnostic(Diagnostic("error", "program-file", str(error), None))
        else:
            source.name = self.record.file
            run_program(self, self.options, source, os.path.dirname(named.path), overrides(self.options))
            if self.kept is not None and (self.writes or os.path.exists(self.recorded_at)):
                from .check_recorded import accept, compare

                (accept if self.writes else compare)(self)

    def emit(self, outcome: Any) -> None:
        """Take one outcome: count it, and keep what a failure has to show."""
        kind = type(outcome).__name__
        before, self.status = self.status, exits.OK
        self._count(kind, outcome)
        counted, self.status = self.status, max(before, self.status)
        if self.kept is not None:
            self.kept.add(outcome)
        if kind == "Shown":
            self._keep_shown(outcome)
        elif kind in self.notices:
            self.notices[kind].append((outcome.code, outcome.place))
        if counted == exits.NO and kind in ("Shown", "Warned"):
            self._not_strict(kind, outcome)
        if getattr(outcome, "ok", None) is not None:
            self.checked(outcome.ok)
        if kind in ("Shown", "Noted"):
            return
        from gradcli.report.catalogue import diagnose

        diagnostic = diagnose(outcome)
        if diagnostic is None:
            return
        if kind == "Warned" or getattr(outcome, "ok", None):
            if not self.quiet:
                self.record.warnings.append(diagnostic)
        elif getattr(outcome, "compared", None) is not None:
            from gradcli.report.catalogue.asserts import side_text

            self.record.problems.append(Problem(diagnostic, side_text(outcome.left), side_text(outcome.right)))
        else:
            self.record.problems.append(Problem(diagnostic))

    def checked(self, ok: bool) -> None:
        """Count a check."""
        self.record.checks += 1
        self.record.failed += not ok
        self.raise_to(exits.OK if ok else exits.NO)

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """Keep a diagnostic that is no outcome of the program."""
        self.record.problems.append(Problem(diagnostic))
        if self.kept is not None:
            self.kept.add_diagnostic(diagnostic)

    def out_of_memory(self) -> None:
        """Memory ran out outside the program's own statements, as while it was read."""
        from gradcli.report.catalogue.programs import memory_diagnostic

        self.raise_to(exits.LIMIT)
        self.diagnostic(memory_diagnostic(self.record.file))

    def _keep_shown(self, shown: Any) -> None:
        from gradcli.report.plain import value_text

        self.places.append(shown.place)
        printed = self.record.printed
        for line in value_text(shown.value).split("\n"):
            printed.append(line if len(line) <= _PRINTED_COLUMNS else line[:_PRINTED_COLUMNS] + "…")
        del printed[:-_PRINTED_LINES]

    def _not_strict(self, kind: str, outcome: Any) -> None:
        """`--strict` fails: a check that did not hold, and the reason of a None with it."""
        from gradcli.report.catalogue import none_diagnostic
        from gradcli.report.catalogue.programs import strict_diagnostic

        from .printer import nones

        self.checked(False)
        if kind == "Warned":
            self.record.problems.append(Problem(strict_diagnostic(outcome.place, f"warning[{outcome.code}]")))
            return
        label = " ".join(outcome.place.text.split()) if outcome.label is None else outcome.label
        found = nones(outcome.value)
        what = f"{label} is {self.record.printed[-1]}"
        self.record.problems.append(Problem(strict_diagnostic(outcome.place, what)))
        self.record.problems.extend(Problem(none_diagnostic(none)) for none in found)
