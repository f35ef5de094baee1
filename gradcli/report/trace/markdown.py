"""A trace as Markdown: a heading, a table forward, a table backward, the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .names import brief
from .text import answer_texts, head_text, kind_text, line_of, remarks, shortened

if TYPE_CHECKING:
    from .rows import Row, Rows


def trace_markdown(rows: Rows, steps: int, precision: int | None) -> str:
    """One query, ending in a line feed."""
    place = rows.traced.place
    line = place.source.position(place.start)[0]
    out = [f"### {_code(head_text(rows))}", "", f"`{place.source.name}`, line {line}"]
    if rows.forward:
        out += ["", "| step | forward | value | | line |", "|---:|---|---|---|---:|"]
        out += [_forward(row, precision) for row in shortened(rows.forward, steps)]
    for title, part in (("tangent", rows.tangents), ("backward", [*rows.seeds, *rows.backward])):
        if part:
            out += ["", f"| step | {title} | contribution | so far | line |", "|---:|---|---|---|---:|"]
            out += [_back(row, precision) for row in shortened(part, steps)]
    out += [line for remark in remarks(rows) for line in ("", f"{remark[0].upper()}{remark[1:]}.")]
    if rows.traced.kind:
        out += ["", *(f"- {rows.traced.kind} by `{name}`: {_cell(t)}" for name, t in answer_texts(rows, precision))]
    return "\n".join(out) + "\n"


def _code(text: str) -> str:
    return text if "`" in text else f"`{text}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _forward(row: Row | None, precision: int | None) -> str:
    if row is None:
        return "| … | … | … | | |"
    value = _cell(brief(row.amount, precision))
    line = line_of(row) if row.place is not None else ""
    return f"| {row.number} | `{_cell(row.name)} = {_cell(row.text)}` | {value} | {kind_text(row.amount)} | {line} |"


def _back(row: Row | None, precision: int | None) -> str:
    if row is None:
        return "| … | … | … | | |"
    sign = "+=" if row.total is not None else "="
    total = brief(row.total, precision) if row.total is not None else ""
    remark = f" ({row.remark})" if row.remark else ""
    line = line_of(row) if row.place is not None else ""
    if row.operation == "seed":
        return f"| {row.number or ''} | `{_cell(row.name)}`, {row.text} | {_cell(brief(row.amount, precision))} | | |"
    formula = f"`{_cell(row.name)} {sign} {_cell(row.text)}`"
    return (
        f"| {row.number or ''} | {formula}{remark} | {_cell(brief(row.amount, precision))} | {_cell(total)} | {line} |"
    )
