"""When an input is complete: the parser says it."""

import pytest

from gradcli.repl.typed import indent, is_unfinished, normalized


@pytest.mark.parametrize(
    "text",
    ["tape {", "x = (1 +", "x = 1 +", "x = [1,", "def f(x) {\n    return x", "x = 1 \\", "y = {'a': 1", "a and", "f(x,\n"],
)  # fmt: skip
def test_unfinished(text):
    assert is_unfinished(text)


@pytest.mark.parametrize(
    "text",
    ["", "  ", "x = 1", "x = )", "tape { }", 'f("abc', "x,", ":load (", "?(", "tape {\n    y = 1\n}", "tape {\n\n  \n", "x = {"[:3]],
)  # fmt: skip
def test_finished_or_hopeless(text):
    assert not is_unfinished(text)


def test_without_a_person_empty_lines_end_nothing():
    assert is_unfinished("tape {\n\n\n", patient=True)


def test_how_far_in():
    assert [len(indent(text)) for text in ("tape {", "tape {\n    if a {", "f(\n", "x = 1", "tape { }")] == [
        4,
        8,
        4,
        0,
        0,
    ]


def test_pasted_line_ends():
    assert normalized("\ufeffa\r\nb\rc\n") == "a\nb\nc\n"
