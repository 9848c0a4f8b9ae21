"""The records of searches for one agent: what was opened and closed, and the way found."""

import pytest

import gambito
from gambito.draw import draw
from gambito.puzzle.recorder import SENTENCES, TITLES
from gambito.search.trace.record import ALONE

LECTURE = ("sliding-tiles:goal=spiral", "2 8 3 1 6 4 7 0 5")
NAMES = ["a-star", "weighted-a-star", "greedy-best-first", "uniform-cost", "breadth-first", "depth-first"]
NAMES += ["beam", "ida-star", "bidirectional"]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_a_tree_with_facts(name):
    record = gambito.trace(*LECTURE, name)
    found = gambito.search(*LECTURE, name, gear="python")
    assert (record.value, record.line, record.visited) == (found.cost, found.words(), found.nodes)
    assert [node.id for node in record.nodes] == list(range(len(record.nodes)))
    for node in record.nodes[1:]:
        assert node.parent < node.id and node.id in record.nodes[node.parent].children
        assert node.player == ALONE
    assert {step.kind for step in record.steps} <= {"open", "close", "path", *TITLES}
    for step in record.steps:
        assert set(step.facts) <= {"f", "g", "h", "bound"}
        assert step.text.template in SENTENCES.values()
    way = [step for step in record.steps if step.kind == "path"]
    assert len(way) == len(found.line) + 1
    for shape in ("text", "svg", "html", "json"):
        assert draw(record, shape)


def test_a_star_closes_by_f():
    record = gambito.trace(*LECTURE, "a-star")
    closed = [step.facts for step in record.steps if step.kind == "close"]
    assert [fact["f"] for fact in closed] == sorted(fact["f"] for fact in closed)
    assert all(fact["f"] == fact["g"] + fact["h"] for fact in closed)


@pytest.mark.parametrize("spec", ["grid-map", "graph"])
def test_ways_on_a_board_have_cells(spec):
    record = gambito.trace(spec, algorithm="a-star")
    cells = record.board["cells"]
    assert all(0 <= node.cell < len(cells) for node in record.nodes)
    assert gambito.trace(*LECTURE).board is None


def test_a_better_way_is_another_node():
    record = gambito.trace("graph", "S-A 1, A-B 1, S-B 5, B-G 10; S=9 A=11 B=2; S to G")
    assert [node.label for node in record.nodes].count("B") == 2
    assert any("better way" in step.text for step in record.steps)


def test_ida_star_tells_its_bounds():
    record = gambito.trace("graph", algorithm="ida-star")
    bounds = [step.facts["bound"] for step in record.steps if step.kind == "bound"]
    assert bounds == sorted(set(bounds)) and bounds[-1] == record.value
    assert any(step.kind == "beyond" for step in record.steps)


def test_a_goal_has_nothing_to_record():
    record = gambito.trace("sliding-tiles", "1 2 3 4 5 6 7 8 0")
    assert len(record.nodes) == 1 and not record.steps and record.value == 0


def test_a_large_search_is_cut_short_and_says_so():
    record = gambito.trace("sliding-tiles", "8 6 7 2 5 4 3 0 1", "uniform-cost")
    assert record.note == SENTENCES["stopped"] and record.value is None
    assert 100 < len(record.nodes) < 100_000
