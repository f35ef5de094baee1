"""Text to tokens: what each rule of the language's spelling makes of a text."""

import pytest

from gradcli.lang.lexer import Lexer
from gradcli.lang.parser import parse
from gradcli.lang.source import NotText, Source
from gradcli.lang.tables import load

LEXER = Lexer(load())
RESERVED = [
    "watch", "tape", "def", "return", "module", "if", "elif", "else", "for", "in", "while", "break", "continue",
    "assert", "and", "or", "not", "lambda",
]  # fmt: skip
#: what a line may end in to go on in the next
JOINING = [
    "+", "-", "*", "/", "//", "%", "@", "**", "^", "&", "|", "<", "<=", ">", ">=", "==", "!=", "~=", ",", "and",
    "or", "in", "not in",
]  # fmt: skip


def types(text):
    return " ".join(LEXER.read(text).types[:-1])


def values(text):
    return LEXER.read(text).values[:-1]


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


# -- primes and names -------------------------------------------------------------------------------------------------


def test_primes_stand_between_a_name_and_its_parenthesis():
    assert types("f'(2.0)") == "NAME PRIMES LPAR NUMBER RPAR"
    assert values("f'''(x)")[1] == 3
    assert types("m.f''(x)") == "NAME DOT NAME PRIMES LPAR NAME RPAR"
    assert types("print('(a)')") == "NAME LPAR STRING RPAR"
    assert types("f('a')('b')") == "NAME LPAR STRING RPAR LPAR STRING RPAR"
    assert types("x in '(a)'") == "NAME IN STRING"
    assert types("return'(a)'") == "RETURN STRING"
    assert fault("f' (2.0)") == ("unclosed-string", "' (2.0)")
    assert types("f '(2)'") == "NAME STRING"


@pytest.mark.parametrize(
    "name", ["x", "_", "_1", "größe", "été_1", "变量", "π", "Δx", "tapes", "If", "iff", "variable_1", "is_", "noté"]
)
def test_names(name):
    assert only(name) == ("NAME", name)


def test_a_superscript_is_no_part_of_a_name():
    assert types("x²") == "NAME ERROR"
    assert fault("x² + 1") == ("foreign-operator", "²")


@pytest.mark.parametrize("word", RESERVED)
def test_reserved_words_are_names_behind_a_dot(word):
    assert types(word) == word.upper()
    assert types(f"t.{word}") == "NAME DOT NAME"
    assert types(f"t . {word}(x)") == "NAME DOT NAME LPAR NAME RPAR"
    assert types(f"t.{word}.x") == "NAME DOT NAME DOT NAME"
    assert types(f"(t.\n{word})") == "LPAR NAME DOT NAME RPAR"


def test_a_dot_at_the_end_of_a_line_leaves_the_next_alone():
    assert types("t.\nfor") == "NAME DOT NEWLINE FOR"


def test_literals():
    assert types("true false none") == "TRUE FALSE NONE"
    assert types("True False None") == "PYTRUE PYFALSE PYNONE"
    assert types("TRUE nOne") == "NAME NAME"


def test_declarations_and_calls_of_variable():
    assert types("variable x") == "VARIABLE NAME"
    assert types("constant x") == "CONSTANT NAME"
    assert types("variable(2.0)") == "NAME LPAR NUMBER RPAR"
    assert types("y = constant (2.0)") == "NAME EQUAL NAME LPAR NUMBER RPAR"
    assert types("tf.constant(1)") == "NAME DOT NAME LPAR NUMBER RPAR"


def test_default_is_a_keyword_only_at_the_start_of_a_statement_before_a_dtype():
    assert types("default float64") == "DEFAULT NAME"
    assert types('default "float64"') == "DEFAULT STRING"
    assert types("x; default float64") == "NAME NEWLINE DEFAULT NAME"
    assert types("x\n default tf.float64") == "NAME NEWLINE DEFAULT NAME DOT NAME"
    assert types("# why\ndefault float64") == "DEFAULT NAME"
    assert types("tape { default float64 }") == "TAPE LBLOCK DEFAULT NAME RBLOCK"
    for text in (
        "default = 3",
        "default(x)",
        "default + 1",
        "default",
        "default.x",
        "default, x",
        "default in x",
        "default is none",
        "default if c else d",
    ):
        assert types(text).startswith("NAME"), text
    assert "DEFAULT" not in types("x = default float64")
    assert "DEFAULT" not in types("x +\ndefault y")


def test_stop_recording_is_a_keyword_only_before_a_block():
    assert types("stop_recording { x }") == "STOP LBLOCK NAME RBLOCK"
    assert types("t.stop_recording{ x }") == "NAME DOT STOP LBLOCK NAME RBLOCK"
    assert types("stop_recording = 3") == "NAME EQUAL NUMBER"
    assert types("t.stop_recording()") == "NAME DOT NAME LPAR RPAR"


def test_two_words_that_are_one_operator():
    assert types("x is none") == types("x is None") == types("x is \tnone") == "NAME ISNONE"
    assert types("x is not none") == types("x is  not\tNone") == "NAME ISNOTNONE"
    assert types("x not in y") == types("x not \t in y") == "NAME NOTIN NAME"
    assert types("x is nonesuch") == "NAME NAME NAME"
    assert types("not inside") == "NOT NAME"
    assert types("not x in y") == "NOT NAME IN NAME"


# -- operators and marks -----------------------------------------------------------------------------------------------


def test_the_longest_operator_is_taken():
    assert values("a ** b **= c // d //= e / f /= g") == [
        "a",
        "**",
        "b",
        "**=",
        "c",
        "//",
        "d",
        "//=",
        "e",
        "/",
        "f",
        "/=",
        "g",
    ]
    assert types("a <= b == c ~= d != e") == "NAME BINARY NAME BINARY NAME BINARY NAME BINARY NAME"
    assert types("a < -b") == "NAME BINARY SIGN NAME"
    assert types("~a = ~b") == "TILDE NAME EQUAL TILDE NAME"
    assert types("x[..., 1]") == "NAME LSQB ELLIPSIS COMMA NUMBER RSQB"
    assert types("a+=b-=c@=d%=e*=f") == "NAME AUGMENT NAME AUGMENT NAME AUGMENT NAME AUGMENT NAME AUGMENT NAME"


@pytest.mark.parametrize("character", ["$", "`", "§", "😀", "\x00", "\x7f", "\u00a0", "\u200b", "\ufeff"])
def test_characters_without_a_meaning(character):
    assert fault(f"x = {character}") == ("bad-character", character)
    assert fault(f"{character}x") == ("bad-character", character)


@pytest.mark.parametrize(
    "character, write",
    [("!", "not"), ("−", "-"), ("×", "*"), ("·", "*"), ("÷", "/"), ("≤", "<="), ("≥", ">="), ("≠", "!="), ("≈",
    "~="), ("¬", "not"),
     ("∧", "and"), ("∨", "or"), ("²", "**2"), ("“", '"'), ("’", "'")],
)  # fmt: skip
def test_signs_of_other_languages(character, write):
    tokens = LEXER.read(f"x {character} y")
    assert tokens.types == ["NAME", "ERROR", "NAME", "$END"]
    assert tokens.values[1].kind == "foreign-operator"
    assert tokens.values[1].details == {"found": character, "write": write}


# -- comments, white space, lines --------------------------------------------------------------------------------------


def test_comments():
    text = "# first\nx = 1  # second\n\ny = '#'  #\n#last"
    tokens = LEXER.read(text)
    assert " ".join(tokens.types[:-1]) == "NAME EQUAL NUMBER NEWLINE NAME EQUAL STRING"
    assert [comment for _, _, comment in tokens.comments] == ["# first", "# second", "#", "#last"]
    assert all(text[start:end] == comment for start, end, comment in tokens.comments)


def test_statements_end_at_lines_and_semicolons():
    assert types("x\ny") == types("x;y") == types("x ;\n\n;; # c\n y\n\n") == "NAME NEWLINE NAME"
    assert types("\n\n;x;") == "NAME"
    assert types("") == types("\n") == types(";;") == types("# c") == types(" \t\f ") == ""


@pytest.mark.parametrize("operator", JOINING)
def test_a_line_that_ends_in_an_operator_goes_on(operator):
    joined = LEXER.read(f"x {operator} y").types
    assert LEXER.read(f"x {operator}\n y").types == joined
    assert LEXER.read(f"x {operator} # why\n\n\t# more\n y").types == joined


def test_other_lines_that_go_on():
    assert types("not\nx") == "NOT NAME"
    assert types("~\nx") == "TILDE NAME"
    assert types("x not in\ny") == "NAME NOTIN NAME"
    assert types("x = \\\n 1 \\  \n + 2") == "NAME EQUAL NUMBER SIGN NUMBER"
    assert types("x\n+ y") == "NAME NEWLINE SIGN NAME"
    assert types("x =\n1") == "NAME EQUAL NEWLINE NUMBER"
    assert types("x += \n1") == "NAME AUGMENT NEWLINE NUMBER"


def test_a_semicolon_ends_a_statement_even_behind_an_operator():
    assert types("x +; y") == "NAME SIGN NEWLINE NAME"


def test_increments_of_other_languages_do_not_swallow_the_line():
    assert types("x++\ny") == "NAME SIGN SIGN NEWLINE NAME"
    assert types("x--\ny") == "NAME SIGN SIGN NEWLINE NAME"
    assert types("x - -\ny") == types("x -+\ny") == "NAME SIGN SIGN NAME"


def test_lines_in_brackets_are_white_space():
    assert types("(x\n\n\n+ y)") == "LPAR NAME SIGN NAME RPAR"
    assert types("[x,\ny\n]") == "LSQB NAME COMMA NAME RSQB"
    assert types("f(\n)") == "NAME LPAR RPAR"
    assert types("x = {\n'a': 1,\n}\ny") == "NAME EQUAL LDICT STRING COLON NUMBER COMMA RDICT NEWLINE NAME"
    assert types("(x; y)") == "LPAR NAME ERROR NAME RPAR"


def test_lines_before_else_are_white_space():
    assert types("if c { x }\n\nelse { y }") == types("if c { x } else { y }")
    assert types("if c { x }\n# why\nelif d { y }") == types("if c { x } elif d { y }")
    assert types("x = a if b\nelse c") == types("x = a if b else c")


def test_lines_at_the_edges_of_a_block_are_no_tokens():
    assert types("tape {\n\n x\n\n}\n") == types("tape { x }") == types("tape {; x ;}") == "TAPE LBLOCK NAME RBLOCK"
    assert types("tape {\n}\nx") == "TAPE LBLOCK RBLOCK NEWLINE NAME"


def test_a_backslash_at_the_end_of_the_text_waits_for_more():
    for text in ("x = 1 + \\", "x = 1 \\\n", "x = 1 \\ \n"):
        tokens = LEXER.read(text)
        assert tokens.types[-2] == "ERROR"
        assert tokens.values[-2].incomplete
    assert fault("a \\ b") == ("bad-character", "\\")


# -- braces ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["if x { y }", "if f(x) { y }", "if x[0] { y }", "if 3 { y }", "if [1] { y }", "if 'a' { y }",
    "if x == {} { y }", "if true { y }",
     "if None { y }", "if x is none { y }", "if x is not none { y }", "tape { y }", "tape t { y }", "tape() { y }",
     "x[...] { y }", "else { y }", "if c { x } else { y }", "stop_recording { y }"],
)  # fmt: skip
def test_a_brace_that_opens_a_block(text):
    kinds = types(text).split()
    assert (kinds[-3], kinds[-1]) == ("LBLOCK", "RBLOCK")


@pytest.mark.parametrize(
    "text",
    ["{1: y}", "x = {1: y}", "x\n{1: y}", "x; {1: y}", "f({1: y}", "f(x, {1: y}", "[{1: y}", "return {1: y}",
    "x + {1: y}", "x in {1: y}",
     "for x in {1: y}", "not {1: y}", "lambda: {1: y}", "{1: {1: y}", "x = a if c else {1: y}", "def f() = {1: y}",
     "if {1: y}",
     "x = a if b[0] else {1: y}", "assert {1: y}", "x and {1: y}"],
)  # fmt: skip
def test_a_brace_that_opens_a_dict(text):
    kinds = types(text).split()
    assert kinds[-5:] == ["LDICT", "NUMBER", "COLON", "NAME", "RDICT"]


def test_lines_in_a_block_in_nothing_else_count():
    assert types("tape {\nx = {\n1: [\ny\n]\n}\nz\n}") == (
        "TAPE LBLOCK NAME EQUAL LDICT NUMBER COLON LSQB NAME RSQB RDICT NEWLINE NAME RBLOCK"
    )


# -- files -------------------------------------------------------------------------------------------------------------


def test_line_ends_of_any_system_and_a_byte_order_mark():
    plain = Source.from_bytes("a", "x = 1\ny = 'é'\n".encode())
    for data in ("x = 1\r\ny = 'é'\r\n", "x = 1\ry = 'é'\r", "\ufeffx = 1\ny = 'é'\n", "\ufeffx = 1\r\ny = 'é'\n"):
        assert Source.from_bytes("a", data.encode()).text == plain.text
    assert len(parse(plain.text).body) == 2


@pytest.mark.parametrize("data, offset", [(b"x = \xff", 4), (b"x\0y", 1), (b"\xc3", 0), ("x = 1".encode("utf-16"), 0)])
def test_bytes_that_are_no_text(data, offset):
    with pytest.raises(NotText) as caught:
        Source.from_bytes("a", data)
    assert caught.value.offset == offset


def test_places_are_counted_in_characters():
    source = Source("a", "x\n\té😀 = = 2\n\nlast")
    assert [source.position(offset) for offset in (0, 1, 2, 3, 4, 5, 8)] == [
        (1, 1),
        (1, 2),
        (2, 1),
        (2, 2),
        (2, 3),
        (2, 4),
        (2, 7),
    ]
    assert source.position(len(source.text)) == (4, 5)
    assert [source.line_text(line) for line in (1, 2, 3, 4)] == ["x", "\té😀 = = 2", "", "last"]


def test_offsets_of_tokens_are_exact():
    text = "größe\t= f''( x,'é' ) ** .5  # 😀\nif a is  not none { b[1:] }"
    tokens = LEXER.read(text)
    assert [text[start:end] for start, end in zip(tokens.starts, tokens.ends)] == [
        "größe", "=", "f", "''", "(", "x", ",", "'é'", ")", "**", ".5", "\n", "if", "a", "is  not none", "{", "b",
        "[", "1", ":",
        "]", "}", "",
    ]  # fmt: skip
