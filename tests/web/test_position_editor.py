"""Positions set up piece by piece: every one can be made again, and the game has the last word."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.errors import PositionError
from gambito.game.registry import game_classes
from gambito.web.position_editor import begin, finish

SET_UP = [
    "breakthrough", "chess", "chinese-checkers", "connect-four", "einstein", "go", "gomoku", "grid-map",
    "hex", "nine-mens-morris", "othello", "tic-tac-toe", "tic-tac-toe-3", "kalah", "sliding-tiles",
    "checkers", "draughts", "parchis",
]  # fmt: skip
WRITTEN = (  # no boards of pieces, or something is hidden
    "backgammon", "battleship", "blackjack", "burnt-pancakes", "dark-chess", "dark-hex", "dots-and-boxes",
    "goofspiel", "graph", "hearts", "kuhn-poker", "leduc-poker", "liars-dice", "monopoly", "nannon", "nim",
    "pancakes", "phantom-tic-tac-toe", "pig", "pig-turn", "prisoners-dilemma",
    "rock-paper-scissors", "tree", "uniform-tree", "world-tree", "yahtzee", "bridge-play",
)  # fmt: skip


@pytest.mark.parametrize("name", SET_UP)
def test_what_stands_on_every_cell_makes_the_position_again(name):
    game, lots = gambito.load(name), random.Random(7)
    state = game.initial()
    for _ in range(60):
        told = begin(game, state)
        looks = {(each["layer"], each["symbol"]): each["pieces"] for each in told["palette"]}
        made = finish(game, told["cells"], told["fields"])
        assert made["start"] == game.text(state)
        cells = len(game.picture().cells)
        drawn = {
            (place % cells, p["shape"])
            for place, mark in enumerate(told["cells"])
            for p in looks.get((place // cells, mark), [])
        }
        assert (
            told["numbers"] or name == "grid-map" or drawn <= {(p.cell, p.shape) for p in game.pieces(state)}
        )
        if game.is_terminal(state):
            break
        chance = [int(outcome) for outcome, _ in game.chances(state)] if game.player(state) < 0 else []
        state = game.result(state, lots.choice(chance or game.legal(state)))


@pytest.mark.thorough
def test_every_game_is_set_up_or_written():
    """A new game belongs to one of the lists, which the page on the web page tells."""
    listed = {*SET_UP, *WRITTEN}
    games = {name: gambito.load(name) for name in WRITTEN}
    assert {name for name, game in games.items() if begin(game, game.initial())["palette"]} == set()
    unlisted = set(game_classes()) - listed
    assert all(gambito.load(name).hidden for name in unlisted), unlisted


def test_a_position_is_set_up_and_the_game_has_the_last_word():
    chess = gambito.load("chess")
    told = begin(chess, chess.initial())
    assert len(told["palette"]) == 13 and told["palette"][0] == {"symbol": ".", "layer": 0, "pieces": []}
    assert told["turns"] == {0: "w", 1: "b"} and told["fields"][told["turn"]] == "w"
    cells = ["."] * 64
    cells[0], cells[63], cells[36] = "K", "k", "Q"
    made = finish(chess, cells, ["b", "-", "-", "0", "1"])
    assert made["start"] == "7k/8/8/4Q3/8/8/8/K7 b - - 0 1" and len(made["pieces"]) == 3
    for fields, told in ((["w", "-", "-", "0", "1"], "in check"), (["x"], ""), ([], "")):
        with pytest.raises(PositionError, match=told):
            finish(chess, cells, fields)
    for wrong in (["."] * 63, ["."] * 63 + ["/"], ["."] * 63 + ["X"]):
        with pytest.raises(PositionError, match="64 symbols"):
            finish(chess, wrong, ["w", "-", "-", "0", "1"])


def test_the_numbers_of_a_pit():
    kalah = gambito.load("kalah")
    told = begin(kalah, kalah.initial())
    assert told["numbers"] and told["cells"][:3] == ["4", "4", "4"]
    made = finish(kalah, ["0", "47", *["0"] * 9, "1", "0", "0"], ["second"])
    assert made["start"] == "0 47 0 0 0 0 [0] 0 0 0 0 0 1 [0] second"


def test_a_game_that_is_written_says_so():
    pig = gambito.load("pig")
    assert begin(pig, pig.initial()) == {"palette": []}
    with pytest.raises(PositionError, match="are written, not set up"):
        finish(pig, ["1"], [])
