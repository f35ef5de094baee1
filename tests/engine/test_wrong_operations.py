"""The test of the tests: each law catches operations that are deliberately wrong in the way it is there for.

Every operation here is right but for one thing, so that it passes the other laws that are named.
"""

from contextlib import contextmanager

import numpy as np
import pytest

from gradcli.engine.ops.arrangement import roll
from gradcli.engine.ops.complexes import conj
from gradcli.engine.ops.exponential import log
from gradcli.engine.ops.reduction import reduce_sum
from gradcli.engine.ops.shape import expand_dims
from gradcli.engine.primitive import ALIASES, METHODS, NUMPY, REGISTRY, Case
from gradcli.engine.registrars import composite, elementwise, primitive
from tests.engine import laws
from tests.engine.laws import LAWS, holds
from tests.engine.verdicts import Broken

FLAT, TABLE, PAIR = [Case((3,))], [Case((2, 3))], [Case((3,), (2, 3))]


@contextmanager
def scratch():
    """A registry that forgets what was entered inside the block."""
    tables = (REGISTRY, ALIASES, NUMPY, METHODS)
    before = [dict(table) for table in tables]
    try:
        yield
    finally:
        for table, kept in zip(tables, before):
            table.clear()
            table.update(kept)


def raw(x):
    """The value behind a tensor, which leaves the tape."""
    return getattr(x, "value", x)


def wrong_factor():
    return elementwise(lambda ct, _y, x: ct * x, name="wrong")(lambda x: x * x).op


def wrong_by_a_millionth():
    return elementwise(lambda ct, _y, x: ct * (2.000001 * x), name="wrong")(lambda x: x * x).op


def missing_term():
    return elementwise(lambda ct, _y, _a, b: ct * b, lambda ct, _y, _a, _b: ct, name="wrong")(lambda a, b: a * b).op


def wrong_beside_the_diagonal():
    """Right where the first row and column are equal."""
    return primitive(lambda ct, _y, _x: ct, name="wrong")(lambda x: np.swapaxes(x, -1, -2)).op


def conjugated():
    """Right for real numbers: z², whose cotangent is not conjugated the second time."""
    return elementwise(lambda ct, _y, x: ct * conj(x) * 2.0, name="wrong", accepts="number")(lambda x: x * x).op


def second_result_ignored():
    """x and x² as two results, of which the gradient of the second is lost."""

    def both(x):
        return [x * 1.0, np.asarray(raw(x)) ** 2 + 0.0 * x]

    return composite(arity=1, name="wrong")(both).op


def not_linear():
    return primitive(lambda ct, _y, _x: ct * abs(raw(ct)), name="wrong")(lambda x: x).op


def reverse_only():
    """The rule is right for arrays, but as a function of a tensor it is another one."""
    return primitive(lambda ct, _y, _x: ct * (3.0 if hasattr(ct, "value") else 2.0), name="wrong")(lambda x: 2.0 * x).op


def elementwise_in_name_only():
    """The gradient is right, but forward mode takes an elementwise rule for its own transpose."""

    def rule(ct, _y, _x):
        return roll(ct, -1, -1) if np.ndim(raw(ct)) else ct

    return elementwise(rule, name="wrong")(lambda x: np.roll(x, 1, -1) if np.ndim(x) else x).op


def second_derivative_cut():
    return elementwise(lambda ct, _y, x: ct * (3.0 * raw(x) ** 2), name="wrong")(lambda x: x * x * x).op


def second_derivative_halved():
    def rule(ct, _y, x):
        return ct * (1.5 * raw(x) ** 2) + ct * (1.5 * (x * x))

    return elementwise(rule, name="wrong")(lambda x: x * x * x).op


def axis_from_the_left():
    def rule(ct, _y, _x):
        return expand_dims(ct, 0) * np.ones(_x.shape)

    return primitive(rule, name="wrong")(lambda x: np.add.reduce(x, axis=0)).op


def sum_of_everything():
    """Right for one cotangent; in a batch it adds up the others too."""
    return primitive(lambda ct, _y, _x: reduce_sum(ct) * np.ones(_x.shape), name="wrong")(lambda x: np.sum(x)).op


def recorded_otherwise():
    """The rule takes tensors for arrays of another scale, as one with a branch of its own for speed may do."""
    return elementwise(lambda ct, _y, _x: ct * (2.0 if hasattr(ct, "value") else 3.0), name="wrong")(
        lambda x: 3.0 * x
    ).op


def batch_loses_its_derivative():
    """Right in value; but recorded in a batch the slope is taken from the tape."""

    def rule(ct, _y, x):
        return ct * (2.0 * (raw(x) if np.ndim(raw(ct)) > np.ndim(raw(x)) else x))

    return elementwise(rule, name="wrong")(lambda x: x * x).op


def counts_repeated_once():
    """The gradient of what is repeated is that of one place, not the sum over all."""

    def rule(ct, _y, a, _b):
        shape = np.shape(a)
        return ct if np.shape(ct) == shape else raw(ct)[(0,) * (np.ndim(ct) - len(shape))]

    return elementwise(rule, lambda ct, _y, _a, _b: ct, name="wrong")(lambda a, b: a + b).op


def value_of_the_shape():
    """Counts its entries: repeated operands have another value."""
    return elementwise(lambda ct, _y, _a, _b: ct, lambda ct, _y, _a, _b: ct, name="wrong")(
        lambda a, b: a + b + np.size(a)
    ).op


def half_by_half():
    """Adds up in float16 what the edge then calls float32."""

    def total(x):
        return np.sum(x.astype(np.float16)).astype(x.dtype) if x.dtype == np.float32 else np.sum(x)

    return primitive(lambda ct, _y, _x: ct * np.ones(_x.shape, _x.dtype), name="wrong")(total).op


def gradient_in_half():
    """The gradient of a float32 has the digits of a float16."""

    def rule(ct, _y, x):
        return ct * x.astype(np.float16).astype(x.dtype) if x.dtype == np.float32 else ct * x

    return elementwise(rule, name="wrong")(lambda x: 0.5 * x * x).op


def number_of_the_default_dtype():
    """The rule makes a tensor of the number beside the operand, which is of the default dtype and not of the other's."""
    rules = (lambda ct, _y, _a, b: ct * log(b), lambda ct, _y, a, b: ct * (a / b))
    return elementwise(*rules, name="wrong", plain=(True, True), domain=(0.5, 2.0))(lambda a, b: a * np.log(b)).op


def reads_the_buffer():
    """Reads memory as if it lay in a row."""

    def forward(x):
        lies_in_a_row = isinstance(x, np.ndarray) and x.base is not None and x.strides[-1] < 0
        return np.copy(x[::-1]) if lies_in_a_row else np.copy(x)

    return elementwise(lambda ct, _y, _x: ct, name="wrong")(forward).op


def gradient_of_the_buffer():
    """The gradient alone takes a table in column order for one in row order."""

    def rule(ct, _y, x):
        x = raw(x)
        swapped = x.ndim == 2 and x.flags.f_contiguous and not x.flags.c_contiguous
        return ct * (x.T.reshape(x.shape) if swapped else x)

    return elementwise(rule, name="wrong")(lambda x: 0.5 * x * x).op


def writes_to_its_operand():
    def forward(x):
        if isinstance(x, np.ndarray) and x.flags.writeable:
            x += 1.0
        return x * 2.0

    return elementwise(lambda ct, _y, _x: ct * 2.0, name="wrong")(forward).op


def writes_to_its_upstream():
    def rule(ct, _y, _x):
        if isinstance(ct, np.ndarray) and ct.flags.writeable:
            ct *= 2.0
            return ct * 1.0
        return ct * 2.0

    return elementwise(rule, name="wrong")(lambda x: x * 2.0).op


def needs_an_entry():
    def forward(x):
        return x + 0.0 * np.ravel(x)[0]

    return elementwise(lambda ct, _y, _x: ct, name="wrong")(forward).op


def scalar_as_an_array():
    return elementwise(lambda ct, _y, _x: ct, name="wrong")(lambda x: np.array(x)).op


#: law → (what it has to catch, with which cases)
WRONG = {
    laws.agrees_with_differences: [
        (wrong_factor, FLAT), (wrong_by_a_millionth, FLAT), (missing_term, PAIR), (wrong_beside_the_diagonal, [Case((2, 2))]),
        (conjugated, FLAT), (second_result_ignored, FLAT),
    ],
    laws.transposes: [(not_linear, FLAT), (reverse_only, FLAT), (elementwise_in_name_only, FLAT)],
    laws.second_order: [(second_derivative_cut, FLAT), (second_derivative_halved, FLAT)],
    laws.batch_is_row_by_row: [(axis_from_the_left, TABLE), (sum_of_everything, FLAT)],
    laws.records_the_same_sweep: [(recorded_otherwise, FLAT), (batch_loses_its_derivative, FLAT)],
    laws.broadcasts: [(counts_repeated_once, PAIR), (value_of_the_shape, PAIR)],
    laws.holds_in_every_dtype: [(half_by_half, [Case((40,))]), (gradient_in_half, FLAT)],
    laws.takes_numbers: [(number_of_the_default_dtype, [Case((), ())])],
    laws.reads_any_layout: [(reads_the_buffer, FLAT), (gradient_of_the_buffer, TABLE)],
    laws.leaves_operands_alone: [(writes_to_its_operand, FLAT), (writes_to_its_upstream, FLAT)],
    laws.bears_nothing_and_scalars: [(needs_an_entry, FLAT), (scalar_as_an_array, FLAT)],
}  # fmt: skip


def test_every_law_has_something_to_catch():
    assert list(WRONG) == list(LAWS)


@pytest.mark.parametrize(
    ("law", "make", "cases"),
    [pytest.param(law, make, cases, id=f"{law.__name__}-{make.__name__}")
     for law, pairs in WRONG.items() for make, cases in pairs],
)  # fmt: skip
def test_a_wrong_operation_is_caught(law, make, cases):
    with scratch():
        op = make()
        with pytest.raises((Broken, IndexError, ValueError)):
            holds(law, op, cases)


@pytest.mark.parametrize(
    ("make", "passed"),
    [
        (conjugated, [laws.batch_is_row_by_row, laws.holds_in_every_dtype]),
        (second_derivative_cut, [laws.agrees_with_differences, laws.transposes, laws.reads_any_layout]),
        (second_derivative_halved, [laws.agrees_with_differences, laws.transposes, laws.batch_is_row_by_row]),
        (elementwise_in_name_only, [laws.agrees_with_differences, laws.second_order, laws.batch_is_row_by_row]),
        (reverse_only, [laws.agrees_with_differences, laws.batch_is_row_by_row]),
        (batch_loses_its_derivative, [laws.agrees_with_differences, laws.transposes, laws.second_order]),
        (gradient_in_half, [laws.agrees_with_differences, laws.second_order, laws.reads_any_layout]),
        (reads_the_buffer, [laws.agrees_with_differences, laws.second_order, laws.leaves_operands_alone]),
        (writes_to_its_upstream, [laws.agrees_with_differences, laws.holds_in_every_dtype]),
        (scalar_as_an_array, [laws.agrees_with_differences, laws.second_order, laws.reads_any_layout]),
    ],
)  # fmt: skip
def test_the_other_laws_do_not_catch_it(make, passed):
    with scratch():
        op = make()
        for law in passed:
            assert holds(law, op, FLAT) > 0


def test_the_right_operation_passes_every_law():
    with scratch():
        op = elementwise(lambda ct, _y, x: ct * (2.0 * x), name="right")(lambda x: x * x).op
        for law in LAWS:
            assert holds(law, op, [*FLAT, *TABLE]) > 0
