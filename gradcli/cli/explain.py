"""`gradcli explain FILE` or `gradcli explain CODE`: the story of a program's gradients, or what a code means."""

from __future__ import annotations

import os

from .exits import UsageError
from .options import parse_arguments


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status. `explain zero` is the code, `explain ./zero` the file."""
    options = parse_arguments("explain", argv)
    words = options.arguments
    if not words and not options.get("code"):
        from . import explain_code

        return explain_code.list_codes(options)
    codes = [word for word in words if _is_code(word)]
    if codes and (len(words) > 1 or options.get("code")):
        raise UsageError(f"one code at a time, and no file beside it: gradcli explain {codes[0]}")
    if codes:
        from . import explain_code

        return explain_code.run(codes[0], options)
    from . import explain_file

    return explain_file.run(options)


def _is_code(word: str) -> bool:
    """A known code, also where a file or folder has its name; else a word without dot and slash that is no file."""
    from gradcli.report.codes import find

    if find(word) is not None:
        return True
    return word != "-" and not os.path.exists(word) and not any(mark in word for mark in "./\\")
