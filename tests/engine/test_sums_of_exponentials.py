"""Logarithms of sums of exponentials and their shares, against mpmath: no entry is lost beside the largest."""

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from gradcli.engine import GradientTape, constant, lookup

mp.dps = 50
LINES = ([0.0, -50.0], [1e-17, 0.0], [3.0, 3.0, 3.0], [1000.0, -1000.0, 999.0], [-745.0, -744.0], [40.0, 0.0, 1e-3])


def total(xs):
    return mpmath.log(mpmath.fsum(mpmath.exp(x) for x in xs))


def shares(xs):
    return [mpmath.exp(x - total(xs)) for x in xs]


def near(mine, want, spread, what):
    """To 1e-13 (|want| + how far it moves with a relative change of the operands); below 1e-308 digits are few."""
    for a, b, moved in zip(mine, want, spread, strict=True):
        assert abs(mpf(float(a)) - b) <= mpf("1e-13") * (abs(b) + moved) + mpf("1e-321"), (what, float(a), b)


@pytest.mark.parametrize("line", LINES, ids=str)
def test_no_entry_is_lost_beside_the_largest(line):
    xs, x = [mpf(v) for v in line], constant(np.array(line))
    with GradientTape() as tape:
        tape.watch(x)
        y = lookup("reduce_logsumexp").call(x)
    weights = shares(xs)
    # d total = sum of share dx;  d share_i = share_i (dx_i - sum of share dx)
    moved = mpmath.fsum(abs(v) * w for v, w in zip(xs, weights))
    turned = [w * (abs(v) * (1 - w) + moved - abs(v) * w) for v, w in zip(xs, weights)]
    near([y], [total(xs)], [moved], "reduce_logsumexp")
    near(tape.gradient(y, x), weights, turned, "its gradient")
    near(lookup("softmax").call(x), weights, turned, "softmax")
    logs = [v - total(xs) for v in xs]
    near(lookup("log_softmax").call(x), logs, [t / w if w else moved for t, w in zip(turned, weights)], "log_softmax")
    running = [total(xs[: i + 1]) for i in range(len(xs))]
    near(lookup("cumulative_logsumexp").call(x), running, [moved] * len(xs), "cumulative_logsumexp")


def test_what_is_not_finite():
    inf, nan = np.inf, np.nan
    with np.errstate(all="ignore"):
        for line, want in (([-inf, -inf], -inf), ([inf, 0.0], inf), ([nan, 1.0], nan), ([-inf, 2.0], 2.0), ([], -inf)):
            np.testing.assert_equal(lookup("reduce_logsumexp").call(np.array(line)), want)
        np.testing.assert_equal(lookup("log_softmax").call(np.array([-inf, 2.0])), [-inf, 0.0])


def test_a_running_total_that_begins_with_nothing():
    x = constant(np.array([0.3, -1.0, 2.0]))
    with GradientTape() as tape:
        tape.watch(x)
        y = lookup("cumulative_logsumexp").call(x, exclusive=True)
    a, b, _ = np.exp(x.numpy())
    np.testing.assert_allclose(y.numpy(), [-np.inf, 0.3, np.log(a + b)], rtol=1e-15)
    got = tape.gradient(y, x, np.array([5.0, 1.0, 2.0])).numpy()
    np.testing.assert_allclose(got, [1.0 + 2.0 * a / (a + b), 2.0 * b / (a + b), 0.0], rtol=1e-15)
