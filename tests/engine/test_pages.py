"""The page of every operation: its sentence, its derivatives, its example; and the names by which it answers."""

import pytest

from gradcli.engine.primitive import ALIASES, METHODS, NUMPY, REGISTRY, lookup
from tests.cli.run import evaluate


@pytest.mark.parametrize("name", REGISTRY)
def test_the_page_of_an_operation(name):
    op = REGISTRY[name]
    lines = [line.strip() for line in op.doc.strip().splitlines()]
    assert lines[0].endswith((".", "?", "`")), "a sentence first"
    for i, operand in enumerate(op.names[: max(op.arity, 0)]):
        if op.blocked is None and op.rules and i < len(op.rules) and op.rules[i] is not None and not op.underivable:
            assert any(line.startswith(f"d/d{operand}:") for line in lines), f"no line d/d{operand}"
    assert any(line.startswith(">>> ") for line in lines), "an example"


@pytest.mark.parametrize("name", REGISTRY)
def test_the_example_prints_what_the_page_says(name):
    lines = [line.strip() for line in REGISTRY[name].doc.strip().splitlines()]
    at = next(i for i, line in enumerate(lines) if line.startswith(">>> "))
    result = evaluate(lines[at].removeprefix(">>> "))
    assert (result.status, result.out.strip()) == (0, lines[at + 1]), result.err


@pytest.mark.parametrize("name", REGISTRY)
def test_all_names_lead_to_the_one_operation(name):
    op = REGISTRY[name]
    for alias in (name, op.name, *op.aliases):
        assert lookup(alias) is op and lookup(f"tf.{alias}") is op
    assert op.numpy is None or NUMPY[op.numpy] is op
    assert op.method is None or METHODS[op.method] is op


def test_every_other_name_leads_somewhere_too():
    for name, op in ALIASES.items():
        assert lookup(name) is op and REGISTRY[op.name] is op
    assert lookup("reduce_meen") is None
    assert lookup("tf.math.reduce_sum") is lookup("sum") is REGISTRY["reduce_sum"]
