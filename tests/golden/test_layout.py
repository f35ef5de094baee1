"""How results sit on terminals that are narrow, and beside names that are long, wide or uneven."""

import pytest

from gradcli.report.excerpt import cells
from tests.cli.run import evaluate

UNEVEN = 'variable a = 1.0; variable b = 2.0; tape { y = a * b }; gradient(y, {"kernel": a, "b": b})'
WIDE = "variable 入力 = 1.0; variable b = 2.0; tape { y = 入力 * b }; gradient(y, [入力, b])"
MIXED = "variable a = 3.0; constant b = 3.0; tape { y = a * b }; gradient(y, [a, b])"
REBOUND = "variable x = 2.0; x = x + 1.0; tape { y = x * x }; gradient(y, x)"


@pytest.fixture
def rich(monkeypatch):
    def run(code, width):
        monkeypatch.setenv("COLUMNS", str(width))
        return evaluate(code, "--format", "rich", "--color", "never")

    return run


@pytest.mark.parametrize(
    ("code", "values"), [(UNEVEN, ("2.0", "1.0")), (WIDE, ("2.0", "1.0")), (MIXED, ("3.0", "None"))]
)
def test_values_of_one_gradient_stand_in_one_column(rich, code, values):
    rows = rich(code, 100).out.splitlines()[1:3]
    columns = [cells(row[: row.index(value)]) for row, value in zip(rows, values, strict=True)]
    assert columns[0] == columns[1]


def test_what_a_value_and_a_none_say_stands_in_one_column(rich):
    value, none = rich(MIXED, 100).out.splitlines()[1:3]
    assert value.index("float32") == none.index("a constant")


@pytest.mark.parametrize("width", [40, 50, 60, 80, 120])
def test_a_reason_keeps_its_words_whole_and_inside_the_width(rich, width):
    out = rich(REBOUND, width).out
    assert all(cells(line) <= width for line in out.splitlines()[1:])
    said = " ".join(out.split())
    for word in ("variable:", "rebound", "computed", "`x.assign(…)`", "<command line>:1"):
        assert word in said


def test_a_line_is_pointed_at_once(rich):
    assert rich(REBOUND, 100).out.count("<command line>:1") == 2  # of the query, and of the rebinding


@pytest.mark.parametrize("width", [40, 60, 80, 100])
def test_message_and_hint_are_wrapped_with_an_indent(rich, width):
    code = "constant a = [1.0, 2.0]; constant b = [1.0, 2.0, 3.0]; a + b"
    lines = [line for line in rich(code, width).err.splitlines() if "│" not in line]
    assert lines[0].startswith("error[shape-mismatch] ")
    assert all(line.startswith("   ") for line in lines[1:])
    assert all(len(line) <= width for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "do not broadcast: axis -1 is 2 on the left and 3 on the right" in text
    assert "hint: lengths of an axis must be equal" in text


def test_a_hint_stands_behind_its_label_where_both_fit(rich):
    code = "constant n = 3\ntape { watch n }"
    (marks,) = [line for line in rich(code, 100).err.splitlines() if "^" in line]
    assert marks.endswith("^ declared here as int32: constant n = 3 (line 1); write `constant n = 3.0`")
    err = rich(code, 70).err
    assert "   hint: write `constant n = 3.0`" in err.splitlines()
    assert err.count("write `") == 1
