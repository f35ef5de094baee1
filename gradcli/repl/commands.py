"""The commands of the session, an entry each: name, argument, help, function. `:help` and completion read the table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gradcli.lang.suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from .workbench import Lines, Workbench


class Leave(Exception):
    """Raised to end the session."""


class Command:
    """One command. `argument` is empty, `NAME` if it must be given, `[NAME]` if it may; `kind` is what completes it."""

    __slots__ = ("argument", "call", "help", "kind", "name")

    def __init__(self, name: str, argument: str, kind: str, help: str, call: Callable[[Workbench, str], None]) -> None:
        self.name = name
        self.argument = argument
        self.kind = kind
        self.help = help
        self.call = call


def is_command(text: str) -> bool:
    """Is it a command, or a question of the form `?sin`, and no piece of program?"""
    return text.lstrip().startswith((":", "?"))


def run_command(bench: Workbench, text: str) -> None:
    """Run the command in a text. Raises Leave for `:quit`."""
    text = text.strip()
    if text.startswith("?"):
        text = f":help {text[1:]}"
    name, _, argument = text.partition(" ")
    argument = argument.strip()
    name = _SHORT.get(name, name)
    command = COMMANDS.get(name)
    if command is None:
        near = nearest(name, COMMANDS)
        bench.screen.say(f"there is no command {name}; " + (f"did you mean {near[0]}?" if near else ":help lists them"))
    elif argument and not command.argument:
        bench.screen.say(f"{name} takes nothing behind it")
    elif not argument and command.argument and not command.argument.startswith("["):
        bench.screen.say(f"{name} needs something behind it: {name} {command.argument}")
    else:
        command.call(bench, argument)


# -- what they do ------------------------------------------------------------------------------------------------------


def _vars(bench: Workbench, argument: str) -> None:
    from .inspection import variables_lines

    bench.screen.lines(variables_lines(bench.session))


def _tapes(bench: Workbench, argument: str) -> None:
    from .inspection import tapes_lines

    bench.screen.lines(tapes_lines(bench.session))


def _explain(bench: Workbench, argument: str) -> None:
    if argument:
        _page(bench, argument)
        return
    last = bench.last_asked()
    session = bench.again(lambda outcome: None, thorough=True) if last is not None else None
    told = list(session.explained.values()) if session is not None else []
    if not told:
        bench.screen.say("nothing to explain: no line has asked for a gradient yet")
        return
    from gradcli.report.story import story_lines

    bench.screen.lines(story_lines(told[-1]))


def _trace(bench: Workbench, argument: str) -> None:
    traced = bench.traced()
    if traced is None:
        bench.screen.say("nothing to trace: no line has asked for a gradient yet")
        return
    from gradcli.report.trace.rows import STEPS, Rows, no_step
    from gradcli.report.trace.text import trace_lines

    rows = Rows(traced)
    if argument and not rows.only(argument):
        bench.screen.say(no_step(argument, rows.known()))
        return
    bench.screen.lines(trace_lines(rows, STEPS, bench.screen.display().get("precision")))


def _check(bench: Workbench, argument: str) -> None:
    last = bench.last_asked()
    held: list[Any] = []
    if last is not None:
        bench.again(held.append, checked=last)
    checks = [outcome for outcome in held if type(outcome).__name__ == "Checked"]
    if not checks:
        bench.screen.say("nothing to check: no line has asked for a gradient yet")
        return
    outcome = checks[-1]
    if outcome.verdict == "agrees":
        from gradcli.report.catalogue.checks import agreement_text

        bench.screen.lines([[(agreement_text(outcome), "")]])
    else:
        bench.screen.emit(outcome)


def _load(bench: Workbench, argument: str) -> None:
    from gradcli.lang.source import NotText

    path = _path(argument)
    try:
        bench.load(path)
    except OSError as error:
        bench.screen.say(f"{path} cannot be read: {error.strerror or error}")
    except NotText as error:
        bench.screen.say(f"{path} is not a text file in UTF-8 (byte {error.offset})")


def _save(bench: Workbench, argument: str) -> None:
    from .saving import save

    path = _path(argument)
    replaced = " (there was one; it is replaced)" if os.path.exists(path) else ""
    trouble = save(bench, path)
    count = len(bench.lines)
    if trouble is not None:
        bench.screen.say(f"{path} cannot be written: {trouble}")
    else:
        bench.screen.lines([[(f"{count} line{'' if count == 1 else 's'} saved in {path}{replaced}", "info")]])


def _path(argument: str) -> str:
    if len(argument) > 1 and argument[0] == argument[-1] and argument[0] in "'\"":
        argument = argument[1:-1]
    return os.path.expanduser(argument)


def _reset(bench: Workbench, argument: str) -> None:
    bench.reset()
    bench.screen.lines([[("all names and tapes are gone; :undo brings them back", "info")]])


def _set(bench: Workbench, argument: str) -> None:
    from .settings import SETTINGS, change

    if not argument:
        widest = max(map(len, SETTINGS))
        bench.screen.lines([
            [(name.ljust(widest), "name"), (f"  {setting.get(bench)}", "value"), (f"  {setting.help}", "info")]
            for name, setting in SETTINGS.items()
        ])  # fmt: skip
        return
    name, _, value = argument.partition(" ")
    trouble = change(bench, name, value.strip())
    if trouble is not None:
        bench.screen.say(trouble)


def _time(bench: Workbench, argument: str) -> None:
    found = bench.time(argument)
    if found is not None:
        count, first, fastest = found
        times = "once" if count == 1 else f"{count} times"
        bench.screen.lines([[("fastest  ", "info"), (_seconds(fastest), "value"),
                             (f"   first {_seconds(first)}, evaluated {times}", "info")]])  # fmt: skip


def _seconds(seconds: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if seconds * factor >= 1:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def _undo(bench: Workbench, argument: str) -> None:
    text = bench.undo()
    if text is None:
        bench.screen.say("there is nothing to take back")
        return
    first, *rest = text.strip().split("\n")
    short = first if len(first) <= 60 else first[:59] + "…"
    bench.screen.lines([[("taken back: ", "info"), (short + (" …" if rest else ""), "")]])


def _help(bench: Workbench, argument: str) -> None:
    if not argument:
        bench.screen.lines(help_lines())
        return
    command = COMMANDS.get(argument) or COMMANDS.get(":" + argument)
    if command is not None and (argument.startswith(":") or not _is_operation(argument)):
        bench.screen.lines([_row(command, 0)])
    else:
        _page(bench, argument)


def _is_operation(word: str) -> bool:
    from gradcli.engine.primitive import lookup

    return lookup(word) is not None


def _page(bench: Workbench, word: str) -> None:
    """The page of an operation, or of a code."""
    from gradcli.engine.primitive import lookup
    from gradcli.report import operations

    op = lookup(word)
    if op is not None:
        head, *rest = operations.page_text(operations.page(op)).split("\n")
        bench.screen.lines([[(head, "name")], *([(row, "")] for row in rest)])
        return
    lines = bench.screen.code_page(word)
    if lines is not None:
        bench.screen.lines(lines)
        return
    near = operations.near(word)
    hint = f"did you mean {near[0]}?" if near else "gradcli ops lists the operations, gradcli explain the codes"
    bench.screen.say(f"{word} is no operation and no code; {hint}")


def _quit(bench: Workbench, argument: str) -> None:
    raise Leave


# -- the table ---------------------------------------------------------------------------------------------------------

COMMANDS = {
    command.name: command
    for command in (
        Command(":vars", "", "", "the names and what they hold", _vars),
        Command(":tapes", "", "", "the tapes: what each watches, and whether it may be asked", _tapes),
        Command(":explain", "[NAME]", "page", "the whole story of the last gradient; or the page of an operation or a "
                "code", _explain),
        Command(":trace", "[NAME]", "program", "the last gradient step by step, forward and backward; or a value's "
                "steps", _trace),
        Command(":check", "", "", "compare the last gradient with numeric differentiation", _check),
        Command(":load", "FILE", "path", "run a program here", _load),
        Command(":save", "FILE", "path", "write the lines so far as a program that gives the same values", _save),
        Command(":reset", "", "", "forget all names and tapes", _reset),
        Command(":set", "[NAME VALUE]", "setting", "the settings; or change one: :set dtype float64", _set),
        Command(":time", "EXPRESSION", "program", "how long an expression takes; nothing is kept of it", _time),
        Command(":undo", "", "", "take back the last line, also what it assigned in place", _undo),
        Command(":help", "[NAME]", "page", "this page; or that of a command, an operation or a code", _help),
        Command(":quit", "", "", "leave (also Ctrl-D)", _quit),
    )
}  # fmt: skip
_SHORT = {":q": ":quit", ":exit": ":quit", ":h": ":help", ":?": ":help"}

_INTRODUCTION = (
    "Write a statement; a bare expression prints and is kept in _.",
    "  variable x = 3.0",
    "  gradient(x^2 + sin(x), x)",
    "A block goes on until its } and an expression until its bracket; two empty lines end one all the same.",
    "A line that fails leaves everything as it was before it. Ctrl-C stops what runs.",
    "?sin shows the page of an operation.",
)
_KEYS = (
    "On a terminal: Tab completes, Ctrl-R searches the history, Alt-Enter begins a new line.",
)  # fmt: skip


def help_lines() -> Lines:
    """The page of `:help`."""
    widest = max(len(f"{command.name} {command.argument}") for command in COMMANDS.values())
    rows: Lines = [[(text, "")] for text in _INTRODUCTION]
    return [*rows, [("", "")], *(_row(command, widest) for command in COMMANDS.values()), [("", "")],
            *([(text, "info")] for text in _KEYS)]  # fmt: skip


def _row(command: Command, width: int) -> list[tuple[str, str]]:
    head = f"{command.name} {command.argument}".rstrip()
    return [(head.ljust(width), "name"), ("  " + command.help, "")]
