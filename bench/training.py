"""A training step of a multilayer perceptron from a `.tp` program: python -m bench.training [--json]

784-512-512-10 with relu, batch 512, float32, softmax cross entropy and plain gradient descent, against the same step
written by hand with NumPy. The program trains in turns of five steps and shows its loss after each; then the hand takes
its turn, from the same weights, and their losses must agree. Medians of the ratios of turns; the peak of allocated
memory by tracemalloc, which counts NumPy's arrays, over what stood before the first step.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import sys
import time
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.cli.limits import keep_freed_memory
from gradcli.lang.source import Source
from gradcli.runtime.outcomes import Outcome, Shown
from gradcli.runtime.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = 5
RATE = 0.05
PROGRAM = """
x = random.normal([512, 784])
labels = argmax(random.normal([512, 10]), axis=1)
w1 = glorot_uniform([784, 512])
w2 = glorot_uniform([512, 512])
w3 = glorot_uniform([512, 10])
model = Sequential([
    Dense(512, activation="relu", kernel=w1),
    Dense(512, activation="relu", kernel=w2),
    Dense(10, kernel=w3)
])
optimizer = SGD(0.05)
{"x": x, "labels": labels, "w1": w1, "w2": w2, "w3": w3}
for turn in range(1000) {
    for step in range(5) {
        tape { loss = sparse_categorical_crossentropy(labels, model(x), from_logits=true) }
        optimizer.apply(gradient(loss, model.trainable_variables), model.trainable_variables)
    }
    loss
}
"""


class Enough(Exception):
    """The program has run for as many turns as were asked for."""


class Turns:
    """Hears what the program shows, a loss after each of its turns; `between` is called with it, and takes the time."""

    def __init__(self, count: int, between: Callable[[float], None]) -> None:
        self.count, self.between = count, between
        self.given: dict[str, Any] | None = None

    def emit(self, outcome: Outcome) -> None:
        """Start, or end a turn. Raises AssertionError where the program failed, Enough after the last turn."""
        assert isinstance(outcome, Shown), (outcome.code, outcome.facts)
        if self.given is None:
            self.given = {name: np.array(item.value) for name, item in outcome.value.items()}
            self.between(np.nan)
            return
        self.between(float(outcome.value))
        self.count -= 1
        if not self.count:
            raise Enough

    def run(self) -> None:
        """Run the program for `count` turns."""
        with contextlib.suppress(Enough):
            Session(self.emit).run(Source("training.tp", PROGRAM))


class Hand:
    """The training in NumPy: the calls that a careful hand writes, each result an array of its own."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.x, self.labels = given["x"], given["labels"]
        self.weights = []
        for name in ("w1", "w2", "w3"):
            self.weights += [given[name].copy(), np.zeros(given[name].shape[1], np.float32)]

    def steps(self) -> float:
        """One turn; the loss before its last step."""
        for _ in range(STEPS):
            loss = self.step()
        return loss

    def step(self) -> float:
        """One step; the loss before it."""
        w1, b1, w2, b2, w3, b3 = self.weights
        x, n = self.x, len(self.x)
        rows = np.arange(n)
        h1 = np.maximum(x @ w1 + b1, 0)
        h2 = np.maximum(h1 @ w2 + b2, 0)
        z = h2 @ w3 + b3
        z -= z.max(axis=1, keepdims=True)
        e = np.exp(z)
        total = e.sum(axis=1, keepdims=True)
        loss = np.mean(np.log(total[:, 0]) - z[rows, self.labels])
        g = e / total
        g[rows, self.labels] -= 1
        g /= np.float32(n)
        g3, gb3 = h2.T @ g, g.sum(axis=0)
        g = (g @ w3.T) * (h2 > 0)
        g2, gb2 = h1.T @ g, g.sum(axis=0)
        g = (g @ w2.T) * (h1 > 0)
        g1, gb1 = x.T @ g, g.sum(axis=0)
        for w, d in zip(self.weights, (g1, gb1, g2, gb2, g3, gb3)):
            w -= np.float32(RATE) * d
        return float(loss)


def times(count: int) -> list[tuple[float, float]]:
    """Seconds of each turn of the program and of the hand. Raises AssertionError where their losses differ."""
    pairs, hands, start = [], [], 0.0

    def between(loss: float) -> None:
        nonlocal start
        ours = time.perf_counter() - start
        if not hands:
            hands.append(Hand(turns.given or {}))
        else:
            start = time.perf_counter()
            theirs = hands[0].steps()
            pairs.append((ours, time.perf_counter() - start))
            np.testing.assert_allclose(loss, theirs, rtol=1e-3)
        start = time.perf_counter()

    turns = Turns(count, between)
    turns.run()
    return pairs


def peaks() -> tuple[int, int]:
    """Bytes that three turns of the program allocate at most, and of the hand, over what stood before the first."""
    found = 0

    def between(loss: float) -> None:
        nonlocal found
        now, most = tracemalloc.get_traced_memory()
        if np.isnan(loss):
            found = -now
            tracemalloc.reset_peak()
        elif not turns.count - 1:
            found += most

    tracemalloc.start()
    turns = Turns(3, between)
    turns.run()
    before = tracemalloc.get_traced_memory()[0]
    tracemalloc.reset_peak()
    Hand(turns.given or {}).steps()
    floor = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    return found, floor


def measure(repeat: int = 30) -> dict[str, float]:
    """Ratios of time and of peak memory, and milliseconds a step."""
    timed = times(repeat)[2:]
    ratios = sorted(a / b for a, b in timed)
    memory, floor = peaks()
    return {
        "ratio": statistics.median(ratios),
        "low": ratios[len(ratios) // 4],
        "high": ratios[-len(ratios) // 4],
        "ms": statistics.median(a for a, _ in timed) / STEPS * 1e3,
        "numpy_ms": statistics.median(b for _, b in timed) / STEPS * 1e3,
        "memory": memory / floor,
        "peak_mib": memory / 2**20,
    }


def main() -> None:
    keep_freed_memory()  # as every command does; the hand has it too
    report = measure()
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
        return
    print(
        f"a step: {report['ms']:.1f} ms, by hand {report['numpy_ms']:.1f}, ratio {report['ratio']:.2f} "
        f"({report['low']:.2f} to {report['high']:.2f})\n"
        f"peak memory: {report['peak_mib']:.1f} MiB, ratio {report['memory']:.2f}"
    )


if __name__ == "__main__":
    main()
