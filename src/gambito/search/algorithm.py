"""What an algorithm is: a name, what it needs of a game, its options, and how one search is run.

Algorithms are found by looking through the packages of algorithms for modules with an `ALGORITHM`, or several
in `ALGORITHMS`; nobody keeps a list.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.game.puzzle import Puzzle
from gambito.game.registry import read_bool
from gambito.search.found import Candidate
from gambito.search.watch import Watch
from gambito.words.sentence import Sentence

PACKAGES = (
    "gambito.search.classic",
    "gambito.search.engine",
    "gambito.search.monte_carlo",
    "gambito.chance",
    "gambito.puzzle",
)  # where algorithms are


@dataclass(frozen=True)
class Option:
    """A choice that an algorithm leaves open."""

    name: str
    default: Any
    about: str
    low: float | None = None  # for numbers: the range
    high: float | None = None
    choices: tuple[str, ...] = ()  # for words
    on: Any = None  # for numbers that are off by default: a usual value
    technique: bool = True  # a part of the search, whose worth is seen when it is switched
    sound: bool = True  # the value is the same with it
    formerly: str = ""  # its name in the version before, still accepted with a warning

    @property
    def off(self) -> Any:
        """The neutral position: false, `off` among words, 0 where a range begins there; None: it has none."""
        if isinstance(self.default, bool):
            return False
        if self.choices:
            return "off" if "off" in self.choices else None
        return type(self.default)(0) if self.low == 0 else None

    def switched(self, usual: Any) -> Any:
        """A technique's other position: off if it is usually on, on if it is off; None: it has none."""
        if not self.technique or self.off is None:
            return None
        if usual != self.off:
            return self.off
        return True if self.off is False else self.on

    def read(self, given: Any) -> Any:
        """The option's value, checked; text is accepted for any of them."""
        kind = type(self.default)
        try:
            value: Any = read_bool(given) if kind is bool else kind(given)
        except (KeyError, TypeError, ValueError):
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given) from None
        if self.choices and value not in self.choices:
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given)
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given)
        return value

    def range(self) -> str:
        """What is accepted, in words."""
        if self.choices:
            return " or ".join(self.choices)
        if isinstance(self.default, bool):
            return Sentence("true or false")
        if isinstance(self.default, str):
            return Sentence("a text")
        low, high = self.low, self.high
        if isinstance(self.default, int):
            whole = Sentence("a whole number")
            return whole if low is None else Sentence("a whole number from {} to {}", low, high)
        return Sentence("a number") if low is None else Sentence("a number from {} to {}", low, high)


@dataclass
class Task:
    """One search to do: from a state, to a depth, in one gear."""

    game: Any  # in its gear: a Game, or a Constant
    rules: Game  # always the plain game
    state: Any
    depth: int
    alpha: Any
    beta: Any
    watch: Watch
    options: dict[str, Any]
    memory: dict[str, Any] = field(default_factory=dict)  # what an algorithm keeps between searches
    threads: int = 1
    guess: Any = 0  # the value of the search before, of the game's type as all values are
    action: int | None = None  # an algorithm that finds no line may say its action here
    line: list[int] | None = None  # or its line, where the watch does not hold it
    low: Any = None  # and what it knows of the value so far, or in the end if not the value itself
    high: Any = None
    exact: bool = True
    unit: int = 1  # of the watch's bounds of the root: so much is one of the game's values
    ends_in: int | None = None  # plies to the end, where a forced one was seen
    value: Any = None  # the value of the answer so far, of a search that is anytime
    reached: int = 0  # and how deep it looked
    candidates: list[Candidate] = field(default_factory=list)  # what it knows of every action
    peek: Callable[[], None] | None = None  # brings these up to date while it runs
    endings: Any = None  # the game's endgame tables, if they are to be looked into
    is_sure: bool = False  # they hold the root: no horizon is between it and the end
    guide: Any = None  # a policy and value function, as `search.guide` describes it
    is_ended: Callable[[], bool] = lambda: False  # was the search ended from outside?
    past: Sequence[int] = ()  # keys of the positions before the root, the newest last
    among: Sequence[int] = ()  # the root's actions that count; none: all of them

    @property
    def is_max(self) -> bool:
        return self.rules.player(self.state) <= 0  # at a chance node values are player 0's


@dataclass(frozen=True)
class Algorithm:
    """An algorithm that finds an action."""

    name: str
    summary: str
    source: str  # the paper or book
    run: Callable[[Task], Any]  # one search: returns the value for the player to move
    options: tuple[Option, ...] = ()
    deepens: bool = True  # depth-limited, so it can be put into iterative deepening
    always_deepens: bool = False  # and is, also where only a depth is given
    gives_value: bool = True  # exact; otherwise an action and bounds
    gives_line: bool = True
    frame: str = "mover"  # for whom its values are: "mover", or "max"
    windowed: bool = True  # its bounds are an alpha and a beta
    extra_plies: int = 0  # how far beyond its depth it may look
    shares: bool = False  # runs on several threads
    chooses: bool = False  # can be told which actions of the root count
    reads_out: bool = True  # a line that ends early is searched to its end
    one_agent: bool = False  # it solves puzzles; all others play games
    compiles: Callable[[Game, dict[str, Any]], bool] | None = None  # can it, with these options? None: always
    recorder: Callable[[Any], Any] | None = None  # makes the watch that records it, if not the usual one does
    chance: bool = False  # for games with dice or cards, and only for them
    players: tuple[int, ...] = (2,)  # how many a game may have
    anytime: bool = False  # one search that gets better until it is stopped
    expects: bool = False  # its values are expectations: fractions, whatever the game's are
    takes_chance: bool = False  # dice and cards are no obstacle
    takes_players: bool = False  # nor any number of players
    takes_sums: bool = False  # nor that both may win
    takes_guide: bool = False  # a policy and value function may steer it
    refuses: Callable[[Game], str] = lambda game: ""  # why a game does not fit, beyond the common reasons

    def misfit(self, game: Game) -> str:
        """Why the algorithm does not fit the game, in one sentence; "" if it does."""
        if self.one_agent and not isinstance(game, Puzzle):
            return Sentence("{} is for puzzles, and {} has {} players", self.name, game.label(), game.players)
        if self.one_agent:
            return self.refuses(game)
        if isinstance(game, Puzzle) and self.takes_players:
            return Sentence("{} is for games, and {} is a puzzle", self.name, game.label())
        if game.chance and not (self.chance or self.takes_chance):
            return Sentence(
                "{} is for games without chance, and {} has dice or cards", self.name, game.label()
            )
        if self.chance and not game.chance:
            return Sentence(
                "{} is for games of chance, and {} has neither dice nor cards", self.name, game.label()
            )
        if self.chance and game.value is not float:
            return Sentence(
                "{} needs values that are fractions, and {} has whole numbers", self.name, game.label()
            )
        if game.players not in self.players and not self.takes_players:
            number = Sentence("one player") if self.players == (1,) else Sentence("two players")
            return Sentence("{} is for {}, and {} has {}", self.name, number, game.label(), game.players)
        if not game.zero_sum and game.players > 1 and not self.takes_sums:
            return Sentence("{} is for zero-sum games, and {} is not one", self.name, game.label())
        if game.hidden:
            return Sentence(
                "{} needs to see everything, and in {} something is hidden", self.name, game.label()
            )
        return self.refuses(game)

    def every_option(self) -> tuple[Option, ...]:
        """Its own options, and those that every algorithm has."""
        common = () if self.one_agent else (replace(DEEPEN, default=self.always_deepens),)
        return *self.options, *common

    def sound_options(self) -> dict[str, Any]:
        """What keeps a value exact: everything off that may change it."""
        return {option.name: option.off for option in self.options if not option.sound}

    def _renamed(self, given: dict[str, Any]) -> dict[str, Any]:
        """The same with today's names of options that had another one."""
        renamed = {o.formerly: o.name for o in self.options if o.formerly}
        for name in given.keys() & renamed.keys():
            warnings.warn(
                f"option {name} of {self.name} is now called {renamed[name]}",
                DeprecationWarning,
                stacklevel=2,
            )
        return {renamed.get(name, name): value for name, value in given.items()}

    def read_options(self, given: dict[str, Any], game: Game | None = None) -> dict[str, Any]:
        """All options: as given, as the game prefers, or as they are by default."""
        if game is not None:
            given = {**game.preferences.get(self.name, {}), **given}
        known = {o.name: o for o in self.every_option()}
        given = self._renamed(given)
        for name in given:
            if name not in known:
                accepted = ", ".join(known)
                raise SearchError("{} has no option '{}'; accepted: {}", self.name, name, accepted)
        return {n: o.read(given[n]) if n in given else o.default for n, o in known.items()}


DEEPEN = Option("deepen", False, "iterative deepening even where only a depth is given", technique=False)
COMMON = (DEEPEN,)


@functools.cache
def algorithms() -> dict[str, Algorithm]:
    """Every algorithm by name, sorted."""
    found: list[Algorithm] = []
    for package in PACKAGES:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            loaded = importlib.import_module(module.name)
            found += [loaded.ALGORITHM] if hasattr(loaded, "ALGORITHM") else []
            found += getattr(loaded, "ALGORITHMS", ())
    return {a.name: a for a in sorted(found, key=lambda a: a.name)}


def find(name: str) -> Algorithm:
    every = algorithms()
    if name not in every:
        raise SearchError("unknown algorithm '{}'; accepted: {}", name, ", ".join(every))
    return every[name]


def first_fit(game: Game, names: Iterable[str]) -> str:
    """The first of these algorithms that fits the game; the first of all where none does, which says why."""
    listed = list(names)
    return next((name for name in listed if not find(name).misfit(game)), listed[0])
