"""The parser: lines a second with positions, and a list of 100,000 numbers over NumPy's own reading of the same text.

python -m bench.parse [--json]
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import numpy as np

from gradcli.lang.parser import parse

BLOCK = """# a step of a model
variable w{i} = [[0.5, 1.0], [-1.5, 2.0]], name="w{i}"
constant x{i}: float32[1, 2] = [[2.0, -1.0]]
def f{i}(x, k=2) = where(x > 0.0, x ** k, -0.5 * x)
tape t{i}(persistent=true) {{
    h = f{i}(x{i} @ w{i} + 1.0)
    loss = reduce_mean((h - [[0.1, 0.2]]) ** 2) + 1e-3 * reduce_sum(w{i} * w{i})
    if loss > 0.5 and not (h[0, 1] < 0.0) {{ loss = loss / 2.0 }} else {{ loss = -loss }}
}}
assert t{i}.gradient(loss, {{"w": w{i}}})["w"] is not none, "step {i}"
"""


def seconds(run: object, argument: str) -> float:
    start = time.perf_counter()
    run(argument)  # type: ignore[operator]
    return time.perf_counter() - start


def main() -> None:
    text = "".join(BLOCK.format(i=i) for i in range(1000))
    lines = text.count("\n")
    parse("1")
    rate = lines / statistics.median(seconds(parse, text) for _ in range(5))
    numbers = ", ".join(repr(x) for x in np.random.default_rng(0).normal(size=100_000).tolist())
    literal = f"x = [{numbers}]"
    pairs = [(seconds(parse, literal), seconds(lambda s: np.fromstring(s, sep=","), numbers)) for _ in range(9)]
    report = {
        "lines": lines,
        "lines_per_second": rate,
        "numbers_over_fromstring": statistics.median(a / b for a, b in pairs),
        "numbers_ms": statistics.median(a for a, _ in pairs) * 1e3,
    }
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
        return
    print(f"{lines} lines: {rate:,.0f} lines a second, with positions")
    print(
        f"100,000 numbers: {report['numbers_over_fromstring']:.2f} times np.fromstring ({report['numbers_ms']:.0f} ms)"
    )


if __name__ == "__main__":
    main()
