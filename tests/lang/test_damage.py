"""Whatever happens to a program's text, the parser either reads it or says where it is wrong."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gradcli.lang import ast
from gradcli.lang.faults import FaultError
from gradcli.lang.lexer import Lexer
from gradcli.lang.parser import parse
from gradcli.lang.resolve import resolve
from gradcli.lang.tables import load
from tests.lang.programs import STATEMENTS

LEXER = Lexer(load())
#: what is put into a text: the marks of the language, words of it, and what it does not have
PIECES = [
    *"()[]{}'\"#;:,.=+-*/<>!~^&|@%\\\n\t $²é😀_0\x00", "**", "==", "++", "&&", "...", " is ", " not ", " in ", "none",
    "if ", "else ", "elif ", "for ", "tape ", "def ", "lambda ", "watch ", "variable ", "default ", "stop_recording {",
    "import ", "return\n", "f'(", "2x", "[1, 2]", "[1", "{'a': ", "} else {", "):", "\\\n", "# ", "\r", "1e", "0x",
]  # fmt: skip
LIMITS = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@st.composite
def programs(draw):
    """A few statements, one to a line, some of them in a block."""
    texts = draw(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=6))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(texts) - 1))
        texts[at] = "tape {\n" + texts[at] + "\n}"
    return "\n".join(texts)


@st.composite
def damaged(draw):
    """A program in which characters or tokens were taken out, put in, doubled or swapped."""
    text = draw(programs())
    for _ in range(draw(st.integers(1, 4))):
        tokens = LEXER.read(text)
        if draw(st.booleans()) and len(tokens.types) > 2:
            first, second = sorted(draw(st.integers(0, len(tokens.types) - 2)) for _ in range(2))
            (a, b), (c, d) = ((tokens.starts[i], tokens.ends[i]) for i in (first, second))
        else:
            a, c = sorted(draw(st.integers(0, len(text))) for _ in range(2))
            b, d = min(a + 1, len(text)), min(c + 1, len(text))
        match draw(st.sampled_from(["take out", "put in", "double", "swap", "cut off"])):
            case "take out":
                text = text[:a] + text[b:]
            case "put in":
                text = text[:a] + draw(st.sampled_from(PIECES)) + text[a:]
            case "double":
                text = text[:b] + text[a:b] + text[b:]
            case "swap" if b <= c:
                text = text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]
            case "cut off":
                text = text[:d]
    return text


def check(text):
    try:
        program = parse(text)
    except FaultError as error:
        assert error.faults
        for fault in error.faults:
            assert 0 <= fault.start <= fault.end <= len(text)
            assert fault.code in ("syntax", "cannot-assign", "limit-reached")
            assert all(0 <= fault.details.get(name, 0) < len(text) for name in ("opened",))
        places = [(fault.start, fault.kind) for fault in error.faults]
        assert places == sorted(places, key=lambda place: place[0])
        assert len(set(places)) == len(places)
    else:
        for fault in resolve(program, lambda name: False, lambda name: False, list, []):
            assert 0 <= fault.start < fault.end <= len(text)
        ast.dump(program)


@settings(max_examples=300, **LIMITS)
@given(damaged())
def test_damage(text):
    check(text)


@settings(max_examples=300, **LIMITS)
@given(st.text(alphabet=st.sampled_from("xf01 \n;(){}[]'\"=+-*<:,.!#\\ei"), max_size=60))
def test_noise(text):
    check(text)


@settings(max_examples=300, **LIMITS)
@given(st.lists(st.sampled_from([*PIECES, "x", "f", "3", " "]), max_size=25).map("".join))
def test_pieces(text):
    check(text)


@pytest.mark.slow
@settings(max_examples=10_000, **LIMITS)
@given(st.one_of(damaged(), st.lists(st.sampled_from([*PIECES, "x", "f", "3", " "]), max_size=40).map("".join)))
def test_much_damage(text):
    check(text)
