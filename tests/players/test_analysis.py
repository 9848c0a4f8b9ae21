"""The analysis of every action: the values are those of a search of each."""

import random

import pytest

import gambito
from gambito.errors import SearchError
from gambito.players.analysis import analyse
from tests.support import random_state


def test_every_candidate_has_the_value_of_its_own_search():
    game, rng = gambito.load("tic-tac-toe"), random.Random(5)
    for _ in range(20):
        state = random_state(game, rng, rng.randrange(8))
        found = analyse(game, state, "alpha-beta")
        values = [candidate.value for candidate in found.candidates]
        assert values == sorted(values, reverse=True) and all(c.exact for c in found.candidates)
        assert values[0] == gambito.solve(game, state, "minimax").value
        assert sorted(c.action for c in found.candidates) == sorted(game.legal(state))
        for candidate in found.candidates:
            assert candidate.line[0] == candidate.action


def test_a_player_who_moves_twice_is_valued_for_the_one_who_chooses():
    game = gambito.load("tree")
    state = game.parse('[{"player": "max", "moves": [3, 9]}, [4, 5]]')
    values = {c.action: c.value for c in analyse(game.at(state), state, "minimax").candidates}
    assert values == {0: 9, 1: 4}


def test_the_time_is_kept_and_a_stop_is_heard():
    game, stop = gambito.load("connect-four"), gambito.Stop()
    analyse(game, game.initial(), depth=2)
    found = analyse(game, game.initial(), seconds=0.3)
    assert found.seconds < 1.0 and found.depth > 4
    told = []
    analyse(
        game,
        game.initial(),
        stop=stop,
        progress=lambda now: told.append(now.depth) or (len(told) > 30 and stop.set()),
    )
    assert len(told) < 200


def test_what_finds_no_value_is_refused():
    game = gambito.load("tic-tac-toe")
    with pytest.raises(SearchError, match="b-star finds an action, not its value"):
        analyse(game, game.initial(), "b-star")
