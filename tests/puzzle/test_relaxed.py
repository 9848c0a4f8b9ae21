"""Heuristics from relaxed problems: the cost in a supergraph never exceeds the cost in the graph."""

from pathlib import Path

import pytest

import gambito
from gambito.puzzle.heuristics import guided

EXAMPLE = f"{Path(__file__).resolve().parents[2]}/docs/examples/relaxed_tiles.py"
WALLS = "S.#......./..#..#####/.....#...G"


def estimates(puzzle, name, states):
    version = guided(puzzle, name)
    memory = version.memory("python")
    return [version.puzzle.guess(memory, state) for state in states]


def cells_of(puzzle):
    target = puzzle.initial().target
    return [type(puzzle.initial())(cell, target) for cell in range(len(puzzle.ground)) if puzzle.ground[cell]]


@pytest.mark.parametrize(("directions", "name"), [(4, "manhattan"), (8, "octile")])
def test_a_maze_without_walls_is_a_distance(directions, name):
    """If walls can be crossed, the cost is the Manhattan distance; with diagonal steps, the octile one."""
    puzzle = gambito.load(f"grid-map:directions={directions}")
    puzzle = puzzle.at(puzzle.parse(WALLS))
    states = cells_of(puzzle)
    assert estimates(puzzle, "relaxed", states) == pytest.approx(estimates(puzzle, name, states))
    found = gambito.check_heuristic(puzzle, "relaxed")
    assert found.admissible and found.consistent


def test_cells_that_cost_more_stay_so():
    puzzle = gambito.load("grid-map:directions=4")
    puzzle = puzzle.at(puzzle.parse("S9#/.9G"))
    assert estimates(puzzle, "relaxed", [puzzle.initial()]) == [1 + 9 + 1]
    assert estimates(puzzle, "manhattan", [puzzle.initial()]) == [3]


def test_costs_to_several_goals_of_one_map_are_apart():
    puzzle = gambito.load("grid-map")
    for goal in ("0 4", "9 4"):
        state = puzzle.parse(f"0 0 {goal}")
        assert estimates(puzzle, "relaxed", [state]) == pytest.approx(estimates(puzzle, "octile", [state]))


def test_a_large_map_is_not_relaxed():
    puzzle = gambito.load("grid-map")
    wide = "/".join(["S" + "." * 39, *["." * 40] * 28, "." * 39 + "G"])
    assert puzzle.at(puzzle.parse(wide)).relaxed() == ()


@pytest.mark.parametrize(("kind", "name"), [("Stepping", "manhattan"), ("Jumping", "misplaced")])
def test_heuristics_of_the_8_puzzle_are_costs_of_its_supergraphs(kind, name):
    puzzle = gambito.load(f"{EXAMPLE}:{kind}")
    states = [puzzle.shuffled(number) for number in range(100)]
    assert estimates(puzzle, "relaxed", states) == estimates(puzzle, name, states)
