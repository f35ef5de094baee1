"""Every operation of the registry obeys every law; what is exempt is in one table, with its reason."""

import pytest

from gradcli.engine import EngineError
from gradcli.engine.primitive import REGISTRY
from tests.engine.exemptions import EXEMPT, UNDERIVABLE
from tests.engine.laws import LAWS, holds
from tests.engine.trials import cases
from tests.engine.verdicts import Broken

DIFFERENTIABLE = [name for name, op in REGISTRY.items() if op.differentiable and not op.underivable]
#: random points for each case of each operation; `--samples 10` takes ten times as many
POINTS = 2


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_a_law(name, law, samples):
    op = REGISTRY[name]
    if name in EXEMPT.get(law.__name__, ()):
        with pytest.raises((Broken, EngineError)):
            holds(law, op, cases(op))
        return
    for seed in range(POINTS * samples):
        assert holds(law, op, cases(op), seed) > 0, "nothing was compared"


def test_every_differentiable_operation_is_tried_by_every_law():
    assert len(DIFFERENTIABLE) >= 150
    assert [name for name in DIFFERENTIABLE if not cases(REGISTRY[name])] == []
    assert {name for name, op in REGISTRY.items() if op.underivable} == UNDERIVABLE


def test_no_exemption_is_stale():
    for law, names in EXEMPT.items():
        assert law in {known.__name__ for known in LAWS}
        assert names.keys() <= set(DIFFERENTIABLE)
        assert all(names.values())
