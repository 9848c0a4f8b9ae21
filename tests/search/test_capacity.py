"""A game that needs more than a fixed buffer holds ends in one sentence, never in a wrong value."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import gambito
from gambito import CHANCE, Game
from gambito.game.contract import MOST_ACTIONS

pytestmark = pytest.mark.usefixtures("unchecked")

GEARS = ["python", pytest.param("native", marks=pytest.mark.slow)]
TOO_MANY = f"a state has more than {MOST_ACTIONS} actions, too many for a search"


class State(NamedTuple):
    ply: int
    last: int


class Wide(Game):
    """One move among many; only one of them wins."""

    def __init__(self, width: int, wins: int) -> None:
        self.width, self.wins = width, wins

    def initial(self):
        return State(0, 0)

    def player(self, state):
        return state.ply % 2

    def actions(self, state):
        return range(self.width)

    def result(self, state, action):
        return State(state.ply + 1, action)

    def is_terminal(self, state):
        return state.ply > 0

    def utility(self, state, player):
        value = 1 if state.last == self.wins else -1
        return value if player == 0 else -value


class WideNoise(Wide):
    """A second move, whose noisy and quiet actions are listed one after the other."""

    def is_terminal(self, state):
        return state.ply > 1

    def noisy(self, state):
        return range(self.width)

    def actions(self, state):
        return range(2 if state.ply == 0 else self.width)


class WideChance(Wide):
    """A chance state with many outcomes, of which one loses."""

    chance = True
    value = float

    def is_terminal(self, state):
        return state.ply > 1

    def player(self, state):
        return 0 if state.ply == 0 else CHANCE

    def actions(self, state):
        return range(2)

    def chances(self, state):
        for outcome in range(self.width):
            yield outcome, 1.0 / self.width

    def utility(self, state, player):
        value = -1.0 if state.last == self.wins else 1.0
        return value if player == 0 else -value


class WideChoice(WideChance):
    """Many actions before the chance state."""

    def actions(self, state):
        return range(MOST_ACTIONS + 1)


@pytest.mark.parametrize("gear", GEARS)
@pytest.mark.parametrize("algorithm", ["engine", "mcts"])
def test_more_actions_than_a_list_holds_end_in_one_sentence(algorithm, gear):
    limits = {"nodes": 50} if algorithm == "mcts" else {"depth": 1}
    with pytest.raises(gambito.SearchError, match=TOO_MANY):
        gambito.search(Wide(MOST_ACTIONS + 1, 5), algorithm=algorithm, gear=gear, **limits)


@pytest.mark.parametrize("gear", GEARS)
def test_star_checks_its_list(gear):
    with pytest.raises(gambito.SearchError, match=TOO_MANY):
        gambito.search(WideChoice(2, 1), algorithm="star2", gear=gear, depth=2)


def test_a_search_without_lists_takes_any_number_of_actions():
    assert gambito.search(Wide(MOST_ACTIONS + 1, 5), algorithm="pvs", gear="python", depth=1).action == 5


@pytest.mark.parametrize("gear", GEARS)
def test_a_list_in_stages_is_checked_too(gear):
    with pytest.raises(gambito.SearchError, match=TOO_MANY):
        gambito.search(WideNoise(MOST_ACTIONS + 1, 5), algorithm="engine", gear=gear, depth=3)


@pytest.mark.slow
@pytest.mark.parametrize("gear", ["python", "native"])
def test_every_one_of_ten_thousand_actions_is_seen(gear):
    found = gambito.search(Wide(10_000, 9_000), algorithm="mcts", gear=gear, nodes=12_000)
    assert (found.action, found.value, found.exact) == (9_000, 1, True)


@pytest.mark.parametrize("gear", GEARS)
@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_more_outcomes_than_the_game_says_end_in_one_sentence(algorithm, gear):
    with pytest.raises(gambito.SearchError, match="more outcomes than the game's 'most_outcomes'"):
        gambito.search(WideChance(200, 5), algorithm=algorithm, gear=gear, depth=2)


@pytest.mark.parametrize("gear", GEARS)
def test_monte_carlo_takes_many_outcomes(gear):
    found = gambito.search(WideChance(5_000, 5), algorithm="mcts", gear=gear, nodes=50)
    assert found.action in (0, 1)


@pytest.mark.parametrize("algorithm", ["mcts", "b-star"])
def test_a_tree_too_small_for_the_first_state_ends_in_one_sentence(algorithm):
    with pytest.raises(gambito.SearchError, match="the actions of this state need more than 1 MiB"):
        limits = {"nodes": 50_000} if algorithm == "mcts" else {"depth": 1}
        gambito.search(Wide(30_000, 5), algorithm=algorithm, gear="python", memory=1, **limits)
