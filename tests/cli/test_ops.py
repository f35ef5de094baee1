"""`gradcli ops` and docs/operations.md come from the registry, and name only what is there."""

import json
from pathlib import Path

from gradcli.engine.primitive import REGISTRY
from gradcli.nn.names import PLACES
from gradcli.report.operations import markdown
from tests.cli.run import gradcli

KEYS = {"name", "aliases", "family", "signature", "differentiable", "derivative", "domain", "kinks", "doc", "example"}


def test_json_has_every_operation_and_layer_with_the_keys_of_the_page():
    found = json.loads(gradcli("ops", "--format", "json").out)
    assert {facts["name"] for facts in found} == {*REGISTRY, *PLACES}
    assert all(set(facts) == KEYS for facts in found)


def test_one_operation():
    result = gradcli("ops", "tf.nn.softmax")
    for text in ("softmax(x, axis=-1)", "d/dx:", "> softmax([0.0, 0.0])", "[0.5, 0.5]"):
        assert text in result.out
    assert "kink: 0; one-sided slopes 0 and 1" in gradcli("ops", "relu").out
    assert "no gradient flows" in gradcli("ops", "floor").out


def test_a_layer_an_alias_and_a_family():
    result = gradcli("ops", "tf.keras.layers.MaxPool2D")
    assert result.out.startswith("MaxPooling2D(pool_size=2, strides=none, padding='valid', name=none)")
    assert "reduction='mean')" in gradcli("ops", "hinge").out
    assert {"SGD", "Adam", "AdamW", "RMSprop", "Adagrad"} <= set(gradcli("ops", "optimizers").out.split())
    wrong = gradcli("ops", "Densse")
    assert wrong.status == 2 and "Dense" in wrong.err


def test_a_word_finds_several_and_a_slip_is_told():
    assert {"reduce_max", "maximum"} <= set(gradcli("ops", "larg").out.split())
    wrong = gradcli("ops", "sotfmaxx")
    assert wrong.status == 2 and "softmax" in wrong.err


def test_the_page_in_docs_is_current():
    path = Path(__file__).parents[2] / "docs" / "operations.md"
    assert path.read_text(encoding="utf-8") == markdown(), "run python -m gradcli.report.operations"
