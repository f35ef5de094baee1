"""Every code has a page, a program that gives it, and the same program mended; all of them are run."""

import json
from pathlib import Path

import pytest

from gradcli.report.catalogue.errors import ENTRIES
from gradcli.report.catalogue.notes import NOTES
from gradcli.report.catalogue.notices import TENSORFLOW
from gradcli.report.catalogue.reasons import REASONS
from gradcli.report.code_page import markdown
from gradcli.report.codes import FOLDERS, pages
from tests.cli.run import gradcli

ROOT = Path(__file__).parents[2]
PAGES = pages()


def told(path):
    """`(severity, code)` of everything that a program gives."""
    document = gradcli("eval", "--format", "json", str(path)).document
    found = {("error", error["code"]) for error in document["errors"]}
    found |= {("warning", warning["code"]) for warning in document["warnings"]}
    found |= {("note", note["code"]) for note in document["notes"]}
    for result in document["results"]:
        value = result["value"]
        found |= {("none", value["code"])} if value["kind"] == "none" else set()
    return document, found


def test_every_code_has_a_page():
    errors = {code for code, _ in ENTRIES} | {"syntax"}
    assert set(PAGES) == set(REASONS) | errors | set(NOTES) | set(TENSORFLOW)
    assert not set(REASONS) & errors & set(NOTES)


@pytest.mark.parametrize("code", PAGES)
def test_the_program_gives_its_code(code):
    severity, page = PAGES[code]
    _, found = told(ROOT / "examples" / FOLDERS[severity] / f"{page.program or code}.tp")
    assert (severity, code) in found


@pytest.mark.parametrize("code", PAGES)
def test_the_mended_program_does_not_and_is_right(code):
    severity, _ = PAGES[code]
    document, found = told(ROOT / "examples" / "mended" / f"{code}.tp")
    assert document["status"] == 0 and (severity, code) not in found
    assert document["asserts"] and all(entry["ok"] for entry in document["asserts"])


@pytest.mark.parametrize("code", PAGES)
def test_a_page_says_enough(code):
    _, page = PAGES[code]
    assert 80 <= len(page.meaning) <= 600 and page.meaning.endswith(".") and len(page.title) <= 60
    assert page.related and set(page.related) <= set(PAGES) and code not in page.related


def test_the_page_in_docs_is_current():
    assert (ROOT / "docs" / "diagnostics.md").read_text(encoding="utf-8") == markdown(), (
        "run python -m gradcli.report.code_page"
    )


def test_the_command():
    result = gradcli("explain", "error[dtype-mismatch]")
    assert result.status == 0 and result.out.startswith("error[dtype-mismatch]  dtypes are never mixed silently")
    for text in ("a * b", "what it gives", "float32 and float64", "cast(a, float64) * b"):
        assert text in result.out
    document = gradcli("explain", "kink", "--format", "json").document
    assert document["severity"] == "note" and "note[kink]" in document["output"]
    listed = json.loads(gradcli("explain", "--format", "json").out)["codes"]
    assert {entry["code"] for entry in listed} == set(PAGES)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("dtype-mismach",), "did you mean dtype-mismatch?"),
        (("note[dtype-mismatch]",), "no code"),
        (("kink", "tie"), "one code at a time"),
        (("qqqqqqqq",), "no code"),
    ],
)
def test_a_wrong_word(words, said):
    result = gradcli("explain", *words)
    assert result.status == 2 and said in result.err
