"""What a page shows to a seat depends on what the seat has seen, and on nothing else, in every game."""

from __future__ import annotations

import json
import random

import pytest

import gambito
from gambito.game.check_asking import plain
from gambito.game.contract import CHANCE, NOBODY
from gambito.game.registry import game_classes
from gambito.web.app import _plain
from gambito.web.observations import sights
from gambito.web.seats import is_over, seat_view, seen_by
from gambito.web.setup import ShownMatch

SMALL = {"battleship": "battleship:width=3,height=2,fleet=2"}
HIDDEN = [name for name in game_classes() if gambito.load(name).hidden]
GAMES, PLIES = 150, 6  # short games: many of them look alike to a seat


def draw(game, state, rng):
    """An action, the likely outcomes of chance more often."""
    if game.player(state) != CHANCE:
        return rng.choice(game.legal(state))
    outcomes = list(game.chances(state))
    return int(rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0])


@pytest.mark.thorough
@pytest.mark.parametrize("name", HIDDEN)
def test_games_that_look_alike_are_shown_alike(name):
    game = gambito.load(SMALL.get(name, name))
    rng, shown, pairs = random.Random(1), {}, 0
    for _ in range(GAMES):
        match = ShownMatch(game, game.initial())
        for _ in range(PLIES):
            match.play(draw(game, match.state, rng))
            if is_over(match):
                break
            for seat in (*range(game.players), NOBODY):
                seen = seen_by(match, seat)
                own = [match.actions[s.ply - 1] for s in seen[1:] if s.move["player"] == seat != NOBODY]
                past_states = seat, repr([plain(sight.state) for sight in seen]), repr(own)
                view = json.dumps(seat_view(match, seat), default=_plain)
                known = shown.setdefault(past_states, (view, match.names()))
                assert known[0] == view
                pairs += known[1] != match.names()
    assert pairs > 10  # the games differed in what the seat does not see


@pytest.mark.parametrize("name", HIDDEN)
def test_a_view_is_the_observation_drawn(name):
    game = gambito.load(SMALL.get(name, name))
    rng, match = random.Random(2), ShownMatch(game, game.initial())
    while len(match.actions) < 30:
        match.play(draw(game, match.state, rng))
        if is_over(match):
            break
        for seat in (*range(game.players), NOBODY):
            view, seen = seat_view(match, seat), game.observe(match.state, seat)
            assert view["text"] == game.text(seen) and view["show"] == game.show(seen)
            assert view["pieces"][: len(game.pieces(seen))] == [
                piece.as_dict() for piece in game.pieces(seen)
            ]
            assert bool(view["actions"]) == (view["player"] == seat != CHANCE)
            assert sights(match, seat, []) == match.noticed[seat]  # what is kept is what is computed anew
