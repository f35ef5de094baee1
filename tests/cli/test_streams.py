"""Streams, formats and statuses of `eval`: values on standard output and nothing else there, words on standard error."""

import os
import re
import shlex
import subprocess
import sys

import pytest

from gradcli.cli.options import COMMANDS, OPTIONS
from tests.cli.run import evaluate, gradcli

X2 = "variable x = 3.0; y = x^2; gradient(y, x)"


def test_a_pipe_gets_the_value_and_nothing_else():
    result = evaluate(X2)
    assert (result.status, result.out, result.err) == (0, "6.0\n", "")


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("1 + 1", "2"),
        ("1 / 4", "0.25"),
        ("constant(0.1)", "0.1"),
        ("default float64; constant(0.1)", "0.1"),
        ("constant(1.0) / 3.0", "0.33333334"),
        ("default float64; constant(1.0) / 3.0", "0.3333333333333333"),
        ("constant([[1, 2], [3, 4]])", "[[1, 2], [3, 4]]"),
        ('{"y0": constant(4.0)}', '{"y0": 4.0}'),
        ('"bare"', "bare"),
        ('["quoted"]', '["quoted"]'),
        ("true", "true"),
        ("none", "none"),
        ("[none, false, inf, -inf, nan]", "[none, false, inf, -inf, nan]"),
        ("constant([true, false])", "[true, false]"),
        ("1e30", "1e+30"),
        ("constant(2.0).shape", "[]"),
        ("constant([1.0]).dtype", "float32"),
        ("(1, 2)", "[1, 2]"),
        ("zeros([0, 3])", "[]"),
    ],
)
def test_plain_values(code, printed):
    result = evaluate(code)
    assert (result.status, result.out) == (0, printed + "\n"), result.err


def test_a_big_array_stays_on_one_line_in_plain():
    result = evaluate("zeros([300])")
    assert result.out == "[" + ", ".join(["0.0"] * 300) + "]\n"


def test_reasons_and_warnings_go_to_standard_error():
    result = evaluate("constant c = 1; tape { watch c; y = c * 2 }; gradient(y, c)")
    assert result.out == "none\n"
    for text in ("warning[watched-dtype]", "warning[target-dtype]", "warning[source-dtype]", "none[dtype]"):
        assert text in result.err


def test_quiet_leaves_errors_and_failed_asserts():
    code = "constant c = 1; tape { watch c; y = c * 2 }; gradient(y, c); assert 1 == 2; unknown = [1][3]"
    result = evaluate(code, "--quiet")
    assert "warning" not in result.err and "none[" not in result.err
    assert "assert[failed]" in result.err and "error[index-out-of-range]" in result.err


def test_precision():
    assert evaluate("default float64; constant(1.0) / 3.0", "--precision", "3").out == "0.333\n"
    assert evaluate("constant([1.0, 2.0]) / 3.0", "--precision", "2").out == "[0.33, 0.67]\n"


def test_dtype_flag_wins_over_the_file():
    assert evaluate("constant(1.0).dtype", "--dtype", "float64").out == "float64\n"
    assert evaluate("default float32; constant(1.0).dtype", "--dtype", "float64").out == "float64\n"


@pytest.mark.parametrize(
    ("code", "plain", "strict"),
    [
        (X2, 0, 0),
        ("variable x = 3.0; constant c = 1.0; gradient(x, c)", 0, 1),
        ("log(constant(-1.0))", 0, 1),
        ("nan", 0, 1),
        ("constant c = 1; watch c", 0, 1),
        ("log(constant(0.0))", 0, 0),
        ("assert 1 == 1", 0, 0),
        ("assert 1 == 2", 1, 1),
        ("1 +", 3, 3),
        ("1 / 0", 3, 3),
        ("def f(x) = f(x); f(1)", 4, 4),
    ],
)
def test_statuses(code, plain, strict):
    assert evaluate(code).status == plain
    assert evaluate(code, "--strict").status == strict


def test_set_overrides_a_declaration(tmp_path):
    program = tmp_path / "p.tp"
    program.write_text("variable x = 3.0\nconstant k: float32 = 2.0\ngradient(k * x * x, x)\n")
    assert gradcli("eval", str(program)).out == "12.0\n"
    assert gradcli("eval", str(program), "--set", "x=5", "--set", "k=1+1").out == "20.0\n"
    data = tmp_path / "x.csv"
    data.write_text("1.0,2.0\n")
    assert gradcli("eval", str(program), f"--set=x=@{data}").out == "[[4.0, 8.0]]\n"


@pytest.mark.parametrize("word", ["y=3", "x", "x=", "=3", "1=2"])
def test_set_of_an_unknown_name_or_a_wrong_form_is_wrong_usage(word):
    result = evaluate(X2, "--set", word)
    assert result.status == 2 and result.out == "" and "--set" in result.err


def test_set_suggests_the_nearest_declared_name():
    result = evaluate("variable rate = 1.0; rate", "--set", "rat=2")
    assert "did you mean rate?" in result.err


@pytest.mark.parametrize(
    "argv",
    [
        ["eval", "--fromat", "json", "-e", "1"],
        ["eval", "--format", "xml", "-e", "1"],
        ["eval", "--precision", "many", "-e", "1"],
        ["eval", "--format"],
        ["eval", "--quiet=1", "-e", "1"],
        ["evla"],
        ["evla", "--help"],
        ["--"],
        ["-x"],
        ["schema", "x"],
        ["grad"],
        ["grad", "x**2"],
        ["grad", "x**2", "x"],
        ["grad", "x**2", "x=1", "x=2"],
        ["grad", "x**2", "x=1", "--wrt", "y"],
        ["grad", "x = 2", "x=1"],
        ["grad", "x**2", "x=1", "--order", "0"],
    ],
)
def test_wrong_usage(argv):
    result = gradcli(*argv)
    assert result.status == 2 and result.out == "" and result.err and "Traceback" not in result.err


def test_an_unknown_option_names_the_nearest():
    assert "did you mean --format?" in gradcli("eval", "--fromat", "json").err


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["evla"], "there is no command evla; did you mean eval?"),
        (["version"], "there is no command version; did you mean --version?"),
        (["--hepl"], "there is no option --hepl; did you mean --help?"),
        (["nothing-like-it"], "there is no command nothing-like-it\n"),
        (["--format=json", "a.tp"], "--format=json without a command; did you mean gradcli eval --format=json?"),
        ([__file__], f"{__file__} without a command; did you mean gradcli eval {__file__}?"),
    ],
)
def test_a_first_word_that_is_no_command(argv, message):
    result = gradcli(*argv)
    assert result.status == 2 and result.out == "" and result.err.startswith(f"gradcli: {message}")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("words", [["--help"], ["-h", "--nonsense"], ["--format", "--help"]])
def test_help_of_a_command(command, words):
    result = gradcli(command, *words)
    assert result.status == 0 and result.err == "" and f"Usage: gradcli {command} [OPTIONS]" in result.out
    listed = re.findall(r"--?[a-z][a-z-]*", " ".join(re.findall(r"^  (-.*?)  ", result.out, re.M)))
    ours = [flag for option in OPTIONS if command in option.commands for flag in option.flags]
    assert sorted(listed) == sorted([*ours, "-h", "--help"])


def test_json_is_one_document_with_everything():
    code = "variable x = 3.0\nconstant c = 1\nprint(x)\ngradient(x, c)\nassert x ~= 4.0\nx + c"
    result = evaluate(code, "--format", "json")
    document = result.document
    assert result.status == document["status"] == 3
    assert document["schema"] == "gradcli/1"
    assert [r["line"] for r in document["results"]] == [3, 4]
    assert document["results"][0]["value"] == {"kind": "tensor", "dtype": "float32", "shape": [], "data": 3.0}
    assert document["results"][1]["value"]["code"] == "dtype"
    assert document["warnings"][0]["code"] == "source-dtype"
    assert document["asserts"][0]["ok"] is False and document["asserts"][0]["max_abs"] == 1.0
    error = document["errors"][0]
    assert (error["code"], error["line"], error["column"]) == ("dtype-mismatch", 6, 1)
    assert result.err == ""


def test_json_numbers_are_always_valid():
    result = evaluate("constant([nan, inf, -inf, 0.1]); complex(1.0, nan)", "--format", "json")
    values = [r["value"] for r in result.document["results"]]
    assert values[0]["data"] == ["nan", "inf", "-inf", 0.1]
    assert values[1] == {"kind": "tensor", "dtype": "complex64", "shape": [], "data": [1.0, "nan"]}


def command(*argv: str, **options):
    return subprocess.run(
        [sys.executable, "-m", "gradcli", *argv], capture_output=True, timeout=60, stdin=subprocess.DEVNULL, **options
    )


def test_a_closed_pipe_ends_quietly():
    code = "for i in range(20000) { print(i) }"
    done = subprocess.run(
        f'{sys.executable} -m gradcli eval -e "{code}" | head -n 1',
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("0\n", "")


def test_piped_input_is_evaluated():
    assert gradcli(stdin=X2.encode()).out == "6.0\n"
    assert gradcli("eval", "-", stdin=X2.encode()).out == "6.0\n"
    assert gradcli("eval", stdin=X2.encode()).out == "6.0\n"


def test_colour_is_decided_by_flag_then_environment():
    argv = ["eval", "--format", "rich", "-e", X2]
    base = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR")}
    assert b"\x1b[" not in command(*argv, env=base).stdout
    assert b"\x1b[" in command(*argv, env=base | {"FORCE_COLOR": "1"}).stdout
    assert b"\x1b[" not in command(*argv, env=base | {"FORCE_COLOR": "0"}).stdout
    assert b"\x1b[" not in command(*argv, env=base | {"FORCE_COLOR": "1", "NO_COLOR": "1"}).stdout
    assert b"\x1b[" in command(*argv, "--color", "always", env=base | {"NO_COLOR": "1"}).stdout
    assert b"\x1b[" not in command(*argv, "--color", "never", env=base | {"FORCE_COLOR": "1"}).stdout


def test_odd_locales_and_no_home():
    bare = {"PATH": os.environ["PATH"], "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = command("eval", "-e", 'print("é"); 1 +', env=bare)
    assert done.returncode == 3 and b"Traceback" not in done.stderr
    done = command("eval", "--format", "json", "-e", 'print("é")', env=bare)
    assert done.returncode == 0 and b"\\u00e9" in done.stdout


WRITERS = [["check", "a.tp"], ["eval", "a.tp"], ["grad", "x^2", "x=3"], ["schema"], ["--help"], ["ops", "sin"]]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="the system has no full device")
@pytest.mark.parametrize("argv", WRITERS, ids=lambda argv: argv[0])
def test_a_full_disk_and_closed_streams_are_no_bug_of_ours(tmp_path, argv):
    (tmp_path / "a.tp").write_text("print(1)\nassert 1 == 1\n", encoding="utf-8")
    command = shlex.join([sys.executable, "-m", "gradcli", *argv])
    for redirection, status in (("> /dev/full", 2), (">&-", 0), ("2>&-", 0)):
        done = subprocess.run(f"{command} {redirection}", shell=True, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        assert ("the output cannot be written" in done.stderr) == (status == 2)
        assert "bug" not in done.stderr and "Exception ignored" not in done.stderr
