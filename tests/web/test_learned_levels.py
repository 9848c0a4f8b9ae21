"""The highest level of a game whose strategy the package has learned."""

from __future__ import annotations

import threading

import gambito
from gambito.players.blueprint import BlueprintPlayer
from gambito.players.player import Choice
from gambito.players.running_game import RunningGame
from gambito.web.choosing import Choosing
from gambito.web.server_limits import ServerLimits


class Silent:
    """A stream that tells nobody."""

    def tell(self, news):
        pass

    def is_due(self):
        return False


def test_the_highest_level_plays_what_was_learned(monkeypatch):
    """It is asked with what its player sees."""
    game, asked = gambito.load("holdem"), []

    def choose(player, rules, state, clock=None, past_states=()):
        asked.append(rules.text(state))
        return Choice(rules.read(state, "call"))

    monkeypatch.setattr(BlueprintPlayer, "choose", choose)
    match = RunningGame(game, game.parse("AsKd/QhQc"))
    answer = Choosing(ServerLimits()).choose(match, {"level": 8}, None, Silent(), threading.Event())
    assert answer == {"move": "call", "found": None} and asked == ["AsKd/??"]
