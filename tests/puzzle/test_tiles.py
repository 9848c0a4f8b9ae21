"""The 8-puzzle whole, and the 15-puzzle on Korf's instances."""

import random
from collections import Counter

import numpy as np
import pytest

import gambito
from gambito.puzzle.best_first import FOUND, FULL, best_first, plant, rehash
from gambito.puzzle.check import _Work
from gambito.puzzle.heuristics import guided
from gambito.puzzle.nodes import COUNT, EXPANDED, GOAL, HEAD, OPEN, grown, new_nodes
from gambito.search.monitor import Monitor, new_monitor
from tests.support import rows

ADMISSIBLE = ["manhattan", "misplaced", "euclidean", "linear-conflict", "pattern-database"]
ADMISSIBLE += ["max(manhattan,misplaced)"]
GOALS = {"corner": "blank-last", "centre": "spiral"}
FIFTEEN = "sliding-tiles:width=4,height=4,goal=blank-first"
# Nodes generated, as published by Korf (1985).
PUBLISHED = {
    9: 1_650_696,
    19: 1_280_495,
    47: 1_411_294,
    55: 927_212,
    79: 540_860,
    93: 1_599_909,
    97: 1_002_927,
}


@pytest.fixture(scope="module")
def eight():
    """All states of the 8-puzzle and their true costs."""
    work = _Work(guided(gambito.load("sliding-tiles")), None)
    assert work.explore(gambito.load("sliding-tiles").finished)
    return work


@pytest.mark.parametrize("place", sorted(GOALS))
def test_the_histogram_of_distances(place):
    puzzle = gambito.load(f"sliding-tiles:goal={GOALS[place]}")
    work = _Work(guided(puzzle), None)
    assert work.explore(puzzle.finished)
    histogram = Counter(work.g.astype(int).tolist())
    for row in rows("eight_puzzle/states_per_depth.csv"):
        if row["goal_blank"] == place:
            assert histogram[int(row["depth"])] == int(row["states"])
    assert sum(histogram.values()) == 181_440
    assert max(histogram) == (31 if place == "corner" else 30)


STRONG = ("manhattan", "linear-conflict", "pattern-database")


def solve_all(eight, heuristic: str, starts) -> int:
    """Solve by A*, compare with the true costs; returns the states expanded."""
    guide = guided(gambito.load("sliding-tiles"), heuristic)
    work = _Work(guide, None)
    monitor, expanded = new_monitor(Monitor, "native", 0), 0
    nodes = new_nodes(work.kind, "native", 12)
    for start in starts:
        state = eight.state(int(start))
        nodes.slots[:] = 0
        nodes.head[[COUNT, OPEN, EXPANDED]] = 0
        plant(work.game, nodes, work.tables, state, 1.0, 1.0, monitor)
        while True:
            given = (work.tables, state, 1.0, 1.0, 0.0, 0, True, True, 1 << 30, monitor)
            how = best_first(work.game, nodes, *given)
            if how != FULL:
                break
            nodes = grown(nodes, work.kind, "native", work.game, rehash, state)
        assert how == FOUND and nodes.g[nodes.head[GOAL]] == eight.g[start]
        expanded += int(nodes.head[EXPANDED])
    assert len(nodes.head) == HEAD
    return expanded


@pytest.mark.parametrize("heuristic", ["manhattan", "linear-conflict"])
def test_a_star_is_optimal_on_some_starts(eight, heuristic):
    rng = random.Random(7)
    solve_all(eight, heuristic, [*rng.sample(range(eight.count), 40), int(np.argmax(eight.g))])


@pytest.mark.slow
@pytest.mark.parametrize("heuristic", ADMISSIBLE)
def test_a_star_is_optimal_on_all_starts(eight, heuristic):
    """The weak heuristics, which look at much more, on a part of them."""
    assert eight.count == 181_440
    solve_all(eight, heuristic, range(0, eight.count, 1 if heuristic in STRONG else 20))


@pytest.mark.parametrize(
    "heuristics",
    [
        ("zero", "manhattan", "linear-conflict"),
        pytest.param(
            ("zero", "misplaced", "euclidean", "manhattan", "linear-conflict", "pattern-database"),
            marks=pytest.mark.slow,
        ),
    ],
    ids=len,
)
def test_heuristics_dominate_each_other(heuristics):
    expanded = {
        h: gambito.search("sliding-tiles", "8 6 7 2 5 4 3 0 1", heuristic=h).expanded for h in heuristics
    }
    assert sorted(expanded.values(), reverse=True) == list(expanded.values())


def korf() -> dict[int, tuple[str, int]]:
    return {
        int(r["instance"]): (r["tiles"], int(r["optimal_moves"])) for r in rows("fifteen_puzzle/korf100.csv")
    }


def test_ida_star_generates_the_published_nodes():
    instances = korf()
    for number, nodes in PUBLISHED.items():
        found = gambito.search(FIFTEEN, instances[number][0], "ida-star")
        assert (found.cost, found.exact) == (instances[number][1], True)
        assert found.nodes == nodes


@pytest.mark.thorough
def test_pattern_databases_solve_the_same():
    instances = korf()
    for number in PUBLISHED:
        found = gambito.search(FIFTEEN, instances[number][0], "ida-star", heuristic="pattern-database")
        assert (found.cost, found.exact) == (instances[number][1], True)
        assert found.nodes < PUBLISHED[number]


@pytest.mark.slow
def test_all_instances_with_pattern_databases():
    for tiles, moves in korf().values():
        found = gambito.search(FIFTEEN, tiles, "ida-star", heuristic="pattern-database")
        assert (found.cost, found.exact) == (moves, True)


@pytest.mark.slow
def test_instances_with_manhattan_distance():
    """Those of at most 55 moves; the pattern databases solve the others."""
    for tiles, moves in korf().values():
        if moves > 55:
            continue
        found = gambito.search(FIFTEEN, tiles, "ida-star")
        assert (found.cost, found.exact) == (moves, True)
