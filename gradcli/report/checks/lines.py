"""A line a program and a line for all of them: pieces of text with the names of their styles, for plain and rich."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from gradcli.report.catalogue.words import plural
from gradcli.report.excerpt import cells

from .record import ORDER

if TYPE_CHECKING:
    from .record import ProgramRecord, Totals

Line = list[tuple[str, str]]

_STYLES = {"ok": "hint", "no checks": "info", "FAILED": "assert", "error": "error", "limit": "error"}
#: names are padded to the longest, but not beyond this
_WIDEST = 60


def printable(name: str) -> str:
    """A file name on one line: control characters, as a line's end, are written as escapes."""
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", lambda found: ascii(found.group())[1:-1], name)


def name_width(names: list[str]) -> int:
    """The columns that names take."""
    return max((width for width in (cells(printable(name)) for name in names) if width <= _WIDEST), default=0)


def program_line(record: ProgramRecord, width: int) -> Line:
    """`a.tp  ok  3 checks  0.01 s`; names are padded to `width` columns."""
    name = printable(record.file)
    count = plural(record.checks, "check")
    if record.failed:
        count += f", {record.failed} failed"
    if record.recorded is not None:
        count += f", recorded {plural(record.recorded, 'value')}"
    return [
        (name + " " * (width - cells(name)), "name"), ("  ", ""), (f"{record.state:<9}", _STYLES[record.state]),
        (f"  {count:<20}  {record.seconds:.2f} s", "info"),
    ]  # fmt: skip


def printed_lines(record: ProgramRecord, count: int = 10) -> Line:
    """The last lines that a program printed before it stopped; none if it came to its end or printed nothing."""
    if record.status < 3 or not record.printed:
        return []
    last = record.printed[-count:]
    head = "printed before it stopped:" if len(last) == len(record.printed) else f"the last {count} lines it printed:"
    return [(f"  {head}", "info"), *((f"    {line}", "") for line in last)]


def summary_line(totals: Totals) -> Line:
    """`12 programs: 10 ok, 1 no checks, 1 FAILED; 34 checks, 2 failed; 0.53 s`."""
    states = ", ".join(f"{totals.states[state]} {state}" for state in ORDER if totals.states[state])
    if totals.programs == totals.planned:
        head = plural(totals.programs, "program")
    else:
        why = "interrupted" if totals.interrupted else "stopped"
        head = f"{why} after {totals.programs} of {plural(totals.planned, 'program')}"
    checks = plural(totals.checks, "check") + (f", {totals.failed} failed" if totals.failed else "")
    text = head + (f": {states}" if states else "") + f"; {checks}; {totals.seconds:.2f} s"
    return [(text, "hint" if not totals.status and not totals.interrupted else "error")]
