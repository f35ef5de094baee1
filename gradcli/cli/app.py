"""Help and completion, by Typer, made from the table of options; running and wrong usage are `main`'s affair.

    python -m gradcli.cli.app        write gradcli/cli/help_pages.py anew, which `help` shows

Typer takes longer to import than a small program takes to run, and Pydantic, which it imports when a group hands over
to one of its commands, as long again. So a command's help comes from an application of that command alone, and in the
list of commands they have no options.
"""

from __future__ import annotations

import inspect
import io
import os
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated, Any

import typer

from .options import COMMANDS, OPTIONS, WIDEST

PAGES = Path(__file__).with_name("help_pages.py")
#: the terminals whose pages are kept: a pipe counts as 80 columns, as many terminals have
_COLUMNS = (80, WIDEST)

_EVAL = """Run programs and print what they print.

Examples:

  gradcli eval file.tp

  gradcli eval -e 'variable x = 3.0; y = x^2; gradient(y, x)'

  gradcli eval --set lr=0.5 --format json train.tp

FILES are program files; - is standard input. The exit status is 0 if all went well, 1 if an assert or --strict failed,
2 for wrong usage or an unreadable file, 3 for a wrong program, 4 if a limit was reached."""

_CHECK = """Run programs for their asserts: a line each, failures in full, a summary.

Examples:

  gradcli check models

  gradcli check -x -k 'loss and not slow' models

  gradcli check --record model.tp

  gradcli check -j 4 --junit report.xml models

PATHS are program files and folders; of a folder every *.tp below it is run, hidden ones left out. Asserts, expected
failures (# expect: …) and recorded values are checks. The exit status is 0 if all went well, 1 if a check failed, 2
for wrong usage, an unreadable file or no program, 3 for a wrong program, 4 if a limit was reached; the others still
run, and the greatest counts."""

_GRAD = """The derivative of one expression; numbers are float64 here.

Examples:

  gradcli grad 'x**2 + sin(x)' x=3

  gradcli grad 'x*y' x=2 y=5 --wrt x

  gradcli grad 'x**3' x=2 --order 2

  gradcli grad 'reduce_sum(w**2)' w=@w.npy

The first argument is the expression, the others give each of its names a value; @file reads one. In a pipe only the
derivative is printed."""

_EXPLAIN = """The whole story of each gradient that a program asks for, or what a code means.

FILES: for every gradient the way from the target to the source, line by line; for a None its reason, where the path
was cut, what to write instead, and what the gradient would be if the path went on; for a NaN or an infinity where it
arose, and the right value; kinks, zeros and lost digits on the way.

A CODE: what it means, a program that gives it, and the same program mended. A file of that name is `./NAME`. Without
either: the list of codes.

Examples:

  gradcli explain model.tp

  gradcli explain dtype-mismatch

  gradcli explain -e 'variable x = 3.0; y = stop_gradient(x) * 2; gradient(y, x)'"""

_TRACE = """The tape of each gradient, step by step: forward, then backward.

Forward: each operation with its operands by name, its value, dtype and shape, and its line. Backward: what each step
hands to its operand in symbols, the number, and what has arrived there so far. Values without a name are v1, v2, …;
large ones are summarised. Of a query that ran several times the last is shown.

Examples:

  gradcli trace model.tp

  gradcli trace model.tp --only w

  gradcli trace -e 'variable x = 2.0; y = sin(x) * x; gradient(y, x)'

  gradcli trace model.tp --format markdown"""

_OPS = """The operations: by family, one by its name, or those that a word finds.

Examples:

  gradcli ops

  gradcli ops softmax

  gradcli ops norm

  gradcli ops --format json"""

_REPL = """The interactive session.

A statement runs when it is complete, a bare expression prints and is kept in _, and a line that fails leaves everything
as it was. Ctrl-C stops what runs. :help lists the commands: :explain tells the story of the last gradient, :check
compares it with numeric differentiation, :undo takes a line back, :save FILE writes a program that gives the same
values. ?sin shows the page of an operation.

On a terminal: Tab completes, Ctrl-R searches the history, which is kept in $XDG_STATE_HOME/gradcli/history, or in
~/.local/state. With piped input or on a dumb terminal: the same commands, line by line.

Examples:

  gradcli

  gradcli repl --dtype float64 --seed 7"""

_TOP = """A gradient calculator: tensor programs, a gradient tape, and the reason behind every None.

Examples:

  gradcli grad 'x**2 + sin(x)' x=3

  gradcli eval file.tp

  gradcli eval -e 'variable x = 3.0; y = x^2; gradient(y, x)'

Without a command: an interactive session on a terminal, otherwise standard input is evaluated."""


#: by command: its argument, if the table of options tells of it, and its help
_COMMANDS = {
    "eval": ("files", _EVAL),
    "check": ("paths", _CHECK),
    "grad": ("expression", _GRAD),
    "explain": ("files", _EXPLAIN),
    "trace": ("files", _TRACE),
    "ops": ("name", _OPS),
    "repl": ("", _REPL),
    "schema": ("", "Print the JSON Schema of --format json."),
}
_CONTEXT: dict[str, Any] = {"help_option_names": ["-h", "--help"], "max_content_width": WIDEST}


def _function(command: str) -> Any:
    """A function with the signature that Typer makes the command of."""
    argument = _COMMANDS[command][0]
    parameters = [
        inspect.Parameter(
            argument, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None,
            annotation=Annotated[list[str] | None, typer.Argument(show_default=False)],
        )
    ] if argument else []  # fmt: skip
    for option in OPTIONS:
        if command not in option.commands:
            continue
        whole = dict.fromkeys(("int", "count", "number"), int | None)
        kinds: dict[str, Any] = {"flag": bool, "many": list[str] | None, **whole}
        kind = kinds.get(option.kind, str | None)
        info = typer.Option(*option.flags, help=option.help, metavar=option.metavar or None, show_default=False)
        parameters.append(
            inspect.Parameter(
                option.dest, inspect.Parameter.KEYWORD_ONLY, default=False if option.kind == "flag" else None,
                annotation=Annotated[kind, info],
            )
        )  # fmt: skip

    def call(**_: Any) -> None: ...

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in parameters}
    return call


def whole(with_options: bool) -> typer.Typer:
    """The application of all commands; completion needs their options, the list of commands does not."""
    app = typer.Typer(
        name="gradcli", help=_TOP, no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False,
        context_settings=_CONTEXT,
    )  # fmt: skip
    for command, (_, words) in _COMMANDS.items():
        app.command(command, help=words)(_function(command) if with_options else lambda: None)

    @app.callback()
    def top(
        version: Annotated[
            bool, typer.Option("--version", "-V", help="Print the version.", show_default=False)
        ] = False,
    ) -> None: ...

    return app


def alone(command: str) -> typer.Typer:
    """The application of one command."""
    app = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
    app.command(command, help=_COMMANDS[command][1], context_settings=_CONTEXT)(_function(command))
    return app


def complete(argv: list[str]) -> int:
    """Answer the shell, which asks by environment variables."""
    return _status(whole(with_options=True), argv, "gradcli")


def run(argv: list[str]) -> int:
    """Show the help of the command that comes first, or of all, or install completion."""
    command = argv[0]
    if command in _COMMANDS:
        return _status(alone(command), ["--help"], f"gradcli {command}")
    return _status(whole(with_options=False), argv, "gradcli")


def _status(app: typer.Typer, argv: list[str], name: str) -> int:
    try:
        app(args=argv, prog_name=name)
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def page(command: str, columns: int) -> str:
    """The help of a command, or of all for an empty name, on a terminal of so many columns."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = str(columns)
    try:
        with redirect_stdout(io.StringIO()) as out:
            run([command or "--help"])
    finally:
        del os.environ["COLUMNS"]
        if before is not None:
            os.environ["COLUMNS"] = before
    return out.getvalue()


def pages_text() -> str:
    """The text of help_pages.py."""
    lines = [
        '"""Help by command and columns; made by `python -m gradcli.cli.app`, held current by a test."""', "",
        "# fmt: off", "PAGES: dict[tuple[str, int], str] = {",
    ]  # fmt: skip
    for command in ("", *COMMANDS):
        for columns in _COLUMNS:
            lines.append(f'    ("{command}", {columns}): (')
            lines.extend(f"        {line!r}" for line in page(command, columns).splitlines(keepends=True))
            lines.append("    ),")
    return "\n".join([*lines, "}", ""])


if __name__ == "__main__":
    PAGES.write_text(pages_text(), encoding="utf-8")
