"""From a token that does not fit to a fault: what was expected, in words, and the slip that is most likely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .faults import Fault
from .lexical_errors import doubled
from .suggest import nearest
from .tokens import BRACKETS, JOINERS, OPERAND_ENDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tokens import Tokens

_WORDS = (
    ("EQUAL", "`=`"), ("LBLOCK", "a block `{ … }`"), ("ELSE", "`else`"), ("COLON", "`:`"), ("RPAR", "`)`"),
    ("RSQB", "`]`"), ("RDICT", "`}`"), ("IN", "`in`"), ("COMMA", "`,`"), ("BINARY", "an operator"),
    ("NEWLINE", "the end of the statement"),
)  # fmt: skip
#: statements that have a block
HEADS = frozenset(["IF", "ELIF", "ELSE", "FOR", "WHILE", "DEF", "TAPE", "MODULE", "STOP"])
_CONDITIONS = frozenset(["IF", "ELIF", "WHILE", "ASSERT"])
_OPERANDS = frozenset([
    "NAME", "NUMBER", "NUMLIST", "STRING", "TRUE", "FALSE", "NONE", "PYTRUE", "PYFALSE", "PYNONE", "LAMBDA", "LDICT",
    "LSQB",
])  # fmt: skip
#: what a dict cannot hold
_NO_ENTRY = frozenset(
    ["EQUAL", "AUGMENT", "VARIABLE", "CONSTANT", "WATCH", "RETURN", "BREAK", "CONTINUE", "ASSERT", "LBLOCK", *HEADS]
) - {"IF", "ELSE", "FOR"}
#: operators of other languages, which are two tokens here
_TWO = {
    "&&": "and", "||": "or", "<>": "!=", "===": "==", "!==": "!=", "=<": "<=", "=>": ">=", ":=": "=", "=~": "~=",
    "^=": "**=", "->": "lambda x: …",
}  # fmt: skip
#: words of other languages at the start of a statement
_WORD = {
    "class": "module", "elseif": "elif", "elsif": "elif", "let": "variable", "var": "variable", "const": "constant",
    "func": "def", "function": "def", "fn": "def", "foreach": "for", "until": "while not",
}  # fmt: skip
_STARTS = (
    "variable", "constant", "watch", "tape", "def", "return", "module", "if", "elif", "else", "for", "while", "assert",
    "default", "stop_recording",
)  # fmt: skip


def expected_words(kinds: set[str]) -> tuple[str, ...]:
    """What may come next, in words, from the tokens that may."""
    if "WHILE" in kinds:
        words = ["a statement"] + (["`}`"] if "RBLOCK" in kinds else [])
        return tuple(words)
    complete = "BINARY" in kinds  # an operand stands before
    words = []
    if "NUMBER" in kinds:
        words.append("an expression")
    elif "NAME" in kinds:
        words.append("a name")
    if "LPAR" in kinds and not kinds & {"NUMBER", "DOT"}:
        words.append("`(`")
    words += [word for kind, word in _WORDS if kind in kinds and not (complete and kind in ("EQUAL", "IN"))]
    if words == ["an expression", "the end of the statement"]:
        words.pop()
    return tuple(words)


def open_brackets(tokens: Tokens, at: int) -> list[int]:
    """The indices of the tokens `(`, `[` and `{` of a dict that stand open at a token."""
    here = tokens.starts[at]
    return [
        i
        for i in range(statement_start(tokens, at), at)
        if tokens.types[i] in BRACKETS and tokens.closed.get(tokens.starts[i], here) >= here
    ]


def explain_error(text: str, tokens: Tokens, at: int, acceptable: Callable[[], set[str]]) -> tuple[Fault, int]:
    """The fault of token `at`, which does not fit, and where to read anew with no bracket open (an offset, or -1)."""
    kind, start, end = tokens.types[at], tokens.starts[at], tokens.ends[at]
    opened = open_brackets(tokens, at)
    unclosed = [i for i in opened if tokens.starts[i] not in tokens.closed or tokens.starts[i] in tokens.wrong]
    if kind == "ERROR":
        fault: Fault = tokens.values[at]
        if fault.details.get("found") == ";" and unclosed:
            return _not_closed(tokens, unclosed[-1], at), end
        if fault.kind == "unclosed-string":
            return fault, _brace_in_string(text, tokens, at, opened)
        return fault, start if start == end else -1  # `}` ends its block although a bracket is open
    if kind == "$END":
        return at_end(text, tokens, at, acceptable), -1
    if unclosed:
        line = text.rfind("\n", 0, start) + 1
        first = at
        while first > 0 and tokens.starts[first - 1] >= line:
            first -= 1
        innermost = unclosed[-1] == opened[-1] and tokens.starts[opened[-1]] < line
        if innermost and (first == at or kind in ("EQUAL", "AUGMENT", "LBLOCK")):
            return _not_closed(tokens, unclosed[-1], first), tokens.starts[first]
        if kind == "LBLOCK":
            return _not_closed(tokens, unclosed[-1], at), start
    brace = _brace_of_no_dict(text, tokens, at, opened)
    if brace >= 0:
        again = brace + 1 if text[:brace].rstrip().endswith("{") else brace  # `tape {{` has one too many
        return Fault("syntax", "unexpected", brace, brace + 1, found="{", expected=("an expression",)), again
    slip = _slip(text, tokens, at, acceptable)
    if slip is not None:
        return slip, -1
    found = text[start:end]
    if found == "\n":
        found = "the end of the line"
    return Fault("syntax", "unexpected", start, end, found=found, expected=expected_words(acceptable())), -1


def _brace_in_string(text: str, tokens: Tokens, at: int, opened: list[int]) -> int:
    """The offset of a block's brace at the end of a string that is not closed, or -1."""
    inside = text[tokens.starts[at] : tokens.ends[at]].rstrip()
    last = tokens.starts[at] + len(inside) - 1
    if inside.endswith("{"):
        return last
    blocks = tokens.blocks + tokens.types[:at].count("LBLOCK") - tokens.types[:at].count("RBLOCK")
    is_blocks = blocks > 0 and inside.count("}") > inside.count("{")
    return last if is_blocks and inside.endswith("}") and all(tokens.types[i] != "LDICT" for i in opened) else -1


def _brace_of_no_dict(text: str, tokens: Tokens, at: int, opened: list[int]) -> int:
    """The offset of a `{` that is read as a dict's and meant to be a block's: `if { x = 1 }`, `while x < {`, or -1."""
    if not opened or tokens.types[opened[-1]] != "LDICT":
        return -1
    brace = tokens.starts[opened[-1]]
    before = tokens.types[opened[-1] - 1] if opened[-1] else "NEWLINE"
    if before not in ("NEWLINE", "LBLOCK", "RBLOCK") and tokens.types[statement_start(tokens, at)] not in HEADS:
        return -1
    return brace if tokens.types[at] in _NO_ENTRY or (ends_line(text, brace) and tokens.types[at] != "RDICT") else -1


def ends_line(text: str, at: int) -> bool:
    """Whether nothing but white space or a comment stands behind a character on its line."""
    line = text.find("\n", at)
    return line >= 0 and text[at + 1 : line].lstrip()[:1] in ("", "#")


def _not_closed(tokens: Tokens, opener: int, at: int) -> Fault:
    """The fault of a bracket that should have been closed before token `at`."""
    bracket = BRACKETS[tokens.types[opener]]
    opened = tokens.starts[opener]
    return Fault("syntax", "unclosed-bracket", tokens.starts[at], tokens.ends[at], opened=opened, bracket=bracket)


def at_end(text: str, tokens: Tokens, at: int, acceptable: Callable[[], set[str]]) -> Fault:
    """The fault of a text that ends too early."""
    end = tokens.starts[at]
    start = max(end - 1, 0)
    if doubled(tokens, at):
        return _postfix(text, tokens, at)
    if tokens.open:
        bracket, opened = tokens.open[-1]
        if bracket == "{block":
            opened = _open_block(text, tokens, opened)
            return Fault("syntax", "unclosed-block", start, end, incomplete=True, opened=opened)
        return Fault("syntax", "unclosed-bracket", start, end, incomplete=True, opened=opened, bracket=bracket)
    goes_on = at > 0 and tokens.types[at - 1] in JOINERS
    expected = expected_words(acceptable())
    return Fault("syntax", "unexpected", start, end, goes_on, found="the end of the text", expected=expected)


def _open_block(text: str, tokens: Tokens, last: int) -> int:
    """The block that lacks its `}`: the first whose `}` stands left of the line that opened it, else `last`."""
    stack: list[int] = []
    for kind, at in zip(tokens.types, tokens.starts):
        if kind == "LBLOCK":
            stack.append(at)
        elif kind == "RBLOCK" and stack:
            opened = stack.pop()
            line = text.rfind("\n", 0, at) + 1
            if not text[line:at].strip() and at - line < indent(text, opened):
                return opened
    return last


def indent(text: str, at: int) -> int:
    """How far the line of an offset is indented, in characters."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return len(before) - len(before.lstrip())


def statement_start(tokens: Tokens, at: int) -> int:
    """The index of the first token of a statement, or of what follows its last block."""
    while at > 0 and tokens.types[at - 1] not in ("NEWLINE", "LBLOCK", "RBLOCK"):
        at -= 1
    return at


def _postfix(text: str, tokens: Tokens, at: int) -> Fault:
    start, end = tokens.starts[at - 2], tokens.ends[at - 1]
    found = text[start:end]
    return Fault("syntax", "foreign-operator", start, end, found=found, write=f"{found[0]}= 1")


def _slip(text: str, tokens: Tokens, at: int, acceptable: Callable[[], set[str]]) -> Fault | None:
    types, values, starts, ends = tokens.types, tokens.values, tokens.starts, tokens.ends
    kind, start, end = types[at], starts[at], ends[at]
    first = statement_start(tokens, at)
    head = types[first]
    previous = types[at - 1] if at else ""
    if head == "NAME" and (at > first or previous == "RBLOCK"):
        fault = _first_word(text, tokens, first, at)
        if fault is not None:
            return fault
    if kind == "IF" and previous == "ELSE" and at - 1 == first:
        return Fault("syntax", "foreign-word", starts[first], end, found=text[starts[first] : end], write="elif")
    if kind == "COLON" and head in HEADS and not open_brackets(tokens, at):
        return Fault("syntax", "colon-for-block", start, end, keyword=text[starts[first] : ends[first]])
    if kind in ("ELSE", "ELIF"):
        colon = _colon(tokens, at)
        if colon >= 0:
            return Fault("syntax", "colon-for-block", starts[colon], ends[colon], keyword=text[start:end])
        return Fault("syntax", "stray-else", start, end, found=text[start:end])
    if at and ends[at - 1] == start:
        both = text[starts[at - 1] : end]
        if both in _TWO:
            return Fault("syntax", "foreign-operator", starts[at - 1], end, found=both, write=_TWO[both])
    if kind == "COLON" and text.startswith("=", end):
        return Fault("syntax", "foreign-operator", start, end + 1, found=":=", write="=")
    if kind == "EQUAL" and head in _CONDITIONS and previous != "EQUAL":
        return Fault("syntax", "equals-for-comparison", start, end)
    if kind == "NAME" and values[at] == "is":
        return Fault("syntax", "is-something", start, end)
    if kind not in _OPERANDS and doubled(tokens, at):
        return _postfix(text, tokens, at)
    if previous in OPERAND_ENDS and kind in _OPERANDS and "\n" not in text[ends[at - 1] : start]:
        fits = acceptable()
        if "BINARY" in fits and not ("COLON" in fits and "COMMA" not in fits):
            comma = "COMMA" in fits and bool(open_brackets(tokens, at))
            left = text[starts[at - 1] : ends[at - 1]]
            return Fault(
                "syntax", "missing-operator", starts[at - 1], end, left=left, right=text[start:end], comma=comma
            )
    return None


def _first_word(text: str, tokens: Tokens, first: int, at: int) -> Fault | None:
    """A statement that begins with a word of another language, or with a keyword that is spelt wrong."""
    word, start, end = tokens.values[first], tokens.starts[first], tokens.ends[first]
    if at == first:  # behind a block: `} elseif c {`
        near = [w for w in [_WORD.get(word, ""), *nearest(word, ("elif", "else"))] if w in ("elif", "else")]
        return Fault("syntax", "foreign-word", start, end, found=word, write=near[0]) if near else None
    second = at == first + 1
    if second and word in ("import", "from"):
        line = text.find("\n", start)
        return Fault("syntax", "python-import", start, len(text) if line < 0 else line)
    if second and word == "with":
        line = text.find("\n", start)
        return Fault("syntax", "python-with", start, len(text) if line < 0 else line)
    if not ((second and tokens.types[at] in (*_OPERANDS, "NOT")) or tokens.types[at] == "LBLOCK"):
        return None
    if word == "print" and second:
        right = text[tokens.starts[at] : tokens.ends[at]]
        where = tokens.starts[at], tokens.ends[at]
        return Fault("syntax", "missing-operator", *where, left="print", right=right, comma=False)
    near = [_WORD[word]] if word in _WORD else nearest(word, _STARTS)
    if near and (len(word) > 2 or word in _WORD or word.lower() == near[0]):
        return Fault("syntax", "foreign-word", start, end, found=word, write=near[0])
    return None


def _colon(tokens: Tokens, at: int) -> int:
    """The `:` that ends the line of a statement as in Python, or -1."""
    while tokens.types[at] not in ("NEWLINE", "LBLOCK", "RBLOCK", "$END"):
        if tokens.types[at] == "COLON" and tokens.types[at + 1] in ("NEWLINE", "$END", "LDICT"):
            return at
        at += 1
    return -1
