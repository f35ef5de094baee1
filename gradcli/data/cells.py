"""Numbers as text in a table, both ways: what a cell holds, and the text of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from .faults import DataError

#: cells that hold no number because there is none
EMPTY = ("", "NA", "N/A")


def number_in(cell: str, kind: str = "f") -> Any:
    """The number that a cell holds; None if it holds none. Underscores are Python's, not a table's."""
    if "_" in cell:
        return None
    try:
        if kind == "c":
            return complex(cell.replace(" ", ""))
        if kind == "b":
            return {"true": True, "false": False, "1": True, "0": False}.get(cell.lower())
        if kind in "iu":
            whole = float(cell)
            return int(cell) if cell.lstrip("+-").isdigit() else int(whole) if whole == int(whole) else None
        return float(cell)
    except (ValueError, OverflowError):
        return None


def csv_text(content: Any) -> str:
    """A vector as a column, a matrix, or named columns of one length as text. Raises DataError for anything else."""
    if isinstance(content, dict):
        columns = [np.asarray(data) for data in content.values()]
        if any(column.ndim != 1 for column in columns) or len({column.size for column in columns}) > 1:
            raise DataError("a table takes vectors of one length", "save arrays of other shapes as .npz")
        names = [_quoted(str(name)) for name in content]
        head, rows = ",".join(names) + "\n", [list(row) for row in zip(*map(_cells, columns))]
    else:
        data = np.asarray(content)
        if data.ndim not in (1, 2):
            raise DataError(f"a table takes a vector or a matrix, not {data.ndim} axes", "save it as .npy")
        head, rows = "", [_cells(row) for row in (data[:, None] if data.ndim == 1 else data)]
    return head + "".join(",".join(row) + "\n" for row in rows)


def _cells(row: Any) -> list[str]:
    if row.dtype.kind in "bcU":
        raise DataError(f"a table takes real numbers, not {row.dtype.name}", "save it as .npz")
    return [str(number) for number in row]  # the shortest digits that read back to the same number of its dtype


def _quoted(name: str) -> str:
    plain = name.isprintable() and name == name.strip() and not set(name) & set(',;"#')
    return name if plain and name else '"' + name.replace('"', '""') + '"'
