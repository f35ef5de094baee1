"""Text to tree: a loop over the LALR tables, with a stack of values and one of offsets.

A statement that does not parse becomes a fault, and the loop goes on at the next statement of the same block, so that
one run reports every fault; a fault that could be a consequence of another is not reported.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from . import ast
from .builder import ACTIONS, POSITIONED
from .depth import NESTING, STACK, TREE, deeper_than
from .faults import Fault, FaultError
from .lexer import Lexer
from .tables import load

if TYPE_CHECKING:
    from .tokens import Tokens

#: more faults than this are not looked for
_ENOUGH = 50


class Parser:
    """The tables, ready to run."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self.lexer = Lexer(tables)
        self.states: list[dict[str, int]] = tables["states"]
        self.gotos: list[dict[str, int]] = tables["gotos"]
        self.rules = [
            (origin, length, ACTIONS[name], name == "same", name in POSITIONED)
            for origin, length, name in tables["rules"]
        ]
        self.end: int = tables["end"]

    def parse(self, text: str) -> ast.Program:
        """The tree of a text. Raises FaultError with every fault found."""
        tokens = self.lexer.read(text)
        run = Run(self, text, tokens)
        collecting = gc.isenabled()
        gc.disable()  # a tree has no cycles, and its many nodes make the collector walk them again and again
        try:
            program = run.run()
        finally:
            if collecting:
                gc.enable()
        if run.faults:
            run.faults.sort(key=lambda fault: fault.start)
            raise FaultError(run.faults[:_ENOUGH])
        deep = deeper_than(TREE, program) if tokens.long else None
        if deep is not None:
            raise FaultError([Fault("limit-reached", "nesting", deep.start, deep.end, limit=TREE)])
        program.comments = tokens.comments
        program.start, program.end = 0, len(text)
        return program


class Run:
    """One parse: stacks and faults."""

    def __init__(self, parser: Parser, text: str, tokens: Tokens) -> None:
        self.parser = parser
        self.text = text
        self.tokens = tokens
        self.stack = [0]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.faults: list[Fault] = []
        self.at = 0
        #: where the loop began last: from here it can be gone over again, without building
        self.began = ([0], 0)
        #: the offset from which to read anew behind the last fault, or -1
        self.resume = -1
        #: the blocks that are open where `tokens` begin
        self.blocks: list[tuple[str, int]] = []
        #: whether `)` and `]`, or `}` and `else`, may be without their partners because of a fault before
        self.brackets_unsure = False
        self.blocks_unsure = False

    def run(self) -> ast.Program:
        while True:
            try:
                return self._loop()
            except FaultError as error:
                from .recovery import is_consequence, recover

                last = error.faults[-1]
                self.faults.extend(fault for fault in error.faults if not is_consequence(self, fault))
            if len(self.faults) >= _ENOUGH or not recover(self, last):
                return ast.Program(0, 0, [], [])
            self.began = (list(self.stack), self.at)

    def _loop(self) -> ast.Program:
        states, gotos, rules = self.parser.states, self.parser.gotos, self.parser.rules
        stack, values, starts, ends = self.stack, self.values, self.starts, self.ends
        tokens = self.tokens
        types, token_values, token_starts, token_ends = tokens.types, tokens.values, tokens.starts, tokens.ends
        end_state = self.parser.end
        at = self.at
        kind = types[at]
        while True:
            action = states[stack[-1]].get(kind)
            if action is None:
                from .recovery import acceptable
                from .syntax_errors import explain_error

                self.at = at
                fault, self.resume = explain_error(self.text, tokens, at, lambda: acceptable(self))
                raise FaultError([fault])
            if action >= 0:
                stack.append(action)
                values.append(token_values[at])
                starts.append(token_starts[at])
                ends.append(token_ends[at])
                if len(stack) > STACK:
                    fault = Fault("limit-reached", "nesting", token_starts[at], token_ends[at], limit=NESTING)
                    raise FaultError([fault])
                at += 1
                kind = types[at]
                continue
            origin, length, build, same, positioned = rules[-action - 1]
            if length:
                if not same:
                    self.at = at
                    if positioned:
                        value = build(starts[-length], ends[-1], *values[-length:], at=starts[-length:])
                    else:
                        value = build(starts[-length], ends[-1], *values[-length:])
                    if length == 1:
                        values[-1] = value
                    else:
                        values[-length:] = [value]
                        starts[-length + 1 :] = []
                        ends[-length:] = [ends[-1]]
                        stack[-length + 1 :] = []
                # a rule that only passes a value on has one symbol
                stack[-1:] = []
                stack.append(gotos[stack[-1]][origin])
            else:
                values.append(build(0, 0))
                starts.append(0)
                ends.append(0)
                stack.append(gotos[stack[-1]][origin])
            if kind == "$END" and stack[-1] == end_state:
                program: ast.Program = values[-1]
                return program


_parser: Parser | None = None


def parser() -> Parser:
    """The parser of the language, made at the first call."""
    global _parser
    if _parser is None:
        _parser = Parser(load())
    return _parser


def parse(text: str) -> ast.Program:
    """The tree of a program. Raises FaultError."""
    return parser().parse(text)
