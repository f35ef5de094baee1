"""What `gradcli check` writes, by format: a view takes the records as they come, and the totals at the end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from .evaluate import chosen_format
from .streams import coloured

if TYPE_CHECKING:
    from gradcli.report.checks.lines import Line
    from gradcli.report.checks.record import ProgramRecord, Totals
    from gradcli.report.diagnostic import Diagnostic

    from .options import Parsed


class View:
    """Writes nothing; a base for those that do."""

    def add(self, record: ProgramRecord) -> None:
        """Write what is to be said of a program."""

    def finish(self, totals: Totals) -> None:
        """Write what is to be said at the end."""


def make_view(options: Parsed, names: list[str]) -> View:
    """The view that `--format` asks for; `names` are the programs that will run."""
    if options.get("export"):
        return PairOfViews(_view_of(chosen_format(options), options, names), PictureView(names, options))
    return _view_of(chosen_format(options), options, names)


def _view_of(format_: str, options: Parsed, names: list[str]) -> View:
    if format_ == "json":
        return JsonView()
    if format_ == "tap":
        return TapView(names)
    if format_ == "github":
        return GithubView()
    return RichLinesView(names, options) if format_ == "rich" else LinesView(names)


class LinesView(View):
    """A line a program on standard output; diagnostics on standard error, as `eval` writes them."""

    def __init__(self, names: list[str]) -> None:
        from gradcli.report.checks.lines import name_width

        self._width = name_width(names)

    def add(self, record: ProgramRecord) -> None:
        """Write the program's line, then why it failed and its warnings."""
        from gradcli.report.checks.lines import printed_lines, program_line

        self.line(program_line(record, self._width))
        sys.stdout.flush()
        for diagnostic in [*record.warnings, *(problem.diagnostic for problem in record.problems)]:
            self.diagnostic(diagnostic)
        for piece in printed_lines(record):
            self.detail([piece])

    def finish(self, totals: Totals) -> None:
        """Write the summary."""
        from gradcli.report.checks.lines import summary_line

        self.line(summary_line(totals))

    def line(self, line: Line) -> None:
        """Write a line to standard output."""
        sys.stdout.write("".join(text for text, _ in line).rstrip() + "\n")

    def detail(self, line: Line) -> None:
        """Write a line to standard error."""
        sys.stderr.write("".join(text for text, _ in line).rstrip() + "\n")

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """Write a diagnostic to standard error."""
        from gradcli.report.plain_diagnostic import diagnostic_text

        sys.stderr.write(diagnostic_text(diagnostic) + "\n")


class RichLinesView(LinesView):
    """The same in colour."""

    def __init__(self, names: list[str], options: Parsed) -> None:
        super().__init__(names)
        from gradcli.report.rich_view import RichView, make_console

        flag = options.get("color")
        self._out = RichView(make_console(sys.stdout, coloured(sys.stdout, flag)), None, False)
        self._err = RichView(make_console(sys.stderr, coloured(sys.stderr, flag)), None, False)

    def line(self, line: Line) -> None:
        """Write a line to standard output."""
        self._out.lines([line])

    def detail(self, line: Line) -> None:
        """Write a line to standard error."""
        self._err.lines([line])

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """Write a diagnostic to standard error."""
        self._err.diagnostic(diagnostic)


class PairOfViews(View):
    """Two views of the same run."""

    def __init__(self, first: View, second: View) -> None:
        self._views = (first, second)

    def add(self, record: ProgramRecord) -> None:
        """Hand on."""
        for view in self._views:
            view.add(record)

    def finish(self, totals: Totals) -> None:
        """Hand on."""
        for view in self._views:
            view.finish(totals)


class PictureView(LinesView):
    """What a terminal would show, for `--export`."""

    def __init__(self, names: list[str], options: Parsed) -> None:
        from .picture import Picture

        super().__init__(names)
        self._picture = Picture(options)

    def line(self, line: Line) -> None:
        """Draw a line."""
        self._picture.lines([line])

    detail = line

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """Draw a diagnostic."""
        self._picture.diagnostic(diagnostic)

    def finish(self, totals: Totals) -> None:
        """Draw the summary and write the file. Raises UsageError."""
        super().finish(totals)
        self._picture.save()


class TapView(View):
    """TAP, nothing else on standard output."""

    def __init__(self, names: list[str]) -> None:
        from gradcli.report.checks import tap

        self._names = names
        self._number = 0
        sys.stdout.write(tap.head(len(names)))

    def add(self, record: ProgramRecord) -> None:
        """Write a test point."""
        from gradcli.report.checks import tap

        self._number += 1
        sys.stdout.write(tap.point(self._number, record))
        sys.stdout.flush()

    def finish(self, totals: Totals) -> None:
        """Write a test point for what was not run, or that nothing comes any more."""
        from gradcli.report.checks import tap

        if totals.interrupted:
            sys.stdout.write(tap.bail("interrupted"))
            return
        for number, name in enumerate(self._names[self._number :], self._number + 1):
            sys.stdout.write(tap.skipped(number, name))


class GithubView(View):
    """Workflow commands and the summary. No other line, so that no file name is taken for a command."""

    def add(self, record: ProgramRecord) -> None:
        """Write the annotations of a program."""
        from gradcli.report.checks.github import commands

        for command in commands(record):
            sys.stdout.write(command + "\n")
        sys.stdout.flush()

    def finish(self, totals: Totals) -> None:
        """Write the summary."""
        from gradcli.report.checks.lines import summary_line

        sys.stdout.write("".join(text for text, _ in summary_line(totals)) + "\n")


class JsonView(View):
    """One document over all programs."""

    def __init__(self) -> None:
        from gradcli.report.json_view import Document

        self._document = Document()
        self._programs: list[dict[str, object]] = []
        self._document.programs = self._programs

    def add(self, record: ProgramRecord) -> None:
        """Keep a program's entries."""
        if record.entries is not None:
            self._document.extend(record.entries)
        self._programs.append(
            {
                "file": record.file, "status": record.status, "checks": record.checks, "failed": record.failed,
                "seconds": round(record.seconds, 6),
            }
        )  # fmt: skip

    def finish(self, totals: Totals) -> None:
        """Write the document."""
        utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        sys.stdout.write(self._document.text(totals.status, ascii_only=not utf8) + "\n")
