"""Layers, losses, optimizers and a training run against what Keras gave: tests/reference/keras, made by make_keras.py."""

import json
from pathlib import Path

import numpy as np
import pytest

from gradcli.engine import GradientTape, Variable, constant
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.nn.names import find

FOLDER = Path(__file__).parents[1] / "reference" / "keras"
RTOL = {"float32": 1e-5, "float64": 1e-10}
#: Keras rounds some of its numbers to float32 first, in float64 too: 1 / sqrt(key_dim), the root of 2 in gelu,
#: log 2 in log_cosh
ROUNDED = 1e-7


def cases(name):
    return json.loads((FOLDER / f"{name}.json").read_text())["cases"]


def label(case):
    kind = case.get("layer") or case.get("loss") or case.get("optimizer")
    arguments = ",".join(f"{k}={v}" for k, v in {**case["arguments"], **case.get("call", {})}.items())
    return f"{kind}({arguments})-{case['dtype']}"


def close(found, expected, dtype, rtol=None):
    expected = np.asarray(expected)
    tolerance = rtol or RTOL[dtype]
    scale = max(1.0, float(np.abs(expected).max())) if expected.size else 1.0
    np.testing.assert_allclose(np.asarray(found, np.float64), expected, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("case", cases("layers"), ids=label)
def test_a_layer_gives_what_keras_gives(case):
    dtype = case["dtype"]
    rounded = case["arguments"].get("activation") == "gelu" or "key_dim" in case["arguments"]
    rtol = ROUNDED if rounded and dtype == "float64" else None
    weights = {name: np.asarray(value, dtype) for name, value in case["weights"].items()}
    layer = find(case["layer"])(**case["arguments"], **weights)
    if layer.takes_integers:
        inputs = [constant(np.asarray(x)) for x in case["inputs"]]
    else:
        inputs = [Variable(np.asarray(x, dtype)) for x in case["inputs"]]
    layer._dtype = np.dtype(dtype)
    with GradientTape() as tape:
        y = layer(*inputs, **case["call"])
        target = reduce_sum(y * constant(np.asarray(case["upstream"], dtype)))
    assert y.dtype == dtype
    close(y.value, case["output"], dtype, rtol)
    watched = [] if layer.takes_integers else inputs
    names = list(case["weight_gradients"])
    grads = tape.gradient(target, [*watched, *[getattr(layer, name) for name in names]])
    for grad, expected in zip(grads, [*case["input_gradients"], *case["weight_gradients"].values()]):
        close(grad.value, expected, dtype, rtol)
    for name, expected in case["weights_after"].items():
        close(getattr(layer, name).value, expected, dtype)
    trainable = {v.name for v in layer.trainable_variables}
    assert trainable == set(names)


@pytest.mark.parametrize("case", cases("losses"), ids=label)
def test_a_loss_gives_what_keras_gives(case):
    dtype = case["dtype"]
    pred = Variable(np.asarray(case["y_pred"], dtype))
    true = case["y_true"]
    true = constant(np.asarray(true) if case["loss"].startswith("sparse") else np.asarray(true, dtype))
    with GradientTape() as tape:
        values = find(case["loss"])(true, pred, **case["arguments"], reduction="none")
    rtol = ROUNDED if case["loss"] == "log_cosh" and dtype == "float64" else None
    close(values.value, case["values"], dtype, rtol)
    close(tape.gradient(values, pred).value, case["gradient"], dtype)


@pytest.mark.parametrize("case", cases("losses"), ids=label)
def test_a_loss_is_reduced_over_the_examples(case):
    pred, true = np.asarray(case["y_pred"], case["dtype"]), np.asarray(case["y_true"])
    loss = find(case["loss"])
    values = np.asarray(case["values"])
    close(loss(true, pred, **case["arguments"]).value, values.mean(), case["dtype"], 1e-5)
    close(loss(true, pred, **case["arguments"], reduction="sum").value, values.sum(), case["dtype"], 1e-5)


@pytest.mark.parametrize("case", cases("optimizers"), ids=label)
def test_an_optimizer_steps_as_keras_does(case):
    dtype = case["dtype"]
    variables = [Variable(np.asarray(value, dtype)) for value in case["first"]]
    optimizer = find(case["optimizer"])(**case["arguments"])
    for grads, expected in zip(case["gradients"], case["steps"]):
        optimizer.apply([constant(np.asarray(g, dtype)) for g in grads], variables)
        for variable, value in zip(variables, expected):
            assert variable.dtype == dtype
            close(variable.value, value, dtype, 1e-6 if dtype == "float32" else None)


def losses_of(case, persistent=False):
    dtype = case["dtype"]
    weights = [np.asarray(w, dtype) for w in case["weights"]]
    activations = [case["activation"], case["activation"], None]
    dense, sequential = find("Dense"), find("Sequential")
    model = sequential(
        [
            dense(len(weights[2 * i + 1]), activation=a, kernel=weights[2 * i], bias=weights[2 * i + 1], dtype=dtype)
            for i, a in enumerate(activations)
        ]
    )
    optimizer = find(case["optimizer"])(**case["arguments"])
    loss_of = find("sparse_categorical_crossentropy")
    x, labels = constant(np.asarray(case["x"], dtype)), np.asarray(case["labels"])
    found = []
    for step in range(len(case["losses"])):
        batch = slice(step % 3 * 32, step % 3 * 32 + 32)
        with GradientTape(persistent=persistent) as tape:
            loss = loss_of(constant(labels[batch]), model(x[batch]), from_logits=True)
        found.append(float(loss))
        variables = model.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
    return found


@pytest.mark.parametrize("case", cases("training"), ids=label)
def test_two_hundred_steps_follow_keras(case):
    found = losses_of(case)
    assert len(found) == 200 and case["losses"][-1] < 0.5 * case["losses"][0]
    np.testing.assert_allclose(found, case["losses"], rtol=0, atol=1e-9 if case["dtype"] == "float64" else 1e-4)


def test_a_tape_that_lives_on_changes_no_step():
    case = cases("training")[1]
    assert losses_of(case, persistent=True) == losses_of(case)
