"""`gradient(…)`, `jacobian(…)` and their kind in a program: which tape is asked, and for each None the reason."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable, explain
from gradcli.engine.jacobian import batch_jacobian, hessian, hvp, jacobian
from gradcli.engine.pushforward import jvp
from gradcli.engine.recording import next_index
from gradcli.engine.structure import flatten, ordered, pack

from . import functional
from .compiler import PARENT, Compiler
from .inquiry import answer, asked_of
from .outcomes import NoGradient, Place, ProgramError
from .values import kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .compiler import Closure, Frame


class Query:
    """One kind of question to a tape: its parameters, of which the second is the sources, and how it is asked."""

    __slots__ = ("ask", "check", "functional", "kind", "names", "required")

    def __init__(
        self, names: tuple[str, ...], required: int, ask: Callable[..., Any],
        functional: Callable[..., Any] | None = None, kind: str = "", check: bool = False,
    ) -> None:  # fmt: skip
        self.names = names
        self.required = required
        self.ask = ask
        #: what it means for a function in place of a target; None if that is an error
        self.functional = functional
        #: what the engine calls it, if that is another name
        self.kind = kind or ask.__name__
        #: is the answer compared with numeric derivatives, instead of being given?
        self.check = check


def _gradient(tape: GradientTape, target: Any, sources: Any, output_gradients: Any = None, mode: str = "none") -> Any:
    return tape.gradient(target, sources, output_gradients, mode)


_SUMMED = ("target", "sources", "output_gradients", "unconnected_gradients")
QUERIES: dict[str, Query] = {
    "gradient": Query(_SUMMED, 2, _gradient, None, "gradient"),
    "vjp": Query(_SUMMED, 3, _gradient, functional.vjp, "gradient"),
    "jacobian": Query(("target", "sources", "unconnected_gradients"), 2, jacobian, functional.jacobian),
    "batch_jacobian": Query(("target", "source", "unconnected_gradients"), 2, batch_jacobian),
    "hessian": Query(("target", "source", "unconnected_gradients"), 2, hessian, functional.hessian),
    "hvp": Query(("target", "source", "vector", "unconnected_gradients"), 3, hvp, functional.hvp),
    "jvp": Query(("target", "source", "tangent"), 3, jvp, functional.jvp),
    "check_gradient": Query(_SUMMED[:3], 2, _gradient, functional.check_gradient, "gradient", check=True),
}


def compile_query(compiler: Compiler, node: Any, name: str, owner: Closure | None) -> Closure:
    """The closure of a call of `gradient`, `jacobian`, …; `owner` gives the tape of `t.gradient(…)`."""
    query = QUERIES[name]
    session, place, site = compiler.session, compiler.place(node), compiler.site(node)
    state = session.state
    shown, compiler.shown = compiler.shown, False
    told: bool | None = True if shown else None if compiler.once else False
    arguments = _arguments(compiler, node, name, query, owner is None)
    given = {key: compiler.expr(arg) for key, arg in arguments.items()}
    compiler.shown = shown
    first, second = query.names[:2]

    def ask(frame: Frame) -> Any:
        tape = owner(frame) if owner is not None else None
        if owner is not None and not isinstance(tape, GradientTape):
            raise ProgramError(place, "not-a-tensor", "tape-expected", given=kind_of(tape), op=name)
        before = next_index()
        values = {key: value(frame) for key, value in given.items()}
        state.site = site
        if tape is None and query.functional is not None and functional.is_function(values[first]):
            return query.functional(session, place, *values.values())
        if len(values) < query.required:
            missing = query.names[len(values)]
            raise ProgramError(
                place, "wrong-arguments", "missing", op=name, argument=missing, names=query.names
            )  # fmt: skip
        if tape is None:
            tape = session.tape_to_ask(place)
        target, sources = values[first], values[second]
        for role, value in (("target", target), ("source", sources)):
            _only_tensors(place, role, value)
        leaves = leaf_nodes(arguments[second], sources)
        session.leaf_places = {id(item): leaf for item, leaf in zip(flatten(sources), leaves)}
        session.leaf_places |= {id(item): arguments[first] for item in flatten(target) if isinstance(item, Tensor)}
        session.leaf_source = compiler.source
        if values.get("unconnected_gradients", "") is None:
            values["unconnected_gradients"] = "none"
        rest = {("mode" if query.ask is _gradient and key == "unconnected_gradients" else key): value
                for key, value in values.items() if key not in (first, second)}  # fmt: skip
        # in a loop nobody comes back to the tape of a turn: what it kept of large values goes with its gradient
        loses = told is False and query.ask is _gradient and not query.check and not tape.persistent
        tape.swept = [] if loses else None
        started = perf_counter()
        try:
            found = query.ask(tape, target, sources, **rest)
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
        names = [Place(compiler.source, leaf.start, leaf.end).text for leaf in leaves]
        weights = values.get(query.names[2])
        if query.check:
            from .checking import check_answer, verdict_value

            asked = asked_of(session, query.kind, tape, target, flatten(sources), results, weights)
            return verdict_value(check_answer(session, place, asked, names))
        results = answer(session, place, query.kind, tape, target, flatten(sources), results, weights, names, told)
        tape.swept = None
        if session.taken is not None and query.ask is _gradient and not session.inner:
            session.taken.update(zip(_keys(sources, iter(names)), ((result, place) for result in results)))
        return pack(found, iter(results))

    return ask


def _only_tensors(place: Place, role: str, value: Any) -> None:
    for item in flatten(value):
        if not isinstance(item, (Tensor, Variable)):
            none = item.reason.code if isinstance(item, NoGradient) else None
            raise ProgramError(place, "not-a-tensor", role, given=kind_of(item), none=none)


def _arguments(compiler: Compiler, node: Any, name: str, query: Query, may_be_function: bool) -> dict[str, Any]:
    """The arguments by name. Raises `wrong-arguments` when compiling."""
    names = query.names
    if len(node.args) > len(names):
        raise compiler.error(node, "wrong-arguments", "too-many", op=name, given=len(node.args), names=names)
    arguments = dict(zip(names, node.args))
    for keyword in node.kwargs:
        key = keyword.name
        if key not in names and names[1].rstrip("s") == key.rstrip("s"):
            key = names[1]  # `source` and `sources` are the same
        if key not in names or key in arguments:
            kind = "twice" if key in arguments else "unknown"
            raise compiler.error(keyword, "wrong-arguments", kind, op=name, argument=key, names=names)
        arguments[key] = keyword.value
    least = 1 if may_be_function and query.functional is not None else 2
    for key in names[:least]:
        if key not in arguments:
            raise compiler.error(node, "wrong-arguments", "missing", op=name, argument=key, names=names)
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


def _keys(sources: Any, names: Iterator[str], path: str = "") -> list[str]:
    """For each source its keys in the dicts that hold it, dotted; else the text of its expression."""
    if isinstance(sources, dict):
        parts = [(f"{path}.{key}" if path else str(key), sources[key]) for key in ordered(sources)]
    elif isinstance(sources, (list, tuple)):
        parts = [(f"{path}.{k}" if path else "", item) for k, item in enumerate(sources)]
    else:
        text = next(names)
        return [path or text]
    return [key for inner, item in parts for key in _keys(item, names, inner)]


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
    elif reason.code == "rebound" and sites[1:]:
        whole, part = sites[:2]
        if whole.source is part.source and whole.start <= part.start < whole.end:
            del sites[1]  # `x = x + 1`: the computation is a piece of the rebinding
    return NoGradient(reason, tuple(sites), Place(compiler.source, leaf.start, leaf.end).text)
