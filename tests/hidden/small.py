"""The hidden games as tests use them: small boards, and positions on the way through random games."""

from __future__ import annotations

import random
from typing import Any

import gambito
from gambito import CHANCE, Game
from gambito.game.registry import game_classes

SMALLER = {  # games whose default board is too large for a quick test
    "battleship": "battleship:width=3,height=3,fleet=2-1",
    "dark-chess": "dark-chess:size=4",
    "dark-hex": "dark-hex:size=2",
    "liars-dice": "liars-dice:sides=3",
    "goofspiel": "goofspiel:cards=3",
}


def hidden_games() -> list[str]:
    """The built-in games that hide something, each with a small board."""
    names = [n for n, kind in game_classes().items() if kind.__module__.startswith("gambito.games")]
    return [SMALLER.get(name, name) for name in names if game_classes()[name].hidden]


def decisions(game: Game, seed: int, count: int) -> list[Any]:
    """States of random games in which a player is to move, each from another game."""
    rng, found = random.Random(seed), []
    while len(found) < count:
        state, met = game.initial(), []
        while not game.is_terminal(state):
            if game.player(state) == CHANCE:
                outcomes, weights = zip(*game.chances(state), strict=True)
                state = game.result(state, rng.choices(outcomes, weights)[0])
            else:
                met.append(state)
                state = game.result(state, rng.choice(game.legal(state)))
        found.append(rng.choice(met))
    return found


def load(name: str) -> Game:
    game = gambito.load(name)
    game.prepare()
    return game
