"""Why a gradient is None: a question of reachability over what the tape recorded and what it did not.

Asked only when a result is None. It walks the history of the targets (recorded nodes, and the shadows of operations
that no tape recorded) back to the source, and finds the first step on the way from the source at which the path ends. A
reason is exactly one, the one nearest the source: what is wrong with the source, then the first cut, then the target.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .dtypes import dtype_name, is_differentiable
from .passages import GRADIENT
from .tensor import Node, Shadow, Tensor
from .variable import Variable

if TYPE_CHECKING:
    from .recording import Mark
    from .tape import GradientTape


class Reason:
    """`code` is the slug of the reason; `sites` the places, the one to look at first; `facts` what a message needs."""

    __slots__ = ("code", "facts", "sites")

    def __init__(self, code: str, *sites: int, **facts: object) -> None:
        self.code = code
        self.sites = tuple(dict.fromkeys(site for site in sites if site))
        self.facts = facts

    def __repr__(self) -> str:
        return f"Reason({self.code!r}, sites={self.sites}, {self.facts})"


def explain(tape: GradientTape, targets: list[Any], source: Any, *, fresh: bool = False, rebound: int = 0) -> Reason:
    """The reason why the gradient of `targets` with respect to `source` is None on `tape`.

    `fresh` and `rebound` are facts about names that the caller knows: the source was computed in the call itself, or
    its name was rebound at that site.
    """
    mark = tape.mark
    node = source.node if source.node is not None else None
    site = node.site if node is not None else 0
    dtype = source.value.dtype
    if not is_differentiable(dtype):
        return Reason("dtype", site, role="source", dtype=dtype_name(dtype))
    if fresh:
        return Reason("fresh-source", site)
    if rebound and (node is None or not (_on(node, tape.mark) or node in tape.mark.watched_at)):
        return Reason("rebound", rebound, site)
    cut = _first_cut(tape, targets, node) if node is not None else None
    wrong = _wrong_with_source(tape, source, node, site, cut)
    if wrong is not None:
        return wrong
    if any(not is_differentiable(target.value.dtype) for target in targets) and not any(
        is_differentiable(target.value.dtype) for target in targets
    ):
        first = targets[0]
        return Reason("dtype", _site(first), site, role="target", dtype=dtype_name(first.value.dtype))
    if cut is not None:
        return cut
    for target in targets:
        late = _after(mark, target)
        if late:
            return Reason("after-tape", late, mark.opened_site)
    zero = any(target.node is not None and target.node.op is GRADIENT for target in targets)
    early = any(_before(mark, target) for target in targets)
    return Reason("unconnected", site, _site(targets[0]) if targets else 0, derivative=zero, early=early)


def _site(item: Any) -> int:
    return item.node.site if item.node is not None else 0


def _on(node: Node, mark: Mark) -> bool:
    return node.rec is not None and node.rec.has(mark)


def _wrong_with_source(
    tape: GradientTape, source: Any, node: Node | None, site: int, cut: Reason | None
) -> Reason | None:
    mark = tape.mark
    watched = node is not None and (_on(node, mark) or node in mark.watched_at)
    if watched:
        return cut if cut is not None and cut.code in ("watched-late", "tape-reset") else None
    if cut is not None and cut.code == "tape-reset":
        return cut
    if isinstance(source, Variable):
        if not source.trainable:
            return Reason("not-trainable", site)
        if not mark.watches_access:
            return Reason("access-not-watched", site, mark.opened_site)
        return None
    if node is None or node.op is None or node.op.arity == 0:
        return Reason("not-watched", site)
    if node.op is not None and node.index < mark.opened_at:
        return Reason("before-tape", site, mark.opened_site, op=node.op.name)
    if _stopped(mark, node):
        return Reason("recording-stopped", site)
    return Reason("not-watched", site, op=node.op.name)


def _stopped(mark: Mark, node: Node) -> bool:
    return any(begin < node.index and (not end or node.index < end) for begin, end in mark.stops)


def _after(mark: Mark, target: Any) -> int:
    node = target.node
    if node is None or isinstance(target, Variable) or _on(node, mark):
        return 0
    return node.site if mark.closed_at and node.index > mark.closed_at else 0


def _before(mark: Mark, target: Any) -> bool:
    node = target.node
    return isinstance(target, Tensor) and node is not None and node.op is not None and node.index < mark.opened_at


def _first_cut(tape: GradientTape, targets: list[Any], source: Node) -> Reason | None:
    """The earliest step that depends on the source through recorded steps alone, and was not recorded itself."""
    mark = tape.mark
    children: dict[Node, list[Node]] = {}
    seen: set[Node] = set()
    stack = [target.node for target in targets if target.node is not None]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        for parent in node.parents():
            children.setdefault(parent, []).append(node)
            stack.append(parent)
    if source not in seen:
        return None
    live, frontier, cuts = {source}, [source], []
    while frontier:
        node = frontier.pop()
        for child in children.get(node, ()):
            if child in live:
                continue
            if type(child) is Node and _on(child, mark) and _flows(child, node):
                live.add(child)
                frontier.append(child)
            else:
                cuts.append((child, node))
    onward = _leading_on({target.node for target in targets}, cuts)
    # what only decides (the condition of a where, an index) is no path; it is the cut where there is no other
    for child, parent in sorted(cuts, key=lambda pair: (pair[0] not in onward, pair[0].index)):
        reason = _cut(tape, child, parent, source)
        if reason is not None:
            return reason
    return None


def _leading_on(targets: set[Any], cuts: list[tuple[Node, Node]]) -> set[Node]:
    """The nodes from which a gradient would flow on to a target if no step were cut."""
    found: set[Node] = set()
    stack = [node for node in targets if node is not None]
    wanted = {child for child, _ in cuts}
    while stack:
        node = stack.pop()
        if node in found:
            continue
        found.add(node)
        if found >= wanted:
            break
        for i, p in enumerate(node.p0 if type(node.p0) is tuple else (node.p0, node.p1)):
            if p is not None and not _only_decides(node, i):
                stack.append(p)
    return found


def _only_decides(node: Node, i: int) -> bool:
    """Is the i-th operand one that an operation with a derivative has none in?"""
    op = node.op
    if op is None or op.blocked is not None or op.arity < 0 or not op.differentiable:
        return False
    return i < len(op.rules) and op.rules[i] is None


def _flows(child: Node, parent: Node) -> bool:
    op = child.op
    if op is None:
        return False
    if op.arity < 0:
        covered = child.p0[: op.covers] if op.covers else child.p0
        return op.rules[0] is not None and any(p is parent for p in covered)
    parents = child.p0 if type(child.p0) is tuple else (child.p0, child.p1)
    return any(p is parent and rule is not None for p, rule in zip(parents, op.rules))


def _cut(tape: GradientTape, child: Node, parent: Node, source: Node) -> Reason | None:
    mark, op = tape.mark, child.op
    if op is None:  # the handle of a variable: reached through the assignment that stands for itself
        return None
    if op is GRADIENT:
        if mark.closed_at and child.index > mark.closed_at:
            return Reason("after-tape", child.site, mark.opened_site)
        return None
    if op.blocked is not None:
        return Reason(op.blocked, child.site, source.site, op=op.name, direct=parent is source)
    if type(child) is Node and _on(child, mark):
        return Reason("cut-no-derivative", child.site, source.site, op=op.name, direct=parent is source)
    if child.rec is not None:
        for old in child.rec.marks:
            if old is not mark and old.owner == tape.serial:
                return Reason("tape-reset", old.reset_site or child.site, child.site)
    if mark.closed_at and child.index > mark.closed_at:
        return Reason("after-tape", child.site, mark.opened_site)
    if _stopped(mark, child):
        return Reason("recording-stopped", child.site)
    watched = mark.watched_at.get(source)
    if watched is not None and child.index < watched:
        return Reason("watched-late", child.site, source.site)
    if isinstance(child, Shadow) and child.index < mark.opened_at:
        return None
    return None
