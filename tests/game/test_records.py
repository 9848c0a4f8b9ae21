"""Collections of games: where one ends, and how it ended."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.game.records import decode, points_of, split_ending, split_lines
from gambito.game.views import view_of
from tests.support import random_state


@pytest.mark.parametrize(
    ("text", "moves", "points"),
    [
        ("f5d6c3 40-24", "f5d6c3", 1.0),
        ("f5d6c3: 24:40", "f5d6c3", 0.0),
        ("4455 1/2-1/2", "4455", 0.5),
        ("4455 ½-½", "4455", 0.5),
        ("f5d6c3 -8", "f5d6c3", 0.0),
        ("f5d6c3 +0", "f5d6c3", 0.5),
        ("a1 b2 *", "a1 b2", None),
        ("a1 b2", "a1 b2", None),
        ("a2-a3 b7-b6", "a2-a3 b7-b6", None),
        ("1-0", "", 1.0),
        ("5 11 16 0-1-0", "5 11 16", 0.0),
        ("5 11 16 1/2-0-1/2", "5 11 16", 0.5),
        ("5 11 16 12:7:7:3", "5 11 16", 1.0),
        ("", "", None),
    ],
)
def test_endings(text, moves, points):
    assert split_ending(text) == (moves, points)


def test_results():
    found = [points_of(text) for text in ("1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*", "")]
    assert found == [1.0, 0.0, 0.5, 1.0, 0.0, 0.5, None, None, None]


@pytest.mark.parametrize(
    "label", ["tic-tac-toe-3", "chinese-checkers:players=6", "kuhn-poker:players=3", "yahtzee:players=3"]
)
def test_games_for_many_are_written_and_read(label):
    game, rng = gambito.load(label), random.Random(3)
    state, actions = game.initial(), []
    while not game.is_terminal(state) and len(actions) < 80:
        is_chance = game.player(state) == gambito.CHANCE
        listed = [int(o) for o, _ in game.chances(state)] if is_chance else game.legal(state)
        actions.append(rng.choice(listed))
        state = game.result(state, actions[-1])
    text = game.write_game(game.initial(), actions)
    assert game.read_game(text) == (game.initial(), actions)
    assert game.read_record(f"{text} {'0-' * (game.players - 1)}1") == (game.initial(), actions, 0.0)


def test_texts():
    assert decode("\ufeffé".encode()) == decode("é".encode("latin-1")) == "é"
    assert list(split_lines("# no\n\n a b \nc\r\n")) == ["a b", "c"]


def test_chess_is_split_whatever_is_wrong():
    game = gambito.load("chess")
    texts = list(
        game.split_games(b'[Event "a"]\n[Event "b"]\n1. e4 (1. d4 1-0) ( {1-0} 1-0\n[Event "c"]\n~~ 1. e4 *')
    )
    assert [text[:11] for text in texts] == ['[Event "a"]', '[Event "b"]', '[Event "c"]']
    assert list(game.split_games(b"% a line\n\n{nothing}")) == []


@pytest.mark.parametrize("name", ["othello:size=6", "connect-four", "hex:size=4"])
def test_one_view_stands_for_all(name):
    game, rng = gambito.load(name), random.Random(4)
    for _ in range(10):
        state = random_state(game, rng, 6)
        view, seen = view_of(game, state)
        assert all(game.key(view_of(game, other)[1]) == game.key(seen) for other in game.symmetries(state))
        turned = {int(game.turn(a, view, False)) if view else a for a in game.legal(state)}
        assert turned == set(game.legal(seen))
        assert {int(game.turn(a, view, True)) if view else a for a in turned} == set(game.legal(state))
