"""Rules that break the contract: no search calls a value exact that the game cannot have."""

from __future__ import annotations

import pytest

import gambito
from gambito.search.algorithm import WITH, DepthSearch, algorithms
from tests.support import PLAYING, ChanceTree, TwiceRunner

pytestmark = pytest.mark.usefixtures("unchecked")


class Exceeding(TwiceRunner):
    """Its scores are larger than it says."""

    lowest, highest = -3, 3


class Chancy(ChanceTree):
    lowest, highest = -1.0, 1.0

    def evaluate(self, state, player):
        return 0.0


class Negative(TwiceRunner):
    """Its actions are negative, at first or later."""

    def __init__(self, begin: int = 0) -> None:
        self.begin = begin

    def actions(self, state):
        for taken in range(1, 4):
            yield taken if state.turn < self.begin else -taken

    def result(self, state, action):
        return super().result(state, abs(action))


@pytest.mark.parametrize("name", [*PLAYING, "mcts"])
def test_a_value_outside_the_range_is_an_error(name):
    limit = {"nodes": 300} if name == "mcts" else {"depth": 9}
    with pytest.raises(gambito.SearchError, match="the rules give a value outside the game's 'lowest'"):
        gambito.search(Exceeding(), None, name, gear="python", **limit)


@pytest.mark.parametrize(
    "name", [n for n, a in algorithms().items() if isinstance(a, DepthSearch) and a.fits.chance == WITH]
)
def test_games_of_chance(name):
    if reason := algorithms()[name].misfit(Chancy()):
        assert "one player" in reason
        return
    with pytest.raises(gambito.SearchError, match="give a value outside"):
        gambito.search(Chancy(), None, name, gear="python", depth=8)


def test_a_finished_game_with_such_a_value():
    game = Exceeding()
    state = game.initial()._replace(first=16)
    with pytest.raises(gambito.SearchError, match="the rules give a value outside"):
        gambito.search(game, state, gear="python")


def test_negative_actions():
    with pytest.raises(
        gambito.SearchError, match="negative has the action -3, and actions are ints of 0 or more"
    ):
        gambito.search(Negative(), None, "engine", gear="python", depth=9)
    truth = gambito.search(TwiceRunner(), None, "minimax", gear="python", depth=9).value
    later = Negative(begin=1)
    for name in ("engine", "alpha-beta", "mtd-f"):
        assert gambito.search(later, None, name, gear="python", depth=9).value == truth
