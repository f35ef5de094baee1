"""Going on behind a fault, so that one run reports every fault of a text: the statement that it lies in is dropped, or
only the head of a statement with a block. What may be a consequence of a fault is not to be reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import ast
from .syntax_errors import HEADS, at_end, ends_line, open_brackets, statement_start
from .tokens import BRACKETS

if TYPE_CHECKING:
    from .parser import Parser, Run


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


def recover(run: Run) -> bool:
    """Drop the statement in which the last fault lies, and go on behind it; False at the end of the text."""
    tokens, at, resume = run.tokens, run.at, run.resume
    run.resume = -1
    if tokens.types[at] == "$END" or (run.faults and run.faults[-1].code == "limit-reached"):
        return False
    # a block that has just ended is not reduced yet: its statement goes with it
    closed = at > 0 and tokens.types[at - 1] == "RBLOCK" and run.values[-1:] == ["}"]
    while closed or "statement" not in run.parser.gotos[run.stack[-1]]:
        closed = closed and "statement" not in run.parser.gotos[run.stack[-1]]
        del run.stack[-1], run.values[-1], run.starts[-1], run.ends[-1]
    opened = open_brackets(tokens, at)
    unclosed = [i for i in opened if tokens.starts[i] not in tokens.closed]
    is_head = tokens.types[statement_start(tokens, at)] in HEADS or tokens.types[at] in HEADS or _is_foreign_head(run)
    if at and tokens.types[at - 1] == "RBLOCK":  # it may be that the `}` is one too many
        run.orphan_blocks += 1
    if unclosed and resume < 0:
        resume = _end_of_line_or_block(run, at, is_head)
    if resume >= 0:
        run.orphans += len(opened) - len(unclosed)
        _read_again(run, at, resume, "RPAR" if run.text.startswith("{", resume) else "")
        at = 0
    return _skip(run, at, is_head)


def _end_of_line_or_block(run: Run, at: int, is_head: bool) -> int:
    """Where to go on on the line of a token, in brackets that are not closed: at its block, or the end of one."""
    tokens, line = run.tokens, _line_end(run, run.tokens.starts[at])
    while tokens.types[at] != "$END" and tokens.starts[at] < line:
        start = tokens.starts[at]
        kind = tokens.types[at]
        if (is_head and kind == "LBLOCK") or (kind == "ERROR" and start == tokens.ends[at]):
            return start
        if is_head and kind == "LDICT" and ends_line(run.text, start):
            return start
        at += 1
    return line


def _is_foreign_head(run: Run) -> bool:
    return bool(run.faults) and run.faults[-1].kind in ("foreign-word", "python-with")


def _skip(run: Run, at: int, is_head: bool) -> bool:
    """Go to the end of the statement, or into its block, as if its head were right."""
    tokens, depth = run.tokens, 0
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
                run.orphan_blocks += is_head
                break
            depth -= 1
        elif kind == "NEWLINE" and depth == 0:
            if not (is_head and tokens.types[at + 1] == "LDICT"):
                run.orphan_blocks += is_head
                break
        elif kind == "LDICT" and is_head and (tokens.types[at - 1] == "COLON" or ends_line(run.text, start)):
            # `for x in v: {`, or `{` in a line of its own: it is a block that is meant
            _read_again(run, at, start, "RPAR")
            tokens, at = run.tokens, 0
            continue
        elif kind in BRACKETS and start not in tokens.closed:
            start = _end_of_line_or_block(run, at, is_head)
            _read_again(run, at, start, "RPAR" if run.text.startswith("{", start) else "")
            tokens, at = run.tokens, 0
            continue
        at += 1
    if tokens.types[at] == "$END":
        # a `}` that is missing is a fault of its own, unless it stands in an open string
        if (
            depth == 0
            and tokens.open[-1:]
            and tokens.open[-1][0] == "{block"
            and run.faults[-1].kind != "unclosed-string"
        ):
            run.faults.append(at_end(run.text, tokens, at, set))
        return False
    _pretend(run, ast.Break(tokens.starts[at], tokens.starts[at]), "statement", tokens.starts[at])
    run.at = at
    return True


def _pretend(run: Run, value: Any, symbol: str, at: int) -> None:
    """Put a symbol that is not in the text on the stacks."""
    state = run.stack[-1]
    run.stack.append(run.parser.gotos[state].get(symbol) or run.parser.states[state][symbol])
    run.values.append(value)
    run.starts.append(at)
    run.ends.append(at)


def _read_again(run: Run, at: int, offset: int, previous: str) -> None:
    """Read the text anew from an offset, with only the blocks open that are open at a token."""
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
