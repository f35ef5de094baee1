"""Text as it is typed: is it complete, how far is the next line set in. The parser answers, not a count of brackets."""

from __future__ import annotations

from gradcli.lang.faults import FaultError
from gradcli.lang.parser import parse, parser

_STEP = 4


def normalized(text: str) -> str:
    """A text with line ends of any system, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def is_unfinished(text: str, patient: bool = False) -> bool:
    """Is it the beginning of an input? A command is whole on one line; two empty lines end what is unfinished, unless
    `patient`."""
    if text.lstrip().startswith((":", "?")) or not text.strip():
        return False
    last = text.rsplit("\n", 2)
    if not patient and len(last) == 3 and not last[1].strip() and not last[2].strip():
        return False
    try:
        parse(text)
    except FaultError as error:
        return all(fault.incomplete for fault in error.faults) or _goes_on(text)
    return False


def _goes_on(text: str) -> bool:
    """Does the last line say that another follows, as one that ends in an operator or a backslash does?"""
    if text.rstrip(" \t").endswith("\\"):
        return True
    try:
        parse(text + "\nx")
    except FaultError:
        return False
    return True


def indent(text: str) -> str:
    """The blanks with which the next line begins."""
    return " " * _STEP * len(parser().lexer.read(text).open)
