"""The cost of a numeric check: python -m bench.check [--json]

A small multilayer perceptron, float64. Its gradient is checked along directions, as beyond 1,000 entries, and entry by
entry; a central difference of one number needs two evaluations of the loss. The time is held against that of the loss
written in NumPy, evaluated as often as the check did, the two in turn in one process.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import Any

import numpy as np

from gradcli.engine import GradientTape, Variable, constant
from gradcli.engine.asked import Asked
from gradcli.engine.comparison import Comparison, Source
from gradcli.engine.gradcheck import RTOL, check
from gradcli.engine.objective import Objective
from gradcli.engine.ops.reduction import reduce_mean
from gradcli.engine.ops.trigonometric import tanh
from gradcli.engine.recording import current_state

SHAPES = {"w1": (64, 128), "b1": (128,), "w2": (128, 12), "b2": (12,)}
ROWS = 32


def arrays() -> dict[str, Any]:
    random = np.random.default_rng(7)
    found = {name: 0.2 * random.standard_normal(shape) for name, shape in SHAPES.items()}
    return found | {"x": random.standard_normal((ROWS, 64)), "t": random.standard_normal((ROWS, 12))}


def loss(a: dict[str, Any]) -> float:
    h = np.tanh(a["x"] @ a["w1"] + a["b1"])
    return float(np.mean((h @ a["w2"] + a["b2"] - a["t"]) ** 2))


def asked(a: dict[str, Any]) -> Asked:
    sources = {name: Variable(a[name]) for name in SHAPES}
    x, t = constant(a["x"]), constant(a["t"])
    with GradientTape(persistent=True) as tape:
        h = tanh(x @ sources["w1"] + sources["b1"])
        y = reduce_mean((h @ sources["w2"] + sources["b2"] - t) ** 2)
    found = tape.gradient(y, list(sources.values()))
    answers = [g.value for g in found]
    return Asked(current_state(), tape.mark, "gradient", y, [y], list(sources.values()), None, answers)


def by_entries(query: Asked) -> tuple[int, int]:
    """Every parameter by itself: how many there are, and how many evaluations that took."""
    objective = Objective(query)
    noise = objective.rounding()
    count = 0
    for i, answer in enumerate(query.answers):
        comparison = Comparison(objective, Source(i, answer), noise, RTOL)
        made = comparison.entries(list(np.ndindex(answer.shape)))
        assert all(item.verdict == "agrees" for item in made)
        count += len(made)
    return count, objective.evaluations


def timed(run: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    found = run()
    return time.perf_counter() - start, found


def main() -> None:
    a = arrays()
    query = asked(a)
    assert abs(float(query.targets[0].value) - loss(a)) < 1e-12, "the two losses disagree"
    seconds, (count, evaluations) = timed(lambda: by_entries(query))
    plain, _ = timed(lambda: [loss(a) for _ in range(evaluations)])
    ratios, used = [], 0
    for _ in range(20):
        ours, found = timed(lambda: check(query))
        assert found.verdict == "agrees"
        used = found.evaluations
        theirs, _ = timed(lambda n=used: [loss(a) for _ in range(n)])
        ratios.append(ours / theirs)
    compared = sum(len(source.compared) for source in found.sources)
    rows = {
        "parameters": count,
        "entry by entry: evaluations over the two that each needs": evaluations / (2 * count),
        "entry by entry: time over NumPy's for as many evaluations": seconds / plain,
        "directions: numbers compared": compared,
        "directions: evaluations over the two that each needs": used / (2 * compared),
        "directions: time over NumPy's for as many evaluations": statistics.median(ratios),
    }
    if "--json" in sys.argv:
        print(json.dumps(rows))
        return
    for name, value in rows.items():
        print(f"{name:60s} {value:8.2f}" if isinstance(value, float) else f"{name:60s} {value:8d}")


if __name__ == "__main__":
    main()
