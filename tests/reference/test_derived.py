"""Gradients derived by hand: right ones agree with the automatic ones, wrong ones differ in the way that they declare."""

import functools
import re
from collections import Counter

import numpy as np
import pytest

from gradcli.lang.source import Source
from gradcli.runtime.outcomes import Asserted, Checked, Shown
from gradcli.runtime.session import Session

from .derived_programs import DERIVED, KINDS, Variant, all_variants, variants

VARIANTS = all_variants()
RIGHT = [variant for variant in VARIANTS if variant.kind == "right"]
WRONG = [variant for variant in VARIANTS if variant.kind != "right"]

#: two gradients are the same within this, absolute and of the larger one
CLOSE = 1e-9


@functools.cache
def outcomes_of(variant):
    """What a program does, its check last, and the session that ran it."""
    outcomes = []
    session = Session(outcomes.append)
    assert session.run(Source(variant.name, variant.text)), outcomes[-1].facts
    assert {type(outcome) for outcome in outcomes} <= {Asserted, Checked, Shown}
    return outcomes, session


def run(variant):
    """What the asserts say, and the gradients by hand and automatic, by the names of the sources."""
    outcomes, session = outcomes_of(variant)
    asserted = [outcome for outcome in outcomes if type(outcome) is Asserted]
    assert asserted
    values = session.named_values()
    hand, automatic = (
        {name.removeprefix(which): value for name, value in values.items() if name.startswith(which)}
        for which in ("hand.", "automatic.")
    )
    return all(outcome.ok for outcome in asserted), hand, automatic


@functools.cache
def right_gradient(name):
    return run(next(variant for variant in RIGHT if variant.name == name))[2]


def same(a, b):
    return np.allclose(a, b, rtol=CLOSE, atol=CLOSE)


def ratio(wrong, right):
    """What the entries of `right` are all multiplied by to give `wrong`; nan if there is no such number."""
    largest = np.argmax(abs(right))
    found = wrong.flat[largest] / right.flat[largest]
    return found if np.allclose(wrong, found * right, rtol=CLOSE, atol=1e-12) else np.nan


def a_factor_n_is_missing(wrong, right):
    found = ratio(wrong, right)
    n = np.maximum(found, 1.0 / found) if found else np.nan
    return n > 2.5 and abs(n - round(n)) < CLOSE


def is_the_transpose(wrong, right):
    square = right.ndim >= 2 and right.shape[-1] == right.shape[-2]
    return square and same(wrong, np.swapaxes(right, -1, -2))


def one_entry_differs(wrong, right):
    return right.size > 1 and np.count_nonzero(~np.isclose(wrong, right, rtol=CLOSE, atol=CLOSE)) == 1


RELATIONS = {
    "missing-mean": a_factor_n_is_missing,
    "sign": lambda wrong, right: same(ratio(wrong, right), -1.0),
    "factor": lambda wrong, right: same(ratio(wrong, right), 2.0) or same(ratio(wrong, right), 0.5),
    "transpose": is_the_transpose,
    "wrong-entry": one_entry_differs,
    "other": lambda wrong, right: True,
}


@pytest.mark.parametrize("variant", RIGHT, ids=lambda variant: variant.name)
def test_a_right_derivation_agrees(variant):
    ok, hand, automatic = run(variant)
    assert ok and hand.keys() == automatic.keys()
    for name, value in automatic.items():
        assert np.isfinite(value).all() and value.dtype == np.float64
        # neither so small nor so large that a difference could hide
        assert 0.01 < abs(value).max() < 100.0, name


@pytest.mark.parametrize("variant", WRONG, ids=lambda variant: variant.label)
def test_a_wrong_derivation_differs_as_declared(variant):
    ok, hand, automatic = run(variant)
    assert not ok
    # the derivation is wrong, not the function
    assert automatic.keys() == right_gradient(variant.name).keys()
    assert all(np.array_equal(automatic[name], value) for name, value in right_gradient(variant.name).items())
    changed = [name for name in automatic if not same(hand[name], automatic[name])]
    # far enough off to be seen by a difference quotient
    assert max(abs(hand[name] - automatic[name]).max() / abs(automatic[name]).max() for name in changed) > 1e-5
    assert any(RELATIONS[variant.kind](hand[name], automatic[name]) for name in changed)
    assert variant.kind != "wrong-entry" or len(changed) == 1


def checked(variant):
    (found,) = [outcome for outcome in outcomes_of(variant)[0] if type(outcome) is Checked]
    return found


@pytest.mark.parametrize("variant", RIGHT, ids=lambda variant: variant.name)
def test_check_gradient_agrees_with_a_right_derivation(variant):
    outcome = checked(variant)
    assert outcome.ok and outcome.verdict == "agrees"
    assert outcome.max_rel <= 1e-7
    for source in outcome.check.sources:
        assert len(source.compared) == source.numbers.size  # every entry, one by one
        assert all(item.slope.error <= 1e-5 * abs(source.numbers).max() for item in source.compared)
    (shown,) = [outcome for outcome in outcomes_of(variant)[0] if type(outcome) is Shown]
    assert shown.value["verdict"] == "agrees"


DIAGNOSES = {
    "missing-mean": lambda d: (
        d.kind == "ratio" and max(d.ratio, 1 / d.ratio) == pytest.approx(round(max(d.ratio, 1 / d.ratio)), rel=1e-5)
    ),
    "sign": lambda d: d.kind == "ratio" and d.ratio == pytest.approx(-1.0, rel=1e-5),
    "factor": lambda d: d.kind == "ratio" and max(d.ratio, 1 / d.ratio) == pytest.approx(2.0, rel=1e-5),
    "transpose": lambda d: d.kind == "transpose",
    "wrong-entry": lambda d: d.kind == "one-entry",
    "other": lambda d: True,
}


@pytest.mark.parametrize("variant", WRONG, ids=lambda variant: variant.label)
def test_check_gradient_catches_a_wrong_derivation_and_tells_how_it_is_wrong(variant):
    outcome = checked(variant)
    assert not outcome.ok and outcome.verdict == "differs"
    _, hand, automatic = run(variant)
    differing = {outcome.names[s.position] for s in outcome.check.sources if s.verdict == "differs"}
    assert differing == {name for name in automatic if not same(hand[name], automatic[name])}
    for source in outcome.check.sources:
        right = automatic[outcome.names[source.position]]
        for item in source.compared:
            assert item.slope.value == pytest.approx(right[item.index], rel=1e-6, abs=1e-7 * abs(right).max())
    assert any(DIAGNOSES[variant.kind](d) for d in outcome.diagnoses)
    # the call whose pullback is wrong is found
    assert outcome.culprits


@pytest.mark.parametrize("variant", RIGHT, ids=lambda variant: variant.name)
def test_the_last_line_checks_every_source(variant):
    last = variant.text.splitlines()[-1]
    checked = re.fullmatch(r"check_gradient\(loss, \{(.*)\}\)", last)
    sources = re.findall(r"^variable (\w+) =", variant.text, re.MULTILINE)
    assert checked is not None and checked[1] == ", ".join(f'"{name}": {name}' for name in sources)
    assert len(sources) == len(set(sources)) == len(right_gradient(variant.name))


def test_there_are_enough_of_each_kind():
    assert len(RIGHT) >= 55
    kinds = Counter(variant.kind for variant in WRONG)
    assert set(kinds) == set(KINDS) == set(RELATIONS) and min(kinds.values()) >= 10
    for program in RIGHT:
        assert len({variant.kind for variant in WRONG if variant.name == program.name}) >= 2, program.name
        assert len({variant.text for variant in VARIANTS if variant.name == program.name}) == sum(
            variant.name == program.name for variant in VARIANTS
        )


def test_a_replacement_takes_the_place_and_the_indent_of_its_line(tmp_path):
    path = tmp_path / "doubled.tp"
    path.write_text("{\n    a = 1\n    #! sign: a = -1\n    #! other: a = 3\n}\n", encoding="utf-8")
    rest = "    #! sign: a = -1\n    #! other: a = 3\n}\n"
    assert variants(path) == [
        Variant("doubled", "right", "{\n    a = 1\n" + rest),
        Variant("doubled", "sign", "{\n    a = -1\n" + rest, 2),
        Variant("doubled", "other", "{\n    a = 3\n" + rest, 2),
    ]


@pytest.mark.parametrize("text", ["#! sign: a\n", "a\n#! signs: b\n", "a\n#! sign b\n"])
def test_a_malformed_comment_is_refused(text, tmp_path):
    path = tmp_path / "malformed.tp"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"malformed\.tp:[12]"):
        variants(path)


def test_the_programs_are_where_they_are_looked_for():
    assert {variant.name for variant in RIGHT} == {path.stem for path in DERIVED.iterdir()}
