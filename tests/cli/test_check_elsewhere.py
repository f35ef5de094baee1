"""Where people already check: the plugin for pytest and the hook for pre-commit, each in a scratch project."""

import shlex
from pathlib import Path

import pytest
import yaml

from tests.cli.checked_programs import BAD, BROKEN, ENDLESS, GOOD, SILENT, WARNS, write_programs
from tests.cli.run import gradcli

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(pytester):
    write_programs(pytester.path, {"good.tp": GOOD, "models/bad.tp": BAD, "models/silent.tp": SILENT})
    pytester.makepyfile(test_plain="def test_plain(): pass")
    return pytester


def ini(project, *lines):
    project.makeini("\n".join(["[pytest]", *lines]))


def test_nothing_is_collected_unless_asked(project):
    result = project.runpytest_inprocess("--collect-only", "-q")
    result.stdout.no_fnmatch_line("*.tp*")
    project.runpytest_inprocess().assert_outcomes(passed=1)
    ini(project, "gradcli = false")
    project.runpytest_inprocess().assert_outcomes(passed=1)


@pytest.mark.parametrize("how", ["flag", "ini"])
def test_programs_are_tests_if_asked(project, how):
    if how == "ini":
        ini(project, "gradcli = true")
    result = project.runpytest_inprocess(*(["--gradcli"] if how == "flag" else []))
    result.assert_outcomes(passed=3, failed=1)
    result.stdout.fnmatch_lines(
        [
            "*models/bad.tp*",
            "models/bad.tp:2:1: assert?failed? assertion failed: the values differ",
            "*2 │ assert x ~= 4.0",
            "  left   3.0   shape ()",
            "  right  4.0",
            "FAILED models/bad.tp::program*",
        ]
    )
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py:[0-9]*")


def test_a_program_is_chosen_as_any_test(project):
    project.runpytest_inprocess("--gradcli", "models/silent.tp").assert_outcomes(passed=1)
    project.runpytest_inprocess("--gradcli", "-k", "bad").assert_outcomes(failed=1, deselected=3)


def test_options_and_other_failures(project):
    write_programs(project.path, {"endless.tp": ENDLESS, "broken.tp": BROKEN, "warns.tp": WARNS})
    ini(project, "gradcli = true", "gradcli_options = --timeout 0.2 --strict")
    result = project.runpytest_inprocess("endless.tp", "broken.tp", "warns.tp")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        ["*not finished after 0.2 s*", "*broken.tp:1:9: error?syntax?*", "*warning?watched-dtype?*"]
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--junit x.xml", "--junit is for gradcli check itself"),
        ("--nope", "no option --nope"),
        ("a.tp", "a.tp is no option"),
    ],
)
def test_wrong_options_are_told_at_once(project, options, words):
    ini(project, "gradcli = true", f"gradcli_options = {options}")
    result = project.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*gradcli_options: *{words}*"])


def test_paths_of_data_are_beside_the_program(project):
    write_programs(
        project.path, {"models/data.csv": "1.0,2.0\n", "models/loads.tp": 'assert sum(load("data.csv")) == 3.0\n'}
    )
    project.runpytest_inprocess("--gradcli", "models/loads.tp").assert_outcomes(passed=1)


def test_the_hook_runs_the_programs_it_is_given(tmp_path, monkeypatch):
    """As pre-commit does it: the entry with the names of the files that match `files`."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert hook["id"] == "gradcli-check" and hook["language"] == "python" and hook["types"] == ["text"]
    program, *words = shlex.split(hook["entry"])
    assert program == "gradcli"
    write_programs(tmp_path, {"a.tp": GOOD, "models/b.tp": BAD, "notes.tpl": "x"})
    import re

    given = [name for name in ("a.tp", "models/b.tp", "notes.tpl") if re.search(hook["files"], name)]
    assert given == ["a.tp", "models/b.tp"]
    monkeypatch.chdir(tmp_path)
    done = gradcli(*words, *given)
    assert done.status == 1 and "models/b.tp:2:1" in done.err
    assert gradcli(*words, "a.tp").status == 0
