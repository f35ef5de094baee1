"""A problem's facts by name: what TAP's block, GitHub's annotation and JUnit's element have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradcli.report.diagnostic import Diagnostic

    from .record import Problem, ProgramRecord


def position(diagnostic: Diagnostic) -> tuple[str, int, int] | None:
    """File, line and column of a diagnostic; None if it has no place."""
    place = diagnostic.place
    if place is None:
        return None
    return place.source.name, *place.source.position(place.start)


def problem_facts(problem: Problem, record: ProgramRecord) -> dict[str, Any]:
    """`message`, `severity`, `code`, `file`, `line`, `column`, `left`, `right`, `hint`: those that there are."""
    diagnostic = problem.diagnostic
    facts: dict[str, Any] = {
        "message": diagnostic.message, "severity": diagnostic.severity, "code": diagnostic.code,
    }  # fmt: skip
    where = position(diagnostic)
    facts |= {"file": record.file} if where is None else dict(zip(("file", "line", "column"), where))
    if problem.left is not None:
        facts |= {"left": problem.left, "right": problem.right}
    if diagnostic.hint:
        facts["hint"] = diagnostic.hint
    return facts


def message_text(diagnostic: Diagnostic) -> str:
    """The message with its details and hint, a line each."""
    hint = [f"hint: {diagnostic.hint}"] if diagnostic.hint else []
    return "\n".join([diagnostic.message, *diagnostic.details, *hint])
