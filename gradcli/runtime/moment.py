"""All that a session is at one moment, so that a run that fails or is taken back leaves nothing behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine.journal import Journal

if TYPE_CHECKING:
    from .session import Session

#: plain attributes of a session and of its state that a run may set
_SESSION = ("program_tape", "last_tape", "opens_tapes", "folder", "started", "lines_before", "gradients_asked")
_STATE = ("float_dtype", "replayable", "_random")
#: dicts of a session that a run enters things in; what is explained stays, as far as a program ran
_TABLES = ("frame", "inquiries", "unsettled", "checked")


class Moment:
    """A session as it is when this is made; from then on its state keeps a journal of what changes in place."""

    def __init__(self, session: Session) -> None:
        self._session = session
        state = session.state
        self._values = [getattr(session, name) for name in _SESSION]
        self._state = [getattr(state, name) for name in _STATE]
        self._tables = [dict(getattr(session, name)) for name in _TABLES]
        self._told = [(inquiry, inquiry.told) for inquiry in session.inquiries.values()]
        self._first = session.first_derivatives.copy()
        self._tapes = list(state.tapes)
        self._generator = state._random.bit_generator.state if state._random is not None else None
        self._journal = state.journal = Journal(state)

    def restore(self) -> None:
        """Make the session what it was. Of several moments the latest comes first."""
        session = self._session
        state = session.state
        session.settling = True  # an interrupt in the middle would leave one half old and one half new
        try:
            self._journal.roll_back()
            for name, value in zip(_SESSION, self._values):
                setattr(session, name, value)
            for name, value in zip(_STATE, self._state):
                setattr(state, name, value)
            for name, entries in zip(_TABLES, self._tables):
                table: dict[Any, Any] = getattr(session, name)
                table.clear()
                table.update(entries)
            for inquiry, told in self._told:
                inquiry.told = told
            session.first_derivatives = self._first.copy()
            if state._random is not None and self._generator is not None:
                state._random.bit_generator.state = self._generator
            state.tapes[:] = self._tapes
            state.refresh()
            session.calls = session.inner = 0
            session.showing = session.captured = None
        finally:
            session.settling = False
