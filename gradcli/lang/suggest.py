"""Did you mean …? The nearest of known names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def distance(a: str, b: str, limit: int) -> int:
    """How many letters to insert, drop, change or swap with the next to make `b` of `a`; `limit + 1` if more."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        current = [i]
        for j, y in enumerate(b, 1):
            cost = min(row[j] + 1, current[j - 1] + 1, row[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        if min(current) > limit:
            return limit + 1
        before, row = row, current
    return row[-1]


def nearest(name: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """At most `limit` candidates that are nearest to a name, the nearest first; none where nothing is near."""
    allowed = 1 if len(name) <= 3 else 2 if len(name) <= 7 else 3
    plain = name.lower()
    found = []
    for candidate in dict.fromkeys(candidates):
        gap = distance(plain, candidate.lower(), allowed)
        if gap <= allowed:
            found.append((gap, candidate))
        elif len(plain) >= 4 and (
            candidate.lower().startswith(plain) or (plain.startswith(candidate.lower()) and len(candidate) >= 4)
        ):
            found.append((allowed + 1, candidate))
    found.sort(key=lambda pair: (pair[0], abs(len(pair[1]) - len(name)), pair[1]))
    best = found[0][0] if found else 0
    return [candidate for gap, candidate in found if gap <= best + 1][:limit]
