"""What completes a text, and what the line at the bottom says of it."""

from pathlib import Path

import pytest

from gradcli.repl.completion import complete
from gradcli.repl.hints import hint

from .bench import Bench


@pytest.fixture(scope="module")
def session():
    bench = Bench()
    bench("variable weight = 3.0", "def model(inputs, scale=2) = inputs * scale", "tape t { y = weight }", "ünï = 1")
    return bench.session


def words(text, session):
    found = complete(text, session)
    return [text[: found.start] + word for word, _ in found.words]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("wei", "weight"),
        ("y = 2 * wei", "y = 2 * weight"),
        ("ün", "ünï"),
        ("vari", "variable"),
        ("reduce_s", "reduce_sum"),
        ("matm", "matmul"),
        ("reduce_sum(weight, a", "reduce_sum(weight, axis="),
        ("reduce_sum(weight, ", "reduce_sum(weight, keepdims="),
        ("sin(reduce_sum([1, 2], a", "sin(reduce_sum([1, 2], axis="),
        ("model(weight, sc", "model(weight, scale="),
        ("gradient(weight, weight, unc", "gradient(weight, weight, unconnected_gradients="),
        ("t.gradient(weight, weight, out", "t.gradient(weight, weight, output_gradients="),
        ("t.jac", "t.jacobian"),
        ("weight.assign_a", "weight.assign_add"),
        ("tf.nn.sof", "tf.nn.softmax"),
        ("tf.li", "tf.linalg"),
        ("np.arc", "np.arcsin"),
        ("cast(weight, flo", "cast(weight, float64"),
        ('cast(weight, "flo', 'cast(weight, "float64'),
        ("zeros([2], dtype=in", "zeros([2], dtype=int32"),
        ("constant k: in", "constant k: int32"),
        ("default flo", "default float16"),
        (":ex", ":explain"),
        (":explain si", ":explain sin"),
        (":explain not-w", ":explain not-watched"),
        (":set dt", ":set dtype"),
        (":set dtype float6", ":set dtype float64"),
        (":time reduce_sum(weight, a", ":time reduce_sum(weight, axis="),
        (":help und", ":help undo"),
        ("?si", "?sigmoid"),
        ("tape {\n    wei", "tape {\n    weight"),
    ],
)
def test_it_completes(text, wanted, session):
    assert wanted in words(text, session)


@pytest.mark.parametrize(
    "text", ["", "y = 'wei", "# wei", "1.", "weight.nothing.", "zzz.", ":vars we", ":nothing x", "x = 3 "]
)
def test_nothing_completes(text, session):
    assert words(text, session) == []


def test_paths(tmp_path, monkeypatch, session):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "wörds.npy").touch()
    (tmp_path / "first.tp").touch()
    (tmp_path / ".hidden").touch()
    monkeypatch.chdir(tmp_path)
    assert words(":load ", session) == [":load data/", ":load first.tp"]
    assert words(":save data/w", session) == [":save data/wörds.npy"]
    assert words("w = load('data/", session) == ["w = load('data/wörds.npy"]
    assert words('w = load("fi', session) == ['w = load("first.tp']
    assert words("w = load('nowhere/", session) == []
    assert words(":load .h", session) == [":load .hidden"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sin|", "sin(x)   d/dx: cos(x)"),
        ("y = reduce_sum(si|n(2.0))", "sin(x)   d/dx: cos(x)"),
        ("y = reduce_sum(|", "reduce_sum(x, axis=none, keepdims=false)   d/dx: 1"),
        ("y = reduce_sum([1, 2|", "reduce_sum(x, axis=none, keepdims=false)   d/dx: 1"),
        ("argmax(|", "argmax(x, axis="),
        ("model(|", "model(inputs, scale)"),
        ("gradient(|", "gradient(target, sources, output_gradients, unconnected_gradients)"),
        ("load(|", "load(path, dtype, columns"),
        (":undo|", ":undo   take back the last line, also what it assigned in place"),
        ("weight|", ""),
        ("|", "Tab completes"),
    ],
)
def test_the_hint(text, said, session):
    found = hint(text.replace("|", ""), text.index("|"), session)
    assert found.startswith(said) and bool(found) == bool(said)


@pytest.mark.parametrize(
    "path", sorted((Path(__file__).parents[2] / "examples").rglob("*.tp"))[::6], ids=lambda p: p.stem
)
def test_no_text_is_too_odd(path, session):
    text = path.read_text(encoding="utf-8-sig")
    for at in range(0, len(text), 13):
        complete(text[:at], session)
        hint(text, at, session)


@pytest.mark.parametrize(
    "text", ["\x00", ":", "?", "'", "((((", "}}}", "x.", ".", "🙂.", "f'(", "a.b.c.", ":set ", ":load '", "1e", "\\"]
)
def test_no_key_is_too_odd(text, session):
    complete(text, session)
    hint(text, len(text), session)
