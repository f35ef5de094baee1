"""The list of faults in the docstring of `faults` is what the code raises."""

import ast
from pathlib import Path

import pytest

from gradcli.lang import faults
from gradcli.lang.faults import Fault, FaultError
from gradcli.lang.parser import parse
from gradcli.lang.resolve import resolve
from tests.lang.test_resolve import WRONG
from tests.lang.test_syntax_errors import SLIPS

FOLDER = Path(faults.__file__).parent


def documented():
    """From (code, kind) to the names of the details."""
    table = {}
    for line in (faults.__doc__ or "").splitlines():
        if line.startswith("    ") and line.split() != ["code", "kind", "details"]:
            code, kind, details = line.split(maxsplit=2)
            table[code, kind] = set(details.replace(",", " ").split()) - {"-"}
    return table


def choices(node):
    """The strings that an argument may be; none for the parameter of a function that makes faults for others."""
    if isinstance(node, ast.IfExp):
        return choices(node.body) + choices(node.orelse)
    return [node.value] if isinstance(node, ast.Constant) else []


def raised():
    """(code, kind, names of the details) of every fault that the sources make."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            if isinstance(node.func, ast.Name) and node.func.id == "Fault":
                code, kind = node.args[:2]
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "fault":
                code, kind = node.args[1:3]
            else:
                continue
            details = {keyword.arg for keyword in node.keywords if keyword.arg != "incomplete"}
            for one in choices(code):
                for other in choices(kind):
                    yield one, other, details


def test_what_is_raised_is_documented_and_what_is_documented_is_raised():
    assert {(code, kind) for code, kind, _ in raised()} == set(documented())


def test_details_are_those_documented():
    table = documented()
    for code, kind, details in raised():
        assert details == table[code, kind], kind


def test_details_of_faults_that_happen_are_those_documented():
    table, seen = documented(), set()
    for text in [slip[0] for slip in SLIPS] + [wrong[0] for wrong in WRONG] + ["(" * 600]:
        try:
            found = resolve(parse(text), lambda name: False, lambda name: False, list, [])
        except FaultError as error:
            found = error.faults
        for fault in found:
            assert set(fault.details) == table[fault.code, fault.kind], text
            seen.add((fault.code, fault.kind))
    assert seen == set(table)


def test_a_fault_shows_what_it_is():
    fault = Fault("syntax", "unexpected", 1, 2, found="x")
    assert repr(fault) == "Fault('syntax', 'unexpected', 1, 2, {'found': 'x'})"
    with pytest.raises(FaultError) as caught:
        raise FaultError([fault])
    assert caught.value.faults == [fault]
