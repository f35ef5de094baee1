"""Precedence: from a row of operands and operators, as the grammar has them, to a tree.

Climbing goes deeper for each level of precedence and not for each operand: a sum of 100,000 terms is one node.
"""

from __future__ import annotations

from . import ast
from .depth import NESTING
from .faults import Fault, FaultError

PRECEDENCE: dict[str, int] = {"or": 1, "and": 2, "|": 5, "&": 6, "+": 7, "-": 7, "**": 10, "^": 10}
PRECEDENCE |= dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "~=", "in", "not in", "is none", "is not none"), 4)
PRECEDENCE |= dict.fromkeys(("*", "/", "//", "%", "@"), 8)
_NOT, _COMPARE = 3, 4


class Flat:
    """A row of operands and operators, before precedence is known."""

    __slots__ = ("operands", "operators")

    def __init__(self, first: Operand) -> None:
        self.operands = [first]
        self.operators: list[tuple[str, int, int]] = []


class Operand:
    """A primary with its prefixes, the innermost first, and its offsets with parentheses."""

    __slots__ = ("end", "node", "prefixes", "start")

    def __init__(self, node: ast.Node, start: int, end: int) -> None:
        self.node = node
        self.start = start
        self.end = end
        self.prefixes: list[tuple[str, int]] = []


class Climber:
    """Precedence climbing over one row."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self.at = 0  # the next operator; operand `at` was the last one taken
        self.count = len(flat.operators)

    def run(self) -> ast.Node:
        node, _, _ = self.level(self.operand(0), 0)
        return node

    def operand(self, least: int) -> tuple[ast.Node, int, int]:
        """The operand at the cursor, with its powers and prefixes."""
        item = self.flat.operands[self.at]
        node, start, end = item.node, item.start, item.end
        if self.at < self.count and self.flat.operators[self.at][0] in ("**", "^"):
            node, end = self.power(item)
        negated = -1
        for op, at in item.prefixes:
            if op == "not":
                if least > _NOT:
                    raise FaultError([unexpected("not", at, at + 3)])
                node, _, end = self.level((node, start, end), _COMPARE)
                negated = at
            elif negated >= 0:  # `-not x`
                raise FaultError([unexpected("not", negated, negated + 3)])
            start = at
            node = ast.Unary(start, end, op, node)
        return node, start, end

    def power(self, first: Operand) -> tuple[ast.Node, int]:
        """`a ** b ** c`, from the right; an exponent has its own prefixes."""
        row = [first]
        while self.at < self.count and self.flat.operators[self.at][0] in ("**", "^"):
            self.at += 1
            row.append(self.flat.operands[self.at])
        if len(row) > NESTING:
            raise FaultError([Fault("limit-reached", "nesting", first.start, row[-1].end, limit=NESTING)])
        last = row.pop()
        node, end = _prefixed(last), last.end
        while row:
            base = row.pop()
            node = ast.Power(base.start, end, base.node, node)
            if row:
                for op, at in base.prefixes:
                    if op == "not":
                        raise FaultError([unexpected("not", at, at + 3)])
                    node = ast.Unary(at, end, op, node)
        return node, end

    def level(self, left: tuple[ast.Node, int, int], least: int) -> tuple[ast.Node, int, int]:
        """Take operators that bind at least as tightly as `least`."""
        node, start, end = left
        operators = self.flat.operators
        while self.at < self.count:
            op, at, stop = operators[self.at]
            precedence = PRECEDENCE[op]
            if precedence < least:
                break
            if precedence == _COMPARE:
                if op.startswith("is"):
                    self.at += 1
                    end = stop
                    node = ast.IsNone(start, end, node, op != "is none")
                else:
                    right, _, end = self.next(_COMPARE + 1)
                    node = ast.Compare(start, end, op, node, right)
                if self.at < self.count and PRECEDENCE[operators[self.at][0]] >= _COMPARE:
                    second, at, stop = operators[self.at]
                    if PRECEDENCE[second] > _COMPARE:  # `x is none + 1`
                        raise FaultError([unexpected(second, at, stop, "`and`", "`or`")])
                    raise FaultError([Fault("syntax", "chained-comparison", start, stop, first=op, second=second)])
            elif precedence < _NOT:
                operands = [node]
                while self.at < self.count and operators[self.at][0] == op:
                    right, _, end = self.next(precedence + 1)
                    operands.append(right)
                node = ast.BoolOp(start, end, op, operands)
            else:
                rest = []
                while self.at < self.count and PRECEDENCE[operators[self.at][0]] == precedence:
                    op, at, _ = operators[self.at]
                    right, _, end = self.next(precedence + 1)
                    rest.append((op, right, at))
                node = ast.Chain(start, end, node, rest)
        return node, start, end

    def next(self, least: int) -> tuple[ast.Node, int, int]:
        """Step over an operator and take what is on its right."""
        self.at += 1
        return self.level(self.operand(least), least)


def _prefixed(item: Operand) -> ast.Node:
    node = item.node
    for op, at in item.prefixes:
        if op == "not":
            raise FaultError([unexpected("not", at, at + 3)])
        node = ast.Unary(at, item.end, op, node)
    return node


def unexpected(found: str, start: int, end: int, *instead: str) -> Fault:
    expected = (*(instead or ("an operand",)), "parentheses")
    return Fault("syntax", "unexpected", start, end, found=found, expected=expected)
