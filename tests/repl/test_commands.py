"""The commands, and the questions of the form `?sin`."""

import pytest

from gradcli.repl.commands import COMMANDS, help_lines

from .bench import Bench


def test_help_names_every_command():
    text = "\n".join("".join(piece for piece, _ in line) for line in help_lines())
    assert all(f"{name} {entry.argument}".rstrip() in text and entry.help in text for name, entry in COMMANDS.items())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (":vras", "there is no command :vras; did you mean :vars?"),
        (":xyzzy", "there is no command :xyzzy; :help lists them"),
        (":", "there is no command :; :help lists them"),
        (":load", ":load needs something behind it: :load FILE"),
        (":vars x", ":vars takes nothing behind it"),
        (":set", "dtype      float32  the dtype of float literals"),
        (":set dtpe float64", "there is no setting dtpe; did you mean dtype?"),
        (":set dtype int32", "dtype is float16, float32 or float64, not int32"),
        (":set seed -1", "seed is a whole number from 0, not -1"),
        (":set precision", "precision is a number from 1 to 1000, or all"),
        (":set full maybe", "full is on or off, not maybe"),
        (":explain", "nothing to explain: no line has asked for a gradient yet"),
        (":check", "nothing to check: no line has asked for a gradient yet"),
        ("?sni", "sni is no operation and no code; did you mean sin?"),
        (":vars", "no names yet; write for example  variable x = 3.0"),
        (":tapes", "no tapes"),
    ],
)  # fmt: skip
def test_what_a_command_says(line, said):
    assert Bench()(line)[0] == said


@pytest.mark.parametrize("question", ["?sin", "? sin", ":explain sin", ":help sin", "?tf.sin"])
def test_the_page_of_an_operation(question):
    assert Bench()(question)[:3] == ["sin(x)", "  Sine of an angle in radians.", "  d/dx: cos(x)"]


def test_help_of_a_command():
    assert Bench()("?:undo") == [":undo  take back the last line, also what it assigned in place"]
    assert Bench()("?undo") == Bench()(":help undo") == Bench()("?:undo")


def test_variables_and_tapes():
    bench = Bench()
    bench(
        "variable x = 3.0",
        "variable w = zeros([1000, 1000]), trainable=false",
        "s = '🙂 naïve'",
        "变量 = 2",
        "def f(a, b=2) = a",
    )
    assert bench(":vars") == [
        "x     3.0  variable float32 ()",
        "w     min 0.0  max 0.0  mean 0.0  0 NaN  1000000 zeros  variable float32 (1000, 1000) not trainable",
        's     "🙂 naïve"  string',
        "变量  2  number",
        "f     (a, b)  function",
    ]
    assert bench(":tapes")[0] == "the session as a whole  recording, persistent, watches nothing"
    bench("y = x * x", "tape t { z = x * x; watch w }", "t.gradient(z, x)")
    assert bench(":tapes") == [
        "t  used up by its one gradient, good for one gradient, watches variables x, w  asked by a bare gradient(…)"
    ]


def test_the_story_of_the_last_gradient():
    bench = Bench()
    bench("variable x = 3.0", "y = stop_gradient(x) * 2", "gradient(x * x, x)", "g = gradient(y, x)", "z = 1")
    story = bench(":explain")
    assert story[0] == "gradient(y, x)  <4>:1" and "cut-stop-gradient" in story[1]
    bench(":undo", ":undo")
    assert bench(":explain")[0] == "gradient(x * x, x)  <3>:1"
    assert bench("x")[-1] == "3.0"


def test_the_story_of_a_gradient_in_a_function_of_an_earlier_line():
    bench = Bench()
    bench(
        "variable x = 3.0", "def f(v) { return gradient(v * v, x) }", "gradient(x, x)", "f(x)", "gradient(x, x)", "f(x)"
    )
    assert bench(":explain")[0] == "gradient(v * v, x)  <2>:1"


def test_the_last_gradient_step_by_step():
    bench = Bench()
    assert bench(":trace") == ["nothing to trace: no line has asked for a gradient yet"]
    bench("variable x = 3.0", "def f(v) { return gradient(v * v, x) }", "y = 5 * x", "gradient(y, x)", "f(x)")
    trace = [line.split() for line in bench(":trace")]
    assert trace[0] == ["gradient(v", "*", "v,", "x)", "<2>:1"]
    assert trace[2][3:5] == ["multiply(x,", "x)"] and trace[2][-1] == ":1"
    assert trace[-1][-1] == "6.0" and "5.0" not in str(trace)
    bench(":undo")
    assert bench(":trace y")[-1].split()[-1] == "5.0" and bench(":trace")[2].split()[-1] == "<3>:1"
    assert bench(":trace z") == ["no step has to do with a value z"]
    bench("variable w = 1.0", "for i in range(30) { g = gradient(w * i, w) }")
    assert "ran 30 times" in bench(":trace")[0] and bench(":trace")[-1].split()[-1] == "29.0"


def test_the_last_gradient_is_checked():
    bench = Bench()
    bench("variable x = 3.0", "gradient(x ** 3, x)", "x.assign(7.0)")
    assert bench(":check")[0].startswith("agrees with the numeric derivative")
    bench("f = custom_gradient(lambda x: x * x, lambda ct, x: ct * x)", "gradient(f(x), x)")
    assert bench(":check") == ["check[gradient-differs]"]


def test_settings():
    bench = Bench()
    bench(":set precision 3", ":set full on")
    assert bench.screen.settings["precision"] == 3 and bench.screen.settings["full"] is True
    bench(":set precision all", ":set dtype float64")
    assert bench("constant(1.0).dtype", ":undo", ":undo", "constant(1.0).dtype")[::2] == [
        "float64",
        "taken back: default float64",
    ]
    assert bench.screen.settings["precision"] is None
