"""Tapes leave no state behind; what they hold goes when they go. (TensorFlow's rules are in tests/tf.)"""

import gc
import threading
import tracemalloc

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, Tensor, Variable, constant, current_state
from gradcli.engine.custom import with_pullback
from gradcli.engine.ops.trigonometric import sin


def clean():
    state = current_state()
    return state.tapes == [] and state.recording is None and state.epoch == 0


def test_an_exception_leaves_nothing_behind():
    x = Variable(2.0)
    with pytest.raises(ZeroDivisionError), GradientTape() as tape, tape.stop_recording():
        raise ZeroDivisionError
    assert clean() and not tape.paused
    with GradientTape() as tape:
        y = x * x
    assert float(tape.gradient(y, x)) == 4.0


def test_a_generator_that_is_dropped_leaves_nothing_behind():
    x = Variable(2.0)

    def steps():
        with GradientTape() as tape:
            yield x * x
            yield tape

    generator = steps()
    next(generator)
    assert not clean()
    generator.close()
    assert clean()


def test_threads_have_tapes_of_their_own():
    x = Variable(3.0)
    seen = []

    def work():
        seen.append(current_state().tapes)
        y = x * x  # the other thread's tape does not record this
        seen.append(y)

    with GradientTape() as tape:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen[0] == [] and tape.gradient(seen[1], x) is None


def test_two_threads_share_a_variable():
    x = Variable(np.float64(3.0))
    results, barrier = [], threading.Barrier(2)

    def work(power: float):
        for _ in range(200):
            barrier.wait()
            with GradientTape() as tape:
                y = x**power
            results.append((power, tape.gradient(y, x)))

    threads = [threading.Thread(target=work, args=(p,)) for p in (2.0, 3.0)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 400
    assert all(g is not None and float(g) == p * 3.0 ** (p - 1) for p, g in results)


def test_a_custom_gradient_that_asks_the_same_persistent_tape():
    x = Variable(np.float64(2.0))
    with GradientTape(persistent=True) as tape:
        a = x * x
        y = with_pullback("f", [a], lambda: a * 3.0, lambda ct, xs: [ct[0] * tape.gradient(a, x)])
        z = y * y
    # dz/da = 2y · pullback = 2 · 12 · (da/dx = 4), dz/dx = 96 · 4
    assert float(tape.gradient(z, a)) == 96.0
    assert float(tape.gradient(z, x)) == 384.0
    assert clean()


def test_an_error_in_a_rule_names_its_site_and_leaves_the_tape_usable():
    x = Variable(np.float64(2.0))
    state = current_state()

    def fails(ct, xs):
        raise EngineError("no-derivative", "operation", op="f")

    with GradientTape(persistent=True) as tape:
        state.site = 7
        y = with_pullback("f", [x], lambda: x * 3.0, fails)
        state.site = 8
        z = y * x
    with pytest.raises(LookupError):
        tape.gradient(z, x)
    assert float(tape.gradient(x * 1.0, x, unconnected_gradients="zero")) == 0.0
    assert clean()
    state.site = 0


def test_a_long_chain_needs_no_recursion_and_is_freed_by_reference_counts():
    x = constant(np.float64(0.5))
    gc.collect()
    gc.disable()
    try:
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        with GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x
            for _ in range(50_000):
                y = sin(y) * 1.5
        assert tape.gradient(y, x) is not None
        del tape, y
        x.node = None
        assert tracemalloc.get_traced_memory()[0] - before < 100_000
    finally:
        tracemalloc.stop()
        gc.enable()


def test_tapes_and_assignments_in_a_loop_keep_memory_flat():
    w = Variable(np.zeros(10))

    def step():
        with GradientTape() as outer:
            with GradientTape() as inner:
                loss = (w - 1.0) ** 2.0
            g = inner.gradient(loss, w)
        outer.gradient(g, w)
        w.assign_sub(g * 0.1)

    for _ in range(200):
        step()
    gc.collect()
    tracemalloc.start()
    for _ in range(200):
        step()
    first = tracemalloc.get_traced_memory()[0]
    for _ in range(2000):
        step()
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 20_000


def test_the_result_is_a_tensor_of_its_own():
    x = Variable(np.zeros(3))
    with GradientTape(persistent=True) as tape:
        y = x + 1.0
    upstream = np.ones(3)
    g = tape.gradient(y, x, upstream)
    upstream[:] = 5.0
    assert isinstance(g, Tensor) and g.numpy().tolist() == [1.0, 1.0, 1.0]
