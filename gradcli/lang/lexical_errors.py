"""What is no token, and what a bracket that does not fit is likely to mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .faults import Fault
from .tokens import CLOSING, JOINERS

if TYPE_CHECKING:
    from .tokens import Tokens

#: what other languages, papers and word processors write, and what is written here
_FOREIGN = {
    "!": "not", "¬": "not", "∧": "and", "∨": "or", "?": "a if c else b", "−": "-", "–": "-", "×": "*", "·": "*",
    "⋅": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~=", "²": "**2", "³": "**3", "√": "sqrt(…)", "∞": "inf",
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'",
}  # fmt: skip
#: what stands behind a `}` on its line, if anything does; what no statement begins with; and tokens that end none
_FOLLOWS = re.compile(r"[^\s;}#\w]|\w+")
_IN_A_STATEMENT = frozenset("+-*/%@^&|<>=,.:)]")
_ELSE = ("else", "elif")
_WITHIN = frozenset(["in", "and", "or", "is"])
_INSIDE = JOINERS | {
    "EQUAL", "AUGMENT", "LPAR", "LSQB", "LDICT", "COLON", "DOT", "WATCH", "IF", "ELIF", "ELSE", "FOR", "WHILE",
    "ASSERT", "TAPE", "DEF", "MODULE", "VARIABLE", "CONSTANT", "LAMBDA",
}  # fmt: skip
_LAST = re.compile(r"\\\s*\Z")
_BLANK = re.compile(r"[ \t]*")


def doubled(tokens: Tokens, at: int) -> bool:
    """Whether the two tokens before this one are `++` or `--`, as in another language's `x++`."""
    starts, values = tokens.starts, tokens.values
    if at < 3 or tokens.types[at - 2 : at] != ["SIGN", "SIGN"]:
        return False
    return bool(values[at - 1] == values[at - 2] and starts[at - 1] == starts[at - 2] + 1)


def goes_on(text: str, at: int, previous: str, bracket: str) -> bool:
    """Whether the statement around a `}` goes on behind it on its line, so that the `}` ends no block.

    `previous` is the token before it, `bracket` what is open there.
    """
    follows = _follows(text, at)
    if follows is None:
        return False
    word = follows.group()
    then = _follows(text, follows.end())
    if bracket == "{block" and previous not in _INSIDE and word != "{" and (then is None or then.group() in _ELSE):
        return False  # `} )`: the last mark is one too many
    if bracket != "{block" and word in ("for", "if"):
        return True
    within = word[0] in _IN_A_STATEMENT or word in _WITHIN or (follows.start() == at and word in "([{")
    return within or (previous in _INSIDE and word not in _ELSE)


def _follows(text: str, at: int) -> re.Match[str] | None:
    return _FOLLOWS.match(text, _BLANK.match(text, at).end())  # type: ignore[union-attr]


def stray_brace(at: int) -> Fault:
    """The fault of a `}` in the middle of a statement."""
    return Fault("syntax", "unexpected", at, at + 1, found="}", expected=("the rest of the statement",))


def no_token(text: str, at: int) -> tuple[str, int, Fault]:
    """No token begins here: an open string, or a character that the language does not have."""
    character = text[at]
    if character in "\"'":
        line = text.find("\n", at)
        line = len(text) if line < 0 else line
        return "ERROR", line, Fault("syntax", "unclosed-string", at, line)
    if character == "\\" and _LAST.match(text, at):
        return "ERROR", len(text), nothing_follows(at)
    return "ERROR", at + 1, _foreign(character, at)


def _foreign(character: str, at: int) -> Fault:
    write = _FOREIGN.get(character)
    if write:
        return Fault("syntax", "foreign-operator", at, at + 1, found=character, write=write)
    return Fault("syntax", "bad-character", at, at + 1, found=character)


def nothing_follows(at: int) -> Fault:
    """The fault of a `\\` that ends the last line."""
    expected = ("the rest of the statement",)
    return Fault("syntax", "unexpected", at, at + 1, True, found="the end of the text", expected=expected)


def half_name(text: str, at: int, end: int) -> tuple[int, str, Any]:
    """A word such as `x²`, whose later letters are none that a name may have: the name before, or the first of them."""
    stop = at
    while stop < end and (text[stop] if stop == at else f"_{text[stop]}").isidentifier():
        stop += 1
    if stop > at:
        return stop, "NAME", text[at:stop]
    return at + 1, "ERROR", _foreign(text[at], at)


def mismatch(tokens: Tokens, stack: list[tuple[str, int]], closer: str, at: int) -> tuple[Fault, bool]:
    """The fault of a closing bracket that does not fit, and whether it ends a block all the same.

    `stack` becomes what is most likely meant, so that what follows is read rightly: `f(a[1)` lacks a `]`, `f(a]` has a
    wrong `]`, and a `}` ends its block even if a bracket in the block is open.
    """
    blocks = [i for i, (bracket, _) in enumerate(stack) if bracket == "{block"]
    least = blocks[-1] + 1 if blocks else 0
    if len(stack) == least:
        return Fault("syntax", "unmatched", at, at + 1, found=closer), False
    bracket, opened = stack[-1]
    fault = Fault("syntax", "unclosed-bracket", at, at + 1, opened=opened, bracket=bracket)
    fits = [i for i in range(least, len(stack)) if CLOSING[stack[i][0]] == closer]
    if not fits and closer == "}" and blocks:
        del stack[least - 1 :]
        return fault, True
    keep = fits[-1] if fits else len(stack) - 1
    tokens.closed.update((offset, at) for _, offset in stack[keep:])
    tokens.wrong.update(offset for _, offset in stack[keep + bool(fits) :])
    del stack[keep:]
    return fault, False
