"""Kinks, ties and domain edges that a gradient passed: looked for among its own ancestors, after the fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .pullback import collect, cotangents
from .tape import node_of, seeds_of

if TYPE_CHECKING:
    from .recording import Mark, State


class PassedKink:
    """`count` of `total` entries of an operation sit at a kink and have a say in the gradient; `index` is the first."""

    __slots__ = ("code", "convention", "count", "index", "op", "site", "slopes", "total")

    def __init__(self, op: Any, site: int, mask: Any) -> None:
        self.op: str = op.name
        self.site = site
        self.code: str = op.kink.code
        self.convention: str = op.kink.convention
        self.slopes: str = op.kink.slopes
        self.count = int(np.count_nonzero(mask))
        self.total = int(np.size(mask))
        self.index = tuple(int(i) for i in np.argwhere(mask)[0]) if np.ndim(mask) else ()


def kinks_on_the_way(
    state: State, mark: Mark, targets: list[Any], sources: list[Any], output_gradients: Any = None
) -> list[PassedKink]:
    """The kinks at which the gradient of `targets` with respect to `sources` took a convention, one entry a place.

    An entry whose cotangent is zero did not reach the target and is left out; so is an operation off the way.
    """
    wanted = [node_of(source) for source in sources]
    seeds = [node_of(target) for target in targets]
    order, _ = collect(mark, seeds, wanted)
    suspects = []
    for node in order:
        kink = node.op.kink if node.op is not None else None
        if kink is None:
            continue
        xs = (node.x0,) if node.op.arity == 1 else (node.x0, node.x1) if node.op.arity == 2 else node.x0  # type: ignore[union-attr]
        y = node.y if node.y is not None else node.op.forward(*xs, **(node.params or {}))  # type: ignore[union-attr]
        mask = np.asarray(kink.where(y, *xs, **(node.params or {})))
        if mask.any():
            suspects.append((node, mask, np.shape(y)))
    if not suspects:
        return []
    upstream = seeds_of(targets, targets, output_gradients) if output_gradients is None else None
    if upstream is None:
        upstream = seeds_of(
            targets, targets if isinstance(output_gradients, (list, tuple)) else targets[0], output_gradients
        )
    pairs = [(node, np.asarray(ct.value)[()]) for node, ct in zip(seeds, upstream)]
    with np.errstate(all="ignore"):
        store = cotangents(state, mark, pairs, wanted)
    found: dict[tuple[str, int], PassedKink] = {}
    useful = _leading_to(order, set(wanted))
    for node, mask, shape in suspects:
        ct = store.get(node)
        if ct is None or node not in useful:
            continue
        reached = np.not_equal(ct, 0)
        if mask.shape != shape:
            reached = np.ones(mask.shape, np.bool_) if reached.any() else np.zeros(mask.shape, np.bool_)
        mask = mask & reached
        if mask.any():
            passed = PassedKink(node.op, node.site, mask)
            same = found.setdefault((passed.op, passed.site), passed)
            if same is not passed:
                same.count += passed.count
                same.total += passed.total
    return [found[key] for key in sorted(found, key=lambda key: key[1])]


def _leading_to(order: list[Any], wanted: set[Any]) -> set[Any]:
    """The operations through which a cotangent goes on to one of the wanted nodes."""
    useful = set(wanted)
    for node in reversed(order):
        if any(parent in useful for parent in node.parents()):
            useful.add(node)
    return useful
