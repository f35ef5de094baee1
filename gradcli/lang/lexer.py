"""Text to tokens: one regular expression made from the grammar's terminals, and what the token before decides.

Offsets only, no lines. What is no token becomes an `ERROR` token that carries its fault, so that the parser may go on
behind it.
"""

from __future__ import annotations

import re
from typing import Any

from .depth import NESTING
from .faults import Fault
from .lexical_errors import doubled, goes_on, half_name, mismatch, no_token, nothing_follows, stray_brace
from .literals import NumberLists, number, string
from .tokens import BRACKETS, CLOSING, JOINERS, OPERAND_ENDS, Tokens

_ORDER = ("ISNOTNONE", "ISNONE", "NOTIN", "NAME", "NUMBER", "STRING", "AUGMENT", "BINARY", "SIGN", "NEWLINE")
_SKIPPED = ("COMMENT", "CONTINUATION", "WHITESPACE")
_BLOCK_AFTER = OPERAND_ENDS | {"ELSE", "TAPE", "STOP"}
_OPENERS = BRACKETS | {"LBLOCK": "{block"}
_CLOSERS = {"RPAR": "(", "RSQB": "[", "RDICT": "{", "RBLOCK": "{block"}
_PRIMES = re.compile(r"'+(?=\()")
_BLANK = re.compile(r"[ \t]*")
_NUMBER_LIKE = ("bad-number", "missing-operator")
#: words that are keywords in some places only
_SOMETIMES = frozenset(["default", "stop_recording"])
_DTYPE = re.compile(r"[ \t]+(?:([^\W\d]\w*)|[\"'])")
#: a statement of more tokens than this may make a tree deeper than its brackets
_LONG = 500


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
        tokens.blocks = len(opened or ())
        types, values, starts, ends = tokens.types, tokens.values, tokens.starts, tokens.ends
        stack = list(opened or ())
        match, keywords, marks, size = self.match, self.keywords, self.marks, len(text)
        lists = NumberLists(text)
        pending, statement = -1, 0
        while at < size:
            found = match(text, at)
            value: Any = None
            if found is None:
                kind, end, value = no_token(text, at)
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
                    kind, expected = "ERROR", (f"`{CLOSING[stack[-1][0]]}`",)
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
                    kind, value = "ERROR", nothing_follows(at)
                else:
                    at = end
                    continue
            elif kind == "NAME":
                value = text[at:end]
                if previous == "DOT" or value in keywords or value in _SOMETIMES:
                    kind = self._word(text, value, end, previous, pending >= 0)
                elif not value.isascii() and not value.isidentifier():
                    end, kind, value = half_name(text, at, end)
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
                    if kind == "RBLOCK" and stack and pending < 0 and goes_on(text, end, previous, stack[-1][0]):
                        kind, value = "ERROR", stray_brace(at)
                elif pending >= 0 or previous not in _BLOCK_AFTER:
                    kind = "LDICT"
                else:  # `x if c else {…}` is a dict, `} else {…}` a block
                    kind = "LDICT" if previous == "ELSE" and types[-2:-1] and types[-2] in OPERAND_ENDS else "LBLOCK"
            elif value is None:
                value = text[at:end]
            meant = kind if kind != "ERROR" or value.kind not in _NUMBER_LIKE else "NUMBER"
            if kind in _OPENERS:
                stack.append((_OPENERS[kind], at))
                if len(stack) > NESTING:
                    kind, value = "ERROR", Fault("limit-reached", "nesting", at, end, limit=NESTING)
                    size = at
            elif kind in _CLOSERS:
                if stack and stack[-1][0] == _CLOSERS[kind]:
                    tokens.closed[stack.pop()[1]] = at
                else:
                    fault, ends_block = mismatch(tokens, stack, text[at], at)
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
            previous = kind if kind != "ERROR" else meant
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
        if previous == "DOT" and not fresh:
            return "NAME"
        kind: str | None = self.keywords.get(word)
        if kind is None:
            if word == "default" and (fresh or previous in ("", "NEWLINE", "LBLOCK")):
                after = _DTYPE.match(text, end)
                return "DEFAULT" if after and after.group(1) not in self.keywords and after.group(1) != "is" else "NAME"
            return "NAME"
        if kind in ("VARIABLE", "CONSTANT") and _next(text, end) == "(":
            return "NAME"
        return kind


def _next(text: str, at: int) -> str:
    at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
    return text[at : at + 1]
