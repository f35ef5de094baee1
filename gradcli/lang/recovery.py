"""Going on behind a fault, so that one run reports every fault of a text: the statement that it lies in is dropped, or
only the head of a statement with a block. What may be a consequence of a fault is not to be reported.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from . import ast
from .syntax_errors import HEADS, at_end, ends_line, indent, open_brackets, statement_start
from .tokens import BRACKETS

if TYPE_CHECKING:
    from .faults import Fault
    from .parser import Parser, Run
    from .tokens import Tokens


def acceptable(run: Run) -> set[str]:
    """The types of tokens that fit where the fault is."""
    states, types = run.parser.states, run.tokens.types
    stack, first = run.began
    stack = list(stack)
    for i in range(first, run.at):
        stack = _shifted(run.parser, stack, types[i])
    return {kind for kind in states[stack[-1]] if _shifted(run.parser, list(stack), kind)}


def _shifted(parser: Parser, stack: list[int], kind: str) -> list[int]:
    """The stack of states behind one more token; empty if the token does not fit."""
    states, gotos, rules = parser.states, parser.gotos, parser.rules
    while True:
        action = states[stack[-1]].get(kind)
        if action is None:
            return []
        if action >= 0:
            stack.append(action)
            return stack
        origin, length, *_ = rules[-action - 1]
        if length:
            del stack[-length:]
        stack.append(gotos[stack[-1]][origin])
        if kind == "$END" and stack[-1] == parser.end:
            return stack


def is_consequence(run: Run, fault: Fault) -> bool:
    """Whether a fault may be there only because of one before."""
    if fault.kind == "unmatched":
        return run.blocks_unsure if fault.details["found"] == "}" else run.brackets_unsure
    return run.blocks_unsure and fault.kind in ("stray-else", "unclosed-block")


def recover(run: Run, fault: Fault) -> bool:
    """Drop the statement in which the last fault lies, and go on behind it; False at the end of the text."""
    tokens, at, resume = run.tokens, run.at, run.resume
    run.resume = -1
    if tokens.types[at] == "$END" or fault.code == "limit-reached":
        return False
    # a block that has just ended is not reduced yet: its statement goes with it
    closed = at > 0 and tokens.types[at - 1] == "RBLOCK" and run.values[-1:] == ["}"]
    while closed or "statement" not in run.parser.gotos[run.stack[-1]]:
        closed = closed and "statement" not in run.parser.gotos[run.stack[-1]]
        del run.stack[-1], run.values[-1], run.starts[-1], run.ends[-1]
    _doubt(run, fault)
    is_head = fault.kind in ("foreign-word", "python-with") or _has_head(tokens, at)
    unclosed = [i for i in open_brackets(tokens, at) if tokens.starts[i] not in tokens.closed]
    if unclosed and resume < 0:
        resume = _end_of_line_or_block(run, at, is_head)
    if resume < 0:
        return _skip(run, at, is_head)
    there = bisect_left(tokens.starts, resume, at)
    if tokens.starts[there] == tokens.ends[there] == resume < len(run.text):  # a `}` that ends its block in any case
        return _skip(run, there + 1, False)
    _read_again(run, at, resume)
    return _skip(run, 0, is_head)


def _doubt(run: Run, fault: Fault) -> None:
    """Take note of what a fault makes unsure."""
    tokens, at = run.tokens, run.at
    wrong = run.text[fault.start : fault.end]
    if fault.kind == "unclosed-string":
        run.brackets_unsure |= any(mark in wrong for mark in "()[]")
        run.blocks_unsure |= "{" in wrong or "}" in wrong
    elif fault.kind == "unclosed-bracket":
        run.brackets_unsure = True
        run.blocks_unsure |= fault.details["bracket"] == "{"
    elif wrong == "}":
        run.blocks_unsure |= fault.kind != "unmatched" and tokens.types[at] == "ERROR"
    elif fault.kind == "stray-else":
        run.blocks_unsure = True
    run.blocks_unsure |= any(tokens.types[i] == "LDICT" for i in open_brackets(tokens, at))
    if at and tokens.types[at - 1] == "RBLOCK":  # it may be that the `}` is one too many
        run.blocks_unsure = True


def _has_head(tokens: Tokens, at: int) -> bool:
    """Whether the statement around a token is one with a block, whatever else it may be."""
    first = statement_start(tokens, at)
    while tokens.types[first] not in ("NEWLINE", "LBLOCK", "RBLOCK", "$END") or first < at:
        if tokens.types[first] in HEADS:
            return True
        first += 1
    return False


def _end_of_line_or_block(run: Run, at: int, is_head: bool) -> int:
    """Where to go on behind a token, in brackets that are not closed: at its block, or the end of one, or of its line.
    Brackets that are closed are gone over as a whole.
    """
    tokens, line = run.tokens, _line_end(run, run.tokens.starts[at])
    for start in [tokens.starts[i] for i in open_brackets(tokens, at)]:
        if start not in tokens.wrong:
            line = max(line, _line_end(run, tokens.closed.get(start, start)))
    while tokens.types[at] != "$END" and tokens.starts[at] < line:
        kind, start = tokens.types[at], tokens.starts[at]
        if (is_head and kind == "LBLOCK") or (kind == "ERROR" and start == tokens.ends[at]):
            return start
        if is_head and kind == "LDICT" and ends_line(run.text, start):
            return start
        if kind in BRACKETS and start not in tokens.wrong:
            line = max(line, _line_end(run, tokens.closed.get(start, start)))
        at += 1
    return line


def _skip(run: Run, at: int, is_head: bool) -> bool:
    """Go to the end of the statement, or into its block, as if its head were right."""
    tokens, depth, first = run.tokens, 0, at
    while tokens.types[at] != "$END":
        kind, start = tokens.types[at], tokens.starts[at]
        if kind == "LBLOCK":
            if is_head and depth == 0:
                _pretend(run, "if", "IF", start)
                _pretend(run, ast.Constant(start, start, None), "expression", start)
                run.at = at
                return True
            depth += 1
        elif kind == "RBLOCK":
            if depth == 0:
                run.blocks_unsure |= is_head
                break
            depth -= 1
        elif kind == "NEWLINE" and depth == 0:
            if not is_head:
                at = _behind_indented(run, at, at == first)
                break
            if tokens.types[at + 1] != "LDICT":
                _behind_indented(run, at, False)
                run.blocks_unsure = True
                break
        elif kind == "LDICT" and is_head and (tokens.types[at - 1] == "COLON" or ends_line(run.text, start)):
            # `for x in v: {`, or `{` in a line of its own: it is a block that is meant
            _read_again(run, at, start)
            tokens, at = run.tokens, 0
            continue
        elif kind in BRACKETS and start not in tokens.closed:
            _read_again(run, at, _end_of_line_or_block(run, at, is_head))
            tokens, at = run.tokens, 0
            continue
        at += 1
    if tokens.types[at] == "$END":
        # a `}` that is missing is a fault of its own
        if depth == 0 and tokens.open[-1:] and tokens.open[-1][0] == "{block":
            fault = at_end(run.text, tokens, at, set)
            run.faults.extend([fault] if not is_consequence(run, fault) else [])
        return False
    _pretend(run, ast.Break(tokens.starts[at], tokens.starts[at]), "statement", tokens.starts[at])
    run.at = at
    return True


def _behind_indented(run: Run, at: int, breaks_off: bool) -> int:
    """Where a statement ends: at the line end `at`, or, if it breaks off there, behind the lines indented deeper. Such
    lines may be of a block or a bracket that a fault has hidden.
    """
    tokens, text = run.tokens, run.text
    if text[tokens.starts[at]] != "\n":
        return at
    column = indent(text, tokens.starts[statement_start(tokens, at)])
    while tokens.types[at] == "NEWLINE":
        if indent(text, tokens.starts[at + 1]) <= column:
            break
        run.brackets_unsure = run.blocks_unsure = True
        if not breaks_off:
            break
        at += 1
        while tokens.types[at] not in ("NEWLINE", "LBLOCK", "RBLOCK", "$END"):
            at += 1
    return at


def _pretend(run: Run, value: Any, symbol: str, at: int) -> None:
    """Put a symbol that is not in the text on the stacks."""
    state = run.stack[-1]
    run.stack.append(run.parser.gotos[state].get(symbol) or run.parser.states[state][symbol])
    run.values.append(value)
    run.starts.append(at)
    run.ends.append(at)


def _read_again(run: Run, at: int, offset: int) -> None:
    """Read the text anew from an offset, with the blocks open that are open at a token. A `{` there is a block's."""
    previous = "RPAR" if run.text.startswith("{", offset) else ""
    tokens = run.tokens
    blocks = list(run.blocks)
    for kind, start in zip(tokens.types[:at], tokens.starts):
        if kind == "LBLOCK":
            blocks.append(("{block", start))
        elif kind == "RBLOCK" and blocks:
            blocks.pop()
    run.blocks = blocks
    rest = run.parser.lexer.read(run.text, offset, blocks, previous)
    # what was dropped is a statement of its own
    if not previous and rest.types[0] not in ("NEWLINE", "RBLOCK", "$END"):
        rest.types.insert(0, "NEWLINE")
        rest.values.insert(0, "\n")
        rest.starts.insert(0, offset)
        rest.ends.insert(0, offset)
    run.tokens = rest


def _line_end(run: Run, offset: int) -> int:
    end = run.text.find("\n", offset)
    return len(run.text) if end < 0 else end
