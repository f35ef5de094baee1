"""Operations that no gradient passes: the same value whatever the memory looks like, operands left alone, no gradient."""

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, constant
from gradcli.engine.primitive import REGISTRY
from tests.engine.array_laws import LAYOUTS
from tests.engine.trials import results

TABLE = np.array([[3.0, -1.5, 2.5], [0.5, 2.5, -4.0]])
MASK = np.array([[True, False, True], [False, False, True]])

#: operation → operands and parameters; those of two tables or one are not listed
CALLS = {
    "cast_discrete": ([TABLE], {"dtype": "int32"}), "bitcast": ([TABLE], {"dtype": "int64"}),
    "one_hot": ([np.array([[2, 0], [1, 5]])], {"depth": 3}), "random.shuffle": ([TABLE], {"seed": 3}),
    "searchsorted": ([np.array([1.0, 2.0, 5.0]), TABLE], {}), "unique": ([TABLE[0]], {}),
    "unique_values": ([TABLE[1]], {}), "unique_positions": ([TABLE[1]], {}),
    "logm": ([TABLE[:, :2] @ TABLE[:, :2].T + 3.0 * np.eye(2)], {}), "lu": ([TABLE[:, :2]], {}),
    "logm_matrix": ([[TABLE[:, :2] @ TABLE[:, :2].T + 3.0 * np.eye(2)]], {}), "lu_matrix": ([[TABLE[:, :2]]], {}),
}  # fmt: skip
NAMES = [name for name, op in REGISTRY.items() if op.arity and (not op.differentiable or op.underivable)]


def call_of(op):
    if op.name in CALLS:
        return CALLS[op.name]
    return ([MASK, MASK[::-1].copy()] if op.accepts[0] == "b" else [TABLE, TABLE[::-1].copy()])[: op.arity], {}


def run(op, operands, params):
    made = [[constant(x) for x in item] if isinstance(item, list) else constant(item) for item in operands]
    with np.errstate(all="ignore"):
        return [t.numpy() for t in results(op.call(*made, **params))]


@pytest.mark.parametrize("name", NAMES)
def test_any_layout_has_the_same_value(name):
    op = REGISTRY[name]
    operands, params = call_of(op)
    want = run(op, operands, params)
    for laid in LAYOUTS.values():

        def odd(x, laid=laid):
            view = laid(x)
            view.flags.writeable = False
            return view

        items = [[odd(x) for x in item] if isinstance(item, list) else odd(item) for item in operands]
        for got, value in zip(run(op, items, params), want, strict=True):
            assert got.dtype == value.dtype
            np.testing.assert_allclose(got, value, rtol=1e-13)
        for before, after in zip(operands, items):
            np.testing.assert_array_equal(before, after)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_and_scalars_give_a_value_or_an_error_of_ours(name):
    op = REGISTRY[name]
    operands, params = call_of(op)
    for change in (lambda x: x[:0], lambda x: x[..., :0], lambda x: x.reshape(-1)[0]):
        items = [[change(x) for x in item] if isinstance(item, list) else change(item) for item in operands]
        try:
            found = run(op, items, params)
        except EngineError as error:
            assert error.facts.get("op", name) == name
            continue
        assert all(isinstance(y, np.ndarray if y.ndim else np.generic) for y in found)


@pytest.mark.parametrize("name", [name for name in NAMES if not REGISTRY[name].underivable])
def test_no_gradient_comes_back(name):
    op = REGISTRY[name]
    operands, params = call_of(op)
    sources = [constant(x) for x in operands]
    with np.errstate(all="ignore"), GradientTape(persistent=True) as tape:
        tape.watch([x for x in sources if x.dtype.kind == "f"])
        found = results(op.call(*sources, **params))
    assert all(tape.gradient(y, x) is None for y in found for x in sources)
