"""Kinks, ties and domain edges that a gradient passed: looked for among its own ancestors, after the fact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .limits import slopes_at
from .one_sided import least
from .pullback import collect, cotangents
from .replay import history, operands, replay, value_seen

if TYPE_CHECKING:
    from .asked import Asked
    from .tensor import Node

#: entries of all sources together for which one-sided slopes of the whole function are taken
_ENTRIES = 32


class PassedKink:
    """`count` of `total` entries of an operation sit at a kink and have a say in the gradient; `index` is the first."""

    __slots__ = ("code", "convention", "count", "index", "op", "site", "slopes", "total")

    def __init__(self, op: str, site: int, mask: Any, code: str, convention: str, slopes: str) -> None:
        self.op = op
        self.site = site
        self.code = code
        self.convention = convention
        self.slopes = slopes
        self.count = int(np.count_nonzero(mask))
        self.total = int(np.size(mask))
        self.index = tuple(int(i) for i in np.argwhere(mask)[0]) if np.ndim(mask) else ()


def kinks_on_the_way(asked: Asked, silent: bool = False) -> list[PassedKink]:
    """The kinks at which an answer took a convention, one entry a place.

    An entry whose cotangent is zero did not reach the target and is left out, unless `silent`; so is an operation off
    the way.
    """
    seeds = asked.seeds
    order, _ = collect(asked.mark, [node for node, _ in seeds], asked.wanted)
    suspects = _declared(order) + _boundaries(asked, order)
    if not suspects:
        return []
    with np.errstate(all="ignore"):
        store = cotangents(asked.state, asked.mark, seeds, asked.wanted)
    found: dict[tuple[str, int], PassedKink] = {}
    useful = leading_to(order, set(asked.wanted))
    for node, name, mask, shape, words in suspects:
        ct = store.get(node)
        if ct is None or node not in useful:
            continue
        reached = np.not_equal(ct, 0)
        if mask.shape != shape:
            reached = np.ones(mask.shape, np.bool_) if reached.any() else np.zeros(mask.shape, np.bool_)
        mask = mask if silent else mask & reached
        if mask.any():
            passed = PassedKink(name, node.site, mask, *words)
            same = found.setdefault((passed.op, passed.site), passed)
            if same is not passed:
                same.count += passed.count
                same.total += passed.total
    return [found[key] for key in sorted(found, key=lambda key: key[1])]


def _declared(order: list[Node]) -> list[Any]:
    """Operations at a kink that their entry declares: `(node, name, mask, shape of the result, words)`."""
    suspects = []
    for node in order:
        op: Any = node.op
        kink = op.kink if op is not None else None
        if kink is None:
            continue
        xs = operands(node, {})
        params = node.params or {}
        y = node.y if node.y is not None else op.forward(*xs, **params)
        mask = np.asarray(kink.where(y, *xs, **params))
        if mask.any():
            name = params[kink.of] if kink.of else op.name
            suspects.append((node, name, mask, np.shape(y), (kink.code, kink.convention, kink.slopes)))
    return suspects


def _boundaries(asked: Asked, order: list[Node]) -> list[Any]:
    """Choices by `where` whose condition compares two equal numbers: there it changes the branch."""
    suspects = []
    values: dict[Node, Any] | None = None
    for node in order:
        if node.op is None or node.op.name != "where" or type(node.p0) is not tuple or node.p0[0] is None:
            continue
        if values is None:
            whole = history(asked.mark, [target for target, _ in asked.seeds], asked.wanted)
            if any(not each.op.family for each in whole if each.op is not None):
                return []
            values = replay(whole, {})
        edge = _edge(node.p0[0], values)
        shape = np.broadcast_shapes(*(np.shape(x) for x in operands(node, values)))
        if edge is not None and np.any(edge):
            mask = np.broadcast_to(edge, shape)
            suspects.append(
                (node, "where", mask, shape, ("kink", "that of the branch taken", "those of its two branches"))
            )
    return suspects


def _edge(condition: Node, values: dict[Node, Any]) -> Any:
    """Where a condition compares equal numbers; None if it is no comparison."""
    op = condition.op
    if op is None or not op.decides or condition not in values:
        return None
    xs = operands(condition, values)
    if op.name.startswith("logical"):
        edges = [_edge(p, values) for p in condition.p0 if p is not None]
        known = [edge for edge in edges if edge is not None]
        return np.logical_or.reduce(np.broadcast_arrays(*known)) if known else None
    return np.equal(*xs) if len(xs) == 2 and all(np.asarray(x).dtype.kind == "f" for x in xs) else None


def leading_to(order: list[Any], wanted: set[Any]) -> set[Any]:
    """The operations through which a cotangent goes on to one of the wanted nodes."""
    useful = set(wanted)
    for node in reversed(order):
        if any(parent in useful for parent in node.parents()):
            useful.add(node)
    return useful


class Sides:
    """The slopes from the left and the right in one entry of a source, and the value that the gradient took."""

    __slots__ = ("index", "left", "right", "source", "taken")

    def __init__(
        self, source: int, index: tuple[int, ...], left: float | None, right: float | None, taken: float
    ) -> None:
        self.source = source
        self.index = index
        self.left = left
        self.right = right
        self.taken = taken

    @property
    def two_sided(self) -> bool:
        """Are both slopes known?"""
        return self.left is not None and self.right is not None

    @property
    def smooth(self) -> bool:
        """Do the two slopes agree, so that the function has a derivative here after all? A lone one does.

        Not where both are infinite: a jump looks like this.
        """
        if self.left is None or self.right is None:
            return True
        return bool(abs(self.left - self.right) <= 1e-6 * (1 + abs(self.left)))

    @property
    def right_value(self) -> float:
        """The derivative where the function is smooth; at a kink the taken value if it lies between the slopes."""
        if self.left is None or self.right is None:
            known = self.left if self.right is None else self.right
            return self.taken if known is None else known
        if self.smooth:
            return self.left if self.left == self.right else (self.left + self.right) / 2
        if not np.isfinite(self.left - self.right):
            return self.taken
        low, high = sorted((self.left, self.right))
        return self.taken if low <= self.taken <= high else least(self.left, self.right)


def sides_of(asked: Asked, edge: bool) -> list[Sides]:
    """One-sided slopes of the whole function in each entry of the sources, where these are few and can be told.

    At the `edge` of a domain the slope of one side will do.
    """
    if asked.in_rows or sum(int(np.size(a)) for a in asked.answers if a is not None) > _ENTRIES:
        return []
    order = history(asked.mark, [target for target, _ in asked.seeds], asked.wanted)
    if any(not node.op.family for node in order if node.op is not None):
        return []
    found = []
    for i, (node, answer) in enumerate(zip(asked.wanted, asked.answers)):
        x = value_seen(order, node) if answer is not None else None
        if x is None or np.asarray(x).dtype.kind != "f":
            continue
        for index in np.ndindex(np.shape(answer)):
            slopes = slopes_at(order, asked.seeds, node, x, index)
            told = 2 if slopes is not None else 0
            told -= 0 if slopes is None else slopes.count(None)
            if slopes is not None and told >= (1 if edge else 2):
                found.append(Sides(i, index, slopes[0], slopes[1], float(np.asarray(answer)[index])))
    return found
