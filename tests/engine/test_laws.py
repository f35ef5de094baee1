"""Every operation of the registry obeys the laws; and each law catches an operation that breaks it."""

import numpy as np
import pytest

from gradcli.engine import EngineError
from gradcli.engine.primitive import ALIASES, METHODS, NUMPY, REGISTRY, Case, lookup
from gradcli.engine.registrars import elementwise, primitive
from gradcli.report.plain import value_text
from tests.cli.run import evaluate
from tests.engine import laws

DIFFERENTIABLE = [name for name, op in REGISTRY.items() if op.differentiable and not op.underivable and laws.cases(op)]
SMOOTH = ("agrees_with_differences", "transposes", "second_order", "batch_is_row_by_row", "leaves_operands_alone")
#: complex results and parts: their derivative is tried in test_complex
REAL_ONLY = {"complex", "angle", "imag", "real", "conj"}


def real(name):
    op = REGISTRY[name]
    return name not in REAL_ONLY and (op.accepts == () or "f" in op.accepts[0] or not op.accepts)


@pytest.mark.parametrize("law", SMOOTH)
@pytest.mark.parametrize("name", [name for name in DIFFERENTIABLE if real(name)])
def test_a_law(name, law):
    op = REGISTRY[name]
    for number, case in enumerate(laws.cases(op)):
        getattr(laws, law)(op, case, np.random.default_rng([number, len(name)]))


@pytest.mark.slow
@pytest.mark.parametrize("law", SMOOTH)
@pytest.mark.parametrize("name", [name for name in DIFFERENTIABLE if real(name)])
def test_a_law_ten_times(name, law):
    op = REGISTRY[name]
    for seed in range(10):
        for number, case in enumerate(laws.cases(op)):
            getattr(laws, law)(op, case, np.random.default_rng([seed, number, 7]))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("name", [name for name in DIFFERENTIABLE if name not in REAL_ONLY])
def test_gradients_have_the_shape_and_dtype_of_their_source(name, dtype):
    op = REGISTRY[name]
    for number, case in enumerate(laws.cases(op)):
        laws.keeps_shape_and_dtype(op, case, np.random.default_rng(number), dtype)


def broken(names):
    return laws.temporarily((REGISTRY, ALIASES, NUMPY, METHODS), names)


def _wrong_factor(x):
    return x * x


def _wrong_axis(x, axis=0):
    return np.add.reduce(x, axis=axis)


def _one_sided(a, b):
    return a * b


def _writes(x):
    if isinstance(x, np.ndarray) and x.flags.writeable:
        x += 1.0
    return x * 2.0


def test_a_wrong_factor_is_caught():
    with broken(["wrong_factor"]):
        op = elementwise(lambda ct, _y, x: ct * x, name="wrong_factor")(_wrong_factor).op
        with pytest.raises(laws.Broken):
            laws.agrees_with_differences(op, Case((3,)), np.random.default_rng(0))


def test_a_missing_term_is_caught():
    with broken(["missing_term"]):
        op = elementwise(lambda ct, _y, _a, b: ct * b, lambda ct, _y, _a, _b: ct, name="missing_term")(_one_sided).op
        with pytest.raises(laws.Broken):
            laws.agrees_with_differences(op, Case((3,), (3,)), np.random.default_rng(0))


def test_a_rule_that_does_not_bear_a_batch_is_caught():
    def rule(ct, _y, _x, axis):
        return np.expand_dims(ct, 0) * np.ones(_x.shape)  # counts the axis from the left

    with broken(["not_batchable"]):
        op = primitive(rule, name="not_batchable")(_wrong_axis).op
        with pytest.raises((laws.Broken, ValueError, AssertionError, EngineError)):
            laws.batch_is_row_by_row(op, Case((2, 3)), np.random.default_rng(0))


def test_a_second_derivative_that_is_cut_is_caught():
    def rule(ct, _y, x):
        return ct * (3.0 * getattr(x, "value", x) ** 2)  # leaves the tape

    with broken(["cut_second"]):
        op = elementwise(rule, name="cut_second")(lambda x: x * x * x).op
        laws.agrees_with_differences(op, Case((3,)), np.random.default_rng(0))
        with pytest.raises(laws.Broken):
            laws.second_order(op, Case((3,)), np.random.default_rng(0))


def test_a_rule_that_is_not_linear_is_caught():
    with broken(["not_linear"]):
        op = primitive(lambda ct, _y, _x: ct * ct, name="not_linear")(lambda x: x).op
        with pytest.raises(laws.Broken):
            laws.transposes(op, Case((3,)), np.random.default_rng(0))


def test_an_operation_that_writes_to_its_operand_is_caught():
    with broken(["writes"]):
        op = elementwise(lambda ct, _y, _x: ct * 2.0, name="writes")(_writes).op
        with pytest.raises(laws.Broken):
            laws.leaves_operands_alone(op, Case((3,)), np.random.default_rng(0))


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


def test_every_name_answers():
    for name, op in (*REGISTRY.items(), *ALIASES.items()):
        assert lookup(name) is not None and lookup(f"tf.{name}") is lookup(name)
        assert lookup(op.name) is op
    assert lookup("reduce_meen") is None
    assert lookup("tf.math.reduce_sum") is lookup("sum") is REGISTRY["reduce_sum"]


def test_values_are_printed_by_the_words_used_here():
    assert value_text([1, 2]) == "[1, 2]"
