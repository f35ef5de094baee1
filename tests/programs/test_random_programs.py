"""Random programs and random damage: never a traceback, never a hang, only the documented statuses, always one document;
and a program that parses is printed as a text that parses to the same tree."""

import json

import pytest
from hypothesis import HealthCheck, given, settings

from gradcli.lang.ast import dump
from gradcli.lang.faults import FaultError
from gradcli.lang.parser import parse

try:
    from gradcli.lang.printer import to_text
except ImportError:
    to_text = None
from tests.cli.run import evaluate
from tests.programs.random_programs import damaged, programs

NORMAL = settings(max_examples=500, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
NIGHTLY = settings(max_examples=10_000, deadline=None, suppress_health_check=list(HealthCheck))


def behaves(code: str, statuses: set[int]) -> None:
    result = evaluate(code, "--format", "json", "--timeout", "5")
    assert result.status in statuses, result.err
    assert "Traceback" not in result.err
    document = json.loads(result.out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert document["status"] == result.status
    assert bool(document["errors"]) == (result.status >= 3)


def keeps_its_tree(code: str) -> None:
    try:
        program = parse(code)
    except FaultError:
        return
    if to_text is None:
        return
    assert dump(parse(to_text(program))) == dump(program)


@NORMAL
@given(programs())
def test_a_random_program(code):
    behaves(code, {0, 1})
    keeps_its_tree(code)


@NORMAL
@given(damaged())
def test_a_damaged_program(code):
    behaves(code, {0, 1, 3, 4})
    keeps_its_tree(code)


@pytest.mark.slow
@NIGHTLY
@given(programs())
def test_many_random_programs(code):
    behaves(code, {0, 1})
    keeps_its_tree(code)


@pytest.mark.slow
@NIGHTLY
@given(damaged())
def test_many_damaged_programs(code):
    behaves(code, {0, 1, 3, 4})
    keeps_its_tree(code)
