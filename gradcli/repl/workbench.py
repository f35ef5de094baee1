"""The state of an interactive session: the lines that succeeded, a way back from each, and runs that leave no trace."""

from __future__ import annotations

import os
from collections import deque
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from gradcli.engine.dtypes import dtype_name, find_dtype
from gradcli.lang.parser import parse
from gradcli.lang.source import Source
from gradcli.runtime.compiler import Compiler, Scope
from gradcli.runtime.moment import Moment
from gradcli.runtime.outcomes import Failed, Place, ProgramError
from gradcli.runtime.session import Session, opens_tape
from gradcli.runtime.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from gradcli.runtime.tracing import Traced, Tracing

#: lines that can be taken back; each holds what its line replaced
_DEPTH = 100
#: `:time` repeats an expression for so long
_SECONDS = 0.2

Lines = list[list[tuple[str, str]]]


class Screen(Protocol):
    """Where outcomes and answers of commands go."""

    def emit(self, outcome: Any) -> None:
        """Print an outcome of a run."""

    def lines(self, lines: Lines) -> None:
        """Print lines of pieces with their styles."""

    def say(self, text: str) -> None:
        """Say what went wrong or happened, in a line beside the results."""

    def code_page(self, word: str) -> Lines | None:
        """The page of a diagnostic's code; None if it is none."""

    def display(self) -> dict[str, Any]:
        """The settings of what printed values look like."""

    def set_display(self, name: str, value: Any) -> None:
        """Change one of them."""


class Line:
    """An input that succeeded: its source, the folder that its paths start from, and what a saved program must know."""

    __slots__ = ("asked", "dtype", "folder", "on_whole_tape", "opens_tape", "source")

    def __init__(self, source: Source, folder: str, dtype: str) -> None:
        self.source = source
        self.folder = folder
        #: the default float dtype before it
        self.dtype = dtype
        #: did it run while the session as a whole was recorded?
        self.on_whole_tape = False
        self.opens_tape = False
        #: did it ask for a gradient?
        self.asked = False


class Workbench:
    """One interactive session. Raises KeyboardInterrupt out of whatever runs; the session is then as it was before."""

    def __init__(self, screen: Screen, dtype: str | None = None, seed: int | None = None) -> None:
        self.screen = screen
        self.dtype = dtype or "float32"
        self.seed = seed
        self.count = 0
        self.lines: list[Line] = []
        self._undo: deque[tuple[str, Callable[[], None]]] = deque(maxlen=_DEPTH)
        self.session = self._fresh(screen.emit)
        self._committing = False

    @property
    def uninterruptible(self) -> bool:
        """Would an interrupt now leave the session half changed? It is over in an instant."""
        return self._committing or self.session.settling

    def _fresh(self, emit: Callable[[Any], None], thorough: bool = False) -> Session:
        session = Session(emit, Settings(None, None, self.seed, thorough=thorough))
        session.state.float_dtype = find_dtype(self.dtype)
        return session

    # -- lines ---------------------------------------------------------------------------------------------------------

    def run(self, text: str) -> bool:
        """Run what was typed; False if it failed and was undone."""
        self.count += 1
        return self._run(Source(f"<{self.count}>", text), self.session.folder)

    def load(self, path: str) -> bool:
        """Run the program in a file as one line. Raises OSError, NotText."""
        with open(path, "rb") as file:
            source = Source.from_bytes(path, file.read())
        self.count += 1
        return self._run(source, os.path.dirname(path) or ".")

    def _run(self, source: Source, folder: str) -> bool:
        session = self.session
        line = Line(source, folder, dtype_name(session.state.float_dtype))
        whole, asked = session.program_tape is not None, session.gradients_asked
        moment = Moment(session)
        home, session.folder = session.folder, folder
        try:
            if not session.run(source, moment=moment):
                return False
        finally:
            session.folder = home
        self._committing = True
        line.on_whole_tape = session.program_tape is not None
        line.opens_tape = session.opens_tapes and opens_tape(parse(source.text))
        line.asked = session.gradients_asked > asked
        self.lines.append(line)
        self._undo.append((source.text, lambda: self._take_back(moment)))
        self._committing = False
        if whole and not line.on_whole_tape:
            self.screen.say("note: from here on only tapes record; the session as a whole no longer does")
        return True

    def _take_back(self, moment: Moment) -> None:
        moment.restore()
        self.lines.pop()

    def undo(self) -> str | None:
        """Take back the last line or `:reset`; its text, or None if there is none (or none that is remembered)."""
        if not self._undo:
            return None
        text, back = self._undo.pop()
        self._committing = True
        back()
        self._committing = False
        return text

    def reset(self) -> None:
        """Forget every line. This, too, can be taken back."""
        session, lines = self.session, self.lines

        def back() -> None:
            self.session, self.lines = session, lines

        self._undo.append((":reset", back))
        self.session, self.lines = self._fresh(self.screen.emit), []

    # -- runs that leave no trace --------------------------------------------------------------------------------------

    def last_asked(self) -> Line | None:
        """The last line that asked for a gradient."""
        return next((line for line in reversed(self.lines) if line.asked), None)

    def again(
        self, emit: Callable[[Any], None], thorough: bool = False, checked: Line | None = None,
        tracing: Tracing | None = None,
    ) -> Session:  # fmt: skip
        """A session of its own that ran the same lines, up to the last that asked for a gradient.

        `thorough` keeps what tells the story of each gradient that the last of these lines took, `tracing` the steps of
        each; those of the line `checked` are compared with numeric differentiation. What is printed goes to `emit`.
        """
        last = self.last_asked()
        session = self._fresh(emit, thorough)
        session.state.replayable = True
        session.tracing = tracing
        for line in self.lines:
            session.folder = line.folder
            session.settings.checks = "numeric" if line is checked else ""
            if line is last:
                session.explained.clear()
                if tracing is not None:
                    tracing.found.clear()
            session.run(line.source)
            if line is last:
                break
        return session

    def traced(self) -> Traced | None:
        """The steps of the last gradient that a line asked for."""
        from gradcli.runtime.tracing import Tracing

        if self.last_asked() is None:
            return None
        tracing = Tracing()
        self.again(lambda outcome: None, tracing=tracing)
        if tracing.again:
            tracing = Tracing(tracing.counts)
            self.again(lambda outcome: None, tracing=tracing)
        return next(reversed(tracing.found.values()), None)

    def time(self, text: str) -> tuple[int, float, float] | None:
        """Evaluate an expression over and over: how often, and the seconds of the first and of the fastest time.

        None if it fails. It prints nothing and changes nothing.
        """
        session = self.session
        source = Source("<:time>", text)
        found: list[float] = []
        moment = Moment(session)

        def heard(outcome: Any) -> None:
            if type(outcome) is Failed:
                self.screen.emit(outcome)

        def body() -> None:
            session.expectations = None
            program = parse(text)
            session.check_names(program)
            if len(program.body) != 1 or type(program.body[0]).__name__ != "ExprStatement":
                raise ProgramError(Place(source, 0, len(text)), "syntax", "expression-expected")
            statement: Any = program.body[0]
            names = frozenset(session.frame)
            call = Compiler(session, source, Scope(names, None)).expr(statement.value)
            until = perf_counter() + _SECONDS
            while True:
                start = perf_counter()
                call(session.frame)
                end = perf_counter()
                found.append(end - start)
                if end > until:
                    return

        usual = session.tell(heard)
        try:
            fine = session.guarded(source, body, moment)
        finally:
            session.tell(usual)
            moment.restore()
        return (len(found), found[0], min(found)) if fine else None
