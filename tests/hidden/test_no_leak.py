"""The law of no leak: from one seed, a search of a state gives what a search of its observation gives."""

import pytest

import gambito
from gambito.search.algorithm import StrategySearch, algorithms
from tests.hidden.small import decisions, hidden_games, load

NODES = 60
WHOLE = ("kuhn-poker", "rock-paper-scissors")  # for algorithms that learn strategies for a whole game
PAIRS = [
    (game, name)
    for game in hidden_games()
    for name, algorithm in algorithms().items()
    if not algorithm.misfit(gambito.load(game))
    if game in WHOLE or not isinstance(algorithm, StrategySearch)
]
COMPILED = {("kuhn-poker", "ismcts"), ("phantom-tic-tac-toe", "ismcts")}  # the quick ones of the native gear


QUICK = {"pimc": {"worlds": 2, "each": 8}, "alpha-mu": {"worlds": 2, "each": 8}}


def answer(game, state, name, gear):
    found = gambito.search(game, state, name, nodes=NODES, gear=gear, **QUICK.get(name, {}))
    told = (found.action, found.value, found.policy, found.line, found.low, found.high, found.nodes)
    return (*told, [(c.action, c.visits, c.value) for c in found.candidates])


def holds(game, name, gear, count):
    rules = load(game)
    for state in decisions(rules, seed=5, count=count):
        seen = rules.observe(state, rules.player(state))
        assert answer(rules, state, name, gear) == answer(rules, seen, name, gear), rules.text(state)


@pytest.mark.parametrize(("game", "name"), PAIRS)
def test_in_python(game, name):
    holds(game, name, "python", 2)


@pytest.mark.parametrize(("game", "name"), sorted(COMPILED & set(PAIRS)))
def test_compiled(game, name):
    holds(game, name, "native", 20)


def covering() -> list[tuple[str, str]]:
    """Pairs in which every game and every algorithm occurs; in Python every pair is tried."""
    chosen: list[tuple[str, str]] = []
    for pair in sorted(set(PAIRS) - COMPILED):
        if load(pair[0]).compiles and not all(any(part in old for old in chosen) for part in pair):
            chosen.append(pair)
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize(("game", "name"), covering())
def test_more_compiled(game, name):
    holds(game, name, "native", 20)


def test_every_hidden_game_has_a_search():
    assert {game for game, _ in PAIRS} == set(hidden_games())
    assert len(hidden_games()) >= 2
