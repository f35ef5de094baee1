"""The layout of what the examples print. Values are asserted in the programs, codes and lines in `test_codes`."""

import json

import jsonschema
import pytest

from gradcli.report.schema import SCHEMA
from tests.golden.examples import FORMATS, PROGRAMS, RECORDS, output, record_path

VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_an_example_prints_what_was_recorded(program, form):
    path = record_path(program, form)
    assert path.exists(), "run python -m tests.golden.record, and look at what it writes"
    assert output(program, form) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("program", PROGRAMS)
def test_recorded_json_is_valid(program):
    document = json.loads(record_path(program, "json").read_text(encoding="utf-8").splitlines()[0])
    VALIDATOR.validate(document)


def test_no_record_is_left_over():
    recorded = set(RECORDS.rglob("*.txt"))
    assert recorded == {record_path(program, form) for program in PROGRAMS for form in FORMATS}


@pytest.mark.parametrize("program", [program for program in PROGRAMS if "/" not in program])
def test_the_course_ends_well_and_every_program_asserts(program):
    document = json.loads(record_path(program, "json").read_text(encoding="utf-8").splitlines()[0])
    assert document["status"] == 0 and document["asserts"]
    assert all(a["ok"] for a in document["asserts"])
