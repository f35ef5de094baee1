"""Every command and flag, once. The quick dispatch and Typer's help are both made from this table."""

from __future__ import annotations

import os
from typing import Any

from .exits import UsageError

COMMANDS = ("eval", "check", "grad", "explain", "trace", "ops", "repl", "schema")
#: what may stand in a command's place
HELP = ("--help", "-h", "--install-completion", "--show-completion")
_LONG = ("--help", "--version", "--install-completion", "--show-completion")
#: help is never wider, on a terminal however wide
WIDEST = 100
FORMATS = ("rich", "plain", "json")
TRACE_FORMATS = (*FORMATS, "markdown")
CHECK_FORMATS = (*FORMATS, "tap", "github")


class Option:
    """One flag; `commands` have it.

    `kind` is flag, text, int, count, number, real or many (may come again); `choices` are the words it takes.
    """

    __slots__ = ("choices", "commands", "dest", "flags", "help", "kind", "metavar")

    def __init__(
        self, *flags: str, kind: str = "text", help: str, metavar: str = "", choices: tuple[str, ...] = (),
        commands: tuple[str, ...] = ("eval", "check", "grad", "explain", "trace"),
    ) -> None:  # fmt: skip
        self.flags = flags
        self.dest = flags[0].lstrip("-").replace("-", "_")
        self.kind = kind
        self.help = help
        self.metavar = metavar
        self.choices = choices
        self.commands = commands


#: the largest whole number of a kind; the smallest is 1
_MOST = {"int": 1000, "count": 10**9}
_RUN = ("eval", "grad")
_JUDGE = ("eval", "check", "grad")
_SESSION = ("repl",)
_ALL = ("eval", "check", "grad", "explain", "trace", *_SESSION)

OPTIONS = (
    Option("--wrt", metavar="NAMES", help="Differentiate by these names only: x,y.", commands=("grad",)),
    Option("--order", kind="int", metavar="N", help="The order of the derivative.", commands=("grad",)),
    Option("--jacobian", kind="flag", help="The Jacobian instead of the gradient of the sum.", commands=("grad",)),
    Option("--hessian", kind="flag", help="The Hessian of a scalar expression.", commands=("grad",)),
    Option("--check", kind="flag", help="Compare the derivative with a numeric one.", commands=("grad",)),
    Option(
        "--code", "-e", kind="many", metavar="CODE", help="Run this program text.",
        commands=("eval", "explain", "trace"),
    ),
    Option("--only", metavar="NAME", help="Only the steps that make or read the value NAME.", commands=("trace",)),
    Option(
        "--steps", kind="count", metavar="N", help="So many steps of each part, the first and the last; 200.",
        commands=("trace",),
    ),
    Option(
        "--only", "-k", metavar="WORDS", help="Only programs whose path contains WORDS; join by or, and, not.",
        commands=("check",),
    ),
    Option("--fail-fast", "-x", kind="flag", help="Stop after the first program that fails.", commands=("check",)),
    Option("--jobs", "-j", kind="int", metavar="N", help="Run in N processes.", commands=("check",)),
    Option(
        "--record", kind="flag", help="Keep what programs print in FILE.expected.json; later runs compare with it.",
        commands=("check",),
    ),
    Option("--junit", metavar="FILE", help="Write the outcome to FILE as JUnit's XML.", commands=("check",)),
    Option(
        "--set", kind="many", metavar="NAME=VALUE", help="Override a declaration; @file reads the value from a file.",
        commands=("eval", "check", "explain", "trace"),
    ),
    Option(
        "--format", choices=FORMATS, metavar="FORMAT", help="rich on a terminal, plain in a pipe, or json.",
        commands=("eval", "grad", "explain", "ops", *_SESSION),
    ),
    Option(
        "--format", choices=CHECK_FORMATS, metavar="FORMAT",
        help="rich on a terminal, plain in a pipe, json, tap or github (annotations).", commands=("check",),
    ),
    Option(
        "--format", choices=TRACE_FORMATS, metavar="FORMAT",
        help="rich on a terminal, plain in a pipe, json or markdown.", commands=("trace",),
    ),
    Option(
        "--dtype", choices=("float16", "float32", "float64"), metavar="DTYPE", help="The dtype of float literals.",
        commands=_ALL,
    ),
    Option(
        "--seed", kind="number", metavar="N", help="The seed of the random operations; 0 if not given.", commands=_ALL,
    ),
    Option("--strict", kind="flag", help="A none, a NaN or a dtype warning makes the status 1.", commands=_JUDGE),
    Option("--numeric", kind="flag", help="Compare each gradient with a numeric one in full.", commands=("check",)),
    Option(
        "--verify", kind="flag", help="Compare each gradient with a numeric one, along a random direction.",
        commands=_JUDGE,
    ),
    Option(
        "--against", metavar="FILE", commands=("check",),
        help="Compare gradients with those in FILE: .npz, .npy, .json, .csv, .safetensors.",
    ),
    Option("--rtol", kind="real", metavar="X", help="Relative tolerance of --against.", commands=("check",)),
    Option("--atol", kind="real", metavar="X", help="Absolute tolerance of --against.", commands=("check",)),
    Option(
        "--math", kind="flag", help="Print the mathematical value where arithmetic gives another, as 0·inf.",
        commands=(*_RUN, *_SESSION),
    ),
    Option(
        "--quiet", "-q", kind="flag", help="No notes, warnings and reasons; errors and failed asserts stay.",
        commands=(*_JUDGE, *_SESSION),
    ),
    Option(
        "--save", metavar="FILE", help="Write the program's values to FILE: .npz, .json, .safetensors.", commands=_RUN,
    ),
    Option(
        "--export", metavar="FILE", help="Write what a terminal would show to FILE, .svg or .html.",
        commands=("eval", "check", "grad", "explain", "trace"),
    ),
    Option("--time", kind="flag", help="Tell where the time went: parsing, forward, backward.", commands=_RUN),
    Option("--timeout", metavar="SECONDS", help="Stop after so many seconds, with status 4."),
    Option("--max-memory", metavar="SIZE", help="Stop beyond so much memory (500M, 2G), with status 4."),
    Option(
        "--precision", kind="int", metavar="N", help="Significant digits of printed numbers.",
        commands=(*_RUN, "trace", *_SESSION),
    ),
    Option("--full", kind="flag", help="No … in big arrays.", commands=(*_RUN, *_SESSION)),
    Option(
        "--color", choices=("auto", "always", "never"), metavar="WHEN", help="Colour: auto, always or never.",
        commands=_ALL,
    ),
    Option("--debug", kind="flag", help="Show Python's traceback of a bug in gradcli.", commands=_ALL),
)  # fmt: skip


class Parsed:
    """What the command line said: `values` by flag name, and the arguments that are no flags."""

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.arguments: list[str] = []

    def get(self, name: str, default: Any = None) -> Any:
        """The value of a flag, or `default`."""
        return self.values.get(name, default)

    def without(self, name: str) -> Parsed:
        """The same without one flag."""
        other = Parsed()
        other.arguments = self.arguments
        other.values = {key: value for key, value in self.values.items() if key != name}
        return other


def parse_arguments(command: str, argv: list[str]) -> Parsed:
    """Parse `argv` by the table. Raises UsageError with the nearest flag where there is none of that name."""
    known = {flag: option for option in OPTIONS if command in option.commands for flag in option.flags}
    parsed = Parsed()
    i = 0
    while i < len(argv):
        word = argv[i]
        i += 1
        if word == "--":
            parsed.arguments.extend(argv[i:])
            break
        if word == "-" or not word.startswith("-") or (command == "grad" and not parsed.arguments and _negative(word)):
            parsed.arguments.append(word)
            continue
        name, equals, value = word.partition("=")
        if name not in known and not word.startswith("--") and len(word) > 2 and word[:2] in known:
            name, value, equals = word[:2], word[2:], "="
        option = known.get(name)
        if option is None:
            raise UsageError(f"there is no option {name}{_nearest(name, known)}")
        if option.kind == "flag":
            if equals:
                raise UsageError(f"{name} takes no value")
            parsed.values[option.dest] = True
            continue
        if not equals:
            if i >= len(argv):
                raise UsageError(f"{name} needs a value: {name} {option.metavar}")
            value = argv[i]
            i += 1
        if option.kind == "many":
            parsed.values.setdefault(option.dest, []).append(value)
        else:
            parsed.values[option.dest] = _checked(option, name, value)
    return parsed


def _negative(word: str) -> bool:
    """`-x**2` as an expression: a minus and then no flag."""
    return (
        len(word) > 1 and not word.startswith("--") and (not word[1].isalpha() or len(word) > 2 or word[1] not in "eq")
    )


def _checked(option: Option, name: str, value: str) -> Any:
    if option.choices and value not in option.choices:
        raise UsageError(f"{name} is {', '.join(option.choices[:-1])} or {option.choices[-1]}, not {value}")
    if option.kind == "real":
        return _real(name, value)
    if option.kind == "number":
        if not (value.isascii() and value.isdigit() and len(value) <= 18):
            raise UsageError(f"{name} takes a whole number from 0, not {value}")
        return int(value)
    if option.kind in _MOST:
        try:
            number = int(value)
        except ValueError:
            raise UsageError(f"{name} takes a whole number, not {value}") from None
        if not 1 <= number <= _MOST[option.kind]:
            raise UsageError(f"{name} is between 1 and {_MOST[option.kind]}, not {number}")
        return number
    return value


def _real(name: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise UsageError(f"{name} takes a number from 0, not {value}")
    return number


def unknown(word: str) -> UsageError:
    """The error for a first word that is no command: a misspelt one, or a file or an option of `eval` without it."""
    name = word.partition("=")[0]
    for_eval = any(name in option.flags for option in OPTIONS if "eval" in option.commands)
    if for_eval or word == "-" or os.path.isfile(word):
        return UsageError(f"{word} without a command; did you mean gradcli eval {word}?")
    if word.startswith("-"):
        return UsageError(f"there is no option {name}{_nearest(name, _LONG)}")
    if f"--{word}" in _LONG:
        return UsageError(f"there is no command {word}; did you mean --{word}?")
    return UsageError(f"there is no command {word}{_nearest(word, COMMANDS)}")


def _nearest(name: str, known: Any) -> str:
    from gradcli.lang.suggest import nearest

    near = nearest(name, list(known))
    return f"; did you mean {near[0]}?" if near else ""
