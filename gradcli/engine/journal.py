"""What variables, tapes, modules and optimizers were: entered before the first change, so that all can be undone.

Only what is older than the journal is entered; what was made since is simply forgotten with the names that hold it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from .recording import Recording, current_state, include, next_index

if TYPE_CHECKING:
    from collections.abc import Callable

    from .recording import Mark, State
    from .tape import GradientTape
    from .tensor import Node
    from .variable import Variable

_TAPE = ("paused", "open", "used", "used_site", "mark")
_MARK = ("alive", "closed_at", "reset_site")


class Changing(Protocol):
    """A thing that changes in place and is no variable and no tape: a module, an optimizer."""

    #: `next_index()` when it was made; 0 while it is being made
    _made: int

    def way_back(self) -> Callable[[], None]:
        """A function that makes it what it is now."""


def entering(thing: Changing) -> None:
    """Enter a thing that is about to change in the journal that is being kept, if there is one."""
    journal = current_state().journal
    if journal is not None:
        journal.thing(thing)


class Journal:
    """What one state's things were at a moment. `State.journal` holds the one that is being kept."""

    def __init__(self, state: State) -> None:
        self._since = next_index()
        self._variables: dict[Node, tuple[Variable, Any, Any]] = {}
        self._tapes: dict[int, tuple[Any, ...]] = {}
        self._things: dict[int, tuple[Changing, Callable[[], None]]] = {}
        for tape in state.tapes:
            self.tape(tape)

    def variable(self, variable: Variable) -> None:
        """Enter a variable that is about to be assigned."""
        node = variable.node
        if node.index < self._since and node not in self._variables:
            self._variables[node] = (variable, variable.value, node.p0)

    def tape(self, tape: GradientTape) -> None:
        """Enter a tape that is about to open, close, be used or watch."""
        mark = tape.mark
        if 0 < mark.opened_at < self._since and tape.serial not in self._tapes:
            self._tapes[tape.serial] = (
                tape, [getattr(tape, name) for name in _TAPE], [getattr(mark, name) for name in _MARK],
                [list(span) for span in mark.stops], dict(mark.variables), dict(mark.watched_at),
            )  # fmt: skip

    def thing(self, thing: Changing) -> None:
        """Enter a module or an optimizer that is about to change."""
        if 0 < thing._made < self._since and id(thing) not in self._things:
            self._things[id(thing)] = (thing, thing.way_back())

    def roll_back(self) -> None:
        """Put everything that was entered back as it was."""
        for _, back in self._things.values():
            back()
        for variable, value, past in self._variables.values():
            variable.value = value
            variable.node.p0 = past
        for tape, values, marked, stops, variables, watched in self._tapes.values():
            for name, value in zip(_TAPE, values):
                setattr(tape, name, value)
            mark = tape.mark
            for name, value in zip(_MARK, marked):
                setattr(mark, name, value)
            for node in {*mark.variables, *mark.watched_at} - {*variables, *watched}:
                node.rec = _without(node.rec, mark)
            mark.stops, mark.variables, mark.watched_at = stops, variables, watched


def _without(recording: Recording | Mark | None, mark: Mark) -> Recording | Mark | None:
    marks = recording.marks - {mark} if recording is not None else frozenset()
    return include(None, marks, None) if marks else None
