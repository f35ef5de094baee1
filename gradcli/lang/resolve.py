"""Names and rules that the grammar leaves open: every name is bound or known, options exist, `break` is in a loop.

Which names are known (operations, functions, dtypes) the caller says, by functions: the language does not know them.
Python's scoping: what a function assigns is its own; a function may use what the program binds later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import ast
from .depth import Room
from .faults import Fault
from .suggest import nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: the roots of dotted names, where nothing binds them
ROOTS = frozenset({"tf", "np", "numpy", "nn", "math", "linalg", "random", "signal", "keras"})
#: the name of the value that was printed last
LAST = "_"
_DECLARED = ("trainable", "name", "dtype", "shape")
_TAPE = ("persistent", "watch_accessed_variables")


def statements(body: Iterable[Any]) -> Iterator[Any]:
    """Statements and those of their blocks, in no order; what functions hold is not among them."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        kind = type(node)
        if kind in (ast.TapeBlock, ast.For, ast.While, ast.StopRecording):
            stack.extend(node.body)
        elif kind is ast.If:
            for _, branch in node.branches:
                stack.extend(branch)
            stack.extend(node.orelse or ())


def bound_names(body: Iterable[Any]) -> set[str]:
    """The names that statements bind, blocks included, functions' own not."""
    names: set[str] = set()
    for node in statements(body):
        kind = type(node)
        if kind is ast.Assign or kind is ast.AugAssign or kind is ast.For:
            _targets(node.target, names)
        elif kind in (ast.Declare, ast.Def, ast.ModuleDef) or (kind is ast.TapeBlock and node.name is not None):
            names.add(node.name)
    return names


def _targets(target: Any, names: set[str]) -> None:
    if type(target) is ast.Name:
        names.add(target.id)
    elif type(target) in (ast.TupleExpr, ast.ListExpr):
        for item in target.items:
            _targets(item, names)


class _Resolver:
    def __init__(
        self, known: Callable[[str], bool], dotted: Callable[[str], bool | None],
        candidates: Callable[[], Iterable[str]], bound: set[str],
    ) -> None:  # fmt: skip
        self.known = known
        self.dotted = dotted
        self.candidates = candidates
        self.scopes: list[frozenset[str] | set[str]] = [bound]
        self.faults: list[Fault] = []
        self.loops = 0
        self.functions = 0

    def is_bound(self, name: str) -> bool:
        return any(name in scope for scope in self.scopes)

    def fault(self, node: Any, code: str, kind: str, **details: Any) -> None:
        self.faults.append(Fault(code, kind, node.start, node.end, **details))

    # -- statements ----------------------------------------------------------------------------------------------------

    def block(self, body: list[Any]) -> None:
        for node in body:
            self.statement(node)

    def statement(self, node: Any) -> None:
        kind = type(node)
        if kind is ast.ExprStatement or kind is ast.Return:
            if kind is ast.Return and not self.functions:
                self.fault(node, "syntax", "outside-function")
            if node.value is not None:
                self.expression(node.value)
        elif kind is ast.Assign:
            self.expression(node.value)
            if type(node.target) is ast.Attribute:
                self.expression(node.target.value)  # what may be assigned is known when it runs
            else:
                self.target(node.target)
        elif kind is ast.AugAssign:
            self.expression(node.value)
            if type(node.target) in (ast.Name, ast.Attribute):
                self.expression(node.target)
            else:
                self.target(node.target)
        elif kind is ast.Declare:
            self.declaration(node)
        elif kind is ast.Watch:
            self.all(node.items)
        elif kind is ast.Default:
            self.expression(node.dtype)
        elif kind is ast.TapeBlock:
            self.options(node.options, _TAPE)
            self.block(node.body)
        elif kind is ast.StopRecording:
            if node.tape is not None:
                self.expression(node.tape)
            self.block(node.body)
        elif kind is ast.If:
            for test, body in node.branches:
                self.expression(test)
                self.block(body)
            self.block(node.orelse or [])
        elif kind is ast.For or kind is ast.While:
            self.expression(node.iterable if kind is ast.For else node.test)
            self.loops += 1
            self.block(node.body)
            self.loops -= 1
        elif kind is ast.Break or kind is ast.Continue:
            if not self.loops:
                self.fault(node, "syntax", "outside-loop", keyword="break" if kind is ast.Break else "continue")
        elif kind is ast.Def or kind is ast.ModuleDef:
            self.function(node)
        elif kind is ast.Assert:
            self.expression(node.test)
            if node.message is not None:
                self.expression(node.message)

    def target(self, target: Any) -> None:
        if type(target) in (ast.TupleExpr, ast.ListExpr):
            for item in target.items:
                self.target(item)
        elif type(target) is not ast.Name:
            of = "an attribute" if type(target) is ast.Attribute else "an entry"
            self.fault(target, "cannot-assign", "entry", of=of)

    def declaration(self, node: Any) -> None:
        self.expression(node.value)
        if node.dtype is not None:
            self.expression(node.dtype)
        self.all(node.shape or ())
        self.options(node.options, _DECLARED)

    def options(self, options: list[Any], allowed: tuple[str, ...]) -> None:
        seen: set[str] = set()
        for option in options:
            if option.name not in allowed:
                self.fault(option, "unknown-option", "unknown-option", name=option.name, allowed=allowed)
            elif option.name in seen:
                self.fault(option, "unknown-option", "option-twice", name=option.name, allowed=allowed)
            seen.add(option.name)
            self.expression(option.value)

    def function(self, node: Any) -> None:
        for param in node.params:
            if param.default is not None:
                self.expression(param.default)
        names = {param.name for param in node.params}
        if isinstance(node.body, list):
            names |= bound_names(node.body)
        node.locals = frozenset(names)
        outside = self.loops, self.functions
        self.loops = 0
        self.functions = 0 if type(node) is ast.ModuleDef else self.functions + 1
        self.scopes.append(node.locals)
        if isinstance(node.body, list):
            self.block(node.body)
        else:
            self.expression(node.body)
        self.scopes.pop()
        self.loops, self.functions = outside

    # -- expressions ---------------------------------------------------------------------------------------------------

    def all(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            self.expression(node)

    def expression(self, node: Any) -> None:
        kind = type(node)
        if kind is ast.Name:
            if not self.is_bound(node.id) and not self.known(node.id):
                self.unknown(node, node.id)
        elif kind is ast.Chain:
            self.expression(node.first)
            for _, operand, _ in node.rest:
                self.expression(operand)
        elif kind is ast.Attribute:
            self.attribute(node)
        elif kind is ast.Call:
            self.expression(node.func)
            self.all(node.args)
            for keyword in node.kwargs:
                self.expression(keyword.value)
        elif kind is ast.Lambda:
            self.function(node)
        elif kind is ast.Comprehension:
            self.expression(node.iterable)
            names: set[str] = set()
            _targets(node.target, names)
            node.locals = frozenset(names)
            self.scopes.append(node.locals)
            self.expression(node.element)
            if node.condition is not None:
                self.expression(node.condition)
            self.scopes.pop()
        elif isinstance(node, ast.Node):
            for name in type(node).__slots__:
                value = getattr(node, name, None)
                if isinstance(value, ast.Node):
                    self.expression(value)
                elif type(value) is list and kind is not ast.NumberList:
                    self.all(value)

    def attribute(self, node: Any) -> None:
        names, root = [node.name], node.value
        while type(root) is ast.Attribute:
            names.append(root.name)
            root = root.value
        if type(root) is ast.Name and root.id in ROOTS and not self.is_bound(root.id):
            path = ".".join([root.id, *reversed(names)])
            if self.dotted(path) is False:
                self.unknown(node, path)
            return
        self.expression(node.value)

    def unknown(self, node: Any, name: str) -> None:
        last = name.rpartition(".")[2]
        names = [n for scope in self.scopes for n in scope if n != LAST] + list(self.candidates())
        near = nearest(last, names if "." not in name else self.candidates())
        self.fault(node, "unknown-name", "dotted" if "." in name else "unknown-name", name=name, suggestions=near)


def resolve(
    program: ast.Program, known: Callable[[str], bool], dotted: Callable[[str], bool | None],
    candidates: Callable[[], Iterable[str]], bound: Iterable[str],
) -> list[Fault]:  # fmt: skip
    """The faults of a program, in the order of its text. Sets `locals` on the program and on what has a scope.

    `known(name)` and `dotted("tf.nn.relu")` tell what is predefined, `candidates()` lists it for suggestions, `bound`
    are names that exist already.
    """
    names = bound_names(program.body)
    if any(type(node) is ast.ExprStatement for node in statements(program.body)):
        names.add(LAST)
    program.locals = frozenset(names)
    resolver = _Resolver(known, dotted, candidates, names | set(bound))
    with Room():
        resolver.block(program.body)
    return resolver.faults
