"""Who is recording: the tapes that are open now, the place in the user's program, and the default float dtype.

A `Mark` is one recording session of one tape. A `Recording` is a set of marks: the tapes that record at a moment, or
the tapes that a node is on; a lone mark is its own set. The set that records now is one object, `State.recording`, so
that the usual question, "is this operand on every tape that records now?", is one comparison by identity.

A `State` belongs to a context (a thread has its own); nothing here is shared between threads.
"""

from __future__ import annotations

from contextvars import ContextVar, Token
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from .journal import Journal
    from .tape import GradientTape
    from .tensor import Node
    from .variable import Variable

#: Serial numbers of nodes, in order of creation: the order in which a sweep walks back.
next_index = count(1).__next__


class Recording:
    """A set of two or more marks."""

    __slots__ = ("auto", "marks")

    marks: frozenset[Mark]
    auto: frozenset[Mark]

    def __init__(self, marks: frozenset[Mark]) -> None:
        self.marks = marks
        self.auto = frozenset(mark for mark in marks if mark.watches_access)

    def has(self, mark: Mark) -> bool:
        """Is this mark in the set?"""
        return mark in self.marks


class Mark:
    """One recording session of a tape: it ends with `reset`, with the tape's one gradient, or with the tape.

    It answers as the set that holds it alone (`marks`, `auto`, `has`), without holding itself: a cycle would keep what
    it refers to until the next garbage collection.
    """

    __slots__ = (
        "alive", "closed_at", "opened_at", "opened_site", "owner", "reset_site", "stops", "variables", "watched_at",
        "watches_access",
    )  # fmt: skip

    def __init__(self, owner: int, watches_access: bool, opened_at: int, site: int) -> None:
        #: the tape's serial number: a tape that was reset goes on with another mark of the same owner
        self.owner = owner
        self.alive = True
        self.watches_access = watches_access
        #: the variables watched, by their node
        self.variables: dict[Node, Variable] = {}
        #: the index at which each node was watched explicitly
        self.watched_at: dict[Node, int] = {}
        self.opened_at = opened_at
        self.opened_site = site
        self.closed_at = 0
        self.reset_site = 0
        #: `[from, to]` index spans in which the tape was told to stop recording
        self.stops: list[list[int]] = []

    @property
    def marks(self) -> frozenset[Mark]:
        """The set with this mark alone."""
        return frozenset((self,))

    @property
    def auto(self) -> frozenset[Mark]:
        """The set again, if the tape watches the trainable variables that are read."""
        return frozenset((self,)) if self.watches_access else frozenset()

    def has(self, mark: Mark) -> bool:
        """Is `mark` this one?"""
        return self is mark


_default_warning: list[Callable[[str, str, Any], None] | None] = [None]


def set_default_warning(warn: Callable[[str, str, Any], None] | None) -> None:
    """What states made from now on, and this thread's, do with the three dtype warnings."""
    _default_warning[0] = warn
    current_state().warn = warn


class State:
    """What one thread of evaluation needs to know. `site` is an opaque number of the caller's: a place in a program."""

    __slots__ = (
        "_random",
        "epoch",
        "float_dtype",
        "interned",
        "journal",
        "keeps_operands",
        "recording",
        "replayable",
        "site",
        "tapes",
        "thorough",
        "warn",
    )

    def __init__(self) -> None:
        self.recording: Recording | Mark | None = None
        self.site = 0
        #: index from which on unrecorded results remember their operands; 0 where no tape is open
        self.epoch = 0
        #: unrecorded operations keep their operands' values, and gradients are always recorded: for `explain`
        self.thorough = False
        #: operations keep their operands' values, recorded or not
        self.keeps_operands = False
        #: functions with a pullback of their own keep what they ran, so that it can be run again: for checks
        self.replayable = False
        self.float_dtype: np.dtype[Any] = np.dtype(np.float32)
        #: the open tapes, outermost first
        self.tapes: list[GradientTape] = []
        self._random: np.random.Generator | None = None
        self.interned: dict[frozenset[Mark], Recording] = {}
        #: what must be entered before it changes, so that a run can be undone; None where nobody will
        self.journal: Journal | None = None
        #: called with (code, dtype name, tensor or variable) for each of the three dtype warnings
        self.warn: Callable[[str, str, Any], None] | None = _default_warning[0]

    @property
    def random(self) -> np.random.Generator:
        """The source of random numbers; a program starts from the same seed each time."""
        if self._random is None:  # NumPy imports its generators at first use
            self._random = np.random.default_rng(0)
        return self._random

    @random.setter
    def random(self, generator: np.random.Generator) -> None:
        self._random = generator

    def refresh(self) -> None:
        """Recompute who records, after a tape was opened, closed, stopped or reset."""
        marks = [tape.mark for tape in self.tapes]
        self.epoch = 1 if self.keeps_operands else min((mark.opened_at for mark in marks), default=0)
        recording = frozenset(tape.mark for tape in self.tapes if not tape.paused)
        if not recording:
            self.recording = None
            self.interned.clear()
        elif len(recording) == 1:
            (self.recording,) = recording
        else:
            found = self.interned.get(recording)
            if found is None:
                if len(self.interned) > 32:
                    self.interned.clear()
                found = self.interned[recording] = Recording(recording)
            self.recording = found


_state: ContextVar[State] = ContextVar("gradcli_state")


def current_state() -> State:
    """The state of this context; made at the first call in a thread."""
    try:
        return _state.get()
    except LookupError:
        state = State()
        _state.set(state)
        return state


def activate(state: State) -> Token[State]:
    """Make `state` the current one; returns the token that `deactivate` takes."""
    return _state.set(state)


def deactivate(token: Token[State]) -> None:
    """Undo `activate`."""
    _state.reset(token)


def join(a: Recording | Mark | None, b: Recording | Mark | None, now: Recording | Mark) -> Recording | Mark | None:
    """The tapes recording `now` that at least one of two operands is on: the set on which the result is recorded."""
    if a is now or b is now:
        return now
    marks = now.marks
    common: frozenset[Mark] = frozenset()
    if a is not None:
        common = a.marks & marks
    if b is not None and b is not a:
        common = common | (b.marks & marks)
    if not common:
        return None
    if len(common) == 1:
        (mark,) = common
        return mark
    if len(common) == len(marks):
        return now
    return Recording(common)


def include(old: Recording | Mark | None, new: frozenset[Mark], now: Recording | Mark | None) -> Recording | Mark:
    """The set of `new` and of those of `old` that are still in use (`now` itself where that is the same)."""
    marks = new if old is None else frozenset(mark for mark in old.marks if mark.alive) | new
    if len(marks) == 1:
        (mark,) = marks
        return mark
    if now is not None and marks == now.marks:
        return now
    return Recording(marks)
