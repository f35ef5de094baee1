"""`gradcli explain FILE` or `gradcli explain CODE`: the story of a program's gradients, or what a code means."""

from __future__ import annotations

from .exits import UsageError
from .options import parse_arguments


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status."""
    options = parse_arguments("explain", argv)
    if not options.arguments and not options.get("code"):
        raise UsageError("nothing to explain: name a program file, or write -e CODE")
    from . import explain_file

    return explain_file.run(options)
