"""Other spellings of an expression that keep its value where arithmetic loses it: a table of patterns, by the tree.

A pattern is an expression of the language in which a capital letter stands for any expression. What comes out are
texts; whether one of them is right here, the caller finds out by running it.
"""

from __future__ import annotations

from typing import Any

from . import ast
from .parser import parse

#: written → safe. Sums and products match in either order.
PATTERNS = (
    ("log(1 + exp(X))", "softplus(X)"),
    ("log(sum(exp(X)))", "reduce_logsumexp(X)"),
    ("log(reduce_sum(exp(X)))", "reduce_logsumexp(X)"),
    ("log(softmax(X))", "log_softmax(X)"),
    ("log(sigmoid(X))", "log_sigmoid(X)"),
    ("exp(X) / sum(exp(X))", "softmax(X)"),
    ("exp(X) / reduce_sum(exp(X))", "softmax(X)"),
    ("1 / (1 + exp(-X))", "sigmoid(X)"),
    ("exp(X) / (1 + exp(X))", "sigmoid(X)"),
    ("(exp(X) - exp(-X)) / (exp(X) + exp(-X))", "tanh(X)"),
    ("X * log(Y)", "xlogy(X, Y)"),
    ("sin(X) / X", "sinc(X / pi)"),
    ("(1 - cos(X)) / X ** 2", "0.5 * sinc(X / (2 * pi)) ** 2"),
    ("(exp(X) - 1) / X", "where(X == 0, 1.0, expm1(X) / where(X == 0, 1.0, X))"),
    ("log(1 + X)", "log1p(X)"),
    ("exp(X) - 1", "expm1(X)"),
    ("1 - cos(X)", "2 * sin(X / 2) ** 2"),
    ("sqrt(X ** 2 + Y ** 2)", "hypot(X, Y)"),
    ("sqrt(X * X + Y * Y)", "hypot(X, Y)"),
    ("sqrt(X ** 2)", "abs(X)"),
    ("sqrt(X) ** 2", "X"),
    ("exp(log(X))", "X"),
    ("norm(X) ** 2", "reduce_sum(X * X)"),
    ("maximum(X, 0) + log(1 + exp(-abs(X)))", "softplus(X)"),
    ("log(X) - log(Y)", "log(X / Y)"),
)

#: an argument that is safe for an operation: nothing singular there
_SAFE = {
    "log": "1.0", "sqrt": "1.0", "rsqrt": "1.0", "reciprocal": "1.0", "pow": "1.0", "asin": "0.0", "acos": "0.0",
    "arcsin": "0.0", "arccos": "0.0", "atanh": "0.0", "acosh": "2.0", "log1p": "0.0", "log2": "1.0", "log10": "1.0",
    "exp": "0.0", "norm": "1.0", "lgamma": "1.0", "digamma": "1.0", "tan": "0.0", "expm1": "0.0", "cosh": "0.0",
    "sinh": "0.0", "square": "0.0",
}  # fmt: skip


class Rewriting:
    """`text[start:end]` replaced by `written`; `within` is the whole expression afterwards, to be shown."""

    __slots__ = ("end", "start", "within", "written")

    def __init__(self, start: int, end: int, written: str, within: str) -> None:
        self.start = start
        self.end = end
        self.written = written
        self.within = within

    def applied(self, text: str) -> str:
        """The text with the replacement made."""
        return text[: self.start] + self.written + text[self.end :]


def rewritings(text: str, start: int, end: int, choice: tuple[int, int] | None = None) -> list[Rewriting]:
    """Other spellings of the expressions around `text[start:end]`, the innermost first.

    `choice` is the place of a `where` that did not take what was computed there, if it is written elsewhere.
    """
    program = parse(text)
    around = _around(program, start, end)
    found: list[Rewriting] = []
    for node in around:
        for pattern, safe in _table():
            bound: dict[str, Any] = {}
            if _matches(pattern, node, bound):
                written = _filled(safe, {name: text[n.start : n.end] for name, n in bound.items()})
                found.append(Rewriting(node.start, node.end, f"({written})", written))
    found.extend(_guarded(text, around))
    if choice is not None:
        found.extend(_guarded_from_afar(text, around, _around(program, *choice)))
    return found


def _around(program: Any, start: int, end: int) -> list[Any]:
    """The expressions that span a piece of text, innermost first; also those of the statements' other expressions."""
    found = []
    stack: list[Any] = list(program.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Node):
            if node.start <= start and end <= node.end:
                if isinstance(node, ast.Expr):
                    found.append(node)
                stack.extend(getattr(node, name, None) for name in type(node).__slots__)
        elif isinstance(node, (list, tuple)):
            stack.extend(node)
    found.sort(key=lambda node: node.end - node.start)
    return found


def _guarded(text: str, around: list[Any]) -> list[Rewriting]:
    """Within a branch of `where(c, a, b)`: the argument of the operation made safe where the branch is not taken."""
    found = []
    for i, choice in enumerate(around):
        if not _is_call(choice, "where") or len(choice.args) != 3:
            continue
        condition = text[choice.args[0].start : choice.args[0].end]
        for inner in around[:i]:
            branch = next((k for k in (1, 2) if _holds(choice.args[k], inner)), 0)
            spot = _risky(inner) if branch else None
            if spot is None:
                continue
            argument, safe = spot
            given = text[argument.start : argument.end]
            guard = f"where({condition}, {given}, {safe})" if branch == 1 else f"where({condition}, {safe}, {given})"
            within = text[choice.start : argument.start] + guard + text[argument.end : choice.end]
            found.append(Rewriting(argument.start, argument.end, guard, within))
    return found


def _guarded_from_afar(text: str, around: list[Any], choices: list[Any]) -> list[Rewriting]:
    """The same for a `where` that takes or leaves, by a name, what is computed in another statement."""
    found = []
    for choice in choices[:1]:
        if not _is_call(choice, "where") or len(choice.args) != 3:
            continue
        condition = text[choice.args[0].start : choice.args[0].end]
        for inner in around:
            spot = _risky(inner)
            if spot is None:
                continue
            argument, safe = spot
            given = text[argument.start : argument.end]
            for guard in (f"where({condition}, {given}, {safe})", f"where({condition}, {safe}, {given})"):
                within = text[inner.start : argument.start] + guard + text[argument.end : inner.end]
                found.append(Rewriting(argument.start, argument.end, guard, within))
    return found


def _holds(outer: Any, inner: Any) -> bool:
    return bool(outer.start <= inner.start and inner.end <= outer.end)


def _risky(node: Any) -> tuple[Any, str] | None:
    """The argument of an operation to make safe, and a safe value for it."""
    if type(node) is ast.Call and len(node.args) >= 1:
        name = _name(node.func)
        return (node.args[0], _SAFE[name]) if name in _SAFE else None
    if type(node) is ast.Power:
        return node.base, "1.0"
    if type(node) is ast.Chain:
        for op, operand, _ in reversed(node.rest):
            if op == "/":
                return operand, "1.0"
    return None


def _name(func: Any) -> str:
    if type(func) is ast.Name:
        return str(func.id)
    return str(func.name) if type(func) is ast.Attribute else ""


def _is_call(node: Any, name: str) -> bool:
    return type(node) is ast.Call and _name(node.func) == name and not node.kwargs


_made: list[tuple[Any, str]] = []


def _table() -> list[tuple[Any, str]]:
    if not _made:
        for pattern, safe in PATTERNS:
            statement: Any = parse(pattern).body[0]
            _made.append((statement.value, safe))
    return _made


def _filled(safe: str, bound: dict[str, str]) -> str:
    import re

    def put(match: Any) -> str:
        text = bound[match.group(0)]
        alone = text.isidentifier() or (match.start() == 0 and match.end() == len(safe))
        before, after = safe[: match.start()].rstrip()[-1:], safe[match.end() :].lstrip()[:1]
        return text if alone or (before in "(," and after in "),") else f"({text})"

    return re.sub(r"\b[A-Z]\b", put, safe)


def _matches(pattern: Any, node: Any, bound: dict[str, Any]) -> bool:
    if type(pattern) is ast.Name and len(pattern.id) == 1 and pattern.id.isupper():
        if pattern.id in bound:
            return _equal(bound[pattern.id], node)
        bound[pattern.id] = node
        return True
    if type(pattern) is ast.Number and type(node) is ast.Number:
        return bool(pattern.value == node.value)
    if type(pattern) is not type(node):
        return False
    if type(pattern) is ast.Call:
        return (
            _name(pattern.func) == _name(node.func) and not node.kwargs and len(pattern.args) == len(node.args)
            and all(_matches(p, n, bound) for p, n in zip(pattern.args, node.args))
        )  # fmt: skip
    if type(pattern) is ast.Power:
        return _matches(pattern.base, node.base, bound) and _matches(pattern.exponent, node.exponent, bound)
    if type(pattern) is ast.Unary:
        return bool(pattern.op == node.op) and _matches(pattern.operand, node.operand, bound)
    if type(pattern) is ast.Chain:
        return _matches_chain(pattern, node, bound)
    return _equal(pattern, node)


def _matches_chain(pattern: Any, node: Any, bound: dict[str, Any]) -> bool:
    if [op for op, _, _ in pattern.rest] != [op for op, _, _ in node.rest]:
        return False
    (op, second, _), *more = pattern.rest
    other = node.rest[0][1]
    kept = dict(bound)
    if _matches(pattern.first, node.first, bound) and all(
        _matches(p, n, bound) for (_, p, _), (_, n, _) in zip(pattern.rest, node.rest)
    ):
        return True
    bound.clear()
    bound.update(kept)
    return op in "+*" and not more and _matches(pattern.first, other, bound) and _matches(second, node.first, bound)


def _equal(a: Any, b: Any) -> bool:
    if type(a) is ast.Chain and type(b) is ast.Chain:  # without the offsets of its operators
        return _equal(a.first, b.first) and _equal([pair[:2] for pair in a.rest], [pair[:2] for pair in b.rest])
    if isinstance(a, ast.Node):
        return type(a) is type(b) and all(
            _equal(getattr(a, name), getattr(b, name))
            for name in type(a).__slots__
            if not name.endswith(("start", "end"))
        )
    if isinstance(a, (list, tuple)):
        return isinstance(b, (list, tuple)) and len(a) == len(b) and all(map(_equal, a, b))
    return bool(a == b)
