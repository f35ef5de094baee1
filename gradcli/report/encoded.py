"""Values of the JSON document as text, without making tensors of them."""

from __future__ import annotations

import json
from typing import Any

from .numbers import complex_text, number_text


def encoded_text(value: Any, inside: bool = False) -> str:
    """A VALUE of the schema on one line; a none with its code."""
    kind = value["kind"]
    if kind == "none":
        return f"none[{value['code']}]" if value["code"] else "none"
    if kind == "tensor":
        return _entries(value["data"], len(value["shape"]), value["dtype"].startswith("complex"))
    if kind in ("list", "tuple"):
        return "[" + ", ".join(encoded_text(item, True) for item in value["items"]) + "]"
    if kind == "dict":
        items = (
            f"{json.dumps(key, ensure_ascii=False)}: {encoded_text(item, True)}" for key, item in value["items"].items()
        )
        return "{" + ", ".join(items) + "}"
    if kind == "string":
        return json.dumps(value["data"], ensure_ascii=False) if inside else str(value["data"])
    return _entries(value["data"], 0, isinstance(value["data"], list))


def _entries(data: Any, depth: int, pairs: bool) -> str:
    if depth:
        return "[" + ", ".join(_entries(item, depth - 1, pairs) for item in data) + "]"
    if pairs:
        return complex_text(complex(float(data[0]), float(data[1])))
    if isinstance(data, str):
        return data
    return number_text(data)
