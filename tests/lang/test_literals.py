"""Numbers, lists of numbers and strings: which tokens they are and what they are worth."""

import json

import pytest

from gradcli.lang import ast
from gradcli.lang.lexer import Lexer
from gradcli.lang.parser import parse
from gradcli.lang.tables import load

LEXER = Lexer(load())


def types(text):
    return " ".join(LEXER.read(text).types[:-1])


def only(text):
    """The one token of a text, as (type, value)."""
    tokens = LEXER.read(text)
    assert tokens.types[1:] == ["$END"], tokens.types
    assert (tokens.starts[0], tokens.ends[0]) == (0, len(text))
    return tokens.types[0], tokens.values[0]


def fault(text):
    tokens = LEXER.read(text)
    found = [value for kind, value in zip(tokens.types, tokens.values) if kind == "ERROR"]
    assert len(found) == 1, tokens.types
    return found[0].kind, text[found[0].start : found[0].end]


# -- numbers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value",
    [
        ("3", 3), ("0", 0), ("007", 7), ("1_000", 1000), ("3.0", 3.0), (".5", 0.5), ("1.", 1.0), ("1e-3", 0.001),
        ("1E5", 100000.0), ("2.5e+2", 250.0), ("1_0.5_0", 10.5), (".5e1", 5.0), ("1.e2", 100.0), ("2j", 2j),
        ("1.5J", 1.5j), ("1e2j", 100j), ("0.1", 0.1), ("123456789012345678901234567890",
        123456789012345678901234567890),
        ("1e999", float("inf")),
    ],
)  # fmt: skip
def test_numbers(text, value):
    kind, found = only(text)
    assert (kind, found, type(found)) == ("NUMBER", value, type(value))


@pytest.mark.parametrize(
    "text, kind, where",
    [
        ("1__0", "bad-number", "1__0"), ("1_", "bad-number", "1_"), ("1._5", "bad-number", "1._5"),
        ("0x1F", "bad-number", "0x1F"), ("0b101 + 1", "bad-number", "0b101"), ("9" * 5000, "bad-number", "9" * 5000),
        ("2x", "missing-operator", "2x"), ("2.5xy_1 + 1", "missing-operator", "2.5xy_1"), ("3e", "missing-operator",
        "3e"),
        ("1if", "missing-operator", "1if"), ("2größe", "missing-operator", "2größe"),
    ],
)  # fmt: skip
def test_numbers_that_are_none(text, kind, where):
    assert fault(text) == (kind, where)


# -- number lists ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value",
    [
        ("[1]", [1]), ("[1, -2, 3.5e2]", [1, -2, 350.0]), ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        ("[\n  1,\n\t2\n]", [1, 2]), ("[1, 2,]", [1, 2]), ("[[1],\n [2],\n]", [[1], [2]]), ("[.5, -.5]", [0.5, -0.5]),
        ("[1., 2.]", [1.0, 2.0]), ("[1.e2, 3]", [100.0, 3]), ("[0., -1., .25,]", [0.0, -1.0, 0.25]), ("[[], [1]]",
        [[], [1]]),
    ],
)  # fmt: skip
def test_a_list_of_numbers_is_one_token(text, value):
    kind, found = only(text)
    assert kind == "NUMLIST"
    assert json.dumps(found) == json.dumps(value)  # tells 1 from 1.0


@pytest.mark.parametrize(
    "text, value",
    [
        ("[1_000, 2]", [1000, 2]), ("[007, 1]", [7, 1]), ("[+1, 2]", ["+1", 2]), ("[1, # one\n 2]", [1, 2]),
        ("[1 + 2]", None), ("[x, 1]", None), ("[2j]", [2j]), ("[- 1]", ["-1"]), ("[]", []), ("[[]]", [[]]),
        ("[1e5_0]", [1e50]),
        ("[e1]", None), ("[True, 1]", None), ("['1']", None), ("[1 if c else 2]", None), ("[1 for i in x]", None),
    ],
)  # fmt: skip
def test_other_lists_are_read_by_the_grammar(text, value):
    assert types(text).startswith("LSQB ")
    node = parse(text).body[0].value
    assert type(node) in (ast.ListExpr, ast.Comprehension)
    if value is not None:

        def plain(item):
            if type(item) is ast.ListExpr:
                return [plain(part) for part in item.items]
            return f"{item.op}{item.operand.value}" if type(item) is ast.Unary else item.value

        assert plain(node) == value


def test_a_list_of_numbers_behind_an_operand_is_an_index():
    assert types("x[0]") == "NAME LSQB NUMBER RSQB"
    assert types("x[[0, 2]]") == "NAME LSQB NUMLIST RSQB"
    assert types("f(x)[1, 2]") == "NAME LPAR NAME RPAR LSQB NUMBER COMMA NUMBER RSQB"
    assert types("[1, 2][0]") == "NUMLIST LSQB NUMBER RSQB"
    assert types("x = [0]") == "NAME EQUAL NUMLIST"
    assert types("x\n[0]") == "NAME NEWLINE NUMLIST"
    assert types("(x\n[0])") == "LPAR NAME LSQB NUMBER RSQB RPAR"


@pytest.mark.parametrize("text", ["[1 2]", "[1,,2]", "[,1]", "[1-2]", "[1..2]", "[[1] [2]]", "[1, 2", "[1.2.3]"])
def test_what_no_list_of_numbers_is(text):
    assert "NUMLIST" not in types(text).split()[:1]


def test_many_numbers_are_one_token():
    text = "x = [" + ", ".join(f"{i}.5" for i in range(100_000)) + "]"
    tokens = LEXER.read(text)
    assert tokens.types == ["NAME", "EQUAL", "NUMLIST", "$END"]
    assert len(tokens.values[2]) == 100_000
    assert tokens.values[2][-1] == 99_999.5


def test_a_run_of_lists_that_ends_in_a_name_is_searched_once():
    count = 20_000
    tokens = LEXER.read("[" + "[1, 2], " * count + "x]")
    assert tokens.types.count("NUMLIST") == count


# -- strings -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, value",
    [
        ('"a"', "a"), ("'a'", "a"), ("''", ""), ('"it\'s"', "it's"), (r"'it\'s'", "it's"), (r'"a\"b"', 'a"b'),
        (r'"\n\t\r\\\0"', "\n\t\r\\\0"), (r'"\u00e9\x41"', "éA"), (r'"\q\u12"', r"\q\u12"), ('"# no comment"',
        "# no comment"),
        ('"{[("', "{[("), (r'"\ud800"', r"\ud800"), ('"größe 变量"', "größe 变量"),
    ],
)  # fmt: skip
def test_strings(text, value):
    assert only(text) == ("STRING", value)


@pytest.mark.parametrize(
    "text, where", [('x = "abc', '"abc'), ("'abc\ny = 1", "'abc"), ("x = '", "'"), (r'"\"', r'"\"')]
)
def test_strings_end_on_their_line(text, where):
    assert fault(text) == ("unclosed-string", where)
