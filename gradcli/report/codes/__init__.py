"""What `gradcli explain CODE` tells: one page a code, with a program that fails and the same program mended.

The programs are `examples/FOLDER/CODE.tp` and `examples/mended/CODE.tp`, which the wheel ships as `gradcli.examples`.
No line of them is longer than 50 columns, so that what they print stands straight on a terminal of 60.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any


class Page:
    """`title` in a few words; `meaning` in a few sentences; `related` codes.

    `program` is the name of the failing one where that is not the code; None where no program can give the code.
    """

    __slots__ = ("meaning", "program", "related", "title")

    def __init__(self, title: str, meaning: str, *related: str, program: str | None = "") -> None:
        self.title = title
        self.meaning = meaning
        self.related = related
        self.program = program


#: severity → the folder of examples with its failing programs
FOLDERS = {
    "none": "none",
    "error": "rejected",
    "warning": "warnings",
    "note": "notes",
    "assert": "asserts",
    "check": "checks",
}


def pages() -> dict[str, tuple[str, Page]]:
    """Every code with its severity and page."""
    from .asserts import ASSERTS
    from .checks import CHECKS
    from .errors import ERRORS
    from .nones import NONES
    from .notes import NOTES
    from .warnings import WARNINGS

    tables = {"none": NONES, "error": ERRORS, "warning": WARNINGS, "note": NOTES, "assert": ASSERTS, "check": CHECKS}
    return {code: (severity, page) for severity, table in tables.items() for code, page in table.items()}


def find(word: str) -> tuple[str, str, Page] | None:
    """`(code, severity, page)` of `dtype-mismatch` or `error[dtype-mismatch]`; None if there is no such code."""
    severity, bracket, rest = word.partition("[")
    code = rest.removesuffix("]") if bracket else word
    found = pages().get(code)
    if found is None or (bracket and (severity != found[0] or not rest.endswith("]"))):
        return None
    return code, *found


def near(word: str) -> list[str]:
    """The codes nearest to a word that is none, else those that it is a part of (`cut`, `axis`)."""
    from gradcli.lang.suggest import nearest

    plain = (word.partition("[")[2].removesuffix("]") or word).lower()
    return nearest(plain, list(pages())) or [code for code in pages() if len(plain) >= 3 and plain in code.split("-")]


def program(folder: str, name: str) -> str:
    """The text of an example."""
    folders = str(import_module("gradcli.examples").__file__)
    with open(os.path.join(os.path.dirname(folders), folder, f"{name}.tp"), encoding="utf-8") as file:
        return file.read()


def page_value(code: str, severity: str, page: Page) -> dict[str, Any]:
    """The page as data: what `--format json` prints and what the other formats draw."""
    return {
        "code": code, "severity": severity, "title": page.title, "meaning": page.meaning,
        "program": "" if page.program is None else program(FOLDERS[severity], page.program or code),
        "mended": "" if page.program is None else program("mended", code),
        "related": list(page.related),
    }  # fmt: skip
