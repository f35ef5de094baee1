"""What a user's own function read and ran: tensors from outside are operands, and it can be run again."""

import numpy as np
import pytest

from gradcli.engine import GradientTape, Variable, constant
from gradcli.engine.asked import Asked
from gradcli.engine.custom import recomputed, with_pullback
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.engine.ops.trigonometric import sin
from gradcli.engine.recording import current_state
from gradcli.engine.replay import CannotReplay, function_of, history


@pytest.fixture
def state():
    state = current_state()
    state.replayable = True
    yield state
    state.replayable = False


def own(function, pullback, *operands):
    return with_pullback("own", list(operands), lambda: function(*operands), pullback)


def test_recompute_differentiates_the_tensors_that_its_function_reads_from_outside():
    x = Variable(np.array([1.0, 2.0]))
    with GradientTape(persistent=True) as tape:
        c = x * 3.0
        y = reduce_sum(recomputed("again", lambda u: u * c, [x]))
    assert tape.gradient(y, c).numpy().tolist() == [1.0, 2.0]
    assert tape.gradient(y, x).numpy().tolist() == [6.0, 12.0]  # d/dx of 3x²


def test_recompute_has_its_second_derivative_through_a_tensor_from_outside():
    x = Variable(2.0, dtype="float64")
    with GradientTape() as outer:
        with GradientTape() as inner:
            c = x * x
            y = recomputed("again", lambda u: u * c, [x])
        first = inner.gradient(y, x)
    assert float(first) == 12.0  # 3x²
    assert float(outer.gradient(first, x)) == 12.0  # 6x


def replayed(state, build, x, moved):
    """`sum(build(x))` replayed at another x."""
    with GradientTape(persistent=True) as tape:
        y = reduce_sum(build(x))
    asked = Asked(state, tape.mark, "gradient", y, [y], [x], None, [None])
    order = history(tape.mark, [y.node], [x.node])
    return function_of(order, asked.seeds, x.node, lambda value: value)(moved)


def test_a_function_with_its_own_pullback_runs_again_on_moved_values(state):
    x = Variable(np.array([1.0, 2.0]))
    weights = constant(np.array([2.0, -1.0]))
    found = replayed(
        state, lambda v: own(lambda u: sin(u) * weights, lambda cts, xs: [cts[0]], v), x, np.array([3.0, 4.0])
    )
    assert found == pytest.approx(2 * np.sin(3.0) - np.sin(4.0), rel=1e-15)


def test_one_inside_another_and_several_results(state):
    x = Variable(np.array([1.0, 2.0]))

    def inner(u):
        return own(lambda v: [v * v, v * 3.0], lambda cts, xs: [cts[0]], u)

    def outer(u):
        square, triple = inner(u)
        return square * triple

    found = replayed(state, lambda v: own(outer, lambda cts, xs: [cts[0]], v), x, np.array([1.0, 5.0]))
    assert found == 3 * (1.0 + 125.0)


def test_a_variable_read_inside_takes_part(state):
    w = Variable(2.0, dtype="float64")
    x = Variable(3.0, dtype="float64")
    with GradientTape(persistent=True) as tape:
        y = own(lambda u: u * w, lambda cts, xs: [cts[0]], x) * 1.0
    asked = Asked(state, tape.mark, "gradient", y, [y], [w], None, [None])
    f = function_of(history(tape.mark, [y.node], [w.node]), asked.seeds, w.node, lambda value: value)
    assert f(np.float64(7.0)) == 21.0


def test_what_was_not_kept_cannot_run_again():
    x = Variable(1.0, dtype="float64")
    with pytest.raises(CannotReplay):
        replayed(current_state(), lambda v: own(sin, lambda cts, xs: [cts[0]], v), x, np.float64(2.0))


def test_a_tape_keeps_the_operands_that_only_another_tape_recorded():
    state = current_state()
    x, w = Variable(np.array([1.0, 2.0])), Variable(np.array([3.0, 4.0]))
    with GradientTape(persistent=True):
        c = x * 2.0
    with GradientTape(persistent=True) as tape:
        y = reduce_sum(w + c)
    asked = Asked(state, tape.mark, "gradient", y, [y], [w], None, [None])
    f = function_of(history(tape.mark, [y.node], [w.node]), asked.seeds, w.node, lambda value: value)
    assert f(np.array([0.0, 1.0])) == 7.0
