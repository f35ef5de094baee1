"""Jacobian, Hessian and Hessian-vector product of functions of 200 numbers: python -m bench.jacobian [--json]

y = tanh(W x) and f = sum(tanh(W x)^3), against the same batched sweep written by hand with NumPy, in turn in one
process; the Hessian-vector product against one gradient. Medians of ratios of pairs.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import GradientTape, Variable
from gradcli.engine.jacobian import hessian, hvp, jacobian
from gradcli.engine.ops.contraction import matmul
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.engine.ops.trigonometric import tanh

if TYPE_CHECKING:
    from collections.abc import Callable

N = 200
random = np.random.default_rng(0)
W = random.normal(size=(N, N)) / np.sqrt(N)
X = random.normal(size=N)
V = random.normal(size=N)


def our_jacobian() -> Any:
    x = Variable(X)
    with GradientTape() as tape:
        y = tanh(matmul(W, x))
    return jacobian(tape, y, x).numpy()


def hand_jacobian() -> Any:
    y = np.tanh(W @ X)
    ct = np.eye(N)
    ct = ct * (1 - y * y)
    return ct @ W


def our_hessian() -> Any:
    x = Variable(X)
    with GradientTape() as tape:
        f = reduce_sum(tanh(matmul(W, x)) ** 3.0)
    return hessian(tape, f, x).numpy()  # type: ignore[union-attr]


def hand_hessian() -> Any:
    # f = sum(y^3): df/dz = 3 y^2 (1 - y^2), and its derivative by z is (6 y - 12 y^3) (1 - y^2)
    y = np.tanh(W @ X)
    ct = np.eye(N) @ W.T
    ct = ct * ((6 * y - 12 * y**3) * (1 - y * y))
    return ct @ W


def gradient() -> Any:
    x = Variable(X)
    with GradientTape() as tape:
        f = reduce_sum(tanh(matmul(W, x)) ** 3.0)
    return tape.gradient(f, x).numpy()


def our_hvp() -> Any:
    x = Variable(X)
    with GradientTape() as tape:
        f = reduce_sum(tanh(matmul(W, x)) ** 3.0)
    return hvp(tape, f, x, V).numpy()  # type: ignore[union-attr]


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    assert np.allclose(our_jacobian(), hand_jacobian())
    assert np.allclose(our_hessian(), hand_hessian())
    assert np.allclose(our_hvp(), hand_hessian() @ V)
    report = {}
    for name, ours, rival in (
        ("jacobian over a hand-written sweep", our_jacobian, hand_jacobian),
        ("hessian over a hand-written sweep", our_hessian, hand_hessian),
        ("hvp over a gradient", our_hvp, gradient),
    ):
        pairs = [(seconds(ours), seconds(rival)) for _ in range(60)][10:]
        report[name] = {
            "ratio": statistics.median(a / b for a, b in pairs),
            "ms": statistics.median(a for a, _ in pairs) * 1e3,
        }
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
        return
    for name, row in report.items():
        print(f"{name:<40} {row['ratio']:.2f}  ({row['ms']:.2f} ms)")


if __name__ == "__main__":
    main()
