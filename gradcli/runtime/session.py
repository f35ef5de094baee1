"""A session: all state of a run of programs. It takes a source and emits outcomes; nothing is printed here.

There is one place that turns our own errors into a `Failed` outcome: `Session.run`. Anything else is a bug and rises.
"""

from __future__ import annotations

import gc
import sys
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.engine import EngineError, GradientTape, State, Tensor, Variable
from gradcli.engine.dtypes import find_dtype
from gradcli.engine.ops.selection import as_tensor
from gradcli.engine.recording import activate, deactivate
from gradcli.lang.faults import FaultError
from gradcli.lang.parser import parse
from gradcli.lang.resolve import resolve
from gradcli.lang.source import Source

from .compiler import Compiler, Scope
from .data_files import read
from .expectations import Expectations
from .moment import Moment
from .nesting import FirstDerivatives
from .outcomes import Failed, Noted, Outcome, Place, ProgramError, Warned, faulted
from .predefined import MISSING, candidates, dotted, known
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from .tracing import Tracing

#: Python's own limit is raised for programs that recurse: 1,000 calls of a program take up to this many of Python's
_RECURSION = 50_000


#: what stops a statement without being a bug of ours
_STOPS = (FaultError, ProgramError, EngineError, RecursionError, MemoryError)


class Session:
    """Names, tapes and the engine's state. `run` may be called again and again: names stay."""

    def __init__(self, emit: Callable[[Outcome], None], settings: Settings | None = None, folder: str = ".") -> None:
        self.settings = settings or Settings()
        self._emit = emit
        self.expectations: Expectations | None = None
        self.failed = False
        self.folder = folder
        self.state = State()
        self.frame: dict[Any, Any] = {}
        #: the places behind the engine's site numbers; 0 is none
        self.places: list[Any] = [None]
        self.calls = 0
        self.program_tape: GradientTape | None = None
        self.last_tape: GradientTape | None = None
        self.opens_tapes = False
        self.leaf_places: dict[int, Any] = {}
        self.leaf_source: Source | None = None
        #: answers that names hold, by the identity of their nodes: what is to be told when one is printed
        self.inquiries: dict[int, Any] = {}
        #: how often an answer of a query was not finite, by its place
        self.unsettled: dict[Any, int] = {}
        #: tells of loops while they run: from items, how many there are (None if unknown) and a text to the same items
        self.progress: Callable[[Any, int | None, str], Any] | None = None
        #: for `trace`: the steps of each query, and names of values; None for every other command
        self.tracing: Tracing | None = None
        #: the gradients taken, with their places, by the names of their sources; None where nobody asks
        self.taken: dict[str, tuple[Any, Place]] | None = None
        #: how often the answer of a query was checked in full, by its place
        self.checked: dict[Any, int] = {}
        #: gradients taken while another tape records
        self.first_derivatives = FirstDerivatives()
        #: for `explain`: the story of each query by its place, and the notes of the one that is being told
        self.explained: dict[Any, Any] = {}
        self.captured: list[Any] | None = None
        self.state.thorough = self.state.keeps_operands = self.settings.thorough
        #: gradients, Jacobians and their kind that were asked for
        self.gradients_asked = 0
        #: is it being put back to an earlier moment?
        self.settling = False
        #: queries answered so far, when the run began, and whether there were others before it (a session's lines)
        self.answered = 0
        self.started = 0.0
        self.lines_before = False
        #: while a changed program is tried: what is told each answer
        self.rehearsal: Callable[[Any], None] | None = None
        #: derivatives in progress that are part of another one
        self.inner = 0
        #: the expression whose value will be printed
        self.showing: Place | None = None
        #: time spent in gradient queries
        self.backward_seconds = 0.0
        self.state.warn = self._warn
        if self.settings.seed is not None:
            self.state.random = np.random.default_rng(self.settings.seed)
        if self.settings.dtype is not None:
            self.state.float_dtype = find_dtype(self.settings.dtype)

    def tell(self, emit: Callable[[Outcome], None]) -> Callable[[Outcome], None]:
        """Hand outcomes to another function from here on; returns the one before."""
        before, self._emit = self._emit, emit
        return before

    # -- what the compiled program calls -------------------------------------------------------------------------------

    def site(self, place: Place) -> int:
        """The number under which the engine knows a place."""
        self.places.append(place)
        return len(self.places) - 1

    def site_at(self, source: Source, start: int, end: int) -> int:
        """The number of a span."""
        return self.site(Place(source, start, end))

    def tensor(self, value: Any) -> Tensor:
        """A tensor of any value that can be one."""
        return as_tensor(value)

    def tape_to_ask(self, place: Place) -> GradientTape:
        """The tape that a free `gradient` asks: opened or closed last, else the whole program's."""
        tape = self.last_tape or self.program_tape
        if tape is None:
            raise ProgramError(place, "not-recording", "no-tape")
        return tape

    def override(self, name: str) -> Any:
        """The value that the caller set for a declared name; None if it set none."""
        text = self.settings.overrides.get(name)
        if text is None:
            return None
        return self.evaluate(text, f"--set {name}")

    def evaluate(self, text: str, name: str) -> Any:
        """The value of one expression; `@file` reads a file, relative to the working directory."""
        source = Source(name, text)
        place = Place(source, 0, len(text))
        if text.startswith("@"):
            return read(self, place, text[1:], text[1:], flag=True)
        try:
            program = parse(text)
            self.check_names(program)
        except FaultError as error:
            fault = error.faults[0]
            raise ProgramError(Place(source, fault.start, fault.end), fault.code, fault.kind, **fault.details) from None
        if len(program.body) != 1 or type(program.body[0]).__name__ != "ExprStatement":
            raise ProgramError(place, "syntax", "expression-expected")
        statement: Any = program.body[0]
        return Compiler(self, source, Scope(frozenset(), None)).expr(statement.value)(self.frame)

    def _warn(self, code: str, dtype: str, item: Any) -> None:
        leaf = self.leaf_places.get(id(item))
        place = self.places[self.state.site]
        name = item.name if code == "skipped-variable" else None
        if leaf is not None and self.leaf_source is not None:
            place = Place(self.leaf_source, leaf.start, leaf.end)
        declared = self.places[item.node.site] if item.node is not None and item.node.site else None
        if place is not None:
            self.emit(Warned(place, code, declared, dtype=dtype, name=name or place.text))

    # -- running -------------------------------------------------------------------------------------------------------

    def run(self, source: Source, program: Any = None, moment: Moment | None = None) -> bool:
        """Run a source (parsed already, or not); False if it failed. What a failing source did is undone again.

        `moment` is what it is undone to; a caller that keeps one can also go back to it later.
        """
        body = lambda: self._run(source, parse(source.text) if program is None else program)
        return self.guarded(source, body, moment)

    def guarded(self, source: Source, body: Callable[[], None], moment: Moment | None = None) -> bool:
        """Run `body` in this session's state; errors become outcomes, and what it did is undone if it fails."""
        moment = moment or Moment(self)
        token = activate(self.state)
        limit, thresholds = sys.getrecursionlimit(), gc.get_threshold()
        sys.setrecursionlimit(max(limit, _RECURSION))
        gc.set_threshold(100_000, 50, 100)
        self.failed = False
        finished = False
        try:
            with np.errstate(all="ignore"):
                body()
            finished = True
        except _STOPS as error:
            self._fail(source, error)
        finally:
            self.calls = 0
            if self.failed or not finished:
                moment.restore()
            deactivate(token)
            sys.setrecursionlimit(limit)
            gc.set_threshold(*thresholds)
        return not self.failed

    def _run(self, source: Source, program: Any) -> None:
        self.lines_before = self.started > 0
        # a function must have kept what it ran by the time it is checked, which may be a line later
        if self.settings.checks or self.lines_before or self.tracing is not None or "check_gradient" in source.text:
            self.state.replayable = True
        self.started = perf_counter()
        self.expectations = Expectations(source, program.comments)
        faults = self._name_faults(program)
        if faults:
            self._fail(source, FaultError(faults))
            if self.failed:
                return
            wrong = [(fault.start, fault.end) for fault in faults]
            program.body = [n for n in program.body if not any(n.start <= s and e <= n.end for s, e in wrong)]
        if opens_tape(program):
            self.opens_tapes = True
            if self.program_tape is not None:
                self.end_program_tape()
        elif not self.opens_tapes and self.program_tape is None:
            self.program_tape = GradientTape(persistent=True, name="program")
            self.program_tape.__enter__()
        self.state.refresh()
        compiler = Compiler(self, source, Scope(program.locals, None))
        closures, float_dtype = [], self.state.float_dtype
        for node in program.body:
            try:
                closures.append(compiler.statement(node))
            except _STOPS as error:
                self._fail(source, error)
        if self.failed:
            return
        self.state.float_dtype = float_dtype  # compiling has gone through every `default`; now each comes in its turn
        for closure in closures:
            try:
                closure(self.frame)
            except _STOPS as error:
                self.calls = 0
                if self._fail(source, error):
                    return
        for verdict in self.expectations.verdicts():
            self._emit(verdict)

    def _fail(self, source: Source, error: BaseException) -> bool:
        """Emit what an error means; False if its line expects it, so that the program goes on."""
        before, self.failed = self.failed, False
        for outcome in self._failures(source, error):
            self.emit(outcome)
        failed, self.failed = self.failed, self.failed or before
        return failed

    def emit(self, outcome: Outcome) -> None:
        """Hand an outcome to the caller, unless its line says that it must come."""
        if self.expectations is not None and self.expectations.absorbs(outcome):
            if self.captured is not None:
                self.captured.append(outcome)
            return
        if self.captured is not None and type(outcome) is Noted:
            self.captured.append(outcome)
            return
        if type(outcome) is Failed:
            self.failed = True
        self._emit(outcome)

    def _failures(self, source: Source, error: BaseException) -> list[Failed]:
        if isinstance(error, FaultError):
            return faulted(source, error.faults)
        if isinstance(error, ProgramError):
            return [Failed(error.place, error.code, error.kind, error.facts, error.others)]
        if isinstance(error, EngineError):
            return [self._engine_error(source, error)]
        kind = "recursion" if isinstance(error, RecursionError) else "memory"
        place = self.places[self.state.site] or Place(source, 0, 0)
        return [Failed(place, "limit-reached", kind, {"limit": 1000})]

    def named_values(self) -> dict[str, Any]:
        """The arrays that the program's names hold; entries of a list or dict by dotted names (`grads.w`)."""
        found: dict[str, Any] = {}
        stack = [(name, value) for name, value in self.frame.items() if isinstance(name, str) and name not in ("", "_")]
        while stack:
            name, value = stack.pop()
            if isinstance(value, (Tensor, Variable)) and value.dtype.kind in "biufc":
                found[name] = np.asarray(value.value)
            elif isinstance(value, (list, tuple)):
                stack.extend((f"{name}.{i}", item) for i, item in enumerate(value))
            elif isinstance(value, dict):
                stack.extend((f"{name}.{key}", item) for key, item in value.items())
            elif isinstance(value, (bool, int, float, complex)):
                found[name] = np.asarray(value)
        return {name: found[name] for name in sorted(found)}

    def end_program_tape(self) -> None:
        """Close the tape that records a whole program: from the first `tape` on, only tapes record."""
        if self.program_tape is not None:
            self.program_tape.__exit__(None, None, None)
            self.program_tape = None

    def check_names(self, program: Any) -> None:
        """Raise FaultError if a program uses names that nothing binds."""
        faults = self._name_faults(program)
        if faults:
            raise FaultError(faults)

    def _name_faults(self, program: Any) -> list[Any]:
        names = [name for name in self.frame if isinstance(name, str) and name]
        return resolve(program, known, lambda path: dotted(self, path) is not MISSING, candidates, names)

    def _engine_error(self, source: Source, error: EngineError) -> Failed:
        place = self.places[error.site or self.state.site] or Place(source, 0, 0)
        facts = dict(error.facts)
        others = []
        nodes: Any = facts.pop("nodes", ())
        for node, dtype in zip(nodes, facts.get("dtypes", ())):  # type: ignore[call-overload]
            if node is not None and node.site and self.places[node.site] is not place:
                others.append((self.places[node.site], f"is {dtype}"))
        used: Any = facts.pop("used_site", 0)
        if used:
            others.append((self.places[used], "used"))
        return Failed(place, error.code, error.kind, facts, tuple(others))


def opens_tape(program: Any) -> bool:
    """Does a program hold a `tape` block, at any depth?"""
    stack = list(program.body)
    while stack:
        node = stack.pop()
        kind = type(node).__name__
        if kind == "TapeBlock":
            return True
        if kind == "If":
            for _, body in node.branches:
                stack.extend(body)
            stack.extend(node.orelse or ())
        else:
            body = getattr(node, "body", None)
            if isinstance(body, list):
                stack.extend(body)
    return False
