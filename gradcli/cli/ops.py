"""`gradcli ops [NAME]`: the operations by family, one operation's page, or those that a word finds."""

from __future__ import annotations

import json
import sys

from . import exits
from .exits import UsageError
from .options import parse_arguments


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    options = parse_arguments("ops", argv)
    if len(options.arguments) > 1:
        raise UsageError("ops takes one name or word")
    from gradcli.report import operations

    word = options.arguments[0] if options.arguments else None
    found = operations.pages() if word is None else operations.find(word)
    if not found:
        near = operations.near(str(word))
        raise UsageError(f"no operation is called {word}" + (f"; did you mean {near[0]}?" if near else ""))
    if options.get("format") == "json":
        text = json.dumps(found, ensure_ascii=False)
    elif len(found) == 1:
        text = operations.page_text(found[0])
    else:
        text = operations.listing(found)
    sys.stdout.write(text + "\n")
    return exits.OK
