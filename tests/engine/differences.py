"""Derivatives by central differences, extrapolated to step 0: Ridders' scheme, with its own estimate of the error."""

from __future__ import annotations

import math

#: each step is this much shorter than the one before
_SHORTER = 1.6
_STEPS = 8
#: first steps: the shorter ones are for a kink nearby
_FIRST = (0.04, 1e-3, 1e-5)
_ENOUGH = 1e-11


def derivative(f, scale: float = 1.0) -> float:
    """f'(0) of a function of one number that is smooth near 0.

    C. J. F. Ridders, Accurate computation of F'(x) and F'(x) F''(x), Advances in Engineering Software 4 (1982).
    """
    best, error = math.nan, math.inf
    for first in _FIRST:
        found, estimate = _tableau(f, first * scale)
        if estimate < error or math.isnan(best):
            best, error = found, estimate
        if error <= _ENOUGH * (1.0 + abs(best)):
            break
    return best


def _tableau(f, h: float) -> tuple[float, float]:
    """The derivative that the scheme finds from a first step h, and its estimate of the error."""
    before: list[float] = []
    best, error = math.nan, math.inf
    for k in range(_STEPS):
        row = [(f(h) - f(-h)) / (2.0 * h)]
        factor = 1.0
        for j in range(k):
            factor *= _SHORTER**2
            row.append((row[j] * factor - before[j]) / (factor - 1.0))
            estimate = max(abs(row[j + 1] - row[j]), abs(row[j + 1] - before[j]))
            if estimate <= error:
                best, error = row[j + 1], estimate
        if k and (error <= _ENOUGH * 0.1 * (1.0 + abs(best)) or abs(row[k] - before[k - 1]) >= 2.0 * error):
            break
        before = row
        h /= _SHORTER
    return best, error
