"""NBoard's protocol for Othello: a dialogue from a file, and games in GGF."""

import random

import pytest

import gambito
from gambito.protocols.nboard import NBoardSession, nboard_move, read_ggf, read_move
from tests.protocols.replay import replay

BOARD = "---------------------------O*------*O---------------------------"


def test_a_dialogue():
    extra = replay("nboard.txt", lambda say: NBoardSession(gambito.load("othello"), say))
    assert all(line.startswith(("search ", "status", "nodestats ")) for line in extra)


def test_games_in_ggf():
    """A random game that is written as GGF is read as the same states, passes too."""
    game = gambito.load("othello")
    for seed in range(4):
        rng, states, words = random.Random(seed), [game.initial()], []
        while not game.is_terminal(states[-1]):
            state = states[-1]
            action = rng.choice(game.legal(state))
            word = nboard_move(game, state, action)
            assert read_move(game, state, f"{word.lower()}/1.5/2") == action
            words.append(f"{'BW'[int(game.player(state))]}[{word}//1.0]")
            states.append(game.result(state, action))
        text = f"(;GM[Othello]BO[8 {BOARD} *]{''.join(words)};)"
        assert [game.text(s) for s in read_ggf(game, text)] == [game.text(s) for s in states]


def test_a_new_position_ends_the_search():
    """Nothing is heard of a search after `ping`, and the next one begins at once."""
    said = []
    session = NBoardSession(gambito.load("othello"), said.append)
    session.hear("set depth 60")
    session.hear("go")
    session.hear("ping 3")
    assert said[-1] == "pong 3" and not any(line.startswith("===") for line in said)
    session.hear("set depth 3")
    session.hear("go")
    session.wait()
    assert said[-1].startswith("=== ")


def test_a_game_that_is_over():
    game = gambito.load("othello")
    said = []
    session = NBoardSession(game, said.append)
    session.hear(f"set game (;GM[Othello]BO[8 {'*' * 64} *];)")
    session.hear("go")
    assert said[-1] == "status the game is over"
    with pytest.raises(gambito.PositionError, match="'D3' is not a move here; accepted: none"):
        read_move(game, session.states[-1], "D3")
