"""Each operation over the same by hand in NumPy: python -m bench.operations [--markdown] [--json] [NAME…]

Forward and backward, in one process, in turn; the figure is the median of the ratios of pairs. 10⁶ entries of float64
(matrices of 512², images of 32×32×32×16). `--markdown` writes docs/operation-speed.md.
"""

from __future__ import annotations

import json
import statistics
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from bench.handwritten import PARTS, RIVALS, WITHOUT
from bench.handwritten.reasons import REASONS
from gradcli.engine import REGISTRY, GradientTape, Tensor, constant

PAGE = Path(__file__).parents[1] / "docs" / "operation-speed.md"
LIMIT = 1.5


def by_engine(name: str, operands: list[Any]) -> Any:
    """The value and the gradients, as the engine gives them."""
    rival, op = RIVALS[name], REGISTRY[name]
    tensors = [constant(x) for x in operands]
    sources = [t for t in tensors if t.dtype.kind in "fc"]
    with GradientTape() as tape:
        tape.watch(sources)
        params = dict(rival.params)
        if rival.spread:
            y = op.call(tensors, **params)
        elif name == "einsum":
            y = op.call(params["equation"], *tensors)
        else:
            y = op.call(*tensors, **params) if not _named(op, params) else op.call(**_by_name(op, tensors, params))
    if name == "slogdet":
        y = y[1]
    targets = list(y) if isinstance(y, (list, tuple)) else y
    if name == "top_k":
        targets = y[0]
    gradients = tape.gradient(targets, sources)
    values = [t.value for t in targets] if isinstance(targets, list) else targets.value
    return values, [None if g is None else g.value for g in gradients]


def _named(op: Any, params: dict[str, Any]) -> bool:
    """Do parameters stand before operands in the signature?"""
    return any(
        name in op.names[: op.names.index(other)] for name in params for other in op.names if other not in params
    )


def _by_name(op: Any, tensors: list[Tensor], params: dict[str, Any]) -> dict[str, Any]:
    free = [name for name in op.names if name not in params]
    return {**dict(zip(free, tensors)), **params}


def measure(name: str, pairs: int) -> dict[str, Any]:
    """The ratio of an operation to its rival."""
    operands = RIVALS[name].operands(np.random.default_rng(0))
    by_hand = RIVALS[name].by_hand
    by_hand(*operands), by_engine(name, operands)
    ours, theirs = [], []
    started = perf_counter()
    with np.errstate(all="ignore"):
        while len(ours) < 3 or (len(ours) < pairs and perf_counter() - started < 2):
            t = perf_counter()
            by_engine(name, operands)
            ours.append(perf_counter() - t)
            t = perf_counter()
            by_hand(*operands)
            theirs.append(perf_counter() - t)
    ratios = [a / b for a, b in zip(ours, theirs)]
    return {
        "ratio": statistics.median(ratios), "low": min(ratios), "high": max(ratios),
        "ms": statistics.median(ours) * 1e3, "by_hand_ms": statistics.median(theirs) * 1e3,
    }  # fmt: skip


def markdown(report: dict[str, Any]) -> str:
    """docs/operation-speed.md."""
    said = (
        "Forward and backward over a hand-written NumPy version in the same process, in turn: the median of the ratios "
        "of pairs. 10⁶ entries of float64, matrices of 512², images of 32×32×32×16. Made by "
        "`python -m bench.operations --markdown` on a shared 2-core machine; `bench/handwritten` holds the rivals."
    )
    head = "| operation | ratio | lowest to highest | ms | by hand | above 1.5 because |"
    lines = ["# Operations against the same by hand", "", said, "", head, "| --- | --- | --- | --- | --- | --- |"]
    for name, row in sorted(report.items()):
        why = REASONS.get(name, "no reason is written yet") if row["ratio"] > LIMIT else ""
        lines.append(
            f"| `{name}` | {row['ratio']:.2f} | {row['low']:.2f} to {row['high']:.2f} | {row['ms']:.1f} | "
            f"{row['by_hand_ms']:.1f} | {why} |"
        )
    lines += ["", "Without a rival:", ""]
    lines += [f"- `{name}`: part of `{whole}`, measured there" for name, whole in sorted(PARTS.items())]
    lines += [f"- `{name}`: {why}" for name, why in sorted(WITHOUT.items())]
    return "\n".join(lines) + "\n"


def main() -> None:
    names = [word for word in sys.argv[1:] if not word.startswith("--")] or sorted(RIVALS)
    report = {}
    for name in names:
        report[name] = row = measure(name, 9)
        if "--json" not in sys.argv:
            flag = "  <- above" if row["ratio"] > LIMIT else ""
            print(
                f"{name:<44} {row['ratio']:5.2f}  {row['ms']:8.1f} ms over {row['by_hand_ms']:8.1f} ms{flag}",
                flush=True,
            )
    if "--json" in sys.argv:
        print(json.dumps(report, indent=1))
    if "--markdown" in sys.argv:
        PAGE.write_text(markdown(report), encoding="utf-8")


if __name__ == "__main__":
    main()
