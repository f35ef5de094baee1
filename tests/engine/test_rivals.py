"""The hand-written rivals of the benchmark give the same values and gradients as the operations; every one has a rival."""

import numpy as np
import pytest

from bench import operations
from bench.handwritten import PARTS, RIVALS, WITHOUT, rival
from gradcli.engine import REGISTRY


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(rival, "SIDE", rival.SIDE)
    kept = rival.SIDE[0], rival.MATRIX[0], rival.IMAGE[0]
    rival.SIDE[0], rival.MATRIX[0], rival.IMAGE[0] = 12, 6, (2, 6, 6, 3)
    yield
    rival.SIDE[0], rival.MATRIX[0], rival.IMAGE[0] = kept


def close(a, b):
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b))
    return np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("name", sorted(RIVALS))
def test_a_rival_agrees(name):
    operands = RIVALS[name].operands(np.random.default_rng(1))
    value, gradients = RIVALS[name].by_hand(*operands)
    ours, our_gradients = operations.by_engine(name, operands)
    assert close(ours, value)
    assert close(our_gradients, gradients)


def test_every_differentiable_operation_has_a_rival_or_a_reason():
    wanted = {name for name, op in REGISTRY.items() if op.differentiable and not op.underivable}
    assert not set(RIVALS) & (set(PARTS) | set(WITHOUT))
    assert wanted - set(RIVALS) - set(PARTS) - set(WITHOUT) == set()
    assert set(PARTS.values()) <= set(RIVALS) | set(WITHOUT)
    assert set(RIVALS) | set(PARTS) | set(WITHOUT) <= wanted
