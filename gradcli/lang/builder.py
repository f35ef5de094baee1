"""Reductions to nodes: one function for each name after `->` in the grammar.

A function gets the offsets of what it reduces and the values of its symbols; those in `POSITIONED` also get the
symbols' starting offsets.
"""

from __future__ import annotations

from typing import Any

from . import ast
from .depth import NESTING
from .faults import Fault, FaultError
from .precedence import Climber, Flat, Operand

# -- expressions -------------------------------------------------------------------------------------------------------


def _operand(s: int, e: int, node: Any) -> Operand:
    return Operand(node, s, e)


def _prefix(s: int, e: int, op: str, operand: Operand) -> Operand:
    operand.prefixes.append((op, s))
    if len(operand.prefixes) > NESTING:
        raise FaultError([Fault("limit-reached", "nesting", s, e, limit=NESTING)])
    return operand


def _flat_binary(s: int, e: int, flat: Flat, op: str, operand: Operand, at: list[int]) -> Flat:
    flat.operators.append(("not in" if op.startswith("not") else op, at[1], at[1] + len(op)))
    flat.operands.append(operand)
    return flat


def _flat_none(s: int, e: int, flat: Flat, op: str, at: list[int]) -> Flat:
    words = "is not none" if "not" in op.split() else "is none"
    flat.operators.append((words, at[1], e))
    flat.operands.append(Operand(ast.Constant(at[1], e, None), at[1], e))
    return flat


def _flat(s: int, e: int, flat: Flat) -> ast.Node:
    if not flat.operators and not flat.operands[0].prefixes:
        return flat.operands[0].node
    return Climber(flat).run()


def _conditional(s: int, e: int, body: Flat, _if: Any, test: Flat, _else: Any, orelse: ast.Node) -> ast.Node:
    return ast.Conditional(s, e, _flat(s, e, test), _flat(s, e, body), orelse)


def _call(s: int, e: int, func: Any, *rest: Any) -> ast.Node:
    arguments = rest[1] if isinstance(rest[1], list) else []
    return _make_call(s, e, func, arguments)


def _prime(s: int, e: int, func: Any, order: int, *rest: Any) -> ast.Node:
    arguments = rest[1] if isinstance(rest[1], list) else []
    return _make_call(s, e, ast.Prime(s, func.end + order, func, order), arguments)


def _make_call(s: int, e: int, func: Any, arguments: list[Any]) -> ast.Node:
    args, kwargs = [], []
    for argument in arguments:
        if type(argument) is ast.Keyword:
            kwargs.append(argument)
        elif kwargs:
            raise FaultError([Fault("syntax", "positional-after-named", argument.start, argument.end)])
        else:
            args.append(argument)
    return ast.Call(s, e, func, args, kwargs)


def _tuple_or_one(s: int, e: int, items: list[Any]) -> ast.Node:
    return items[0] if len(items) == 1 else ast.TupleExpr(s, e, items)


def _empty_block(s: int, e: int, *_: Any) -> list[Any]:
    return []


def _declare(s: int, e: int, kind: str, name: str, *rest: Any, at: list[int]) -> ast.Node:
    dtype = shape = None
    if len(rest) == 4:
        dtype = rest[1]
        if type(dtype) is ast.Index:
            dtype, shape = rest[1].value, rest[1].items
        elif type(dtype) is ast.ListExpr or type(dtype) is ast.NumberList:
            raise FaultError(
                [
                    Fault(
                        "syntax",
                        "unexpected",
                        dtype.start,
                        dtype.end,
                        found="[",
                        expected=("a dtype such as `float32[2, 3]`",),
                    )
                ]
            )
    return ast.Declare(s, e, kind, name, at[1], at[1] + len(name), dtype, shape, rest[-1], [])


def _declare_options(s: int, e: int, declaration: Any, _comma: Any, options: list[Any]) -> ast.Node:
    declaration.options, declaration.end = options, e
    return declaration  # type: ignore[no-any-return]


def _target(node: Any) -> Any:
    """An assignment's target, from the expression that was read. Raises a fault for what cannot be one."""
    kind = type(node)
    if kind in (ast.TupleExpr, ast.ListExpr):
        for item in node.items:
            _target(item)
    elif kind not in (ast.Name, ast.Attribute, ast.Index):
        raise FaultError([Fault("cannot-assign", "target", node.start, node.end)])
    return node


def _one_target(node: Any) -> Any:
    """The target of `+=` and its kind, which is a single one."""
    if type(node) in (ast.TupleExpr, ast.ListExpr):
        raise FaultError([Fault("cannot-assign", "target", node.start, node.end)])
    return _target(node)


def _parameters(params: list[Any]) -> list[Any]:
    """Parameters, each of another name, those without a default first. Raises a fault where they are not."""
    seen: set[str] = set()
    optional = False
    for param in params:
        if param.name in seen:
            raise FaultError([Fault("syntax", "duplicate-parameter", param.start, param.end, name=param.name)])
        if optional and param.default is None:
            raise FaultError([Fault("syntax", "parameter-order", param.start, param.end, name=param.name)])
        seen.add(param.name)
        optional = param.default is not None
    return params


def _more(s: int, e: int, items: list[Any], _between: Any, item: Any) -> list[Any]:
    items.append(item)
    return items


def _elif(s: int, e: int, chain: Any, _elif: Any, test: Any, body: Any) -> ast.Node:
    chain.branches.append((test, body))
    chain.end = e
    return chain  # type: ignore[no-any-return]


def _if_else(s: int, e: int, chain: Any, _else: Any, body: Any) -> ast.Node:
    chain.orelse, chain.end = body, e
    return chain  # type: ignore[no-any-return]


_LITERALS = {"true": True, "false": False, "none": None}

ACTIONS: dict[str, Any] = {
    "empty_program": lambda s, e: ast.Program(s, e, [], []),
    "program": lambda s, e, body: ast.Program(s, e, body, []),
    "first": lambda s, e, item: [item],
    "more": _more,
    "more_statements": _more,
    "same": lambda s, e, item: item,
    "expression_statement": lambda s, e, value: ast.ExprStatement(s, e, value),
    "assign": lambda s, e, target, _, value: ast.Assign(s, e, _target(target), value),
    "augment": lambda s, e, target, op, value: ast.AugAssign(s, e, op[:-1], _one_target(target), value),
    "declare": _declare,
    "declare_typed": _declare,
    "declare_options": _declare_options,
    "watch": lambda s, e, _, value: ast.Watch(s, e, value.items if type(value) is ast.TupleExpr else [value]),
    "nothing": lambda s, e, _, __: [],
    "inside": lambda s, e, _, items, *__: items,
    "tape": lambda s, e, _, body: ast.TapeBlock(s, e, None, [], body),
    "named_tape": lambda s, e, _, name, body: ast.TapeBlock(s, e, name, [], body),
    "tape_options": lambda s, e, _, options, body: ast.TapeBlock(s, e, None, options, body),
    "named_tape_options": lambda s, e, _, name, options, body: ast.TapeBlock(s, e, name, options, body),
    "stop_recording": lambda s, e, _, body: ast.StopRecording(s, e, None, body),
    "stop_recording_of": lambda s, e, tape, _, __, body: ast.StopRecording(s, e, tape, body),
    "default": lambda s, e, _, dtype: ast.Default(s, e, dtype),
    "if_": lambda s, e, _, test, body: ast.If(s, e, [(test, body)], None),
    "elif_": _elif,
    "if_else": _if_else,
    "for_loop": lambda s, e, _, targets, __, value, body: ast.For(s, e, _targets(targets), value, body),
    "while_loop": lambda s, e, _, test, body: ast.While(s, e, test, body),
    "break_": lambda s, e, _: ast.Break(s, e),
    "continue_": lambda s, e, _: ast.Continue(s, e),
    "return_nothing": lambda s, e, _: ast.Return(s, e, None),
    "return_": lambda s, e, _, value: ast.Return(s, e, value),
    "def_": lambda s, e, _, name, params, body: ast.Def(s, e, name, _parameters(params), body),
    "def_expression": lambda s, e, _, name, params, __, body: ast.Def(s, e, name, _parameters(params), body),
    "module_bare": lambda s, e, _, name, body: ast.ModuleDef(s, e, name, [], body),
    "module_": lambda s, e, _, name, params, body: ast.ModuleDef(s, e, name, _parameters(params), body),
    "assert_": lambda s, e, _, test: ast.Assert(s, e, test, None),
    "assert_message": lambda s, e, _, test, __, message: ast.Assert(s, e, test, message),
    "keyword": lambda s, e, name, _, value: ast.Keyword(s, e, name, value),
    "empty_block": _empty_block,
    "block": lambda s, e, _, body, __: body,
    "name": lambda s, e, name: ast.Name(s, e, name),
    "target_tuple": lambda s, e, _, items, __: ast.TupleExpr(s, e, items) if len(items) > 1 else items[0],
    "parameter": lambda s, e, name: ast.Param(s, e, name, None),
    "parameter_default": lambda s, e, name, _, default: ast.Param(s, e, name, default),
    "single_or_tuple": _tuple_or_one,
    "trailing_tuple": lambda s, e, items, _: ast.TupleExpr(s, e, items),
    "flat": _flat,
    "conditional": _conditional,
    "lambda_empty": lambda s, e, _, __, body: ast.Lambda(s, e, [], body),
    "lambda_": lambda s, e, _, params, __, body: ast.Lambda(s, e, _parameters(params), body),
    "flat_first": lambda s, e, operand: Flat(operand),
    "flat_binary": _flat_binary,
    "flat_none": _flat_none,
    "operand": _operand,
    "prefix": _prefix,
    "attribute": lambda s, e, value, _, name: ast.Attribute(s, e, value, name, e - len(name)),
    "call": _call, "call_empty": _call,
    "prime": _prime, "prime_empty": _prime,
    "index": lambda s, e, value, _, items, __: ast.Index(s, e, value, items, len(items) > 1),
    "index_tuple": lambda s, e, value, _, items, *__: ast.Index(s, e, value, items, True),
    "slice_": lambda s, e, bounds, *_: ast.SliceExpr(s, e, *bounds, None),
    "slice_step": lambda s, e, bounds, _, step: ast.SliceExpr(s, e, *bounds, step),
    "bounds": lambda s, e, _: (None, None),
    "bounds_lower": lambda s, e, lower, _: (lower, None),
    "bounds_upper": lambda s, e, _, upper: (None, upper),
    "bounds_both": lambda s, e, lower, _, upper: (lower, upper),
    "number": lambda s, e, value: ast.Number(s, e, value),
    "number_list": lambda s, e, value: ast.NumberList(s, e, value),
    "string": lambda s, e, value: ast.String(s, e, value),
    "literal": lambda s, e, word: ast.Constant(s, e, _LITERALS[word.lower()]),
    "ellipsis": lambda s, e, _: ast.EllipsisLiteral(s, e),
    "empty_tuple": lambda s, e, *_: ast.TupleExpr(s, e, []),
    "group": lambda s, e, _, items, __: items[0] if len(items) == 1 else ast.TupleExpr(s, e, items),
    "tuple": lambda s, e, _, items, *__: ast.TupleExpr(s, e, items),
    "empty_list": lambda s, e, *_: ast.ListExpr(s, e, []),
    "list": lambda s, e, _, items, *__: ast.ListExpr(s, e, items),
    "comprehension": lambda s, e, _, item, __, targets, ___, value, ____: ast.Comprehension(
        s, e, item, _targets(targets), _flat(value.operands[0].start, e, value), None
    ),
    "comprehension_if": lambda s, e, _, item, __, targets, ___, value, ____, test, _____: ast.Comprehension(
        s, e, item, _targets(targets), _flat(s, e, value), _flat(s, e, test)
    ),
    "empty_dict": lambda s, e, *_: ast.DictExpr(s, e, [], []),
    "dict": lambda s, e, _, pairs, *__: ast.DictExpr(s, e, [k for k, _ in pairs], [v for _, v in pairs]),
    "pair": lambda s, e, key, _, value: (key, value),
}  # fmt: skip


def _targets(items: list[Any]) -> Any:
    if len(items) == 1:
        return items[0]
    return ast.TupleExpr(items[0].start, items[-1].end, items)


#: the reductions that also get the starting offsets of their symbols
POSITIONED = frozenset({"declare", "declare_typed", "flat_binary", "flat_none"})
