"""The made parts of the written pages: `python docs/made.py` makes them anew; a test holds them current.

In a page, what stands between `<!-- made: gradcli ARGUMENTS -->` and `<!-- end -->` is what that command prints;
`<!-- picture: FILE gradcli ARGUMENTS -->` makes FILE, relative to the page, of what it shows on a terminal.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "chain-rule.md")
#: columns of a picture
WIDTH = 92
_PART = re.compile(r"(<!-- made: gradcli (.*?) -->\n).*?(<!-- end -->)", re.DOTALL)
_PICTURE = re.compile(r"<!-- picture: (\S+) gradcli (.*?) -->")


def printed(arguments: str) -> str:
    """What the command prints to standard output, in the project's folder. Raises RuntimeError for a status from 2."""
    words = [sys.executable, "-m", "gradcli", *shlex.split(arguments)]
    run = subprocess.run(
        words, cwd=ROOT, env=os.environ | {"COLUMNS": str(WIDTH)}, capture_output=True, text=True, encoding="utf-8"
    )
    if run.returncode >= 2:
        raise RuntimeError(f"gradcli {arguments}: status {run.returncode}: {run.stderr}")
    return run.stdout


def made(text: str) -> str:
    """A page with its made parts anew; Markdown as it is, anything else as a block of code."""

    def part(match: re.Match[str]) -> str:
        out = printed(match[2]).rstrip()
        block = out if "markdown" in match[2] else f"```\n{out}\n```"
        return f"{match[1]}\n{block}\n\n{match[3]}"

    return _PART.sub(part, text)


def pictures(page: Path) -> list[tuple[Path, str]]:
    """The pictures of a page: pairs of the file and the command that shows what is in it."""
    return [(page.parent / name, arguments) for name, arguments in _PICTURE.findall(page.read_text(encoding="utf-8"))]


def draw(path: Path, arguments: str) -> None:
    """Make one picture."""
    path.parent.mkdir(exist_ok=True)
    printed(f"{arguments} --export {shlex.quote(str(path))}")


def main() -> None:
    """Make all pages and pictures anew."""
    for page in PAGES:
        page.write_text(made(page.read_text(encoding="utf-8")), encoding="utf-8")
        for path, arguments in pictures(page):
            draw(path, arguments)


if __name__ == "__main__":
    main()
