"""Wrong programs: each slip has a kind, a place and what was expected; one run reports every fault, and no other."""

import pytest

from gradcli.lang.faults import FaultError
from gradcli.lang.parser import parse
from gradcli.lang.source import Source


def faults(text):
    with pytest.raises(FaultError) as caught:
        parse(text)
    found = caught.value.faults
    assert found == sorted(found, key=lambda fault: fault.start)
    assert all(0 <= fault.start <= fault.end <= len(text) for fault in found)
    return found


def kinds(text):
    """Kind and line of each fault."""
    source = Source("", text)
    return [(fault.kind, source.position(fault.start)[0]) for fault in faults(text)]


EXPRESSION = ("an expression",)
#: text, kind, line, column, the text underlined, some details
SLIPS = [
    # what does not fit
    ("x = = 2", "unexpected", 1, 5, "=", {"found": "=", "expected": EXPRESSION}),
    ("x ** * 2", "unexpected", 1, 6, "*", {"found": "*", "expected": EXPRESSION}),
    ("x =", "unexpected", 1, 3, "=", {"found": "the end of the text", "expected": EXPRESSION}),
    ("x =\ny = 1", "unexpected", 1, 4, "\n", {"found": "the end of the line", "expected": EXPRESSION}),
    ("x = 3 *; y = 1", "unexpected", 1, 8, ";", {"found": ";", "expected": EXPRESSION}),
    ("x = ,", "unexpected", 1, 5, ",", {"found": ",", "expected": EXPRESSION}),
    ("x = (1 + )", "unexpected", 1, 10, ")", {"found": ")", "expected": EXPRESSION}),
    ("x = [1, , 2]", "unexpected", 1, 9, ",", {"found": ",", "expected": ("an expression", "`]`")}),
    ("f(x, , y)", "unexpected", 1, 6, ",", {"found": ",", "expected": ("an expression", "`)`")}),
    ("f(*x)", "unexpected", 1, 3, "*", {"expected": ("an expression", "`)`")}),
    ("* 3", "unexpected", 1, 1, "*", {"expected": ("a statement",)}),
    ("tape { * 3 }", "unexpected", 1, 8, "*", {"expected": ("a statement", "`}`")}),
    ("and x", "unexpected", 1, 1, "and", {"expected": ("a statement",)}),
    ("a = b = 3", "unexpected", 1, 7, "=", {"expected": ("`,`", "an operator", "the end of the statement")}),
    ("x not y", "unexpected", 1, 3, "not", {"found": "not"}),
    ("x.", "unexpected", 1, 2, ".", {"expected": ("a name",)}),
    ("x.[0]", "unexpected", 1, 3, "[0]", {"found": "[0]", "expected": ("a name",)}),
    ("1 + not x", "unexpected", 1, 5, "not", {"found": "not"}),
    ("-not x", "unexpected", 1, 2, "not", {"found": "not"}),
    ("x ** not y", "unexpected", 1, 6, "not", {"found": "not"}),
    ("x is none + 1", "unexpected", 1, 11, "+", {"found": "+"}),
    ("{'a' 1}", "unexpected", 1, 6, "1", {"expected": ("`:`", "an operator")}),
    ("x = {1, 2}", "unexpected", 1, 7, ",", {"expected": ("`:`", "an operator")}),
    ("[x for 3 in y]", "unexpected", 1, 8, "3", {"expected": ("a name", "`(`")}),
    ("[x for x y]", "unexpected", 1, 10, "y", {"expected": ("`in`", "`,`")}),
    ("[x for x in]", "unexpected", 1, 12, "]", {"expected": EXPRESSION}),
    ("sum(x for x in y)", "unexpected", 1, 7, "for", {"expected": ("`)`", "`,`", "an operator")}),
    ("x = a if b", "unexpected", 1, 10, "b", {"expected": ("`else`", "an operator")}),
    ("x = if a { 3 } else { 4 }", "unexpected", 1, 5, "if", {"expected": EXPRESSION}),
    ("lambda x", "unexpected", 1, 8, "x", {"expected": ("`=`", "`:`", "`,`")}),
    ("x = tape", "unexpected", 1, 5, "tape", {"expected": EXPRESSION}),
    ("x[1:2:3:4]", "unexpected", 1, 8, ":", {"expected": ("`]`", "`,`", "an operator")}),
    # statements
    ("variable", "unexpected", 1, 8, "e", {"expected": ("a name",)}),
    ("variable = 3", "unexpected", 1, 10, "=", {"expected": ("a name",)}),
    ("variable x\ny = 1", "unexpected", 1, 11, "\n", {"expected": ("`=`", "`:`")}),
    ("variable x = 1, 2", "unexpected", 1, 17, "2", {"expected": ("a name",)}),
    ("variable x: [2, 3] = 1", "unexpected", 1, 13, "[2, 3]", {"expected": ("a dtype such as `float32[2, 3]`",)}),
    ("variable x: [n] = 1", "unexpected", 1, 13, "[n]", {"expected": ("a dtype such as `float32[2, 3]`",)}),
    ("tape x = 3", "unexpected", 1, 8, "=", {"expected": ("`(`", "a block `{ … }`")}),
    ("tape t x { }", "unexpected", 1, 8, "x", {"expected": ("`(`", "a block `{ … }`")}),
    ("watch", "unexpected", 1, 5, "h", {"expected": EXPRESSION}),
    ("for x { }", "unexpected", 1, 7, "{", {"expected": ("`in`", "`,`")}),
    ("if { x = 1 }", "unexpected", 1, 4, "{", {"expected": EXPRESSION}),
    ("while { }", "unexpected", 1, 9, "}", {"found": "the end of the text"}),
    ("if c\n{\n  x = 1\n}", "unexpected", 1, 5, "\n", {"expected": ("a block `{ … }`", "an operator")}),
    ("if c { x = 1 } y = 2", "unexpected", 1, 16, "y", {"expected": ("`else`", "the end of the statement")}),
    ("def f { }", "unexpected", 1, 7, "{", {"expected": ("`(`",)}),
    ("def (x) { }", "unexpected", 1, 5, "(", {"expected": ("a name",)}),
    ("def f(x) 3", "unexpected", 1, 10, "3", {"expected": ("`=`", "a block `{ … }`")}),
    ("def f(3) = 3", "unexpected", 1, 7, "3", {"expected": ("a name", "`)`")}),
    ("module { }", "unexpected", 1, 8, "{", {"expected": ("a name",)}),
    ("return = 3", "unexpected", 1, 8, "=", {"expected": EXPRESSION}),
    ("assert", "unexpected", 1, 6, "t", {"expected": EXPRESSION}),
    # what is not closed, or not open
    ("tape {\n  y = 1\n", "unclosed-block", 2, 8, "\n", {"opened": 5}),
    ("def f(x) {\n  if x {\n    y = 1\n  return y\n}\nz = 1\n", "unclosed-block", 6, 6, "\n", {"opened": 18}),
    ("x = (1", "unclosed-bracket", 1, 6, "1", {"opened": 4, "bracket": "("}),
    ("x = [1, 2", "unclosed-bracket", 1, 9, "2", {"opened": 4, "bracket": "["}),
    ("x = {'a': 1", "unclosed-bracket", 1, 11, "1", {"opened": 4, "bracket": "{"}),
    ("y = f(x\nz = 1", "unclosed-bracket", 2, 1, "z", {"opened": 5, "bracket": "("}),
    ("y = (x +\nz = 1\n", "unclosed-bracket", 2, 1, "z", {"opened": 4, "bracket": "("}),
    ("y = f(x,\n\nfor i in x { }", "unclosed-bracket", 3, 1, "for", {"opened": 5}),
    ("y = (x\nif c {\n}", "unclosed-bracket", 2, 1, "if", {"opened": 4}),
    ("tape {\n  y = f(x\n}", "unclosed-bracket", 3, 1, "}", {"opened": 14, "bracket": "("}),
    ("y = (x]", "unclosed-bracket", 1, 7, "]", {"opened": 4, "bracket": "("}),
    ("y = f(a[1)", "unclosed-bracket", 1, 10, ")", {"opened": 7, "bracket": "["}),
    ("y = f({'a': 1)", "unclosed-bracket", 1, 14, ")", {"opened": 6, "bracket": "{"}),
    ("y = f(x}", "unclosed-bracket", 1, 8, "}", {"opened": 5, "bracket": "("}),
    ("if f(x {\n  y = 1\n}", "unclosed-bracket", 1, 8, "{", {"opened": 4, "bracket": "("}),
    ("f(a; b", "unclosed-bracket", 1, 4, ";", {"opened": 1, "bracket": "("}),
    ("f(a; b)", "unexpected", 1, 4, ";", {"found": ";", "expected": ("`)`",)}),
    ("x = [1, 2; 3, 4]", "unexpected", 1, 10, ";", {"expected": ("`]`",)}),
    ('x = "abc', "unclosed-string", 1, 5, '"abc', {}),
    ("x = 'it's'", "missing-operator", 1, 5, "'it's", {"left": "'it'", "right": "s"}),
    ("x = 1)", "unmatched", 1, 6, ")", {"found": ")"}),
    ("x = 1]", "unmatched", 1, 6, "]", {"found": "]"}),
    ("x = 1\n}\ny = 2", "unmatched", 2, 1, "}", {"found": "}"}),
    ("tape { x = 1) }", "unmatched", 1, 13, ")", {"found": ")"}),
    # what is missing between two operands
    ("2x", "missing-operator", 1, 1, "2x", {"left": "2", "right": "x", "comma": False}),
    ("x = 3 4", "missing-operator", 1, 5, "3 4", {"left": "3", "right": "4", "comma": False}),
    ("f(x y)", "missing-operator", 1, 3, "x y", {"left": "x", "right": "y", "comma": True}),
    ("[1 2]", "missing-operator", 1, 2, "1 2", {"left": "1", "right": "2", "comma": True}),
    ("if c x = 1", "missing-operator", 1, 4, "c x", {"left": "c", "right": "x"}),
    ("print x", "missing-operator", 1, 7, "x", {"left": "print", "right": "x"}),
    ("print 'a'", "missing-operator", 1, 7, "'a'", {"left": "print", "right": "'a'"}),
    # other languages
    ("if x = 3 { }", "equals-for-comparison", 1, 6, "=", {}),
    ("while f(x) = 3 { }", "equals-for-comparison", 1, 12, "=", {}),
    ("assert x = 3", "equals-for-comparison", 1, 10, "=", {}),
    ("a < b < c", "chained-comparison", 1, 1, "a < b <", {"first": "<", "second": "<"}),
    ("x is 3", "is-something", 1, 3, "is", {}),
    ("x is not 3", "is-something", 1, 3, "is", {}),
    ("import numpy as np", "python-import", 1, 1, "import numpy as np", {}),
    ("from a.b import c\nx = 1", "python-import", 1, 1, "from a.b import c", {}),
    ("with tf.GradientTape() as t:\n    y = x", "python-with", 1, 1, "with tf.GradientTape() as t:", {}),
    ("if x:\n    y = 1", "colon-for-block", 1, 5, ":", {"keyword": "if"}),
    ("for i in x: y = 1", "colon-for-block", 1, 11, ":", {"keyword": "for"}),
    ("def f(x): return x", "colon-for-block", 1, 9, ":", {"keyword": "def"}),
    ("while x < 3:", "colon-for-block", 1, 12, ":", {"keyword": "while"}),
    ("if c { x = 1 }\nelse:\n    x = 2", "colon-for-block", 2, 5, ":", {"keyword": "else"}),
    ("else { x = 1 }", "stray-else", 1, 1, "else", {"found": "else"}),
    ("x = 1\nelif c { x = 1 }", "stray-else", 2, 1, "elif", {"found": "elif"}),
    ("tape { x = 1 }; else { }", "stray-else", 1, 17, "else", {"found": "else"}),
    ("a && b", "foreign-operator", 1, 3, "&&", {"write": "and"}),
    ("a || b", "foreign-operator", 1, 3, "||", {"write": "or"}),
    ("!x", "foreign-operator", 1, 1, "!", {"write": "not"}),
    ("x++", "foreign-operator", 1, 2, "++", {"write": "+= 1"}),
    ("x--\ny = 2", "foreign-operator", 1, 2, "--", {"write": "-= 1"}),
    ("(x++)", "foreign-operator", 1, 3, "++", {"write": "+= 1"}),
    ("x <> y", "foreign-operator", 1, 3, "<>", {"write": "!="}),
    ("x === y", "foreign-operator", 1, 3, "===", {"write": "=="}),
    ("x => y", "foreign-operator", 1, 3, "=>", {"write": ">="}),
    ("x := 3", "foreign-operator", 1, 3, ":=", {"write": "="}),
    ("c ? a : b", "foreign-operator", 1, 3, "?", {"write": "a if c else b"}),
    ("f = x -> x", "foreign-operator", 1, 7, "->", {"write": "lambda x: …"}),
    ("class A { }", "foreign-word", 1, 1, "class", {"write": "module"}),
    ("let x = 3", "foreign-word", 1, 1, "let", {"write": "variable"}),
    ("fn f(x) = x", "foreign-word", 1, 1, "fn", {"write": "def"}),
    ("if c { } else if d { }", "foreign-word", 1, 10, "else if", {"write": "elif"}),
    ("if c { }\nelsif d { }", "foreign-word", 2, 1, "elsif", {"write": "elif"}),
    ("retrun x", "foreign-word", 1, 1, "retrun", {"write": "return"}),
    ("whlie x < 3 { }", "foreign-word", 1, 1, "whlie", {"write": "while"}),
    ("Variable x = 3", "foreign-word", 1, 1, "Variable", {"write": "variable"}),
    ("if c { } esle { }", "foreign-word", 1, 10, "esle", {"write": "else"}),
    # what the grammar reads and the builder refuses
    ("f(x=1, 2)", "positional-after-named", 1, 8, "2", {}),
    ("def f(x, x) = x", "duplicate-parameter", 1, 10, "x", {"name": "x"}),
    ("lambda x, x: x", "duplicate-parameter", 1, 11, "x", {"name": "x"}),
    ("module M(a, a) { }", "duplicate-parameter", 1, 13, "a", {"name": "a"}),
    ("def f(x=1, y) = x", "parameter-order", 1, 12, "y", {"name": "y"}),
    ("lambda x=1, y: x", "parameter-order", 1, 13, "y", {"name": "y"}),
    ("a, b += 1", "target", 1, 1, "a, b", {}),
    ("f(x) = 3", "target", 1, 1, "f(x)", {}),
    ("a, x + y = 3", "target", 1, 4, "x + y", {}),
    ("3 += 1", "target", 1, 1, "3", {}),
    # places in lines, behind tabs and wide characters
    ("\t\ty = = 2", "unexpected", 1, 7, "=", {}),
    ("x = 1\n\n  # 变量\nгод = '😀' = 2", "unexpected", 4, 11, "=", {}),
    ("😀 = 1", "bad-character", 1, 1, "😀", {"found": "😀"}),
    ("x = 1\u00a0+ 2", "bad-character", 1, 6, "\u00a0", {"found": "\u00a0"}),
    ("1__0", "bad-number", 1, 1, "1__0", {"found": "1__0"}),
]  # fmt: skip


@pytest.mark.parametrize("text, kind, line, column, underlined, details", SLIPS, ids=[repr(slip[0]) for slip in SLIPS])
def test_a_slip(text, kind, line, column, underlined, details):
    (fault,) = faults(text)
    assert fault.kind == kind
    assert Source("", text).position(fault.start) == (line, column)
    assert text[fault.start : fault.end] == underlined
    assert {name: fault.details[name] for name in details} == details
    assert fault.code == ("cannot-assign" if kind == "target" else "syntax")


@pytest.mark.parametrize("text", ["", "\n", ";;", "# only a comment", "x = 1;; y = 2;", "\n;\n"])
def test_nothing_is_wrong_with_nothing(text):
    parse(text)


# -- more than one fault -----------------------------------------------------------------------------------------------

#: a second slip, in a line of its own behind the first: it must be found, and nothing else
SECOND = "z = = 1"


@pytest.mark.parametrize("text", [slip[0] for slip in SLIPS if slip[1] != "unclosed-block"], ids=repr)
def test_the_next_statement_is_read_in_earnest(text):
    if text.endswith(","):  # a line that goes on
        text += " 1"
    both = kinds(f"{text}\n{SECOND}\n")
    assert both[-1] == ("unexpected", text.count("\n") + 2), both
    assert len(both) == 2, both


@pytest.mark.parametrize("text", [slip[0] for slip in SLIPS if slip[1] != "unclosed-block"], ids=repr)
def test_the_statement_before_is_read_in_earnest(text):
    assert len(kinds(f"{SECOND}\ny = 1\n{text}")) == 2


@pytest.mark.parametrize(
    "text, expected",
    [
        # a head that is wrong does not hide its block
        ("if x = 3 {\n  y = = 1\n}\nz = = 1", [("equals-for-comparison", 1), ("unexpected", 2), ("unexpected", 4)]),
        ("for i of x {\n  y = = 1\n}\n", [("unexpected", 1), ("unexpected", 2)]),
        ("def f(3) {\n  return = 1\n}\ny = 1\nelse { }", [("unexpected", 1), ("unexpected", 2), ("stray-else", 5)]),
        ("tape t t {\n  y = = 1\n}\n", [("unexpected", 1), ("unexpected", 2)]),
        ("if f(x {\n  y = = 1\n}\nz = = 1", [("unclosed-bracket", 1), ("unexpected", 2), ("unexpected", 4)]),
        ("for i in x: {\n  y = = 1\n}\nz = = 1", [("colon-for-block", 1), ("unexpected", 2), ("unexpected", 4)]),
        ("if c\n{\n  y = = 1\n}\nz = = 1", [("unexpected", 1), ("unexpected", 3), ("unexpected", 5)]),
        ("class A {\n  x = = 1\n}", [("foreign-word", 1), ("unexpected", 2)]),
        ("if c { } else if d { x = = 1 }", [("foreign-word", 1), ("unexpected", 1)]),
        ("else {\n  x = = 1\n}", [("stray-else", 1), ("unexpected", 2)]),
        ("if x = 1 { } elif x = 2 { } else { y = = 1 }",
         [("equals-for-comparison", 1), ("equals-for-comparison", 1), ("unexpected", 1)]),
        # Python's blocks
        ("if a:\n  x = 1\nelif b:\n  x = 2\nelse:\n  x = 3\n",
         [("colon-for-block", 1), ("colon-for-block", 3), ("colon-for-block", 5)]),
        ("import tensorflow as tf\nx = tf.Variable(3.0)\nwith tf.GradientTape() as tape:\n    y = x * x\nprint(y)",
         [("python-import", 1), ("python-with", 3)]),
        ("def f(x):\n    for i in range(3):\n        x = x * 2\n    return x\n", [("colon-for-block", 1),
        ("colon-for-block", 2)]),
        # several statements of one line, several blocks in one another
        ("x = = 1; y = 2; z = = 3; w", [("unexpected", 1), ("unexpected", 1)]),
        ("def f(x) {\n  y = = 1\n  tape {\n    z = 2 3\n    if x { w = ) }\n  }\n  return }\n}",
         [("unexpected", 2), ("missing-operator", 4), ("unmatched", 5), ("unmatched", 8)]),
        # brackets over several lines
        ("y = f(a,\n      b c,\n      d)\nz = = 1", [("missing-operator", 2), ("unexpected", 4)]),
        ("y = f(a\n      b)\nz = = 1", [("unexpected", 2), ("unexpected", 3)]),
        ("y = f(a,\n   b c,\n   d\nz = = 1", [("missing-operator", 2), ("unexpected", 4)]),
        ("y = f(x\nz = 3\nw = = 4", [("unclosed-bracket", 2), ("unexpected", 3)]),
        ("y = f(x + 1,\nz = 3\nw = = 4\nv", [("unclosed-bracket", 3), ("unexpected", 3)]),
        ("y = f(a,\n   (b],\n  c)\nz = = 1", [("unclosed-bracket", 2), ("unexpected", 4)]),
        ("d = {\n 'a': f(1],\n 'b': 2\n}\nz = = 1", [("unclosed-bracket", 2), ("unexpected", 5)]),
        ("d = {\n 'a': f(1,\n 'b': 2\n}\nz = = 1", [("unexpected", 3), ("unexpected", 5)]),
        ("y = f(a,\n  b ! c,\n  d)\nz = = 1", [("foreign-operator", 2), ("unexpected", 4)]),
        ('y = f("abc,\n  d)\nz = = 1', [("unclosed-string", 1), ("unexpected", 3)]),
        ('y = f("abc)\nz = = 1', [("unclosed-string", 1), ("unexpected", 2)]),
        ("y = f(1\n   (b\n   c)\nz = = 1\n", [("unexpected", 3), ("unexpected", 4)]),
        ("tape {\n  y = f(x\n}\nz = = 1", [("unclosed-bracket", 3), ("unexpected", 4)]),
        ("tape {\n  y = [x, {'a': (1\n  z = = 1\n}\nw = = 1", [("unclosed-bracket", 3), ("unexpected", 3),
        ("unexpected", 5)]),
        ("x = = (1\ny = 2\nz = = 3", [("unexpected", 1), ("unexpected", 3)]),
        ("x = = (1,\n 2)\nz = = 3", [("unexpected", 1), ("unexpected", 3)]),
        # faults of the builder
        ("a < b < c\nf(x) = 1\ndef g(x, x) { y = = 1 }", [("chained-comparison", 1), ("target", 2),
        ("duplicate-parameter", 3), ("unexpected", 3)]),
        ("if a < b < c {\n  y = = 1\n} else { }", [("chained-comparison", 1), ("unexpected", 2)]),
        ("f(\n  a < b < c,\n  d)\nz = = 1", [("chained-comparison", 2), ("unexpected", 4)]),
        ("x.\nfor i in v {\n  y = = 1\n}", [("unexpected", 1), ("unexpected", 3)]),
        # a missing brace, and one too many
        ("tape {\n  x = = 1\n", [("unexpected", 2), ("unclosed-block", 2)]),
        ("x = 1\n}\n}\ny = = 2", [("unmatched", 2), ("unmatched", 3), ("unexpected", 4)]),
    ],
)  # fmt: skip
def test_every_fault_is_reported_and_no_other(text, expected):
    assert kinds(text) == expected


def test_many_faults_are_reported_up_to_a_limit():
    assert len(faults("x = = 1\n" * 40)) == 40
    assert len(faults("x = = 1\n" * 400)) == 50


# -- input that is not complete ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["tape {", "tape {\n", "tape {\n x = 1\n", "def f(x) {\n  return x\n", "if c {\n} else {", "f(", "f(x,", "f(x",
    "x = [1,\n2,", "x = [",
     "x = {'a':", "x = {'a': 1,\n", "x = 1 +", "x = 1 +\n", "a and", "not", "x = 1 \\", "x = 1 \\\n",
     "tape {\n f(x,\n",
     "f(lambda x:", "x = (1\n\n# more to come\n"],
)  # fmt: skip
def test_input_that_goes_on(text):
    assert all(fault.incomplete for fault in faults(text))


@pytest.mark.parametrize(
    "text",
    ["x = ", "x = = (", "tape", "if c", "else", "x)", "'abc", "f('abc", "f(]", "tape {\n x = = 1\n", "x =\n", "x++",
    "x.", "lambda", "for",
     "def f(x)", "import x", "x = 2x + ("],
)  # fmt: skip
def test_input_that_is_wrong_whatever_follows(text):
    assert not all(fault.incomplete for fault in faults(text))


def test_complete_input_has_no_fault():
    for text in ("tape { }", "f(x)", "if c {\n}", "x = [1,\n2]", "a,"):
        parse(text)
