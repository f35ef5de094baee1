"""What a terminal would show, as a picture: an SVG or an HTML file. Rich draws; its fonts from the web are left out."""

from __future__ import annotations

from io import StringIO
from typing import Any

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import MONOKAI, SVG_EXPORT_THEME

from .rich_view import RichView

#: the file endings of pictures
ENDINGS = (".svg", ".html")
_FONTS = "ui-monospace, 'DejaVu Sans Mono', 'Fira Code', Menlo, Consolas, monospace"


def recording(width: int, precision: int | None, full: bool) -> RichView:
    """A view that draws nowhere but remembers what it drew, `width` columns wide."""
    console = Console(
        file=StringIO(), force_terminal=True, color_system="standard", record=True, width=width, markup=False,
        emoji=False, highlight=False, legacy_windows=False,
    )  # fmt: skip
    return RichView(console, precision, full)


def drawn(view: RichView, ending: str, title: str) -> str:
    """The text of the picture's file; `ending` is one of ENDINGS."""
    console: Any = view.console
    if ending == ".html":
        return str(console.export_html(theme=MONOKAI, inline_styles=True))
    code = CONSOLE_SVG_FORMAT
    while "@font-face" in code:
        begin = code.index("@font-face")
        code = code[:begin] + code[code.index("}}", begin) + 2 :].lstrip()
    code = code.replace("Fira Code, monospace", _FONTS)
    return str(console.export_svg(title=title, theme=SVG_EXPORT_THEME, code_format=code, unique_id="gradcli"))
