"""The rules that `gradcli trace` writes are the derivatives: evaluated as programs they give the contribution."""

import json

import numpy as np
import pytest

from gradcli.engine.primitive import REGISTRY
from tests.cli.run import gradcli

#: points at which most operations are defined
POINTS = ((0.3, 0.7), (1.7, 0.6), (2.5, 3.25))
ELEMENTWISE = sorted(
    name for name, op in REGISTRY.items() if op.elementwise and op.arity in (1, 2) and op.differentiable
)


def traced(code):
    result = gradcli("trace", "-e", code, "--format", "json", "--dtype", "float64")
    if result.status:
        return None
    traces = json.loads(result.out)["traces"]
    return traces[0] if traces else None


def evaluated(rule, values):
    """The rule as a program's expression; None where it is words."""
    if " where " in rule:
        inside, _, rest = rule.partition(" where ")
        condition, _, other = rest.partition(", else ")
        head, _, then = inside.rpartition("(")
        rule = f"{head}where({condition}, 0.0 * d_dv1 + {then}, 0.0 * d_dv1 + {other[:-1]})"
    names = "; ".join(f"{name} = constant({value!r})" for name, value in values.items())
    result = gradcli("eval", "-e", f"{names}; {rule}", "--dtype", "float64", "-q")
    return float(result.out) if result.status == 0 else None


def outcomes(name):
    arity = REGISTRY[name].arity
    for a, b in POINTS:
        call = f"{name}(a)" if arity == 1 else f"{name}(a, b)"
        trace = traced(
            f"variable a = {a}; variable b = {b}; y = {call} * 1.0; gradient(y, [a, b], output_gradients=1.5)"
        )
        if trace is None or len(trace["forward"]) != 2:
            continue
        values = {"a": a, "b": b, "v1": trace["forward"][0]["value"]["data"], "d_dv1": 1.5}
        for row in trace["backward"]:
            if row["operation"] == name:
                yield row["rule"].replace("d/dv1", "d_dv1"), values, row["contribution"]["data"]


@pytest.mark.parametrize("name", ELEMENTWISE)
def test_a_rule_evaluates_to_its_contribution(name):
    for rule, values, contribution in outcomes(name):
        got = evaluated(rule, values)
        if got is None or contribution in ("nan", "inf", "-inf"):
            continue
        assert got == pytest.approx(contribution, rel=1e-9, abs=1e-12), rule


def test_nearly_all_rules_are_formulas():
    found = {name: next(outcomes(name), None) for name in ELEMENTWISE}
    formulas = {name for name, one in found.items() if one is not None and evaluated(*one[:2]) is not None}
    # the others need a chained comparison or a word: `0 < x < 6`, `x is finite`, `with t = …`
    assert set(ELEMENTWISE) - formulas <= {"hard_sigmoid", "mish", "nan_to_num", "relu6", "multiply"}


def test_the_number_of_entries_stands_in_the_rule_of_a_mean():
    trace = traced(
        "variable x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]; gradient(reduce_mean(x, 1), x, output_gradients=[1.0, 2.0])"
    )
    assert trace["backward"][1]["rule"] == "d/dtarget * (1 / 3)"
    assert np.array(trace["backward"][1]["contribution"]["data"]) == pytest.approx(np.array([[1 / 3] * 3, [2 / 3] * 3]))
