"""What is wrong with a text, as data. A fault has a documented `code`, a `kind` that tells how it came about, offsets,
and details; the words for them are in `gradcli.report.catalogue.faults`.

    code            kind                     details
    syntax          unexpected               found, expected
    syntax          unclosed-block           opened
    syntax          unclosed-bracket         opened, bracket
    syntax          unclosed-string          -
    syntax          unmatched                found
    syntax          bad-character            found
    syntax          bad-number               found
    syntax          missing-operator         left, right, comma
    syntax          chained-comparison       first, second
    syntax          is-something             -
    syntax          equals-for-comparison    -
    syntax          colon-for-block          keyword
    syntax          python-import            -
    syntax          python-with              -
    syntax          foreign-operator         found, write
    syntax          foreign-word             found, write
    syntax          stray-else               found
    syntax          outside-loop             keyword
    syntax          outside-function         -
    syntax          positional-after-named   -
    syntax          duplicate-parameter      name
    syntax          parameter-order          name
    cannot-assign   target                   -
    cannot-assign   entry                    of
    unknown-name    unknown-name             name, suggestions
    unknown-name    dotted                   name, suggestions
    unknown-option  unknown-option           name, allowed
    unknown-option  option-twice             name, allowed
    limit-reached   nesting                  limit

`opened` is an offset, `expected` a tuple of words, `comma` whether it may also be a comma that is missing, `of` what an
assignment would have to change.
"""

from __future__ import annotations

from typing import Any


class Fault:
    """One thing wrong at `text[start:end]`; `incomplete` if only the end of the text came too early."""

    __slots__ = ("code", "details", "end", "incomplete", "kind", "start")

    def __init__(self, code: str, kind: str, start: int, end: int, incomplete: bool = False, **details: Any) -> None:
        self.code = code
        self.kind = kind
        self.start = start
        self.end = end
        self.incomplete = incomplete
        self.details = details

    def __repr__(self) -> str:
        return f"Fault({self.code!r}, {self.kind!r}, {self.start}, {self.end}, {self.details})"


class FaultError(Exception):
    """A text that cannot be run; `faults` says why, in the order of the text."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(faults)
        self.faults = faults
