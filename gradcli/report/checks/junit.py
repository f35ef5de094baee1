"""JUnit's XML as CI servers read it: one suite, a test case a program.

It keeps to the schema that Jenkins' xunit plugin has (junit-10.xsd): no attribute and no element beyond it.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from gradcli.report.plain_diagnostic import diagnostic_text

from .record import NO_CHECKS

if TYPE_CHECKING:
    from .record import ProgramRecord, Totals

#: what XML 1.0 cannot hold, not even as a reference
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}


def document(records: list[ProgramRecord], totals: Totals, started: str) -> str:
    """The whole file; `started` is the time of the beginning as `2026-01-31T12:00:00`."""
    failures = sum(_kind(record) == "failure" for record in records)
    errors = sum(_kind(record) == "error" for record in records)
    counts = f'tests="{len(records)}" failures="{failures}" errors="{errors}"'
    skipped = sum(record.state == NO_CHECKS for record in records)
    time = f'time="{totals.seconds:.3f}"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f'<testsuites name="gradcli check" {counts} {time}>',
            f'<testsuite name="gradcli check" {counts} skipped="{skipped}" {time} timestamp="{started}">',
            *map(_case, records),
            "</testsuite>",
            "</testsuites>",
            "",
        ]
    )


def _kind(record: ProgramRecord) -> str:
    return "" if record.status == 0 else "failure" if record.status == 1 else "error"


def _case(record: ProgramRecord) -> str:
    folder, name = os.path.split(record.file)
    head = (
        f"<testcase classname={attribute(folder.replace(os.sep, '.').strip('.') or 'programs')} name={attribute(name)}"
    )
    parts = []
    if record.state == NO_CHECKS:
        parts.append(f'<skipped message="{NO_CHECKS}"/>')
    for problem in record.problems:
        found = problem.diagnostic
        kind = "error" if found.severity == "error" else "failure"
        parts.append(
            f"<{kind} type={attribute(f'{found.severity}[{found.code}]')} message={attribute(found.message)}>"
            f"{content(diagnostic_text(found))}</{kind}>"
        )
    if record.printed and record.status:
        parts.append(f"<system-out>{content(chr(10).join(record.printed))}</system-out>")
    if record.warnings:
        parts.append(f"<system-err>{content(chr(10).join(map(diagnostic_text, record.warnings)))}</system-err>")
    head += f' time="{record.seconds:.3f}"'
    return f"{head}>{''.join(parts)}</testcase>" if parts else f"{head}/>"


def content(text: str) -> str:
    """A text between tags; what XML cannot hold becomes U+FFFD."""
    return re.sub("[&<>\r]", lambda found: _ESCAPES[found.group()], _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text))


def attribute(text: str) -> str:
    """A text as a quoted attribute; what XML cannot hold becomes U+FFFD."""
    legal = _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", text)
    return '"' + re.sub('[&<>"\t\n\r]', lambda found: _ESCAPES[found.group()], legal) + '"'
