"""How pieces of a sentence are written: shapes, lists of names, counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


class Words:
    """What an entry of the catalogue gives: the message, a few words under the span, what to write instead, details."""

    __slots__ = ("details", "hint", "label", "message")

    def __init__(self, message: str, hint: str = "", label: str = "", details: tuple[str, ...] = ()) -> None:
        self.message = message
        self.hint = hint
        self.label = label
        self.details = details


def shape(dims: Any) -> str:
    """`(2, 3)`, `(3)`, `()`."""
    return "(" + ", ".join(str(n) for n in dims) + ")"


def names(items: Iterable[Any], last: str = "and", quote: bool = True) -> str:
    """`a`, `b` and `c`."""
    listed = [f"`{item}`" if quote else str(item) for item in items]
    if len(listed) < 2:
        return "".join(listed)
    return ", ".join(listed[:-1]) + f" {last} {listed[-1]}"


def tensor_of(dtype: str) -> str:
    """`a float32 tensor`, `an int32 tensor`."""
    return f"{'an' if dtype[:1] in 'aeio' else 'a'} {dtype} tensor"


def plural(count: int, word: str) -> str:
    """`1 entry`, `2 entries`."""
    if count == 1:
        return f"1 {word}"
    return f"{count} {word[:-1]}ies" if word.endswith("y") else f"{count} {word}s"


def because_none(facts: Any) -> str:
    """What to add where a value is a None gradient."""
    code = facts.get("none")
    return f"it is a gradient that is none ({code}): test it with `is none`" if code else ""


_TYPES = {
    "NoneType": "none", "NoGradient": "none", "list": "a list", "tuple": "a tuple", "dict": "a dict", "int": "a number",
    "float": "a number", "complex": "a number", "bool": "a bool", "str": "a string", "Function": "a function",
    "function": "a function", "Derived": "a function", "GradientTape": "a tape", "range": "a range",
}  # fmt: skip


def kind(type_name: Any) -> str:
    """What a value of a Python type is, in the language's words."""
    return _TYPES.get(str(type_name), str(type_name))


#: dtype kinds an operation takes, in words
ACCEPTS = {
    "fc": "floating or complex numbers", "f": "floating numbers", "iufc": "numbers", "iuf": "real numbers",
    "iu": "integers", "b": "bools", "biufc": "numbers or bools", "biufcUS": "any dtype",
}  # fmt: skip
