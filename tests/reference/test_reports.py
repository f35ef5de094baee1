"""Questions of real users, answered: value, reason, place; see reports/README.md."""

import json
from pathlib import Path

import pytest

from tests.cli.run import gradcli

REPORTS = Path(__file__).parent / "reports"
EXPECTED = json.loads((REPORTS / "expected.json").read_text(encoding="utf-8"))
PROGRAMS = sorted(path.stem for path in REPORTS.glob("*.tp"))


def agree(got, want):
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(agree, got, want))
    return got == want if isinstance(want, str) else got == pytest.approx(want, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_question_is_answered(name):
    document = gradcli("eval", "--format", "json", str(REPORTS / f"{name}.tp")).document
    failed = [(entry["line"], entry["message"]) for entry in document["asserts"] if not entry["ok"]]
    assert document["status"] == 0 and not failed, (failed, document["errors"])
    assert document["asserts"] or name in EXPECTED
    values = {str(result["line"]): result["value"] for result in document["results"]}
    for line, want in EXPECTED.get(name, {}).get("results", {}).items():
        assert agree(values[line]["data"], want), (line, values[line])
    for line, want in EXPECTED.get(name, {}).get("math", {}).items():
        assert agree(values[line]["math"]["data"], want), (line, values[line])
    # what is printed has no other value than what is told of it
    for line, value in values.items():
        assert ("math" in value) == (line in EXPECTED.get(name, {}).get("math", {})), (line, value)


def test_nearly_all_are_here():
    assert len(PROGRAMS) >= 66


@pytest.mark.parametrize("name", PROGRAMS)
def test_explaining_gives_the_same_reasons(name):
    path = str(REPORTS / f"{name}.tp")
    told = gradcli("explain", "--format", "json", path).document
    assert told["status"] in (0, 1) and not told["errors"]
    reasons = {
        (story["line"], source["value"]["code"])
        for story in told.get("explanations", []) for source in story["sources"] if source["value"]["kind"] == "none"
    }  # fmt: skip
    evaluated = gradcli("eval", "--format", "json", path).document["results"]
    for result in evaluated:
        if result["value"]["kind"] == "none" and "gradient(" in result["label"]:
            assert (result["line"], result["value"]["code"]) in reasons
