"""First values: their spread, their seeds, and what they are for kernels of convolutions."""

import numpy as np
import pytest

from gradcli.engine import EngineError, State, activate
from gradcli.engine.recording import deactivate
from gradcli.nn.initializers import BY_NAME, fans
from gradcli.nn.names import find

SHAPE = (3, 3, 20, 40)
INTO, OUT = 180.0, 360.0
#: (variance, bound) of each entry for SHAPE
SPREAD = {
    "glorot_uniform": (2 / (INTO + OUT), np.sqrt(6 / (INTO + OUT))), "he_uniform": (2 / INTO, np.sqrt(6 / INTO)),
    "lecun_uniform": (1 / INTO, np.sqrt(3 / INTO)), "glorot_normal": (2 / (INTO + OUT), None),
    "he_normal": (2 / INTO, None), "lecun_normal": (1 / INTO, None), "random_normal": (0.0025, None),
    "random_uniform": (0.0025 / 3, 0.05), "truncated_normal": (0.0025 * 0.87962566**2, 0.1),
}  # fmt: skip


def test_the_fans_of_a_kernel_are_those_of_keras():
    assert fans(SHAPE) == (INTO, OUT)
    assert fans((4, 5)) == (4.0, 5.0) and fans((7,)) == (7.0, 7.0) and fans(()) == (1.0, 1.0)


@pytest.mark.parametrize("name", SPREAD)
def test_the_spread(name):
    values = BY_NAME[name](SHAPE, seed=4, dtype="float64").value
    variance, bound = SPREAD[name]
    assert values.mean() == pytest.approx(0.0, abs=5 * np.sqrt(variance / values.size))
    assert values.var() == pytest.approx(variance, rel=0.05)
    if bound is not None:
        assert np.abs(values).max() <= bound


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3), (2, 3, 4)])
def test_orthogonal_rows_or_columns(shape):
    q = BY_NAME["orthogonal"](shape, seed=1, dtype="float64").value.reshape(-1, shape[-1])
    small = q @ q.T if q.shape[0] <= q.shape[1] else q.T @ q
    np.testing.assert_allclose(small, np.eye(len(small)), atol=1e-12)


def test_a_seed_makes_a_layer_the_same_whatever_else_is_drawn():
    layers = [find("Dense")(3, seed=7) for _ in range(2)]
    layers[0](np.ones((1, 2), np.float32))
    find("glorot_uniform")([5])
    layers[1](np.ones((1, 2), np.float32))
    np.testing.assert_array_equal(layers[0].kernel.value, layers[1].kernel.value)


def test_without_a_seed_a_program_draws_the_same_each_time():
    found = []
    for _ in range(2):
        token = activate(State())
        try:
            found.append(find("glorot_uniform")([4]).value.tolist())
        finally:
            deactivate(token)
    assert found[0] == found[1]


def test_dropout_keeps_the_mean_and_scales_what_is_left():
    layer = find("Dropout")(0.25, seed=3)
    x = np.ones((200, 50), np.float32)
    y = layer(x, training=True).value
    assert set(np.unique(y).tolist()) == {0.0, float(np.float32(1 / 0.75))}
    assert y.mean() == pytest.approx(1.0, abs=0.02)
    assert (layer(x, training=True).value != y).any()
    np.testing.assert_array_equal(layer(x).value, x)


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(EngineError) as error:
        find("Dense")(1, kernel_initializer="glorot")(np.ones((1, 2), np.float32))
    assert "glorot_uniform" in error.value.facts["known"]
