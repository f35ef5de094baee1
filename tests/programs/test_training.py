"""Training in programs: 200 steps that follow a recorded run of Keras."""

import json
from pathlib import Path

import numpy as np
import pytest

from gradcli.lang.source import Source
from gradcli.runtime.outcomes import Failed
from gradcli.runtime.session import Session

RECORDS = Path(__file__).parents[1] / "reference" / "keras" / "training.json"
CASES = json.loads(RECORDS.read_text())["cases"]
PROGRAM = """
default {dtype}
weights, data = load("weights.npz"), load("data.npz")
x, labels = data["x"], data["labels"]
model = Sequential([
    Dense(8, activation="{activation}", kernel=weights["w0"], bias=weights["w1"]),
    Dense(8, activation="{activation}", kernel=weights["w2"], bias=weights["w3"]),
    Dense(3, kernel=weights["w4"], bias=weights["w5"])
])
optimizer = {optimizer}({arguments})
losses = []
for step in range(200) {{
    first = step % 3 * 32
    tape {{
        loss = sparse_categorical_crossentropy(labels[first:first + 32], model(x[first:first + 32]), from_logits=true)
    }}
    losses = losses + [loss]
    optimizer.apply(gradient(loss, model.trainable_variables), model.trainable_variables)
}}
"""


def run(text, folder="."):
    found = []
    session = Session(found.append, None, str(folder))
    assert session.run(Source("training.tp", text)), [(f.code, f.facts) for f in found if isinstance(f, Failed)]
    return session


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['optimizer']}-{case['dtype']}")
def test_a_program_follows_keras_for_two_hundred_steps(case, tmp_path):
    dtype = case["dtype"]
    weights = {f"w{i}": np.asarray(w, dtype) for i, w in enumerate(case["weights"])}
    np.savez(tmp_path / "weights.npz", **weights)
    np.savez(tmp_path / "data.npz", x=np.asarray(case["x"], dtype), labels=np.asarray(case["labels"]))
    arguments = ", ".join(f"{name}={value}" for name, value in case["arguments"].items())
    text = PROGRAM.format(dtype=dtype, activation=case["activation"], optimizer=case["optimizer"], arguments=arguments)
    losses = [float(loss) for loss in run(text, tmp_path).frame["losses"]]
    assert len(losses) == 200 and losses[-1] < 0.5 * losses[0]
    np.testing.assert_allclose(losses, case["losses"], rtol=0, atol=1e-9 if dtype == "float64" else 1e-4)
