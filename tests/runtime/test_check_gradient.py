"""Verdicts of check_gradient: right gradients agree also at hard points, wrong ones do not, and kinks are told."""

import math

import numpy as np
import pytest

from gradcli.engine import gradcheck
from gradcli.lang.source import Source
from gradcli.runtime.outcomes import Checked, Shown
from gradcli.runtime.session import Session
from gradcli.runtime.settings import Settings


def outcomes_of(text, **settings):
    found = []
    session = Session(found.append, Settings(**settings))
    assert session.run(Source("program", text)), found[-1].facts
    return found


def checked(text, **settings):
    (found,) = [outcome for outcome in outcomes_of(text, **settings) if type(outcome) is Checked]
    return found


def of(expression, x, dtype="float64"):
    return checked(f"default {dtype}\nvariable x = {x}\ncheck_gradient({expression}, x)")


@pytest.mark.parametrize(
    ("expression", "x", "slope"),
    [
        ("sin(x) * x**2", 3.0, 6 * math.sin(3) + 9 * math.cos(3)),
        ("x**2", 1e8, 2e8),
        ("exp(x)", 700.0, math.exp(700)),
        ("sin(x)", 1e8, math.cos(1e8)),
        ("sigmoid(x)", 1e-30, 0.25),
        ("log(x)", 1e-12, 1e12),
        ("sqrt(x)", 1e-6, 500.0),
        ("x**2", 1e-170, 2e-170),
        ("1 - cos(x)", 1e-5, math.sin(1e-5)),
        ("x * abs(x)", 0.0, 0.0),
        ("where(x > 1.0, x**2, 2.0 * x - 1.0)", 1.0, 2.0),
        ("tanh(x)", 50.0, 4 * math.exp(-100)),
        ("softplus(x)", -800.0, 0.0),
        ("x * 0.0", 3.0, 0.0),
        ("relu(x - 1.0)", 1.000001, 1.0),
        ("relu(x - 1.0)", 0.99999, 0.0),
        ("cbrt(x)", 0.0, math.inf),
    ],
)
def test_a_right_gradient_agrees(expression, x, slope):
    outcome = of(expression, x)
    assert outcome.verdict == "agrees"
    _, item = outcome.check.worst
    assert item.gradient == pytest.approx(slope, rel=1e-12)
    if math.isfinite(slope):
        assert item.slope.value == pytest.approx(slope, rel=1e-6, abs=1e-12)
        assert abs(item.slope.value - slope) <= item.slope.error + 1e-12 * abs(slope)  # the bar is no boast


@pytest.mark.parametrize(
    ("expression", "x", "left", "right"),
    [
        ("relu(x)", 0.0, 0.0, 1.0),
        ("abs(x - 2.0)", 2.0, -1.0, 1.0),
        ("maximum(x, 3.0 * x - 4.0)", 2.0, 1.0, 3.0),
        ("clip_by_value(x, 0.0, 1.0)", 1.0, 1.0, 0.0),
        ("where(x > 1.0, x**2, 3.0 - 2.0 * x)", 1.0, -2.0, 2.0),
        ("relu(x) + sin(x)", 0.0, 1.0, 2.0),
    ],
)
def test_a_kink_exactly_at_the_source_is_told_with_both_slopes(expression, x, left, right):
    outcome = of(expression, x)
    assert outcome.ok and outcome.verdict == "cannot tell"
    _, item = outcome.check.worst
    assert item.reason == "kink"
    assert (item.slope.left, item.slope.right) == (pytest.approx(left, abs=1e-9), pytest.approx(right, abs=1e-9))


def test_a_tie_in_a_sort_is_a_kink_in_the_entries_that_tie():
    outcome = of("sort(x)[0]", "[1.0, 1.0, 2.0]")
    (source,) = outcome.check.sources
    assert [item.verdict for item in source.compared] == ["cannot tell", "cannot tell", "agrees"]


def test_near_a_tie_the_steps_are_short_enough():
    assert of("reduce_max(x)", "[1.0, 1.0001]").verdict == "agrees"


@pytest.mark.parametrize(
    ("expression", "x", "reason"),
    [("sqrt(x)", 0.0, "domain-edge"), ("sign(x)", 0.0, "jump"), ("x + where(x >= 0.0, 1.0, 0.0)", 0.0, "kink")],
)
def test_edges_and_jumps_are_told(expression, x, reason):
    outcome = of(expression, x)
    assert outcome.verdict == "cannot tell"
    assert outcome.check.worst[1].reason == reason


def test_where_the_target_is_not_finite_there_is_no_verdict():
    outcome = of("sqrt(x)", -1.0)
    assert outcome.verdict == "cannot tell" and outcome.check.reason == "not-finite"


def test_a_gradient_that_is_not_a_number_differs_from_a_slope():
    outcome = of("custom_gradient(lambda u: u**2, lambda dy, u: dy * log(-u))(x)", 2.0)
    assert not outcome.ok
    assert [d.kind for d in outcome.diagnoses] == ["not-finite"]


def test_garbage_by_cancellation_is_judged_with_more_digits():
    if np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps:
        pytest.skip("this machine has no wider format")
    outcome = of("(1.0 - cos(x)) / x**2", 1e-7)  # right: -x/12
    assert not outcome.ok
    assert abs(outcome.check.worst[1].slope.value) < 1.0 < abs(outcome.check.worst[1].gradient)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
@pytest.mark.parametrize(
    "expression",
    [
        "reduce_sum(x**3)",
        "reduce_sum(exp(x) * sin(x))",
        "reduce_sum(softmax(x) * [1.0, 2.0, 3.0])",
        "reduce_logsumexp(x * 3.0)",
        "reduce_sum((x + 1000.0) - 1000.0)",
        "reduce_sum(cast(cast(x, 'float16'), 'float64'))",
        "reduce_mean(tanh(x) / (1.0 + x**2))",
    ],
)
def test_right_programs_in_narrow_floats_agree(expression, dtype):
    outcome = of(expression, "[0.7, -0.3, 1.1]", dtype)
    assert outcome.verdict == "agrees"
    assert outcome.max_rel < 1e-7  # judged in float64


def test_the_rounding_of_a_narrow_program_is_told_apart():
    outcome = of("reduce_sum(x**3)", "[0.7, -0.3, 1.1]", "float32")
    assert 0 < outcome.check.sources[0].rounding < 1e-6
    assert outcome.check.dtype == "float32"


def test_a_pullback_that_computes_in_float32_has_the_room_of_float32():
    text = """
variable x = [0.7, -0.3, 1.1]
constant c = 1.5
def f(u) = reduce_sum(sin(u) * 1.5)
def df(dy, u) = dy * cos(u) * {factor}
g = custom_gradient(f, df)
check_gradient(g(x), x)
"""
    assert checked(text.format(factor="c")).verdict == "agrees"
    assert checked(text.format(factor="(c * 1.01)")).verdict == "differs"


def test_stop_gradient_is_respected():
    assert of("x * stop_gradient(x)", 3.0).verdict == "agrees"
    assert of("x * stop_gradient(x)", 3.0).check.worst[1].gradient == 3.0


def test_a_source_that_is_not_connected_is_not_compared():
    outcome = checked("variable x = 1.0\nvariable z = 2.0\ncheck_gradient(x**2, [x, z])")
    assert outcome.verdict == "agrees" and outcome.check.unconnected == [1]


def test_where_every_gradient_is_none_there_is_no_verdict():
    outcome = checked("variable x = 1.0\nconstant c = 2.0\ncheck_gradient(x**2, c)")
    assert outcome.verdict == "cannot tell" and outcome.check.reason == "unconnected"


def test_a_part_that_a_custom_gradient_leaves_out_is_found():
    """A tensor from outside goes into the function, and its own pullback knows nothing of it."""
    outcome = checked("""
default float64
variable x = [1.0, 2.0]
c = 3.0 * x
def f(u) = u * c
def df(dy, u) = dy * c
g = custom_gradient(f, df)
check_gradient(reduce_sum(g(x)), x)
""")
    assert outcome.verdict == "differs"  # [3, 6] instead of [6, 12]
    assert [(d.kind, d.ratio) for d in outcome.diagnoses] == [("ratio", pytest.approx(0.5))]


def test_a_variable_that_was_assigned_moves_wherever_it_was_read():
    outcome = checked("""
default float64
variable w = 2.0
tape {
  y = w**2
  w.assign(5.0)
  z = y + w**3
}
check_gradient(z, w)
""")
    assert outcome.verdict == "agrees"
    assert outcome.check.worst[1].gradient == 2 * 2.0 + 3 * 25.0


def test_complex_sources_are_compared_in_both_parts():
    outcome = checked("variable z = complex(1.0, 2.0)\ncheck_gradient(abs(z)**3, z)")
    assert outcome.verdict == "agrees"
    assert len(outcome.check.sources[0].compared) == 2


MANY = """
default float64
variable w = random.normal([40, 50], seed=3)
variable b = random.normal([50], seed=4)
constant x = random.normal([8, 40], seed=5)
def f(w, b) = reduce_mean(tanh(x @ w + b)**2)
def df(dy, w, b) {{
  h = tanh(x @ w + b)
  dh = dy * 2.0 * h * (1.0 - h**2) / 400.0
  dw = {dw}
  return [dw, reduce_sum(dh, axis=0)]
}}
g = custom_gradient(f, df)
check_gradient(g(w, b), [w, b])
"""


def test_beyond_a_thousand_entries_directions_are_compared():
    outcome = checked(MANY.format(dw="transpose(x) @ dh"))
    assert outcome.verdict == "agrees"
    first, _ = outcome.check.sources
    assert [item.index for item in first.compared] == [None] * len(first.compared)
    assert outcome.check.evaluations < 120


def test_one_wrong_entry_of_two_thousand_is_found():
    outcome = checked(MANY.format(dw="transpose(x) @ dh + 1e-6 * reshape(one_hot(7, 40), [40, 1]) * one_hot(11, 50)"))
    assert not outcome.ok
    first, second = outcome.check.sources
    assert {item.index for item in first.compared if item.index and item.verdict == "differs"} == {(7, 11)}
    assert second.verdict == "agrees"


def test_a_shared_ratio_is_told_once_for_all_gradients():
    text = MANY.replace("dh = dy * 2.0", "dh = dy * 3.0").format(dw="transpose(x) @ dh")
    outcome = checked(text)
    (diagnosis,) = outcome.diagnoses
    assert diagnosis.kind == "ratio" and diagnosis.ratio == pytest.approx(1.5)
    assert diagnosis.sources == [0, 1]


def test_the_same_seed_gives_the_same_numbers():
    a, b = (checked(MANY.format(dw="transpose(x) @ dh"), seed=1) for _ in range(2))
    assert [i.slope.value for i in a.check.sources[0].compared] == [i.slope.value for i in b.check.sources[0].compared]


@pytest.mark.parametrize(
    "query",
    [
        "gradient(y, x)",
        "jacobian(x**3, x)",
        "hessian(y, x)",
        "hvp(y, x, [1.0, -2.0])",
        "jvp(x**3, x, [1.0, -2.0])",
        "vjp(x**3, x, [1.0, -2.0])",
        "batch_jacobian(x**3, x)",
        "grad(lambda u: reduce_sum(u**3))(x)",
    ],
)
@pytest.mark.parametrize("checks", ["numeric", "verify"])
def test_every_query_can_be_verified_as_it_is_taken(query, checks):
    text = f"variable x: float64 = [1.5, 0.5]\ny = reduce_sum(x**3 * x[::-1])\n{query}"
    if "batch" in query:
        text = text.replace("[1.5, 0.5]", "[[1.5], [0.5]]")
    outcome = checked(text, checks=checks)
    assert outcome.verdict == "agrees" and outcome.check.evaluations > 2


def test_a_wrong_jacobian_would_be_caught(monkeypatch):
    from gradcli.runtime import queries

    right = queries.QUERIES["jacobian"].ask
    monkeypatch.setattr(queries.QUERIES["jacobian"], "ask", lambda *a, **k: right(*a, **k) * 1.001)
    outcome = checked("variable x: float64 = [1.5, 0.5]\njacobian(x**3, x)", checks="numeric")
    assert not outcome.ok
    assert outcome.diagnoses[0].ratio == pytest.approx(1.001)


def test_a_query_in_a_loop_is_checked_in_full_a_few_times_only():
    text = "variable x: float64 = 1.5\nfor i in range(10) {\n  tape { y = x**3 }\n  g = gradient(y, x)\n}"
    assert len([o for o in outcomes_of(text, checks="numeric") if type(o) is Checked]) == 3
    assert len([o for o in outcomes_of(text, checks="verify") if type(o) is Checked]) == 10


def test_it_counts_as_the_one_query_of_a_one_shot_tape():
    found = []
    session = Session(found.append)
    assert not session.run(Source("p", "variable x = 1.0\ntape { y = x**2 }\ncheck_gradient(y, x)\ngradient(y, x)"))
    assert found[-1].code == "tape-used-up"


def test_of_a_function_and_its_argument():
    outcome = checked("variable x = 3.0\ncheck_gradient(lambda u: u**3, x)")
    assert outcome.verdict == "agrees" and outcome.names == ["x"]
    outcome = checked("variable x = 3.0\nvariable w = 2.0\ncheck_gradient(lambda u, v: u**3 * v, [x, w])")
    assert [item.gradient for source in outcome.check.sources for item in source.compared] == [54.0, 27.0]


def test_its_value_is_a_dict_that_a_program_can_use():
    text = """
variable x: float64 = [1.0, 2.0]
r = check_gradient(reduce_sum(x**2), x)
assert r["verdict"] == "agrees"
assert r["max_rel"] < 1e-7
print(r["worst"]["source"])
"""
    found = outcomes_of(text)
    assert [outcome.ok for outcome in found if hasattr(outcome, "ok")] == [True, True, True]
    assert [outcome.value for outcome in found if type(outcome) is Shown] == ["x"]


def test_a_deliberately_wrong_one_can_be_expected():
    text = """
variable x = 1.0
g = custom_gradient(lambda u: u**2, lambda dy, u: dy * u)
check_gradient(g(x), x)  # expect: check[gradient-differs]
check_gradient(relu(x - 1.0), x)  # expect: check[cannot-tell]
"""
    found = outcomes_of(text)
    assert not [outcome for outcome in found if type(outcome) is Checked]
    assert all(outcome.ok for outcome in found if hasattr(outcome, "ok"))


def test_a_function_that_nobody_kept_is_no_traceback():
    found = []
    session = Session(found.append)
    session.run(Source("a", "variable x = 1.0\ng = custom_gradient(lambda u: u**2, lambda dy, u: dy * u)\ny = g(x)"))
    session.run(Source("b", "check_gradient(y, x)"))
    (outcome,) = [o for o in found if type(o) is Checked]
    assert outcome.verdict == "cannot tell" and outcome.check.reason == "custom"


def test_the_tolerance_is_what_the_page_says():
    assert gradcheck.RTOL == 1e-7


def by_hand(function, pullback, x, dtype="float64"):
    text = (
        f"default {dtype}\nvariable x = {x}\ng = custom_gradient(lambda u: {function}, lambda dy, u: dy * {pullback})"
    )
    return checked(f"{text}\ncheck_gradient(g(x), x)")


@pytest.mark.parametrize("x", ["1e-300", "1e-170", "1e-30", "1e-10", "1.0", "1e10", "1e150"])
@pytest.mark.parametrize(
    ("function", "right", "wrong"),
    [
        ("3.0 * u", "3.0", "3.000001"),  # 3e-7 of it, as the tolerance is 1e-7
        ("3.0 * u", "3.0", "0.0"),
        ("log(u)", "(1.0 / u)", "(1.0001 / u)"),
        ("sqrt(u)", "(0.5 / sqrt(u))", "(1.0 / sqrt(u))"),
    ],
)
def test_right_and_wrong_pullbacks_at_any_scale(x, function, right, wrong):
    assert by_hand(function, right, x).verdict == "agrees"
    assert by_hand(function, wrong, x).verdict == "differs"


@pytest.mark.parametrize("x", ["1e-150", "1e-100", "1e-30", "1e-10", "1e10", "1e100"])
def test_a_gradient_of_zero_is_wrong_for_a_square_however_small(x):
    assert by_hand("u * u", "(2.0 * u)", x).verdict == "agrees"
    assert by_hand("u * u", "0.0", x).verdict == "differs"


@pytest.mark.parametrize("expression", ["tanh(x)", "sigmoid(x)", "atan(x)", "x / (1.0 + x)", "erf(x)"])
@pytest.mark.parametrize("x", ["1e10", "1e50", "1e150"])
def test_what_is_saturated_agrees(expression, x):
    assert of(expression, x).verdict == "agrees"


@pytest.mark.parametrize("x", ["1e8", "1e10", "1e12"])
@pytest.mark.parametrize("expression", ["sin(x)", "cos(x) + x * 1e-9"])
def test_a_wave_far_shorter_than_its_argument_never_differs(expression, x):
    """Steps of the size of the argument jump over periods, and look as settled as a slope of 0."""
    assert of(expression, x).verdict != "differs"
    assert of(f"sum({expression})", f"[{x}, 1.0]").verdict != "differs"


def test_where_the_wave_can_be_told_it_agrees():
    assert of("sin(x)", "1e10").verdict == "agrees"
    assert by_hand("sin(u)", "0.3", "1e10").verdict == "differs"


@pytest.mark.parametrize("expression", ["sin(x)", "cos(x)"])
def test_a_point_that_no_step_resolves_cannot_be_told(expression):
    assert of(expression, "3.7e30", "float32").verdict == "cannot tell"


@pytest.mark.parametrize("x", [0.99999, 1.00001])
@pytest.mark.parametrize(
    ("expression", "below", "above"), [("maximum(x, 1.0)", 0.0, 1.0), ("clip_by_value(x, 0.0, 1.0)", 1.0, 0.0)]
)
def test_near_a_kink_the_slope_is_that_of_the_side(expression, below, above, x):
    outcome = of(expression, x)
    assert outcome.verdict == "agrees" and outcome.check.worst[1].gradient == (below if x < 1 else above)
    for wrong in ("0.9", "5.0", "-1.0"):
        assert by_hand(expression.replace("x,", "u,"), wrong, x).verdict == "differs"


def test_near_a_kink_of_neighbours_too():
    assert of("reduce_max(x)", "[3.0, 3.0000001, 2.0]").verdict == "agrees"


@pytest.mark.parametrize(
    ("expression", "x"),
    [
        ("x - x * x / x", "3.7e-10"),
        ("x - x * x / x", "3.7e4"),
        ("(x + 1.0) - x", "3.7e8"),
        ("sum(softmax(x))", "[0.1, 0.7, 1.3]"),
        ("sum(x - reduce_mean(x))", "[0.1, 0.7, 1.3]"),
        ("sum((x - reduce_mean(x)) / reduce_std(x))", "[0.1, 0.7, 1.3]"),
    ],
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_gradient_of_zero_by_cancellation_agrees(expression, x, dtype):
    """What is left are the last bits of the terms."""
    outcome = of(expression, x, dtype)
    assert outcome.verdict == "agrees" and outcome.check.max_rel == 0.0


def test_beyond_the_last_bits_it_differs():
    assert by_hand("sum(softmax(u))", "(softmax(u) * 1e-9)", "[0.1, 0.7, 1.3]").verdict == "differs"


def test_a_curve_is_no_kink():
    outcome = by_hand("cos(u)", "sin(u)", "1e-10")  # the sign is wrong
    assert outcome.check.worst[1].reason != "kink"


def test_a_nan_at_a_kink_is_told_with_the_slopes():
    outcome = of("sqrt(x * x)", 0.0)
    _, item = outcome.check.worst
    assert outcome.verdict == "cannot tell" and (item.slope.left, item.slope.right) == (-1.0, 1.0)


def test_a_scalar_has_no_wrong_places():
    outcome = of("norm([x, 2.0 * x])", "1e-160")  # the squares are subnormal, with few digits
    assert outcome.verdict == "differs" and [found.kind for found in outcome.diagnoses] == ["some"]


def test_an_infinite_source_beside_it_hinders_nothing():
    assert of("x[1]**2", "[inf, 1.0]").verdict == "agrees"
    assert of("x[1]**2", "[nan, 1.0]").verdict == "agrees"


def test_zero_by_cancellation_inside_a_rule_agrees():
    assert of("sum(layer_norm([x, 2.0 * x]))", "[1.7, 2.9, 3.3, 5.1]").verdict == "agrees"


@pytest.mark.parametrize("query", ["hessian(sum(b(x)), x)", "hvp(sum(b(x)), x, [1.0, 2.0])"])
@pytest.mark.parametrize("checks", ["numeric", "verify"])
def test_the_hessian_of_a_wrong_gradient_differs(query, checks):
    """It is the right derivative of the wrong gradient."""
    text = (
        "default float64\nvariable x = [0.3, 0.7]\nb = custom_gradient(lambda u: u**3, lambda dy, u: dy * {} * u**2)\n"
        + query
    )
    (wrong,) = [o for o in outcomes_of(text.format("1.5"), checks=checks) if type(o) is Checked]
    assert wrong.verdict == "differs" and [(d.kind, d.ratio) for d in wrong.diagnoses] == [
        ("ratio", pytest.approx(0.5))
    ]
    (right,) = [o for o in outcomes_of(text.format("3.0"), checks=checks) if type(o) is Checked]
    assert right.verdict == "agrees"


@pytest.mark.parametrize(
    "call",
    [
        "jvp(b(x), x, [1.0, 2.0])",
        "jvp(lambda u: b(u), x, [1.0, 2.0])",
        "jvp(recompute(lambda u: u**2)(x), x, [1.0, 2.0])",
    ],
)
def test_a_jvp_goes_through_a_function_that_is_one_call(call):
    text = "default float64\nvariable x = [0.3, 0.7]\nb = custom_gradient(lambda u: u**2, lambda dy, u: dy * 2.0 * u)\n"
    found = outcomes_of(text + call, checks="numeric")
    assert [o.verdict for o in found if type(o) is Checked] == ["agrees"]
    (shown,) = [o for o in found if type(o) is Shown]
    assert shown.value.value == pytest.approx([0.6, 2.8], rel=1e-15)
