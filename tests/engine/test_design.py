"""The test that freezes the engine's design: nested persistent tapes, a third derivative, a batched sweep, a thread and an
exception, all on one expression, against values derived by hand.

f(x) = sum(x³) · x₀ at x = (1, 2):
    value              9
    df/dx              (3x₀²·x₀ + sum(x³), 3x₁²·x₀)                 = (12, 12)
    gradient sum       g = 12 + 12;  dg/dx = (12x₀² + 3x₁² + 3x₁², …) by hand below
"""

import threading

import numpy as np
import pytest

from gradcli.engine import GradientTape, Variable, current_state
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.engine.pullback import pull_back
from gradcli.engine.tape import node_of

X = np.array([1.0, 2.0])


def f(x):
    return reduce_sum(x**3.0) * x[0]


def first(x):
    a, b = x
    return np.array([4 * a**3 + b**3, 3 * a * b**2])


def second(x):
    """The gradient of the sum of the first: rows of the Hessian added up."""
    a, b = x
    return np.array([12 * a**2 + 3 * b**2, 3 * b**2 + 6 * a * b])


def third(x):
    a, b = x
    return np.array([24 * a + 6 * b, 6 * b + 6 * b + 6 * a])


def derivatives(x):
    with GradientTape(persistent=True) as outer:
        with GradientTape(persistent=True) as inner:
            y = f(x)
            d1 = inner.gradient(y, x)
            d2 = inner.gradient(d1, x)
        d3 = outer.gradient(d2, x)
        again = outer.gradient(outer.gradient(y, x), x)
    late = inner.gradient(y, x)
    return y, d1, d2, d3, again, late, outer


def check(x):
    y, d1, d2, d3, again, late, tape = derivatives(x)
    assert float(y) == pytest.approx(9.0)
    np.testing.assert_allclose(d1.numpy(), first(X), rtol=1e-14)
    np.testing.assert_allclose(late.numpy(), first(X), rtol=1e-14)
    np.testing.assert_allclose(d2.numpy(), second(X), rtol=1e-14)
    np.testing.assert_allclose(again.numpy(), second(X), rtol=1e-14)
    np.testing.assert_allclose(d3.numpy(), third(X), rtol=1e-14)
    # a batch of cotangents for the vector d1: its Jacobian is the Hessian, symmetric, its rows add up to `second`
    (rows,) = pull_back(current_state(), tape.mark, [(node_of(d1), np.eye(2))], [node_of(x)], 1)
    hessian = np.array([[12.0 * 1 * 1, 3.0 * 4], [3.0 * 4, 6.0 * 1 * 2]])
    np.testing.assert_allclose(rows, hessian, rtol=1e-14)
    np.testing.assert_allclose(rows.sum(axis=0), second(X), rtol=1e-14)


def test_the_design():
    x = Variable(X)
    check(x)
    failures = []

    def work():
        try:
            for _ in range(20):
                check(x)
        except BaseException as error:
            failures.append(error)

    with GradientTape(persistent=True) as mine:
        y = f(x)
        threads = [threading.Thread(target=work) for _ in range(2)]
        for thread in threads:
            thread.start()
        for _ in range(20):
            check(x)
        for thread in threads:
            thread.join()
    assert failures == []
    np.testing.assert_allclose(mine.gradient(y, x).numpy(), first(X), rtol=1e-14)

    with pytest.raises(KeyError), GradientTape(persistent=True) as outer, GradientTape() as inner:
        y = f(x)
        raise KeyError
    assert current_state().tapes == [] and current_state().recording is None
    np.testing.assert_allclose(inner.gradient(y, x).numpy(), first(X), rtol=1e-14)
    np.testing.assert_allclose(outer.gradient(y, x).numpy(), first(X), rtol=1e-14)
