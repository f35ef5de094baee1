"""Values of the JSON document as text, without making tensors of them."""

from __future__ import annotations

import json
from typing import Any

from .numbers import complex_text, number_text


def encoded_text(value: Any, inside: bool = False, typed: bool = False) -> str:
    """A VALUE of the schema on one line; a none with its code. `typed`: with what is not seen in the numbers, the dtype
    and shape of tensors, and whether it is a number, a list or a tuple."""
    kind = value["kind"]
    if kind == "none":
        return f"none[{value['code']}]" if value["code"] else "none"
    if kind == "tensor":
        text = _entries(value["data"], len(value["shape"]), value["dtype"].startswith("complex"))
        return f"{text}   {value['dtype']} {tuple(value['shape'])}" if typed else text
    if kind in ("list", "tuple"):
        text = "[" + ", ".join(encoded_text(item, True, typed) for item in value["items"]) + "]"
        return f"{kind} {text}" if typed else text
    if kind == "dict":
        items = (
            f"{json.dumps(key, ensure_ascii=False)}: {encoded_text(item, True, typed)}"
            for key, item in value["items"].items()
        )
        return "{" + ", ".join(items) + "}"
    if kind == "string":
        return json.dumps(value["data"], ensure_ascii=False) if inside or typed else str(value["data"])
    text = _entries(value["data"], 0, isinstance(value["data"], list))
    return f"{text}   {kind}" if typed else text


def same_type(a: Any, b: Any) -> bool:
    """Do two VALUES differ in their numbers only, not in kind, dtype, shape or structure?"""
    if any(a.get(key) != b.get(key) for key in ("kind", "dtype", "shape")):
        return False
    if "items" not in a:
        return True
    one, two = a["items"], b["items"]
    if isinstance(one, dict):
        return set(one) == set(two) and all(same_type(item, two[key]) for key, item in one.items())
    return len(one) == len(two) and all(map(same_type, one, two))


def _entries(data: Any, depth: int, pairs: bool) -> str:
    if depth:
        return "[" + ", ".join(_entries(item, depth - 1, pairs) for item in data) + "]"
    if pairs:
        return complex_text(complex(float(data[0]), float(data[1])))
    if isinstance(data, str):
        return data
    return number_text(data)
