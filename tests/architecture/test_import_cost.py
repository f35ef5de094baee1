"""What a command imports: start-up is guarded by lists of modules, not by a clock."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROBE = """
import sys
sys.argv = ["gradcli"] + {argv!r}
from gradcli.cli.main import guarded
status = guarded(sys.argv[1:])
sys.stdout.flush()
print("\\nMODULES", status, *sorted({{name.partition(".")[0] for name in sys.modules}} & {{"numpy", "rich", "typer", "lark", "pydantic", "dataclasses", "asyncio", "multiprocessing"}}))
"""


def run(code: str, stdin: str = "") -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", code], input=stdin, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("MODULES"))
    return line.split()[1:]


@pytest.mark.parametrize(
    ("argv", "status", "modules"),
    [
        (["--version"], "0", []),
        (["eval", "-e", "x = (1 +"], "3", []),
        (["eval", "-e", "variable x = 3.0; gradient(x * x, x)"], "0", ["numpy"]),
        (["eval", "-e", "variable x = 3.0; constant c = 1; watch c; gradient(x, c); assert 1 == 2"], "1", ["numpy"]),
        (["eval", "--format", "json", "-e", "variable x = 3.0; gradient(x * x, x)"], "0", ["numpy"]),
        (["grad", "x**2", "x=3"], "0", ["numpy"]),
        (["eval", "--nonsense"], "2", []),
        (["check", "examples/01-square.tp"], "0", ["numpy"]),
        (["check", "--format", "tap", "examples/01-square.tp"], "0", ["numpy"]),
        (["check", "examples/rejected/syntax-python.tp"], "3", []),
        (["check", "examples/no-such-file.tp"], "2", []),
        (["check", "--nonsense"], "2", []),
        (["explain"], "0", []),
        (["explain", "--format", "json"], "0", []),
        (["explain", "syntax"], "0", []),  # its program never runs
        (["explain", "kink"], "0", ["numpy"]),
        (["explain", "knik"], "2", []),
        (["evla"], "2", []),
        (["--nonsense"], "2", []),
        (["schema", "x"], "2", []),
    ],
)
def test_a_command_imports_only_what_it_needs(argv, status, modules):
    assert run(PROBE.format(argv=argv)) == [status, *modules]


@pytest.mark.parametrize("argv", [["--help"], ["eval", "--help"], ["grad", "x**2", "-h"], ["repl", "-h"]])
def test_help_imports_typer_for_unusual_widths_alone_and_never_pydantic(argv, monkeypatch):
    for columns in (80, 100, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run(PROBE.format(argv=argv)) == ["0"]
    monkeypatch.setenv("COLUMNS", "90")
    status, *found = run(PROBE.format(argv=argv))
    assert status == "0" and "typer" in found and not {"numpy", "lark", "pydantic"} & set(found)


def test_rich_output_imports_rich_but_neither_typer_nor_lark():
    found = run(PROBE.format(argv=["eval", "--format", "rich", "-e", "variable x = 3.0; gradient(x * x, x)"]))
    assert "rich" in found and not {"typer", "lark", "pydantic"} & set(found)


def test_the_engine_imports_numpy_alone():
    code = (
        "import sys; import gradcli.engine\n"
        "print('MODULES', *sorted({'rich', 'typer', 'lark', 'gradcli.lang', 'gradcli.runtime'} & set(sys.modules)))"
    )
    assert run(code) == []


def test_a_small_program_imports_few_families_and_none_of_what_explains():
    code = """
import sys
sys.argv = ["gradcli", "grad", "x**2 + sin(x)", "x=3"]
from gradcli.cli.main import guarded
guarded(sys.argv[1:])
sys.stdout.flush()
print("\\nMODULES", *sorted(name for name in sys.modules if name.startswith("gradcli.") or name in ("zipfile", "numpy.random", "threading")))
"""
    found = set(run(code))
    families = {name.rpartition(".")[2] for name in found if name.startswith("gradcli.engine.ops.")}
    assert families <= {
        "arithmetic", "axes", "comparison", "contraction", "indexing", "shape", "operators", "selection", "joining",
        "families", "reduction", "trigonometric",
    }  # fmt: skip
    asked_only = {"kinks", "precision", "rivals", "limits", "provenance", "widened", "zeros", "mending"}
    assert not asked_only & {name.rpartition(".")[2] for name in found if name.startswith("gradcli.engine.")}
    assert not {"zipfile", "numpy.random", "threading"} & found
    assert not {name for name in found if name.startswith(("gradcli.report.catalogue", "gradcli.lang.recovery"))}
