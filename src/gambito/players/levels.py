"""Opponents for people: from a beginner to the engine at full strength.

A weaker level looks less far ahead and misjudges what it sees. A normally distributed error is added to the
value of every candidate, so it often errs between moves that are nearly equal, and seldom if one is clearly
better. It also overlooks replies that come from far away. So its mistakes are like a person's, not random
moves. Values far beyond a win count by their logarithm.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import CHANCE, Game
from gambito.game.gears import default_gear
from gambito.players.analysis import Analysis, Candidate, analyse
from gambito.players.blind_spots import remoteness
from gambito.players.clock import Clock
from gambito.players.player import Choice, Engine, Player, RandomPlayer, first_decision
from gambito.search.algorithm import NEVER, AnytimeSearch, find
from gambito.search.api import search
from gambito.search.chooser import STRONGEST, first_fit, strongest
from gambito.search.limits import Limits, Stop
from gambito.search.request import usual_limits

MOST_SECONDS = 2.0  # the most seconds that a level below the highest thinks
ENGINE, QUICK = "engine", "alpha-beta"  # in the Python gear the second reaches a depth several times sooner
FEWEST, MORE = 50, 3  # simulations, if they are limited: the fewest, and the factor for each ply of a level


@dataclass(frozen=True)
class Level:
    """How far a level looks ahead, and how large its errors are."""

    name: str
    depth: int | None  # plies; None: as far as time allows
    error: float  # the standard deviation of a value, on the game's scale
    blind: float = 0.0  # the part of the most remote replies that are overlooked


LEVELS = (
    Level("Beginner", 1, 1.0),
    Level("Novice", 2, 0.7, 0.6),
    Level("Casual player", 2, 0.4, 0.4),
    Level("Club player", 3, 0.25, 0.2),
    Level("Strong club player", 4, 0.15),
    Level("Expert", 6, 0.08),
    Level("Master", 8, 0.03),
    Level("Full strength", None, 0.0),
)


def is_learned(game: Game) -> bool:
    """Has the package learned a strategy for this game, which its highest level plays?"""
    if not hasattr(game, "coarser"):
        return False
    from gambito.players.blueprint import place_of  # which needs more modules than a search

    return place_of(game) is not None


class LevelPlayer:
    """A player of a level from 1 to 8."""

    def __init__(
        self,
        strength: int = 4,
        seed: int | None = None,
        stop: Stop | None = None,
        progress: Callable[[Analysis], Any] | None = None,
        seconds: float | None = None,
        level: Level | None = None,
    ) -> None:
        if not 1 <= strength <= len(LEVELS):
            raise PlayerError("a level must be a whole number from 1 to {}, not {}", len(LEVELS), strength)
        self.strength, self.seed, self.stop, self.progress = strength, seed, stop, progress
        self.given = seconds
        self.seconds = min(seconds or MOST_SECONDS, MOST_SECONDS)  # for a move of a level below the highest
        self.level, self.rng = level or LEVELS[strength - 1], random.Random(seed)
        self.engine: Player | None = None

    @property
    def name(self) -> str:
        return f"level {self.strength}"

    def prepare(self, game: Game, state: Any) -> None:
        """Search one node in the way in which this level chooses, so that everything is compiled.

        A level that looks one ply ahead only evaluates.
        """
        if self.level.depth is None:
            self._engine(game).prepare(game, state)
            return
        algorithm, options = self._search(game)
        if self.level.depth > 1 or isinstance(find(algorithm), AnytimeSearch):
            search(game, first_decision(game, state), algorithm, nodes=1, **options)

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        if self.seed is not None:
            self.rng.seed(f"{self.seed} {number}")
        if self.level.depth is None:
            self._engine(game).begin(game, number, clock)

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        if game.player(state) == CHANCE:
            return RandomPlayer(self.seed).choose(game, state)
        if self.level.depth is None:
            engine = self._engine(game)
            if isinstance(engine, Engine):
                engine.stop = self.stop
            return engine.choose(game, state, clock, past_states)
        seconds = min(self.seconds, clock.limits().seconds or self.seconds) if clock else self.seconds
        depth, stop, progress = self.level.depth, self.stop, self.progress
        algorithm, options = self._search(game)
        nodes = FEWEST * MORE**depth if isinstance(find(algorithm), AnytimeSearch) else None
        limits = (depth, seconds, nodes)
        told: dict[str, Any] = {"stop": stop, "progress": progress}
        found = analyse(game, state, algorithm, *limits, past_states=past_states, **told, options=options)
        if not found.candidates:
            return Choice(None)
        return Choice(max(found.candidates, key=lambda c: self._judged(game, state, c)).action)

    def _search(self, game: Game) -> tuple[str, dict[str, Any]]:
        """The algorithm and the options of a level below the highest."""
        algorithm = strongest(game)
        if getattr(find(algorithm), "deepening", "") == NEVER:  # it searches to the end, or not at all
            algorithm = first_fit(game, STRONGEST)
        if default_gear(game) == "python":
            algorithm = first_fit(game, (QUICK, algorithm)) if algorithm == ENGINE else algorithm
        has_endings = any(option.name == "endings" for option in find(algorithm).options)
        # A weaker level does not know endings by heart.
        return algorithm, {"endings": False} if has_endings else {}

    def _judged(self, game: Game, state: Any, candidate: Candidate) -> float:
        """The value of a candidate as the player judges it."""
        if candidate.value is None:
            return -math.inf
        value = self._without_reply(game, state, candidate)
        return math.asinh(value / game.unit()) + self.rng.gauss(0.0, self.level.error)

    def _without_reply(self, game: Game, state: Any, candidate: Candidate) -> Any:
        """The value of a candidate, or its static value if the player overlooks the reply."""
        if self.level.blind and len(candidate.line) > 1 and game.players == 2 and not game.hidden:
            far = remoteness(game, state, *candidate.line[:2])
            if self.rng.random() < self.level.blind * far:
                return game.evaluate(game.result(state, candidate.action), game.player(state))
        return candidate.value

    def _engine(self, game: Game) -> Player:
        if self.engine is None:
            self.engine = self._learned(game) or self._searching(game)
        return self.engine

    def _searching(self, game: Game) -> Player:
        limits = usual_limits(game) if self.given is None else Limits(seconds=self.given)
        return Engine(None, limits, label=self.name, stop=self.stop)

    def _learned(self, game: Game) -> Player | None:
        """The player with what was learned for the game, which is stronger than a search; None: nothing."""
        if not is_learned(game):
            return None
        from gambito.players.blueprint import BlueprintPlayer  # which needs more modules than a search

        return BlueprintPlayer(self.seed)
