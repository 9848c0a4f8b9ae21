"""A player chooses an action: an engine by searching, a random player by chance."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from gambito.game.contract import CHANCE, Game
from gambito.search.found import Found
from gambito.search.front import DEFAULT, search
from gambito.search.limits import Limits


@dataclass(frozen=True)
class Choice:
    """What a player chose, and what made it choose so."""

    action: int | None  # None where there is nothing to choose
    found: Found | None = None  # the search behind it


class Player(Protocol):
    """Whoever can be asked for an action."""

    @property
    def name(self) -> str: ...

    def choose(self, game: Game, state: Any) -> Choice:
        """An action for the player to move."""
        ...


@dataclass(frozen=True)
class Engine:
    """A player that searches."""

    algorithm: str = DEFAULT
    limits: Limits = field(default_factory=Limits)
    gear: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.algorithm

    def choose(self, game: Game, state: Any) -> Choice:
        found = search(game, state, self.algorithm, gear=self.gear, **self.limits.given(), **self.options)
        return Choice(found.action, found)

    def prepare(self, game: Game, state: Any) -> None:
        """Complain about all that does not fit and have everything compiled: a search of one node."""
        limits = self.limits.given()
        limits["nodes"] = min(1, limits.get("nodes", 1))
        search(game, state, self.algorithm, gear=self.gear, **limits, **self.options)


class RandomPlayer:
    """A player that takes any legal action, each as likely; where chance decides, as chance would."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.rng = random.Random(seed)

    def choose(self, game: Game, state: Any) -> Choice:
        if game.player(state) == CHANCE:
            outcomes = list(game.chances(state))
            return Choice(int(self.rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]))
        actions = game.legal(state)
        return Choice(self.rng.choice(actions) if actions else None)
