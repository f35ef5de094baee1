"""`load` and `save`: files of numbers as values of a program, and values as files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from gradcli.data import DataError, TooLarge, read_data, write_below
from gradcli.data.faults import printable
from gradcli.engine import EngineError, Tensor, Variable, constant
from gradcli.engine.dtypes import find_dtype
from gradcli.engine.operands import holds_tensor

from .outcomes import NoGradient, ProgramError
from .values import kind_of

if TYPE_CHECKING:
    from gradcli.data.tables import Layout

    from .outcomes import Place
    from .session import Session

#: the options of `load` that say how a .csv file is written, with what they are if not given
LAYOUT: dict[str, Any] = {
    "columns": None, "delimiter": None, "header": None, "skip": 0, "comment": "#", "missing": None,
}  # fmt: skip


def load(session: Session, place: Place, path: Any, dtype: Any, options: dict[str, Any]) -> Any:
    """The data in a file; a path is relative to the program's file."""
    name = _path(place, "load", path)
    kind = None if dtype is None else find_dtype(dtype)
    given = {key: value for key, value in options.items() if value is not LAYOUT[key]}
    layout = _layout(place, given) if given else None
    return read(session, place, os.path.join(session.folder, name), printable(name), kind, layout)


def _path(place: Place, op: str, path: Any) -> str:
    if not isinstance(path, str) or not path:
        raise ProgramError(place, "data-file", "path", op=op, given=kind_of(path))
    return path


def _layout(place: Place, given: dict[str, Any]) -> Layout:
    """The options as a layout. Raises `bad-value` for one that is not of its kind."""
    from gradcli.data.tables import Layout

    found = {}
    for name, value in given.items():
        plain = value.value.item() if isinstance(value, (Tensor, Variable)) and value.size == 1 else value
        if name == "columns" and isinstance(plain, (list, tuple)):
            plain = list(plain)
        if not _fits(name, plain):
            plain_number = isinstance(plain, (int, float)) and not isinstance(plain, bool)
            raise ProgramError(
                place, "bad-value", "layout", option=name, given=str(plain) if plain_number else kind_of(value)
            )
        found[name] = plain
    return Layout(**found)


def _fits(name: str, value: Any) -> bool:
    if name == "columns":
        items = value if isinstance(value, list) else [value]
        return all(isinstance(item, (str, int)) and not isinstance(item, bool) for item in items)
    if name == "header":
        return isinstance(value, bool)
    if name == "skip":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31
    if name == "missing":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "comment" and (value is None or value == ""):
        return True
    return isinstance(value, str) and len(value) == 1 and value not in '"\r\n\0' and not value.isalnum()


def read(
    session: Session, place: Place, path: str, shown: str, dtype: Any = None, layout: Any = None, flag: bool = False
) -> Any:
    """Tensors of what is in a file. Raises `data-file`; `flag` where the user named the file on the command line."""
    try:
        found = read_data(path, session.state.float_dtype, dtype, layout)
    except TooLarge as error:
        raise ProgramError(place, "limit-reached", "file", path=shown, reason=str(error)) from None
    except DataError as error:
        raise _content(place, shown, error, flag) from None
    except OSError as error:
        raise ProgramError(place, "data-file", _kind(error), path=shown, reason=_reason(error), flag=flag) from None
    session.state.site = session.site(place)
    return _tensors(found)


def _content(place: Place, shown: str, error: DataError, flag: bool = False) -> ProgramError:
    return ProgramError(
        place, "data-file", "content", path=shown, reason=str(error), hint=error.hint, name=error.name,
        known=error.known, flag=flag,
    )  # fmt: skip


def _kind(error: OSError) -> str:
    return "missing" if isinstance(error, FileNotFoundError) else "unreadable"


def _reason(error: OSError) -> str:
    if isinstance(error, IsADirectoryError):
        return "this is a folder"
    if isinstance(error, PermissionError):
        return "no permission"
    return error.strerror or str(error)


def _tensors(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _tensors(value) for key, value in found.items()}
    names = getattr(found, "names", ())
    made = constant(found if isinstance(found, np.ndarray) else getattr(found, "values", found))
    if names and made.node is not None:
        made.node.params = {"columns": names}
    return made


def column_index(value: Tensor | Variable, index: Any, place: Place) -> Any:
    """The index for columns by name, of a table as `load` gave it. Raises `index-out-of-range`."""
    node = value.node
    names: Any = node.params.get("columns") if node is not None and node.op is None and node.params else None
    if not names:
        raise ProgramError(place, "index-out-of-range", "no-columns", given=index)
    wanted = index if isinstance(index, list) else [index]
    for name in wanted:
        if name not in names:
            raise ProgramError(place, "index-out-of-range", "column", given=name, known=list(names))
    positions = [names.index(name) for name in wanted]
    return (slice(None), positions if isinstance(index, list) else positions[0])


def save(session: Session, place: Place, path: Any, value: Any) -> None:
    """Write a value to a file below the working directory; a path is relative to the program's file.

    Raises `data-file`. A program that is tried with a change writes nothing.
    """
    name = _path(place, "save", path)
    shown, content = printable(name), _arrays(place, value, "")
    folders = name.replace("\\", "/").split("/")
    if os.path.isabs(name) or ".." in folders:
        raise ProgramError(place, "data-file", "outside", path=shown)
    if session.rehearsal is not None:
        return
    try:
        write_below(os.path.join(session.folder, name), os.curdir, content)
    except DataError as error:
        raise _content(place, shown, error) from None
    except OSError as error:
        raise ProgramError(place, "data-file", "unwritable", path=shown, reason=_reason(error)) from None
    except ValueError:
        raise ProgramError(place, "data-file", "unwritable", path=shown, reason="no file can have this name") from None


def _arrays(place: Place, value: Any, name: str) -> Any:
    """A value as an array, or arrays by dotted names."""
    if isinstance(value, dict):
        found: dict[str, Any] = {}
        for key, item in value.items():
            inner = _arrays(place, item, f"{name}.{key}" if name else str(key))
            for entry, data in inner.items() if isinstance(inner, dict) else [("", inner)]:
                whole = entry or (f"{name}.{key}" if name else str(key))
                if whole in found:
                    raise ProgramError(place, "data-file", "twice", name=whole)
                found[whole] = data
        return found
    if isinstance(value, (list, tuple)) and name and holds_tensor(value):
        return _arrays(place, dict(enumerate(value)), name)
    if isinstance(value, NoGradient) or value is None:
        raise ProgramError(place, "data-file", "nothing", name=name)
    try:
        if isinstance(value, (list, tuple)) and holds_tensor(value):
            raise TypeError
        data = np.asarray((value if isinstance(value, (Tensor, Variable)) else constant(value)).value)
        if data.dtype.kind not in "biufc":
            raise TypeError
    except (TypeError, EngineError):
        raise ProgramError(place, "data-file", "no-array", name=name, given=kind_of(value)) from None
    return data
