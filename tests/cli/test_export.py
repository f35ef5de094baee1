"""`--export FILE`: what a terminal would show, beside any output, in a file that is whole or not there."""

import html
import re
import xml.etree.ElementTree as ElementTree

import pytest

from tests.cli.run import gradcli

NONE = "variable x = 3.0; constant c = 2.0; tape { y = x * c }; gradient(y, [x, c])"


@pytest.fixture
def program(tmp_path):
    file = tmp_path / "none.tp"
    file.write_text(NONE + "\n")
    return str(file)


def shown(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".svg":
        root = ElementTree.fromstring(text)
        return " ".join(
            piece.replace("\xa0", " ")
            for node in root.iter("{http://www.w3.org/2000/svg}text")
            for piece in [node.text or ""]
        )
    return html.unescape(re.sub(r"<[^>]+>", "", text.partition("<body>")[2]))


@pytest.mark.parametrize("ending", [".svg", ".html"])
@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("eval", ["2.0", "never watched", "float32"]), ("explain", ["never watched", "write"]),
        ("trace", ["forward", "multiply(x, c)", "d/dx", "2.0"]), ("check", ["no checks", "none.tp"]),
    ],
)  # fmt: skip
def test_every_running_command_draws(command, words, ending, program, tmp_path):
    path = tmp_path / f"out{ending}"
    plain = gradcli(command, program)
    result = gradcli(command, program, "--export", str(path))
    assert result.status == plain.status
    if command != "check":  # the time differs
        assert (result.out, result.err) == (plain.out, plain.err)
    text = " ".join(shown(path).split())
    for word in words:
        assert word in text


def test_a_picture_of_grad_beside_json(tmp_path):
    path = tmp_path / "g.svg"
    result = gradcli("grad", "x**2", "x=3", "--check", "--format", "json", "--export", str(path))
    assert result.document["results"][-1]["value"]["data"] == 6.0
    text = shown(path)
    assert "6.0" in text and "agrees with the numeric derivative" in text


def test_what_fails_is_drawn_too(tmp_path):
    path = tmp_path / "bad.svg"
    result = gradcli("eval", "-e", "variable x = 3.0; y = x +", "--export", str(path))
    assert result.status == 3
    assert "error[syntax]" in shown(path)


def test_nothing_is_fetched_from_the_web(program, tmp_path):
    path = tmp_path / "out.svg"
    gradcli("eval", program, "--export", str(path))
    text = path.read_text(encoding="utf-8")
    assert 'url("http' not in text and "@font-face" not in text


def test_text_of_the_user_is_no_markup(tmp_path):
    path = tmp_path / "out.svg"
    gradcli("eval", "-e", 'print("<b>[red]&</b> 重 😀")', "--export", str(path))
    assert "<b>[red]&</b> 重 😀" in shown(path).replace("  ", " ")


@pytest.mark.parametrize(
    ("name", "words"),
    [("out.png", "must end in .svg or .html"), ("out", "must end in"), ("no/such/out.svg", "there is no folder"), (".svg", "must end in")],
)  # fmt: skip
def test_a_file_that_cannot_be_written_is_refused_before_anything_runs(name, words, program, tmp_path):
    result = gradcli("eval", program, "--export", str(tmp_path / name))
    assert (result.status, result.out) == (2, "")
    assert words in result.err
    assert not list(tmp_path.glob("out*"))
