"""`root_actions`: every algorithm chooses from some actions, and finds the value of the best of them."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

import pytest

import gambito
from gambito import CHANCE, Game
from gambito.search.algorithm import DepthSearch, algorithms
from tests.support import (
    EXACT,
    PLAYING,
    ChanceTree,
    Circle,
    Fractions,
    TwiceRunner,
    minimax_truth,
    random_state,
    small,
)

CHANCES = [n for n, a in algorithms().items() if isinstance(a, DepthSearch) and a.fits.chance == "with"]


def truths(game: Game, state, depth: int, root_actions: list[int]) -> dict[int, float]:
    """The value of each action, for the player to move."""
    sign = 1 if game.player(state) == 0 else -1
    path = (int(game.key(state)),) if game.cycles else ()
    return {a: sign * minimax_truth(game, game.result(state, a), depth - 1, path) for a in root_actions}


@pytest.mark.parametrize("name", PLAYING)
def test_every_algorithm_takes_it(name):
    rng = random.Random(name)
    for game in (TwiceRunner(), Circle(), Fractions(), gambito.load("tic-tac-toe")):
        if algorithms()[name].misfit(game):
            continue
        for plies in range(4):
            state = random_state(game, rng, plies)
            legal = game.legal(state)
            root_actions = rng.sample(legal, min(2, len(legal)))
            values = truths(game, state, 4, root_actions)
            given = {"depth": 4, "gear": "python", "root_actions": root_actions, **small(name, game.cycles)}
            found = gambito.search(game, state, name, **given)
            best = max(values.values())
            assert found.action in root_actions and found.low <= best <= found.high
            if name in EXACT:
                assert found.value == best == values[found.action]
                assert found.line[0] == found.action


@pytest.mark.parametrize("name", CHANCES)
def test_games_of_chance(name):
    game = (
        ChanceTree() if algorithms()[name].misfit(ChanceTree()) == "" else gambito.load("pig-turn:target=6")
    )
    state = game.initial()
    while game.player(state) == CHANCE:
        state = game.result(state, game.legal(state)[0])
    for action in game.legal(state):
        found = gambito.search(game, state, name, depth=5, gear="python", root_actions=[action])
        assert found.action == action
        if name not in ("rollout", "value-iteration"):
            assert found.value == pytest.approx(truths(game, state, 5, [action])[action])


def test_chance_leaves_no_choice():
    game = ChanceTree()
    state = next(
        child
        for child in (game.initial()._replace(seed=seed) for seed in range(1, 50))
        if not game.is_terminal(child) and game.player(child) == CHANCE
    )
    with pytest.raises(gambito.SearchError, match="chance decides here"):
        gambito.search(game, state, "star2", depth=2, gear="python", root_actions=[0])


@pytest.mark.parametrize("threads", [1, 2])
def test_mcts_takes_it(threads):
    session = gambito.Session()
    for root_actions in ([0], [3, 5], []):
        found = gambito.search(
            "tic-tac-toe",
            None,
            "mcts",
            nodes=400,
            threads=threads,
            root_actions=root_actions,
            session=session,
        )
        assert not root_actions or found.action in root_actions
        assert {each.action for each in found.candidates} == set(root_actions or range(9))


def test_puzzles_say_that_they_do_not():
    with pytest.raises(gambito.SearchError, match="a-star looks at all actions"):
        gambito.search("sliding-tiles", None, "a-star", root_actions=[0], gear="python")


# ---- games that leave actions out --------------------------------------------------------------------


class Lines(NamedTuple):
    """The edges that are drawn, the boxes of both players, and whose turn it is."""

    drawn: int
    first: int
    second: int
    mover: int


SIDE = 2
ACROSS = [(row, column) for row in range(SIDE + 1) for column in range(SIDE)]
BOXES = [
    (
        ACROSS.index((row, column)),
        ACROSS.index((row + 1, column)),
        len(ACROSS) + row * (SIDE + 1) + column,
        len(ACROSS) + row * (SIDE + 1) + column + 1,
    )
    for row in range(SIDE)
    for column in range(SIDE)
]
EDGES = 2 * len(ACROSS)


class DotsAndBoxes(Game):
    """Who closes a box gets it and draws again.

    `worthwhile` closes a box at once where waiting gains nothing: where no unfinished box shares its last
    edge, or where that edge closes two.
    """

    name = "small-dots-and-boxes"
    compiles = False
    lowest, highest, longest = -(SIDE**2), SIDE**2, EDGES

    def initial(self):
        return Lines(0, 0, 0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        for edge in range(EDGES):
            if not state.drawn >> edge & 1:
                yield edge

    def boxes_closed(self, drawn, edge):
        """The boxes that an edge closes, and those that it leaves open."""
        beside = [box for box in BOXES if edge in box]
        closing = [box for box in beside if all(other == edge or drawn >> other & 1 for other in box)]
        return len(closing), len(beside) - len(closing)

    def result(self, state, action):
        gain, _ = self.boxes_closed(state.drawn, action)
        drawn = state.drawn | 1 << action
        first, second = state.first + gain * (1 - state.mover), state.second + gain * state.mover
        return Lines(drawn, first, second, state.mover if gain else 1 - state.mover)

    def is_terminal(self, state):
        return state.drawn == (1 << EDGES) - 1

    def utility(self, state, player):
        lead = state.first - state.second
        return lead if player == 0 else -lead

    def plies_left(self, state):
        return EDGES - state.drawn.bit_count()

    def bounds(self, state):
        lead = self.utility(state, state.mover)
        left = SIDE**2 - state.first - state.second
        return lead - left, lead + left

    def worthwhile(self, state, buffer, place):
        for edge in self.actions(state):
            gain, other = self.boxes_closed(state.drawn, edge)
            if gain and not other:
                buffer[place] = edge
                return place + 1
        return self.collect(state, buffer, place)


@cache
def boxes_value(state: Lines) -> int:
    """The slow truth, for player 0."""
    game = DotsAndBoxes()
    if game.is_terminal(state):
        return game.utility(state, 0)
    values = [boxes_value(game.result(state, action)) for action in game.actions(state)]
    return max(values) if state.mover == 0 else min(values)


@pytest.mark.parametrize("driver", ["aspiration", "mtd-f", "bisection"])
def test_actions_that_the_game_leaves_out_have_their_own_value(driver):
    game, rng = DotsAndBoxes(), random.Random(1)
    for _ in range(8):
        state = random_state(game, rng, rng.randint(5, 9))
        sign = 1 if state.mover == 0 else -1
        for action in game.legal(state):
            value = sign * boxes_value(game.result(state, action))
            found = gambito.search(
                game,
                state,
                "engine",
                depth=EDGES,
                root_actions=[action],
                memory=1,
                driver=driver,
                deepen=False,
            )
            assert (found.action, found.value, found.exact) == (action, value, True)


def test_connect_four():
    """Its bounds and its worthwhile actions decide at the root; alpha-beta knows neither."""
    game = gambito.load("connect-four")
    for position in (
        ".O..X../.X.OO.X/OO.XX.O/OXXOX.O/XOXOOXX/XOOXXXO",
        "..X.O../..OXO../..OXOOO/.XXOXXO/XOOXOXX/OXXOXXO",
    ):
        state = game.parse(position)
        for action in game.legal(state):
            child, depth = game.result(state, action), game.plies_left(state)
            truth = -gambito.search(game, child, "alpha-beta", depth=depth).value
            found = gambito.search(game, state, "engine", depth=depth, root_actions=[action])
            assert (found.action, found.value, found.exact) == (action, truth, True)
    found = gambito.search("connect-four", "112233", "engine", depth=8, root_actions=[6])
    assert found.action == 6 and found.value < 18
