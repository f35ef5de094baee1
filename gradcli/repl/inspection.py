"""What `:vars` and `:tapes` show: the names of a session with what they hold, and the tapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradcli.engine import GradientTape, Tensor, Variable
from gradcli.engine.dtypes import dtype_name
from gradcli.lang.resolve import LAST
from gradcli.report.excerpt import cells
from gradcli.report.grid import summary
from gradcli.report.plain import value_text
from gradcli.runtime.values import Function, kind_of

if TYPE_CHECKING:
    from gradcli.runtime.session import Session

    from .workbench import Lines

#: entries of an array that are shown; of a bigger one, what it is like
_ENTRIES = 8
_LONGEST = 60
_ASKED = "  asked by a bare gradient(…)"


def variables_lines(session: Session) -> Lines:
    """A line for each name: name, value in short, what it is."""
    named = [(name, value) for name, value in session.frame.items() if isinstance(name, str) and name not in ("", LAST)]
    if not named:
        return [[("no names yet; write for example  variable x = 3.0", "info")]]
    widest = min(24, max(cells(name) for name, _ in named))
    return [
        [(name + " " * max(widest - cells(name), 0), "name"), ("  ", ""), (_short(value), "value"),
         ("  " + _what(value), "info")]
        for name, value in named
    ]  # fmt: skip


def _short(value: Any) -> str:
    if isinstance(value, (Tensor, Variable)) and value.size > _ENTRIES:
        return summary(value.value) if value.dtype.kind in "iuf" else "…"
    if isinstance(value, Function):
        return f"({', '.join(value.params)})"
    if isinstance(value, (list, tuple, dict)) and len(value) > _ENTRIES:
        return f"{len(value)} entries"
    if isinstance(value, GradientTape):
        return tape_state(value)
    text = value_text(value, 8, isinstance(value, str))
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _what(value: Any) -> str:
    kind = kind_of(value).removeprefix("a ")
    if not isinstance(value, (Tensor, Variable)):
        return kind
    shape = ", ".join(map(str, value.shape))
    fixed = " not trainable" if isinstance(value, Variable) and not value.trainable else ""
    return f"{kind} {dtype_name(value.dtype)} ({shape}){fixed}"


def tapes_lines(session: Session) -> Lines:
    """A line for each tape that a name holds, and for that of the session as a whole."""
    lines: Lines = []
    if session.program_tape is not None:
        lines.append([("the session as a whole", "name"), ("  " + tape_state(session.program_tape), "")])
    last = session.last_tape
    for name, value in session.frame.items():
        if isinstance(value, GradientTape):
            mark = _ASKED if value is last else ""
            lines.append([(str(name), "name"), ("  " + tape_state(value), ""), (mark, "info")])
            last = None if value is last else last
    if last is not None:
        lines.append(
            [
                ("a tape without a name", "name"),
                ("  " + tape_state(last), ""),
                (_ASKED, "info"),
            ]
        )
    return lines or [[("no tapes", "info")]]


def tape_state(tape: GradientTape) -> str:
    """In words: is it recording, may it be asked, what does it watch."""
    state = (
        "recording" if tape.open else "used up by its one gradient" if tape.used and not tape.persistent else "closed"
    )
    once = "persistent" if tape.persistent else "good for one gradient"
    names = [variable.name for variable in tape.watched_variables()]
    shown = ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    others = len(set(tape.mark.watched_at) - set(tape.mark.variables))
    watched = [f"variable{'s' if len(names) > 1 else ''} {shown}"] if names else []
    watched += [f"{others} tensor{'s' if others > 1 else ''}"] if others else []
    return f"{state}, {once}, watches {' and '.join(watched) if watched else 'nothing'}"
