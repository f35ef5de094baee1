"""Help as Typer makes it, kept in `help_pages` (see `app`) for the widths that nearly all have; others ask Typer, whose
import takes longer than a small program."""

from __future__ import annotations

import sys
from shutil import get_terminal_size

from . import exits
from .help_pages import PAGES
from .options import COMMANDS, WIDEST


def run(argv: list[str]) -> int:
    """Show the help of the command that comes first, or of all, or install completion; returns the exit status."""
    command = argv[0] if argv[0] in COMMANDS else ""
    if command or argv in (["--help"], ["-h"]):
        page = PAGES.get((command, min(get_terminal_size().columns, WIDEST)))
        if page is not None:
            sys.stdout.write(page)
            return exits.OK
    from . import app

    return app.run(argv)
