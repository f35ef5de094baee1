"""The syntax tree. Each class is one construct of the language; `start` and `end` are offsets into the source.

Names follow the grammar's rules. A node holds what was written, nothing of what it means.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any


class Node:
    """Anything in the tree. Subclasses name their fields in `__slots__`, in the order of the constructor."""

    __slots__ = ("end", "start")

    start: int
    end: int

    def __init__(self, start: int, end: int, *values: Any) -> None:
        self.start = start
        self.end = end
        for name, value in zip(self.__slots__, values):
            setattr(self, name, value)

    if TYPE_CHECKING:  # the fields, whose types a type checker cannot see

        def __getattr__(self, name: str) -> Any: ...


# -- expressions -------------------------------------------------------------------------------------------------------


class Expr(Node):
    """An expression."""

    __slots__ = ()


class Number(Expr):
    """`3`, `3.0`, `2j`: an int, float or complex."""

    __slots__ = ("value",)


class NumberList(Expr):
    """A list of numbers read as one token; nested Python lists."""

    __slots__ = ("value",)


class String(Expr):
    """`"…"` or `'…'`, with escapes resolved."""

    __slots__ = ("value",)


class Constant(Expr):
    """true, false or none."""

    __slots__ = ("value",)


class EllipsisLiteral(Expr):
    """`...` in an index."""

    __slots__ = ()


class Name(Expr):
    """An identifier."""

    __slots__ = ("id",)


class ListExpr(Expr):
    """`[a, b]`."""

    __slots__ = ("items",)


class TupleExpr(Expr):
    """`(a, b)` or `a, b`."""

    __slots__ = ("items",)


class DictExpr(Expr):
    """`{key: value}`."""

    __slots__ = ("keys", "values")


class Chain(Expr):
    """Left-associative operators of one precedence: `first`, then (operator, operand, offset of the operator)."""

    __slots__ = ("first", "rest")


class Power(Expr):
    """`base ** exponent`."""

    __slots__ = ("base", "exponent")


class Unary(Expr):
    """`-x`, `+x`, `~x`, `not x`."""

    __slots__ = ("op", "operand")


class Compare(Expr):
    """`left op right` for < <= > >= == != ~= in, not in."""

    __slots__ = ("op", "left", "right")


class IsNone(Expr):
    """`x is none`, `x is not none`."""

    __slots__ = ("operand", "negated")


class BoolOp(Expr):
    """Operands joined by `and` or by `or`."""

    __slots__ = ("op", "operands")


class Conditional(Expr):
    """`body if test else orelse`."""

    __slots__ = ("test", "body", "orelse")


class Param(Node):
    """A parameter with its default, or None."""

    __slots__ = ("name", "default")


class Lambda(Expr):
    """`lambda x: body`."""

    __slots__ = ("params", "body", "locals")


class Keyword(Node):
    """`name=value` in a call or among options."""

    __slots__ = ("name", "value")


class Call(Expr):
    """`func(args, name=value)`."""

    __slots__ = ("func", "args", "kwargs")


class Prime(Expr):
    """`f''` before its `(`: the derivative of `func`, `order` times."""

    __slots__ = ("func", "order")


class Attribute(Expr):
    """`value.name`."""

    __slots__ = ("value", "name", "name_start")


class SliceExpr(Expr):
    """`lower:upper:step` in an index; each part may be None."""

    __slots__ = ("lower", "upper", "step")


class Index(Expr):
    """`value[items]`; `is_tuple` where a comma was written."""

    __slots__ = ("value", "items", "is_tuple")


class Comprehension(Expr):
    """`[element for target in iterable if condition]`."""

    __slots__ = ("element", "target", "iterable", "condition", "locals")


# -- statements --------------------------------------------------------------------------------------------------------


class Stmt(Node):
    """A statement."""

    __slots__ = ()


class Program(Node):
    """A whole source: its statements, its comments as (start, end, text), and the names it binds."""

    __slots__ = ("body", "comments", "locals")

    body: list[Any]
    comments: list[tuple[int, int, str]]
    locals: frozenset[str]


class Declare(Stmt):
    """`variable name: dtype[shape] = value, option=…` (`kind` is variable or constant)."""

    __slots__ = ("kind", "name", "name_start", "name_end", "dtype", "shape", "value", "options")


class Watch(Stmt):
    """`watch x, y`."""

    __slots__ = ("items",)


class TapeBlock(Stmt):
    """`tape name(options) { … }`."""

    __slots__ = ("name", "options", "body")


class StopRecording(Stmt):
    """`t.stop_recording { … }`; `tape` is None for the innermost one."""

    __slots__ = ("tape", "body")


class Default(Stmt):
    """`default float64`."""

    __slots__ = ("dtype",)


class Assign(Stmt):
    """`target = value`."""

    __slots__ = ("target", "value")


class AugAssign(Stmt):
    """`target op= value`; `op` is the operator without the equals sign."""

    __slots__ = ("op", "target", "value")


class ExprStatement(Stmt):
    """A bare expression, which prints."""

    __slots__ = ("value",)


class If(Stmt):
    """Branches of (test, body), and the body of `else` or None."""

    __slots__ = ("branches", "orelse")


class For(Stmt):
    """`for target in iterable { … }`."""

    __slots__ = ("target", "iterable", "body")


class While(Stmt):
    """`while test { … }`."""

    __slots__ = ("test", "body")


class Break(Stmt):
    """`break`."""

    __slots__ = ()


class Continue(Stmt):
    """`continue`."""

    __slots__ = ()


class Return(Stmt):
    """`return value`; the value may be None."""

    __slots__ = ("value",)


class Def(Stmt):
    """`def name(params) { … }` or `def name(params) = expression`: the body is a list or an expression."""

    __slots__ = ("name", "params", "body", "locals")


class ModuleDef(Stmt):
    """`module Name(params) { … }`."""

    __slots__ = ("name", "params", "body", "locals")


class Assert(Stmt):
    """`assert test, message`; the message may be None."""

    __slots__ = ("test", "message")


def dump(value: Any) -> Any:
    """The tree as nested tuples, without places: what two parses are compared by. Deep trees need `depth.Room`."""
    # plain loops: comprehensions and generators would take far more of the machine's stack at each level
    if isinstance(value, Node):
        fields: list[Any] = [type(value).__name__]
        if type(value) is Chain:
            fields.append(dump(value.first))
            for op, operand, _ in value.rest:
                fields += (op, dump(operand))
            return tuple(fields)
        for name in type(value).__slots__:
            if name not in ("name_start", "name_end", "comments", "locals"):
                fields.append(dump(getattr(value, name)))
        return tuple(fields)
    if isinstance(value, (list, tuple)):
        items = []
        for item in value:
            items.append(dump(item))
        return items
    if isinstance(value, float) and value != value:
        return "nan"
    return value
