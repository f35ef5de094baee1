"""Numbers as text: the shortest digits that read back to the same value of their dtype."""

from __future__ import annotations

import math
from typing import Any


def real_text(value: Any, precision: int | None = None) -> str:
    """A real number: `6.0`, `0.1` (also for float32), `1e+30`, `nan`, `-inf`; `precision` is in digits."""
    number = float(value)
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if precision is not None:
        text = f"{number:.{precision}g}"
        return text if any(c in text for c in ".en") else text + ".0"
    text = str(value) if type(value) is not float else repr(value)
    return text if any(c in text for c in ".en") else text + ".0"


def complex_text(value: Any, precision: int | None = None) -> str:
    """A complex number: `(1.0+2.0j)`."""
    imaginary = real_text(value.imag, precision)
    sign = "" if imaginary.startswith("-") else "+"
    return f"({real_text(value.real, precision)}{sign}{imaginary}j)"


def entry_text(value: Any, precision: int | None = None) -> str:
    """One entry of a tensor."""
    kind = value.dtype.kind
    if kind == "f":
        return real_text(value, precision)
    if kind == "c":
        return complex_text(value, precision)
    if kind == "b":
        return "true" if value else "false"
    return str(value)


def number_text(value: Any, precision: int | None = None) -> str:
    """A Python number of the language."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, complex):
        return complex_text(value, precision)
    return real_text(value, precision)
