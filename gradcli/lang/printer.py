"""Tree to text: a program that parses to the same tree. Comments and the way it was laid out are not kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import ast
from .depth import Room
from .literals import NumberLists
from .precedence import PRECEDENCE

if TYPE_CHECKING:
    from collections.abc import Callable

_INDENT = "    "
#: how tightly an expression holds together; operators in between have those of the builder
_LOOSE, _NOT, _COMPARE, _SIGN, _POWER, _NUMBER, _POSTFIX, _ATOM = 0, 3, 4, 9, 10, 11, 12, 13
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def to_text(program: ast.Program) -> str:
    """The text of a program, with a line end behind each statement."""
    with Room():
        return "".join(f"{line}\n" for line in _body(program.body, ""))


# -- statements --------------------------------------------------------------------------------------------------------


def _body(body: list[Any], indent: str) -> list[str]:
    return [line for node in body for line in _statement(node, indent)]


def _statement(node: Any, indent: str) -> list[str]:
    kind = type(node)
    simple = _SIMPLE.get(kind)
    if simple is not None:
        return [indent + simple(node)]
    if kind is ast.If:
        lines: list[str] = []
        for number, (test, body) in enumerate(node.branches):
            word = f"{lines.pop()} elif" if number else f"{indent}if"
            lines += _block(f"{word} {_head(test)}", body, indent)
        if node.orelse is not None:
            lines += _block(f"{lines.pop()} else", node.orelse, indent)
        return lines
    if kind in (ast.Def, ast.ModuleDef):
        word = "def" if kind is ast.Def else "module"
        head = f"{indent}{word} {node.name}({_parameters(node.params)})"
        if not isinstance(node.body, list):
            return [f"{head} = {_text(node.body)}"]
        return _block(head, node.body, indent)
    return _block(indent + _HEADS[kind](node), node.body, indent)


def _block(head: str, body: list[Any], indent: str) -> list[str]:
    if not body:
        return [f"{head} {{ }}"]
    return [f"{head} {{", *_body(body, indent + _INDENT), f"{indent}}}"]


def _head(node: Any) -> str:
    """An expression before a `{`; `stop_recording` there would be the keyword."""
    text = _text(node)
    return f"({text})" if text.endswith("stop_recording") else text


def _tape(node: Any) -> str:
    name = f" {node.name}" if node.name is not None else ""
    options = f"({_keywords(node.options)})" if node.options or node.name == "stop_recording" else ""
    return f"tape{name}{options}"


def _stop_recording(node: Any) -> str:
    return "stop_recording" if node.tape is None else f"{_text(node.tape, _POSTFIX)}.stop_recording"


def _declaration(node: Any) -> str:
    text = f"{node.kind} {node.name}"
    if node.dtype is not None:
        shape = "" if node.shape is None else f"[{', '.join(_text(item) for item in node.shape)}]"
        text += f": {_text(node.dtype, _POSTFIX)}{shape}"
    options = f", {_keywords(node.options)}" if node.options else ""
    return f"{text} = {_text(node.value)}{options}"


def _watch(node: Any) -> str:
    """A tuple alone needs another around it: what stands behind `watch` is a list of its own."""
    alone = not node.items or (len(node.items) == 1 and type(node.items[0]) is ast.TupleExpr)
    return f"watch {_tuple(node)[0] if alone else _list(node.items)}"


def _open(node: Any) -> str:
    """An expression where a tuple needs no parentheses."""
    return _list(node.items) if type(node) is ast.TupleExpr and len(node.items) > 1 else _text(node)


_SIMPLE: dict[Any, Callable[[Any], str]] = {
    ast.ExprStatement: lambda node: _text(node.value),
    ast.Assign: lambda node: f"{_open(node.target)} = {_open(node.value)}",
    ast.AugAssign: lambda node: f"{_text(node.target)} {node.op}= {_open(node.value)}",
    ast.Declare: _declaration,
    ast.Watch: _watch,
    ast.Default: lambda node: f"default {_text(node.dtype, _POSTFIX)}",
    ast.Break: lambda node: "break",
    ast.Continue: lambda node: "continue",
    ast.Return: lambda node: "return" if node.value is None else f"return {_open(node.value)}",
    ast.Assert: lambda node: (
        f"assert {_text(node.test)}" + ("" if node.message is None else f", {_text(node.message)}")
    ),
}
_HEADS: dict[Any, Callable[[Any], str]] = {
    ast.TapeBlock: _tape,
    ast.StopRecording: _stop_recording,
    ast.For: lambda node: f"for {_open(node.target)} in {_head(node.iterable)}",
    ast.While: lambda node: f"while {_head(node.test)}",
}


# -- expressions -------------------------------------------------------------------------------------------------------


def _text(node: Any, least: int = _LOOSE) -> str:
    """An expression, in parentheses if it holds together less tightly than `least`."""
    text, tightness = _EXPRESSIONS[type(node)](node)
    return f"({text})" if tightness < least else text


def _list(items: list[Any]) -> str:
    return ", ".join(_text(item) for item in items)


def _keywords(items: list[Any]) -> str:
    return ", ".join(f"{item.name}={_text(item.value)}" for item in items)


def _parameters(params: list[Any]) -> str:
    return ", ".join(p.name if p.default is None else f"{p.name}={_text(p.default)}" for p in params)


def _number(value: Any) -> str:
    return repr(value).replace("inf", "1e999")


def _numbers(value: Any) -> str:
    return f"[{', '.join(_numbers(item) for item in value)}]" if isinstance(value, list) else _number(value)


def _string(value: str) -> str:
    return '"' + "".join(_ESCAPES.get(c) or (c if c >= " " else f"\\x{ord(c):02x}") for c in value) + '"'


def _list_expr(node: Any) -> tuple[str, int]:
    text = f"[{_list(node.items)}]"
    if NumberLists(text).read(0, 0) is not None:  # it would be read as a list of numbers, which is another node
        text = f"[({_text(node.items[0])}){text[len(_text(node.items[0])) + 1 :]}"
    return text, _ATOM


def _tuple(node: Any) -> tuple[str, int]:
    return (f"({_text(node.items[0])},)" if len(node.items) == 1 else f"({_list(node.items)})"), _ATOM


def _dict(node: Any) -> tuple[str, int]:
    return "{" + ", ".join(f"{_text(k)}: {_text(v)}" for k, v in zip(node.keys, node.values)) + "}", _ATOM


def _chain(node: Any) -> tuple[str, int]:
    tightness = PRECEDENCE[node.rest[0][0]]
    rest = "".join(f" {op} {_text(operand, tightness + 1)}" for op, operand, _ in node.rest)
    return _text(node.first, tightness + 1) + rest, tightness


def _unary(node: Any) -> tuple[str, int]:
    if node.op == "not":
        return f"not {_text(node.operand, _NOT)}", _NOT
    return node.op + _text(node.operand, _SIGN), _SIGN


def _bool(node: Any) -> tuple[str, int]:
    tightness = PRECEDENCE[node.op]
    return f" {node.op} ".join(_text(operand, tightness + 1) for operand in node.operands), tightness


def _lambda(node: Any) -> tuple[str, int]:
    params = f" {_parameters(node.params)}" if node.params else ""
    return f"lambda{params}: {_text(node.body)}", _LOOSE


def _conditional(node: Any) -> tuple[str, int]:
    return f"{_text(node.body, 1)} if {_text(node.test, 1)} else {_text(node.orelse)}", _LOOSE


def _call(node: Any) -> tuple[str, int]:
    arguments = [part for part in (_list(node.args), _keywords(node.kwargs)) if part]
    return f"{_text(node.func, _POSTFIX)}({', '.join(arguments)})", _POSTFIX


def _index(node: Any) -> tuple[str, int]:
    comma = "," if node.is_tuple and len(node.items) == 1 else ""
    return f"{_text(node.value, _POSTFIX)}[{_list(node.items)}{comma}]", _POSTFIX


def _slice(node: Any) -> tuple[str, int]:
    lower, upper, step = ("" if part is None else _text(part, 1) for part in (node.lower, node.upper, node.step))
    return f"{lower}:{upper}" + (f":{step}" if step else ""), _LOOSE


def _comprehension(node: Any) -> tuple[str, int]:
    condition = "" if node.condition is None else f" if {_text(node.condition, 1)}"
    return f"[{_text(node.element)} for {_open(node.target)} in {_text(node.iterable, 1)}{condition}]", _ATOM


_EXPRESSIONS: dict[Any, Callable[[Any], tuple[str, int]]] = {
    # a dot, or a bracket, behind a number or `...` would belong to it
    ast.Number: lambda node: (_number(node.value), _NUMBER),
    ast.EllipsisLiteral: lambda node: ("...", _NUMBER),
    ast.NumberList: lambda node: (_numbers(node.value), _ATOM),
    ast.String: lambda node: (_string(node.value), _ATOM),
    ast.Constant: lambda node: ("none" if node.value is None else str(node.value).lower(), _ATOM),
    ast.Name: lambda node: (node.id, _ATOM),
    ast.ListExpr: _list_expr,
    ast.TupleExpr: _tuple,
    ast.DictExpr: _dict,
    ast.Chain: _chain,
    ast.Power: lambda node: (f"{_text(node.base, _NUMBER)} ** {_text(node.exponent, _SIGN)}", _POWER),
    ast.Unary: _unary,
    ast.Compare: lambda node: (f"{_text(node.left, 5)} {node.op} {_text(node.right, 5)}", _COMPARE),
    ast.IsNone: lambda node: (f"{_text(node.operand, 5)} is {'not ' if node.negated else ''}none", _COMPARE),
    ast.BoolOp: _bool,
    ast.Conditional: _conditional,
    ast.Lambda: _lambda,
    ast.Call: _call,
    ast.Prime: lambda node: (_text(node.func, _POSTFIX) + "'" * node.order, _ATOM),
    ast.Attribute: lambda node: (f"{_text(node.value, _POSTFIX)}.{node.name}", _POSTFIX),
    ast.Index: _index,
    ast.SliceExpr: _slice,
    ast.Comprehension: _comprehension,
}
