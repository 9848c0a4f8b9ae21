"""A player of a given rating, in a game that knows how many nodes its engine needs for it.

Above the lowest of these ratings the engine plays with fewer nodes. Below it, a level that looks two plies
ahead errs more and overlooks more, the lower the rating.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from gambito.game.contract import Game
from gambito.players.clock import Clock
from gambito.players.levels import Level, LevelPlayer
from gambito.players.player import Choice, Engine
from gambito.search.limits import Limits, Stop

LOWEST = 800  # the rating of the weakest player
DEPTH = 2  # plies that it looks ahead
ERRORS = (1.1, 0.25)  # of a value, on the game's scale: of the weakest player, and where the engine begins
BLINDNESS = (0.9, 0.2)  # the part of remote replies that are overlooked
VARIETY = 0.3  # nodes vary by this part up and down, so that games differ


class RatedPlayer:
    """A player of a rating."""

    def __init__(
        self, game: Game, rating: int, seconds: float | None = None, seed: int | None = None
    ) -> None:
        self.rating, self.seconds, self.rng = rating, seconds, random.Random(seed)
        self.stop: Stop | None = None
        rows = game.rated_nodes
        self.nodes = 0 if rating < rows[0][0] else nodes_of(rows, rating)
        part = (rating - LOWEST) / max(rows[0][0] - LOWEST, 1)
        error, blind = (first + (last - first) * part for first, last in (ERRORS, BLINDNESS))
        self.level = Level(self.name, DEPTH, error, blind)
        self.engine: Engine | None = None

    @property
    def name(self) -> str:
        return f"rating {self.rating}"

    def prepare(self, game: Game, state: Any) -> None:
        self._player().prepare(game, state)

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        self._player().begin(game, number, clock)

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        player = self._player()
        if isinstance(player, Engine):
            nodes = max(1, round(self.nodes * self.rng.uniform(1 - VARIETY, 1 + VARIETY)))
            player.limits = Limits(nodes=nodes, seconds=self.seconds)
        return player.choose(game, state, None if self.nodes else clock, past_states)

    def _player(self) -> Engine | LevelPlayer:
        if not self.nodes:
            return LevelPlayer(
                seed=self.rng.randrange(1 << 30), stop=self.stop, seconds=self.seconds, level=self.level
            )
        if self.engine is None:
            self.engine = Engine(None, Limits(nodes=self.nodes), options={"memory": 16}, label=self.name)
        self.engine.stop = self.stop
        return self.engine


def nodes_of(rows: Sequence[tuple[int, int]], rating: int) -> int:
    """The nodes of a move at a rating: between two rows their logarithm grows evenly."""
    below = max((row for row in rows if row[0] <= rating), default=rows[0])
    above = min((row for row in rows if row[0] >= rating), default=rows[-1])
    part = (rating - below[0]) / max(above[0] - below[0], 1)
    return round(math.exp(math.log(below[1]) * (1 - part) + math.log(above[1]) * part))
