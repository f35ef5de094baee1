"""Plain values: one a line, for pipes and scripts."""

from __future__ import annotations

import json
from typing import Any

from gradcli.engine import GradientTape, Tensor, Variable
from gradcli.engine.dtypes import dtype_name
from gradcli.nn.module import Module
from gradcli.nn.optimizer import Optimizer
from gradcli.runtime.outcomes import NoGradient
from gradcli.runtime.values import kind_of

from .numbers import entry_text, number_text


def value_text(value: Any, precision: int | None = None, inside: bool = False) -> str:
    """A value on one line: `6.0`, `[[1.0, 2.0]]`, `{"y0": 4.0}`, `none`, `true`; strings bare alone, quoted inside."""
    if isinstance(value, (Tensor, Variable)):
        return array_text(value.value, precision, inside)
    if value is None or isinstance(value, NoGradient):
        return "none"
    if isinstance(value, (bool, int, float, complex)):
        return number_text(value, precision)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False) if inside else value
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(item, precision, True) for item in value) + "]"
    if isinstance(value, range):
        return value_text(list(value), precision)
    if isinstance(value, dict):
        items = (
            f"{json.dumps(str(k), ensure_ascii=False)}: {value_text(v, precision, True)}" for k, v in value.items()
        )
        return "{" + ", ".join(items) + "}"
    return other_text(value)


def other_text(value: Any) -> str:
    """A value that is no data: a dtype, a function, a tape."""
    if hasattr(value, "kind") and hasattr(value, "itemsize"):
        return dtype_name(value)
    if isinstance(value, GradientTape):
        return f"<tape {value.name}>" if value.name else "<tape>"
    if isinstance(value, (Module, Optimizer)):
        return f"<{kind_of(value).removeprefix('a ').removeprefix('the ')}>"
    name = getattr(getattr(value, "op", None), "name", None) or getattr(value, "name", None)
    return f"<{kind_of(value).removeprefix('a ')} {name}>" if name else f"<{kind_of(value).removeprefix('a ')}>"


def array_text(data: Any, precision: int | None = None, inside: bool = True) -> str:
    """An array as nested lists."""
    if data.dtype.kind in "US":
        return (
            json.dumps(str(data), ensure_ascii=False)
            if inside and not data.shape
            else (str(data) if not data.shape else "[" + ", ".join(array_text(item, precision) for item in data) + "]")
        )
    if not data.shape:
        return entry_text(data, precision)
    if data.ndim == 1:
        return "[" + ", ".join(entry_text(item, precision) for item in data) + "]"
    return "[" + ", ".join(array_text(item, precision) for item in data) + "]"
