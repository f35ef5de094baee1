"""Steps in place where nobody sees them, clipping, gradients of None, and what cannot be a step."""

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, Variable, constant, current_state
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.nn.names import find

SGD, Adam = find("SGD"), find("Adam")
ALL = ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"]


def ones():
    return constant(np.ones((2, 2), np.float32))


@pytest.mark.parametrize("name", ALL)
def test_the_array_stays_where_it_is(name):
    w, optimizer = Variable(np.zeros((2, 2), np.float32)), find(name)(0.1)
    optimizer.apply([ones()], [w])
    address = w.value.__array_interface__["data"][0]
    for _ in range(3):
        optimizer.apply([ones()], [w])
    assert w.value.__array_interface__["data"][0] == address
    assert (w.value < 0).all()


@pytest.mark.parametrize("name", ALL)
def test_a_tensor_that_was_read_before_keeps_its_value(name):
    w, optimizer = Variable(np.zeros((2, 2), np.float32)), find(name)(0.1)
    seen = w.read()
    view = w.read().value[:1]
    optimizer.apply([ones()], [w])
    assert not seen.value.any() and not view.any() and w.value.all()


def test_a_tape_that_lives_on_gives_the_gradient_of_the_old_value():
    w, optimizer = Variable(np.full((2,), 3.0, np.float32)), SGD(1.0)
    with GradientTape(persistent=True) as tape:
        y = reduce_sum(w * w)
    first = tape.gradient(y, w)
    optimizer.apply(first, w)
    assert w.value.tolist() == [-3.0, -3.0]
    assert tape.gradient(y, w).value.tolist() == [6.0, 6.0]


def test_a_gradient_is_left_as_it_is():
    w = Variable(np.ones((2, 2), np.float32))
    for name in ALL:
        grad = ones()
        find(name)(0.1, clipvalue=0.5).apply([grad], [w])
        assert grad.value.tolist() == [[1.0, 1.0], [1.0, 1.0]]


def test_none_is_skipped_and_told_once():
    state, told = current_state(), []
    before, state.warn = state.warn, lambda code, dtype, item: told.append((code, item.name))
    try:
        a, b, optimizer = Variable(1.0, name="a"), Variable(1.0, name="b"), SGD(0.5)
        for _ in range(3):
            optimizer.apply([constant(1.0), None], [a, b])
    finally:
        state.warn = before
    assert told == [("skipped-variable", "b")]
    assert (float(a.value), float(b.value)) == (-0.5, 1.0)


@pytest.mark.parametrize(
    ("grads", "variables", "kind"),
    [
        ([None], [Variable(1.0)], "all-none"),
        ([], [], "all-none"),
        ([constant(1.0)], [], "pairs"),
        ({"a": constant(1.0)}, {"b": Variable(1.0)}, "pairs"),
        ([constant(1.0)], [constant(1.0)], "variable-expected"),
        ([constant([1.0])], [Variable(1.0)], "gradient"),
        ([constant(1.0, "float64")], [Variable(1.0)], "gradient"),
    ],
)
def test_what_is_no_step(grads, variables, kind):
    with pytest.raises(EngineError) as error:
        Adam(0.1).apply(grads, variables)
    assert error.value.kind == kind


def test_an_error_changes_no_variable():
    a, b = Variable(1.0), Variable([1.0, 1.0])
    with pytest.raises(EngineError):
        SGD(0.1).apply([constant(1.0), constant(1.0)], [a, b])
    assert float(a.value) == 1.0


def test_dicts_pair_by_their_keys():
    w = {"b": Variable(1.0), "a": Variable([1.0])}
    SGD(1.0).apply({"a": constant([0.5]), "b": constant(2.0)}, w)
    assert (float(w["b"].value), w["a"].value.tolist()) == (-1.0, [0.5])


def test_a_learning_rate_may_follow_the_steps():
    w, optimizer = Variable(0.0), SGD(lambda step: 1.0 if step < 1 else 0.25)
    for _ in range(3):
        optimizer.apply(constant(-1.0), w)
    assert float(w.value) == 1.5


def test_global_clipping_of_zeros_divides_by_nothing():
    w = Variable([1.0])
    SGD(0.1, global_clipnorm=1.0).apply(constant([0.0]), w)
    assert w.value.tolist() == [1.0]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"clipnorm": 1.0, "clipvalue": 1.0}, "wrong-arguments"), ({"clipnorm": -1.0}, "bad-value"),
        ({"momentum": 1.5}, "bad-value"), ({"learning_rate": "fast"}, "bad-value"),
    ],
)  # fmt: skip
def test_arguments_out_of_range(arguments, code):
    with pytest.raises(EngineError) as error:
        SGD(**arguments)
    assert error.value.code == code
