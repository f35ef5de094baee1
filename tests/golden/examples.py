"""Running the examples for their records: each program, each format, as it looks at a fixed width without colour."""

import os
from pathlib import Path

from tests.cli.run import gradcli

EXAMPLES = Path(__file__).parents[2] / "examples"
RECORDS = Path(__file__).parent / "records"
FORMATS = ("plain", "rich", "json")
PROGRAMS = sorted(str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.tp"))


def record_path(program: str, form: str) -> Path:
    return RECORDS / f"{program.removesuffix('.tp')}.{form}.txt"


def output(program: str, form: str) -> str:
    """What a program prints: standard output, a rule, standard error, the exit status."""
    before, width = Path.cwd(), os.environ.get("COLUMNS")
    os.chdir(EXAMPLES)
    os.environ["COLUMNS"] = "100"
    try:
        result = gradcli("eval", "--format", form, "--color", "never", program)
    finally:
        os.chdir(before)
        if width is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = width
    lines = [*result.out.splitlines(), "--- standard error ---", *result.err.splitlines(), f"--- {result.status} ---"]
    return "\n".join(line.rstrip() for line in lines) + "\n"
