"""Special functions, angles and sinc against values computed by mpmath to forty digits."""

import math

import numpy as np
import pytest

from gradcli.engine import GradientTape, constant, lookup

INF, NAN = math.inf, math.nan


def value(name, *xs, **params):
    with np.errstate(all="ignore"):
        return float(lookup(name).call(*(constant(np.float64(x)) for x in xs), **params).numpy())


def slope(name, x):
    source = constant(np.float64(x))
    with np.errstate(all="ignore"), GradientTape() as tape:
        tape.watch(source)
        y = lookup(name).call(source)
    with np.errstate(all="ignore"):
        return float(tape.gradient(y, source).numpy())


@pytest.mark.parametrize(
    ("name", "x", "want"),
    [
        ("erf", 1e-10, 1.128379167095512615e-10), ("erf", 0.5, 0.52049987781304653768),
        ("erf", -2.0, -0.99532226501895273416), ("erfc", 0.5, 0.47950012218695346232),
        ("erfc", 10.0, 2.088487583762544757e-45), ("erfc", -3.0, 1.9999779095030014146),
        ("erfc", 26.0, 5.6631924088561428465e-296), ("erfinv", 1e-12, 8.8622692545275799582e-13),
        ("erfinv", 0.5, 0.47693627620446987338), ("erfinv", -0.9, -1.1630871536766741628),
        ("erfinv", 1 - 2.0**-53, 5.8635847487551679272), ("lgamma", 0.5, 0.57236494292470008707),
        ("lgamma", 1.4, -0.11961291417237129319), ("lgamma", -2.5, -0.056243716497674050673),
        ("lgamma", 1e10, 220258509288.81058147), ("digamma", 1.0, -0.57721566490153286061),
        ("digamma", 0.1, -10.423754940411076232), ("digamma", -0.3, 2.1133097796353988734),
        ("digamma", -100.25, 7.7542389592086454484), ("digamma", 1e10, 23.02585092989045684),
        ("sinc", 0.25, 0.90031631615710606956), ("sinc", 1.5, -0.21220659078919378103),
    ],
)  # fmt: skip
def test_values(name, x, want):
    assert value(name, x) == pytest.approx(want, rel=2e-14)


@pytest.mark.parametrize(
    ("order", "x", "want"),
    [
        (1, 0.5, 4.9348022005446793094), (1, 1.0, 1.6449340668482264365), (1, -0.3, 13.945160267805722489),
        (1, 30.0, 0.033895060357739944214), (2, 0.5, -16.828796644234319996), (2, 1.0, -2.4041138063191885708),
        (2, -0.3, 67.63908119988316004), (2, 30.0, -0.001148765203728599844), (3, 0.5, 97.409091034002437236),
        (3, 1.0, 6.4939394022668291491), (3, -0.3, 766.61989041916858035), (3, 30.0, 0.000077860036647361290602),
    ],
)  # fmt: skip
def test_derivatives_of_digamma(order, x, want):
    assert value("polygamma", order, x) == pytest.approx(want, rel=2e-14)


@pytest.mark.parametrize(
    ("order", "x", "want"),
    [
        (1, 0.0, 0.0), (2, 0.0, -(math.pi**2) / 3), (3, 0.0, 0.0), (4, 0.0, math.pi**4 / 5),
        (1, 0.1, -0.32575126788312397), (3, 0.4, 6.4150017822579367), (2, 2.3, -1.2849387451235927),
        (4, 1.2, -16.98464986972885),
    ],
)  # fmt: skip
def test_derivatives_of_sinc(order, x, want):
    assert value("sinc_derivative", x, order=order) == pytest.approx(want, rel=1e-12, abs=1e-300)


def test_ends_and_poles():
    assert [value("erfinv", x) for x in (-1.0, 0.0, 1.0)] == [-INF, 0.0, INF]
    assert math.isnan(value("erfinv", 1.5)) and math.isnan(value("erfinv", NAN))
    assert [value("lgamma", x) for x in (0.0, -1.0, INF, 1e308)] == [INF] * 4
    assert math.isnan(value("digamma", 0.0)) and math.isnan(value("digamma", -2.0))
    assert value("polygamma", 1.0, -1.0) == INF
    assert math.isnan(value("polygamma", 0.5, 1.0)) and math.isnan(value("polygamma", -1.0, 1.0))


def test_slopes_at_the_ends():
    assert slope("erfinv", 1.0) == INF
    assert slope("erf", 30.0) == 0.0
    assert slope("cbrt", 0.0) == INF
    assert slope("sinc", 0.0) == 0.0
    assert slope("lgamma", 1.0) == pytest.approx(-0.57721566490153286061, rel=1e-14)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_small_dtypes_are_rounded_once(dtype):
    x = constant(np.array([0.3, 0.7], dtype))
    for name, want in (("erf", math.erf), ("lgamma", math.lgamma)):
        y = lookup(name).call(x).numpy()
        assert y.dtype == dtype
        assert y.tolist() == [dtype(want(float(v))) for v in x.numpy()]


def test_quotients_and_lengths_where_they_are_hard():
    assert value("divide_no_nan", 3.0, 0.0) == 0.0
    assert value("hypot", 3e200, 4e200) == pytest.approx(5e200, rel=1e-15)
    assert value("logaddexp", 1000.0, 1000.0) == pytest.approx(1000.0 + math.log(2.0), rel=1e-15)
    a, b = constant(np.float64(3e200)), constant(np.float64(4e200))
    with GradientTape() as tape:
        tape.watch([a, b])
        y = lookup("atan2").call(a, b)
    got = [float(g.numpy()) for g in tape.gradient(y, [a, b])]
    assert got == pytest.approx([1.6e-201, -1.2e-201], rel=1e-15)
