"""`gradcli explain CODE`: what a code means, a program that gives it, and the program mended.

`python -m gradcli.cli.explain_code` makes docs/diagnostics.md of the same pages.
"""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING, Any

from . import exits
from .exits import UsageError
from .streams import coloured, is_terminal

if TYPE_CHECKING:
    from gradcli.report.code_page import Line

    from .options import Parsed

_TAKEN = ("format", "color", "debug")


def run(word: str, options: Parsed) -> int:
    """Show the page of a code. Raises UsageError, with the nearest codes, where there is none."""
    from gradcli.report.code_page import page_lines
    from gradcli.report.codes import find, near, page_value

    found = find(word)
    if found is None:
        codes = near(word)
        last = " or ".join(codes[-2:])
        hint = f"did you mean {', '.join([*codes[:-2], last])}?" if codes else "gradcli explain lists the codes"
        raise UsageError(f"{word or 'an empty word'} is no file and no code; {hint}")
    _refuse_the_rest(options)
    value = page_value(*found)
    output = output_of(f"{value['code']}.tp", value["program"])
    if options.get("format") == "json":
        sys.stdout.write(json.dumps({"schema": "gradcli/1", **value, "output": output}, ensure_ascii=False) + "\n")
    else:
        _draw(options, lambda width: page_lines(value, output, width))
    return exits.OK


def lines_of(word: str, width: int) -> list[Line] | None:
    """The page of a code in lines, with what its program prints; None where there is no such code."""
    from gradcli.report.code_page import page_lines
    from gradcli.report.codes import find, page_value

    found = find(word)
    if found is None:
        return None
    value = page_value(*found)
    return page_lines(value, output_of(f"{value['code']}.tp", value["program"]), width)


def list_codes(options: Parsed) -> int:
    """List every code with its title."""
    from gradcli.report.code_page import list_lines
    from gradcli.report.codes import pages

    _refuse_the_rest(options)
    if options.get("format") == "json":
        entries = [{"code": code, "severity": kind, "title": page.title} for code, (kind, page) in pages().items()]
        sys.stdout.write(json.dumps({"schema": "gradcli/1", "codes": entries}, ensure_ascii=False) + "\n")
    else:
        _draw(options, lambda width: list_lines())
    return exits.OK


def _refuse_the_rest(options: Parsed) -> None:
    for name in options.values:
        if name not in _TAKEN:
            raise UsageError(f"--{name.replace('_', '-')} is for a program; name its file")


def _draw(options: Parsed, lines: Any) -> None:
    format_ = options.get("format") or ("rich" if is_terminal(sys.stdout) else "plain")
    if format_ == "rich":
        from gradcli.report.rich_view import RichView, make_console

        console = make_console(sys.stdout, coloured(sys.stdout, options.get("color")))
        RichView(console, None, False).lines(lines(min(console.width, 100)))
        return
    for line in lines(100):
        sys.stdout.write("".join(text for text, _ in line).rstrip() + "\n")


def output_of(name: str, text: str) -> str:
    """What a program prints, both streams in turn, as in a pipe; nothing for no program."""
    if not text:
        return ""
    from gradcli.lang.source import Source

    from .evaluate import run_source

    kept, sink = (sys.stdout, sys.stderr), io.StringIO()
    sys.stdout = sys.stderr = sink
    try:
        run_source(Source(name, text))
    finally:
        sys.stdout, sys.stderr = kept
    return sink.getvalue()


if __name__ == "__main__":
    from pathlib import Path

    from gradcli.report.code_page import markdown

    (Path(__file__).parents[2] / "docs" / "diagnostics.md").write_text(markdown(output_of), encoding="utf-8")
