"""The Pygments lexer: it loses no text, and takes no valid program for wrong."""

from pathlib import Path

import pytest
from pygments import lexers
from pygments.token import Error, Keyword, Number, Token

from gradcli.lang.faults import FaultError
from gradcli.lang.parser import parse, parser
from gradcli.lang.source import Source
from gradcli.report.highlighting import TensorProgramLexer

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").rglob("*.tp"))


def tokens(text):
    return list(TensorProgramLexer(stripnl=False, ensurenl=False).get_tokens(text))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_every_example(path):
    text = Source.from_bytes(path.name, path.read_bytes()).text
    found = tokens(text)
    assert "".join(piece for _, piece in found) == text
    try:
        parse(text)
    except FaultError:
        return
    assert not [piece for kind, piece in found if kind in Error]


@pytest.mark.parametrize(
    "text", ["", "\n", "'open", "x = \x00 \x1b[31m", "a )} ] {", "é🙂 = ½", "[1,\n 2.5]", "x\\", "\t#"]
)
def test_no_text_is_lost(text):
    assert "".join(piece for _, piece in tokens(text)) == text


def test_every_keyword_of_the_grammar_is_one():
    for word in parser().lexer.keywords:
        ((kind, piece), *_) = tokens(word)
        assert piece == word and (kind in Keyword or kind in Token.Operator.Word), word


def test_numbers_of_a_list():
    assert [piece for kind, piece in tokens("[1, 2.5]") if kind in Number] == ["1", "2.5"]


def test_pygments_finds_it():
    assert type(lexers.get_lexer_by_name("tensor-program")) is TensorProgramLexer
    assert type(lexers.get_lexer_for_filename("a.tp")) is TensorProgramLexer
