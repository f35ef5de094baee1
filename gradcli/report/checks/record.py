"""What one program did under `gradcli check`: plain data, which goes from process to process, and their totals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradcli.report.diagnostic import Diagnostic

#: exit status → what a program's line says; a program without a check says so
STATES = {0: "ok", 1: "FAILED", 2: "error", 3: "error", 4: "limit", 70: "error"}
NO_CHECKS = "no checks"
#: every state in the order in which a summary counts them
ORDER = ("ok", NO_CHECKS, "FAILED", "error", "limit")


class Problem:
    """Why a program did not pass, and both sides as text where two values were compared."""

    __slots__ = ("diagnostic", "left", "right")

    def __init__(self, diagnostic: Diagnostic, left: str | None = None, right: str | None = None) -> None:
        self.diagnostic = diagnostic
        self.left = left
        self.right = right


class ProgramRecord:
    """`status` is the exit status that the program alone would give; `entries` are its parts of the JSON document.

    `warnings` are those of the program and gradient checks without a verdict; `printed` are the last lines that
    it printed; `recorded` is how many values `--record` wrote (None: it wrote nothing).
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.status = 0
        self.checks = 0
        self.failed = 0
        self.seconds = 0.0
        self.problems: list[Problem] = []
        self.warnings: list[Diagnostic] = []
        self.printed: list[str] = []
        self.recorded: int | None = None
        self.entries: dict[str, list[Any]] | None = None

    @property
    def state(self) -> str:
        """`ok`, `no checks`, `FAILED`, `error` or `limit`."""
        return NO_CHECKS if self.status == 0 and not self.checks else STATES[self.status]


class Totals:
    """What all programs did together; `planned` is how many there were to run."""

    def __init__(self, planned: int) -> None:
        self.planned = planned
        self.programs = 0
        self.states = dict.fromkeys(ORDER, 0)
        self.checks = 0
        self.failed = 0
        self.status = 0
        self.seconds = 0.0
        self.interrupted = False

    def add(self, record: ProgramRecord) -> None:
        """Enter a program."""
        self.programs += 1
        self.states[record.state] += 1
        self.checks += record.checks
        self.failed += record.failed
        self.status = max(self.status, record.status)
