"""Tokens to tree: precedence as in Python, spans that are exactly their text, and limits instead of crashes."""

import ast as python
import gc
import random

import pytest

from gradcli.lang import ast
from gradcli.lang.depth import Room
from gradcli.lang.faults import FaultError
from gradcli.lang.parser import parse
from gradcli.lang.resolve import resolve
from tests.lang.programs import PROGRAMS


def expression(text):
    (statement,) = parse(text).body
    assert type(statement) is ast.ExprStatement
    return statement.value


def refused(text):
    with pytest.raises(FaultError) as caught:
        parse(text)
    return [(fault.code, fault.kind) for fault in caught.value.faults]


# -- precedence, against Python's own parser ---------------------------------------------------------------------------

BINARY = [
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "@",
    "**",
    "&",
    "|",
    "and",
    "or",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "in",
    "not in",
]
PYTHON_OPERATORS = {
    python.Add: "+", python.Sub: "-", python.Mult: "*", python.Div: "/", python.FloorDiv: "//", python.Mod: "%",
    python.MatMult: "@", python.Pow: "**", python.BitAnd: "&", python.BitOr: "|", python.And: "and", python.Or: "or",
    python.Lt: "<", python.LtE: "<=", python.Gt: ">", python.GtE: ">=", python.Eq: "==", python.NotEq: "!=",
    python.In: "in", python.NotIn: "not in", python.UAdd: "+", python.USub: "-", python.Invert: "~", python.Not: "not",
}  # fmt: skip


def shape_of_pythons(node):
    """Python's tree as nested tuples of operators and names. Raises ValueError for what is no expression here."""
    op = PYTHON_OPERATORS.get(type(getattr(node, "op", None)))
    match node:
        case python.BinOp():
            return (op, shape_of_pythons(node.left), shape_of_pythons(node.right))
        case python.UnaryOp():
            return (op, shape_of_pythons(node.operand))
        case python.BoolOp():
            return (op, *map(shape_of_pythons, node.values))
        case python.Compare(ops=[python.Is() | python.IsNot() as one], comparators=[python.Constant()]):
            return (type(one).__name__, shape_of_pythons(node.left))
        case python.Compare(ops=[one]) if type(one) in PYTHON_OPERATORS:
            return (PYTHON_OPERATORS[type(one)], shape_of_pythons(node.left), shape_of_pythons(node.comparators[0]))
        case python.Compare() | python.Constant():
            raise ValueError("a chained comparison, or one with `None + a`")
        case python.IfExp():
            return ("if", *map(shape_of_pythons, (node.test, node.body, node.orelse)))
        case python.Lambda():
            return ("lambda", [argument.arg for argument in node.args.args], shape_of_pythons(node.body))
        case python.Call():
            return ("call", *map(shape_of_pythons, [node.func, *node.args]))
        case python.Attribute():
            return (".", shape_of_pythons(node.value), node.attr)
        case python.Subscript():
            return ("[]", shape_of_pythons(node.value), shape_of_pythons(node.slice))
        case python.List() | python.Tuple():
            return (type(node).__name__, *map(shape_of_pythons, node.elts))
        case python.Name():
            return node.id
    raise AssertionError(python.dump(node))


def shape_of_ours(node):
    kind = type(node)
    if kind is ast.Chain:
        shape = shape_of_ours(node.first)
        for op, operand, _ in node.rest:
            shape = (op, shape, shape_of_ours(operand))
        return shape
    if kind is ast.Power:
        return ("**", shape_of_ours(node.base), shape_of_ours(node.exponent))
    if kind is ast.Unary:
        return (node.op, shape_of_ours(node.operand))
    if kind is ast.BoolOp:
        return (node.op, *map(shape_of_ours, node.operands))
    if kind is ast.IsNone:
        return ("IsNot" if node.negated else "Is", shape_of_ours(node.operand))
    if kind is ast.Compare:
        return (node.op, shape_of_ours(node.left), shape_of_ours(node.right))
    if kind is ast.Conditional:
        return ("if", *map(shape_of_ours, (node.test, node.body, node.orelse)))
    if kind is ast.Lambda:
        return ("lambda", [param.name for param in node.params], shape_of_ours(node.body))
    if kind is ast.Call:
        return ("call", *map(shape_of_ours, [node.func, *node.args]))
    if kind is ast.Attribute:
        return (".", shape_of_ours(node.value), node.name)
    if kind is ast.Index:
        return ("[]", shape_of_ours(node.value), shape_of_ours(node.items[0]))
    if kind in (ast.ListExpr, ast.TupleExpr):
        return (kind.__name__[:-4], *map(shape_of_ours, node.items))
    assert kind is ast.Name, node
    return node.id


def random_expression(dice, depth):
    """Text that is an expression in both languages, or in neither."""
    if depth == 0 or dice.random() < 0.1:
        return dice.choice(["a", "b", "c", "d"])

    def part():
        return random_expression(dice, depth - 1)

    choice = dice.randrange(16)
    if choice < 8:
        return f" {dice.choice(BINARY)} ".join(part() for _ in range(dice.randint(2, 4)))
    if choice < 11:
        return f"{dice.choice(['-', '+', '~', 'not ', '-'])}{part()}"
    return [
        f"({part()})", f"f({part()}, {part()})", f"{part()} if {part()} else {part()}", f"a[{part()}].t",
        f"[{part()}, {part()}]", f"{part()} is {dice.choice(['', 'not '])}None", f"(lambda x: {part()})",
    ][dice.randrange(7)]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_precedence_is_pythons(seed):
    dice = random.Random(seed)
    agreed = 0
    for _ in range(200):
        text = random_expression(dice, dice.randint(1, 3))
        try:
            expected = shape_of_pythons(python.parse(text, mode="eval").body)
        except (SyntaxError, ValueError):  # `1 + not a`, `a < b < c`
            assert {code for code, _ in refused(text)} == {"syntax"}, text
        else:
            assert shape_of_ours(expression(text)) == expected, text
            agreed += 1
    assert agreed > 50


@pytest.mark.parametrize(
    "text, same",
    [
        ("a ^ b", "a ** b"), ("a ^ b ** c", "a ** (b ** c)"), ("-a ^ b", "-(a ** b)"), ("a * b ^ c", "a * (b ** c)"),
        ("a ~= b + c", "a ~= (b + c)"), ("not a ~= b", "not (a ~= b)"), ("a ~= b and c", "(a ~= b) and c"),
        ("a | b ~= c", "(a | b) ~= c"), ("not a is none", "not (a is none)"), ("a + b is none", "(a + b) is none"),
        ("a is none and b", "(a is none) and b"), ("-f'(x) ^ 2", "-((f'(x)) ^ 2)"), ("a @ b.T", "a @ (b.T)"),
    ],
)  # fmt: skip
def test_precedence_of_what_python_has_not(text, same):
    assert ast.dump(expression(text)) == ast.dump(expression(same))


@pytest.mark.parametrize(
    "text", ["a < b < c", "a ~= b < c", "a in b in c", "a == b is none", "a is none == b", "not a < b != c"]
)
def test_comparisons_do_not_chain(text):
    assert refused(text) == [("syntax", "chained-comparison")]


# -- the tree of each construct ----------------------------------------------------------------------------------------


def test_a_sum_of_very_many_terms_is_one_node():
    count = 100_000
    node = expression(" + ".join(["x"] * count))
    assert type(node) is ast.Chain
    assert len(node.rest) == count - 1
    assert {type(operand) for _, operand, _ in node.rest} == {ast.Name}


def test_very_many_conditions_are_one_node():
    node = expression(" or ".join(["x"] * 20_000))
    assert type(node) is ast.BoolOp
    assert len(node.operands) == 20_000


def test_operators_know_their_places():
    text = "a  -  b+ c"
    node = expression(text)
    assert [(op, text[at : at + len(op)]) for op, _, at in node.rest] == [("-", "-"), ("+", "+")]


@pytest.mark.parametrize(
    "text, tree",
    [
        ("x = 1", ("Assign", ("Name", "x"), ("Number", 1))),
        ("a, b = c", ("Assign", ("TupleExpr", [("Name", "a"), ("Name", "b")]), ("Name", "c"))),
        ("s **= 2", ("AugAssign", "**", ("Name", "s"), ("Number", 2))),
        ("variable w: int32[2] = x, name='n'",
         ("Declare", "variable", "w", ("Name", "int32"), [("Number", 2)], ("Name", "x"), [("Keyword", "name",
         ("String", "n"))])),
        ("constant k = none", ("Declare", "constant", "k", None, None, ("Constant", None), [])),
        ("watch x, y", ("Watch", [("Name", "x"), ("Name", "y")])),
        ("tape { }", ("TapeBlock", None, [], [])),
        ("tape t(p=true) { break }", ("TapeBlock", "t", [("Keyword", "p", ("Constant", True))], [("Break",)])),
        ("t.stop_recording { continue }", ("StopRecording", ("Name", "t"), [("Continue",)])),
        ("stop_recording { }", ("StopRecording", None, [])),
        ("default float64", ("Default", ("Name", "float64"))),
        ("if a { } elif b { } else { }", ("If", [[("Name", "a"), []], [("Name", "b"), []]], [])),
        ("if a { }", ("If", [[("Name", "a"), []]], None)),
        ("for i, (a, b) in v { }",
         ("For", ("TupleExpr", [("Name", "i"), ("TupleExpr", [("Name", "a"), ("Name", "b")])]), ("Name", "v"), [])),
        ("while true { }", ("While", ("Constant", True), [])),
        ("return", ("Return", None)),
        ("return a, b", ("Return", ("TupleExpr", [("Name", "a"), ("Name", "b")]))),
        ("def f(x, k=2) = x", ("Def", "f", [("Param", "x", None), ("Param", "k", ("Number", 2))], ("Name", "x"))),
        ("def f() { return 1 }", ("Def", "f", [], [("Return", ("Number", 1))])),
        ("module M { }", ("ModuleDef", "M", [], [])),
        ("assert a, 'm'", ("Assert", ("Name", "a"), ("String", "m"))),
        ("f''(x, k=1)",
         ("ExprStatement", ("Call", ("Prime", ("Name", "f"), 2), [("Name", "x")], [("Keyword", "k", ("Number", 1))]))),
        ("x[1:, ..., ::2]",
         ("ExprStatement", ("Index", ("Name", "x"), [("SliceExpr", ("Number", 1), None, None), ("EllipsisLiteral",),
                                                     ("SliceExpr", None, None, ("Number", 2))], True))),
        ("x[0]", ("ExprStatement", ("Index", ("Name", "x"), [("Number", 0)], False))),
        ("x[0,]", ("ExprStatement", ("Index", ("Name", "x"), [("Number", 0)], True))),
        ("[i for i in v if i]",
         ("ExprStatement", ("Comprehension", ("Name", "i"), ("Name", "i"), ("Name", "v"), ("Name", "i")))),
        ("({'a': 1})", ("ExprStatement", ("DictExpr", [("String", "a")], [("Number", 1)]))),
        ("(x,)", ("ExprStatement", ("TupleExpr", [("Name", "x")]))),
        ("((x))", ("ExprStatement", ("Name", "x"))),
        ("lambda x, k=1: x",
         ("ExprStatement", ("Lambda", [("Param", "x", None), ("Param", "k", ("Number", 1))], ("Name", "x")))),
        ("a if b else c", ("ExprStatement", ("Conditional", ("Name", "b"), ("Name", "a"), ("Name", "c")))),
    ],
)  # fmt: skip
def test_the_tree_of(text, tree):
    (statement,) = parse(text).body
    assert ast.dump(statement) == tree


def test_comments_are_kept_for_whoever_asks():
    program = parse("x = 1  # expect: none\n# last")
    assert [text for _, _, text in program.comments] == ["# expect: none", "# last"]


# -- spans -------------------------------------------------------------------------------------------------------------


def nodes(value):
    if isinstance(value, ast.Node):
        yield value
        for name in type(value).__slots__:
            if name != "comments":
                yield from nodes(getattr(value, name, None))
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from nodes(item)


def reread(node, text):
    """What the text of a node's span is, read on its own."""
    if isinstance(node, ast.Program):
        return parse(text)
    if isinstance(node, ast.Keyword):
        return expression(f"f({text})").kwargs[0]
    if isinstance(node, ast.Param):
        return expression(f"lambda {text}: 0").params[0]
    if isinstance(node, ast.SliceExpr | ast.EllipsisLiteral):
        return expression(f"x[{text}]").items[0]
    if isinstance(node, ast.Prime):
        return expression(f"{text}()").func
    if isinstance(node, ast.Name):  # `variable` is a name only before its parenthesis
        return expression(f"{text}()").func
    if isinstance(node, ast.DictExpr):
        return expression(f"({text})")
    if isinstance(node, ast.Expr):
        return expression(text)
    (statement,) = parse(text).body
    return statement


@pytest.mark.parametrize("text", PROGRAMS)
def test_spans_are_exactly_the_text(text):
    for node in nodes(parse(text)):
        part = text[node.start : node.end]
        assert part == part.strip() or isinstance(node, ast.Program)
        assert ast.dump(reread(node, part)) == ast.dump(node), part


def test_spans_are_checked_for_every_kind_of_node():
    kinds, wanted = {type(node) for text in PROGRAMS for node in nodes(parse(text))}, set()
    families = [ast.Node]
    for family in families:
        families += family.__subclasses__()
        wanted |= {family} if not family.__subclasses__() else set()
    assert kinds == wanted


def test_names_have_places_of_their_own():
    text = "variable  größe : int32 = a .  b"
    (node,) = parse(text).body
    assert text[node.name_start : node.name_end] == "größe"
    assert text[node.value.name_start : node.value.end] == "b"


def test_children_lie_within_their_parents():
    for text in PROGRAMS:
        for node in nodes(parse(text)):
            for name in type(node).__slots__:
                for child in nodes(getattr(node, name, None)) if name != "comments" else ():
                    assert node.start <= child.start <= child.end <= node.end, (text, type(node), type(child))


# -- limits ------------------------------------------------------------------------------------------------------------

LIMIT = ("limit-reached", "nesting")
NESTED = {
    "parentheses": lambda n: "(" * n + "x" + ")" * n,
    "lists": lambda n: "[" * n + "x" + "]" * n,
    "lists of numbers": lambda n: "[" * n + "1" + "]" * n,
    "calls": lambda n: "f(" * n + "x" + ")" * n,
    "indices": lambda n: "x[" * n + "0" + "]" * n,
    "dicts": lambda n: "x = " + "{'a': " * n + "x" + "}" * n,
    "blocks": lambda n: "if c {\n" * n + "x\n" + "}\n" * n,
    "functions": lambda n: "def f() {\n" * n + "x\n" + "}\n" * n,
    "calls in sums in calls": lambda n: "a + -f(" * n + "x" + ")" * n,
    "minus signs": lambda n: "-" * n + "x",
    "not": lambda n: "not " * n + "x",
    "powers": lambda n: "x" + " ** x" * (n - 1),
    "powers of negatives": lambda n: "x" + " ^ -x" * (n - 1),
}


@pytest.mark.parametrize("kind", NESTED)
def test_five_hundred_levels_are_read_and_walked(kind):
    text = NESTED[kind](500)
    program = parse(text)
    with Room():
        ast.dump(program)
    assert resolve(program, lambda name: True, lambda name: None, list, []) == []


@pytest.mark.parametrize("kind", NESTED)
def test_one_level_more_is_refused(kind):
    assert refused(NESTED[kind](501)) == [LIMIT]


@pytest.mark.parametrize(
    "text",
    ["x if c else " * 5000 + "x", "lambda: " * 10_000 + "x",
    "x" + ".T" * 50_000, "f" + "(x)" * 50_000, "x" + "[0]" * 50_000,
     "(" + "x ** " * 400 + "(" + "x ** " * 400 + "(" + "x ** " * 400 + "x",
     "(" * 100_000, "[" * 100_000, "f(" * 50_000 + ")" * 50_000,
     "-" * 100_000 + "x", ("(" + "a**" * 100) * 100 + "x" + ")" * 100],
)  # fmt: skip
def test_no_depth_is_a_crash(text):
    codes = refused(text)
    assert codes in ([LIMIT], [("syntax", "unclosed-bracket")])


def test_what_is_long_but_not_deep_is_no_matter():
    texts = [
        "if c { x }" + " elif c { x }" * 2000,
        "x;" * 5000,
        ", ".join("x" * 5000),
        "f(" + ", ".join("x" * 5000) + ")",
    ]
    for text in texts:
        assert resolve(parse(text), lambda name: True, lambda name: None, list, []) == []


def test_the_garbage_collector_is_on_again():
    assert gc.isenabled()
    parse("x = 1")
    refused("x = = 1")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("x = 1")
        assert not gc.isenabled()
    finally:
        gc.enable()
