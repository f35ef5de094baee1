"""What may stand at the end of a text: names, operations, keyword arguments, commands, paths, dtypes."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from gradcli.lang.parser import parser
from gradcli.lang.tokens import CLOSING

from .commands import COMMANDS, is_command
from .settings import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gradcli.lang.tokens import Tokens
    from gradcli.runtime.session import Session

_WORD = re.compile(r"[^\W\d]\w*\Z|\Z")
_DOTTED = re.compile(r"([^\W\d]\w*(?:\.\w+)*)\.\Z")
#: functions whose string is a path
_READS = ("load",)
_DTYPE_OF = {"cast": 1, "astype": 0}  # the position of a dtype among their arguments
#: more words than these are no help
_MOST = 300


class Completions:
    """The words that may stand from `start` on, each with a few words on what it is."""

    def __init__(self, start: int, words: Iterable[tuple[str, str]], prefix: str) -> None:
        self.start = start
        found = {word: what for word, what in reversed(list(words)) if word.startswith(prefix) and word != prefix}
        self.words = list(reversed(found.items()))[:_MOST]


def complete(text: str, session: Session) -> Completions:
    """What may complete `text`, at whose end the cursor stands."""
    if is_command(text):
        return _command(text, session)
    return _program(text, session, len(text))


def _command(text: str, session: Session) -> Completions:
    at = len(text) - len(text.lstrip())
    if text[at] == "?":
        return Completions(at + 1, _operations(), text[at + 1 :])
    name, blank, argument = text[at:].partition(" ")
    if not blank:
        return Completions(at, ((command.name, command.help) for command in COMMANDS.values()), name)
    start = len(text) - len(argument.lstrip())
    argument = text[start:]
    kind = COMMANDS[name].kind if name in COMMANDS else ""
    if kind == "path":
        return _paths(argument.lstrip("'\""), len(text), ".")
    if kind == "program":
        return _program(argument, session, len(text))
    if kind == "page":
        commands = [(command.name[1:], "command") for command in COMMANDS.values()] if name == ":help" else []
        return Completions(start, [*commands, *_operations(), *_codes()], argument)
    if kind == "setting":
        setting, blank, value = argument.partition(" ")
        if not blank:
            return Completions(start, ((key, entry.help) for key, entry in SETTINGS.items()), setting)
        choices = SETTINGS[setting].choices if setting in SETTINGS else ()
        return Completions(len(text) - len(value), ((choice, "") for choice in choices), value)
    return Completions(len(text), (), "")


def _program(text: str, session: Session, size: int) -> Completions:
    """`size` is the length of the whole input, of which `text` is the end."""
    tokens = parser().lexer.read(text)
    opened = _open_string(text, tokens)
    if opened is not None:
        return _in_string(text, tokens, opened, session, size)
    found = _WORD.search(text)
    prefix = found.group() if found else ""
    before = text[: len(text) - len(prefix)]
    start = size - len(prefix)
    dotted = _DOTTED.search(before)
    if dotted is not None:
        return Completions(start, _after_dot(dotted.group(1), session), prefix)
    if text.rstrip().endswith(".") or (tokens.comments and tokens.comments[-1][1] == len(text)):
        return Completions(size, (), "")
    call = _enclosing_call(before, parser().lexer.read(before))
    if _wants_dtype(before, call):
        return Completions(start, [*_dtypes(), *_names(session)], prefix)
    keywords: list[tuple[str, str]] = []
    if call is not None and before.rstrip().endswith(("(", ",")):
        keywords = [(f"{name}=", f"argument of {call[0]}") for name in parameters(call[0], session)]
    if not prefix and not keywords:
        return Completions(size, (), "")
    return Completions(start, [*keywords, *_names(session)], prefix)


# -- where the cursor stands -------------------------------------------------------------------------------------------


def _open_string(text: str, tokens: Tokens) -> int | None:
    """The offset of the quote of a string that is still open at the end."""
    for kind, value, start, end in zip(tokens.types, tokens.values, tokens.starts, tokens.ends):
        if kind == "ERROR" and getattr(value, "kind", "") == "unclosed-string" and end == len(text):
            return int(start)
    return None


def _enclosing_call(text: str, tokens: Tokens) -> tuple[str, int] | None:
    """The dotted name of the function whose arguments the end of the text is among, and the argument's position."""
    if not tokens.open or tokens.open[-1][0] != "(":
        return None
    at = tokens.open[-1][1]
    name = re.search(r"([^\W\d]\w*(?:\.\w+)*)\Z", text[:at])
    if name is None:
        return None
    depth, position = 0, 0
    for kind, start in zip(tokens.types, tokens.starts):
        if start <= at:
            continue
        if kind in ("LPAR", "LSQB", "LDICT"):
            depth += 1
        elif kind in ("RPAR", "RSQB", "RDICT"):
            depth -= 1
        elif kind == "COMMA" and depth == 0:
            position += 1
    return name.group(1), position


def _wants_dtype(before: str, call: tuple[str, int] | None) -> bool:
    """After `dtype=`, `default`, the colon of a declaration, or where a function takes a dtype."""
    if re.search(r"(\bdtype\s*=|(?:^|[\n;{])\s*default|\b(?:variable|constant)\s+\w+\s*:)\s*\Z", before):
        return True
    last = call[0].rpartition(".")[2] if call is not None else ""
    return call is not None and _DTYPE_OF.get(last) == call[1] and before.rstrip().endswith(("(", ","))


def _in_string(text: str, tokens: Tokens, opened: int, session: Session, size: int) -> Completions:
    before = text[:opened]
    call = _enclosing_call(before, parser().lexer.read(before))
    inside = text[opened + 1 :]
    if call is not None and call[0] in _READS:
        return _paths(inside, size, session.folder)
    if _wants_dtype(before, call):
        return Completions(size - len(inside), _dtypes(), inside)
    return Completions(size, (), "")


# -- words -------------------------------------------------------------------------------------------------------------


def _paths(typed: str, size: int, folder: str) -> Completions:
    parent, name = os.path.split(typed)
    place = os.path.join(folder, os.path.expanduser(parent))
    try:
        entries = sorted(os.scandir(place), key=lambda entry: entry.name)
    except OSError:
        return Completions(size, (), "")
    shown = [entry for entry in entries if name.startswith(".") or not entry.name.startswith(".")]
    words = [(entry.name + ("/" if entry.is_dir() else ""), "folder" if entry.is_dir() else "") for entry in shown]
    return Completions(size - len(name), words, name)


def _names(session: Session) -> list[tuple[str, str]]:
    from gradcli.runtime.builtins import BUILTINS
    from gradcli.runtime.predefined import CONSTANTS, ROOTS
    from gradcli.runtime.values import kind_of

    found = [(name, kind_of(value)) for name, value in session.frame.items() if isinstance(name, str) and name]
    lexer = parser().lexer
    found.extend((word, "keyword") for word in (*lexer.keywords, "default", "stop_recording"))
    found.extend((name, "function") for name in BUILTINS)
    found.extend((name, "constant") for name in CONSTANTS)
    found.extend(_operations())
    found.extend((name, "module") for name in sorted(ROOTS))
    found.extend(_dtypes())
    return found


def _operations() -> list[tuple[str, str]]:
    from gradcli.engine.ops.families import FAMILIES

    names, aliases = FAMILIES["name"], FAMILIES["alias"]
    plain = [(name, f"operation, {family}") for name, family in names.items() if "." not in name]
    return plain + [(name, f"operation, {family}") for name, family in aliases.items() if "." not in name]


def _codes() -> list[tuple[str, str]]:
    from gradcli.report.codes import pages

    return [(code, f"code: {page.title}") for code, (_, page) in pages().items()]


def _dtypes() -> list[tuple[str, str]]:
    from gradcli.engine.dtypes import NAMES

    return [(name, "dtype") for name in NAMES]


def _after_dot(path: str, session: Session) -> list[tuple[str, str]]:
    """Attributes of a value, or what is in a module of `tf` or `np`."""
    from gradcli.engine.ops.families import FAMILIES
    from gradcli.runtime.attributes import attribute_names
    from gradcli.runtime.predefined import ROOTS

    root, _, rest = path.partition(".")
    if root in session.frame:
        value = session.frame[root]
        return [(name, "") for name in attribute_names(value)] if not rest else []
    if root not in ROOTS:
        return []
    if root in ("np", "numpy"):
        return [(name, "NumPy, outside every tape") for name in FAMILIES["numpy"]] if not rest else []
    inside = rest if root == "tf" else path
    words: dict[str, str] = {}
    for name, family in (*FAMILIES["name"].items(), *FAMILIES["alias"].items()):
        if inside and not name.startswith(inside + "."):
            continue
        head, dot, _ = (name[len(inside) + 1 :] if inside else name).partition(".")
        words.setdefault(head, "module" if dot else f"operation, {family}")
    return [*words.items(), *(_dtypes() if path == "tf" else ())]


def parameters(name: str, session: Session) -> tuple[str, ...]:
    """The names of the parameters of a function of the program, of the language, or of an operation."""
    from gradcli.engine.primitive import METHODS, lookup
    from gradcli.runtime.builtins import BUILTINS
    from gradcli.runtime.queries import QUERIES
    from gradcli.runtime.values import Function

    value = session.frame.get(name)
    if isinstance(value, Function):
        return value.params
    last = name.rpartition(".")[2]
    if last in QUERIES and (last == name or name.partition(".")[0] in session.frame):
        return QUERIES[last].names
    if name in BUILTINS:
        return tuple(n for n in BUILTINS[name].names if n.isidentifier())
    op = lookup(name)
    if op is not None:
        return tuple(op.names)
    method = METHODS.get(last) if last != name else None
    return tuple(method.names[1:]) if method is not None else ()


def call_under(text: str, cursor: int) -> list[str]:
    """The dotted names that the cursor may be asking of: the word it stands in or behind, then the calls around it."""
    before = text[:cursor]
    left = re.search(r"[\w.]*\Z", before)
    right = re.match(r"\w*", text[cursor:])
    word = (left.group() if left else "") + (right.group() if right else "")
    names = [word] if word and not word[0].isdigit() else []
    for mark, at in reversed(parser().lexer.read(before).open):
        found = re.search(r"([^\W\d]\w*(?:\.\w+)*)'*\Z", before[:at]) if CLOSING[mark] == ")" else None
        if found is not None:
            names.append(found.group(1))
    return names
