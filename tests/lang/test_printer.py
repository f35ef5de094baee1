"""The printer's text parses to the tree that was printed."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradcli.lang import ast
from gradcli.lang.parser import parse
from gradcli.lang.printer import to_text
from tests.lang.programs import PROGRAMS


def node(kind, *fields):
    """A strategy for nodes of a kind; places do not matter."""
    return st.builds(lambda *values: kind(0, 0, *values), *fields)


def program(body):
    return ast.Program(0, 0, body, [])


def some(strategy, least=0, most=3):
    return st.lists(strategy, min_size=least, max_size=most)


def or_none(strategy):
    return st.one_of(st.none(), strategy)


WORDS = st.sampled_from(
    ["x", "y", "w1", "größe", "变量", "default", "stop_recording", "e", "E1", "is_", "tapes", "inf"]
)
ATTRIBUTES = st.sampled_from(["T", "shape", "for", "in", "tape", "variable", "stop_recording", "default", "none"])
NAMES = node(ast.Name, WORDS)
PLAIN = st.one_of(st.integers(0, 10**20), st.floats(0, allow_nan=False))
NUMBERS = node(ast.Number, st.one_of(PLAIN, st.floats(0, allow_nan=False).map(lambda value: complex(0, value))))
LISTED = st.one_of(st.integers(-(10**9), 10**9), st.floats(allow_nan=False))
NUMBER_LISTS = node(ast.NumberList, st.recursive(some(LISTED, 1), lambda inner: some(inner, 1), max_leaves=6))
STRINGS = node(ast.String, st.text(st.characters(codec="utf-8"), max_size=8))
LEAVES = st.one_of(
    NAMES, NAMES, NUMBERS, NUMBER_LISTS, STRINGS, node(ast.Constant, st.sampled_from([True, False, None])),
    node(ast.EllipsisLiteral),
)  # fmt: skip
TARGETS = st.recursive(NAMES, lambda inner: node(ast.TupleExpr, some(inner, 2)), max_leaves=4)


@st.composite
def parameters(draw, expression):
    """Parameters of different names, those without a default first."""
    names = draw(st.lists(WORDS, unique=True, max_size=3))
    first = draw(st.integers(0, len(names)))
    return [ast.Param(0, 0, name, None if i < first else draw(expression)) for i, name in enumerate(names)]


@st.composite
def chains(draw, expression):
    """Operators of one precedence."""
    operators = st.sampled_from(draw(st.sampled_from([["+", "-"], ["*", "/", "//", "%", "@"], ["&"], ["|"]])))
    rest = draw(st.lists(st.tuples(operators, expression, st.just(0)), min_size=1, max_size=3))
    return ast.Chain(0, 0, draw(expression), rest)


def branches(expression):
    """All that an expression can be made of expressions."""
    keywords = node(ast.Keyword, WORDS, expression)
    primes = node(ast.Prime, NAMES | node(ast.Attribute, expression, ATTRIBUTES, st.just(0)), st.integers(1, 3))
    entries = expression | node(ast.SliceExpr, or_none(expression), or_none(expression), or_none(expression))
    functions = st.one_of(expression, primes, node(ast.Name, st.just("variable")))
    comparisons = st.sampled_from(["<", "<=", ">", ">=", "==", "!=", "~=", "in", "not in"])
    return st.one_of(
        chains(expression),
        node(ast.ListExpr, some(expression)),
        node(ast.TupleExpr, some(expression)),
        some(st.tuples(expression, expression)).map(
            lambda pairs: ast.DictExpr(0, 0, [key for key, _ in pairs], [value for _, value in pairs])
        ),
        node(ast.Index, expression, some(entries, 2), st.just(True)),
        node(ast.Index, expression, some(entries, 1, 1), st.booleans()),
        node(ast.Power, expression, expression),
        node(ast.Unary, st.sampled_from(["-", "+", "~", "not"]), expression),
        node(ast.Compare, comparisons, expression, expression),
        node(ast.IsNone, expression, st.booleans()),
        node(ast.BoolOp, st.sampled_from(["and", "or"]), some(expression, 2)),
        node(ast.Conditional, expression, expression, expression),
        node(ast.Lambda, parameters(expression), expression),
        node(ast.Call, functions, some(expression), some(keywords)),
        node(ast.Attribute, expression, ATTRIBUTES, st.just(0)),
        node(ast.Comprehension, expression, TARGETS, expression, or_none(expression)),
    )


EXPRESSIONS = st.recursive(LEAVES, branches, max_leaves=10)
#: smaller ones, for statements of several
SHORT = st.recursive(LEAVES, branches, max_leaves=4)
OPTIONS = some(node(ast.Keyword, WORDS, SHORT))
ASSIGNED = st.recursive(
    st.one_of(
        NAMES,
        node(ast.Attribute, SHORT, ATTRIBUTES, st.just(0)),
        node(ast.Index, NAMES, some(SHORT, 1, 1), st.just(False)),
    ),
    lambda inner: st.one_of(node(ast.TupleExpr, some(inner, 1)), node(ast.ListExpr, some(inner, 1))),
    max_leaves=4,
)
DTYPES = st.one_of(NAMES, STRINGS, node(ast.Attribute, NAMES, ATTRIBUTES, st.just(0)))


@st.composite
def declarations(draw):
    dtype = draw(or_none(DTYPES))
    shape = None if dtype is None else draw(or_none(some(SHORT, 1)))
    kind, name = draw(st.sampled_from(["variable", "constant"])), draw(WORDS)
    return ast.Declare(0, 0, kind, name, 0, 0, dtype, shape, draw(SHORT), draw(OPTIONS))


SIMPLE = st.one_of(
    declarations(),
    node(ast.ExprStatement, SHORT),
    node(ast.Assign, ASSIGNED, SHORT),
    node(ast.AugAssign, st.sampled_from(["+", "-", "*", "/", "//", "%", "@", "**"]), NAMES, SHORT),
    node(ast.Watch, some(SHORT)),
    node(ast.Default, DTYPES),
    node(ast.Break),
    node(ast.Continue),
    node(ast.Return, or_none(SHORT)),
    node(ast.Assert, SHORT, or_none(SHORT)),
)


def compounds(statement):
    """All that a statement can be made of statements."""
    body = some(statement)
    return st.one_of(
        node(ast.TapeBlock, or_none(WORDS), OPTIONS, body),
        node(ast.StopRecording, or_none(SHORT), body),
        node(ast.If, some(st.tuples(SHORT, body), 1), or_none(body)),
        node(ast.For, TARGETS, SHORT, body),
        node(ast.While, SHORT, body),
        node(ast.Def, WORDS, parameters(SHORT), st.one_of(body, SHORT)),
        node(ast.ModuleDef, WORDS, parameters(SHORT), body),
    )


STATEMENTS = st.recursive(SIMPLE, compounds, max_leaves=6)
RANDOM = settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))


@RANDOM
@given(EXPRESSIONS)
def test_an_expression_survives(tree):
    made = program([ast.ExprStatement(0, 0, tree)])
    text = to_text(made)
    assert ast.dump(parse(text)) == ast.dump(made), text


@settings(RANDOM, max_examples=60)
@given(some(STATEMENTS, 1))
def test_a_program_survives(body):
    made = program(body)
    text = to_text(made)
    assert ast.dump(parse(text)) == ast.dump(made), text


@pytest.mark.slow
@settings(RANDOM, max_examples=10_000)
@given(some(STATEMENTS, 1))
def test_many_programs_survive(body):
    made = program(body)
    assert ast.dump(parse(to_text(made))) == ast.dump(made)


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_programs_of_the_grammar_survive(text):
    made = parse(text)
    printed = to_text(made)
    assert ast.dump(parse(printed)) == ast.dump(made)
    assert to_text(parse(printed)) == printed


@pytest.mark.parametrize(
    "text, printed",
    [
        ("x=-a**-b+(c*d)", "x = -a ** -b + c * d\n"),
        ("(a+b)*c-(d-e)", "(a + b) * c - (d - e)\n"),
        ("(a-b)-c;a-(b-c)", "(a - b) - c\na - (b - c)\n"),
        ("(-a)**2;2**3;(a**b)**c", "(-a) ** 2\n2 ** 3\n(a ** b) ** c\n"),
        ("not(a and b)or c", "not (a and b) or c\n"),
        ("(a if b else c)if d else e", "(a if b else c) if d else e\n"),
        ("f( x,k = 1 )[ 1:,...]", "f(x, k=1)[1:, ...]\n"),
        ("(3).T", "(3).T\n"),
        ("'it\\'s \"x\"\\n'", '"it\'s \\"x\\"\\n"\n'),
        ("if a{b}elif c{}else{d;e}", "if a {\n    b\n} elif c { } else {\n    d\n    e\n}\n"),
        ("tape t{watch x,y}", "tape t {\n    watch x, y\n}\n"),
        ("variable w:float32[2,n]=1,name='w'", 'variable w: float32[2, n] = 1, name="w"\n'),
        ("def f(x,k=2)=x^k", "def f(x, k=2) = x ** k\n"),
        ("", ""),
    ],
)
def test_how_it_looks(text, printed):
    assert to_text(parse(text)) == printed


def test_deep_trees_are_printed():
    for text in (
        "f(" * 500 + "x" + ")" * 500,
        "if c {\n" * 400 + "x\n" + "}\n" * 400,
        "-" * 500 + "x",
        "x" + ".T" * 4000,
    ):
        printed = to_text(parse(text))
        assert to_text(parse(printed)) == printed
