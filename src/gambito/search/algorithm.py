"""What an algorithm is: a name, the games it fits, its options, and how it runs one search.

There is no list of algorithms: `algorithms` looks through the packages that are registered for modules that
define an `ALGORITHM`, or several in `ALGORITHMS`, and through the entry points `gambito.algorithms` of other
packages.
"""

from __future__ import annotations

import functools
import importlib
import math
import pkgutil
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gambito.errors import SearchError
from gambito.game.contract import Game
from gambito.game.puzzle import Puzzle
from gambito.game.registry import entry_points, read_bool
from gambito.search.task import SearchTask, TaskResult
from gambito.words import say
from gambito.words.sentence import Sentence

_packages: list[str] = []  # that hold algorithms
GROUP = "gambito.algorithms"  # the entry points of other packages that bring some


WITHOUT, WITH, EITHER = "without", "with", "either"  # chance, and hidden information
NEVER, ON_LIMIT, ALWAYS = "never", "on limit", "always"  # iterative deepening
BOUNDS, VALUE, LINE = "bounds", "value", "line"  # what the answer of a depth search holds


@dataclass(frozen=True)
class Option:
    """A setting of an algorithm."""

    name: str
    default: Any
    about: str
    low: float | None = None  # for numbers: the range
    high: float | None = None
    choices: tuple[str, ...] = ()  # for words
    on: Any = None  # for numbers that are off by default: a usual value
    technique: bool = True  # it switches a part of the search, whose worth ablation can measure
    sound: bool = True  # it does not change the value
    is_number: bool = False  # a text that is a value of the game, or empty: `read_values` turns it into one
    instead: tuple[
        tuple[str, Any], ...
    ] = ()  # if it is given: defaults of others, not the game's preferences

    @property
    def off(self) -> Any:
        """The value that switches the option off: false, the word `off`, or 0 if the range begins there;
        None if it cannot be switched off."""
        if isinstance(self.default, bool):
            return False
        if self.choices:
            return "off" if "off" in self.choices else None
        return type(self.default)(0) if self.low == 0 else None

    def switched(self, usual: Any) -> Any:
        """The other position of a technique: off if it is usually on, on if it is usually off; None if it
        has no other."""
        if not self.technique or self.off is None:
            return None
        if usual != self.off:
            return self.off
        return True if self.off is False else self.on

    def read(self, given: Any) -> Any:
        """Check a value and return it with the option's type; text is accepted for every type."""
        kind = type(self.default)
        try:
            value: Any = read_bool(given) if kind is bool else kind(given)
        except (KeyError, TypeError, ValueError, OverflowError):
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given) from None
        if self.choices and value not in self.choices:
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given)
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given)
        if self.is_number and value and not _is_finite(value):
            raise SearchError("option {} must be {}, not '{}'", self.name, self.range(), given)
        return value

    def range(self) -> str:
        """The accepted values, in words."""
        if self.choices:
            return functools.reduce(lambda told, one: Sentence("{} or {}", told, one), self.choices)
        if isinstance(self.default, bool):
            return Sentence("true or false")
        if self.is_number:
            return Sentence("a number") if self.default else Sentence("a number or nothing")
        if isinstance(self.default, str):
            return Sentence("a text")
        low, high = self.low, self.high
        if isinstance(self.default, int):
            whole = Sentence("a whole number")
            return whole if low is None else Sentence("a whole number from {} to {}", low, high)
        return Sentence("a number") if low is None else Sentence("a number from {} to {}", low, high)


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False


@dataclass(frozen=True)
class Fits:
    """Which games an algorithm is for."""

    chance: str = WITHOUT  # dice and cards: games WITHOUT them, WITH them, or EITHER
    players: tuple[int, ...] = (2,)  # accepted numbers of players; (): any number
    zero_sum: bool = True  # only games where one player wins what the others lose
    hidden: str = WITHOUT  # hidden information: games WITHOUT it, WITH it, or EITHER
    refuses: Callable[[Game], str] = lambda game: ""  # any other reason why a game does not fit, or ""

    def misfit(self, name: str, game: Game) -> str:
        """One sentence that says why the algorithm of that name does not fit a game; "" if it fits."""
        if isinstance(game, Puzzle) and not self.players:
            return Sentence("{} is for games, and {} is a puzzle", name, game.label())
        if game.chance and self.chance == WITHOUT:
            return Sentence("{} is for games without chance, and {} has dice or cards", name, game.label())
        if self.chance == WITH and not game.chance:
            return Sentence(
                "{} is for games of chance, and {} has neither dice nor cards", name, game.label()
            )
        if self.chance == WITH and game.value is not float:
            return Sentence(
                "{} needs values that are fractions, and {} has whole numbers", name, game.label()
            )
        if self.players and game.players not in self.players:
            number = Sentence("one player") if self.players == (1,) else Sentence("two players")
            number = Sentence("three players or more") if min(self.players) > 2 else number
            return Sentence("{} is for {}, and {} has {}", name, number, game.label(), game.players)
        if self.zero_sum and not game.zero_sum and game.players > 1:
            return Sentence("{} is for zero-sum games, and {} is not one", name, game.label())
        if self.hidden == WITH and not game.hidden:
            return Sentence("{} is for games that hide something, and {} hides nothing", name, game.label())
        if game.hidden and self.hidden == WITHOUT:
            return Sentence("{} needs the whole state, and {} hides a part of it", name, game.label())
        return self.refuses(game)


@dataclass(frozen=True)
class Algorithm:
    """An algorithm that finds an action. Each one is of one of the three kinds below."""

    name: str
    summary: str
    source: str  # the paper or book
    run: Callable[[SearchTask], TaskResult]  # one search
    options: tuple[Option, ...] = ()
    fits: Fits = Fits()
    view: Callable[[Game, int], Game] | None = None  # what it searches instead of the game, for its mover
    shares: bool = False  # it can run on several threads
    spec: str = ""  # the text that names it in another process, if that is not its name
    is_own: bool = False  # it is somebody's own, and need not keep to limits

    @property
    def gives_value(self) -> bool:
        """Does its answer have a value, and not only bounds?"""
        return True

    def misfit(self, game: Game) -> str:
        """One sentence that says why the algorithm does not fit the game; "" if it fits."""
        return self.fits.misfit(self.name, game)

    def every_option(self) -> tuple[Option, ...]:
        """Its own options, and those that every algorithm of its kind has."""
        return *self.options, DEEPEN

    def sound_options(self) -> dict[str, Any]:
        """The options that keep a value exact: every technique that may change it is off."""
        return {option.name: option.off for option in self.options if not option.sound}

    def read_options(self, given: dict[str, Any], game: Game | None = None) -> dict[str, Any]:
        """All options, each as given, or else as the game prefers, or else by default."""
        preferred = game.preferences.get(self.name, {}) if game is not None else {}
        for option in self.options:
            if option.instead and given.get(option.name):
                preferred = dict(option.instead)
        given = {**preferred, **given}
        known = {o.name: o for o in self.every_option()}
        for name in given:
            if name not in known:
                accepted = ", ".join(known)
                raise SearchError("{} has no option '{}'; accepted: {}", self.name, name, accepted)
        return {n: o.read(given[n]) if n in given else o.default for n, o in known.items()}

    def read_values(self, settings: dict[str, Any], game: Game) -> dict[str, Any]:
        """The same settings, with texts that are numbers as values of the game; None for those left open."""
        numbers = {o.name: settings[o.name] for o in self.options if o.is_number}
        return {**settings, **{name: _as_value(name, text, game) for name, text in numbers.items()}}


def _as_value(name: str, text: str, game: Game) -> Any:
    if not text:
        return None
    value = float(text)
    if game.value is int and not value.is_integer():
        raise SearchError("option {} must be a whole number in {}, not '{}'", name, game.label(), text)
    if abs(value) >= game.infinity:
        raise SearchError("option {} must be a number of the size of values, not '{}'", name, text)
    return game.value(value)


@dataclass(frozen=True)
class DepthSearch(Algorithm):
    """An algorithm that searches to a depth, once or by iterative deepening."""

    deepening: str = ON_LIMIT  # NEVER; ON_LIMIT, if seconds or nodes are limited; ALWAYS
    holds: str = LINE  # what its answer holds: BOUNDS, a VALUE, or a value and its whole LINE
    frame: str = "mover"  # whose values it computes: the "mover"'s, "max"'s, or with many players each "own"
    windowed: bool = True  # its bounds are an alpha and a beta
    best_first: bool = False  # it narrows the bounds of a state's value, and asks about no window
    chooses: bool = False  # it can be limited to some actions of the root
    extra_plies: int = 0  # the most plies that it may look beyond its depth

    @property
    def gives_value(self) -> bool:
        return self.holds != BOUNDS

    def every_option(self) -> tuple[Option, ...]:
        return *self.options, replace(DEEPEN, default=self.deepening == ALWAYS)


@dataclass(frozen=True)
class AnytimeSearch(Algorithm):
    """An algorithm with one search that improves until it is stopped.

    Its values are expectations, so they are fractions even if the game's values are whole numbers. A policy
    and value function may guide it.
    """


@dataclass(frozen=True)
class StrategySearch(AnytimeSearch):
    """An algorithm that learns strategies for a whole game; at a player's decision it answers with a policy.

    Its nodes are iterations.
    """

    # Records the first iterations of learning: of a game, for a state, with options, perhaps so many, until
    # a stop.
    record: Callable[..., Any] = lambda game, state, options, iterations, stop: None

    def every_option(self) -> tuple[Option, ...]:
        return self.options


@dataclass(frozen=True)
class PuzzleSearch(Algorithm):
    """An algorithm for one agent: it finds a way to a goal, and its cost."""

    compiles: Callable[[Game, dict[str, Any]], bool] = lambda game, options: (
        True
    )  # can it be compiled with these options?
    recorder: Callable[[Any], Any] = lambda algorithm: None  # makes the monitor that records a search

    def misfit(self, game: Game) -> str:
        if not isinstance(game, Puzzle):
            return Sentence("{} is for puzzles, and {} is a game", self.name, game.label())
        return self.fits.refuses(game)

    def every_option(self) -> tuple[Option, ...]:
        return self.options


DEEPEN = Option("deepen", False, "deepen iteratively even if only a depth is given", technique=False)
WINDOW = tuple(
    Option(name, "", about, technique=False, is_number=True)
    for name, about in (
        ("alpha", "the lower end of the window at the root, for the player to move; nothing: no end"),
        ("beta", "the upper end of the window at the root; nothing: no end"),
    )
)
COMMON = (DEEPEN,)


def register_package(name: str) -> None:
    """The modules of a package hold algorithms, which are found by scanning it."""
    _packages.append(name)
    built_in.cache_clear()
    algorithms.cache_clear()


@functools.cache
def built_in() -> dict[str, Algorithm]:
    """Every algorithm of Gambito itself, by name."""
    found: list[Algorithm] = []
    for package in _packages:
        for module in pkgutil.iter_modules(importlib.import_module(package).__path__, f"{package}."):
            loaded = importlib.import_module(module.name)
            found += [loaded.ALGORITHM] if hasattr(loaded, "ALGORITHM") else []
            found += getattr(loaded, "ALGORITHMS", ())
    return {a.name: a for a in found}


_ADOPTED: dict[str, Algorithm] = {}


def adopt(algorithm: Algorithm) -> None:
    """Let an algorithm of one's own be found by its name in this process."""
    _ADOPTED[algorithm.name] = algorithm
    algorithms.cache_clear()


@functools.cache
def algorithms() -> dict[str, Algorithm]:
    """Every algorithm that has a name, sorted: those of Gambito, and those that other packages bring."""
    brought: dict[str, Algorithm] = {}
    for point in entry_points(GROUP):
        try:
            brought[point.name] = replace(point.load().algorithm, name=point.name)
        except Exception as problem:  # one broken package must not hide the other algorithms
            warnings.warn(
                say("the installed algorithm {} cannot be read: {}", point.name, problem), stacklevel=2
            )
    return dict(sorted({**brought, **_ADOPTED, **built_in()}.items()))


def find(name: Any) -> Algorithm:
    """The algorithm with that name or in that file (`search.py:my_search`), or that of a function itself."""
    if isinstance(own := getattr(name, "algorithm", None), Algorithm):
        return own
    if name in built_in():
        return built_in()[name]
    if ".py" in str(name):
        from gambito.search.custom import read_algorithm

        return read_algorithm(str(name))
    every = algorithms()
    if name not in every:
        raise SearchError("unknown algorithm '{}'; accepted: {}, or FILE.py:FUNCTION", name, ", ".join(every))
    return every[name]
