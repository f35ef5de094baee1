"""Start-up of whole commands over `python -c "import numpy"`: python -m bench.startup [--json] [--pairs N]

It builds a wheel, installs it into an empty virtual environment (compiled, as pip does), and runs each command in turn
with the import of NumPy, from another folder. The figure is the median of the ratios of pairs.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from .session import waits

ROOT = Path(__file__).parents[1]
PROGRAM = "variable x = 3.0; tape { y = x ** 2 }; gradient(y, x)"
COMMANDS = {
    "grad": ["grad", "x**2", "x=3"],
    "eval": ["eval", "-e", PROGRAM],
    "eval with a Rich table": ["eval", "--format", "rich", "-e", PROGRAM],
    "a syntax error": ["eval", "-e", "x = (1 +"],
    "--version": ["--version"],
    "--help": ["--help"],
    "eval --help": ["eval", "--help"],
    "a mistyped command": ["evla"],
}


def seconds(argv: list[str], folder: str) -> float:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    subprocess.run(argv, cwd=folder, env=environment, capture_output=True, check=False)
    return time.perf_counter() - start


def install(folder: str) -> Path:
    """An empty virtual environment with the wheel of this checkout; returns its bin folder."""
    subprocess.run([sys.executable, "-m", "venv", f"{folder}/env"], check=True)
    python = Path(folder, "env", "bin", "python")
    subprocess.run([python, "-m", "pip", "install", "-q", str(ROOT)], check=True)
    return python.parent


def row(ours: list[float], theirs: list[float], rival: str) -> dict[str, float | str]:
    """The figures of one command: seconds of both, in turn."""
    ratios = [a / b for a, b in zip(ours, theirs)]
    return {
        "ratio": statistics.median(ratios), "low": min(ratios), "high": max(ratios), "over": rival,
        "ms": statistics.median(ours) * 1e3, "rival_ms": statistics.median(theirs) * 1e3,
    }  # fmt: skip


def session_rows(gradcli: str, rival: list[str], folder: str, pairs: int) -> dict[str, dict[str, float | str]]:
    """The waits of the interactive session, on a pseudo-terminal, over the import of NumPy."""
    waits([gradcli], folder), seconds(rival, folder)
    found, theirs = [], []
    for _ in range(pairs):
        found.append(waits([gradcli], folder))
        theirs.append(seconds(rival, folder))
    names = ("session: first prompt", "session: first answer", "session: Ctrl-C in a loop")
    return {name: row([wait[i] for wait in found], theirs, "import numpy") for i, name in enumerate(names)}


def main() -> None:
    pairs = int(sys.argv[sys.argv.index("--pairs") + 1]) if "--pairs" in sys.argv else 15
    report = {}
    with tempfile.TemporaryDirectory() as folder:
        bin_folder = install(folder)
        python = str(bin_folder / "python")
        rivals = {"import numpy": [python, "-c", "import numpy"], "bare python": [python, "-c", "pass"]}
        for name, argv in COMMANDS.items():
            rival = "bare python" if name == "--version" else "import numpy"
            command = [str(bin_folder / "gradcli"), *argv]
            seconds(command, folder), seconds(rivals[rival], folder)
            ours, theirs = [], []
            for _ in range(pairs):
                ours.append(seconds(command, folder))
                theirs.append(seconds(rivals[rival], folder))
            report[name] = row(ours, theirs, rival)
        report |= session_rows(str(bin_folder / "gradcli"), rivals["import numpy"], folder, pairs)
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
        return
    for name, figures in report.items():
        print(
            f"{name:<26} {figures['ratio']:.2f} times {figures['over']} "
            f"({figures['low']:.2f} to {figures['high']:.2f}); {figures['ms']:.0f} ms over {figures['rival_ms']:.0f} ms"
        )


if __name__ == "__main__":
    main()
