"""The entry point. `eval`, `check`, `grad` and `--version` are dispatched here, before Typer, which takes longer to
import than they take to run, and so is wrong usage; help and completion are Typer's, made from the same table."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from . import exits
from .options import COMMANDS, HELP, unknown
from .streams import FULL, discard_output, is_terminal, prepare

#: the modules of the commands that need no Typer, each with a function `run`
_MODULES = {
    "eval": "evaluate", "check": "check", "grad": "grad", "explain": "explain", "trace": "trace", "ops": "ops",
    "repl": "repl",
}  # fmt: skip


def main() -> None:
    """Run gradcli with the process's arguments and end the process with its status."""
    sys.exit(guarded(sys.argv[1:]))


def guarded(argv: list[str]) -> int:
    """Run a command line; every way to fail becomes a status and a line, never a traceback (unless `--debug`)."""
    try:
        prepare()
        status = run(argv)
        sys.stdout.flush()
        return status
    except exits.UsageError as error:
        sys.stderr.write(f"gradcli: {error}\n")
        sys.stderr.write("gradcli: see gradcli --help\n")
        return exits.USAGE
    except KeyboardInterrupt:
        sys.stderr.write("\ngradcli: interrupted\n")
        return exits.INTERRUPTED
    except BrokenPipeError:
        # the reader has gone; keep Python from complaining when it flushes at the end
        discard_output()
        return exits.OK
    except OSError as error:
        # what is read is told of where it is read: this is an output, on a full disk
        if "--debug" in argv or error.errno not in FULL:
            return _bug(error, argv)
        discard_output()
        sys.stderr.write(f"gradcli: the output cannot be written: {error.strerror}\n")
        return exits.USAGE
    except Exception as error:
        return _bug(error, argv)


def _bug(error: Exception, argv: list[str]) -> int:
    if "--debug" in argv:
        raise error
    sys.stderr.write(exits.bug_text(error) + "\n")
    return exits.BUG


def run(argv: list[str]) -> int:
    """Run a command line; returns the exit status."""
    command = argv[0] if argv else ""
    rest = argv[1:]
    if command in ("--version", "-V"):
        from gradcli import __version__

        sys.stdout.write(f"gradcli {__version__}\n")
        return exits.OK
    if command in _MODULES and not _asks_for_help(rest):
        return int(import_module(f".{_MODULES[command]}", __package__).run(rest))
    if command == "schema" and not rest:
        import json

        from gradcli.report.schema import SCHEMA

        sys.stdout.write(json.dumps(SCHEMA, indent=2) + "\n")
        return exits.OK
    if any(name.startswith("_GRADCLI") and name.endswith("_COMPLETE") for name in os.environ):
        from . import app

        return app.complete(argv)
    if not argv:
        if is_terminal(sys.stdin):
            from . import repl

            return repl.run([])
        from . import evaluate

        return evaluate.run(["-"])
    if command not in COMMANDS and command not in HELP:
        raise unknown(command)
    if command == "schema" and not _asks_for_help(rest):
        raise exits.UsageError("schema takes no arguments")
    from . import help

    return help.run(argv)


def _asks_for_help(argv: list[str]) -> bool:
    for word in argv:
        if word == "--":
            return False
        if word in ("--help", "-h"):
            return True
    return False
