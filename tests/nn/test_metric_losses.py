"""Losses of distances, against their definitions written out as loops over pairs and triplets."""

import itertools

import numpy as np
import pytest

from gradcli.engine import EngineError, GradientTape, Variable, constant
from gradcli.nn.names import find

LABELS = np.array([0, 1, 0, 2, 1, 0])
EMBEDDINGS = np.random.default_rng(3).normal(size=(6, 3))


def distance(squared):
    d = ((EMBEDDINGS[:, None] - EMBEDDINGS[None]) ** 2).sum(-1)
    return d if squared else np.sqrt(d)


def pairs():
    return [(a, p) for a, p in itertools.permutations(range(6), 2) if LABELS[a] == LABELS[p]]


def others(a):
    return [n for n in range(6) if LABELS[n] != LABELS[a]]


def batch_all(d, margin):
    terms = [max(d[a, p] - d[a, n] + margin, 0.0) for a, p in pairs() for n in others(a)]
    positive = [t for t in terms if t > 1e-16]
    return sum(terms) / len(positive)


def batch_hard(d, margin):
    rows = {a for a, _ in pairs()}
    terms = [
        max(max(d[a, p] for b, p in pairs() if b == a) - min(d[a, n] for n in others(a)) + margin, 0.0) for a in rows
    ]
    return sum(terms) / len(terms)


def semi_hard(d, margin):
    terms = []
    for a, p in pairs():
        further = [d[a, n] for n in others(a) if d[a, n] > d[a, p]]
        chosen = min(further) if further else max(d[a, n] for n in others(a))
        terms.append(max(d[a, p] - chosen + margin, 0.0))
    return sum(terms) / len(terms)


FORMS = {"triplet_all_loss": batch_all, "triplet_hard_loss": batch_hard, "triplet_semihard_loss": semi_hard}


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("margin", [0.2, 1.0])
@pytest.mark.parametrize("name", FORMS)
def test_a_form_of_the_triplet_loss(name, margin, squared):
    found = find(name)(LABELS, constant(EMBEDDINGS, "float64"), margin=margin, squared=squared)
    assert float(found) == pytest.approx(FORMS[name](distance(squared), margin), rel=1e-12)


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("name", FORMS)
def test_the_gradient_is_the_slope(name, squared):
    x = Variable(EMBEDDINGS, dtype="float64")
    with GradientTape() as tape:
        y = find(name)(LABELS, x, squared=squared)
    grad = tape.gradient(y, x).value
    direction = np.random.default_rng(5).normal(size=EMBEDDINGS.shape)
    step = 1e-6
    values = [float(find(name)(LABELS, constant(EMBEDDINGS + s * direction, "float64"), squared=squared))
              for s in (step, -step)]  # fmt: skip
    assert (values[0] - values[1]) / (2 * step) == pytest.approx(float((grad * direction).sum()), rel=1e-6)


@pytest.mark.parametrize("name", FORMS)
def test_equal_embeddings_have_a_finite_gradient(name):
    x = Variable(np.ones((4, 2)), dtype="float64")
    with GradientTape() as tape:
        y = find(name)([0, 0, 1, 1], x, squared=False)
    assert float(y) == 1.0 and np.isfinite(tape.gradient(y, x).value).all()


@pytest.mark.parametrize("name", FORMS)
def test_without_a_triplet_the_loss_is_nought(name):
    assert float(find(name)([0, 1, 2], constant(np.eye(3)))) == 0.0


def test_info_nce_is_a_cross_entropy_of_cosines():
    q, k = EMBEDDINGS, EMBEDDINGS[::-1]
    unit = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (q, k)]
    scores = unit[0] @ unit[1].T / 0.3
    expected = np.mean(np.log(np.exp(scores).sum(1)) - np.diag(scores))
    found = find("info_nce")(constant(q, "float64"), constant(k.copy(), "float64"), temperature=0.3)
    assert float(found) == pytest.approx(expected, rel=1e-12)


def test_contrastive_pulls_together_and_pushes_apart():
    loss = find("contrastive_loss")
    values = loss([1.0, 0.0, 0.0], constant([0.5, 0.25, 2.0]), margin=1.0, reduction="none")
    assert values.value.tolist() == [0.25, 0.5625, 0.0]


@pytest.mark.parametrize(
    ("name", "arguments", "kind"),
    [
        ("triplet_all_loss", ([0, 1], constant(np.ones((3, 2)))), "labels"),
        ("triplet_loss", (constant([[1.0]]), constant([[1.0]]), constant([[1.0, 2.0]])), "operands"),
        ("triplet_hard_loss", (np.zeros(0, int), constant(np.ones((0, 2)))), "empty-batch"),
        ("info_nce", (constant([[1.0]]), constant([[1.0], [2.0]])), "loss"),
        ("mean_squared_error", (constant(np.ones((0, 2))), constant(np.ones((0, 2)))), "empty-batch"),
        ("sparse_categorical_crossentropy", ([0, 3], constant(np.ones((2, 3)))), "label"),
        ("sparse_categorical_crossentropy", ([0, -1], constant(np.ones((2, 3)))), "label"),
        ("sparse_categorical_crossentropy", ([0.5, 1.0], constant(np.ones((2, 3)))), "whole-number"),
        ("sparse_categorical_crossentropy", ([0], constant(np.ones((2, 3)))), "labels"),
        ("hinge", (constant([1.0, 2.0]), constant([1.0])), "loss"),
    ],
)
def test_what_cannot_be_a_loss(name, arguments, kind):
    with pytest.raises(EngineError) as error:
        find(name)(*arguments)
    assert (error.value.kind, error.value.facts["op"]) == (kind, name)


def test_a_reduction_that_is_none():
    with pytest.raises(EngineError) as error:
        find("hinge")([1.0], constant([1.0]), reduction="average")
    assert error.value.facts["known"] == ("mean", "sum", "none")
