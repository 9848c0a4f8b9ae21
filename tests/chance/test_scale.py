"""The scale of an evaluation: under expectiminimax only what is linear in it keeps the choice."""

import itertools
import json
import random

import pytest

import gambito
from tests.support import random_tree

TEXTBOOK = '[{"chance":[[0.9,%d],[0.1,%d]]},{"chance":[[0.9,%d],[0.1,%d]]}]'  # Russell & Norvig, §5.5


def chosen(text: str, algorithm: str) -> str:
    return gambito.search("tree", text, algorithm).words()[0]


def test_an_order_preserving_change_changes_the_choice():
    assert chosen(TEXTBOOK % (2, 3, 1, 4), "expectiminimax") == "a"
    assert chosen(TEXTBOOK % (20, 30, 1, 400), "expectiminimax") == "b"


def test_minimax_asks_only_for_the_order():
    assert chosen("[[2,3],[1,4]]", "minimax") == chosen("[[20,30],[1,400]]", "minimax") == "a"


def changed(written, change):
    """A written tree with its leaves and static values changed."""
    if isinstance(written, dict) and "chance" in written:
        return {"chance": [[p, changed(below, change)] for p, below in written["chance"]]}
    if isinstance(written, dict):
        return {k: changed(v, change) if k in ("value", "moves") else v for k, v in written.items()}
    if isinstance(written, list):
        return [changed(below, change) for below in written]
    return change(written)


@pytest.mark.parametrize("chance", [0.0, 0.4])
def test_random_trees(chance):
    """A linear change never matters; one that keeps the order matters just where chance decides."""
    rng, differing = random.Random(3), 0
    for number in itertools.count():
        if number == 150:
            break
        written = random_tree(rng, 4, 3, 20, True, chance)
        if not isinstance(written, list):
            continue
        algorithm = "expectiminimax" if '"chance"' in json.dumps(written) else "minimax"
        before = chosen(json.dumps(written), algorithm)
        linear = changed(written, lambda v: 4 * v)
        assert chosen(json.dumps(linear), algorithm) == before
        cubed = changed(written, lambda v: v**3)
        differing += chosen(json.dumps(cubed), algorithm) != before
        if algorithm == "minimax":
            assert chosen(json.dumps(cubed), algorithm) == before
    assert (differing > 0) == (chance > 0)
