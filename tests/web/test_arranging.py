"""Positions that are set up piece by piece: every notation is worked out, and the game has the last word."""

from __future__ import annotations

import random

import pytest

import gambito
from gambito.errors import PositionError
from gambito.game.registry import game_classes
from gambito.web.arranging import Arrangement, Arranging, Lists, Rows, Words, notation_of

ROWS = (
    "breakthrough chess chinese-checkers connect-four einstein go gomoku grid-map hex "
    "nine-mens-morris othello tic-tac-toe tic-tac-toe-3"
)
KINDS = {Rows: ROWS.split(), Words: ["kalah", "sliding-tiles"], Lists: ["checkers", "draughts"]}
WRITTEN = (  # no boards of pieces, or something is hidden
    "backgammon", "battleship", "blackjack", "burnt-pancakes", "dark-chess", "dark-hex", "dots-and-boxes",
    "goofspiel", "graph", "hearts", "kuhn-poker", "leduc-poker", "liars-dice", "monopoly", "nannon", "nim",
    "pancakes", "parchis", "phantom-tic-tac-toe", "pig", "pig-turn", "prisoners-dilemma",
    "rock-paper-scissors", "tree", "uniform-tree", "world-tree", "yahtzee", "bridge-play",
)  # fmt: skip
FEW = ("chess", "checkers", "kalah", "tic-tac-toe", "nine-mens-morris")


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        pytest.param(kind, name, marks=[] if name in FEW else [pytest.mark.slow])
        for kind, names in KINDS.items()
        for name in names
    ],
)
def test_a_notation_says_what_stands_on_every_cell(kind, name):
    game, lots = gambito.load(name), random.Random(7)
    notation = notation_of(game)
    assert type(notation) is kind
    state = game.initial()
    for _ in range(60):
        arranged = notation.read(game.text(state))
        assert game.text(game.parse(notation.write(arranged))) == game.text(state)
        looks = (
            (cell, piece)
            for cell, held in enumerate(arranged.cells)
            for piece in notation.looks.get(held, ())
        )
        places = {(cell, piece.shape) for cell, piece in looks}
        assert places <= {(piece.cell, piece.shape) for piece in game.pieces(state)}
        if game.is_terminal(state):
            break
        chance = [int(outcome) for outcome, _ in game.chances(state)] if game.player(state) < 0 else []
        state = game.result(state, lots.choice(chance or game.legal(state)))


@pytest.mark.thorough
def test_every_game_is_set_up_or_written():
    """A new game belongs to one of the lists, which the page on the web page tells."""
    listed = {name for names in KINDS.values() for name in names} | set(WRITTEN)
    assert {name for name in WRITTEN if notation_of(gambito.load(name)) is not None} == set()
    unlisted = set(game_classes()) - listed
    assert all(gambito.load(name).hidden for name in unlisted), unlisted


def test_a_position_is_set_up_and_the_game_has_the_last_word():
    chess, arranging = gambito.load("chess"), Arranging()
    told = arranging.begin(chess, chess.initial())
    assert len(told["palette"]) == 13 and told["palette"][0] == {"symbol": ".", "pieces": []}
    assert told["turns"] == {0: "w", 1: "b"} and told["fields"][told["turn"]] == "w"
    cells = ["."] * 64
    cells[0], cells[63], cells[36] = "K", "k", "Q"
    made = arranging.finish(chess, cells, ["b", "-", "-", "0", "1"])
    assert made["start"] == "7k/8/8/4Q3/8/8/8/K7 b - - 0 1" and len(made["pieces"]) == 3
    for fields, told in ((["w", "-", "-", "0", "1"], "in check"), (["x"], ""), ([], "")):
        with pytest.raises(PositionError, match=told):
            arranging.finish(chess, cells, fields)
    for wrong in (["."] * 63, ["."] * 63 + ["/"], ["."] * 63 + ["X"]):
        with pytest.raises(PositionError, match="64 symbols"):
            arranging.finish(chess, wrong, ["w", "-", "-", "0", "1"])


def test_the_numbers_of_a_pit():
    kalah, arranging = gambito.load("kalah"), Arranging()
    told = arranging.begin(kalah, kalah.initial())
    assert told["numbers"] and told["cells"][:3] == ["4", "4", "4"]
    made = arranging.finish(kalah, ["0", "47", *["0"] * 9, "1", "0", "0"], ["second"])
    assert made["start"] == "0 47 0 0 0 0 [0] 0 0 0 0 0 1 [0] second"


def test_a_game_that_is_written_says_so():
    pig, arranging = gambito.load("pig"), Arranging()
    assert arranging.begin(pig, pig.initial()) == {"palette": []}
    with pytest.raises(PositionError, match="are written, not set up"):
        arranging.finish(pig, ["1"], [])


def test_what_a_list_does_not_know_is_not_read():
    lists = Lists(gambito.load("checkers").picture())
    assert lists.read("B:W99:B1") is None and lists.read("X") is None
    cells = lists.read("B:W32,K31:B1:H3")
    assert cells == Arrangement([*["B"], *["."] * 29, "WK", "W"], ["B", ":H3"])
    assert lists.write(cells) == "B:WK31,32:B1:H3"
