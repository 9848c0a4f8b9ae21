"""Players that choose an action by a search, by looking one ply ahead, or at random.

Any object with the methods of `Player` can play, also an engine behind a protocol.
"""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gambito.errors import PlayerError
from gambito.game.contract import CHANCE, Game
from gambito.game.with_evaluation import with_evaluation
from gambito.players.clock import HORIZON, LAG_NEWS, Clock
from gambito.players.opening_book import Opening
from gambito.search.algorithm import DepthSearch, find
from gambito.search.api import search
from gambito.search.chooser import strongest
from gambito.search.limits import Limits, Stop, fitting_memory
from gambito.search.search_result import SearchResult
from gambito.search.session import Session

FARTHEST = 160  # plies: no search on a clock gets there, and the memory for its lines is made for each move


def first_decision(game: Game, state: Any) -> Any:
    """A state in which a player decides, after any outcomes of chance where the cards are still to be dealt.

    In other games of chance a search may begin at a roll.
    """
    while game.hidden and game.player(state) == CHANCE and not game.is_terminal(state):
        state = game.result(state, game.legal(state)[0])
    return state


@dataclass(frozen=True)
class Choice:
    """The action that a player chose, and why."""

    action: int | None  # None if there is nothing to choose
    found: SearchResult | None = None  # the search behind it
    is_known: bool = False  # the action comes from a book


class Player(Protocol):
    """Anything that can choose an action."""

    @property
    def name(self) -> str: ...

    def prepare(self, game: Game, state: Any) -> None:
        """Raise an error if something does not fit, and prepare everything, before a clock runs."""
        ...

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        """Begin a game, while no clock runs yet; forget earlier games.

        The same number gives the same random choices; each game has another number.
        """
        ...

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        """Choose an action for the player to move, in the time that the clock allows.

        `state` is what that player sees: a state with blanks if the game hides something. `past_states` are
        the states before this one; they are given if positions can come back.
        """
        ...


@dataclass
class Engine:
    """A player that searches. From `begin` on, all its searches share one session."""

    algorithm: str | None = None  # None: the one that plays the game best
    limits: Limits = field(default_factory=Limits)
    gear: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    threads: int = 1
    label: str = ""
    evaluation: str = ""  # one of the game's evaluations other than its default, or FILE.py:FUNCTION
    stop: Stop | None = None  # ends its searches from another thread
    opening: Opening | None = None  # the book that it plays from as long as possible
    session: Session | None = field(default=None, init=False, repr=False)  # what its searches keep
    size: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # of the memory, as an option
    lag: float = field(default=0.0, init=False, repr=False)  # seconds of a move beside its search, a mean
    judges: dict[str, Game] = field(default_factory=dict, init=False, repr=False)  # games that it searches

    @property
    def name(self) -> str:
        return self.label or self.algorithm or "strongest"

    def prepare(self, game: Game, state: Any) -> None:
        """Search one node, so that everything is checked and compiled."""
        if self.opening is not None:
            self.opening.prepare(game)
        limits = self.limits.given()
        self._search(game, first_decision(game, state), {**limits, "nodes": min(1, limits.get("nodes", 1))})

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        """Get memory for the whole game, as much as the game can fill."""
        if self.opening is not None:
            self.opening.begin(number)
        self.session, self.size = Session(), {}
        sizes = [o.default for o in find(self.algorithm or strongest(game)).options if o.name == "memory"]
        seconds = clock.left + HORIZON * clock.increment if clock else HORIZON * (self.limits.seconds or 0)
        if sizes and seconds and "memory" not in self.options:
            self.size = {"memory": fitting_memory(seconds, sizes[0])}
        self._search(game, first_decision(game, game.initial()), {"nodes": 1}, self.session)
        self.session.touch()

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        known = None if self.opening is None else self.opening.choose(game, state)
        if known is not None:
            return Choice(known, is_known=True)
        limits, began = self.limits.given(), time.perf_counter()
        if clock is not None:
            for name, limit in clock.limits(self.lag).given().items():
                limits[name] = min(limit, limits.get(name, limit))
            if isinstance(find(self.algorithm or strongest(game)), DepthSearch):
                limits.setdefault("depth", FARTHEST)
        found = self._search(game, state, limits, self.session, past_states)
        beside = time.perf_counter() - began - found.seconds - found.compile_seconds
        self.lag += LAG_NEWS * (beside - self.lag)
        if found.action is None:  # a search within a window may show only that nothing is as good as alpha
            return Choice(next(iter(game.legal(state)), None), found)
        return Choice(found.action, found)

    def _search(
        self,
        game: Game,
        state: Any,
        limits: dict[str, Any],
        session: Session | None = None,
        past_states: Sequence[Any] = (),
    ) -> SearchResult:
        given: dict[str, Any] = {"gear": self.gear, "threads": self.threads, "stop": self.stop}
        given |= {"session": session, "past_states": past_states}
        if self.evaluation:
            if game.label() not in self.judges:
                self.judges[game.label()] = with_evaluation(game, self.evaluation)
            game = self.judges[game.label()]
        return search(game, state, self.algorithm, **given, **limits, **self.size, **self.options)


class RandomPlayer:
    """A player that takes a random legal action, all equally likely; at chance nodes, by probability."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.seed, self.rng = seed, random.Random(seed)

    def prepare(self, game: Game, state: Any) -> None:
        """Do nothing: random choices need no preparation."""

    def begin(self, game: Game, number: int = 0, clock: Clock | None = None) -> None:
        if self.seed is not None:
            self.rng.seed(f"{self.seed} {number}")

    def choose(
        self, game: Game, state: Any, clock: Clock | None = None, past_states: Sequence[Any] = ()
    ) -> Choice:
        if game.player(state) == CHANCE:
            outcomes = list(game.chances(state))
            return Choice(int(self.rng.choices([o for o, _ in outcomes], [p for _, p in outcomes])[0]))
        actions = self.candidates(game, state)
        return Choice(self.rng.choice(actions) if actions else None)

    def candidates(self, game: Game, state: Any) -> list[int]:
        """The actions that it chooses among."""
        return game.legal(state)


class GreedyPlayer(RandomPlayer):
    """A player that looks one ply ahead and takes the action with the best value; among equals at random."""

    name = "greedy"

    def prepare(self, game: Game, state: Any) -> None:
        if game.hidden:
            raise PlayerError("greedy looks at the next state, and {} hides a part of it", game.label())

    def candidates(self, game: Game, state: Any) -> list[int]:
        mover, values = game.player(state), {}
        for action in game.legal(state):
            child = game.result(state, action)
            worth = game.utility if game.is_terminal(child) else game.evaluate
            values[action] = worth(child, mover)
        return [action for action, value in values.items() if value == max(values.values())]
