"""Costs that are counted, not timed: Python calls of an operation, memory of a sweep, memory of long loops."""

import gc
import sys
import tracemalloc

import numpy as np
import pytest

from gradcli.engine import GradientTape, constant
from gradcli.engine.ops.arithmetic import multiply
from gradcli.engine.ops.trigonometric import sin
from gradcli.lang.source import Source
from gradcli.runtime.session import Session


def python_calls(run) -> int:
    """How many Python functions `run` calls, itself not counted."""
    count = [-1]

    def profile(frame, event, argument):
        if event == "call":
            count[0] += 1

    sys.setprofile(profile)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count[0]


def test_calls_of_a_recorded_operation():
    x = constant(np.float64(0.5))
    with GradientTape() as tape:
        tape.watch(x)
        assert python_calls(lambda: x * x) <= 2
        assert python_calls(lambda: multiply(x, x)) <= 2
        assert python_calls(lambda: sin(x)) <= 2
        assert python_calls(lambda: x * 2.0 + x) <= 4


def test_calls_of_an_interpreted_operation():
    session = Session(lambda outcome: None)
    calls = {}
    for count in (10, 110):
        code = f"constant x = 0.5; watch x; y = x; for i in range({count}) {{ y = y * x }}"
        calls[count] = python_calls(lambda: session.run(Source("p", code)))  # noqa: B023
    # a step of the loop: the assignment, the product's closure, two names, the binding of i, the operation and its forward
    assert (calls[110] - calls[10]) / 100 <= 8


def test_allocations_of_a_sweep():
    x = constant(np.float64(0.5))
    with GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x
        for _ in range(5_000):
            y = sin(y) * 1.5
    gc.collect()
    tracemalloc.start()
    tape.gradient(y, x)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / 10_000 < 400


LOOPS = {
    "a tape and an assignment": "variable w = [1.0, 2.0]; for i in range({n}) {{ tape t {{ y = w * w }}; "
    "w.assign_sub(0.001 * t.gradient(y, w)) }}",
    "nested tapes": "variable w = 1.0; for i in range({n}) {{ tape a {{ tape b {{ y = w * w * w }}; g = b.gradient(y, w) }}; "
    "h = a.gradient(g, w) }}",
    "a none": "variable w = 1.0; variable v = 2.0; for i in range({n}) {{ tape t {{ y = w * w }}; g = t.gradient(y, v) }}",
    "a persistent tape that is replaced": "variable w = 1.0; for i in range({n}) {{ tape t(persistent=true) {{ y = w * w }}; "
    "g = t.gradient(y, w) }}",
    "no tape statement": "variable w = 1.0; for i in range({n}) {{ w.assign_sub(0.001 * gradient(w * w, w)) }}",
    "values carried on": "s = constant(1.0); variable w = 1.0; for i in range({n}) {{ tape t {{ y = s * w }}; s = s * 0.5 }}",
    "a model and an optimizer": 'model = Sequential([Dense(3, activation="tanh"), Dropout(0.5), Dense(1)]); o = Adam(0.001); '
    "for i in range({n}) {{ tape {{ loss = reduce_mean(model([[1.0, 2.0]], training=true) ** 2) }}; "
    "o.apply(gradient(loss, model.trainable_variables), model.trainable_variables) }}",
}


def grown(program: str, first: int, then: int) -> int:
    """Bytes that `then` more iterations leave behind."""
    session = Session(lambda outcome: None)
    assert session.run(Source("p", program.format(n=first)))
    gc.collect()
    tracemalloc.start()
    assert session.run(Source("p", program.format(n=first)))
    gc.collect()
    before = tracemalloc.get_traced_memory()[0]
    assert session.run(Source("p", program.format(n=then)))
    gc.collect()
    after = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return after - before


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_keeps_memory_flat(name):
    assert grown(LOOPS[name], 100, 2_000) < 60_000


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOPS)
def test_a_long_loop_keeps_memory_flat(name):
    assert grown(LOOPS[name], 1_000, 100_000) < 200_000
