"""`file.expected.json`: what a program printed when it was recorded, and what has moved since.

The file holds the values of printed results as the JSON document has them, and notes and warnings by code and place. A
result is known by its label and by how many of that label came before it, so that lines may move.
"""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

import numpy as np

from gradcli.engine import constant
from gradcli.engine.dtypes import find_dtype
from gradcli.runtime.approx import TOLERANCE, approximately

VERSION = 1
_SCHEMA = "gradcli-expected/"
_SECTIONS = ("results", "notes", "warnings")


class Broken(Exception):
    """A record that cannot be used: `kind` is json, text, form, newer or read; `reason` says more."""

    def __init__(self, kind: str, reason: str = "") -> None:
        super().__init__(kind, reason)
        self.kind = kind
        self.reason = reason


class Pair(NamedTuple):
    """Something recorded, and what came: None where one of the two is missing; `position` is that of `new`."""

    section: str
    old: Any
    new: Any
    position: int
    same: bool
    largest: float | None = None
    relative: float | None = None
    where: str | None = None


def record_text(found: dict[str, list[Any]]) -> str:
    """The file's text: a line an entry, so that a change shows as that line."""
    lines = [f'{{"schema": "{_SCHEMA}{VERSION}",']
    for section in _SECTIONS:
        entries = [json.dumps(entry, ensure_ascii=True, allow_nan=False) for entry in found[section]]
        body = ",".join(f"\n  {entry}" for entry in entries)
        lines.append(f' "{section}": [{body}]{"," if section != _SECTIONS[-1] else "}"}')
    return "\n".join(lines) + "\n"


def read_record(path: str) -> dict[str, list[Any]] | None:
    """The record in a file; None if there is none. Raises Broken."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Broken("read", error.strerror or str(error)) from None
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise Broken("text") from None
    except json.JSONDecodeError as error:
        raise Broken("json", f"line {error.lineno}, column {error.colno}: {error.msg}") from None
    except (RecursionError, ValueError):
        raise Broken("form", "it is nested too deeply, or holds a number that is too long") from None
    schema = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(schema, str) or not schema.startswith(_SCHEMA):
        raise Broken("form", f"it has no schema {_SCHEMA}{VERSION}")
    version = schema.removeprefix(_SCHEMA)
    if version != str(VERSION):
        raise Broken("newer" if version.isdecimal() and version != "0" else "form", schema)
    try:
        return _checked(document)
    except RecursionError:
        raise Broken("form", "it is nested too deeply") from None


def _checked(document: dict[str, Any]) -> dict[str, list[Any]]:
    for section in _SECTIONS:
        entries = document.get(section)
        if not isinstance(entries, list):
            raise Broken("form", f"{section} is not a list")
        for number, entry in enumerate(entries, 1):
            if not _is_entry(section, entry):
                raise Broken("form", f"entry {number} of {section}")
    return {section: document[section] for section in _SECTIONS}


def _is_entry(section: str, entry: Any) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("label"), str) or type(entry.get("line")) is not int:
        return False
    return _is_value(entry.get("value")) if section == "results" else isinstance(entry.get("code"), str)


def _is_value(value: Any) -> bool:
    """Is this a VALUE of the schema, with entries that make an array of its shape and dtype?"""
    if not isinstance(value, dict):
        return False
    kind, items = value.get("kind"), value.get("items")
    if kind == "none":
        return value.get("code") is None or isinstance(value["code"], str)
    if kind in ("list", "tuple"):
        return isinstance(items, list) and all(map(_is_value, items))
    if kind == "dict":
        return isinstance(items, dict) and all(map(_is_value, items.values()))
    if kind == "string":
        return isinstance(value.get("data"), str)
    if kind == "bool":
        return isinstance(value.get("data"), bool)
    if kind not in ("number", "tensor"):
        return False
    try:
        _array(value)
    except (KeyError, TypeError, ValueError, OverflowError, IndexError):
        return False
    return True


def pairs(old: dict[str, list[Any]], new: dict[str, list[Any]]) -> list[Pair]:
    """What was recorded beside what came, in the order in which it came, and then what came no more."""
    found: list[Pair] = []
    for section in _SECTIONS:
        waiting: dict[Any, list[Any]] = {}
        for entry in old[section]:
            waiting.setdefault((entry["label"], entry.get("code")), []).append(entry)
        for queue in waiting.values():
            queue.reverse()
        for index, entry in enumerate(new[section]):
            queue = waiting.get((entry["label"], entry.get("code")), [])
            if not queue:
                found.append(Pair(section, None, entry, index, False))
            elif section != "results":
                found.append(Pair(section, queue.pop(), entry, index, True))
            else:
                before = queue.pop()
                found.append(Pair(section, before, entry, index, *_compared(before["value"], entry["value"])))
        left = [entry for queue in waiting.values() for entry in queue]
        found.extend(Pair(section, entry, None, -1, False) for entry in sorted(left, key=lambda entry: entry["line"]))
    return found


def _compared(old: Any, new: Any) -> tuple[bool, float | None, float | None, str | None]:
    """Are two values the same within the tolerance of their dtype, and by how much and where do they differ most?"""
    differences: list[tuple[float, float | None, str | None]] = []
    same = _same(old, new, "", differences)
    if same or not differences:
        return same, None, None, None
    return (same, *max(differences, key=lambda found: (found[0] != found[0], found[0])))


def _same(old: Any, new: Any, path: str, differences: list[tuple[float, float | None, str | None]]) -> bool:
    kind = old["kind"]
    if kind != new["kind"]:
        return False
    if kind in ("list", "tuple", "dict"):
        return _same_items(old["items"], new["items"], path, differences)
    if kind == "none":
        return bool(old["code"] == new["code"])
    if kind not in ("tensor", "number"):
        return bool(old["data"] == new["data"])
    if kind == "tensor" and (old["dtype"], old["shape"]) != (new["dtype"], new["shape"]):
        return False
    a, b = _array(old), _array(new)
    if a.dtype != b.dtype or a.dtype.kind not in "fc":
        return bool(a.dtype == b.dtype and np.array_equal(a, b))
    found = approximately(constant(a), constant(b))
    if not found.ok and found.max_abs is not None:
        differences.append((found.max_abs, found.max_rel, path + (found.where or "") or None))
    return found.ok


def _same_items(old: Any, new: Any, path: str, differences: list[tuple[float, float | None, str | None]]) -> bool:
    """Structures entry by entry: all of them, to find the largest difference."""
    keys = list(old) if isinstance(old, dict) else range(len(old))
    if set(keys) != set(new if isinstance(new, dict) else range(len(new))):
        return False
    same = True
    for key in keys:
        same = _same(old[key], new[key], f"{path}[{key!r}]", differences) and same
    return same


def _array(value: Any) -> Any:
    """The array of a tensor or number. Raises KeyError, TypeError, ValueError, OverflowError, IndexError."""
    if value["kind"] == "number":
        data = value["data"]
        if type(data) is int:
            return np.array(data, dtype=object)
        return np.array(_number(data, isinstance(data, list)), np.complex128 if isinstance(data, list) else np.float64)
    shape, name = value["shape"], value["dtype"]
    if (
        not isinstance(shape, list)
        or not all(type(n) is int and 0 <= n < 2**31 for n in shape)
        or not isinstance(name, str)
    ):
        raise ValueError(shape)
    numeric = name in TOLERANCE
    flat = list[Any]()
    _flatten(value["data"], shape, flat)
    if numeric:
        flat = [_number(item, name.startswith("complex")) for item in flat]
    elif not all(type(item) in (int, bool, str) for item in flat):
        raise ValueError(name)
    return np.array(flat, find_dtype(name) if numeric else object).reshape(shape)


def _flatten(data: Any, shape: list[int], flat: list[Any]) -> None:
    if not shape:
        flat.append(data)
        return
    if not isinstance(data, list) or len(data) != shape[0]:
        raise ValueError(shape)
    for item in data:
        _flatten(item, shape[1:], flat)


def _number(data: Any, pair: bool) -> Any:
    if pair:
        real, imaginary = data
        return complex(_number(real, False), _number(imaginary, False))
    if data in ("nan", "inf", "-inf") or (isinstance(data, (int, float)) and not isinstance(data, bool)):
        return float(data)
    raise ValueError(data)


def write_record(path: str, text: str) -> None:
    """Write a record, whole or not at all. Raises OSError."""
    from gradcli.data.files import write_whole

    write_whole(os.path.realpath(path), text.encode())
