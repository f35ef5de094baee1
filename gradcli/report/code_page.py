"""The page of a code as lines, for `gradcli explain CODE`; and docs/diagnostics.md.

`python -m gradcli.report.code_page` makes that file.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

from .codes import find, page_value, pages

Line = list[tuple[str, str]]

_TITLES = {
    "none": "Why a gradient is None", "error": "Errors", "warning": "Warnings", "note": "Notes beside a printed value",
}  # fmt: skip


def page_lines(value: dict[str, Any], output: str, width: int) -> list[Line]:
    """A page in lines of pieces `(text, style)`; `output` is what the failing program prints."""
    lines: list[Line] = [
        [(f"{value['severity']}[{value['code']}]", value["severity"]), (f"  {value['title']}", "name")]
    ]
    lines.append([("", "")])
    lines.extend([[("  " + row, "")] for row in textwrap.wrap(value["meaning"], max(width - 2, 30))])
    for head, text in (("a program", value["program"]), ("what it gives", output), ("mended", value["mended"])):
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


def markdown() -> str:
    """The text of docs/diagnostics.md."""
    made = (
        "What gradcli says beside a value, by its code. This page is made by `python -m gradcli.report.code_page`; "
        "`gradcli explain CODE` shows the same on a terminal, with what the program gives.\n"
    )
    parts = ["# Every code\n", made]
    for severity, title in _TITLES.items():
        parts.append(f"## {title}\n")
        for code, (kind, _) in pages().items():
            if kind != severity:
                continue
            found = find(code)
            assert found is not None
            value = page_value(*found)
            parts.append(f"### {severity}[{code}]: {value['title']}\n")
            parts.append(value["meaning"] + "\n")
            parts.append(f"```\n{value['program'].rstrip()}\n```\n\nMended:\n\n```\n{value['mended'].rstrip()}\n```\n")
            related = ", ".join(f"`{name}`" for name in value["related"])
            parts.append(f"See also {related}.\n")
    return "\n".join(parts)


if __name__ == "__main__":
    path = Path(__file__).parents[2] / "docs" / "diagnostics.md"
    path.write_text(markdown(), encoding="utf-8")
