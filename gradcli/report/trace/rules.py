"""The derivative of a step in symbols: the formula of the operation's page with the names of the trace in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine.primitive import REGISTRY

from ..operations import page
from .names import brief

if TYPE_CHECKING:
    from gradcli.engine.primitive import Primitive

#: where the words of an exception begin, which a formula in a trace leaves out
_EXCEPTIONS = re.compile(r";|, (?:and|infinite|nan|0 where|that is|twice where)\b| \(TensorFlow")
_UPSTREAM = re.compile(r"\b(?:the upstream|each upstream|upstream)\b")
#: the upstream of an operation with several results, by parts: gQ, gs
_PARTS = re.compile(r"\bg(?:[A-Z]|s|u|v|q|r|w)\b")
_LESS_ONE = re.compile(r"\(\(?(-?\d+\.\d+)\)? - 1\)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_formulas: dict[str, dict[str, str]] = {}


def rule(op: Primitive, position: int, upstream: str, words: dict[str, str], sizes: tuple[int, int]) -> str:
    """What goes to operand `position` of an operation, in terms of `upstream`, a name such as `d/dy`.

    `words` are the texts that stand for the names of operands and parameters, and for `y`, the result; `sizes` the
    numbers of entries of the operand and of the result, whose ratio is the `n` of a mean.
    """
    formula = _formula(op, position)
    if formula is None:
        return f"the pullback of {op.name} at {upstream}"
    if _PARTS.search(formula):
        return f"{_with_names(formula, words, sizes)}, with g from {upstream}"
    if _UPSTREAM.search(formula):
        return _UPSTREAM.sub(upstream, _with_names(formula, words, sizes))
    factor = _with_names(formula, words, sizes)
    if factor in ("1", "-1"):
        return upstream if factor == "1" else f"-{upstream}"
    if factor == "0":
        return "0"
    return f"{upstream} * {factor}" if _is_atom(factor) else f"{upstream} * ({factor})"


def _formula(op: Primitive, position: int) -> str | None:
    if REGISTRY.get(op.name) is not op:
        return None  # a function of the program, with a pullback of its own
    known = _formulas.get(op.name)
    if known is None:
        known = _formulas[op.name] = page(op)["derivative"]
    operand = op.names[position] if 0 <= position < len(op.names) and op.arity >= 0 else op.names[0]
    formula = known.get(operand)
    if formula is None:
        return None
    return _EXCEPTIONS.split(formula)[0].strip()


def _with_names(formula: str, words: dict[str, str], sizes: tuple[int, int]) -> str:
    def named(match: re.Match[str]) -> str:
        word, after = match[0], formula[match.end() :]
        if word == "a" and re.match(r"\s+[a-z]{2}", after):
            return word  # the article
        if after.startswith("(") and word not in words:
            return word
        if word == "n" and "n" not in words and sizes[1] and sizes[0] % sizes[1] == 0:
            return str(sizes[0] // sizes[1])
        return words.get(word, word)

    return _LESS_ONE.sub(lambda match: f"{float(match[1]) - 1}", _WORD.sub(named, formula))


def _is_atom(text: str) -> bool:
    """Does it need no parentheses beside a `*`?"""
    if re.fullmatch(r"[\w.]+", text) or (text.startswith("[") and text.endswith("]")):
        return True
    call = re.match(r"\w+\(", text)
    if call is None:
        return False
    depth = 0
    for i, c in enumerate(text):
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == ")" and depth == 0:
            rest = text[i + 1 :]
            return not rest or bool(re.fullmatch(r"\*\*\d", rest))
    return False


def as_operand(text: str) -> str:
    """A text as it stands in a formula: a negative number in parentheses."""
    return f"({text})" if text.startswith("-") else text


def parameter_text(value: Any) -> str:
    """A parameter as a program writes it."""
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    if isinstance(value, (np.ndarray, np.generic)):
        return brief(value)
    if isinstance(value, slice):
        ends = ["" if end is None else str(end) for end in (value.start, value.stop, value.step)]
        return ":".join(ends if value.step is not None else ends[:2])
    if value is Ellipsis:
        return "..."
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(parameter_text, value)) + "]"
    name = getattr(value, "name", None)
    return str(name) if isinstance(name, str) else str(value)
