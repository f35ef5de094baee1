"""Names: what is bound where, what is known, and what comes near; and the rules that the grammar leaves open."""

import pytest

from gradcli.lang import ast
from gradcli.lang.parser import parse
from gradcli.lang.resolve import bound_names, resolve
from gradcli.lang.suggest import distance, nearest

KNOWN = {"sin", "cos", "reduce_mean", "reduce_sum", "print", "range", "zeros", "pi", "float32", "float64", "gradient"}
DOTTED = {"tf.sin": True, "tf.nn.relu": True, "np.mean": True, "tf.nn": True, "math.pi": True, "tf.data.Dataset": None}


def faults(text, bound=()):
    return resolve(parse(text), KNOWN.__contains__, lambda path: DOTTED.get(path, False), lambda: sorted(KNOWN), bound)


def unknown(text, bound=()):
    found = faults(text, bound)
    assert {fault.code for fault in found} <= {"unknown-name"}
    assert all(fault.details["name"].endswith(text[fault.start : fault.end][-1]) for fault in found)
    return [fault.details["name"] for fault in found]


# -- scopes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "x = 1; x", "a, (b, [c]) = 1; a + b + c", "variable x = 1; x", "constant k: float32 = 1; k",
        "tape t { y = 1 }; t.gradient(y)",
        "if c { x = 1 }; x; c = 1", "for i, (a, b) in range(3) { y = i }; i + a + b + y", "while sin(1) { x = 1 }; x",
        "tape { stop_recording { y = 1 } }; y", "def f(x) = x; f(1)", "def f(x, k=2) { y = x ** k; return y }; f(1)",
        "module M(n) { variable w = n; def call(x) = w * x }; M(1)", "f = lambda x, k=1: x * k; f(2)",
        "[i * j for i, j in range(3) if i < j]",
        "def f(n) = g(n); def g(n) = f(n)", "def f() { return later }; later = 1",
        "def f() { def g() = x; x = 1; return g }",
        "def f(x) { for i in x { y = i }; return y }", "[x for x in [1, y]]; y = 1", "lambda x: lambda y: x + y",
        "s = 1; s += 1; s",
        "x = 1; def f() { x = 2; return x }", "if 1 { } elif 2 { a = 1 } else { b = 1 }; a + b", "x.y.z; x = 1",
        "pi = 3; pi",
        "f'(1); f = sin", "default float64", "variable x: float32[n, n] = 1; n = 1",
        "assert x, y; x = y = 1".replace("y = 1", "1; y = 2"),
        "x = {pi: sin}; x", "g = x[a:b:c, ...]; x = a = b = c".replace("x = a = b = c", "x = 1; a = 1; b = 1; c = 1"),
    ],
)  # fmt: skip
def test_names_that_are_bound(text):
    assert faults(text) == []


@pytest.mark.parametrize(
    "text, names",
    [
        ("x", ["x"]), ("x = y", ["y"]), ("def f(x) = x; x", ["x"]), ("def f() { y = 1 }; y", ["y"]),
        ("lambda x: x; x", ["x"]),
        ("[i for i in range(3)]; i", ["i"]), ("[i for i in i]", ["i"]), ("def f(x=y) = x", ["y"]),
        ("def f(x, k=x) = k", ["x"]),
        ("module M { variable w = 1 }; w", ["w"]), ("module M(n) { }; n", ["n"]), ("f(k=v)", ["f", "v"]),
        ("sin(x=y)", ["y"]),
        ("x[a, b:c:d]", ["x", "a", "b", "c", "d"]), ("{a: b}; (c, d); [e]", ["a", "b", "c", "d", "e"]),
        ("a if b else c", ["b", "a", "c"]), ("not a and -b or c ** d", ["a", "b", "c", "d"]), ("a < b", ["a", "b"]),
        ("a is none", ["a"]), ("a + b - c", ["a", "b", "c"]), ("f'(x)", ["f", "x"]), ("a.b.c", ["a"]), ("watch x, y",
        ["x", "y"]),
        ("assert a, b", ["a", "b"]), ("variable x: t[n] = v, name=w", ["v", "t", "n", "w"]), ("default float65",
        ["float65"]),
        ("t.stop_recording { x }", ["t", "x"]), ("tape(persistent=p) { }", ["p"]), ("for i in v { i }", ["v"]),
        ("while c { x }", ["c", "x"]), ("if a { b } elif c { d } else { e }", ["a", "b", "c", "d", "e"]),
        ("def f() { return [g(x) for x in y] }", ["y", "g"]), ("def f() { def g() { z = 1 }; return z }", ["z"]),
        ("x += y; x = 1", ["y"]), ("[j for i in range(3) if k]", ["j", "k"]), ("lambda: x", ["x"]), ("trainable",
        ["trainable"]),
    ],
)  # fmt: skip
def test_names_that_are_not(text, names):
    assert unknown(text) == names


def test_names_of_earlier_inputs_are_bound():
    assert unknown("x + y", bound=["x"]) == ["y"]
    assert unknown("def f() = x", bound=["x"]) == []


def test_scopes_are_written_into_the_tree():
    program = parse("variable w = 1\ntape t { a, b = w }\ndef f(x, k=1) { for i in x { y = i }; def g() = x }\n"
                    "module M(n) { variable v = n }\nh = [lambda p: p + q for q in w]")  # fmt: skip
    resolve(program, lambda name: True, lambda path: True, list, [])
    _, _, f, module, h = program.body
    assert program.locals == {"w", "t", "a", "b", "f", "M", "h"}
    assert f.locals == {"x", "k", "i", "y", "g"}
    assert module.locals == {"n", "v"}
    assert h.value.locals == {"q"}
    assert h.value.element.locals == {"p"}


def test_what_statements_bind():
    text = """a = 1; b += 1; c.d = 1; e[0] = 1
        if x { f = 1 } elif y { g = 1 } else { h = 1 }
        while x { i = 1 }
        t.stop_recording { j = 1 }"""
    assert bound_names(parse(text).body) == set("abfghij")


# -- dotted names ------------------------------------------------------------------------------------------------------


def test_dotted_names():
    assert faults("tf.sin(tf.nn.relu(1)) + np.mean(1) + math.pi") == []
    assert faults("tf.data.Dataset") == []  # known, and not to be had: whoever runs it says so
    assert unknown("tf.sine(1)") == ["tf.sine"]
    assert unknown("tf.nn.reul") == ["tf.nn.reul"]
    assert unknown("np.meen(x)") == ["np.meen", "x"]
    assert faults("tf = 1; tf.anything.at_all") == []  # a name of the program's own


def test_the_whole_dotted_name_is_at_fault():
    text = "y = 1 + tf.nn.reul (2)"
    (fault,) = faults(text)
    assert (fault.kind, text[fault.start : fault.end]) == ("dotted", "tf.nn.reul")


# -- did you mean ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, first",
    [
        ("reduce_maen(1)", "reduce_mean"), ("reduce_men(1)", "reduce_mean"), ("Sin(1)", "sin"), ("tf.reduce_men(1)",
        "reduce_mean"),
        ("gradiant(1)", "gradient"), ("loss = 1; lose", "loss"), ("def f(weight) = weigth", "weight"), ("pritn(1)",
        "print"),
        ("default float46", "float64"), ("grad(1)", "gradient"),
    ],
)  # fmt: skip
def test_the_nearest_name_is_suggested(text, first):
    (fault,) = faults(text)
    assert fault.details["suggestions"][0] == first


def test_nothing_is_suggested_where_nothing_is_near():
    (fault,) = faults("wavelet_transform(1)")
    assert fault.details["suggestions"] == []
    (fault,) = faults("def f(secret) = secret; secrte")  # the name of another scope
    assert "secret" not in fault.details["suggestions"]


@pytest.mark.parametrize(
    "a, b, gap",
    [("", "", 0), ("a", "a", 0), ("a", "b", 1), ("ab", "ba", 1), ("abc", "ac", 1), ("ac", "abc", 1), ("kitten",
    "sitting", 3), ("", "ab", 2),
     ("abcd", "badc", 2), ("flaw", "lawn", 2)],
)  # fmt: skip
def test_distance(a, b, gap):
    assert distance(a, b, 5) == distance(b, a, 5) == gap
    assert distance(a, b, gap) == gap
    if gap:
        assert distance(a, b, gap - 1) == gap


def test_nearest_is_short_and_sorted():
    assert nearest("sim", ["sin", "sum", "sinh", "cosine", "sin"]) == ["sin", "sum"]
    assert len(nearest("aaaa", [f"aaa{c}" for c in "bcdefg"])) == 3
    assert nearest("x", ["y", "xy", "abc"]) == ["y", "xy"]
    assert nearest("anything", []) == []


# -- rules -------------------------------------------------------------------------------------------------------------

#: text, code, kind, the text at fault, some details
WRONG = [
    ("break", "syntax", "outside-loop", "break", {"keyword": "break"}),
    ("tape { continue }", "syntax", "outside-loop", "continue", {"keyword": "continue"}),
    ("for i in range(3) { def f() { break } }", "syntax", "outside-loop", "break", {}),
    ("if 1 { break }", "syntax", "outside-loop", "break", {}),
    ("return 3", "syntax", "outside-function", "return 3", {}),
    ("for i in range(3) { return }", "syntax", "outside-function", "return", {}),
    ("module M { return 3 }", "syntax", "outside-function", "return 3", {}),
    ("def f() { module M { return } }", "syntax", "outside-function", "return", {}),
    ("x = 1; a, x.y = 2, 3", "cannot-assign", "entry", "x.y", {"of": "an attribute"}),
    ("x = 1; x[0] = 2", "cannot-assign", "entry", "x[0]", {"of": "an entry"}),
    ("x = 1; a, (x[0], b) = 2", "cannot-assign", "entry", "x[0]", {"of": "an entry"}),
    ("x = 1; x[0] += 2", "cannot-assign", "entry", "x[0]", {"of": "an entry"}),
    ("variable x = 1, trainble=false", "unknown-option", "unknown-option", "trainble=false",
     {"name": "trainble", "allowed": ("trainable", "name", "dtype", "shape")}),
    ("constant k = 1, persistent=true", "unknown-option", "unknown-option", "persistent=true", {"name": "persistent"}),
    ("tape t(persistant=true) { }", "unknown-option", "unknown-option", "persistant=true",
     {"allowed": ("persistent", "watch_accessed_variables")}),
    ("tape(name=1) { }", "unknown-option", "unknown-option", "name=1", {}),
    ("variable x = 1, name='a', name='b'", "unknown-option", "option-twice", "name='b'", {"name": "name"}),
    ("x = nowhere", "unknown-name", "unknown-name", "nowhere", {"name": "nowhere"}),
    ("tf.nowhere", "unknown-name", "dotted", "tf.nowhere", {"name": "tf.nowhere"}),
]  # fmt: skip


@pytest.mark.parametrize("text, code, kind, where, details", WRONG, ids=[wrong[0] for wrong in WRONG])
def test_a_rule_that_is_broken(text, code, kind, where, details):
    (fault,) = faults(text)
    assert (fault.code, fault.kind, text[fault.start : fault.end]) == (code, kind, where)
    assert {name: fault.details[name] for name in details} == details


@pytest.mark.parametrize(
    "text",
    [
        "for i in range(3) { break }", "while 1 { if 2 { continue } }", "for i in range(3) { tape { break } }",
        "def f() { return }",
        "def f() { for i in range(3) { return i } }", "module M { def call(x) { return x } }",
        "def f() { if 1 { return 2 } }",
        "variable x = 1, trainable=false, name='x', dtype=float32, shape=[1]",
        "tape t(persistent=true, watch_accessed_variables=false) { }",
        "def f() { while 1 { break } }; for i in range(2) { def g() { return i }; continue }",
    ],
)  # fmt: skip
def test_rules_that_are_kept(text):
    assert faults(text) == []


def test_every_fault_of_a_program_is_found_in_the_order_of_the_text():
    text = "a\nfor i in b { c }\nreturn d\nvariable x = e, f=g\nx[0] = h\ntape(i=j) { break }"
    found = faults(text)
    assert [text[fault.start : fault.end] for fault in found] == [
        "a",
        "b",
        "c",
        "return d",
        "d",
        "e",
        "f=g",
        "g",
        "h",
        "x[0]",
        "i=j",
        "j",
        "break",
    ]
    assert [type(fault.start) for fault in found] == [int] * len(found)


def test_the_tree_is_not_changed():
    program = parse("def f(x) = [x for y in x]")
    before = ast.dump(program)
    resolve(program, lambda name: True, lambda path: True, list, [])
    assert ast.dump(program) == before
