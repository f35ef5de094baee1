"""What counts from its line on: the default dtype, the seed of random numbers, the value printed last."""

import numpy as np
import pytest

from ..cli.run import evaluate


def test_a_default_counts_from_its_line_on():
    found = evaluate(
        "constant a = 0.1; default float64; constant b = 0.1; default float16; a.dtype; b.dtype; constant(0.1).dtype"
    )
    assert found.out == "float32\nfloat64\nfloat16\n"


@pytest.mark.parametrize("name", ["set_seed", "tf.random.set_seed"])
def test_a_seed_starts_the_random_numbers_anew(name):
    found = evaluate(
        f"default float64; {name}(7); random.normal([]); random.normal([]); {name}(seed=7); random.normal([])"
    )
    generator = np.random.default_rng(7)
    first, second = generator.normal(), generator.normal()
    assert found.out == f"{first}\n{second}\n{first}\n"


@pytest.mark.parametrize("seed", ["-1", "0.5", "'a'", "true", "[1]"])
def test_a_wrong_seed(seed):
    found = evaluate(f"set_seed({seed})")
    assert found.status == 3 and "error[bad-value] set_seed takes whole numbers" in found.err


def test_the_value_printed_last():
    assert evaluate("2 + 3; _ * 2; y = _; y").out == "5\n10\n10\n"
    assert evaluate("if true { 4 }; _").out == "4\n4\n"
    assert "unknown name _" in evaluate("x = _").err
    found = evaluate("x = _; 1")
    assert found.status == 3 and "_ has no value yet" in found.err
