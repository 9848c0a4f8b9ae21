"""Go's knowledge for playouts: what a reply is, and which shapes are good."""

import pytest

import gambito
from gambito.games.go.shapes import EDGE, FREE, IS_SHAPE, MINE, THEIRS, index_of
from gambito.native.random import new_random
from gambito.search.chooser import strongest

EMPTY = "." * 5


def reply(rows, last, size=5):
    game = gambito.load(f"go:size={size}")
    state = game.parse("/".join(rows) + " X - 0 10")
    place = game.reply(state, game.read(game.initial(), last), new_random(1))
    return game.write(state, place) if place >= 0 else ""


def test_the_last_stone_is_taken():
    assert reply([".....", ".X...", "XO...", ".X...", "....."], "B3") == "C3"


def test_a_chain_in_atari_gets_away():
    assert reply([".....", ".O...", "OX...", ".O...", "....."], "B4") == "C3"


def test_a_chain_in_atari_takes_instead():
    """White's last stone on A2 has put A1 and B1 into atari; B2 is in atari itself."""
    rows = [".....", ".....", ".X...", "OOX..", "XX.O."]
    assert reply(rows, "B2") in ("A3", "C1")


def test_nothing_is_urgent():
    assert reply([EMPTY, EMPTY, "..O..", EMPTY, EMPTY], "C3") == ""
    game = gambito.load("go:size=5")
    assert game.reply(game.initial(), game.pass_action, new_random(1)) == -1


def shape(text):
    marks = text.replace(" ", "").replace("*", "")
    kinds = {".": FREE, "X": MINE, "O": THEIRS, "#": EDGE}
    return bool(IS_SHAPE[sum(index_of(kinds[mark], number) for number, mark in enumerate(marks))])


@pytest.mark.parametrize("text", ["XOX .*. ...", "... .*. XOX", "OXO .*. ...", "XO. O*. ...", "X.. O*. ###"])
def test_good_shapes(text):
    assert shape(text)


@pytest.mark.parametrize("text", ["... .*. ...", "XXX X*X XXX", "... .*. ###"])
def test_no_shapes(text):
    assert not shape(text)


def test_a_window_sees_the_edge():
    game = gambito.load("go:size=5")
    corner = game.outside(0)
    assert corner == 0b00101111 and game.outside(4) == 0b10010111 and game.outside(2) == 0b111
    state = game.parse(".X.../X..../..O../...../..... X - 0 3")
    assert game.window(state.mine, 0) == 0b01010000  # to the right and below
    assert game.window(state.mine, 7) == 0b00001010 and game.window(state.theirs, 7) == 0b10000000


def test_full_strength_is_monte_carlo():
    assert strongest(gambito.load("go")) == strongest(gambito.load("hex")) == "mcts"
    assert strongest(gambito.load("breakthrough")) == "engine"
