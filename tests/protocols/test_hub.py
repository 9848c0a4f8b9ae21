"""Hub: a dialogue from a file, the notation, and a real program that talks to it."""

import random
import sys
from pathlib import Path

import pytest

import gambito
from gambito.protocols.hub import HubSession, hub_move, read_move, read_position, write_position
from tests.protocols.replay import replay

START = "W" + "b" * 20 + "e" * 10 + "w" * 20


def test_a_dialogue():
    extra = replay("hub.txt", lambda say: HubSession(gambito.load("draughts"), say))
    assert all(line.startswith("info ") for line in extra)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["draughts", "checkers"])
def test_notation_reads_back(name):
    """Positions and moves of random games are read as they are written; captured pieces in any order."""
    game, rng = gambito.load(name), random.Random(2)
    state, captures = game.initial(), 0
    assert name != "draughts" or write_position(game, state) == START
    for _ in range(60):
        if game.is_terminal(state):
            state = game.initial()
        letters = write_position(game, state)
        assert game.text(read_position(game, letters)).split(":H")[0] == game.text(state).split(":H")[0]
        for action in game.legal(state):
            word = hub_move(game, state, action)
            first, last, *taken = word.replace("-", "x").split("x")
            captures += len(taken) > 1
            again = "x".join([first, last, *reversed(taken)]) if taken else word
            assert game.result(state, read_move(game, state, again)) == game.result(state, action)
        state = game.result(state, rng.choice(game.legal(state)))
    assert captures


def test_the_clock_is_understood():
    """The increment is given before a move; a move comes although hardly any time is left."""
    said = []
    session = HubSession(gambito.load("draughts"), said.append)
    for line in (f"pos pos={START}", "level moves=5 time=0.05 inc=0.01", "go think"):
        session.hear(line)
    session.wait()
    assert said[-1].startswith("done move=")


@pytest.mark.parametrize("name", ["move-time", "time", "inc"])
def test_a_limit_that_is_no_number(name):
    said = []
    session = HubSession(gambito.load("draughts"), said.append)
    session.hear(f"level {name}=nan")
    assert said == [f"error message=\"{name} must be a number, not 'nan'\""]
    assert not session.limits


def test_only_draughts():
    with pytest.raises(gambito.SearchError, match="hub is for games of draughts, not for chess"):
        HubSession(gambito.load("chess"), print)


@pytest.mark.slow
def test_pydraughts_plays_a_game_with_it():
    """pydraughts starts the program, sets a parameter, and plays a whole game by its own rules."""
    draughts = pytest.importorskip("draughts")
    engines = pytest.importorskip("draughts.engine")
    engine = engines.HubEngine([str(Path(sys.executable).parent / "gambito"), "hub"])
    try:
        assert engine.id["name"] == "Gambito" and "hash" in engine.options
        engine.configure({"hash": 16})
        engine.init()
        engine.ping()
        board, plies = draughts.Board(variant="standard"), 0
        while not board.is_over() and plies < 120:
            board.push(engine.play(board, engines.Limit(nodes=500), False).move)
            plies += 1
        assert plies > 20
    finally:
        engine.kill_process()
