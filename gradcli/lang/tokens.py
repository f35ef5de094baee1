"""Tokens, and what their types have in common. They have offsets, no lines."""

from __future__ import annotations

from typing import Any

#: after these, `{` opens a block and `[` an index
OPERAND_ENDS = frozenset([
    "NAME", "NUMBER", "NUMLIST", "STRING", "RPAR", "RSQB", "RDICT", "ELLIPSIS", "TRUE", "FALSE", "NONE", "PYTRUE",
    "PYFALSE", "PYNONE", "ISNONE", "ISNOTNONE",
])  # fmt: skip
#: a line that ends in one of these goes on in the next
JOINERS = frozenset(["BINARY", "SIGN", "AND", "OR", "NOT", "IN", "NOTIN", "COMMA", "TILDE"])
#: what newlines do not count in
BRACKETS = {"LPAR": "(", "LSQB": "[", "LDICT": "{"}
CLOSING = {"(": ")", "[": "]", "{": "}", "{block": "}"}


class Tokens:
    """Parallel lists: type, value, start and end of each token; and the comments."""

    __slots__ = ("blocks", "closed", "comments", "ends", "long", "open", "starts", "types", "values", "wrong")

    def __init__(self) -> None:
        self.types: list[str] = []
        #: how many blocks are open before the first token
        self.blocks = 0
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
