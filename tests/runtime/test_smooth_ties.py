"""A tie or kink on the way is no news where the whole function is smooth and the gradient is its derivative."""

import pytest

from gradcli.lang.source import Source
from gradcli.runtime.outcomes import Noted, Shown
from gradcli.runtime.session import Session


def outcomes_of(text):
    found = []
    session = Session(found.append)
    assert session.run(Source("program", text))
    shown = [outcome.value for outcome in found if type(outcome) is Shown]
    return shown, [outcome for outcome in found if type(outcome) is Noted]


@pytest.mark.parametrize(
    ("text", "gradient"),
    [
        ("variable x = [1.0, 1.0, 2.0]\ngradient(sum(sort(x)), x)", [1.0, 1.0, 1.0]),
        ("variable x = [0.5, 2.0]\ngradient(sum(maximum(x, x)), x)", [1.0, 1.0]),
        ("variable x = [[3.0, 3.0]]\ngradient(sum(sort(x)**2), x)", [[6.0, 6.0]]),
    ],
)
def test_no_note_where_the_whole_is_smooth_and_the_gradient_right(text, gradient):
    (value,), notes = outcomes_of(text)
    assert value.numpy().tolist() == gradient
    assert notes == []


def test_a_tie_that_matters_is_told():
    _, notes = outcomes_of("variable x = [1.0, 1.0, 2.0]\ngradient(sort(x)[0], x)")
    assert [note.code for note in notes] == ["tie"]


def test_a_jump_is_no_smooth_point_though_both_quotients_are_infinite():
    (value,), notes = outcomes_of("variable x: float64 = 0.0\ngradient(sign(x), x)")
    assert float(value.numpy()) == 0.0
    (note,) = notes
    assert note.code == "kink"
    assert not note.facts["smooth"]
    assert note.facts["maths"] == []
