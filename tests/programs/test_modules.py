"""Modules, layers, losses and optimizers in programs: what they print, and the errors of those that are wrong."""

import numpy as np
import pytest

from gradcli.lang.source import Source
from gradcli.nn.names import PLACES, find
from gradcli.runtime.moment import Moment
from gradcli.runtime.session import Session
from tests.cli.run import evaluate

AFFINE = """module Affine(n_in, n_out, scale=1.0) {
    variable w = scale * ones([n_in, n_out])
    variable b = zeros([n_out]), trainable=false
    parts = [Dense(1, kernel=[[2.0]], bias=[0.0])]
    def call(x) = parts[0](x @ w + b)
    def norm() = reduce_sum(w * w)
}
m = Affine(2, 1)
"""
PRINTS = [
    (AFFINE + "m([[1.0, 2.0]])", "[[6.0]]"),
    (AFFINE + "m.norm()\nAffine(2, 1, scale=3.0).norm()", "2.0\n18.0"),
    (AFFINE + "m.n_in\nm.name\nm\nlen(m.submodules)", "2\naffine\n<module Affine>\n1"),
    (AFFINE + "y = m([[1.0, 2.0]])\nlen(m.variables), len(m.trainable_variables)", "[4, 3]"),
    (AFFINE + "m([[0.0, 0.0]])\ntape { y = m([[1.0, 2.0]]) }\ngradient(y, m.trainable_variables)",
     "[[0.0]]\n[[[2.0], [4.0]], [[3.0]], [1.0]]"),
    (AFFINE + "tape { y = m([[1.0, 2.0]]) }\ngradient(y, m.b)", "none"),
    (AFFINE + "m.w.assign([[5.0], [0.0]])\nm.norm()", "25.0"),
    ("module Count { total = 0; def add(n) = total + n }\nc = Count()\nc.total = 4\nc.add(1)", "5"),
    ("module A { variable w = 1.0 }\nmodule B { a = A(); d = {'k': A()}; variable w = 2.0 }\nB().variables", "[2.0, 1.0, 1.0]"),
    (("module Net(f) { layer = Dense(1, kernel=[[3.0]], bias=[1.0]); def call(x, training=false) = f(layer(x)) if training else layer(x) }\n"
     "n = Net(lambda x: x * 0.0)\nn([[1.0]])\nSequential([n])([[1.0]], training=true)"), "[[4.0]]\n[[0.0]]"),
    ("l = Dense(2)\nl.variables\ny = l([[1.0, 2.0, 3.0]])\nl.kernel.shape\nl.bias", "[]\n[3, 2]\n[0.0, 0.0]"),
    ("default float64\nl = Dense(2)\ny = l([[1.0]])\ny.dtype", "float64"),
    ("Dense(1, kernel=[[2.0]], activation=lambda x: x * x, use_bias=false)([[3]])", "[[36.0]]"),
    ("Dense(1, kernel_initializer=ones, bias_initializer=lambda s: ones(s))([[3.0]])", "[[4.0]]"),
    ("tf.keras.layers.Dense(1, kernel=[[2.0]])([[3.0]])", "[[6.0]]"),
    ("d = Dropout(0.5, seed=1)\nd(ones([4]))\nd(ones([4]), training=true)", "[1.0, 1.0, 1.0, 1.0]\n[2.0, 2.0, 0.0, 2.0]"),
    ("m = Sequential([Dense(1), Dense(1)])\ny = m([[1.0]])\nm.layers[0].trainable = false\nlen(m.trainable_variables)\nm.trainable = false\nlen(m.trainable_variables)", "2\n0"),
    ("m = Sequential([Dense(1)])\ny = m([[1.0]])\nm.set_weights([[[2.0]], [1.0]])\nm([[3.0]])\nm.count_params()", "[[7.0]]\n2"),
    ("variable w = [1.0, 2.0]\nopt = SGD(0.5)\ntape { l = reduce_sum(w * w) }\nopt.apply(gradient(l, w), w)\nw", "[0.0, 0.0]"),
    ("variable w = 1.0\nopt = SGD(0.5)\nopt.apply_gradients(zip([2.0], [w]))\nw\nopt.iterations", "0.0\n1"),
    ("opt = Adam(0.1)\nopt.learning_rate\nopt.learning_rate *= 0.5\nopt.learning_rate", "0.1\n0.05"),
    ("variable w = 0.0\nopt = SGD(lambda t: 1.0 if t < 1 else 0.5)\nfor i in range(3) { opt.apply(1.0, w) }\nw", "-2.0"),
    ("mean_squared_error([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 6.0]], reduction='none')", "[0.0, 2.0]"),
    ("tf.keras.losses.MSE([1.0], [3.0])\nkeras.losses.hinge([1.0], [0.5])", "4.0\n0.5"),
    ("triplet_loss([[0.0, 0.0]], [[1.0, 0.0]], [[0.0, 1.0]], margin=0.5)", "0.5"),
    ("orthogonal([1, 1], seed=2) ** 2", "[[1.0]]"),
    ("variable x = [[1.0, 2.0]]\nf = Dense(1, kernel=[[3.0], [4.0]])\ngrad(lambda x: reduce_sum(f(x)))(x)", "[[3.0, 4.0]]"),
]  # fmt: skip
ERRORS = [
    ("Dense(2)([1.0])", "shape-mismatch", 1), ("Dense(0)", "bad-value", 1), ("Dense(2, activation='rulu')", "bad-value", 1),
    ("Dense(2, units=3)", "wrong-arguments", 1), ("Dense(2, size=3)", "wrong-arguments", 1), ("Dense()", "wrong-arguments", 1),
    ("Dense(2)([[1.0]], train=true)", "wrong-arguments", 1), ("Dense(2)()", "wrong-arguments", 1), ("Dense(2)(none)", "not-a-tensor", 1),
    ("l = Dense(2)\ny = l([[1.0]])\nl([[1.0, 2.0]])", "shape-mismatch", 3), ("l = Dense(2)\nl.kernell", "unknown-name", 2),
    ("l = Dense(2, kernel=[[1.0]])\nl([[1.0]])", "shape-mismatch", 2), ("Dense(2)(constant([[1]]))", "dtype-mismatch", 1),
    ("default float64\nDense(1)(constant([[1.0]], dtype=float32))", "dtype-mismatch", 2),
    ("l = Dense(1)\ny = l([[1.0]])\nl.kernel = 3.0", "cannot-assign", 3), ("l = Dense(1)\nl.unit = 3", "unknown-name", 2),
    ("l = Dense(1)\nl.variables = 3", "cannot-assign", 2), ("x = constant(1.0)\nx.shape = 3", "cannot-assign", 2),
    ("Embedding(2, 1)([2])", "index-out-of-range", 1), ("Embedding(2, 1)([0.5])", "bad-value", 1), ("Sequential([3])", "not-a-tensor", 1),
    ("Conv2D(1, 2)([[1.0]])", "shape-mismatch", 1), ("Conv2D(3, 2, groups=2)", "bad-value", 1), ("Conv1D(1, 2, padding='some')", "bad-value", 1),
    ("LSTM(2)(zeros([1, 0, 2]))", "bad-value", 1), ("GRU(2)(zeros([1, 2, 2]), initial_state=zeros([3, 2]))", "shape-mismatch", 1),
    ("MultiHeadAttention(1, 2)(zeros([1, 2, 3]), zeros([1, 2, 3]), attention_mask=ones([5, 5]))", "shape-mismatch", 1),
    ("BatchNormalization()(zeros([0, 2]), training=true)", "bad-value", 1), ("Dropout(1.5)", "bad-value", 1),
    ("module M { def f(x) = x }\nm = M()\nm(1.0)", "not-a-tensor", 3), ("module M(n) { k = n }\nM()", "wrong-arguments", 2),
    ("module M { variable w = 1.0 }\nm = M()\nm.v", "unknown-name", 3), ("module M { return 1 }", "syntax", 1),
    ("module M { variable w = 1.0 }\nm = M()\nm.set_weights([[1.0, 2.0]])", "bad-value", 3),
    ("SGD('fast')", "bad-value", 1), ("SGD(0.1, clipnorm=1.0, clipvalue=1.0)", "wrong-arguments", 1),
    ("variable w = 1.0\nSGD(0.1).apply([1.0, 2.0], [w])", "wrong-arguments", 2), ("SGD(0.1).apply([1.0], [2.0])", "not-a-tensor", 1),
    ("variable w = [1.0]\nSGD(0.1).apply(constant([1.0, 2.0]), w)", "shape-mismatch", 2), ("SGD(0.1).step()", "unknown-name", 1),
    ("sparse_categorical_crossentropy([3], [[0.5, 0.5]])", "index-out-of-range", 1), ("hinge(zeros([0, 1]), zeros([0, 1]))", "bad-value", 1),
    ("mean_squared_error([1.0], [1.0, 2.0])", "shape-mismatch", 1), ("mean_squared_error([1.0], [1.0], reduction='all')", "bad-value", 1),
    ("mean_squared_error([1.0])", "wrong-arguments", 1), ("LSTM(2, dropout=0.5)", "wrong-arguments", 1), ("Nadam()", "not-available", 1),
    ("he_normal([2.5])", "bad-value", 1), ("Dens(2)", "unknown-name", 1),
]  # fmt: skip


@pytest.mark.parametrize(("code", "printed"), PRINTS)
def test_a_program_prints(code, printed):
    result = evaluate(code)
    assert (result.status, result.out.rstrip("\n")) == (0, printed), result.err


@pytest.mark.parametrize(("code", "slug", "line"), ERRORS)
def test_an_error_has_its_code_and_line(code, slug, line):
    result = evaluate(code)
    assert result.status == 3
    assert f":{line}:" in result.err and f"error[{slug}]" in result.err, result.err


def test_all_none_says_why_each_is_none():
    code = "variable a = 1.0\nvariable b = 1.0\ntape { l = stop_gradient(a) * 2.0 }\nAdam(0.1).apply(gradient(l, [a, b]), [a, b])"
    result = evaluate(code)
    assert result.status == 3 and "error[no-gradients]" in result.err
    assert "a: none (cut-stop-gradient)" in result.err and "b: none (unconnected)" in result.err


def test_a_skipped_variable_is_told_once():
    code = (
        "variable a = 1.0\nvariable b = 1.0\nopt = SGD(0.1)\n"
        "for i in range(3) { tape t { l = a * a }; opt.apply(t.gradient(l, [a, b]), [a, b]) }"
    )
    result = evaluate(code)
    assert result.err.count("warning[skipped-variable]") == 1 and "variable b" in result.err


def test_a_line_that_fails_leaves_a_module_as_it_was():
    outcomes = []
    session = Session(outcomes.append)
    assert session.run(Source("1", "l = Dense(1, kernel=[[1.0]])\ny = l([[1.0]])\nopt = SGD(1.0)"))
    assert not session.run(Source("2", "opt.apply(ones([1, 1]), l.kernel)\nsqrt('a')"))
    assert session.run(Source("3", "l.kernel"))
    assert outcomes[-1].value.value.tolist() == [[1.0]]


BEFORE = """default float64
module Own {
    variable w = 3.0
    scale = 2.0
    def call(x) { return scale * w * x }
}
m = Own()
s = Sequential([Dense(1, kernel=[[2.0]]), Dropout(0.5, seed=3)])
late = Dense(1)
opt = Adam(0.1)
variable v = [1.0, 2.0]
opt.apply(constant([0.5, 0.5]), v)
"""
CHANGES = [
    ("m.scale = 5.0", "m(1.0)", 6.0),
    ("m.trainable = false", "len(m.trainable_variables)", 1),
    ("s.add(Dense(2))", "len(s.layers)", 2),
    ("y = late([[1.0, 2.0]])", "late.built", False),
    ("opt.learning_rate = 9.0", "opt.learning_rate", 0.1),
    ("opt.apply(constant([0.5, 0.5]), v)", "opt.iterations", 1),
    ("opt.apply(constant([7.0, -1.0]), v)", "v", None),
    ("y = s(ones([4, 1]), training=true)", "s(ones([4, 1]), training=true)", None),
]


@pytest.mark.parametrize("back", ["fails", "undone"])
@pytest.mark.parametrize(("change", "asked", "wanted"), CHANGES)
def test_what_a_line_changed_in_place_is_undone(change, asked, wanted, back):
    """Without the change first, the answer is the same: attributes, buffers and random numbers are what they were."""
    given = []
    for lines in ([], [change]):
        outcomes = []
        session = Session(outcomes.append)
        assert session.run(Source("1", BEFORE))
        for line in lines:
            moment = Moment(session)
            assert session.run(Source("2", line + "\nsqrt('a')" if back == "fails" else line), moment=moment) == (
                back != "fails"
            )
            if back == "undone":
                moment.restore()
        assert session.run(Source("3", "opt.apply(constant([0.25, 0.0]), v)" if asked == "v" else "")), outcomes
        assert session.run(Source("4", asked)), outcomes
        value = outcomes[-1].value
        given.append(getattr(value, "value", value))
    assert np.array_equal(given[0], given[1])
    if wanted is not None:
        assert given[1] == wanted


SAVED = """m = Sequential([Dense(2, seed=1), BatchNormalization(), Dense(1, seed=2)])
y = m([[1.0, 2.0], [3.0, 5.0]], training=true)
m.save("m.FORM")
n = Sequential([Dense(2), BatchNormalization(), Dense(1)])
z = n([[1.0, 2.0], [3.0, 5.0]])
n.load("m.FORM")
assert n([[1.0, 2.0]]) == m([[1.0, 2.0]])
assert n.layers[1].moving_mean == m.layers[1].moving_mean
"""


@pytest.mark.parametrize("form", ["npz", "json", "safetensors"])
def test_saved_weights_make_another_module_the_same(form, tmp_path, monkeypatch):
    if form == "safetensors":
        pytest.importorskip("safetensors")
    monkeypatch.chdir(tmp_path)
    result = evaluate(SAVED.replace("FORM", form))
    assert result.status == 0, result.err
    assert (tmp_path / f"m.{form}").exists()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('n = Sequential([Dense(3)])\nx = n([[1.0]])\nn.load("m.npz")',
         ("another architecture than sequential: 3 entries do not fit", "layers.0.kernel: must be float32 (1, 3), is float32 (1, 2)",
          "layers.0.bias: must be float32 (3), is float32 (2)", "layers.1.kernel: not a variable of this module")),
        ('Dense(1).load("m.npz")', ("dense has no variables yet", "build")),
        ('Dense(1).save("n.npz")', ("dense has no variables yet",)),
        ('m.load("other.npz")', ("error[data-file]", "other.npz")),
        ('m.save("../m.npz")', ("error[data-file]",)),
        ("m.save()", ("error[wrong-arguments]", "path")),
    ],
)  # fmt: skip
def test_weights_that_do_not_fit_are_told(code, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = 'm = Sequential([Dense(2, seed=1), Dense(1, use_bias=false)])\nx = m([[1.0]])\nm.save("m.npz")\n'
    result = evaluate(before + code)
    assert result.status == 3
    for text in told:
        assert text in result.err


def test_a_function_of_a_module_named_save_is_its_own():
    assert evaluate("module M { def save(n) = n + 1 }\nM().save(2)").out == "3\n"


@pytest.mark.parametrize("name", PLACES)
def test_the_example_of_an_entry_prints_what_it_says(name):
    lines = [line.strip() for line in (find(name).__doc__ or "").splitlines()]
    examples = [i for i, line in enumerate(lines) if line.startswith(">>> ")]
    assert examples, f"{name} has no example"
    for i in examples:
        result = evaluate(lines[i].removeprefix(">>> "))
        assert result.out.splitlines()[-1:] == [lines[i + 1]], result.err
