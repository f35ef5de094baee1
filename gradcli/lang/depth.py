"""How deep a tree may be, and room for walking one that is. No text may overflow Python's stack: the parser refuses
what is nested too deep, and recursive walks of what it lets pass are made in a `Room`.
"""

from __future__ import annotations

import sys
from typing import Any

from . import ast

#: brackets, blocks, prefixes and powers in one another
NESTING = 500
#: nodes in one another: `x.T.T…` and `f(a)(b)…` have no brackets in one another, but a deep tree
TREE = 5000
#: entries of the parser's stack: nesting that neither shows before the tree is there (conditionals, lambdas)
STACK = 8000
#: calls of Python's that a walk may take for each node
_CALLS = 4


def deeper_than(limit: int, program: ast.Program) -> ast.Node | None:
    """A node that lies deeper in a tree than `limit` nodes, if there is one."""
    level: list[Any] = [program]
    for _ in range(limit + 1):
        below: list[Any] = []
        for node in level:
            parts = [getattr(node, name, None) for name in type(node).__slots__ if name != "comments"]
            while parts:
                part = parts.pop()
                if isinstance(part, ast.Node):
                    below.append(part)
                elif (type(part) is list or type(part) is tuple) and type(node) is not ast.NumberList:
                    parts.extend(part)
        if not below:
            return None
        level = below
    found: ast.Node = level[0]
    return found


class Room:
    """`with Room():` lets a recursive walk go through any tree that the parser makes, as deep as those may be."""

    __slots__ = ("limit",)

    def __enter__(self) -> None:
        self.limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self.limit, _CALLS * TREE))

    def __exit__(self, *_: object) -> None:
        sys.setrecursionlimit(self.limit)
