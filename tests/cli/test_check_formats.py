"""What `gradcli check` writes for other programs: TAP, JUnit's XML, GitHub's annotations and JSON, read by their readers."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
import xmlschema
from tap.parser import Parser

from tests.cli.checked_programs import BAD, GOOD, OUTCOMES, SILENT, write_programs
from tests.cli.run import gradcli

#: names that each of the formats has to escape somewhere
AWKWARD = ["new\nline.tp", "ha#sh.tp", "back\\slash.tp", "a,b:c%25.tp", "<&\">'.tp", "é🎉.tp", "# TODO.tp"]
JUNIT = xmlschema.XMLSchema(str(Path(__file__).parents[1] / "reference" / "junit.xsd"))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def all_outcomes(folder):
    write_programs(folder, {name: outcome[0] for name, outcome in OUTCOMES.items()})
    return folder


def tap_lines(text):
    return list(Parser().parse(io.StringIO(text)))


def points(text):
    lines = tap_lines(text)
    assert lines[0].category == "version" and lines[0].version == 14
    assert lines[1].category == "plan"
    found = [line for line in lines[2:] if line.category == "test"]
    assert [line.number for line in found] == list(range(1, lines[1].expected_tests + 1))
    assert not [line for line in lines if line.category == "unknown"]
    return found


def test_a_tap_parser_reads_the_outcomes(all_outcomes):
    done = gradcli("check", ".", "--format", "tap")
    found = points(done.out)
    assert done.status == 3 and not done.err
    assert [point.ok for point in found] == [outcome[2] == 0 for outcome in OUTCOMES.values()]
    assert "(no checks)" in found[2].description and not found[2].skip and not found[2].todo
    block = found[1].yaml_block
    assert (block["file"], block["line"], block["column"], block["code"]) == ("b_bad.tp", 2, 1, "failed")
    assert block["severity"] == "assert" and block["left"].startswith("3.0") and block["right"] == "4.0"
    assert found[3].yaml_block["hint"] == "close it with `)`"


def test_several_failures_of_a_program_are_in_its_block(folder):
    write_programs(folder, {"a.tp": 'assert 1 == 2, "one: \\"#"\nassert 2 == 3\nassert 3 == 4\n'})
    (point,) = points(gradcli("check", "a.tp", "--format", "tap").out)
    block = point.yaml_block
    assert block["line"] == 1 and "one" in block["message"]
    assert [other["line"] for other in block["others"]] == [2, 3]


def test_tap_escapes_names(folder):
    write_programs(folder, dict.fromkeys(AWKWARD, BAD))
    found = points(gradcli("check", ".", "--format", "tap").out)
    assert len(found) == len(AWKWARD)
    assert not any(point.ok or point.todo or point.skip for point in found)
    assert sorted(point.yaml_block["file"] for point in found) == sorted(AWKWARD)


def test_a_name_is_no_directive_of_tap(folder):
    """By the specification, which the parser here does not follow in this: an escaped # begins no directive."""
    write_programs(folder, {"a # SKIP.tp": BAD, "back\\# TODO.tp": BAD})
    out = gradcli("check", ".", "--format", "tap").out
    assert "\nnot ok 1 - a \\# SKIP.tp\n" in out and "\nnot ok 2 - back\\\\\\# TODO.tp\n" in out


def test_tap_skips_what_x_leaves_out(folder):
    write_programs(folder, {"a.tp": BAD, "b.tp": GOOD, "c.tp": GOOD})
    found = points(gradcli("check", ".", "-x", "--format", "tap").out)
    assert [(point.ok, point.skip) for point in found] == [(False, False), (True, True), (True, True)]


def junit_of(*words):
    done = gradcli("check", *words, "--junit", "report.xml")
    text = Path("report.xml").read_text(encoding="utf-8")
    JUNIT.validate(text)
    return done, ElementTree.fromstring(text)


def test_junit_is_valid_and_tells_the_outcomes(all_outcomes):
    done, root = junit_of(".")
    assert done.status == 3 and done.out.startswith("a_good.tp")
    (suite,) = root
    counts = {"tests": "7", "failures": "1", "errors": "2"}
    assert {name: suite.get(name) for name in counts} == {name: root.get(name) for name in counts} == counts
    assert suite.get("skipped") == "1"
    cases = {case.get("name"): [child.tag for child in case] for case in suite}
    assert cases == {
        "a_good.tp": [], "b_bad.tp": ["failure"], "c_silent.tp": ["skipped"], "d_broken.tp": ["error"],
        "e_wrong.tp": ["error", "system-out"], "f_warns.tp": ["system-err"], "g_untold.tp": ["system-err"],
    }  # fmt: skip
    failure = suite.find("testcase[@name='b_bad.tp']/failure")
    assert failure.get("type") == "assert[failed]" and "b_bad.tp:2:1" in failure.text
    assert suite.find("testcase[@name='e_wrong.tp']/system-out").text == "before"


def test_junit_escapes_names_and_what_xml_cannot_hold(folder):
    write_programs(folder, dict.fromkeys(AWKWARD, BAD))
    write_programs(folder, {"bell.tp": 'assert 1 == 2, "\\x07 ]]> \\x1b[31m \\uffff <a>&amp;"\n', "sub/deep/a.tp": BAD})
    _, root = junit_of(".")
    names = [case.get("name") for case in root.iter("testcase")]
    assert sorted(names) == sorted([*AWKWARD, "bell.tp", "a.tp"])
    bell = root.find(".//testcase[@name='bell.tp']/failure").get("message")
    assert "�" in bell and "]]>" in bell and "<a>&amp;" in bell and "\x1b" not in bell
    assert root.find(".//testcase[@classname='sub.deep']").get("name") == "a.tp"


def test_the_junit_schema_refuses_what_is_not_in_it():
    good = '<testsuites tests="1" failures="0" errors="0"><testsuite name="a" tests="1" failures="0" errors="0"/></testsuites>'
    assert JUNIT.is_valid(good)
    for old, new in [
        (' name="a"', ""),
        ('tests="1"', 'tests="one"'),
        ("/></t", ' line="3"/></t'),
        ("<testsuites", "<suites"),
    ]:
        assert not JUNIT.is_valid(
            good.replace(old, new, 1).replace("</testsuites>", "</suites>" if new == "<suites" else "</testsuites>")
        )


def unescaped(text, kind):
    if kind == "property":
        text = text.replace("%2C", ",").replace("%3A", ":")
    return text.replace("%0A", "\n").replace("%0D", "\r").replace("%25", "%")


def annotations(text):
    """As GitHub's runner reads commands: properties end at the first `::`, are split at commas and then at `=`."""
    found = []
    for line in text.splitlines():
        match = re.match(r"^::(\w+) (.*?)::(.*)$", line)
        if match:
            command, properties, data = match.groups()
            pairs = [piece.split("=", 1) for piece in properties.split(",")]
            assert all(len(pair) == 2 for pair in pairs), line
            found.append((command, {k: unescaped(v, "property") for k, v in pairs}, unescaped(data, "data")))
    return found


def test_github_annotations_are_at_the_line_of_each_failure(all_outcomes):
    done = gradcli("check", ".", "--format", "github")
    found = annotations(done.out)
    assert done.status == 3 and not done.err
    assert [(c, p["file"], p["line"], p["col"], p["title"]) for c, p, _ in found] == [
        ("error", "b_bad.tp", "2", "1", "assert[failed]"),
        ("error", "d_broken.tp", "1", "9", "error[syntax]"),
        ("error", "e_wrong.tp", "2", "1", "error[shape-mismatch]"),
        ("warning", "f_warns.tp", "2", "7", "warning[watched-dtype]"),
        ("warning", "g_untold.tp", "3", "1", "check[cannot-tell]"),
    ]
    assert "\n" in found[0][2] and "4.0" in found[0][2]
    assert len(done.out.splitlines()) == len(found) + 1 and done.out.splitlines()[-1].startswith("7 programs")


def test_github_escapes_names_and_messages(folder):
    write_programs(folder, dict.fromkeys(AWKWARD, 'assert 1 == 2, "100% :: a,b\\r\\n::error::x"\n'))
    out = gradcli("check", ".", "--format", "github").out
    found = annotations(out)
    assert sorted(p["file"] for _, p, _ in found) == sorted(AWKWARD)
    assert all("100% :: a,b" in data and "::error::x" in data for _, _, data in found)
    assert len(out.splitlines()) == len(AWKWARD) + 1


@pytest.fixture(scope="module")
def validator():
    return jsonschema.Draft202012Validator(gradcli("schema").document)


def test_json_is_one_document_by_the_schema(all_outcomes, validator):
    done = gradcli("check", ".", "--format", "json")
    validator.validate(done.document)
    programs = [(p["file"], p["status"], p["checks"], p["failed"]) for p in done.document["programs"]]
    assert programs == [(name, status, checks, failed) for name, (_, _, status, checks, failed) in OUTCOMES.items()]
    assert done.document["status"] == done.status == 3 and not done.err
    assert [(a["file"], a["ok"]) for a in done.document["asserts"]] == [
        ("a_good.tp", True), ("b_bad.tp", False), ("f_warns.tp", True), ("g_untold.tp", True),
    ]  # fmt: skip
    assert [error["code"] for error in done.document["errors"]] == ["syntax", "shape-mismatch"]
    del done.document["programs"]
    for broken in ({"programs": [{"file": "a"}]}, {"programs": 1}):
        with pytest.raises(jsonschema.ValidationError):
            validator.validate({**done.document, **broken})


def test_json_holds_what_went_wrong_before_a_program_ran(folder, validator):
    (folder / "empty").mkdir()
    write_programs(folder, {"a.tp": SILENT})
    done = gradcli("check", "empty", "a.tp", "missing.tp", "--format", "json")
    validator.validate(done.document)
    assert [(e["code"], e["file"]) for e in done.document["errors"]] == [
        ("program-file", "empty"),
        ("program-file", "missing.tp"),
    ]
    assert [p["status"] for p in done.document["programs"]] == [2, 0, 2]
