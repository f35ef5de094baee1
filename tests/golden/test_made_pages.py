"""The made parts and pictures of the written pages are what the commands give now."""

import html
import re
import runpy
from pathlib import Path

import pytest

MADE = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "made.py"))


def words(svg):
    """What a picture says, without its layout, which is Rich's own."""
    matrix = svg[svg.index('<g class="gradcli-matrix">') :]
    return "".join(
        html.unescape(text).replace("\xa0", " ") for text in re.findall(r"<text [^>]*>([^<]*)</text>", matrix)
    )


@pytest.mark.parametrize("page", MADE["PAGES"], ids=lambda page: page.name)
def test_a_page_is_current(page):
    text = page.read_text(encoding="utf-8")
    assert MADE["made"](text) == text


@pytest.mark.parametrize(
    ("path", "arguments"), MADE["pictures"](MADE["PAGES"][0]), ids=lambda x: getattr(x, "name", "")
)
def test_a_picture_is_current(path, arguments, tmp_path):
    MADE["draw"](tmp_path / path.name, arguments)
    assert words((tmp_path / path.name).read_text(encoding="utf-8")) == words(path.read_text(encoding="utf-8"))


def test_the_page_has_parts_and_pictures():
    assert len(MADE["pictures"](MADE["PAGES"][0])) >= 2
    assert MADE["PAGES"][1].read_text(encoding="utf-8").count("<!-- made: ") == 6
