"""Text to tokens: one regular expression made from the grammar's terminals, and what the token before decides.

Offsets only, no lines. What is no token becomes an `ERROR` token that carries its fault, so that the parser may go on
behind it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .faults import Fault

#: how deep brackets and blocks may stand in one another
NESTING = 500

_ORDER = ("ISNOTNONE", "ISNONE", "NOTIN", "NAME", "NUMBER", "STRING", "AUGMENT", "BINARY", "SIGN", "NEWLINE")
_SKIPPED = ("COMMENT", "CONTINUATION", "WHITESPACE")
#: after these, `{` opens a block and `[` an index
_OPERAND_ENDS = frozenset(
    [
        "NAME",
        "NUMBER",
        "NUMLIST",
        "STRING",
        "RPAR",
        "RSQB",
        "RDICT",
        "ELLIPSIS",
        "TRUE",
        "FALSE",
        "NONE",
        "PYTRUE",
        "PYFALSE",
        "PYNONE",
        "ISNONE",
        "ISNOTNONE",
    ]
)
_BLOCK_AFTER = _OPERAND_ENDS | {"ELSE", "TAPE", "STOP"}
#: a line that ends in one of these goes on in the next
_JOINERS = frozenset(["BINARY", "SIGN", "AND", "OR", "NOT", "IN", "NOTIN", "COMMA", "TILDE"])
_OPENERS = {"LPAR": "(", "LSQB": "[", "LDICT": "{", "LBLOCK": "{block"}
_CLOSERS = {"RPAR": "(", "RSQB": "["}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "0": "\0", "\n": ""}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_PRIMES = re.compile(r"'+(?=\()")
_NUMBERS = re.compile(r"[\s\[\]0-9eE+\-.,]+")
_BRACKET = re.compile(r"[\[\]]")
_BLANK = re.compile(r"[ \t]*")
_DIGIT = re.compile(r"[0-9]")


class Tokens:
    """Parallel lists: type, value, start and end of each token; and the comments."""

    __slots__ = ("comments", "ends", "open", "starts", "types", "values")

    def __init__(self) -> None:
        self.types: list[str] = []
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.comments: list[tuple[int, int, str]] = []
        #: (bracket, offset) of what is still open at the end
        self.open: list[tuple[str, int]] = []


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

    def read(self, text: str, at: int = 0, opened: list[tuple[str, int]] | None = None) -> Tokens:
        """The tokens of `text` from an offset, at which the brackets `opened` are open; the last one is `$END`."""
        tokens = Tokens()
        types, values, starts, ends = tokens.types, tokens.values, tokens.starts, tokens.ends
        stack = list(opened or ())
        match, keywords, size = self.match, self.keywords, len(text)
        previous = ""
        pending = -1

        def put(kind: str, value: Any, start: int, end: int) -> None:
            types.append(kind)
            values.append(value)
            starts.append(start)
            ends.append(end)

        while at < size:
            found = match(text, at)
            if found is None:
                kind, end, value = self._wrong(text, at)
            else:
                kind, end = found.lastgroup, found.end()  # type: ignore[assignment]
                value = None
            if kind == "WHITESPACE" or kind == "CONTINUATION":
                at = end
                continue
            if kind == "NEWLINE":
                inside = stack and stack[-1][0] != "{block"
                if text[at] == ";" and inside:
                    put("NEWLINE", ";", at, end)
                elif not inside and pending < 0 and previous and (text[at] == ";" or previous not in _JOINERS):
                    pending = at
                at = end
                continue
            if kind == "COMMENT":
                tokens.comments.append((at, end, text[at:end]))
                at = end
                continue
            if kind == "NAME":
                word = text[at:end]
                kind, value = self._word(text, word, end, previous, pending >= 0), word
            elif kind == "NUMBER":
                kind, value, end = _number(text, at, end)
            elif kind == "STRING":
                value = _ESCAPE.sub(_unescape, text[at + 1 : end - 1])
            elif kind == "MARK":
                value = text[at:end]
                kind = self.marks[value]
                if kind == "LSQB" and (previous not in _OPERAND_ENDS or pending >= 0):
                    taken = _number_list(text, at)
                    if taken is not None:
                        kind, value, end = taken
            elif kind == "BRACE":
                value = text[at:end]
                if value == "{":
                    kind = "LBLOCK" if previous in _BLOCK_AFTER and pending < 0 else "LDICT"
                else:
                    kind, value = _close_brace(stack, at)
            elif value is None:
                value = text[at:end]
            if pending >= 0:
                if kind not in ("RBLOCK", "ELSE", "ELIF") and types and types[-1] not in ("LBLOCK", "NEWLINE"):
                    put("NEWLINE", "\n", pending, pending + 1)
                pending = -1
            if kind in _OPENERS:
                stack.append((_OPENERS[kind], at))
                if len(stack) > NESTING:
                    put("ERROR", Fault("limit-reached", "nesting", at, end, limit=NESTING), at, end)
                    break
            elif kind in _CLOSERS:
                if stack and stack[-1][0] == _CLOSERS[kind]:
                    stack.pop()
                else:
                    kind, value = _mismatch(stack, kind, at, end)
            put(kind, value, at, end)
            previous = kind
            at = end
            if kind == "NAME" and text.startswith("'", at):
                primes = _PRIMES.match(text, at)
                if primes is not None:
                    put("PRIMES", primes.end() - at, at, primes.end())
                    previous, at = "PRIMES", primes.end()
        tokens.open = stack
        put("$END", None, size, size)
        return tokens

    def _word(self, text: str, word: str, end: int, previous: str, fresh: bool) -> str:
        if previous == "DOT":
            return "STOP" if word == "stop_recording" and self._next(text, end) == "{" else "NAME"
        kind = self.keywords.get(word)
        if kind is None:
            if word == "default" and (fresh or previous in ("", "NEWLINE", "LBLOCK")):
                after = self._next(text, end)
                return "DEFAULT" if after.isalpha() or after in ("'", '"') else "NAME"
            if word == "stop_recording" and self._next(text, end) == "{":
                return "STOP"
            return "NAME"
        if kind in ("VARIABLE", "CONSTANT") and self._next(text, end) == "(":
            return "NAME"
        return kind

    def _next(self, text: str, at: int) -> str:
        at = _BLANK.match(text, at).end()  # type: ignore[union-attr]
        return text[at : at + 1]

    def _wrong(self, text: str, at: int) -> tuple[str, int, Fault]:
        """No token begins here: an open string, or a character that the language does not have."""
        line = text.find("\n", at)
        line = len(text) if line < 0 else line
        character = text[at]
        if character in "\"'":
            return "ERROR", line, Fault("syntax", "unclosed-string", at, max(at + 1, line))
        foreign = {"!": "not", "$": ""}.get(character)
        if foreign:
            return "ERROR", at + 1, Fault("syntax", "foreign-operator", at, at + 1, found=character, write=foreign)
        return "ERROR", at + 1, Fault("syntax", "bad-character", at, at + 1, found=character)


def _unescape(found: re.Match[str]) -> str:
    code = found.group(1)
    if code[0] in "ux" and len(code) > 1:
        return chr(int(code[1:], 16))
    return _ESCAPES.get(code, "\\" + code)


def _number(text: str, at: int, end: int) -> tuple[str, Any, int]:
    word = text[at:end]
    after = text[end : end + 1]
    if after.isalpha() or after == "_":
        stop = end
        while stop < len(text) and (text[stop].isalnum() or text[stop] == "_"):
            stop += 1
        details = {"left": word, "right": text[end:stop]}
        return "ERROR", Fault("syntax", "missing-operator", at, stop, **details), stop
    try:
        if word[-1] in "jJ":
            return "NUMBER", complex(word), end
        if word.isdigit() or ("_" in word and not any(c in word for c in ".eE")):
            if len(word) > 4000:
                raise ValueError
            return "NUMBER", int(word), end
        return "NUMBER", float(word), end
    except ValueError:
        return "ERROR", Fault("syntax", "bad-number", at, end, found=word[:40]), end


def _number_list(text: str, at: int) -> tuple[str, Any, int] | None:
    """A list of nothing but numbers, as JSON reads it; None for anything else, which the grammar then reads."""
    span = _NUMBERS.match(text, at)
    assert span is not None
    depth, deepest, end = 0, 0, -1
    for bracket in _BRACKET.finditer(text, at, span.end()):
        depth += 1 if bracket.group() == "[" else -1
        deepest = max(deepest, depth)
        if depth == 0:
            end = bracket.end()
            break
    if end < 0 or deepest > NESTING or _DIGIT.search(text, at, end) is None:
        return None
    try:
        return "NUMLIST", json.loads(text[at:end]), end
    except (ValueError, RecursionError):
        return None


def _close_brace(stack: list[tuple[str, int]], at: int) -> tuple[str, Any]:
    if stack and stack[-1][0].startswith("{"):
        bracket, _ = stack.pop()
        return ("RBLOCK" if bracket == "{block" else "RDICT"), "}"
    return _mismatch(stack, "BRACE", at, at + 1)


def _mismatch(stack: list[tuple[str, int]], kind: str, at: int, end: int) -> tuple[str, Fault]:
    found = {"RPAR": ")", "RSQB": "]"}.get(kind, "}")
    if not stack:
        return "ERROR", Fault("syntax", "unmatched", at, end, found=found)
    bracket, opened = stack[-1]
    if bracket == "{block":
        return "ERROR", Fault("syntax", "unmatched", at, end, found=found)
    return "ERROR", Fault("syntax", "unclosed-bracket", at, end, opened=opened, bracket=bracket)
