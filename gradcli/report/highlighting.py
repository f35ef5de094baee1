"""The Pygments lexer of tensor programs, made of the language's own lexer: what is a keyword, the grammar says.

It is the entry point `tensor-program` of Pygments; the session's prompt uses it too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pygments.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Text

from gradcli.lang.parser import parser
from gradcli.lang.tokens import BRACKETS, JOINERS, OPERAND_ENDS

if TYPE_CHECKING:
    from collections.abc import Iterator

_NUMBERS = re.compile(r"[^\[\],\s]+")


class TensorProgramLexer(Lexer):  # type: ignore[misc]
    """Programs of gradcli, `.tp`."""

    name = "Tensor program"
    aliases = ("tensor-program", "tp")
    filenames = ("*.tp",)

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, Any, str]]:
        """Offset, Pygments' kind and text of each piece; together they are the whole text."""
        lexer = parser().lexer
        tokens = lexer.read(text)
        words = set(lexer.keywords.values()) | {"STOP", "DEFAULT"}
        pieces = [
            (start, end, _kind(tokens.types, i, words))
            for i, (start, end) in enumerate(zip(tokens.starts, tokens.ends))
            if end > start and tokens.types[i] not in ("NEWLINE", "$END")
        ]
        pieces.extend((start, end, Comment.Single) for start, end, _ in tokens.comments)
        at = 0
        for start, end, kind in sorted(pieces, key=lambda piece: piece[0]):
            if start < at:
                continue
            if start > at:
                yield at, Text, text[at:start]
            if kind is Number:
                yield from _numbers(text, start, end)
            else:
                yield start, kind, text[start:end]
            at = end
        if at < len(text):
            yield at, Text, text[at:]


def _kind(types: list[str], at: int, words: set[str]) -> Any:
    kind = types[at]
    if kind == "NAME":
        return Name.Function if types[at + 1] in ("LPAR", "PRIMES") or types[at - 1] == "DEF" else Name
    if kind in ("NUMBER", "NUMLIST"):
        return Number
    if kind == "STRING":
        return String
    if kind == "ERROR":
        return Error
    if kind in ("ISNONE", "ISNOTNONE", "NOTIN"):
        return Operator.Word
    if kind in words:
        return Keyword.Constant if kind in OPERAND_ENDS else Operator.Word if kind in JOINERS else Keyword
    if kind in BRACKETS or kind in OPERAND_ENDS or kind in ("COMMA", "COLON", "LBLOCK", "RBLOCK"):
        return Punctuation
    return Operator


def _numbers(text: str, start: int, end: int) -> Iterator[tuple[int, Any, str]]:
    """A number, or the numbers and marks of a list that is one token."""
    at = start
    for found in _NUMBERS.finditer(text, start, end):
        if found.start() > at:
            yield at, Punctuation, text[at : found.start()]
        yield found.start(), Number, found.group()
        at = found.end()
    if at < end:
        yield at, Punctuation, text[at:end]
