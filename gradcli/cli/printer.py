"""Prints outcomes as they come, and counts what they mean for the exit status."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from gradcli.runtime.outcomes import NoGradient

from . import exits
from .streams import coloured

if TYPE_CHECKING:
    from gradcli.report.diagnostic import Diagnostic
    from gradcli.report.json_view import Document
    from gradcli.report.rich_view import RichView

    from .options import Parsed
    from .picture import Picture


class Printer:
    """Results to standard output, diagnostics to standard error; with json, one document at the end."""

    def __init__(self, options: Parsed, format_: str, derivative_only: bool = False) -> None:
        self.format = format_
        self.quiet = bool(options.get("quiet"))
        self.strict = bool(options.get("strict"))
        self.math = bool(options.get("math"))
        self.precision: int | None = options.get("precision")
        self.full = bool(options.get("full"))
        self.derivative_only = derivative_only
        self.status = exits.OK
        #: what is said on a terminal when all is done
        self.closing: list[str] = []
        self.document: Document | None = None
        self.out: RichView | None = None
        self.err: RichView | None = None
        #: draws the same once more, for `--export`
        self.picture: Picture | None = None
        if options.get("export"):
            from .picture import Picture

            self.picture = Picture(options, derivative_only)
        if format_ == "json":
            from gradcli.report.json_view import Document

            self.document = Document()
        elif format_ == "rich":
            from gradcli.report.rich_view import RichView, make_console

            flag = options.get("color")
            self.out = RichView(make_console(sys.stdout, coloured(sys.stdout, flag)), self.precision, self.full)
            self.err = RichView(make_console(sys.stderr, coloured(sys.stderr, flag)), self.precision, self.full)

    def raise_to(self, status: int) -> None:
        """The greatest status wins."""
        self.status = max(self.status, status)

    def emit(self, outcome: Any) -> None:
        """Print one outcome, or keep it for the document."""
        if self.picture is not None:
            self.picture.emit(outcome)
        kind = type(outcome).__name__
        self._count(kind, outcome)
        if self.document is not None:
            self.document.add(outcome)
            return
        if kind == "Shown":
            self._show(outcome)
            return
        if kind == "Checked" and self.out is not None and self.derivative_only and outcome.verdict == "agrees":
            from gradcli.report.catalogue.checks import agreement_text

            self.closing.append(agreement_text(outcome))
            return
        if self.quiet and (kind in ("Warned", "Noted") or (kind == "Checked" and outcome.ok)):
            return
        from gradcli.report.catalogue import diagnose

        diagnostic = diagnose(outcome)
        if diagnostic is not None:
            self._diagnostic(diagnostic)

    def _count(self, kind: str, outcome: Any) -> None:
        if kind == "Failed":
            self.raise_to(_status_of(outcome))
        elif kind in ("Asserted", "Checked"):
            self.raise_to(exits.OK if outcome.ok else exits.NO)
        elif self.strict and (
            kind == "Warned" or (kind == "Shown" and not outcome.expected and _doubtful(outcome.value))
        ):
            self.raise_to(exits.NO)

    def _show(self, shown: Any) -> None:
        if self.math:
            from gradcli.report.mathematical import mathematical

            shown.value = mathematical(shown.value)
        if self.out is not None:
            self.out.show(shown)
            return
        if self.derivative_only and shown.label is not None and not shown.query:
            return
        from gradcli.report.plain import value_text

        sys.stdout.write(value_text(shown.value, self.precision) + "\n")
        if not self.quiet and not shown.expected:
            found = nones(shown.value)
            if found:
                from gradcli.report.catalogue import none_diagnostic

                for value in found:
                    self._diagnostic(none_diagnostic(value))

    def lines(self, lines: list[list[tuple[str, str]]]) -> None:
        """Print lines of pieces `(text, style)`; a document has no place for them."""
        if self.picture is not None:
            self.picture.lines(lines)
        if self.out is not None:
            self.out.lines(lines)
        elif self.document is None:
            for line in lines:
                sys.stdout.write("".join(text for text, _ in line).rstrip() + "\n")

    def diagnostic(self, diagnostic: Diagnostic) -> None:
        """Print a diagnostic."""
        if self.picture is not None:
            self.picture.diagnostic(diagnostic)
        self._diagnostic(diagnostic)

    def _diagnostic(self, diagnostic: Diagnostic) -> None:
        if self.document is not None:
            self.document.add_diagnostic(diagnostic)
        elif self.err is not None:
            sys.stdout.flush()
            self.err.diagnostic(diagnostic)
        else:
            from gradcli.report.plain_diagnostic import diagnostic_text

            sys.stdout.flush()
            sys.stderr.write(diagnostic_text(diagnostic) + "\n")

    @property
    def width(self) -> int:
        """The columns that lines of text may take."""
        return self.out.console.width if self.out is not None else 100

    def finish(self) -> int:
        """Write the document and the picture, if asked for; returns the exit status. Raises UsageError."""
        if self.out is not None and not self.quiet:
            self.out.lines([[(text, "info")] for text in self.closing])
        if self.picture is not None:
            self.picture.save()
        if self.document is not None:
            utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
            sys.stdout.write(self.document.text(self.status, ascii_only=not utf8) + "\n")
        sys.stdout.flush()
        return self.status


def _status_of(failed: Any) -> int:
    if failed.code == "limit-reached":
        return exits.LIMIT
    # a file that a flag names, as in `--set w=@file`, is the command's fault and not the program's
    return exits.USAGE if failed.code == "data-file" and failed.facts.get("flag") else exits.PROGRAM


def nones(value: Any) -> list[NoGradient]:
    """The None gradients in a printed value."""
    if isinstance(value, NoGradient):
        return [value]
    if isinstance(value, dict):
        return [none for item in value.values() for none in nones(item)]
    if isinstance(value, (list, tuple)):
        return [none for item in value for none in nones(item)]
    return []


def _doubtful(value: Any) -> bool:
    from gradcli.report.mathematical import has_other_value

    return has_other_value(value) or _is_doubtful(value)


def _is_doubtful(value: Any) -> bool:
    if isinstance(value, NoGradient):
        return True
    if isinstance(value, dict):
        return any(_is_doubtful(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return any(_is_doubtful(item) for item in value)
    data = getattr(value, "value", value)
    try:
        return bool((data != data).any()) if hasattr(data, "dtype") and data.dtype.kind in "fc" else data != data
    except (AttributeError, TypeError):
        return False
