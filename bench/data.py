"""Reading files: a .csv of 1,000,000 numbers over np.loadtxt, one column of it, and ten rows of a .npy of 400 MB.

python -m bench.data [--json]

In turn in one process, medians of ratios of pairs; the rows of the .npy over np.load of the whole file.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.data import read_data
from gradcli.data.tables import Layout

if TYPE_CHECKING:
    from collections.abc import Callable

ROWS, COLUMNS = 100_000, 10
F64 = np.dtype(np.float64)


def seconds(run: Callable[[], Any]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def main() -> None:
    table = np.random.default_rng(0).normal(size=(ROWS, COLUMNS))
    names = [f"c{i}" for i in range(COLUMNS)]
    with tempfile.TemporaryDirectory() as folder:
        path, big = os.path.join(folder, "a.csv"), os.path.join(folder, "a.npy")
        np.savetxt(path, table, "%.17g", ",", header=",".join(names), comments="")
        np.save(big, np.zeros((50_000, 1_000)))

        def theirs(**options: Any) -> Any:
            return np.loadtxt(path, delimiter=",", skiprows=1, **options)

        assert np.array_equal(read_data(path, F64).values, theirs())
        report = {}
        for name, ours, rival, times in (
            ("csv over loadtxt", lambda: read_data(path, F64), theirs, 7),
            (
                "a column of it over loadtxt",
                lambda: read_data(path, F64, None, Layout(columns="c3")),
                lambda: theirs(usecols=3),
                7,
            ),
            ("ten rows of a .npy over all of it", lambda: np.array(read_data(big, F64)[:10]), lambda: np.load(big), 7),
        ):
            pairs = [(seconds(ours), seconds(rival)) for _ in range(times + 1)][1:]
            report[name] = {
                "ratio": statistics.median(a / b for a, b in pairs),
                "ms": statistics.median(a for a, _ in pairs) * 1e3,
            }
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
        return
    for name, row in report.items():
        print(f"{name:<40} {row['ratio']:.3f}  ({row['ms']:.2f} ms)")


if __name__ == "__main__":
    main()
