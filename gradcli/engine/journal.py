"""What variables and tapes were before they changed: entered before the first change, so that all of it can be undone.

Only what is older than the journal is entered; what was made since is simply forgotten with the names that hold it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .recording import Recording, include, next_index

if TYPE_CHECKING:
    from .recording import Mark, State
    from .tape import GradientTape
    from .tensor import Node
    from .variable import Variable

_TAPE = ("paused", "open", "used", "used_site", "mark")
_MARK = ("alive", "closed_at", "reset_site")


class Journal:
    """The variables and tapes of one state since a moment. `State.journal` holds the one that is being kept."""

    def __init__(self, state: State) -> None:
        self._since = next_index()
        self._variables: dict[Node, tuple[Variable, Any, Any]] = {}
        self._tapes: dict[int, tuple[Any, ...]] = {}
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

    def roll_back(self) -> None:
        """Put everything that was entered back as it was."""
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
