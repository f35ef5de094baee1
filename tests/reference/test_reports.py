"""Questions of real users, answered: value, reason, place; see reports/README.md."""

import json
import re
from pathlib import Path

import pytest

from tests.cli.run import evaluate, gradcli

REPORTS = Path(__file__).parent / "reports"
EXPECTED = json.loads((REPORTS / "expected.json").read_text(encoding="utf-8"))
PROGRAMS = sorted(path.stem for path in REPORTS.glob("*.tp"))

#: what the program asserts and gradcli does not give yet; a row goes when its program passes
WAITING = {
    "r048": "1 - sigmoid(z) where sigmoid(z) rounds to 1: no mathematical value, and one slope wrong without a word",
}


def agree(got, want):
    """To nine digits, also of tiny numbers: a difference of 1e-9 is no small one for a slope of 1e-9."""
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(agree, got, want))
    return got == want if isinstance(want, str) else got == pytest.approx(want, rel=1e-8, abs=0.0)


def waiting(names):
    return [
        pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=WAITING[name])) if name in WAITING else name
        for name in names
    ]


@pytest.mark.parametrize("name", waiting(PROGRAMS))
def test_a_question_is_answered(name):
    path = REPORTS / f"{name}.tp"
    document = gradcli("eval", "--format", "json", str(path)).document
    failed = [(entry["line"], entry["message"]) for entry in document["asserts"] if not entry["ok"]]
    assert document["status"] == 0 and not failed, (failed, document["errors"])
    assert document["asserts"] or name in EXPECTED
    expected = EXPECTED.get(name, {})
    values = {str(result["line"]): result["value"] for result in document["results"]}
    for line, want in expected.get("results", {}).items():
        assert agree(values[line]["data"], want), (line, values[line])
    for line, want in expected.get("math", {}).items():
        assert agree(values[line]["math"]["data"], want), (line, values[line])
    for line, want in expected.get("places", {}).items():
        assert [place["line"] for place in values[line]["places"]] == want, (line, values[line])
    # every printed value is held against something, and none has another value than what is told of it
    for line, value in values.items():
        told = [kind for kind in ("results", "math", "places") if line in expected.get(kind, {})]
        assert told or value["kind"] == "none", (line, value)
        assert ("math" in value) == ("math" in told), (line, value)
    # nothing more is told than the program expects, but of lines of which something is expected
    lines = path.read_text(encoding="utf-8").splitlines()
    for more in (*document["notes"], *document["warnings"]):
        assert "# expect:" in lines[more["line"] - 1], more


NOTE = re.compile(r"^\S.*:(\d+):\d+: note\[(?:kink|tie)\] ")
NUMBER = re.compile(r"(?<![\w.\[])-?\d+(?:\.\d+)?(?![\w.\]])")


@pytest.mark.parametrize("name", [name for name in EXPECTED if "slopes" in EXPECTED[name]])
def test_one_sided_slopes_are_told(name):
    code = re.sub(r" *# expect:.*", "", (REPORTS / f"{name}.tp").read_text(encoding="utf-8"))
    told: dict[str, list[set[float]]] = {}
    numbers: set[float] = set()
    for row in evaluate(code).err.splitlines():
        if head := NOTE.match(row):
            numbers = set()
            told.setdefault(head[1], []).append(numbers)
        elif not row.startswith("  ") or "│" in row:
            continue
        numbers |= {float(number) for number in NUMBER.findall(row.partition("slope")[2])}
    for line, pairs in EXPECTED[name]["slopes"].items():
        assert len(told[line]) == len(pairs), (line, told)
        for slopes, notes in zip(pairs, told[line]):
            assert set(slopes) <= notes, (line, told)


def test_nearly_all_are_here():
    assert len({name[:4] for name in PROGRAMS}) >= 68
    assert set(WAITING) <= set(PROGRAMS) and set(EXPECTED) <= set(PROGRAMS)


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
