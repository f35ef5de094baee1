"""`--math`: the mathematical values in place of those that IEEE arithmetic gave."""

from __future__ import annotations

from typing import Any

from gradcli.engine.settlement import math_of


def mathematical(value: Any) -> Any:
    """A value in which each gradient that has another mathematical value is that one."""
    if isinstance(value, dict):
        return {key: mathematical(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(mathematical(item) for item in value)
    better = math_of(value)
    return value if better is None else better


def has_other_value(value: Any) -> bool:
    """Is there a gradient in it with another mathematical value?"""
    if isinstance(value, dict):
        return any(map(has_other_value, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(has_other_value, value))
    return math_of(value) is not None
