"""What a wrong gradient has in common with the right one: a constant ratio, its transpose, all but one entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .comparison import CANNOT_TELL, DIFFERS
from .replay import history

if TYPE_CHECKING:
    from .asked import Asked
    from .comparison import Source
    from .gradcheck import Check

#: `(kind, what, shape)`: "source" or "target" and its position, or "operation" and the site of a sum or mean
Sized = list[tuple[str, int, tuple[int, ...]]]

#: numbers that a numeric derivative gives are the same up to this
_NEAR = 1e-5


class Diagnosis:
    """`kind` and what goes with it; `sources` are the positions of the gradients that it speaks of.

    `not-finite`, `reference-not-finite`, `missing` (all zeros), `ratio` (every entry is `ratio` times the numeric one;
    `counts` are the lengths that it or its inverse is: `(length, kind, what, axis or None)`), `transpose`,
    `one-entry`, `one-line` (those at `index` on `axis`), `moved` (the same numbers at other places), `offset` (all
    differ by `ratio`), `some` (`differing` of `total`).
    """

    __slots__ = ("axis", "counts", "differing", "index", "kind", "ratio", "sources", "total")

    def __init__(self, kind: str, source: int, **facts: Any) -> None:
        self.kind = kind
        self.sources = [source]
        self.ratio: float = facts.get("ratio", 0.0)
        self.counts: list[tuple[int, str, int, int | None]] = facts.get("counts", [])
        self.index: tuple[int, ...] | None = facts.get("index")
        self.axis: int | None = facts.get("axis")
        self.differing: int = facts.get("differing", 0)
        self.total: int = facts.get("total", 0)


def diagnose(check: Check, sized: Sized) -> list[Diagnosis]:
    """One diagnosis for each gradient that differs; those that share a ratio are one.

    `sized` tells whose lengths a ratio may be.
    """
    found: list[Diagnosis] = []
    for source in check.sources:
        if source.verdict != DIFFERS:
            continue
        made = relation(source)
        if made.kind == "ratio":
            made.counts = _lengths(sized, source.position, made.ratio)
            same = next((d for d in found if d.kind == "ratio" and _near(d.ratio, made.ratio)), None)
            if same is not None:
                same.sources.append(source.position)
                same.counts = [c for c in same.counts if c in made.counts and c[1] != "source"]
                continue
        found.append(made)
    return found


def relation(source: Source) -> Diagnosis:
    """How the gradient of one source, which differs, stands to the numeric one."""
    entries = [item for item in source.compared if item.index is not None and item.verdict != CANNOT_TELL]
    wrong = [item for item in entries if item.verdict == DIFFERS]
    at, total = source.position, source.numbers.size
    if not wrong:
        (worst, *_) = sorted((c for c in source.compared if c.verdict == DIFFERS), key=lambda c: -c.relative)
        if source.numbers.size == 1 or len(source.compared) == 1:
            return _ratio_of(at, [worst.gradient], [worst.slope.value]) or Diagnosis("some", at, total=total)
        return Diagnosis("some", at, total=total)
    a = np.array([item.gradient for item in entries])
    n = np.array([item.slope.value for item in entries])
    if not np.isfinite(a).all():
        worst = next(item for item in entries if not np.isfinite(item.gradient))
        return Diagnosis("not-finite", at, index=worst.index, differing=int(np.sum(~np.isfinite(a))), total=total)
    if not np.isfinite(n).all():
        worst = next(item for item in entries if not np.isfinite(item.slope.value))
        return Diagnosis(
            "reference-not-finite", at, index=worst.index, differing=int(np.sum(~np.isfinite(n))), total=total
        )
    facts = {"differing": len(wrong), "total": len(entries)}
    if not a.any() and len(entries) > 1:
        return Diagnosis("missing", at, **facts)
    if len(wrong) == 1 < len(entries):
        return Diagnosis("one-entry", at, index=wrong[0].index, **facts)
    ratio = _ratio_of(at, a, n)
    if ratio is not None:
        return ratio
    if _close(a, n):  # too near to one another for their places to say anything
        return Diagnosis("some", at, **facts)
    by_index = {item.index: item.slope.value for item in entries}
    if len(entries) == total and _transposed(source.numbers, by_index):
        return Diagnosis("transpose", at, **facts)
    if len(entries) == total and _close(np.sort(a), np.sort(n)):
        return Diagnosis("moved", at, **facts)
    for axis in range(source.numbers.ndim):
        places = {item.index[axis] for item in wrong if item.index is not None}
        if len(places) == 1 and source.numbers.shape[axis] > 1 and 1 < len(wrong) < len(entries):
            return Diagnosis("one-line", at, axis=axis, index=wrong[0].index, **facts)
    if len(entries) > 2 and _close(a - n, np.full_like(a, (a - n)[0])):
        return Diagnosis("offset", at, ratio=float(np.median(a - n)), **facts)
    return Diagnosis("some", at, **facts)


def _ratio_of(at: int, a: Any, n: Any) -> Diagnosis | None:
    a, n = np.asarray(a), np.asarray(n)
    least = np.max(np.abs(n), initial=0.0) * 1e-6
    told = np.abs(n) > least
    if not told.any() or not a.any():
        return None
    ratio = float(np.median(a[told] / n[told]))
    plausible = 1e-4 < abs(ratio) < 1e4 and abs(ratio - 1) > _NEAR
    return Diagnosis("ratio", at, ratio=ratio) if plausible and _close(a, ratio * n) else None


def _transposed(numbers: Any, by_index: dict[Any, float]) -> bool:
    if numbers.ndim < 2 or numbers.shape[-1] != numbers.shape[-2] or np.iscomplexobj(numbers):
        return False
    right = np.empty(numbers.shape)
    for index, value in by_index.items():
        right[index] = value
    return _close(numbers, np.swapaxes(right, -1, -2))


def _close(a: Any, b: Any) -> bool:
    return bool(np.all(np.abs(a - b) <= _NEAR * max(np.max(np.abs(a), initial=0.0), np.max(np.abs(b), initial=0.0))))


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= _NEAR * max(abs(a), abs(b))


def sizes(asked: Asked) -> Sized:
    """The shapes in which the length of a missing mean may be found."""
    found: Sized = [("source", i, np.shape(item.value)) for i, item in enumerate(asked.sources)]
    found += [("target", i, np.shape(item.value)) for i, item in enumerate(asked.targets)]
    order = history(asked.mark, [node for node, _ in asked.seeds], asked.wanted)
    order += [inner for node in order if node.op is not None and node.op.inside for inner in node.op.inside.order]
    for node in order:
        if node.op is not None and node.op.family == "reduction":
            x = node.x0[0] if type(node.x0) is tuple else node.x0
            axis = (node.params or {}).get("axis")
            axes = range(len(x.shape)) if axis is None else np.atleast_1d(axis)
            found.append(("operation", node.site, tuple(int(x.shape[k]) for k in axes)))
    return found


def _lengths(sized: Sized, position: int, ratio: float) -> list[tuple[int, str, int, int | None]]:
    """Where a ratio, or its inverse, is a number of elements or the length of an axis.

    A length of 1 or 2 tells nothing: 2 is a factor that is forgotten for many reasons.
    """
    meant = abs(ratio) if abs(ratio) >= 1 else 1 / abs(ratio)
    if not _near(meant, round(meant)) or round(meant) < 3:
        return []
    found: list[tuple[int, str, int, int | None]] = []
    for kind, what, shape in sorted(sized, key=lambda item: item[:2] != ("source", position)):
        if int(np.prod(shape)) == round(meant):
            found.append((round(meant), kind, what, None))
        elif round(meant) in shape and kind != "operation":
            found.append((round(meant), kind, what, shape.index(round(meant))))
    return found
