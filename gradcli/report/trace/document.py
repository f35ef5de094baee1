"""A trace for `--format json`, under the key `traces`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import Tensor
from gradcli.engine.dtypes import dtype_name

from ..json_view import encode, real_entry, where
from .text import shortened

if TYPE_CHECKING:
    from .rows import Row, Rows

#: entries of a value that is written in full
_ENTRIES = 100


def trace_value(rows: Rows, steps: int) -> dict[str, Any]:
    """The trace of one query; of parts longer than `steps` the first and the last, and how many were left out."""
    traced = rows.traced
    back = [*rows.tangents, *rows.seeds, *rows.backward]
    return {
        "label": " ".join(traced.place.text.split()), **where(traced.place), "kind": traced.kind, "times": traced.times,
        "forward": [_forward(row) for row in shortened(rows.forward, steps) if row is not None],
        "backward": [_backward(row) for row in shortened(back, steps) if row is not None],
        "left_out": max(len(rows.forward) - steps, 0) + max(len(back) - steps, 0),
        "answers": [{"source": name, "value": _value(a)} for (name, _), a in zip(traced.sources, traced.answers)],
    }  # fmt: skip


def _forward(row: Row) -> dict[str, Any]:
    return {
        "step": row.number, "name": row.name, "operation": row.operation, "expression": row.text,
        "value": _value(row.amount), **where(row.place),
    }  # fmt: skip


def _backward(row: Row) -> dict[str, Any]:
    return {
        "step": row.number, "name": row.name, "operation": row.operation, "rule": row.text,
        "upstream": _value(row.upstream), "contribution": _value(row.amount), "total": _value(row.total),
        "remark": row.remark, **where(row.place),
    }  # fmt: skip


def _value(raw: Any) -> Any:
    if raw is None:
        return None
    parts = getattr(raw, "by_position", None)
    if parts is not None:
        return {"kind": "results", "items": {str(i): _value(part) for i, part in sorted(parts.items())}}
    data = np.asarray(raw)
    if data.size <= _ENTRIES:
        return encode(Tensor(data[()] if not data.shape else data))
    found: dict[str, Any] = {"kind": "summary", "dtype": dtype_name(data.dtype), "shape": list(data.shape)}
    if data.dtype.kind in "iuf":
        finite = data[~np.isnan(data)] if data.dtype.kind == "f" else data
        if finite.size:
            sizes = (np.min(finite), np.max(finite), np.mean(finite, dtype=np.float64))
            found |= {name: real_entry(float(size)) for name, size in zip(("min", "max", "mean"), sizes)}
        found |= {"nan": int(data.size - finite.size), "zeros": int(np.count_nonzero(finite == 0))}
    return found
