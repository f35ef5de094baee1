"""Running the examples for their records: each program, each format, as it looks at a fixed width without colour."""

import json
import os
from pathlib import Path

from tests.cli.run import gradcli

EXAMPLES = Path(__file__).parents[2] / "examples"
RECORDS = Path(__file__).parent / "records"
FORMATS = ("plain", "rich", "json")
#: every example but the models, whose digits after hundreds of steps belong to the processor
PROGRAMS = sorted(str(path.relative_to(EXAMPLES)) for path in EXAMPLES.rglob("*.tp") if path.parent.name != "models")
ERR, STATUS = "--- stderr ---\n", "--- status "
#: what the surroundings may say about colours and width, and what the records are made with
SURROUNDINGS = {"COLUMNS": "100", "NO_COLOR": None, "FORCE_COLOR": None}
#: programs whose last digits belong to the processor's exp, sin and sums: their records hold six
ROUNDED = {
    "mended/no-derivative.tp", "mended/singular-matrix.tp", "mended/tensorflow-differs.tp", "mended/tie.tp",
    "07-watch-nothing-by-itself.tp", "13-sigmoid.tp", "22-three-ways.tp", "23-least-squares.tp", "24-gradient-descent.tp",
}  # fmt: skip


def record_path(program: str, form: str) -> Path:
    return RECORDS / f"{program.removesuffix('.tp')}.{form}.txt"


def output(program: str, form: str) -> str:
    """Standard output as it is, a rule, standard error, the exit status. A file is named relative to the folder."""
    digits = ("--precision", "6") if program in ROUNDED else ()
    before, kept = Path.cwd(), {name: os.environ.get(name) for name in SURROUNDINGS}
    os.chdir(EXAMPLES)
    try:
        _surround(SURROUNDINGS)
        result = gradcli("eval", "--format", form, "--color", "never", *digits, program)
    finally:
        os.chdir(before)
        _surround(kept)
    if form == "rich":  # a table fills its lines with blanks up to the width
        result.out = "".join(line.rstrip() + "\n" for line in result.out.splitlines())
    if form == "json" and digits:
        result.out = json.dumps(json.loads(result.out, parse_float=_six_digits), ensure_ascii=False) + "\n"
    return f"{result.out}{ERR}{result.err}{STATUS}{result.status} ---\n"


def _six_digits(text: str) -> float:
    number = float(f"{float(text):.6g}")
    return number if abs(number) > 1e-6 else 0.0


def _surround(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
