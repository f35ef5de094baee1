"""The line at the bottom: signature and derivative of what the cursor stands in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .commands import COMMANDS, is_command
from .completion import call_under

if TYPE_CHECKING:
    from gradcli.runtime.session import Session

_IDLE = "Tab completes, Ctrl-R searches, :help tells more"
#: from more text than this the cursor's surroundings alone are looked at
_LONG = 20_000


def hint(text: str, cursor: int, session: Session) -> str:
    """One line, without its end; it may be wider than the terminal."""
    if is_command(text):
        name = text.strip().partition(" ")[0]
        command = COMMANDS.get(name)
        return f"{command.name} {command.argument}  {command.help}" if command else "Tab shows the commands"
    if cursor > _LONG:
        text, cursor = text[cursor - _LONG :], _LONG
    for name in call_under(text, cursor):
        found = _of(name, session)
        if found:
            return found
    return _IDLE if not text.strip() else ""


def _of(name: str, session: Session) -> str:
    from gradcli.engine.primitive import lookup
    from gradcli.report.operations import page
    from gradcli.runtime.builtins import BUILTINS
    from gradcli.runtime.queries import QUERIES
    from gradcli.runtime.values import Function

    value = session.frame.get(name)
    if isinstance(value, Function):
        return f"{name}({', '.join(value.params)})"
    if name in session.frame:
        return ""
    if name in QUERIES:
        return f"{name}({', '.join(QUERIES[name].names)})"
    if name in BUILTINS:
        return f"{name}({', '.join(BUILTINS[name].names)})"
    op = lookup(name)
    if op is None:
        return ""
    facts = page(op)
    parts = [facts["signature"], *(f"d/d{operand}: {formula}" for operand, formula in facts["derivative"].items())]
    if not facts["differentiable"]:
        parts.append("no gradient flows through it")
    return "   ".join(parts)
