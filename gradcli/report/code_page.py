"""The page of a code as lines, for `gradcli explain CODE`, and all pages as docs/diagnostics.md."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from .codes import page_value, pages

if TYPE_CHECKING:
    from collections.abc import Callable

Line = list[tuple[str, str]]

_TITLES = {
    "none": "Why a gradient is None", "error": "Errors", "warning": "Warnings", "note": "Notes beside a printed value",
    "assert": "An assert that failed", "check": "Gradients compared with numeric ones",
}  # fmt: skip


def page_lines(value: dict[str, Any], output: str, width: int) -> list[Line]:
    """A page in lines of pieces `(text, style)`; `output` is what the failing program prints."""
    lines: list[Line] = [
        [(f"{value['severity']}[{value['code']}]", value["severity"]), (f"  {value['title']}", "name")]
    ]
    lines.append([("", "")])
    lines.extend([[("  " + row, "")] for row in textwrap.wrap(value["meaning"], max(width - 2, 30))])
    parts = (("a program", value["program"]), ("what it gives", output), ("mended", value["mended"]))
    for head, text in parts:
        if not text:
            continue
        lines.extend([[("", "")], [(head, "info")]])
        numbered = head != "what it gives"
        for number, row in enumerate(text.rstrip("\n").split("\n"), 1):
            lines.append([(f"{number:>4} │ " if numbered else "  ", "place"), (row, "" if numbered else "info")])
    if value["related"]:
        lines.extend([[("", "")], [("see also  ", "info"), (", ".join(value["related"]), "")]])
    return lines


def list_lines() -> list[Line]:
    """Every code with its title, by severity."""
    lines: list[Line] = []
    for severity, title in _TITLES.items():
        lines.append([(title, "info")])
        for code, (kind, page) in pages().items():
            if kind == severity:
                lines.append([(f"  {code:<22}", severity), (page.title, "")])
    lines.append([("gradcli explain CODE tells more, gradcli explain FILE the story of a program's gradients", "hint")])
    return lines


def markdown(output: Callable[[str, str], str]) -> str:
    """The text of docs/diagnostics.md; `output(name, text)` is what a program prints."""
    made = (
        "What gradcli says beside a value, by its code. `python -m gradcli.cli.explain_code` makes this page; "
        "`gradcli explain CODE` shows one code on a terminal.\n"
    )
    parts = ["# Every code\n", made]
    for severity, title in _TITLES.items():
        parts.append(f"## {title}\n")
        for code, (kind, page) in pages().items():
            if kind != severity:
                continue
            value = page_value(code, kind, page)
            parts.append(f"### {severity}[{code}]: {value['title']}\n")
            parts.append(value["meaning"] + "\n")
            if value["program"]:
                parts.append(_fenced(value["program"]))
                parts.append("It gives\n\n" + _fenced(output(f"{code}.tp", value["program"])))
                parts.append("Mended:\n\n" + _fenced(value["mended"]))
            parts.append(f"See also {', '.join(f'`{name}`' for name in value['related'])}.\n")
    return "\n".join(parts)


def _fenced(text: str) -> str:
    return f"```\n{text.rstrip()}\n```\n"
