"""The tape's cost an operation: python -m bench.tape [--json]

A chain of scalar operations (multiply, add, sine in turn), forward and backward, against the hand-minimal tape of
`bench.minimal`, the two in turn in one process; then the same chain from 10^3 to 10^6 operations, with memory.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
import tracemalloc

import numpy as np

from bench import jacobian, minimal
from gradcli.engine import GradientTape, constant
from gradcli.engine.ops.trigonometric import sin


def chain(n: int) -> float:
    x = constant(np.float64(0.7))
    with GradientTape() as tape:
        tape.watch(x)
        c = x * 0.5
        y = x
        for _ in range(n // 3):
            y = sin(y * x + c)
    return float(tape.gradient(y, x))


def minimal_chain(n: int) -> float:
    x = minimal.Value(np.float64(0.7))
    c = minimal.mul(x, minimal.Value(np.float64(0.5)))
    y = x
    for _ in range(n // 3):
        y = minimal.sin(minimal.add(minimal.mul(y, x), c))
    minimal.backward(y)
    return float(x.g)  # type: ignore[arg-type]


def timed(run: object, n: int) -> float:
    start = time.perf_counter()
    run(n)  # type: ignore[operator]
    return (time.perf_counter() - start) / n * 1e6


def main() -> None:
    assert abs(chain(999) - minimal_chain(999)) < 1e-12, "the two tapes disagree"
    ours, theirs = [], []
    gc.collect()
    for _ in range(60):
        ours.append(timed(chain, 999))
        theirs.append(timed(minimal_chain, 999))
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    rows = []
    for n in (10**3, 10**4, 10**5, 10**6):
        repeat = max(1, 10**5 // n)
        rows.append((n, statistics.median(timed(chain, n) for _ in range(min(repeat, 30)))))
    tracemalloc.start()
    x = constant(np.float64(0.7))
    with GradientTape() as tape:
        tape.watch(x)
        c = x * 0.5
        y = x
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(100_000):
            y = sin(y * x + c)
        size = (tracemalloc.get_traced_memory()[0] - before) / 300_000
    tracemalloc.stop()
    report = {
        "us_per_op": statistics.median(ours),
        "minimal_us_per_op": statistics.median(theirs),
        "ratio": ratio,
        "scaling_us_per_op": {str(n): us for n, us in rows},
        "scaling": rows[-1][1] / rows[0][1],
        "bytes_per_op": size,
    }
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
        return
    print(
        f"scalar chain of 999: {report['us_per_op']:.2f} us an operation, minimal {report['minimal_us_per_op']:.2f}, "
        f"ratio {ratio:.2f}"
    )
    for n, us in rows:
        print(f"  {n:>9} operations: {us:.2f} us each")
    print(f"  10^6 over 10^3: {report['scaling']:.2f}; {size:.0f} bytes an operation")
    jacobian.main()


if __name__ == "__main__":
    main()
