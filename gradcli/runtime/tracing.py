"""What `gradcli trace` keeps of a run: the steps of each query, with the names that the program gives to values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import Tensor, Variable
from gradcli.engine.asked import Asked
from gradcli.engine.tape import node_of
from gradcli.engine.trace import Trace, steps_to, traced

from .outcomes import Outcome, Place

if TYPE_CHECKING:
    from gradcli.engine.tensor import Node

    from .session import Session


class Traced(Outcome):
    """One query (`times` over, of which the last is traced): its trace, and the names of its values by their nodes.

    `kind` is that of the query, "" where a program asks for no gradient: then there are steps alone. `names` are those
    of nodes, `arrays` those of raw values by their identity. `targets` and `sources` are pairs of a name and a node,
    `answers` raw arrays (None where not connected); `places` are those behind the nodes' sites.
    """

    __slots__ = ("answers", "arrays", "kind", "names", "places", "sources", "targets", "times", "trace")

    def __init__(
        self, place: Place, kind: str, trace: Trace, names: dict[Node, str], arrays: dict[int, str], places: list[Any]
    ) -> None:  # fmt: skip
        super().__init__(place)
        self.kind = kind
        self.trace = trace
        self.names = names
        self.arrays = arrays
        self.places = places
        self.targets: list[tuple[str, Node]] = []
        self.sources: list[tuple[str, Node]] = []
        self.answers: list[Any] = []
        self.times = 1


#: runs of a query in a loop that are traced as they come; of more, only the last, when the program runs again
_EAGER = 20


class Tracing:
    """The traces of a session, by the places of their queries, and the names that were given to values as it ran.

    Of a query that runs many times the last is wanted. Which one that is, is known only at the end: then `again` is
    true, and the program is to be run once more with `Tracing(counts)`.
    """

    def __init__(self, counts: dict[tuple[Any, int, int], int] | None = None) -> None:
        self.found: dict[tuple[Any, int, int], Traced] = {}
        #: how often each query ran, by its place
        self.counts: dict[tuple[Any, int, int], int] = {}
        self._wanted = counts
        self._names: dict[Node, str] = {}
        self._given: dict[str, int] = {}
        #: raw values of tensors without a node, held so that their identity stays theirs
        self._arrays: dict[int, tuple[Any, str]] = {}

    def name(self, value: Any, name: str) -> None:
        """A name was given to a value; the first of two names stays."""
        if not isinstance(value, (Tensor, Variable)):
            return
        if value.node is None:
            self._arrays.setdefault(id(value.value), (value.value, name))
        elif value.node not in self._names:
            self._names[value.node] = name
            self._given[name] = self._given.get(name, 0) + 1

    def arrays(self) -> dict[int, str]:
        """The names of values that no tape knows, by the identity of their arrays."""
        return {key: name for key, (_, name) in self._arrays.items()}

    def names(self) -> dict[Node, str]:
        """The names by which values are known: `y`, or `y.2` where a name was given several times."""
        count: dict[str, int] = {}
        found = {}
        for node, name in self._names.items():
            count[name] = count.get(name, 0) + 1
            found[node] = name if self._given[name] == 1 else f"{name}.{count[name]}"
        return found

    def enter(self, session: Session, place: Place, asked: Asked, names: list[str]) -> None:
        """Keep the trace of a query in the place of an earlier one of the same place."""
        key = (place.source, place.start, place.end)
        times = self.counts[key] = self.counts.get(key, 0) + 1
        if times > _EAGER if self._wanted is None else times != self._wanted.get(key):
            return
        known = self.names()
        for name, source in zip(names, asked.sources):
            known.setdefault(node_of(source), name)
        made = Traced(place, asked.kind, traced(asked), known, self.arrays(), session.places)
        for node, _ in made.trace.seeds:
            known.setdefault(node, "target")
            made.targets.append((known[node], node))
        made.sources = [(known[node], node) for node in asked.wanted]
        made.answers = list(asked.answers)
        made.times = times
        self.found[key] = made

    @property
    def again(self) -> bool:
        """Did a query run so often that its last run was not traced?"""
        return self._wanted is None and any(times > _EAGER for times in self.counts.values())

    def without_query(self, session: Session, place: Place) -> Traced | None:
        """The recorded operations that led to the values which names hold at the end; None if there are none."""
        tape = session.program_tape or session.last_tape
        held = [
            v for v in session.frame.values() if isinstance(v, Tensor) and v.node is not None and v.node.op is not None
        ]
        if tape is None or not held:
            return None
        asked = Asked(session.state, tape.mark, "gradient", held, held, [], None, [])
        trace = Trace()
        trace.steps = steps_to(asked, [node_of(v) for v in held])
        if not trace.steps:
            return None
        return Traced(place, "", trace, self.names(), self.arrays(), session.places)
