"""The programs of examples/models: each trains to what it asserts, and its asserts fail where it has not trained."""

from pathlib import Path

import pytest

from gradcli.lang.source import Source
from gradcli.runtime.outcomes import Asserted, Failed
from gradcli.runtime.session import Session
from gradcli.runtime.settings import Settings

MODELS = Path(__file__).parents[2] / "examples" / "models"
PROGRAMS = sorted(path.stem for path in MODELS.glob("*.tp"))


def outcomes(name, **values):
    path = MODELS / f"{name}.tp"
    found = []
    text = path.read_text()
    Session(found.append, Settings(None, values), str(MODELS)).run(Source(str(path), text))
    return found


def verdicts(found):
    assert not [(item.code, item.facts) for item in found if isinstance(item, Failed)]
    return [item.ok for item in found if isinstance(item, Asserted)]


def length(name):
    """The name of the constant that tells how long a program trains."""
    return "epochs" if "constant epochs" in (MODELS / f"{name}.tp").read_text() else "steps"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_model_does_what_it_asserts(name):
    found = verdicts(outcomes(name))
    assert found and all(found)


@pytest.mark.parametrize("name", PROGRAMS)
def test_without_training_an_assert_fails(name):
    assert not all(verdicts(outcomes(name, **{length(name): "0"})))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_model_is_short(name):
    assert len((MODELS / f"{name}.tp").read_text().splitlines()) < 60


def test_the_models_of_the_course_are_there():
    assert PROGRAMS == [
        "digits-mlp", "digits-triplets", "linear-regression", "logistic-regression", "maml-sinusoids", "neural-ode",
        "newton", "pinn", "vae",
    ]  # fmt: skip
