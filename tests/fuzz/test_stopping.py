"""Every algorithm ends in time and at a stop, whatever loop it is in; so does what comes before a search."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import pytest

import gambito
from gambito import Game, SearchError
from gambito.hidden.worlds import imagining
from gambito.native import cache
from gambito.native.random import new_random
from gambito.search.algorithm import algorithms
from tests.fuzz.asking import LATE
from tests.fuzz.stopping import check_late, lateness
from tests.hidden.small import decisions

# A game for each algorithm that is not for two players who see everything; large enough to be stopped.
GAMES = {
    "partition": "bridge-play",
    "expectiminimax": "einstein", "star1": "einstein", "star2": "einstein",
    "expectimax": "yahtzee", "rollout": "nannon", "value-iteration": "nannon",
    "alpha-mu": "goofspiel:cards=6", "pimc": "goofspiel:cards=6", "ismcts": "goofspiel:cards=6",
}  # fmt: skip
BY_KIND = ("connect-four", "tic-tac-toe-3", "liars-dice", "sliding-tiles")
LIMITS = [0.002, "stop", pytest.param(0.3, marks=pytest.mark.thorough)]


def game_for(algorithm: str) -> str:
    fitting = [n for n in BY_KIND if not algorithms()[algorithm].misfit(gambito.load(n))]
    return GAMES.get(algorithm) or fitting[0]


def start_of(name: str):
    """A state in which somebody has to decide, or a puzzle that takes long."""
    game = gambito.load(name)
    if name == "sliding-tiles":
        return game.shuffled(3)
    return decisions(game, 5, 1)[0] if game.hidden else None


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("algorithm", algorithms())
def test_every_algorithm_ends_in_time(algorithm, limit):
    name = game_for(algorithm)
    check_late(name, start_of(name), algorithm, "python", limit)


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("algorithm", ["engine", "mcts", "alpha-beta", "mtd-f"])
def test_compiled_searches_end_in_time(algorithm, limit):
    check_late("connect-four", None, algorithm, "native", limit)


@pytest.mark.parametrize(
    ("name", "algorithm", "options"),
    [
        ("go:size=9", "mcts", {}),  # a playout takes long
        ("go:size=9", "mcts", {"playout": "uniform"}),
        ("pig", "value-iteration", {}),
        ("holdem", "cfr", {}),  # the tree does not fit
        ("holdem", "external-sampling", {}),
        ("sliding-tiles", "ida-star", {"heuristic": "manhattan"}),
    ],
)
@pytest.mark.parametrize("limit", LIMITS)
def test_long_loops_end_in_time(name, algorithm, options, limit):
    check_late(name, start_of(name), algorithm, "python", limit, **options)


class Bids(NamedTuple):
    """The secret of each player, the last bids, and whose turn it is."""

    first: int
    second: int
    bid: int
    mover: int


class NothingBid(Game):
    """Both bid 0 or more until somebody bids 2; nothing says that this may go on for ever."""

    name = "nothing-bid"
    hidden = True
    chance = True
    value = float

    def initial(self):
        return Bids(-1, -1, 0, 0)

    def player(self, state):
        return gambito.CHANCE if state.second < 0 else state.mover

    def actions(self, state):
        for action in range(3):
            yield action

    def chances(self, state):
        for action in range(3):
            yield action, 1 / 3

    def result(self, state, action):
        if state.first < 0:
            return Bids(action, -1, 0, 0)
        if state.second < 0:
            return Bids(state.first, action, 0, 0)
        return Bids(state.first, state.second, action, 1 - state.mover)

    def is_terminal(self, state):
        return state.bid == 2

    def utility(self, state, player):
        lead = (state.first > state.second) - (state.first < state.second)
        return float(lead if player == 0 else -lead)

    def observe(self, state, player):
        if player == 0:
            return Bids(state.first, -2, state.bid, state.mover)
        return Bids(-2 if player == 1 else -3, state.second if player == 1 else -3, state.bid, state.mover)


HIDDEN = [n for n, a in algorithms().items() if not a.misfit(NothingBid())]


@pytest.mark.parametrize("limit", [0.002, "stop"])
@pytest.mark.parametrize("algorithm", HIDDEN)
def test_a_hidden_game_without_end_ends_in_time(algorithm, limit):
    late = []
    for _ in range(3):
        try:
            late.append(lateness(NothingBid(), Bids(1, 2, 0, 0), algorithm, "python", limit, {}))
        except SearchError as problem:
            assert "can come back" in str(problem)
            return
    assert min(late) < LATE


def test_a_hidden_game_without_end_has_few_worlds():
    """Its states are listed once each, and a search of them answers."""
    game, rng = NothingBid(), new_random(7)
    view, seen = imagining(game), game.observe(Bids(1, 0, 0, 1), 0)
    drawn = Counter(view.imagine(seen, 0, rng).second for _ in range(300))
    assert sorted(drawn) == [0, 1, 2] and min(drawn.values()) > 60
    found = gambito.search(game, Bids(1, 0, 0, 0), "pimc", nodes=50, each=20, gear="python")
    assert found.action in game.legal(Bids(1, 0, 0, 0))


@pytest.mark.parametrize("algorithm", ["cfr+", "external-sampling"])
def test_strategies_refuse_a_game_without_end(algorithm):
    with pytest.raises(SearchError, match="the same state of nothing-bid can come back"):
        gambito.search(NothingBid(), Bids(2, 0, 0, 0), algorithm, nodes=5, gear="python")


def test_tables_of_costs_are_made_in_time_and_not_in_vain(monkeypatch):
    """A search that ends before its tables are made leaves them for the next one to go on with."""
    monkeypatch.setattr(cache, "kept", lambda name: None)
    monkeypatch.setattr(cache, "keep", lambda name, data: None)
    game = gambito.load("sliding-tiles:width=3,height=3")
    gambito.search(game, None, "a-star", heuristic="pattern-database")  # compiles
    game, counts = gambito.load("sliding-tiles:width=3,height=3"), 0
    state = game.shuffled(3)
    while True:
        found = gambito.search(game, state, "a-star", heuristic="pattern-database", seconds=0.002)
        counts += 1
        assert counts < 200
        if found.cost is not None:
            break
    assert found.exact and counts > 1
