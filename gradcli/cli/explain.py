"""`gradcli explain FILE` or `gradcli explain CODE`: the story of a program's gradients, or what a code means."""

from __future__ import annotations

import os

from .exits import UsageError
from .options import parse_arguments


def run(argv: list[str]) -> int:
    """Run the command; returns the exit status. A word that is no file is taken for a code."""
    options = parse_arguments("explain", argv)
    words = options.arguments
    if not words and not options.get("code"):
        from . import explain_code

        return explain_code.list_codes(options)
    codes = [word for word in words if word != "-" and not os.path.exists(word) and _like_a_code(word)]
    if codes and (len(words) > 1 or options.get("code")):
        raise UsageError(f"one code at a time, and no file beside it: gradcli explain {codes[0]}")
    if codes:
        from . import explain_code

        return explain_code.run(codes[0], options)
    from . import explain_file

    return explain_file.run(options)


def _like_a_code(word: str) -> bool:
    """`dtype-mismatch`, `note[kink]`: no dot, no slash."""
    return not any(mark in word for mark in "./\\")
