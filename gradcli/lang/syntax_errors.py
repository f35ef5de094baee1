"""From a token that does not fit to a fault: what was expected, in words, and the slip that is most likely."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .faults import Fault

if TYPE_CHECKING:
    from .lexer import Tokens

_WORDS = {
    "NAME": "a name", "NEWLINE": "the end of the statement", "$END": "the end of the statement", "EQUAL": "`=`",
    "LBLOCK": "a block `{ … }`", "RBLOCK": "`}`", "RDICT": "`}`", "RPAR": "`)`", "RSQB": "`]`", "COMMA": "`,`",
    "COLON": "`:`", "IN": "`in`", "ELSE": "`else`", "BINARY": "an operator", "SIGN": "an operator",
}  # fmt: skip
_EXPRESSION = {"NUMBER", "LSQB", "LAMBDA"}
_SHOWN = {"NEWLINE": "the end of the line", "$END": "the end of the text"}
_HEADS = {"IF", "ELIF", "FOR", "WHILE", "DEF", "ELSE", "TAPE", "MODULE"}


def expected_words(actions: dict[str, int]) -> tuple[str, ...]:
    """What may come in a state, in words."""
    kinds = set(actions)
    words = []
    if _EXPRESSION & kinds:
        words.append("an expression")
    elif "NAME" in kinds:
        words.append("a name")
    for kind in ("EQUAL", "LBLOCK", "COLON", "COMMA", "RPAR", "RSQB", "RDICT", "RBLOCK", "IN", "NEWLINE"):
        if kind in kinds and not ("an expression" in words and kind == "NEWLINE"):
            words.append(_WORDS[kind])
    if "BINARY" in kinds:
        words.insert(0, "an operator")
    return tuple(dict.fromkeys(words))


def explain_error(text: str, tokens: Tokens, at: int, actions: dict[str, int]) -> Fault:
    """The fault of token `at`, which has no action in its state."""
    kind, start, end = tokens.types[at], tokens.starts[at], tokens.ends[at]
    if kind == "ERROR":
        fault: Fault = tokens.values[at]
        return fault
    if kind == "$END":
        return _at_end(tokens, start, actions)
    opened = _unclosed(text, tokens, at)
    if opened is not None:
        return Fault("syntax", "unclosed-bracket", start, end, opened=opened[1], bracket=opened[0])
    slip = _slip(text, tokens, at)
    if slip is not None:
        return slip
    found = _SHOWN.get(kind, text[start:end])
    if kind == "NEWLINE" and text[start:end] == ";":
        found = ";"
    return Fault("syntax", "unexpected", start, max(end, start + 1), found=found, expected=expected_words(actions))


def _at_end(tokens: Tokens, start: int, actions: dict[str, int]) -> Fault:
    if tokens.open:
        bracket, opened = tokens.open[-1]
        if bracket == "{block":
            return Fault("syntax", "unclosed-block", max(start - 1, 0), start, incomplete=True, opened=opened)
        return Fault(
            "syntax", "unclosed-bracket", max(start - 1, 0), start, incomplete=True, opened=opened, bracket=bracket
        )
    details: dict[str, Any] = {"found": "the end of the text", "expected": expected_words(actions)}
    return Fault("syntax", "unexpected", max(start - 1, 0), start, incomplete=True, **details)


def _unclosed(text: str, tokens: Tokens, at: int) -> tuple[str, int] | None:
    """A bracket opened on an earlier line, where a statement seems to begin at this token."""
    start = tokens.starts[at]
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        return None
    stack: list[tuple[str, int]] = []
    for kind, offset in zip(tokens.types[:at], tokens.starts[:at]):
        if kind in ("LPAR", "LSQB", "LDICT", "LBLOCK"):
            stack.append(({"LPAR": "(", "LSQB": "[", "LDICT": "{"}.get(kind, ""), offset))
        elif kind in ("RPAR", "RSQB", "RDICT", "RBLOCK") and stack:
            stack.pop()
    if stack and stack[-1][0] and stack[-1][1] < line:
        return stack[-1]
    return None


def _statement_start(tokens: Tokens, at: int) -> int:
    i = at
    while i > 0 and tokens.types[i - 1] not in ("NEWLINE", "LBLOCK", "RBLOCK"):
        i -= 1
    return i


def _slip(text: str, tokens: Tokens, at: int) -> Fault | None:
    types, values, starts, ends = tokens.types, tokens.values, tokens.starts, tokens.ends
    kind, start, end = types[at], starts[at], ends[at]
    first = _statement_start(tokens, at)
    word = values[first] if types[first] == "NAME" else None
    line_end = text.find("\n", starts[first])
    line_end = len(text) if line_end < 0 else line_end
    if word in ("import", "from") and at == first + 1:
        return Fault("syntax", "python-import", starts[first], line_end)
    if word == "with" and at == first + 1:
        return Fault("syntax", "python-with", starts[first], line_end)
    if word in ("print",) and at == first + 1 and kind in ("NAME", "STRING", "NUMBER"):
        return Fault("syntax", "missing-operator", start, end, left="print", right=text[start:end])
    previous = types[at - 1] if at else ""
    if kind == "COLON" and types[first] in _HEADS and types[first] != "TAPE":
        return Fault("syntax", "colon-for-block", start, end, keyword=text[starts[first] : ends[first]])
    if kind in ("ELSE", "ELIF"):
        return Fault("syntax", "stray-else", start, end, found=text[start:end])
    if kind == "EQUAL" and types[first] in ("IF", "ELIF", "WHILE", "ASSERT"):
        return Fault("syntax", "equals-for-comparison", start, end)
    if kind == "EQUAL" and previous == "EQUAL":
        return None
    if kind == "BINARY" and previous == "BINARY" and text[start:end] in "&|" and starts[at - 1] == start - 1:
        both = text[starts[at - 1] : end]
        if both in ("&&", "||"):
            return Fault(
                "syntax", "foreign-operator", starts[at - 1], end, found=both, write="and" if both == "&&" else "or"
            )
    if kind == "NAME" and values[at] == "is":
        return Fault("syntax", "is-something", start, end)
    if kind in ("NEWLINE", "RPAR") and previous == "SIGN" and types[at - 2 : at - 1] == ["SIGN"]:
        both = text[starts[at - 2] : ends[at - 1]]
        return Fault("syntax", "foreign-operator", starts[at - 2], ends[at - 1], found=both, write=f"{both[0]}= 1")
    if (
        previous in ("NUMBER", "NAME", "RPAR", "RSQB")
        and kind in ("NAME", "NUMBER", "LPAR")
        and _same_line(text, ends[at - 1], start)
    ):
        left = text[starts[at - 1] : ends[at - 1]]
        return Fault("syntax", "missing-operator", starts[at - 1], end, left=left, right=text[start:end])
    return None


def _same_line(text: str, a: int, b: int) -> bool:
    return "\n" not in text[a:b]
