"""GitHub's workflow commands: an annotation at the line of each failure and warning.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions; the escapes are those of
actions/toolkit's `command.ts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .facts import message_text, position

if TYPE_CHECKING:
    from gradcli.report.diagnostic import Diagnostic

    from .record import ProgramRecord


def commands(record: ProgramRecord, warnings: bool = True) -> list[str]:
    """The annotations of a program, warnings first."""
    found = [annotation("warning", warning, record.file) for warning in record.warnings] if warnings else []
    return found + [annotation("error", problem.diagnostic, record.file) for problem in record.problems]


def annotation(command: str, diagnostic: Diagnostic, file: str) -> str:
    """`::error file=a.tp,line=3,col=1,title=…::message`; `file` is for a diagnostic that has no place."""
    where = position(diagnostic) or (file, None, None)
    named = dict(zip(("file", "line", "col"), where), title=f"{diagnostic.severity}[{diagnostic.code}]")
    properties = ",".join(f"{key}={_property(str(value))}" for key, value in named.items() if value is not None)
    return f"::{command} {properties}::{_data(message_text(diagnostic))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
