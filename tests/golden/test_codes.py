"""Every reason and every error has a program that provokes it: its code, its line, and the exit status."""

import pytest

from gradcli.report.catalogue.errors import ENTRIES
from gradcli.report.catalogue.reasons import REASONS
from tests.cli.run import gradcli
from tests.golden.examples import EXAMPLES, PROGRAMS

#: the code of a reason is the name of its program; the line of the place to look at
NONE = {
    "not-watched": 2, "not-trainable": 2, "access-not-watched": 2, "before-tape": 3, "rebound": 3, "watched-late": 4,
    "tape-reset": 5, "recording-stopped": 6, "after-tape": 4, "unconnected": 3, "fresh-source": 4, "cut-outside": 4,
    "cut-stop-gradient": 4, "cut-cast": 4, "cut-assign": 5, "cut-no-derivative": 4, "dtype": 2,
}  # fmt: skip
#: program → (code, line) of each error, and the status
REJECTED = {
    "syntax-missing-brace": ([("syntax", 5)], 3),
    "syntax-several": ([("syntax", 2), ("syntax", 4), ("syntax", 4), ("syntax", 6)], 3),
    "syntax-python": ([("syntax", 2), ("syntax", 3)], 3),
    "unknown-name": ([("unknown-name", 3)], 3),
    "unknown-option": ([("unknown-option", 2)], 3),
    "wrong-arguments": ([("wrong-arguments", 3)], 3),
    "shape-mismatch": ([("shape-mismatch", 4)], 3),
    "shape-matmul": ([("shape-mismatch", 4)], 3),
    "dtype-mismatch": ([("dtype-mismatch", 4)], 3),
    "dtype-literal": ([("dtype-mismatch", 3)], 3),
    "bad-axis": ([("bad-axis", 3)], 3),
    "bad-value": ([("bad-value", 2)], 3),
    "index-out-of-range": ([("index-out-of-range", 3)], 3),
    "tape-used-up": ([("tape-used-up", 5)], 3),
    "not-recording": ([("not-recording", 3)], 3),
    "not-a-tensor": ([("not-a-tensor", 4)], 3),
    "cannot-assign": ([("cannot-assign", 3)], 3),
    "cannot-augment": ([("cannot-assign", 3)], 3),
    "data-file": ([("data-file", 2)], 3),
    "limit-reached": ([("limit-reached", 2)], 4),
    "not-available": ([("not-available", 2)], 3),
    "no-gradients": ([("no-gradients", 5)], 3),
    "singular-matrix": ([("singular-matrix", 3)], 3),
    "no-derivative": ([("no-derivative", 4)], 3),
}


def document(program: str):
    return gradcli("eval", "--format", "json", str(EXAMPLES / program)).document


@pytest.mark.parametrize("code", NONE)
def test_a_reason(code):
    found = document(f"none/{code}.tp")
    (result,) = found["results"]
    assert (found["status"], found["errors"]) == (0, [])
    assert result["value"]["kind"] == "none"
    assert result["value"]["code"] == code
    assert result["value"]["places"][0]["line"] == NONE[code]


@pytest.mark.parametrize("name", REJECTED)
def test_an_error(name):
    found = document(f"rejected/{name}.tp")
    errors, status = REJECTED[name]
    assert [(error["code"], error["line"]) for error in found["errors"]] == errors
    assert found["status"] == status


def test_every_reason_has_a_program():
    assert set(NONE) == set(REASONS)


def test_every_error_has_a_program():
    told = {code for errors, _ in REJECTED.values() for code, _ in errors}
    assert told == {code for code, _ in ENTRIES} | {"syntax"}


def test_the_three_warnings_of_an_integer():
    warnings = document("none/dtype.tp")["warnings"]
    assert [(w["code"], w["line"]) for w in warnings] == [
        ("watched-dtype", 4),
        ("target-dtype", 7),
        ("source-dtype", 7),
    ]


def test_every_program_is_listed():
    folders = {"none": NONE, "rejected": REJECTED}
    for folder, table in folders.items():
        assert {p.split("/")[1][:-3] for p in PROGRAMS if p.startswith(folder)} == set(table)
