"""Syntax tree to closures, once; then running is calling them.

An expression becomes a function of a frame, a statement one that returns None or a signal (break, continue, return). A
frame is a dict of names; the frame of the enclosing function is in it under `PARENT`. Which frame holds a name is
decided here, when compiling, by Python's rule: a name that a function assigns is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .outcomes import Place, ProgramError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.lang import ast
    from gradcli.lang.source import Source

    from .session import Session

    Frame = dict[Any, Any]
    Closure = Callable[[Frame], Any]

#: the key of the enclosing frame in a frame; no name of a program is empty
PARENT = ""


class Scope:
    """The names of one function (or of the program, for which `parent` is None)."""

    __slots__ = ("names", "parent")

    def __init__(self, names: frozenset[str], parent: Scope | None) -> None:
        self.names = names
        self.parent = parent


class Compiler:
    """Compiles the trees of one source for one session."""

    __slots__ = ("once", "scope", "session", "shown", "source")

    def __init__(self, session: Session, source: Source, scope: Scope) -> None:
        self.session = session
        self.source = source
        self.scope = scope
        #: are we inside an expression whose value is printed?
        self.shown = False
        #: are we outside functions and loops, where a statement runs once?
        self.once = scope.parent is None

    def place(self, node: ast.Node) -> Place:
        """The piece of source that a node spans."""
        return Place(self.source, node.start, node.end)

    def site(self, node: ast.Node) -> int:
        """The number under which the engine knows that piece."""
        return self.session.site(self.place(node))

    def site_of_head(self, node: ast.Node) -> int:
        """The number of a block's first line: what opened it."""
        text = self.source.text
        stop = text.find("{", node.start, node.end)
        end = len(text[node.start : stop].rstrip()) + node.start if stop > 0 else node.end
        return self.session.site_at(self.source, node.start, end)

    def expr(self, node: ast.Node) -> Closure:
        """The closure of an expression."""
        from .expressions import EXPRESSIONS

        compile_node: Any = EXPRESSIONS[type(node).__name__]
        made: Closure = compile_node(self, node)
        return made

    def statement(self, node: ast.Node) -> Closure:
        """The closure of a statement."""
        from .statements import STATEMENTS

        compile_node: Any = STATEMENTS[type(node).__name__]
        made: Closure = compile_node(self, node)
        return made

    def block(self, body: list[Any]) -> list[Closure]:
        """The closures of a list of statements."""
        return [self.statement(node) for node in body]

    def repeated(self, body: list[Any]) -> list[Closure]:
        """The closures of a loop's body."""
        before, self.once = self.once, False
        try:
            return self.block(body)
        finally:
            self.once = before

    def inner(self, names: frozenset[str]) -> Compiler:
        """A compiler for the body of a function."""
        return Compiler(self.session, self.source, Scope(names, self.scope))

    def distance(self, name: str) -> int | None:
        """How many frames up `name` lives; None where no scope binds it."""
        scope: Scope | None = self.scope
        steps = 0
        while scope is not None:
            if name in scope.names or (scope.parent is None and name in self.session.frame):
                return steps
            scope = scope.parent
            steps += 1
        return None

    def error(self, node: ast.Node, code: str, kind: str, **facts: Any) -> ProgramError:
        """An error at a node."""
        return ProgramError(self.place(node), code, kind, **facts)
