"""Words for files of numbers that cannot be read or written."""

from __future__ import annotations

from typing import Any

from gradcli.lang.suggest import nearest

from .entries import entry
from .words import Words, names


@entry("data-file", "missing")
def _missing_file(f: dict[str, Any]) -> Words:
    where = "the working directory" if f.get("flag") else "the program's own folder"
    return Words(f"there is no file {f['path']}", f"a path is relative to {where}")


@entry("data-file", "unreadable")
def _unreadable(f: dict[str, Any]) -> Words:
    return Words(f"{f['path']} cannot be read: {f['reason']}")


@entry("data-file", "content")
def _content(f: dict[str, Any]) -> Words:
    hint = f["hint"]
    if f["known"]:
        near = nearest(f["name"], f["known"])
        hint = f"did you mean {names(near, 'or')}?" if near else f"there are {names(f['known'][:12])}"
    return Words(f"{f['path']}: {f['reason']}", hint)


@entry("data-file", "path")
def _path(f: dict[str, Any]) -> Words:
    return Words(f"{f['op']} takes the path of a file as a string", f'write {f["op"]}("data.npy"…)')


@entry("data-file", "outside")
def _outside(f: dict[str, Any]) -> Words:
    return Words(
        f"a program does not save to {f['path']}: absolute paths and .. are refused",
        "name a file in the program's folder or below it; --save FILE goes anywhere",
    )


@entry("data-file", "unwritable")
def _unwritable(f: dict[str, Any]) -> Words:
    return Words(f"{f['path']} cannot be written: {f['reason']}; nothing was changed")


@entry("data-file", "nothing")
def _nothing(f: dict[str, Any]) -> Words:
    return Words(f"{f['name'] or 'the value'} is none, and a file holds numbers", "leave it out, or save zeros")


@entry("data-file", "twice")
def _twice(f: dict[str, Any]) -> Words:
    return Words(
        f"two values would be saved as {f['name']}",
        "the entry b of a dict a is saved as a.b: give one of them another name",
    )


@entry("data-file", "no-array")
def _no_array(f: dict[str, Any]) -> Words:
    what = f"{f['name']} is {f['given']}" if f["name"] else f"this is {f['given']}"
    return Words(f"save takes a tensor of numbers or a dict of them; {what}", 'write save("out.npz", {"w": w})')


@entry("bad-value", "layout")
def _layout(f: dict[str, Any]) -> Words:
    wanted = {
        "columns": 'a name or a position, or a list of them: columns=["a", "b"]',
        "delimiter": 'one character: delimiter=";"',
        "header": "true or false",
        "skip": "a number of lines: skip=2",
        "comment": 'one character: comment="%", or none',
        "missing": "a number: missing=nan",
    }[f["option"]]
    return Words(f"load: {f['option']}= does not take {f['given']}", f"it takes {wanted}")


@entry("limit-reached", "file")
def _file(f: dict[str, Any]) -> Words:
    return Words(
        f"{f['path']}: {f['reason']}; it was not read",
        "give the program more if --max-memory limits it, or load a smaller file",
    )
