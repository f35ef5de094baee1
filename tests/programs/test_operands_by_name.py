"""Operations take their operands by name, as their signature on the operation's page says."""

import pytest

import gradcli.tf as tf
from tests.cli.run import evaluate


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("maximum(x=1.0, y=2.0)", "2.0"),
        ("maximum(x=1.0, z=2.0)", None),
        ("maximum(a=1.0, b=2.0)", "2.0"),
        ("maximum(1.0, b=2.0)", "2.0"),
        ("sin(x=0.0)", "0.0"),
        ("sigmoid_cross_entropy_with_logits(labels=1.0, logits=1000.0)", "0.0"),
    ],
)
def test_by_name(call, value):
    result = evaluate(call)
    if value is None:
        assert result.status == 3 and "error[wrong-arguments]" in result.err
    else:
        assert (result.status, result.out) == (0, value + "\n")


def test_by_name_through_the_tensorflow_door():
    assert float(tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.constant(1.0), logits=tf.constant(1000.0))) == 0.0
