"""Every code has a page, a program that gives it, and the same program mended; all of them are run."""

import json
import re
from pathlib import Path

import pytest

from gradcli.cli.explain_code import output_of
from gradcli.report.catalogue.errors import ENTRIES
from gradcli.report.catalogue.notes import NOTES
from gradcli.report.catalogue.notices import TENSORFLOW
from gradcli.report.catalogue.reasons import REASONS
from gradcli.report.code_page import markdown
from gradcli.report.codes import FOLDERS, near, page_value, pages
from gradcli.report.excerpt import cells
from tests.cli.run import gradcli

ROOT = Path(__file__).parents[2]
PAGES = pages()
#: what no program can bring about
WITHOUT_PROGRAM = {"program-file", "recorded-values", "process-ended", "bug"}
RUN = [code for code in PAGES if code not in WITHOUT_PROGRAM]
#: the codes that the language and the command line promise; the catalogue may have more
PROMISED = {
    "none": "not-watched not-trainable access-not-watched before-tape rebound watched-late tape-reset "
    "recording-stopped after-tape unconnected fresh-source cut-outside cut-stop-gradient cut-cast cut-assign "
    "cut-no-derivative dtype",
    "error": "syntax unknown-name unknown-option wrong-arguments shape-mismatch dtype-mismatch bad-axis bad-value "
    "index-out-of-range singular-matrix tape-used-up not-recording no-derivative not-a-tensor cannot-assign "
    "data-file limit-reached not-available",
    "warning": "watched-dtype target-dtype source-dtype",
    "note": "kink tie domain-edge non-finite zero sum-of-components tensorflow-differs precision complex-convention",
}
#: and those that can be printed
TOLD = {
    "none": set(REASONS),
    "error": {code for code, _ in ENTRIES} | {"syntax"} | WITHOUT_PROGRAM,
    "warning": set(TENSORFLOW),
    "note": set(NOTES),
    "assert": {"failed"},
    "check": {"gradient-differs", "cannot-tell"},
}
#: what `check_gradient` says in JSON → the code of the message
VERDICTS = {"differs": "gradient-differs", "cannot tell": "cannot-tell"}


def program_of(code):
    severity, page = PAGES[code]
    return ROOT / "examples" / FOLDERS[severity] / f"{page.program or code}.tp"


def told(path):
    """The document of a run, and `(severity, code)` of everything that the program gives."""
    document = gradcli("eval", "--format", "json", str(path)).document
    found = {("error", error["code"]) for error in document["errors"]}
    found |= {("warning", warning["code"]) for warning in document["warnings"]}
    found |= {("note", note["code"]) for note in document["notes"]}
    found |= {("assert", "failed") for entry in document["asserts"] if not entry["ok"] and "verdict" not in entry}
    verdicts = {entry.get("verdict") for entry in document["asserts"]}
    found |= {("check", code) for verdict, code in VERDICTS.items() if verdict in verdicts}
    for result in document["results"]:
        value = result["value"]
        found |= {("none", value["code"])} if value["kind"] == "none" else set()
    return document, found


@pytest.mark.parametrize("severity", FOLDERS)
def test_every_code_has_a_page_under_its_severity(severity):
    paged = {code for code, (kind, _) in PAGES.items() if kind == severity}
    assert paged == TOLD[severity] and paged >= set(PROMISED.get(severity, "").split())


def test_a_code_has_one_severity():
    assert sum(map(len, TOLD.values())) == len(PAGES)


@pytest.mark.parametrize("code", RUN)
def test_the_program_gives_its_code(code):
    _, found = told(program_of(code))
    assert (PAGES[code][0], code) in found


@pytest.mark.parametrize("code", RUN)
def test_the_mended_program_is_right_and_has_nothing_to_say(code):
    document, found = told(ROOT / "examples" / "mended" / f"{code}.tp")
    assert document["status"] == 0 and not found
    assert document["results"], "it prints the right value"
    assert document["asserts"], "and asserts it"


def test_every_program_that_a_folder_holds_for_pages_has_one():
    mended = {path.stem for path in (ROOT / "examples" / "mended").glob("*.tp")}
    assert mended == set(RUN)
    for severity in ("warning", "note", "assert", "check"):
        assert {path.stem for path in (ROOT / "examples" / FOLDERS[severity]).glob("*.tp")} == TOLD[severity]


@pytest.mark.parametrize("code", PAGES)
def test_a_page_says_enough(code):
    severity, page = PAGES[code]
    assert 80 <= len(page.meaning) <= 600
    assert len(f"{severity}[{code}]  {page.title}") <= 60 and len(page.title) <= 36, "the page and the list have 60"
    assert 2 <= len(re.findall(r"[.?!](?=\s|$)", page.meaning)) <= 5 and page.meaning.endswith(".")
    assert page.related and set(page.related) <= set(PAGES) and code not in page.related


@pytest.mark.parametrize("code", RUN)
def test_programs_are_short_and_narrow(code):
    value = page_value(code, *PAGES[code])
    for text in (value["program"], value["mended"]):
        rows = text.rstrip("\n").split("\n")
        assert 2 <= len(rows) <= 12 and max(map(cells, rows)) <= 50


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("code", RUN)
def test_a_page_stands_straight_on_a_terminal(monkeypatch, code, width):
    monkeypatch.setenv("COLUMNS", str(width))
    rows = gradcli("explain", code, "--format", "rich", "--color", "never").out.splitlines()
    assert max(map(cells, rows)) <= width
    for text in (page_value(code, *PAGES[code])[key] for key in ("program", "mended")):
        for number, row in enumerate(text.rstrip("\n").split("\n"), 1):
            assert f"{number:>4} │ {row}".rstrip() in rows
    for i, row in enumerate(rows):  # what is underlined is whole, right above its carets
        if re.fullmatch(r"[ │]*\^+( .*)?", row):
            assert "│" in row and re.match(r" +\d+ │ ", rows[i - 1])


def test_the_page_in_docs_is_current():
    assert (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8") == markdown(output_of), (
        "run python -m gradcli.cli.explain_code"
    )


def test_the_command():
    result = gradcli("explain", "error[dtype-mismatch]")
    assert result.status == 0 and result.out.startswith("error[dtype-mismatch]  dtypes are never mixed silently")
    for text in ("a * b", "what it gives", "float32 and float64", "cast(a, float64) * b"):
        assert text in result.out
    document = gradcli("explain", "kink", "--format", "json").document
    assert list(document) == [
        "schema", "code", "severity", "title", "meaning", "program", "mended", "related", "output",
    ]  # fmt: skip
    assert document["severity"] == "note" and "note[kink]" in document["output"]
    listed = json.loads(gradcli("explain", "--format", "json").out)["codes"]
    assert {entry["code"] for entry in listed} == set(PAGES)


def test_what_the_program_gives_is_what_a_pipe_shows():
    assert "0.30000000000000004" in gradcli("explain", "failed").out
    page = gradcli("explain", "program-file").out
    assert "cannot be read" in page and "a program\n" not in page and "mended" not in page


def test_a_code_is_a_code_also_where_a_folder_has_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "zero").mkdir()
    (tmp_path / "kink").write_text("variable x = 3.0\ngradient(x * x, x)\n", encoding="utf-8")
    assert gradcli("explain", "zero").out.startswith("note[zero]")
    assert gradcli("explain", "kink").out.startswith("note[kink]")
    assert gradcli("explain", "./kink").out.startswith("gradient(x * x, x)")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dtype-mismach",), "did you mean dtype-mismatch?"),
        (("DTYPE-MISMATCH",), "did you mean dtype-mismatch?"),
        (("mismatch",), "did you mean shape-mismatch or dtype-mismatch?"),
        (("note[dtype-mismatch]",), "no code; did you mean dtype-mismatch?"),
        (("",), "gradcli explain lists the codes"),
        (("kink", "tie"), "one code at a time"),
        (("kink", "a.tp"), "one code at a time"),
        (("kink", "-e", "1"), "one code at a time"),
        (("kink", "--set", "x=1"), "--set is for a program"),
        (("--max-memory", "1G"), "--max-memory is for a program"),
        (("qqqqqqqq",), "no code; gradcli explain lists the codes"),
    ],
)
def test_a_wrong_word(words, said):
    result = gradcli("explain", *words)
    assert result.status == 2 and result.out == "" and said in result.err


def test_a_word_that_is_part_of_codes():
    assert near("cut") == [code for code in PAGES if code.startswith("cut-")]
