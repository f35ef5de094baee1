"""The installed command itself: each documented status, and what goes to which stream."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = shutil.which("gradcli", path=str(Path(sys.executable).parent)) or ""


def gradcli(*argv: str, stdin: str = "") -> tuple[int, str, str]:
    done = subprocess.run([COMMAND, *argv], input=stdin, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("argv", "status", "out", "err"),
    [
        (["--version"], 0, "gradcli 0.1.0\n", ""),
        (["grad", "x^2", "x=3"], 0, "6.0\n", ""),
        (["eval", "-e", "variable x = 3.0; y = x^2; gradient(y, x)"], 0, "6.0\n", ""),
        (["eval", "-e", "1; assert 1 == 2"], 1, "1\n", "assert[failed]"),
        (["eval", "--strict", "-e", "nan"], 1, "nan\n", ""),
        (["eval", "no-such-file.tp"], 2, "", "no such file"),
        (["eval", "--formt", "json", "-e", "1"], 2, "", "--format"),
        (["nonsense"], 2, "", "nonsense"),
        (["eval", "-e", "1; x"], 3, "", "error[unknown-name]"),
        (["eval", "-e", "print(1); [1][2]"], 3, "1\n", "error[index-out-of-range]"),
        (["eval", "--timeout", "0.2", "-e", "print(1); while true { }"], 4, "1\n", "error[limit-reached]"),
    ],
)
def test_a_status(argv, status, out, err):
    found = gradcli(*argv)
    assert found[:2] == (status, out)
    assert err in found[2] and (err or not found[2]) and "Traceback" not in found[2]


def test_help_has_examples_first_and_names_nothing_that_is_not_there():
    status, out, err = gradcli("--help")
    assert (status, err) == (0, "")
    assert out.index("gradcli grad 'x**2 + sin(x)' x=3") < out.index("Commands")
    for later in ("graph", "plot"):
        assert f"  {later} " not in out
    for command in ("eval", "check", "grad", "trace"):
        status, out, _ = gradcli(command, "--help")
        assert status == 0 and out.index("Examples") < out.index("Options")


def test_the_schema_is_json():
    import json

    status, out, _ = gradcli("schema")
    assert status == 0 and json.loads(out)["title"]


def test_piped_input():
    assert gradcli(stdin="1 + 1") == (0, "2\n", "")


def test_completion_knows_commands_and_options():
    import os

    for words, wanted in (
        ("gradcli ev", "eval"),
        ("gradcli eval --form", "--format"),
        ("gradcli grad --hes", "--hessian"),
    ):
        environment = os.environ | {
            "_GRADCLI_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1),
        }  # fmt: skip
        done = subprocess.run([COMMAND], capture_output=True, text=True, timeout=60, env=environment)
        assert wanted in done.stdout.split()
