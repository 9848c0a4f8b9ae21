"""Puzzles: their text, what they refuse, and grid maps against published lengths."""

import pytest

import gambito
from gambito import GameError, PositionError
from gambito.games.grid_map import read_scenarios
from tests.support import data

PUZZLES = ["sliding-tiles", "sliding-tiles:width=5,height=5", "sliding-tiles:width=4,height=2,goal=spiral"]
PUZZLES += ["pancakes", "graph", "grid-map", "grid-map:directions=4"]


@pytest.mark.thorough
@pytest.mark.parametrize("games", [5, pytest.param(30, marks=pytest.mark.slow)])
@pytest.mark.parametrize("spec", [spec for spec in PUZZLES if ":" in spec])
def test_puzzles_with_parameters_pass_the_check(spec, games):
    report = gambito.check(spec, games=games)
    assert report.ok and report.native, report.problems


@pytest.mark.parametrize("spec", PUZZLES)
def test_positions_are_read_as_they_are_written(spec):
    game = gambito.load(spec)
    state = game.initial()
    assert game.at(game.parse(game.text(state))).text(game.parse(game.text(state))) == game.text(state)


# ---- sliding tiles -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        ("blank-last", "1 2 3 4 5 6 7 8 0"),
        ("blank-first", "0 1 2 3 4 5 6 7 8"),
        ("spiral", "1 2 3 8 0 4 7 6 5"),
    ],
)
def test_goals_of_tiles(goal, text):
    game = gambito.load(f"sliding-tiles:goal={goal}")
    assert game.text(game.finished) == text and game.is_goal(game.parse(text))


def test_what_cannot_be_solved_is_said_at_once():
    for goal in ("blank-last", "blank-first", "spiral"):
        game = gambito.load(f"sliding-tiles:goal={goal}")
        numbers = game.numbers(game.finished)
        one, other = numbers.index(1), numbers.index(2)
        numbers[one], numbers[other] = 2, 1
        with pytest.raises(PositionError, match="cannot be solved"):
            game.parse(" ".join(map(str, numbers)))


@pytest.mark.parametrize(
    "text", ["", "1 2 3", "1 2 3 4 5 6 7 8 9", "1 1 2 3 4 5 6 7 0", "a b c", "0 1 2 3 4 5 6 7 08"]
)
def test_nonsense_is_no_position_of_tiles(text):
    with pytest.raises(PositionError, match="is no position"):
        gambito.load("sliding-tiles").parse(text)


@pytest.mark.parametrize(
    "given", ["width=1", "width=9,height=9", "goal=here", "goal=", "height=0", "patterns=1-2/2", "patterns=x"]
)
def test_tiles_refuse_parameters(given):
    with pytest.raises(GameError):
        gambito.load(f"sliding-tiles:{given}")


def test_tiles_are_named_by_their_numbers():
    game = gambito.load("sliding-tiles:goal=spiral")
    found = gambito.search(game, "2 8 3 1 6 4 7 0 5")
    assert found.as_dict()["line"] == ["6", "8", "2", "1", "8"]


@pytest.mark.thorough
def test_wide_states_move_as_narrow_ones():
    game = gambito.load("sliding-tiles:width=9,height=2")
    assert not game.narrow
    state = game.finished
    for action in (1, 1, 0, 2, 2, 3, 1, 1):
        state = game.result(state, action)
    found = gambito.search(game, state)
    assert found.exact and (found.line, found.nodes) == _in_python(game, state)


def _in_python(game, state):
    found = gambito.search(game, state, gear="python")
    return found.line, found.nodes


# ---- graphs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A-B 1", "does not say where to go"),
        ("A-B -1; A to B", "no part of a graph"),
        ("A=x; A to B", "no part of a graph"),
        ("hello; A to B", "no part of a graph"),
        ("A>B 1; B to A", "no road leads out of 'B'"),
    ],
)
def test_nonsense_is_no_graph(text, reason):
    with pytest.raises(PositionError, match=reason):
        gambito.load("graph").parse(text)


def test_graphs_have_directions_floats_and_several_goals():
    assert gambito.search("graph", "A>B 1, B>C 1; B to A").cost is None
    assert gambito.search("graph", "A-B 1.5, B-C 2; A to C").cost == 3.5
    assert gambito.search("graph", "A-B 4, A-C 3; A to B|C").as_dict()["line"] == ["C"]
    assert gambito.search("graph", "A-B, B-C; A to C").cost == 2
    assert gambito.search("graph", "A-B 5, A-B 2; A to B").as_dict()["line"] == ["B#2"]


# ---- grid maps ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", "S", "S..", "S.G/..", "SS/GG", "S?G", "1 2 3", "99 99 0 0", "S.#/x"])
def test_nonsense_is_no_map(text):
    game = gambito.load("grid-map")
    if text in ("S", "S.."):  # no goal: the start is one
        assert game.parse(text).cell == game.parse(text).target
        return
    with pytest.raises(PositionError):
        game.parse(text)


def test_corners_are_not_cut_and_weights_count():
    assert gambito.search("grid-map", "S#/.G").cost == 2
    assert gambito.search("grid-map", "S./.G").cost == pytest.approx(2**0.5)
    assert gambito.search("grid-map:directions=4", "S9G/...").cost == 4
    assert gambito.search("grid-map:directions=4", "S2G/999").cost == 3


def test_maps_that_are_no_maps(tmp_path):
    (tmp_path / "bad.map").write_text("type octile\nheight 2\nwidth 2\nmap\n..\n")
    for path in ("bad.map", "none.map"):
        with pytest.raises(GameError):
            gambito.load(f"grid-map:map={tmp_path / path}")


def test_every_scenario_of_the_arena():
    puzzle = gambito.load(f"grid-map:map={data('grid_maps/arena.map')}")
    scenarios = read_scenarios(data("grid_maps/arena.map.scen"))
    assert len(scenarios) == 80
    for position, cost in scenarios:
        found = gambito.search(puzzle, position)
        assert found.cost == pytest.approx(cost, abs=1e-3) and found.exact


def test_every_scenario_of_a_large_map():
    puzzle = gambito.load(f"grid-map:map={data('grid_maps/lak303d.map')}")
    lines = data("grid_maps/lak303d_scenarios.txt").read_text().splitlines()
    for line in lines:
        if line and line[0] != "#":
            row, column, to_row, to_column, cost = line.split()
            found = gambito.search(puzzle, f"{column} {row} {to_column} {to_row}")
            assert found.cost == pytest.approx(float(cost), abs=1e-3) and found.exact
