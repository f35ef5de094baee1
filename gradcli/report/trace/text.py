"""A trace as lines of pieces `(text, style)`, in columns; a pipe gets the text alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine.dtypes import dtype_name

from ..excerpt import cells
from .names import brief, shape_text

if TYPE_CHECKING:
    from .rows import Row, Rows

    Line = list[tuple[str, str]]

#: columns that are widened for the longest text in them, up to this
_WIDEST = 44


def trace_lines(rows: Rows, steps: int, precision: int | None) -> list[Line]:
    """One query: its head, the steps forward, the sweep back, the answer; at most `steps` rows of each part."""
    traced = rows.traced
    place = traced.place
    line = place.source.position(place.start)[0]
    lines: list[Line] = [[(head_text(rows), "name"), (f"  {place.source.name}:{line}", "place")]]
    parts = [("forward", rows.forward, True), ("tangents", rows.tangents, False)]
    parts.append(("backward", [*rows.seeds, *rows.backward], False))
    for title, part, values in parts:
        if part:
            lines.append([(title, "info")])
            lines.extend(_table(part, values, steps, precision, place.source))
    lines.extend(_answers(rows, precision))
    return lines


def head_text(rows: Rows) -> str:
    """What the trace is of; how often it ran, and which of them this is."""
    traced = rows.traced
    if not traced.kind:
        return "no gradient is asked for: the steps alone"
    text = " ".join(traced.place.text.split())
    return text + (f"  (ran {traced.times} times; this is the last)" if traced.times > 1 else "")


def remarks(rows: Rows) -> list[str]:
    """What must be known to read the trace of a query that is not one sweep."""
    return [_OF_KIND[rows.traced.kind]] if rows.traced.kind in _OF_KIND else []


_OF_KIND = {
    "jacobian": "a Jacobian is one sweep a component of the target; this one is of their sum",
    "batch_jacobian": "a batch Jacobian is one sweep a component of the target; this one is of their sum",
    "hessian": "the steps include those of the first derivative, which is swept again; this sweep is of its sum",
    "hvp": "the steps include those of the first derivative, which is swept again with the vector",
}


def _table(part: list[Row], values: bool, steps: int, precision: int | None, source: Any) -> list[Line]:
    kept = shortened(part, steps)
    cuts = [row for row in kept if row is not None]
    names = max((cells(row.name) for row in cuts), default=0)
    texts = min(max((cells(row.text) for row in cuts), default=0), _WIDEST)
    numbers = len(str(max((row.number for row in cuts), default=0)))
    shown = {id(row): brief(row.amount, precision) for row in cuts}
    widest = min(max((cells(text) for text in shown.values()), default=0), _WIDEST)
    kinds = {id(row): kind_text(row.amount) for row in cuts}
    kind = max(map(len, kinds.values()), default=0)
    lines: list[Line] = []
    for row in kept:
        if row is None:
            lines.append([(f"  {'':>{numbers}}  … {len(part) - len(cuts):,} more steps (--steps shows more)", "info")])
            continue
        sign = "+=" if row.total is not None else "= "
        line: Line = [
            (f"  {row.number or '':>{numbers}}  ", "place"), (_pad(row.name, names), "name"), (f" {sign} ", ""),
            (_pad(row.text, texts), ""), ("  = " if not values else "   ", ""), (_pad(shown[id(row)], widest), "value"),
        ]  # fmt: skip
        if values:
            line.append((f"  {_pad(kinds[id(row)], kind)}", "info"))
        if row.total is not None:
            line.append((f"  so far {brief(row.total, precision)}", "value"))
        if row.remark:
            line.append((f"  {row.remark}", "info"))
        if row.place is not None:
            other = row.place.source is not source  # another line of a session
            line.append((f"  {row.place.source.name if other else ''}:{line_of(row)}", "place"))
        lines.append(line)
    return lines


def shortened(part: list[Row], steps: int) -> list[Row | None]:
    """The first and the last rows, and None between them where some are left out."""
    if len(part) <= steps:
        return list(part)
    first = (steps + 1) // 2
    return [*part[:first], None, *part[len(part) - (steps - first) :]]


def kind_text(value: Any) -> str:
    """`float32 (2, 3)`."""
    if value is None or hasattr(value, "by_position") or isinstance(value, tuple):
        return ""
    data = np.asarray(value)
    return f"{dtype_name(data.dtype)} {shape_text(data.shape)}"


def line_of(row: Row) -> int:
    """The line of the program."""
    return int(row.place.source.position(row.place.start)[0])


def _pad(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def answer_texts(rows: Rows, precision: int | None) -> list[tuple[str, str]]:
    """The answer of a query: pairs of a source's name and its part of it."""
    traced = rows.traced
    return [
        (name, "None: no step leads from it to the target (`gradcli explain` tells why)")
        if answer is None
        else (name, brief(answer, precision))
        for (name, _), answer in zip(traced.sources, traced.answers)
    ]


def _answers(rows: Rows, precision: int | None) -> list[Line]:
    lines: list[Line] = [[(remark, "info")] for remark in remarks(rows)]
    if not rows.traced.kind:
        return lines
    target = ", ".join(name for name, _ in rows.traced.targets) or "target"
    for name, text in answer_texts(rows, precision):
        style = "none" if text.startswith("None") else "value"
        lines.append([(f"{rows.traced.kind} of {target} by ", ""), (name, "name"), (" = ", ""), (text, style)])
    return lines
