"""A line that fails, and a line that is taken back, leave nothing behind."""

import pytest

from .bench import Bench

#: what stands before, the line that changes something, what tells of it, and what that prints before and after
CHANGES = {
    "a name": (["y = 1"], "y = 2", "y", "1", "2"),
    "a variable": (["variable x = 3.0"], "x.assign(5.0)", "x", "3.0", "5.0"),
    "a variable, again and again": (["variable x = 3.0"], "for i in range(5) { x.assign_add(1.0) }", "x", "3.0", "8.0"),
    "a variable in a list": (["v = [variable(3.0)]"], "v[0].assign(5.0)", "v[0]", "3.0", "5.0"),
    "a variable in a function": (
        ["def f(x) { v = variable(1.0); def g() { v.assign_add(x); return v }; return g }", "g = f(2.0)"],
        "g()", "g() + 0.0", "3.0", "5.0",
    ),
    "random numbers": (["set_seed(7)"], "random.normal([2])", "random.normal([2])",
                       "[0.0012301534, 0.29874554]", None),
    "the first random number": ([], "random.normal([])", "random.normal([])", "0.12573022", None),
    "the default dtype": (["a = 1"], "default float64", "constant(1.0).dtype", "float32", "float64"),
    "a one-shot gradient": (["variable x = 3.0", "tape t { y = x * x }"], "g = t.gradient(y, x)", "t.gradient(y, x)",
                            "6.0", "error[tape-used-up]"),
    "the tape of the whole session": (["variable x = 3.0", "y = x * x"], "tape { z = x }", "gradient(y, x)", "6.0", "none"),
    "a watched constant": (["c = constant(3.0)"], "watch c", "gradient(c * c, c)", "none", "6.0"),
    "the value printed last": (["1 + 1"], "5", "_", "2", "5"),
    "a function": (["def f(x) = x"], "def f(x) = 2 * x", "f(3)", "3", "6"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
def test_an_error_leaves_everything_as_it_was(name):
    before, change, question, value, other = CHANGES[name]
    bench = Bench()
    bench(*before)
    if other is not None:
        changed = Bench()
        changed(*before, change)
        assert other in changed(question)[-1]
    # a gradient on a tape that is used up is no error in this order
    assert bench(f"{change}\n1 / 0")[-1] == "error[bad-value]"
    assert value in bench(question)[-1]


@pytest.mark.parametrize("name", CHANGES)
def test_undo_takes_everything_back(name):
    before, change, question, value, _ = CHANGES[name]
    bench = Bench()
    bench(*before, change)
    assert bench(":undo")[0].startswith("taken back: ")
    assert len(bench.lines) == len(before)
    assert value in bench(question)[-1]


def test_undo_line_by_line():
    bench = Bench()
    bench("variable x = 1.0", "x.assign(2.0)", "x.assign(3.0); y = 1", "1 / 0", "x.assign(4.0)")
    assert bench(":undo", "x")[-1] == "3.0"
    bench(":undo", ":undo")
    assert bench("x")[-1] == "2.0"
    assert bench(":undo", ":undo", ":undo", "x")[-1] == "error[unknown-name]"
    assert bench(":undo") == ["there is nothing to take back"]


def test_a_failing_first_line_does_not_end_the_recording():
    bench = Bench()
    bench("1 / 0", "variable x = 3.0")
    assert bench("gradient(x * x, x)") == ["6.0"]


def test_reset_and_back():
    bench = Bench(dtype="float64")
    bench("variable x = 3.0", "y = x * x", ":reset")
    assert bench("x") == ["error[unknown-name]"]
    bench("z = 2.0", ":undo", ":undo")
    assert bench("gradient(y, x)", "x.dtype") == ["6.0", "float64"]


def test_an_interrupt_leaves_everything_as_it_was():
    bench = Bench()
    bench("variable x = 3.0", "v = [x]")
    emit = bench.screen.emit

    def stop(outcome):
        raise KeyboardInterrupt

    bench.session.tell(stop)
    with pytest.raises(KeyboardInterrupt):
        bench.run("v[0].assign(9.0); y = 1; tape { z = x }; print(1)")
    bench.session.tell(emit)
    assert bench("x", "gradient(x * x, x)", "y") == ["3.0", "6.0", "error[unknown-name]"]


def test_time_changes_nothing():
    bench = Bench()
    bench("variable x = 3.0")
    (said,) = bench(":time x.assign_add(1.0)")
    assert said.startswith("fastest ")
    assert bench("x", "random.normal([])") == ["3.0", "0.12573022"]
    assert bench(":time nothing", ":time y = 2", ":time 1 +") == [
        "error[unknown-name]", "error[syntax]", "error[syntax]",
    ]  # fmt: skip
    assert bench(":time print(x)")[0].startswith("fastest ")
