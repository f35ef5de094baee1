"""Every fact the product can state has words: the codes and kinds that are raised are those the catalogue has."""

import re
from pathlib import Path

from gradcli.engine.primitive import REGISTRY
from gradcli.report.catalogue.errors import ENTRIES
from gradcli.report.catalogue.faults import FAULTS
from gradcli.report.catalogue.reasons import REASONS

ROOT = Path(__file__).parents[2] / "gradcli"
SOURCES = {
    path: path.read_text() for layer in ("engine", "nn", "runtime", "lang") for path in (ROOT / layer).rglob("*.py")
}
RAISED = re.compile(
    r'(?:EngineError|ProgramError|compiler\.error)\((?:[^()]|\([^()]*\))*?"([a-z-]+)",\s*"([a-z-]+)"', re.S
)


def raised() -> set[tuple[str, str]]:
    return {pair for text in SOURCES.values() for pair in RAISED.findall(text)}


def test_every_error_that_is_raised_has_words():
    missing = {pair for pair in raised() if pair not in ENTRIES and pair[1] not in FAULTS}
    assert missing == set()


def test_the_search_finds_what_is_raised():
    assert {("tape-used-up", "second-query"), ("shape-mismatch", "broadcast"), ("not-available", "later")} <= raised()


def test_every_reason_has_words_and_every_word_a_reason():
    text = "".join(SOURCES.values())
    codes = set(re.findall(r'Reason\(\s*"([a-z-]+)"', text))
    codes |= {op.blocked for op in REGISTRY.values() if op.blocked and op.blocked != "not-watched"}
    codes |= {"cut-outside", "cut-assign", "after-tape", "not-watched", "unconnected"}
    assert codes == set(REASONS)


def test_reasons_explain_themselves():
    for code, words in REASONS.items():
        assert words.__doc__ and words.__doc__.strip().endswith("."), code


def test_every_kind_of_fault_has_words():
    from gradcli.lang import faults

    kinds = {line.split()[1] for line in (faults.__doc__ or "").splitlines() if line.startswith("    ")} - {"kind"}
    assert kinds <= set(FAULTS), kinds - set(FAULTS)
