"""Arrays as aligned grids, and big ones as their corners with a summary."""

from __future__ import annotations

from typing import Any

import numpy as np

from .numbers import entry_text, real_text

_EDGE = 3
_BIG = 100


def grid_lines(data: Any, precision: int | None, full: bool, width: int) -> list[str]:
    """The lines of a grid: one for each row, columns aligned; `…` for what is left out of a big array."""
    digits = precision or (6 if data.size > 1 else None)
    if data.ndim == 1:
        rows = [data]
    elif data.ndim == 2:
        rows = list(data)
    else:
        lines = []
        for index in _kept(data.shape[0], full or data.size <= _BIG):
            if index is None:
                lines.append("…")
                continue
            lines.append(f"[{index}]")
            lines.extend("  " + line for line in grid_lines(data[index], precision, full, width - 2))
        return lines
    if not data.size:
        return ["[]" if data.ndim == 1 else f"[] (shape {data.shape[0]} × {data.shape[1]})"]
    small = full or data.size <= _BIG
    columns = _kept(rows[0].shape[0], small)
    picked = _kept(len(rows), small) if data.ndim == 2 else [0]
    table = [
        ["…"] * len(columns) if r is None else ["…" if c is None else entry_text(rows[r][c], digits) for c in columns]
        for r in picked
    ]
    widths = [max(len(row[c]) for row in table) for c in range(len(columns))]
    return ["[ " + "  ".join(cell.rjust(w) for cell, w in zip(row, widths)) + " ]" for row in table]


def _kept(count: int, all_of_them: bool) -> list[int | None]:
    if all_of_them or count <= 2 * _EDGE + 1:
        return list(range(count))
    return [*range(_EDGE), None, *range(count - _EDGE, count)]


def summary(data: Any) -> str:
    """`min … max … mean …, 3 NaN, 12 zeros`: what a big array is like."""
    numbers = data[~np.isnan(data)] if data.dtype.kind == "f" else data
    parts = []
    if numbers.size:
        values = numbers.astype(np.float64)
        parts.append(
            f"min {real_text(values.min(), 6)}  max {real_text(values.max(), 6)}  mean {real_text(values.mean(), 6)}"
        )
    parts.append(f"{data.size - numbers.size} NaN")
    parts.append(f"{int(np.count_nonzero(numbers == 0))} zeros")
    return "  ".join(parts)
