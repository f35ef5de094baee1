"""500 random programs, each cut at a known line in a known way: the reason names that way and that line."""

import pytest

from tests.cli.run import evaluate, gradcli
from tests.programs.cut_programs import KINDS, cut_program

COUNT = 500
BATCH = 25


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_the_cut_is_found(first):
    wrong = []
    for seed in range(first, first + BATCH):
        text, code, line = cut_program(seed)
        document = evaluate(text, "--format", "json").document
        value = document["results"][-1]["value"] if document["results"] else document["errors"]
        lines = [place["line"] for place in value["places"]] if isinstance(value, dict) and "places" in value else []
        found = value["code"] if lines else value
        right = found == code and (line in lines if code == "tape-reset" else lines[0] == line)
        if not right:
            wrong.append(f"seed {seed}: {found} at {lines}, not {code} at {line}\n{text}")
    assert not wrong, f"{len(wrong)} of {BATCH}\n" + "\n".join(wrong[:3])


def test_every_way_of_cutting_comes_up():
    assert {cut_program(seed)[1] for seed in range(COUNT)} == set(KINDS)


@pytest.mark.parametrize("seed", range(0, COUNT, 10))
def test_explaining_finds_the_same_cut(seed):
    text, code, line = cut_program(seed)
    story = gradcli("explain", "--format", "json", "-e", text).document["explanations"][-1]
    value = story["sources"][0]["value"]
    assert value["code"] == code and line in [place["line"] for place in value["places"]]
    if code.startswith("cut-"):
        assert line in [step["line"] for step in story["sources"][0]["path"] if step["cut"]]
