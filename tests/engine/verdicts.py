"""What a law says: that a comparison failed, and within which tolerance one is made."""

from __future__ import annotations

from tests.engine.trials import unlike


class Broken(Exception):
    """A law does not hold."""


def need(holds, what: str) -> None:
    if not holds:
        raise Broken(what)


def near(a, b, tolerance: float, what: str) -> None:
    """The same shape, and entries alike relative to the largest one; infinities and nan in the same places."""
    need(not unlike(a, b, tolerance), f"{what}: {a} is not {b}")


def condition(response) -> float:
    """How far a result moves for each relative change of the operands: the most of three random ones."""
    step = 1e-6
    return max(response(step * factor) / step for factor in (1, -1, 0.5))
