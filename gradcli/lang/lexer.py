"""Text to tokens: one regular expression made from the grammar's terminals, and what the token before decides.

Offsets only, no lines. What is no token becomes an `ERROR` token that carries its fault, so that the parser may go on
behind it.
"""

from __future__ import annotations

import re
from typing import Any

from .faults import Fault
from .literals import NESTING, NumberLists, number, string

_ORDER = ("ISNOTNONE", "ISNONE", "NOTIN", "NAME", "NUMBER", "STRING", "AUGMENT", "BINARY", "SIGN", "NEWLINE")
_SKIPPED = ("COMMENT", "CONTINUATION", "WHITESPACE")
#: after these, `{` opens a block and `[` an index
OPERAND_ENDS = frozenset([
    "NAME", "NUMBER", "NUMLIST", "STRING", "RPAR", "RSQB", "RDICT", "ELLIPSIS", "TRUE", "FALSE", "NONE", "PYTRUE",
    "PYFALSE", "PYNONE", "ISNONE", "ISNOTNONE",
])  # fmt: skip
_BLOCK_AFTER = OPERAND_ENDS | {"ELSE", "TAPE", "STOP"}
#: a line that ends in one of these goes on in the next
JOINERS = frozenset(["BINARY", "SIGN", "AND", "OR", "NOT", "IN", "NOTIN", "COMMA", "TILDE"])
#: what newlines do not count in
BRACKETS = {"LPAR": "(", "LSQB": "[", "LDICT": "{"}
_OPENERS = BRACKETS | {"LBLOCK": "{block"}
_CLOSERS = {"RPAR": "(", "RSQB": "[", "RDICT": "{", "RBLOCK": "{block"}
_CLOSING = {"(": ")", "[": "]", "{": "}", "{block": "}"}
_PRIMES = re.compile(r"'+(?=\()")
_BLANK = re.compile(r"[ \t]*")
#: what other languages, papers and word processors write, and what is written here
_FOREIGN = {
    "!": "not", "¬": "not", "∧": "and", "∨": "or", "?": "a if c else b", "−": "-", "–": "-", "×": "*", "·": "*",
    "⋅": "*", "÷": "/", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~=", "²": "**2", "³": "**3", "√": "sqrt(…)", "∞": "inf",
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'",
}  # fmt: skip
#: words that are keywords in some places only
_SOMETIMES = frozenset(["default", "stop_recording"])
_DTYPE = re.compile(r"[ \t]+(?:([^\W\d]\w*)|[\"'])")
#: a statement of more tokens than this may make a tree deeper than its brackets
_LONG = 500


class Tokens:
    """Parallel lists: type, value, start and end of each token; and the comments."""

    __slots__ = ("closed", "comments", "ends", "long", "open", "starts", "types", "values", "wrong")

    def __init__(self) -> None:
        self.types: list[str] = []
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.comments: list[tuple[int, int, str]] = []
        #: from the offset of each bracket that is closed to that of what closes it; and those closed by another's mark
        self.closed: dict[int, int] = {}
        self.wrong: set[int] = set()
        #: (bracket, offset) of what is still open at the end
        self.open: list[tuple[str, int]] = []
        #: whether some statement has very many tokens
        self.long = False


class Lexer:
    """Made once from the tables; `read` may be called for any text."""

    def __init__(self, tables: dict[str, Any]) -> None:
        regexes = {name: pattern for name, literal, pattern in tables["terminals"] if not literal}
        literals = {pattern: name for name, literal, pattern in tables["terminals"] if literal}
        self.keywords = {text: name for text, name in literals.items() if text.isidentifier()}
        self.marks = {text: name for text, name in literals.items() if not text.isidentifier()}
        words = {name: regexes[name] + r"(?!\w)" for name in ("ISNOTNONE", "ISNONE", "NOTIN")}
        parts = [f"(?P<{name}>{words.get(name, regexes[name])})" for name in (*_SKIPPED, *_ORDER)]
        marks = "|".join(re.escape(text) for text in sorted(self.marks, key=len, reverse=True))
        parts.append(f"(?P<MARK>{marks})")
        parts.append(r"(?P<BRACE>[{}])")
        self.match = re.compile("|".join(parts)).match

    def read(self, text: str, at: int = 0, opened: list[tuple[str, int]] | None = None, previous: str = "") -> Tokens:
        """The tokens of `text`; the last one is `$END`. To go on behind a fault: from an offset, at which the blocks
        `opened` are open, and as if a token of type `previous` stood before it.
        """
        tokens = Tokens()
        types, values, starts, ends = tokens.types, tokens.values, tokens.starts, tokens.ends
        stack = list(opened or ())
        match, keywords, marks, size = self.match, self.keywords, self.marks, len(text)
        lists = NumberLists(text)
        pending, statement = -1, 0
        while at < size:
            found = match(text, at)
            value: Any = None
            if found is None:
                kind, end, value = _wrong(text, at)
            else:
                kind, end = found.lastgroup, found.end()  # type: ignore[assignment]
            if kind == "WHITESPACE":
                at = end
                continue
            if kind == "NEWLINE":
                semicolon = text[at] == ";"
                if stack and stack[-1][0] != "{block":
                    if not semicolon:
                        at = end
                        continue
                    kind, expected = "ERROR", (f"`{_CLOSING[stack[-1][0]]}`",)
                    value = Fault("syntax", "unexpected", at, end, found=";", expected=expected)
                else:
                    joins = previous in JOINERS and not semicolon and not doubled(tokens, len(types))
                    if previous and pending < 0 and not joins:
                        pending = at
                    at = end
                    continue
            elif kind == "COMMENT":
                tokens.comments.append((at, end, text[at:end]))
                at = end
                continue
            elif kind == "CONTINUATION":
                if end == size:
                    kind, value = "ERROR", _nothing_follows(at)
                else:
                    at = end
                    continue
            elif kind == "NAME":
                value = text[at:end]
                if previous == "DOT" or value in keywords or value in _SOMETIMES:
                    kind = self._word(text, value, end, previous, pending >= 0)
                elif not value.isascii() and not value.isidentifier():
                    end, kind, value = _half_name(text, at, end)
            elif kind == "MARK":
                value = text[at:end]
                kind = marks[value]
                if kind == "LSQB" and (previous not in OPERAND_ENDS or pending >= 0):
                    taken = lists.read(at, len(stack))
                    if taken is not None:
                        kind, (value, end) = "NUMLIST", taken
            elif kind == "NUMBER":
                kind, value, end = number(text, at, end)
            elif kind == "STRING":
                value = string(text[at + 1 : end - 1])
            elif kind == "BRACE":
                value = text[at:end]
                if value == "}":
                    kind = "RDICT" if stack and stack[-1][0] == "{" else "RBLOCK"
                elif pending >= 0 or previous not in _BLOCK_AFTER:
                    kind = "LDICT"
                else:  # `x if c else {…}` is a dict, `} else {…}` a block
                    kind = "LDICT" if previous == "ELSE" and types[-2:-1] and types[-2] in OPERAND_ENDS else "LBLOCK"
            elif value is None:
                value = text[at:end]
            if kind in _OPENERS:
                stack.append((_OPENERS[kind], at))
                if len(stack) > NESTING:
                    kind, value = "ERROR", Fault("limit-reached", "nesting", at, end, limit=NESTING)
                    size = at
            elif kind in _CLOSERS:
                if stack and stack[-1][0] == _CLOSERS[kind]:
                    tokens.closed[stack.pop()[1]] = at
                else:
                    fault, ends_block = _mismatch(tokens, stack, text[at], at)
                    if ends_block:
                        types.append("ERROR")
                        values.append(fault)
                        starts.append(at)
                        ends.append(at)
                        pending = -1
                    else:
                        kind, value = "ERROR", fault
            if pending >= 0:
                if kind not in ("RBLOCK", "ELSE", "ELIF") and types and types[-1] not in ("LBLOCK", "NEWLINE"):
                    types.append("NEWLINE")
                    values.append("\n")
                    starts.append(pending)
                    ends.append(pending + 1)
                    if len(types) - statement > _LONG:
                        tokens.long = True
                    statement = len(types)
                pending = -1
            types.append(kind)
            values.append(value)
            starts.append(at)
            ends.append(end)
            previous = kind
            at = end
            if kind == "NAME" and text.startswith("'", at):
                primes = _PRIMES.match(text, at)
                if primes is not None:
                    types.append("PRIMES")
                    values.append(primes.end() - at)
                    starts.append(at)
                    previous, at = "PRIMES", primes.end()
                    ends.append(at)
        tokens.open = stack
        tokens.long = tokens.long or len(types) - statement > _LONG
        types.append("$END")
        values.append(None)
        starts.append(len(text))
        ends.append(len(text))
        return tokens

    def _word(self, text: str, word: str, end: int, previous: str, fresh: bool) -> str:
        """The token of a word that is not always a name, or that follows a dot."""
        if word == "stop_recording" and _next(text, end) == "{":
            return "STOP"
        if previous == "DOT":
            return "NAME"
        kind: str | None = self.keywords.get(word)
        if kind is None:
            if word == "default" and (fresh or previous in ("", "NEWLINE", "LBLOCK")):
                after = _DTYPE.match(text, end)
                return "DEFAULT" if after is not None and after.group(1) not in self.keywords else "NAME"
            return "NAME"
        if kind in ("VARIABLE", "CONSTANT") and _next(text, end) == "(":
            return "NAME"
        return kind


def _next(text: str, at: int) -> str:
    at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    return text[at : at + 1]


def doubled(tokens: Tokens, at: int) -> bool:
    """Whether the two tokens before this one are `++` or `--`, as in another language's `x++`."""
    starts, values = tokens.starts, tokens.values
    if at < 3 or tokens.types[at - 2 : at] != ["SIGN", "SIGN"]:
        return False
    return bool(values[at - 1] == values[at - 2] and starts[at - 1] == starts[at - 2] + 1)


def _wrong(text: str, at: int) -> tuple[str, int, Fault]:
    """No token begins here: an open string, or a character that the language does not have."""
    character = text[at]
    if character in "\"'":
        line = text.find("\n", at)
        line = len(text) if line < 0 else line
        return "ERROR", line, Fault("syntax", "unclosed-string", at, line)
    if character == "\\" and not text[at + 1 :].strip():
        return "ERROR", len(text), _nothing_follows(at)
    return "ERROR", at + 1, _foreign(character, at)


def _foreign(character: str, at: int) -> Fault:
    write = _FOREIGN.get(character)
    if write:
        return Fault("syntax", "foreign-operator", at, at + 1, found=character, write=write)
    return Fault("syntax", "bad-character", at, at + 1, found=character)


def _nothing_follows(at: int) -> Fault:
    """The fault of a `\\` that ends the last line."""
    details = {"found": "the end of the text", "expected": ("the rest of the statement",)}
    return Fault("syntax", "unexpected", at, at + 1, incomplete=True, **details)


def _half_name(text: str, at: int, end: int) -> tuple[int, str, Any]:
    """A word such as `x²`, whose later letters are none that a name may have: the name before, or the first of them."""
    stop = at
    while stop < end and text[at : stop + 1].isidentifier():
        stop += 1
    if stop > at:
        return stop, "NAME", text[at:stop]
    return at + 1, "ERROR", _foreign(text[at], at)


def _mismatch(tokens: Tokens, stack: list[tuple[str, int]], closer: str, at: int) -> tuple[Fault, bool]:
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
    fits = [i for i in range(least, len(stack)) if _CLOSING[stack[i][0]] == closer]
    if not fits and closer == "}" and blocks:
        del stack[least - 1 :]
        return fault, True
    keep = fits[-1] if fits else len(stack) - 1
    tokens.closed.update((offset, at) for _, offset in stack[keep:])
    tokens.wrong.update(offset for _, offset in stack[keep + bool(fits) :])
    del stack[keep:]
    return fault, False
