"""Arguments that do not fit: an error of ours, which names the operation that was called and says what is wrong."""

import numpy as np
import pytest

from gradcli.engine import EngineError, constant
from gradcli.engine.primitive import REGISTRY
from tests.cli.run import evaluate
from tests.engine.trials import arguments, cases, packed, sample

SHAPES = [(), (0,), (1,), (7,), (7, 5), (0, 3), (2, 3, 4), (1, 1, 1, 1), (2, 2, 2, 2, 2)]
TRIED = [name for name, op in REGISTRY.items() if cases(op)]


def refused(op, args, params):
    """The error that a call raises, if any. An exception of another kind about operands is a fault."""
    try:
        with np.errstate(all="ignore"):
            op.call(*args, **params)
    except EngineError as error:
        return error
    return None


def operands(op, case):
    drawn = sample(op, case, np.random.default_rng(0))
    return packed(drawn, arguments(drawn))


@pytest.mark.parametrize("name", TRIED)
def test_operands_of_any_shape_give_a_value_or_an_error_that_names_the_operation(name):
    op = REGISTRY[name]
    for case in cases(op)[:2]:
        args = operands(op, case)
        for i in range(len(args)):
            for shape in SHAPES:
                error = refused(op, [*args[:i], constant(np.ones(shape)), *args[i + 1 :]], case.params)
                assert error is None or error.facts.get("op", name) == name, shape


@pytest.mark.parametrize("name", [name for name in TRIED if "axis" in REGISTRY[name].names])
def test_an_axis_that_is_not_there_is_an_error_that_names_the_operation(name):
    op = REGISTRY[name]
    for axis in (99, -99, "x", 1.5):
        case = cases(op)[0]
        error = refused(op, operands(op, case), {**case.params, "axis": axis})
        assert error is not None and (error.code, error.facts["op"]) == ("bad-axis", name)


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("x[3]", "index 3 along axis 0 of length 2"),
        ("x[0, -4]", "index -4 along axis 1 of length 3"),
        ("x[..., [0, 5]]", "index 5 along axis 1 of length 3"),
        ("x[0, 0, 0]", "an index for 3 axes, but shape (2, 3) has 2 axes"),
        ("x[0][0][0]", "an index for 1 axis, but shape () has no axes"),
        ("x[..., ...]", "an index has room for one `...` only"),
        ("x[[true, false, true]]", "a mask of shape (3) for axes of shape (2)"),
        ("x[[0, 1], [0, 1, 2]]", "the lists of positions do not fit one another: their shapes are (2) and (3)"),
        ("slice(x, [1, 0], [2, 1])", "slice: no tensor of shape (2, 3) has a block at [1, 0] of lengths [2, 1]"),
        ('nan_to_num(x, "a")', "nan_to_num: nan must be a number, not 'a'"),
        ("leaky_relu(x, alpha=[1.0])", "leaky_relu: alpha must be a number, not [1.0]"),
        ("celu(x, alpha=x)", "celu: alpha must be a number, not float32 [2, 3]"),
        ('sort(x, direction="down")', "sort: down is not known here"),
        ('cast("a", "float32")', "cast takes numbers or bools, not string"),
        ("where(x > 0.0, x, [1.0, 2.0])", "where: shapes (2, 3) and (2) do not broadcast: axis -1 is 3 on the left and 2 on the right"),
        ("clip_by_value(x, [1.0, 2.0], 3.0)", "clip_by_value: shapes (2, 3) and (2) do not broadcast: axis -1 is 3 on the left and 2 on the right"),
        ("polygamma(300.0, 1.0)", "polygamma: a must be at most 169, not 300"),
        ("argmin(x, axis=4)", "argmin: there is no axis 4 in a tensor of rank 2; allowed is from -2 to 1"),
        ("squeeze(constant([[1.0]]), [0, 0])", "squeeze: an axis comes twice in [0, 0]"),
    ],
)  # fmt: skip
def test_what_is_said(code, message):
    (error,) = evaluate(f"x = constant([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])\n{code}", "--format", "json").document[
        "errors"
    ]
    assert error["message"] == message
