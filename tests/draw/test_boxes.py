"""Winston's figure: the boxes of a search, numbered as in the lecture."""

import gambito
from gambito.draw import boxed, draw
from gambito.draw.boxes import boxes
from tests.support import AIMA, LECTURE

# The lecture's steps: the path of the node from the root, and what is known of it.
WINSTON = """
aaa = 8 | aa ≥ 8 | aab = 7 | aac = 3 | aa = 8 | a ≤ 8 | aba = 9 | ab ≥ 9 | aca = 2 | ac ≥ 2
acb = 4 | ac ≥ 4 | acc = 1 | ac = 4 | a = 4 | . ≥ 4 | baa = 1 | ba ≥ 1 | bab = 3 | ba ≥ 3
bac = 5 | ba = 5 | b ≤ 5 | bba = 3 | bb ≥ 3 | bbb = 9 | bb ≥ 9 | bca = 6 | bc ≥ 6 | b = 5
. ≥ 5 | caa = 1 | ca ≥ 1 | cab = 2 | ca ≥ 2 | cac = 3 | ca = 3 | c ≤ 3 | . = 5
"""
SIGNS = {"exact": "=", "lower": "≥", "upper": "≤"}


def paths(record) -> dict[int, str]:
    named = {0: ""}
    for node in record.nodes[1:]:
        named[node.id] = named[node.parent] + node.action
    return named


def test_the_39_boxes_of_the_lecture():
    record = gambito.trace("tree", LECTURE, "alpha-beta")
    named = paths(record)
    told = [f"{named[box.node] or '.'} {SIGNS[box.bound]} {box.value}" for box in boxes(record)]
    wanted = [each.strip() for line in WINSTON.strip().splitlines() for each in line.split("|")]
    assert told == wanted
    assert len(told) == 39


def test_a_boxed_record_has_the_boxes_as_its_conclusions():
    record = gambito.trace("tree", LECTURE, "alpha-beta")
    numbered = boxed(record)
    assert [s.conclusion for s in numbered.steps if s.conclusion] == list(range(1, 40))
    assert (numbered.visited, numbered.value) == (record.visited, record.value)
    assert [s.conclusion for s in record.steps if s.conclusion] == list(range(1, 15))  # untouched
    for shape in ("text", "svg", "html", "json"):
        assert "39" in draw(numbered, shape)


def test_boxes_of_other_searches():
    """Minimax has a box for every leaf; simulations have none."""
    whole = boxes(gambito.trace("tree", AIMA, "minimax"))
    assert sum(len(box.text) > 0 and box.text.startswith("static value") for box in whole) == 9
    assert boxes(gambito.trace("tree", AIMA, "mcts", seed=1)) == []
