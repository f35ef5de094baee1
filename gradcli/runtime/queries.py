"""`gradient(…)` in a program: which tape is asked, and for each None the reason with its places."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable, explain
from gradcli.engine.kinks import kinks_on_the_way
from gradcli.engine.recording import next_index
from gradcli.engine.structure import flatten, ordered, pack

from .compiler import PARENT, Compiler
from .outcomes import NoGradient, Noted, Place, ProgramError
from .values import kind_of

if TYPE_CHECKING:
    from .compiler import Closure, Frame

_NAMES = ("target", "sources", "output_gradients", "unconnected_gradients")


def compile_gradient(compiler: Compiler, node: Any, owner: Closure | None) -> Closure:
    """The closure of a gradient call; `owner` gives the tape of `t.gradient(…)`."""
    session, place, site = compiler.session, compiler.place(node), compiler.site(node)
    state = session.state
    shown, compiler.shown = compiler.shown, False
    arguments = _arguments(compiler, node)
    given = {name: compiler.expr(arg) for name, arg in arguments.items()}
    compiler.shown = shown
    sources_node = arguments["sources"]

    def ask(frame: Frame) -> Any:
        tape = session.tape_to_ask(place) if owner is None else owner(frame)
        if not isinstance(tape, GradientTape):
            raise ProgramError(place, "not-a-tensor", "tape-expected", given=kind_of(tape), op="gradient")
        before = next_index()
        values = {name: value(frame) for name, value in given.items()}
        target, sources = values["target"], values["sources"]
        state.site = site
        for role, value in (("target", target), ("source", sources)):
            for item in flatten(value):
                if not isinstance(item, (Tensor, Variable)):
                    none = item.reason.code if isinstance(item, NoGradient) else None
                    raise ProgramError(
                        place,
                        "not-a-tensor",
                        role,
                        given=kind_of(item),
                        none=none,
                        text=compiler.place(arguments["target" if role == "target" else "sources"]).text,
                    )
        mode = values.get("unconnected_gradients", "none")
        leaves = leaf_nodes(sources_node, sources)
        session.leaf_places = {id(item): leaf for item, leaf in zip(flatten(sources), leaves)}
        session.leaf_places |= {id(item): arguments["target"] for item in flatten(target) if isinstance(item, Tensor)}
        session.leaf_source = compiler.source
        started = perf_counter()
        try:
            found = tape.gradient(target, sources, values.get("output_gradients"), "none" if mode is None else mode)
        finally:
            session.backward_seconds += perf_counter() - started
            session.leaf_places = {}
            state.site = site
        targets = flatten(target)
        results = []
        for gradient, source, leaf in zip(flatten(found), flatten(sources), leaves):
            if gradient is None:
                gradient = _reason(compiler, frame, tape, targets, source, leaf, before)
            results.append(gradient)
        if shown:
            _notes(session, place, tape, targets, sources, values.get("output_gradients"))
        return pack(found, iter(results))

    return ask


def _arguments(compiler: Compiler, node: Any) -> dict[str, Any]:
    """The arguments by name. Raises `wrong-arguments` when compiling."""
    if len(node.args) > len(_NAMES):
        raise compiler.error(node, "wrong-arguments", "too-many", op="gradient", given=len(node.args), names=_NAMES)
    arguments = dict(zip(_NAMES, node.args))
    for keyword in node.kwargs:
        if keyword.name not in _NAMES or keyword.name in arguments:
            kind = "twice" if keyword.name in arguments else "unknown"
            raise compiler.error(keyword, "wrong-arguments", kind, op="gradient", argument=keyword.name, names=_NAMES)
        arguments[keyword.name] = keyword.value
    for name in _NAMES[:2]:
        if name not in arguments:
            raise compiler.error(node, "wrong-arguments", "missing", op="gradient", argument=name, names=_NAMES)
    return arguments


def leaf_nodes(node: Any, value: Any) -> list[Any]:
    """For each leaf of a structure of sources, in the order of `flatten`, the expression that stands for it."""
    kind = type(node).__name__
    if isinstance(value, (list, tuple)):
        if kind in ("ListExpr", "TupleExpr") and len(node.items) == len(value):
            return [leaf for item, part in zip(node.items, value) for leaf in leaf_nodes(item, part)]
        return [leaf for part in value for leaf in leaf_nodes(node, part)]
    if isinstance(value, dict):
        if kind == "DictExpr" and len(node.keys) == len(value):
            by_key = {getattr(key, "value", None): item for key, item in zip(node.keys, node.values)}
            if set(by_key) == set(value):
                return [leaf for key in ordered(value) for leaf in leaf_nodes(by_key[key], value[key])]
        return [leaf for key in ordered(value) for leaf in leaf_nodes(node, value[key])]
    return [node]


def _reason(
    compiler: Compiler, frame: Frame, tape: GradientTape, targets: list[Any], source: Any, leaf: Any, before: int
) -> NoGradient:
    named = type(leaf).__name__ == "Name"
    rebound = 0
    if named and isinstance(source, Tensor):
        steps = compiler.distance(leaf.id)
        holder = frame
        for _ in range(steps or 0):
            holder = holder[PARENT]
        rebound = holder.get(("rebound", leaf.id), 0)
    fresh = isinstance(source, Tensor) and source.node is not None and source.node.index > before and not named
    reason = explain(tape, targets, source, fresh=fresh, rebound=rebound)
    places = compiler.session.places
    sites = [places[site] for site in reason.sites]
    if reason.code == "fresh-source":
        sites = [compiler.place(leaf)]
    return NoGradient(reason, tuple(sites), Place(compiler.source, leaf.start, leaf.end).text)


def _notes(session: Any, place: Place, tape: GradientTape, targets: list[Any], sources: Any, upstream: Any) -> None:
    """What a printed gradient should be read with: the sum over components, kinks and ties on the way."""
    if upstream is None:
        size = sum(int(target.size) for target in targets)
        if size > 1:
            session.emit(Noted(place, "sum-of-components", count=size, targets=len(targets)))
    for kink in kinks_on_the_way(session.state, tape.mark, targets, flatten(sources), upstream):
        facts = {
            "op": kink.op, "count": kink.count, "total": kink.total, "convention": kink.convention,
            "slopes": kink.slopes, "index": kink.index,
        }  # fmt: skip
        session.emit(Noted(session.places[kink.site] if kink.site else place, kink.code, **facts))
