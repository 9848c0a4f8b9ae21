"""Tables equal the slow truth: outcomes and distances by minimax, in both gears."""

import functools

import numpy as np
import pytest

import gambito
from gambito.endgames.builder import Builder
from gambito.endgames.places import LISTED
from gambito.errors import EndgameError


@functools.cache
def truth(game, state):
    """The value of a position as tables write it, by its successors; for games without cycles."""
    player = game.player(state)
    if game.is_terminal(state):
        return int(np.sign(game.utility(state, player)))
    values = []
    for action in game.actions(state):
        child = game.result(state, action)
        value = truth(game, child)
        values.append(value if game.player(child) == player else -value)
    wins = [value for value in values if value > 0]
    if wins:
        return min(wins) + 1
    return 0 if 0 in values else min(values) - 1


@pytest.mark.parametrize(
    ("spec", "gear"),
    [
        ("nim:heaps=2-3-2", "python"),
        ("tic-tac-toe", "native"),
        pytest.param("tic-tac-toe", "python", marks=pytest.mark.slow),
    ],
)
def test_a_listed_game_equals_minimax(spec, gear):
    game = gambito.load(spec)
    builder = Builder(game, gear=gear)
    table = builder.build(LISTED)
    places = builder.places()
    for number in range(0, len(table.values), 3):
        state = places.state(game, 0, number, None) if gear == "python" else None
        if state is not None:
            assert table.values[number] == truth(game, state)
    start = game.key(builder.like)
    assert table.values[np.searchsorted(table.keys, start)] == truth(game, builder.like)
    assert builder.verify(table) is None
    table.values[5] += 1
    assert builder.verify(table) is not None


def test_burnt_pancakes_are_all_solved():
    """The numbers of stacks by their distance, n = 4: Cohen and Blum 1995."""
    builder = Builder(gambito.load("burnt-pancakes:count=4"), gear="python")
    table = builder.build(LISTED)
    assert np.bincount(table.values).tolist() == [0, 1, 4, 12, 36, 90, 124, 96, 18, 3]
    assert table.longest == 8


class Superstitious(type(gambito.load("nim"))):
    def repetition(self, state, player):
        return 1


def test_what_does_not_fit_is_refused(monkeypatch):
    with pytest.raises(EndgameError, match="has chance"):
        Builder(gambito.load("pig"))
    with pytest.raises(EndgameError, match="counts a repeated position"):
        Builder(Superstitious())
    with pytest.raises(EndgameError, match="metric is end or conversion"):
        Builder(gambito.load("nim"), "mate")
    monkeypatch.setattr("gambito.endgames.builder.free_memory", lambda: 1 << 16)
    with pytest.raises(EndgameError, match="bytes of memory to build"):
        Builder(gambito.load("burnt-pancakes:count=7"), gear="python").build(LISTED)
    with pytest.raises(EndgameError, match="positions, all that memory holds"):
        Builder(gambito.load("connect-four"), gear="python").build(LISTED)
    with pytest.raises(EndgameError, match="is no slice of nim"):
        Builder(gambito.load("nim"), gear="python").build("KQK")
    with pytest.raises(EndgameError, match="no scores"):
        Builder(gambito.load("tree"), gear="python").build(LISTED)
