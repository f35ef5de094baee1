"""The lines of a session as a program that gives the same values when it is run.

Three things mean something else in a file: a session as a whole is recorded until its first `tape`, a file that holds a
`tape` is not; a line's paths start from where it was typed; and a line that ends in an operator or a comma goes on.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from gradcli.data.files import obstacle, write_whole
from gradcli.lang import ast
from gradcli.lang.parser import parse, parser
from gradcli.lang.tokens import JOINERS

if TYPE_CHECKING:
    from .workbench import Line, Workbench


def save(bench: Workbench, path: str) -> str | None:
    """Write the session's lines to a file, whole or not at all; what stands against it, if something does."""
    trouble = obstacle(path)
    if trouble is not None:
        return trouble
    try:
        write_whole(os.path.realpath(path), program_text(bench, os.path.dirname(path) or ".").encode())
    except OSError as error:
        return error.strerror or str(error)
    return None


def program_text(bench: Workbench, folder: str = ".") -> str:
    """The program; paths in it start from `folder`."""
    parts: list[str] = []
    if bench.seed is not None:
        parts.append(f"set_seed({bench.seed})")
    dtype, wrapped = "float32", 0
    if any(line.opens_tape for line in bench.lines):
        wrapped = next((i for i, line in enumerate(bench.lines) if not line.on_whole_tape), 0)
    if wrapped:
        parts.append("tape(persistent=true) {  # the session as a whole, which was recorded up to its first tape")
    for i, line in enumerate(bench.lines):
        rows = _text(line, folder).split("\n")
        if i == 0 and line.dtype != dtype:
            rows.insert(0, f"default {line.dtype}")
        parts.extend("    " + row if i < wrapped and row else row for row in rows)
        if wrapped and i == wrapped - 1:
            parts.append("}")
    return "\n".join([*parts, ""])


def _text(line: Line, folder: str) -> str:
    """The text of one line, ended so that the next one does not go on with it."""
    text = _moved(line, folder).strip("\n").rstrip()
    types = parser().lexer.read(text).types
    return text + "\n;" if len(types) > 1 and types[-2] in JOINERS else text


def _moved(line: Line, folder: str) -> str:
    """The text with the paths of `load` written as they are seen from another folder."""
    text = line.source.text
    if os.path.realpath(line.folder) == os.path.realpath(folder) or "load" not in text:
        return text
    for node in reversed(_loaded(parse(text))):
        path = os.path.relpath(os.path.join(line.folder, node.value), folder)
        if not os.path.isabs(node.value):
            text = f"{text[: node.start]}{_quoted(path)}{text[node.end :]}"
    return text


def _loaded(program: Any) -> list[Any]:
    """The string literals that `load` is called with, in the order of the text."""
    found: list[Any] = []
    stack = [program]
    while stack:
        node = stack.pop()
        if type(node) is ast.Call and type(node.func) is ast.Name and node.func.id == "load":
            found.extend(item for item in node.args[:1] if type(getattr(item, "value", None)) is str)
        if isinstance(node, (list, tuple)):
            stack.extend(node)
        elif isinstance(node, ast.Node):
            names = [name for kind in type(node).__mro__ for name in getattr(kind, "__slots__", ())]
            stack.extend(getattr(node, name, None) for name in names)
    return sorted(found, key=lambda node: int(node.start))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
