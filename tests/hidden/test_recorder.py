"""The record of a strategy that is learned: its numbers are the solver's, and the tree is the game's."""

from __future__ import annotations

import math
import time

import pytest

import gambito
from gambito.errors import SearchError


def last_facts(record):
    """The last facts of each node by name."""
    facts = {}
    for step in record.steps:
        facts.setdefault(step.node, {}).update(step.facts)
    return facts


@pytest.mark.parametrize(("algorithm", "expected"), [("cfr", "0.0687"), ("cfr+", "0.0327")])
def test_ten_iterations_on_kuhn(algorithm, expected):
    record = gambito.trace("kuhn-poker", algorithm=algorithm, depth=10)
    assert len(record.nodes) == 58 and record.depth == record.visited == 10
    assert record.note == (
        f"after 10 iterations, the best reply to the strategy gains {expected} more than its value"
    )
    assert sum(step.kind == "iteration" for step in record.steps) == 10
    assert record.value == pytest.approx(-1 / 18, abs=0.02)


@pytest.mark.parametrize("algorithm", ["cfr", "pcfr+", "fictitious-play", "external-sampling", "oos"])
def test_probabilities_are_probabilities(algorithm):
    record = gambito.trace("kuhn-poker", algorithm=algorithm, depth=4)
    facts = last_facts(record)
    ends = [node for node in record.nodes if not node.children]
    assert math.isclose(sum(facts[node.id]["reach"] for node in ends), 1, abs_tol=0.01)
    for node in record.nodes:
        if node.children and node.player >= 0:
            for name in ("policy", "average"):
                shares = [facts[child][name] for child in node.children]
                assert sum(shares) == pytest.approx(1, abs=0.001)


def test_what_looks_alike_has_the_same_numbers():
    record = gambito.trace("kuhn-poker", algorithm="cfr", depth=3)
    facts, known = last_facts(record), {}
    for node in record.nodes:
        for child in node.children if node.player >= 0 else ():
            name = (node.label, record.nodes[child].action)
            told = {each: facts[child][each] for each in ("regret", "policy", "average")}
            assert known.setdefault(name, told) == told
    assert len({label for label, _ in known}) == 12  # the information sets of Kuhn poker


def test_the_answer_of_a_search_is_the_average_of_the_record():
    record = gambito.trace("kuhn-poker", algorithm="cfr+", depth=20)
    found = gambito.search("kuhn-poker", "Q? pb", algorithm="cfr+", iterations=20, gear="python")
    (node,) = [each for each in record.nodes if each.label == "Q? pb"][:1]
    facts = last_facts(record)
    told = [facts[child]["average"] for child in node.children]
    assert told == pytest.approx(list(found.policy.values()), abs=1e-4)


def test_a_game_that_is_too_large_is_refused():
    with pytest.raises(
        SearchError, match="cfr is recorded for games of at most 1000 states, and leduc-poker"
    ):
        gambito.trace("leduc-poker", algorithm="cfr")


def test_a_game_that_hides_nothing_is_refused():
    with pytest.raises(SearchError, match="cfr is for games that hide something"):
        gambito.trace("tic-tac-toe", algorithm="cfr")


def test_a_tree_without_end_in_sight_is_refused_at_once():
    """Only as many nodes are counted as could be recorded."""
    began = time.process_time()
    with pytest.raises(SearchError, match="and holdem has more"):
        gambito.trace("holdem", None, "cfr")
    assert time.process_time() - began < 5
