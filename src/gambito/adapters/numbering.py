"""Numbers of actions from 0 to a fixed count, as other libraries want them.

Gambito's actions may be any numbers. Where random games show none beyond `MOST_CODES`, an action keeps its
own number, so that it means the same in every state. Otherwise an action has its place in the list of the
legal ones. Behind the own numbers there are places too, for actions that no random game has shown.
"""

from __future__ import annotations

import random
from typing import Any

from gambito.errors import GameError
from gambito.game.contract import CHANCE, Game

MOST_CODES = 4096  # own numbers are used up to here
GAMES, PLIES = 3, 200  # random games that are looked at, and the most plies of each
SEED = 1  # everybody who asks gets the same numbers
USUAL_PLACES = 4096  # for games that do not say how many actions a state has; backgammon has up to 3060
KEPT = "_gambito_numbering"  # the attribute in which a game keeps its numbers


class Numbering:
    """The numbers of a game's actions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        highest = _highest(game)
        self.codes = highest + 1 if highest < MOST_CODES else 0  # actions below this keep their own number
        limit = game.most_actions
        if self.codes and limit is not None and self.codes <= limit:
            self.codes, self.places = limit, 0
        else:
            self.places = limit or USUAL_PLACES
        self.count = self.codes + self.places

    def legal(self, state: Any) -> dict[int, int]:
        """The legal actions of a state by their numbers, sorted."""
        found: dict[int, int] = {}
        place = self.codes
        for action in self.game.legal(state):
            if action < self.codes:
                found[action] = action
            else:
                found[place] = action
                place += 1
        if place > self.count:
            raise GameError(
                "{} has more actions in a state than the {} numbers for them",
                self.game.label(), self.count,
            )  # fmt: skip
        return dict(sorted(found.items()))


def numbering_of(game: Game) -> Numbering:
    """The numbers of a game's actions; they are made once."""
    if KEPT not in vars(game):
        vars(game)[KEPT] = Numbering(game)
    kept: Numbering = vars(game)[KEPT]
    return kept


def _highest(game: Game) -> int:
    """The highest action in random games; the first one beyond the own numbers is enough."""
    rng, highest = random.Random(SEED), 0
    for _ in range(GAMES):
        state = game.initial()
        for _ in range(PLIES):
            legal = game.legal(state)
            if not legal:
                break
            if game.player(state) != CHANCE:
                highest = max(highest, *legal)
                if highest >= MOST_CODES:
                    return highest
            state = game.result(state, rng.choice(legal))
    return highest
