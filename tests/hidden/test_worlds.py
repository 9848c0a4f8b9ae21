"""A small game that does not say how to imagine its worlds: its states are listed once and drawn from."""

from __future__ import annotations

from collections import Counter

import pytest

import gambito
from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.games.kuhn_poker import KuhnPoker
from gambito.hidden import worlds
from gambito.native.random import new_random

# Kuhn poker without its `imagine`.
Silent = type(
    "Silent", (Game,), {n: held for n, held in vars(KuhnPoker).items() if n not in ("imagine", "name")}
)


def test_worlds_are_drawn_as_often_as_chance_deals_them():
    game, rng = Silent(), new_random(5)
    view, seen = worlds.imagining(game), game.parse("Q? pb")
    drawn = Counter(game.text(view.imagine(seen, 0, rng)) for _ in range(600))
    assert set(drawn) == {"QJ pb", "QK pb"}
    assert all(abs(count - 300) < 5 * 150**0.5 for count in drawn.values())


@pytest.mark.parametrize("cards", ["JQ", "JK"])
def test_a_search_of_listed_worlds_sees_what_its_player_sees(cards):
    game = Silent()
    state = game.parse(f"{cards} pb")
    found = gambito.search(game, state, "ismcts", nodes=200, gear="python")
    seen = gambito.search(game, game.observe(state, 0), "ismcts", nodes=200, gear="python")
    assert found.policy == seen.policy and found.value == seen.value
    assert game.write(state, found.action) == "pass"  # the jack never wins


def test_a_game_with_too_many_states_is_told_to_imagine(monkeypatch):
    monkeypatch.setattr(worlds, "MOST_WORLDS", 5)
    with pytest.raises(SearchError, match="needs a rule 'imagine'"):
        gambito.search(Silent(), "JQ", "ismcts", nodes=10, gear="python")
