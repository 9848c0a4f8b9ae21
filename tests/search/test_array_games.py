"""Every algorithm on games whose states hold arrays, one of each kind: both gears say the same."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import gambito
from gambito.endgames.builder import Builder
from gambito.errors import SearchError
from gambito.game.puzzle import Puzzle
from gambito.native.compiler import template_store, templates
from gambito.search.algorithm import AnytimeSearch, algorithms
from tests.array_games import GAMES, Amazons, Heaps, Kuhn, Toss

PAIRS = [
    (name, algorithm)
    for name, kind in GAMES.items()
    for algorithm, known in algorithms().items()
    if not known.misfit(kind())
]
FIRST = {"alpha-beta", "engine", "mcts", "max-n", "star2", "expectimax", "cfr", "ismcts", "a-star"}
LIMITS: dict[str, dict[str, Any]] = {"alpha-mu": {"worlds": 4}, "pimc": {"worlds": 4}}


def answers(name: str, algorithm: str, gear: str) -> tuple[Any, ...]:
    game = GAMES[name]()
    state = game.initial()
    if game.hidden:  # the cards are dealt, and a player decides
        state = game.result(game.result(state, 2), 1)
    limit = {"nodes": 200} if isinstance(algorithms()[algorithm], AnytimeSearch) else {"depth": 4}
    limit = {} if isinstance(game, Puzzle) else LIMITS.get(algorithm, limit)
    found = gambito.search(game, state, algorithm=algorithm, gear=gear, **limit)
    return found.value, found.nodes, found.action


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        pytest.param(name, algorithm, marks=() if algorithm in FIRST else pytest.mark.slow)
        for name, algorithm in PAIRS
    ],
)
def test_both_gears_say_the_same(name, algorithm):
    found, plain = answers(name, algorithm, "native"), answers(name, algorithm, "python")
    assert found[0] == pytest.approx(plain[0], abs=1e-9, nan_ok=True) or found[0] == plain[0]
    assert found[1:] == plain[1:]


def test_a_search_of_an_array_game_needs_no_other_way_than_templates(monkeypatch):
    lacking = []
    made = templates.way[0]

    def noting(dispatcher: Any, signature: Any) -> Any:
        found = made(dispatcher, signature)
        if found is None:
            lacking.append(dispatcher.py_func.__name__)
        return found

    monkeypatch.setattr(templates, "way", [noting])
    monkeypatch.setenv("GAMBITO_CACHE", "")
    assert all(map(template_store.is_current, template_store.files()))
    gambito.search(Amazons(4), algorithm="engine", depth=2)
    assert lacking == []


@pytest.mark.thorough
def test_endgame_tables_of_an_array_game_are_those_of_the_python_gear():
    found, plain = (Builder(Amazons(3), gear=gear).build("all") for gear in ("native", "python"))
    assert (found.real, found.wins, found.losses, found.longest) == (
        plain.real,
        plain.wins,
        plain.losses,
        plain.longest,
    )


def test_value_iteration_solves_a_game_of_chance_with_arrays():
    answer = gambito.solve(Toss(), algorithm="value-iteration")
    assert answer.exact
    assert -6 <= answer.value <= 6


def test_states_with_arrays_go_into_sessions_and_pickles():
    game, session = Amazons(3), gambito.Session()
    state = game.initial()
    first = gambito.search(game, state, algorithm="engine", depth=3, session=session)
    again = gambito.search(
        game, pickle.loads(pickle.dumps(state)), algorithm="engine", depth=3, session=session
    )
    assert first.value == again.value
    assert isinstance(pickle.loads(pickle.dumps(first)), type(first))


def test_a_strategy_of_an_array_game_is_asked_where_a_player_decides():
    game = Kuhn()
    found = gambito.search(game, algorithm="cfr", gear="native", iterations=200)
    assert found.value == pytest.approx(-1 / 18, abs=0.01)
    with pytest.raises(SearchError, match="beginning of the game"):
        gambito.search(game, game.result(game.initial(), 0), algorithm="cfr")


def test_three_players_of_an_array_game_get_their_values():
    answer = gambito.solve(Heaps())
    assert answer.exact
    assert np.sum(list(answer.values)) == 0
