"""TAP version 14: a test point a program, with a YAML block of the facts where it did not pass.

Source: https://testanything.org/tap-version-14-specification.html
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .facts import problem_facts
from .lines import printable
from .record import NO_CHECKS

if TYPE_CHECKING:
    from .record import ProgramRecord


def head(planned: int) -> str:
    """The version and the plan."""
    return f"TAP version 14\n1..{planned}\n"


def point(number: int, record: ProgramRecord) -> str:
    """One test point. A program without a check passes and says so."""
    passed = "ok" if record.status == 0 else "not ok"
    name = described(record.file) + (f" ({NO_CHECKS})" if record.state == NO_CHECKS else "")
    text = f"{passed} {number} - {name}\n"
    if record.status == 0:
        return text
    facts = [problem_facts(problem, record) for problem in record.problems]
    first = facts[0] if facts else {"message": record.state}
    lines = [f"{key}: {_yaml(value)}" for key, value in first.items()]
    if len(facts) > 1:
        lines.append("others:")
        for other in facts[1:]:
            lines.extend(("  - " if i == 0 else "    ") + f"{k}: {_yaml(v)}" for i, (k, v) in enumerate(other.items()))
    return text + "".join(f"  {line}\n" for line in ["---", *lines, "..."])


def skipped(number: int, name: str) -> str:
    """The test point of a program that was not run, because one before it failed."""
    return f"ok {number} - {described(name)} # SKIP not run, because one before it failed\n"


def bail(reason: str) -> str:
    """The line after which no test point comes."""
    return f"Bail out! {printable(reason)}\n"


def described(text: str) -> str:
    """A text as a description: `\\` and `#` escaped, on one line."""
    return printable(text.replace("\\", "\\\\").replace("#", "\\#"))


def _yaml(value: Any) -> str:
    """A scalar as YAML: a double-quoted string of JSON is one of YAML too, but for surrogate pairs."""
    if isinstance(value, str):
        return '"' + "".join(map(_escaped, _whole(value))) + '"'
    return json.dumps(value)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\U{code:08x}" if code > 0xFFFF else "\\u007f" if code == 0x7F else json.dumps(character)[1:-1]


def _whole(text: str) -> str:
    """A text without halves of surrogate pairs, which YAML readers refuse."""
    return text.encode("utf-8", "backslashreplace").decode()
