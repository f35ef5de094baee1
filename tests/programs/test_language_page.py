"""What the language page promises, sentence by sentence: a program, and what it prints or which error it gives where."""

import math

import numpy as np
import pytest

from tests.cli.run import evaluate, gradcli

PRINTS = [
    # first program
    ("variable x = 3.0\ntape {\n    y = x ** 2\n}\ngradient(y, x)          # a bare expression prints: 6.0\n", "6.0"),
    # lexical rules
    ("a = 1; b = 2; a + b", "3"),
    ("x = [1,\n  2,\n  3]\nx", "[1, 2, 3]"),
    ("x = {\n 'a': 1,\n 'b': 2\n}\nx", '{"a": 1, "b": 2}'),
    ("x = (1 +\n 2)\nx", "3"),
    ("x = 1 +\n 2\nx", "3"),
    ("x = 1 + \\\n 2\nx", "3"),
    ("if 1 > 2 { 1 }\nelse { 2 }", "2"),
    ("if 1 > 2 { 1 }\nelif 2 > 1 { 3 }\nelse { 2 }", "3"),
    ("größe = 2.0; größe", "2.0"),
    ("变量 = 3; 变量", "3"),
    ("'it''s'.T" if False else "\"it's\"", "it's"),
    ("'a\\tb\\\\'", "a\tb\\"),
    ("3", "3"), ("3.0", "3.0"), (".5", "0.5"), ("1e-3", "0.001"), ("1_000", "1000"), ("2j", "(0.0+2.0j)"), ("1.", "1.0"),
    ("[.5, 1_000, 1.]", "[0.5, 1000, 1.0]"),
    ("[1, # one\n 2]", "[1, 2]"),
    ("inf; nan", "inf\nnan"), ("pi", repr(math.pi)), ("e", repr(math.e)),
    ("true; True; none; None; False", "true\ntrue\nnone\nnone\nfalse"),
    ("e = 3; e", "3"),
    ("default = 4; default", "4"),
    ("stop_recording = 4; stop_recording", "4"),
    ("variable(2.0) + constant(1.0)", "3.0"),
    ("tf.constant([1.0]).shape", "[1]"),
    # expressions
    ("-2 ** 2", "-4"), ("2 ** -1", "0.5"), ("2 ^ 3", "8"), ("2 ** 3 ** 2", "512"), ("-2 ^ 2", "-4"),
    ("not 1 == 2", "true"), ("not true or true", "true"), ("1 + 2 * 3", "7"), ("(1 + 2) * 3", "9"), ("7 // 2; 7 % 3", "3\n1"),
    ("-7 // 2; -7 % 3", "-4\n2"), ("1 - 2 - 3", "-4"), ("8 / 2 / 2", "2.0"), ("1 < 2", "true"), ("1 == 1.0", "true"),
    ("'a' == 'a'; 'a' != 'b'", "true\ntrue"), ("1 if 2 > 1 else 3", "1"), ("1 if false else 2 if false else 3", "3"),
    ("f = lambda x, k=2: x * k; f(3); f(3, k=4)", "6\n12"),
    ("[i * i for i in range(4)]", "[0, 1, 4, 9]"), ("[i for i in range(6) if i % 2 == 0]", "[0, 2, 4]"),
    ("[a + b for a, b in zip([1, 2], [10, 20])]", "[11, 22]"),
    ("2 in [1, 2]; 3 not in [1, 2]", "true\ntrue"), ("none is none; 1 is not none", "true\ntrue"),
    ("a, b = 1, 2; a; b", "1\n2"), ("(a, b), c = [[1, 2], 3]; a + b + c", "6"), ("a, b = constant([5.0, 6.0]); b", "6.0"),
    ("s = 1; s += 2; s *= 5; s", "15"), ("s = constant(1.0); s -= 3.0; s", "-2.0"),
    ("constant([1.0, 2.0]) > 1.5", "[false, true]"),
    ("x = constant([1.0, -2.0]); ~(x > 0) | (x > 5); (x > 0) & (x < 3)", "[false, true]\n[true, false]"),
    ("x = constant([1.0, -2.0, 3.0]); x[x > 0]", "[1.0, 3.0]"), ("x = constant([[1], [2], [3]]); x[[0, 2]]", "[[1], [3]]"),
    ("x = constant([1.0, 2.0, 3.0]); x[0]; x[-1]; x[1:]; x[::-1]", "1.0\n3.0\n[2.0, 3.0]\n[3.0, 2.0, 1.0]"),
    ("x = reshape(range(6), [2, 3]) if false else reshape(arange(6), [2, 3]); x[1, 1:3]; x[..., 0]; x[0, none]", "[4, 5]\n[0, 3]\n[[0, 1, 2]]"),
    ("[1, 2, 3][1:]; 'abc'[1]; {'k': 5}['k']; (1, 2)[0]", "[2, 3]\nb\n5\n1"),
    # weak literals and dtypes
    ("(constant([1.0, 2.0]) + 1).dtype", "float32"), ("default float64; (constant(1.0) * 2).dtype", "float64"),
    ("(constant([1.0, 2.0]) * [3., 4.]).dtype", "float32"), ("variable x: float64 = 2; (x * [3, 4]).dtype", "float64"),
    ("constant(3).dtype; constant(3.0).dtype; constant(true).dtype; constant(1j).dtype", "int32\nfloat32\nbool\ncomplex64"),
    ("constant(3) / 2", "1.5"), ("(constant(3) / constant(2)).dtype", "float64"), ("constant(7) // 2; constant(-7) % 3", "3\n2"),
    ("cast(2.7, int32); cast(2.7, \"int32\"); cast(2.7, tf.int32)", "2\n2\n2"),
    ("default float64; zeros([1]).dtype; ones([1]).dtype; eye(1).dtype; random.normal([1]).dtype", "float64\n" * 3 + "float64"),
    ("1 + 1; 1 + constant(1)", "2\n2"), ("sqrt(4)", "2.0"), ("maximum(3, 2.0); add(1, 2); stack([1, 2.5]); where(true, 1, 0.5)", "3.0\n3\n[1.0, 2.5]\n1.0"), ("sqrt(2).dtype", "float32"),
    # printing
    ("x = 3", ""), ("variable x = 1.0; x.assign(2.0); x", "2.0"), ("print(1, 'a', [true])", "1\na\n[true]"),
    ("def f() { x = 1 }; f()", ""), ("def f(x) { return }; f(1)", ""),
    # attributes and methods
    ("x = constant([[1.0, 2.0, 3.0]]); x.shape; x.ndim; x.size; x.dtype; x.T", "[1, 3]\n2\n3\nfloat32\n[[1.0], [2.0], [3.0]]"),
    ("variable w = 1.0, name='weight'; w.name; w.trainable", "weight\ntrue"),
    ("x = constant([[1.0, 2.0], [3.0, 4.0]]); x.sum(); x.sum(axis=0); x.mean(); x.reshape([4]); x.reshape(4, 1)[0]; x.max()",
     "10.0\n[4.0, 6.0]\n2.5\n[1.0, 2.0, 3.0, 4.0]\n[1.0]\n4.0"),
    ("x = constant(2.0); x.numpy() + 1.0", "3.0"), ("type(variable(1.0)); type(constant(1.0)); type(1)", "Variable\nTensor\nnumber"),
    ("sum([1.0, 2.0]); mean([1.0, 3.0]); max([1.0, 3.0]); min([1.0, 3.0]); abs(-2.0); round(2.5)", "3.0\n2.0\n3.0\n1.0\n2.0\n2.0"),
    ("any([true, false]); all([true, false])", "true\nfalse"), ("range(3); arange(3)", "[0, 1, 2]\n[0, 1, 2]"),
    ("len([1, 2]); len(constant([1.0, 2.0, 3.0])); enumerate(['a'])", "2\n3\n[[0, \"a\"]]"),
    # declarations
    ("variable w: float64[3, 2] = [[0, 1], [2, 3], [4, 5]]; w.dtype; w.shape", "float64\n[3, 2]"),
    ("variable b: float32[2] = 0.0; b", "[0.0, 0.0]"), ("constant k: int32 = 10; k.dtype", "int32"),
    ("variable x = 1.0; x.assign_add(2.0); x; x.assign_sub(0.5); x", "3.0\n2.5"),
    ("variable x = 1.0; x = x + 1; type(x)", "Tensor"), ("x2 = variable(2.0) + 1.0; type(x2)", "Tensor"),
    ("variable x = 1.0, dtype=float64; x.dtype", "float64"), ("variable x = 1.0, shape=[2]; x", "[1.0, 1.0]"),
    # tapes
    ("variable x = 2.0; tape { y = x * x }; y; gradient(y, x)", "4.0\n4.0"),
    ("variable x = 2.0; y = x * x; g = gradient(y, x); gradient(g, x)", "2.0"),
    ("variable x = 2.0; tape t(persistent=true) { y = x * x }; t.gradient(y, x); t.gradient(y, x)", "4.0\n4.0"),
    ("constant c = 2.0; tape t { t.watch(c); y = c * c }; t.gradient(y, c)", "4.0"),
    ("constant c = 2.0; watch c; gradient(c * c, c)", "4.0"),
    ("variable x = 2.0; tape a { tape b { y = x * x }; g = gradient(y, x) }; gradient(g, x)", "2.0"),
    ("variable x = 2.0; tape t(persistent=true) { stop_recording { a = x * 2.0 }; b = x * 3.0 }; t.gradient(b, x)", "3.0"),
    # queries
    ("variable x = 2.0; variable y = 3.0; z = x * y; gradient(z, (x, [y])); gradient(z, {'a': {'b': x}})", '[3.0, [2.0]]\n{"a": {"b": 3.0}}'),
    ("variable x = [1.0, 2.0]; jacobian(x * x, x)", "[[2.0, 0.0], [0.0, 4.0]]"),
    ("variable x = [1.0, 2.0]; hessian(x[0] ** 2 * x[1], x); hvp(x[0] ** 2 * x[1], x, [1.0, 0.0])", "[[4.0, 2.0], [2.0, 0.0]]\n[4.0, 2.0]"),
    ("variable x = [1.0, 2.0]; jvp(x * x, x, [1.0, 0.0]); vjp(x * x, x, [1.0, 10.0])", "[2.0, 0.0]\n[2.0, 40.0]"),
    ("variable x = [[1.0, 2.0], [3.0, 4.0]]; batch_jacobian(x * x, x)[1]", "[[6.0, 0.0], [0.0, 8.0]]"),
    ("variable x = [1.0, 2.0]; tape { y = x * x }; hessian(reduce_sum(y), x) is none", "true"),
    # control flow and functions
    ("for i in range(3) { if i == 1 { continue }; i }", "0\n2"), ("k = 0; while true { k += 1; if k > 3 { break } }; k", "4"),
    ("for k, v in [[1, 2], [3, 4]] { k + v }", "3\n7"), ("for x in constant([1.0, 2.0]) { x * 2 }", "2.0\n4.0"),
    ("def fact(n) { if n <= 1 { return 1 }; return n * fact(n - 1) }; fact(20)", "2432902008176640000"),
    ("def f(x, k=2) = x ** k; f(3); f(3, 3); f(k=1, x=5)", "9\n27\n5"),
    ("def outer(a) { def inner(b) = a + b; return inner }; outer(1)(2)", "3"),
    ("def f() = g(); def g() = 7; f()", "7"),
    ("def f(x) { for i in range(9) { if i == x { return i } }; return -1 }; f(4); f(40)", "4\n-1"),
    # checks
    ("constant(1.0) ~= 1.000001; constant(1.0) ~= 1.001", "true\nfalse"),
    ("default float64; constant(1.0) ~= 1.0 + 1e-10; constant(1.0) ~= 1.0 + 1e-8", "true\nfalse"),
    ("cast(1.0, float16) ~= 1.005; nan ~= nan; none ~= none; none ~= 0.0", "true\ntrue\ntrue\nfalse"),
    ("[1.0, {'a': none}] ~= [1.0, {'a': none}]; [1.0] ~= [1.0, 2.0]; {'a': 1} ~= {'b': 1}", "true\nfalse\nfalse"),
    ("constant([1.0]) ~= constant([[1.0]]); inf ~= inf; inf ~= -inf; 'a' ~= 'a'", "false\ntrue\nfalse\ntrue"),
    ("isclose(1.0, 1.1, rtol=0.2); isclose(1.0, 1.1)", "true\nfalse"),
    # functions of functions
    ("def f(x) = x ** 3; f'(2.0); f''(2.0); f'''(2.0); f''''(2.0)", "12.0\n12.0\n6.0\n0.0"),
    ("def f(x) = x ** 2; grad(f)(3.0); value_and_grad(f)(3.0); g = grad(f); g'(1.0)", "6.0\n[9.0, 6.0]\n2.0"),
    ("def f(x) = x * x; jacobian(f)([1.0, 2.0]); hessian(lambda v: reduce_sum(v ** 3))([1.0, 2.0])", "[[2.0, 0.0], [0.0, 4.0]]\n[[6.0, 0.0], [0.0, 12.0]]"),
    ("jvp(lambda x: x * x, [1.0, 2.0], [1.0, 1.0]); hvp(lambda v: reduce_sum(v ** 3), [1.0, 2.0], [1.0, 0.0])", "[2.0, 4.0]\n[6.0, 0.0]"),
    ("vmap(lambda row: reduce_sum(row))([[1.0, 2.0], [3.0, 4.0]])", "[3.0, 7.0]"),
    ("f = custom_gradient(lambda u: u * u, lambda dy, u: 10.0 * dy * u); f'(3.0); f(3.0)", "30.0\n9.0"),
    ("f = custom_gradient(lambda a, b: a * b, lambda dy, a, b: [dy, none]); variable x = 2.0; variable y = 3.0; gradient(f(x, y), [x, y])", "[1.0, none]"),
    ("variable w = 3.0; f = recompute(lambda u: sin(u * w)); variable x = 0.0; gradient(f(x), [x, w])", "[3.0, 0.0]"),
    ("sin'(0.0)", "1.0"),
    # the door to NumPy, names from TensorFlow
    ("np.mean([[1.0, 2.0], [3.0, 4.0]], axis=0); np.sum(constant([1.0, 2.0])); np.pi == pi", "[2.0, 3.0]\n3.0\ntrue"),
    ("tf.reduce_mean([1.0, 3.0]); tf.nn.sigmoid(0.0); tf.math.exp(0.0); nn.relu(-1.0)", "2.0\n0.5\n1.0\n0.0"),
    ("tf.Variable(2.0); tf.constant([1, 2]); tf.float32", "2.0\n[1, 2]\nfloat32"),
]  # fmt: skip

ERRORS = [
    ("constant(3) + 0.5", "dtype-mismatch", 1), ("constant(1.0) + cast(1.0, float64)", "dtype-mismatch", 1),
    ("constant a: float32 = 1.0\nconstant b: float64 = 1.0\na + b", "dtype-mismatch", 3),
    ("a < b < c" if False else "1 < 2 < 3", "syntax", 1), ("max(1.0, 2.0)", "bad-axis", 1),
    ("variable x = 1.0, color=2", "unknown-option", 1), ("tape(persist=true) { }", "unknown-option", 1),
    ("variable x: float32[3] = [1.0, 2.0]", "shape-mismatch", 1), ("variable x: float64 = constant(1.0)", "dtype-mismatch", 1),
    ("variable x = 1.0\nx += 1.0", "cannot-assign", 2), ("x = [1.0]\nx[0] = 2.0", "cannot-assign", 2), ("f(1) = 2", "cannot-assign", 1),
    ("variable x = [1.0, 2.0]\nx.assign([1.0])", "shape-mismatch", 2), ("variable x = 1.0\nx.assign(cast(1.0, float64))", "dtype-mismatch", 2),
    ("constant c = 1.0\nwatch c\ntape { }", "not-recording", 2),
    ("variable x = 1.0\ntape t { y = x * x }\nt.gradient(y, x)\nt.gradient(y, x)", "tape-used-up", 4),
    ("variable x = 1.0\ntape t { y = x * x }\nt.jacobian(y, x)\nt.hessian(y, x)", "tape-used-up", 4),
    ("variable x = [1.0, 2.0]\ngradient(x * x, x, output_gradients=[1.0])", "shape-mismatch", 2),
    ("variable x = 1.0\ngradient(x, x, unconnected_gradients='zeros')", "bad-value", 2),
    ("variable x = 1.0\ngradient(2.0, x)", "not-a-tensor", 2), ("variable x = 1.0\ngradient(x)", "wrong-arguments", 2),
    ("variable x = [1.0, 2.0]\nhessian(x * x, x)", "shape-mismatch", 2), ("variable x = [1.0, 2.0]\njvp(x * x, x, [1.0])", "shape-mismatch", 2),
    ("gradient(1, 2, 3, 4, 5)", "wrong-arguments", 1), ("unknown_thing", "unknown-name", 1), ("tf.reduce_meen(1.0)", "unknown-name", 1),
    ("x = constant(1.0)\nx.shpe", "unknown-name", 2), ("def f(a) = a\nf(1, 2)", "wrong-arguments", 2), ("def f(a) = a\nf()", "wrong-arguments", 2),
    ("def f(a) = a\nf(b=1)", "wrong-arguments", 2), ("sin()", "wrong-arguments", 1), ("sin(1.0, 2.0)", "wrong-arguments", 1),
    ("reduce_sum([1.0], axis=3)", "bad-axis", 1), ("reduce_sum([[1.0]], axis=[0, 0])", "bad-axis", 1), ("constant([1.0])[5]", "index-out-of-range", 1),
    ("[1][5]", "index-out-of-range", 1), ("{'a': 1}['b']", "index-out-of-range", 1), ("[[1.0], [1.0, 2.0]] + constant(1.0)", "bad-value", 1),
    ("if constant([1.0, 2.0]) { }", "bad-value", 1), ("a, b = [1, 2, 3]", "bad-value", 1), ("for i in 3 { }", "not-a-tensor", 1),
    ("3(4)", "not-a-tensor", 1), ("1 + 'a'", "not-a-tensor", 1), ("none + 1", "not-a-tensor", 1), ("sin('a')", "dtype-mismatch", 1),
    ("[1.0, 2.0] @ [[1.0, 2.0]]", "shape-mismatch", 1), ("sqrt(constant(4))", "dtype-mismatch", 1), ("constant(5) // 0", "bad-value", 1),
    ("constant(2) ** -1", "bad-value", 1), ("reshape([1.0, 2.0], [3])", "shape-mismatch", 1), ("concat([[1.0], [[1.0]]], 0)", "shape-mismatch", 1),
    ("if false { x = 1 }\nx", "unknown-name", 2), ("break", "syntax", 1), ("return 1", "syntax", 1), ("load('x.pkl')", "data-file", 1),
    ("load(3)", "data-file", 1), ("default int32", "bad-value", 1), ("cast(1.0, 'float12')", "bad-value", 1), ("Nadam(2)", "not-available", 1),
    ("module M { variable w = 1.0 }\nm = M()\nm(3.0)", "not-a-tensor", 3), ("f = custom_gradient(lambda a, b: a * b, lambda dy, a, b: dy)\nvariable x = 1.0\ngradient(f(x, x), x)", "wrong-arguments", 3),
    ("variable x = [1.0, 2.0]\nf = custom_gradient(lambda u: u * 1.0, lambda dy: reduce_sum(dy))\ngradient(f(x), x)", "shape-mismatch", 3),
]  # fmt: skip


@pytest.mark.parametrize(("code", "printed"), PRINTS)
def test_a_program_prints(code, printed):
    result = evaluate(code)
    assert (result.status, result.out.rstrip("\n")) == (0, printed), result.err


@pytest.mark.parametrize(("code", "error", "line"), ERRORS)
def test_a_program_is_refused(code, error, line):
    result = evaluate(code, "--format", "json")
    document = result.document
    assert [(e["code"], e["line"]) for e in document["errors"]] == [(error, line)], document["errors"]
    assert result.status == 3 and document["errors"][0]["message"]
    plain = evaluate(code)
    assert "Traceback" not in plain.err and f"error[{error}]" in plain.err


HINTS = [
    ("constant(3) + 0.5", "cast"), ("max(1.0, 2.0)", "maximum(a, b)"), ("variable x = 1.0\nx += 1.0", "x.assign_add"),
    ("1 < 2 < 3", "and"), ("tf.reduce_meen(1.0)", "reduce_mean"), ("2x", "2 * x"), ("lern = 1\nlearn", "lern"),
    ("variable x = 1.0\ntape t { y = x }\nt.gradient(y, x)\nt.gradient(y, x)", "persistent=true"),
    ("variable x = [1.0, 2.0]\nhessian(x, x)", "jacobian"), ("constant c = 1.0\nwatch c\ntape { }", "tape { watch c"),
    ("sqrt(constant(4))", 'cast(x, "float32")'), ("variable x = 1.0, trainabel=false", "trainable"),
]  # fmt: skip


@pytest.mark.parametrize(("code", "hint"), HINTS)
def test_an_error_says_what_to_write(code, hint):
    assert hint in evaluate(code).err


def test_data_is_read_relative_to_the_program(tmp_path):
    np.save(tmp_path / "a.npy", np.array([1.5, 2.0]))
    np.savez(tmp_path / "b.npz", w=np.eye(2), k=np.array([1, 2]))
    (tmp_path / "c.csv").write_text("x;y\n1;2\n3;4.5\n")
    (tmp_path / "d.json").write_text('{"w": [1, 2], "v": [0.5]}')
    np.save(tmp_path / "evil.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    program = tmp_path / "p.tp"
    program.write_text(
        'load("a.npy")\nload("b.npz")["k"]\nload("c.csv")\nload("d.json")["w"].dtype\nload("c.csv").dtype\n'
        'load("a.npy").dtype\n'
    )
    result = gradcli("eval", str(program))
    assert result.out == "[1.5, 2.0]\n[1, 2]\n[[1.0, 2.0], [3.0, 4.5]]\nint32\nfloat32\nfloat64\n", result.err
    program.write_text('load("evil.npy")')
    result = gradcli("eval", str(program))
    assert result.status == 3 and "never loaded" in result.err


def test_random_numbers_are_the_same_each_time():
    code = "random.normal([3])"
    assert evaluate(code).out == evaluate(code).out == evaluate(code, "--seed", "0").out
    assert evaluate(code, "--seed", "1").out != evaluate(code).out


def test_a_failed_assert_goes_on_and_tells_both_sides():
    result = evaluate("assert constant([1.0, 2.0]) ~= [1.0, 2.5], 'too far'\n7")
    assert (result.status, result.out) == (1, "7\n")
    for text in ("too far", "[1.0, 2.0]", "[1.0, 2.5]", "0.5", "[1]"):
        assert text in result.err


def test_expected_failures():
    assert evaluate("1 / 0   # expect: error[bad-value]\n7").out == "7\n"
    assert evaluate("1 / 1   # expect: error[bad-value]\n7").status == 1
    assert evaluate("1 / 0   # expect: error[dtype-mismatch]\n7").status == 3
    warned = evaluate("constant c = 1\nwatch c  # expect: warning[watched-dtype]", "--strict")
    assert (warned.status, warned.err) == (0, "")
    none = evaluate("variable x = 1.0\nconstant c = 1.0\ngradient(x, c)  # expect: none[not-watched]", "--strict")
    assert (none.status, none.out, none.err) == (0, "none\n", "")
    assert evaluate("x = (1 +]   # expect: error[syntax]").status == 0
