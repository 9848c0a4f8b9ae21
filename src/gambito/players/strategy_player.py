"""A player that plays a strategy from a file: `strategy:FILE`, or `strategy:FILE,seed=3`."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.hidden.strategy import Strategy, read_strategy
from gambito.players.clock import Clock
from gambito.players.player import Choice

NAME, SEED = "strategy", ",seed="


class StrategyPlayer:
    """A player that draws its actions from a strategy; where that knows nothing, all are equally likely."""

    def __init__(self, path: str, seed: int | None = None) -> None:
        self.path, self.seed, self.rng = path, seed, random.Random(seed)
        self.known: dict[str, Strategy] = {}

    @property
    def name(self) -> str:
        return f"{NAME}:{self.path}"

    def prepare(self, game: Game, state: Any) -> None:
        """Read the strategy for this game."""
        if game.label() not in self.known:
            self.known[game.label()] = read_strategy(self.path, game)

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        self.prepare(game, game.initial())
        if self.seed is not None:
            self.rng.seed(f"{self.seed} {number}")

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        self.prepare(game, state)
        policy = self.known[game.label()].at(state) or dict.fromkeys(game.legal(state), 1.0)
        if not policy:
            return Choice(None)
        return Choice(self.rng.choices(list(policy), list(policy.values()))[0])


def read_strategic(text: str) -> StrategyPlayer:
    """The player that `strategy:FILE` names."""
    path, seed, number = text.partition(":")[2].partition(SEED)
    if not path:
        raise PlayerError("a player of a strategy needs its file; accepted: strategy:FILE")
    if seed and not (number.isascii() and number.isdigit() and len(number) < 20):
        raise PlayerError("{} of {} must be {}, not '{}'", "seed", NAME, "a whole number", number)
    return StrategyPlayer(path, int(number) if seed else None)
