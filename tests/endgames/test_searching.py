"""Searches look into tables: the value is the table's, and a win is played to its end by distance."""

import pytest

import gambito
from gambito.endgames.builder import Builder
from gambito.endgames.tables import Known, Tables, TableSet
from gambito.players.analysis import analyse

GAME = gambito.load("tic-tac-toe")
FORK = "X.O/.../..."  # X wins in five plies


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("tables")
    TableSet(GAME, where).build("all", builder=Builder(GAME, gear="python"))
    return where


@pytest.fixture(autouse=True)
def tables(folder, monkeypatch):
    monkeypatch.setenv("GAMBITO_TABLES", str(folder))
    return Tables(GAME, folder, gear="python")


def test_tables_know_positions_and_moves(tables):
    assert tables.known(GAME.initial()) == Known("draw", None)
    assert tables.known(GAME.parse(FORK)) == Known("win", 5)
    moves = tables.moves(GAME.parse(FORK))
    assert moves[0][1] == Known("win", 5) and len(moves) == 7
    assert [then.outcome for _, then in moves] == ["win"] * 3 + ["draw"] * 3 + ["loss"]
    assert tables.known(GAME.parse("XXX/OO./...")) == Known("loss", 0)
    assert gambito.tables_of(gambito.load("nim")) is None


def test_the_engine_asks_tables_one_ply_below():
    state = GAME.parse(FORK)
    found = gambito.search(GAME, state, "engine", depth=9, gear="python")
    assert (found.value, found.ends_in, found.exact, found.depth) == (1, 5, True, 1)
    blind = gambito.search(GAME, state, "engine", depth=9, gear="python", endings=False)
    assert (blind.value, blind.ends_in) == (1, 5) and blind.nodes > 10 * found.nodes


@pytest.mark.parametrize("algorithm", ["engine", "mcts"])
def test_a_won_game_is_played_to_its_end(algorithm, tables):
    state, plies = GAME.parse(FORK), 0
    while not GAME.is_terminal(state):
        far = tables.known(state).distance
        assert far == 5 - plies
        found = gambito.search(GAME, state, algorithm, nodes=20, gear="python")
        state, plies = GAME.result(state, found.action), plies + 1
    assert plies == 5 and GAME.utility(state, 0) == 1


def test_a_simulation_ends_where_tables_know():
    """The root's actions are proved after one simulation each."""
    found = gambito.search(GAME, None, "mcts", nodes=1000, gear="python")
    assert found.value == 0 and found.exact and found.nodes < 20
    blind = gambito.search(GAME, None, "mcts", nodes=100, gear="python", endings=False)
    assert not blind.exact


def test_puzzles_have_tables_too(tmp_path):
    puzzle = gambito.load("burnt-pancakes:count=3")
    TableSet(puzzle, tmp_path).build("all", builder=Builder(puzzle, gear="python"))
    tables = Tables(puzzle, tmp_path, gear="python")
    assert tables.known(puzzle.parse("1 2 3")) == Known("win", 0)
    assert tables.known(puzzle.parse("-1 2 3")) == Known("win", 1)
    action, then = tables.moves(puzzle.parse("-1 2 3"))[0]
    assert (action, then) == (1, Known("win", 1))


def test_an_analysis_shows_the_soonest_win_first():
    found = analyse(GAME, GAME.parse(FORK), "engine", 3, options={"gear": "python"})
    wins = [c.ends_in for c in found.candidates if c.value == 1]
    assert wins == sorted(wins) and wins[0] == 5 and found.candidates[0].exact
    assert found.depth == 2 and found.candidates[-1].value == -1
