"""Help: the kept pages are Typer's, at every width."""

import pytest

from gradcli.cli import app
from gradcli.cli.help_pages import PAGES
from gradcli.cli.options import COMMANDS
from tests.cli.run import gradcli


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_the_kept_pages_are_current(command, columns):
    """Word by word: versions of Typer differ in blanks."""
    assert PAGES[command, columns].split() == app.page(command, columns).split(), "run python -m gradcli.cli.app"


@pytest.mark.parametrize("columns", [60, 80, 90, 100, 130])
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_is_as_wide_as_the_terminal_but_not_wider_than_100_columns(command, columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    result = gradcli(*[command] * bool(command), "--help")
    assert result.status == 0 and result.out.split() == app.page(command, columns).split()
    widest = max(map(len, result.out.splitlines()))
    assert widest <= min(columns, 100) or "  gradcli " in max(result.out.splitlines(), key=len)


def test_an_option_beside_help_is_wrong_usage():
    result = gradcli("--help", "--nonsense")
    assert result.status == 2 and result.out == "" and "--nonsense" in result.err
