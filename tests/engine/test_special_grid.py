"""Special functions and their derivatives against mpmath, on a grid with the hard ends: to 1e-13 (1 + condition number).

The condition number of a value f is |x f'| / |f|, that of a derivative |x f''| / |f'|, summed over the operands; so the
error may be 1e-13 (|f| + |x f'|), which also says something where f is 0. Below the smallest normal number there are
fewer digits: there a few of the smallest steps are allowed.
"""

import math

import mpmath
import numpy as np
import pytest
from mpmath import mp, mpf

from gradcli.engine import GradientTape, constant, lookup

mp.dps = 50
_TINY = 2.3e-308

#: numbers of every size, for a function on the whole line
LINE = [
    0.0,
    1e-300,
    1e-30,
    1e-12,
    1e-5,
    0.01,
    0.1,
    0.3,
    0.5,
    0.75,
    1.0,
    1.5,
    2.0,
    3.0,
    5.0,
    8.0,
    12.0,
    20.0,
    37.0,
    200.0,
    700.0,
]
BOTH = [*LINE, *(-x for x in LINE[1:])]
HALF = [x for x in LINE if x]
SMALL = [x for x in BOTH if abs(x) <= 5]
#: from -1 to 1, up to the last number before the ends
UNIT = [x for x in BOTH if abs(x) < 1] + [s * (1 - d) for s in (1, -1) for d in (0.1, 1e-3, 1e-6, 1e-10, 2.0**-50)]
#: near the poles 0, -1, -2, and between them; near the zeros of log gamma, 1 and 2, and of digamma
GAMMA = [*HALF, 1e5, 1e10, 1e-200, 0.99, 1 - 1e-9, 1 + 1e-9, 1.01, 1.4616321449683623, 1.98, 2 - 1e-9, 2 + 1e-9, 2.02, 170.5,
         -1e-12, -1e-3, -0.1, -0.5, -0.999999, -1.000001, -1.5, -2.25, -2.0000001, -3.7, -10.5, -33.3, -100.25]  # fmt: skip


#: of Klambauer and others, Self-normalizing neural networks (2017), as doubles
ALPHA, SCALE = mpf(1.6732632423543772), mpf(1.0507009873554805)


def phi(x):
    return mpmath.exp(-x * x / 2) / mpmath.sqrt(2 * mp.pi)


def big_phi(x):
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def sig(x):
    return 1 / (1 + mpmath.exp(-x))


def soft(x):
    return mpmath.log1p(mpmath.exp(x))


def sinc_slope(x):
    with mp.workdps(50 if abs(x) > mpf("1e-5") else 700):  # a difference of nearly equal numbers
        return (mpmath.cospi(x) - mpmath.sincpi(x)) / x if x else mpf(0)


def celu(x):
    return x if x > 0 else mpmath.expm1(x)


#: name → mpmath's function, its first and second derivative, and where to try them
UNARY = {
    "erf": (mpmath.erf, lambda x: 2 / mpmath.sqrt(mp.pi) * mpmath.exp(-x * x), BOTH),
    "erfc": (mpmath.erfc, lambda x: -2 / mpmath.sqrt(mp.pi) * mpmath.exp(-x * x), BOTH),
    "erfinv": (mpmath.erfinv, lambda x: mpmath.sqrt(mp.pi) / 2 * mpmath.exp(mpmath.erfinv(x) ** 2), UNIT),
    "lgamma": (lambda x: mpmath.log(abs(mpmath.gamma(x))) if x < 1e4 else mpmath.loggamma(x), mpmath.digamma, GAMMA),
    "digamma": (mpmath.digamma, lambda x: mpmath.polygamma(1, x), GAMMA),
    "sinc": (mpmath.sincpi, sinc_slope, [*SMALL, 7.25, 1 - 1e-9, 1 + 1e-9, 4 + 1e-7, 30.5, 1000.25]),
    "exp": (mpmath.exp, mpmath.exp, [*BOTH, -745.0, 709.7]),
    "expm1": (mpmath.expm1, mpmath.exp, [*BOTH, 709.7]),
    "exp2": (lambda x: mpf(2) ** x, lambda x: mpf(2) ** x * mpmath.log(2), [*BOTH, 1023.5, -1060.0]),
    "log": (mpmath.log, lambda x: 1 / x, [*HALF, 1 - 1e-9, 1 + 1e-9, 1e300]),
    "log1p": (mpmath.log1p, lambda x: 1 / (1 + x), [x for x in BOTH if x > -1] + [-1 + 1e-9, -1 + 2.0**-53, 1e300]),
    "log2": (lambda x: mpmath.log(x, 2), lambda x: 1 / (x * mpmath.log(2)), [*HALF, 1 - 1e-9, 1e300]),
    "log10": (mpmath.log10, lambda x: 1 / (x * mpmath.log(10)), [*HALF, 1 + 1e-9, 1e300]),
    "sqrt": (mpmath.sqrt, lambda x: 1 / (2 * mpmath.sqrt(x)), [*HALF, 1e300]),
    "rsqrt": (lambda x: 1 / mpmath.sqrt(x), lambda x: -1 / (2 * x * mpmath.sqrt(x)), [x for x in HALF if x > 1e-200]),
    "cbrt": (lambda x: mpmath.sign(x) * mpmath.cbrt(abs(x)), lambda x: 1 / (3 * mpmath.cbrt(abs(x)) ** 2),
             [x for x in BOTH if x]),
    "sin": (mpmath.sin, mpmath.cos, [*BOTH, 1e5, 355.0]),
    "cos": (mpmath.cos, lambda x: -mpmath.sin(x), [*BOTH, 1e5, 1.5707963267948966]),
    "tan": (mpmath.tan, lambda x: 1 + mpmath.tan(x) ** 2, [*BOTH, 1.5707]),
    "asin": (mpmath.asin, lambda x: 1 / mpmath.sqrt(1 - x * x), UNIT),
    "acos": (mpmath.acos, lambda x: -1 / mpmath.sqrt(1 - x * x), UNIT),
    "atan": (mpmath.atan, lambda x: 1 / (1 + x * x), [*BOTH, 1e10]),
    "sinh": (mpmath.sinh, mpmath.cosh, BOTH),
    "cosh": (mpmath.cosh, mpmath.sinh, BOTH),
    "asinh": (mpmath.asinh, lambda x: 1 / mpmath.sqrt(x * x + 1), [*BOTH, 1e10, -1e10, 1e100]),
    "acosh": (mpmath.acosh, lambda x: 1 / mpmath.sqrt(x * x - 1), [1 + 1e-10, 1 + 1e-5, 1.1, 1.5, 3.0, 37.0, 1e5, 1e10]),
    "atanh": (mpmath.atanh, lambda x: 1 / (1 - x * x), UNIT),
    "softplus": (soft, sig, BOTH),
    "log_sigmoid": (lambda x: -soft(-x), lambda x: sig(-x), BOTH),
    "silu": (lambda x: x * sig(x), lambda x: sig(x) * (1 + x * sig(-x)), BOTH),
    "mish": (lambda x: x * mpmath.tanh(soft(x)), None, BOTH),
    "softsign": (lambda x: x / (1 + abs(x)), lambda x: 1 / (1 + abs(x)) ** 2, BOTH),
    "gelu": (lambda x: x * big_phi(x), lambda x: big_phi(x) + x * phi(x), BOTH),
    "normal_distribution": (big_phi, phi, BOTH),
    "elu": (celu, lambda x: mpmath.exp(min(x, 0)), BOTH),
    "selu": (lambda x: SCALE * (x if x > 0 else ALPHA * mpmath.expm1(x)),
             lambda x: SCALE if x >= 0 else SCALE * ALPHA * mpmath.exp(x), BOTH),
    "celu": (celu, lambda x: mpmath.exp(min(x, 0)), BOTH),
    "sigmoid": (sig, lambda x: sig(x) * sig(-x), BOTH),
    "tanh": (mpmath.tanh, lambda x: 1 / mpmath.cosh(x) ** 2, BOTH),
}  # fmt: skip

PAIRS = [
    (a, b)
    for a in (1e-300, 1e-9, 0.3, 1.0, 1 + 1e-9, 7.0, 1e5, 1e200)
    for b in (1e-300, 1e-9, 0.3, 1.0, 7.0, 1e5, 1e200)
]
SIGNED = [(s * a, t * b) for a, b in PAIRS for s in (1, -1) for t in (1, -1)]
SHIFTED = [
    (a, a + d)
    for a in (-700.0, -30.0, -1.0, 0.0, 1e-9, 1.0, 30.0, 700.0)
    for d in (-800.0, -40.0, -1.0, -1e-9, 0.0, 1e-9, 2.0, 50.0)
]

#: name → mpmath's function of two operands, its two derivatives (None: by mpmath's own differences), where to try them
BINARY = {
    "logaddexp": (lambda a, b: mpmath.log(mpmath.exp(a) + mpmath.exp(b)), lambda a, b: sig(a - b), lambda a, b: sig(b - a), SHIFTED),
    "xlogy": (lambda a, b: a * mpmath.log(b), lambda a, b: mpmath.log(b), lambda a, b: a / b, PAIRS),
    "xlog1py": (lambda a, b: a * mpmath.log1p(b), lambda a, b: mpmath.log1p(b), lambda a, b: a / (1 + b), PAIRS),
    "xdivy": (lambda a, b: a / b, lambda a, b: 1 / b, lambda a, b: -a / b**2, PAIRS),
    "hypot": (lambda a, b: mpmath.sqrt(a * a + b * b), lambda a, b: a / mpmath.sqrt(a * a + b * b),
              lambda a, b: b / mpmath.sqrt(a * a + b * b), SIGNED),
    "atan2": (lambda a, b: mpmath.atan2(a, b), lambda a, b: b / (a * a + b * b), lambda a, b: -a / (a * a + b * b), SIGNED),
    "sigmoid_cross_entropy_with_logits": (lambda z, x: z * soft(-x) + (1 - z) * soft(x), lambda z, x: -x,
              lambda z, x: sig(x) - z, [(z, x) for z in (0.0, 0.3, 1.0) for x in BOTH]),
    "polygamma": (lambda n, x: mpmath.polygamma(int(n), x), None, lambda n, x: mpmath.polygamma(int(n) + 1, x),
                  [(float(n), x) for n in (1, 2, 3, 4) for x in GAMMA if x > 1e-30 and x < 1e9]),
    "pow": (lambda a, b: a**b, lambda a, b: b * a ** (b - 1), lambda a, b: a**b * mpmath.log(a),
            [(a, b) for a in (1e-300, 1e-9, 0.3, 1.0, 1 + 1e-9, 7.0, 1e5) for b in (-3.5, -1.0, -1e-9, 0.0, 0.5, 1.0, 2.0, 40.0)]),
}  # fmt: skip


def run(name, *xs, **params):
    sources = [constant(np.float64(x)) for x in xs]
    with np.errstate(all="ignore"), GradientTape() as tape:
        tape.watch(sources)
        y = lookup(name).call(*sources, **params)
    with np.errstate(all="ignore"):
        return float(y.numpy()), [None if g is None else float(g.numpy()) for g in tape.gradient(y, sources)]


def slope(f, xs, i, order=1):
    """mpmath's own derivative, of numbers of 80 digits."""
    h = max(abs(xs[i]), mpf(1e-200)) * mpf(10) ** -22
    with mp.workdps(110):
        moved = [[x + k * h if j == i else x for j, x in enumerate(xs)] for k in (-1, 1)]
        return (f(*moved[1]) - f(*moved[0])) / (2 * h)


def held(mine, want, *terms):
    """Is the error within 1e-13 (|f| + sum of |x f'|)? `terms` are the x f'."""
    if mpmath.isinf(want) or abs(want) > mpf("1.7e308"):
        return math.isinf(mine)
    allowed = mpf("1e-13") * (abs(want) + sum(abs(t) for t in terms)) + _TINY * mpf("1e-13") + mpf(2e-323)
    return math.isfinite(mine) and abs(mpf(mine) - want) <= allowed


def grid(points, samples, random):
    """The points, and for the nightly tier random ones between neighbours."""
    found = list(points)
    if samples > 1:
        order = sorted(points)
        for _ in range((samples - 1) * len(points)):
            i = random.integers(len(order) - 1)
            a, b = order[i], order[i + 1]
            t = random.uniform()
            found.append(math.copysign(abs(a) ** (1 - t) * abs(b) ** t, a) if a * b > 0 else a + (b - a) * t)
    return found


def test_what_is_off_by_a_part_in_a_trillion_is_caught():
    assert held(1.0, mpf(1), mpf(1)) and not held(1.0 + 1e-12, mpf(1), mpf(1))
    assert held(9.9e-14, mpf(0), mpf(1)) and not held(1e-12, mpf(0), mpf(1))
    assert not held(math.inf, mpf(1e300)) and not held(math.nan, mpf(1)) and not held(0.0, mpf(1e-300))


@pytest.mark.parametrize("name", UNARY)
def test_one_operand(name, samples):
    f, df, points = UNARY[name]
    df = df or (lambda x: slope(f, [x], 0))
    for x in grid(points, samples, np.random.default_rng(1)):
        mine, (mine_slope,) = run(name, x)
        at = mpf(x)
        value, first = f(at), df(at)
        second = slope(df, [at], 0)
        assert held(mine, value, at * first), f"{name}({x!r}) = {mine!r}, not {mpmath.nstr(value, 20)}"
        assert held(mine_slope, first, at * second), f"{name}'({x!r}) = {mine_slope!r}, not {mpmath.nstr(first, 20)}"


@pytest.mark.parametrize("name", BINARY)
def test_two_operands(name):
    f, *slopes, points = BINARY[name]
    for a, b in points:
        xs = [mpf(a), mpf(b)]
        mine, grads = run(name, a, b)
        firsts = [mpf(0) if df is None else df(*xs) for df in slopes]
        assert held(mine, f(*xs), *(x * d for x, d in zip(xs, firsts))), f"{name}({a}, {b}) = {mine!r}, not {f(*xs)}"
        for i, (df, grad) in enumerate(zip(slopes, grads)):
            if df is not None:
                seconds = [xs[k] * slope(df, xs, k) for k in (0, 1) if slopes[k] is not None]
                assert held(grad, firsts[i], *seconds), f"d{i} {name}({a}, {b}) = {grad!r}, not {firsts[i]}"
