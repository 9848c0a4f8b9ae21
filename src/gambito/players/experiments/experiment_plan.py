"""The plan of an experiment: a TOML file, a file of Python, or a dictionary, checked word by word.

An experiment is either searches (`algorithms`, with tasks: positions and limits) or a tournament (`players`).
Every problem is one sentence that says where it is and what is accepted.
"""

from __future__ import annotations

import functools
import itertools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import load, module_of, spec_of
from gambito.players.clock import Control, read_control
from gambito.players.openings import openings, usual_plies
from gambito.players.player import Engine
from gambito.players.player_text import read_player
from gambito.search.algorithm import Algorithm, find
from gambito.search.chooser import strongest
from gambito.search.limits import Limits
from gambito.words.sentence import Sentence

SEED = "{seed}"  # in the text of a game: each seed in turn
LIMITS = ("depth", "nodes", "seconds")
TASK = ("title", "game", "positions", "openings", "plies", "seed", *LIMITS)
SEARCHES = ("name", "about", "algorithms", "options", "seeds", "repeat", "task", *TASK)
TOURNEY = (
    "name", "about", "game", "players", "pairing", "games", "clock", "openings", "plies", "seed", "position",
)  # fmt: skip
PAIRINGS = ("round-robin", "gauntlet")
MOST_CELLS = 1_000_000
MOST_POSITIONS = MOST_SEEDS = 10_000


@dataclass(frozen=True)
class Cell:
    """One search of an experiment; what tells it from all others."""

    game: str
    position: str
    algorithm: str  # with its own options, as a player's text
    options: str  # further options, as k=v,k=v
    seed: int | None
    repeat: int
    depth: int | None  # the limits
    nodes: int | None
    seconds: float | None

    def given_options(self) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self.options.split(",") if part)


@dataclass(frozen=True)
class Task:
    """Positions of a game, and the limits of their searches."""

    game: str
    title: str = ""
    positions: tuple[str, ...] = ("",)
    limits: tuple[tuple[int | None, int | None, float | None], ...] = ((None, None, None),)


@dataclass(frozen=True)
class ExperimentPlan:
    """Searches: every task with every algorithm, all options and all seeds."""

    name: str
    about: str
    algorithms: tuple[str, ...]
    tasks: tuple[Task, ...]
    options: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    seeds: tuple[int, ...] = (0,)
    repeat: int = 1

    def cells(self) -> Iterator[Cell]:
        """The searches, those of one position side by side."""
        for task in self.tasks:
            for seed in self.seeds if SEED in task.game else (None,):
                game = task.game.replace(SEED, str(seed))
                for position, limits in itertools.product(task.positions, task.limits):
                    for algorithm in self.algorithms:
                        yield from self._of(game, position, algorithm, limits, seed)

    def _of(self, game: str, position: str, algorithm: str, limits: Any, given: int | None) -> Iterator[Cell]:
        known = _options(algorithm, game)
        taken = {name: values for name, values in self.options.items() if name in known}
        seeds = (given,) if given is not None else self.seeds if "seed" in known else (None,)
        for values in itertools.product(*taken.values()):
            options = ",".join(f"{name}={_written(value)}" for name, value in zip(taken, values))
            for seed, repeat in itertools.product(seeds, range(self.repeat)):
                yield Cell(game, position, algorithm, options, seed, repeat, *limits)

    def count(self) -> int:
        return sum(1 for _ in self.cells())


@dataclass(frozen=True)
class TournamentPlan:
    """A tournament: all pairs of players, or the first one against each of the others."""

    name: str
    about: str
    game: str
    players: tuple[str, ...]
    pairing: str = PAIRINGS[0]
    games: int = 100  # of each pair
    clock: Control | None = None
    openings: int | None = None
    plies: int | None = None
    seed: int = 0
    position: str | None = None

    def pairs(self) -> list[tuple[int, int]]:
        every = list(itertools.combinations(range(len(self.players)), 2))
        return every if self.pairing == PAIRINGS[0] else [pair for pair in every if pair[0] == 0]


def read_plan(given: Any, name: str = "") -> ExperimentPlan | TournamentPlan:
    """The plan in a file (`FILE.toml`, or `FILE.py` with a dictionary `experiment`), or in a dictionary."""
    if isinstance(given, str | Path):
        path = Path(given)
        return read_plan(_read_file(path), path.stem)
    if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
        raise PlayerError("an experiment must be a file or a dictionary, not {}", type(given).__name__)
    if ("players" in given) == ("algorithms" in given):
        raise PlayerError(
            "an experiment has `algorithms` for searches or `players` for a tournament: one of them"
        )
    try:
        return _read_tourney(given, name) if "players" in given else _read_searches(given, name)
    except RecursionError:
        raise PlayerError("the experiment is nested too deeply") from None


def _read_file(path: Path) -> Any:
    if path.suffix == ".py":
        held = getattr(module_of(path), "experiment", None)
        found = held() if callable(held) else held
        if not isinstance(found, Mapping):
            raise PlayerError("{} has no dictionary `experiment`, nor a function that returns one", path)
        return found
    if path.suffix != ".toml":
        raise PlayerError("{} is no experiment; accepted: a file FILE.toml or FILE.py", path)
    try:
        return read_toml(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as problem:
        told = getattr(problem, "strerror", None) or type(problem).__name__
        raise PlayerError("{} cannot be read: {}", path, told) from None


def read_toml(text: str, name: str) -> dict[str, Any]:
    """The words of a plan in TOML, before they are checked; `name` is for the error."""
    try:
        return tomllib.loads(text)
    except ValueError as problem:  # also for numbers with too many digits
        raise PlayerError("{} is not TOML: {}", name, " ".join(str(problem).split())) from None
    except RecursionError:
        raise PlayerError("the experiment is nested too deeply") from None


# ---- searches ------------------------------------------------------------------------------------


def _read_searches(given: Mapping[str, Any], name: str) -> ExperimentPlan:
    _check_names(given, SEARCHES, Sentence("an experiment of searches"))
    algorithms = _texts(given, "algorithms")
    listed = given.get("task", [])
    if not isinstance(listed, list) or not all(isinstance(task, Mapping) for task in listed):
        raise PlayerError("task must be tables: [[task]]")
    if listed and (left := [key for key in given if key in TASK]):
        raise PlayerError("{} stands in every [[task]], or there are no tasks", left[0])
    seeds = _seeds(given.get("seeds", 1))
    tasks = tuple(
        _read_task(task, seeds) for task in listed or [{k: v for k, v in given.items() if k in TASK}]
    )
    options = given.get("options", {})
    if not isinstance(options, Mapping):
        raise PlayerError("options must be a table of names and values, or lists of values")
    chosen = {key: _listed(value) for key, value in options.items()}
    plan = ExperimentPlan(
        _text(given, "name", name),
        _text(given, "about", ""),
        algorithms,
        tasks,
        chosen,
        seeds,
        _whole(given.get("repeat", 1), "repeat", 1, 1000),
    )
    _check_plan(plan)
    return plan


def _read_task(given: Mapping[str, Any], seeds: tuple[int, ...]) -> Task:
    _check_names(given, TASK, Sentence("a task"))
    if "game" not in given:
        raise PlayerError("a task needs a game")
    spec = given["game"] if isinstance(given["game"], str) else spec_of(given["game"])
    game = load(spec.replace(SEED, str(seeds[0])))
    positions = _positions(given, game)
    limits = [_listed(given[key]) if key in given else (None,) for key in LIMITS]
    combined = tuple(itertools.product(*limits))
    for each in combined:
        Limits(*(each[0], each[2], each[1])).check()
    return Task(spec, _text(given, "title", ""), positions, combined)


def _positions(given: Mapping[str, Any], game: Game) -> tuple[str, ...]:
    """The positions of a task: as they are written, or balanced random ones."""
    if "openings" not in given:
        if left := [key for key in ("plies", "seed") if key in given]:
            raise PlayerError("{} is for random positions; give `openings`, their number", left[0])
        texts = _texts(given, "positions", ("",))
        for text in texts:
            game.parse(text) if text else game.initial()
        return texts
    if "positions" in given:
        raise PlayerError("a task has positions or openings, not both")
    count = _whole(given["openings"], "openings", 1, MOST_POSITIONS)
    plies = _whole(given.get("plies", usual_plies(game)), "plies", 0, 1000)
    seed = _whole(given.get("seed", 0), "seed", 0, 2**31)
    found = []
    for line in itertools.islice(openings(game, game.initial(), plies, seed, balanced=True), count):
        state = game.initial()
        for action in line:
            state = game.result(state, action)
        found.append(game.text(state))
    if not found:
        raise PlayerError("no position after {} plies was found in which the game goes on", plies)
    return tuple(found)


def _check_plan(plan: ExperimentPlan) -> None:
    """Do all algorithms fit all games, and their options mean something?"""
    known: set[str] = set()
    for task, text in itertools.product(plan.tasks, plan.algorithms):
        game = task.game.replace(SEED, str(plan.seeds[0]))
        chosen = algorithm_of(text, game)
        if reason := chosen.misfit(load(game)):
            raise PlayerError(reason)
        options = {option.name: option for option in chosen.every_option()}
        known |= options.keys()
        for name, values in plan.options.items():
            for value in values if name in options else ():
                options[name].read(value)
    for name in plan.options:
        if name not in known:
            raise PlayerError(
                "no algorithm has the option '{}'; accepted: {}", name, ", ".join(sorted(known))
            )
    if sum(1 for _ in itertools.islice(plan.cells(), MOST_CELLS + 1)) > MOST_CELLS:
        raise PlayerError("the experiment has more than {} searches", MOST_CELLS)


def algorithm_of(text: str, game: str) -> Algorithm:
    """The algorithm that an entry of `algorithms` names, for a game."""
    player = read_player(text)
    if not isinstance(player, Engine):
        raise PlayerError("'{}' is a player, not an algorithm; players are for tournaments", text)
    return find(player.algorithm or strongest(load(game)))


@functools.lru_cache(256)
def _options(text: str, game: str) -> frozenset[str]:
    """The names of an algorithm's options."""
    return frozenset(option.name for option in algorithm_of(text, game).every_option())


def _seeds(given: Any) -> tuple[int, ...]:
    """A list of seeds, or how many: 0, 1, 2 …"""
    if isinstance(given, list | tuple) and given:
        return tuple(_whole(seed, "seeds", 0, 2**31) for seed in given)
    return tuple(range(_whole(given, "seeds", 1, MOST_SEEDS)))


# ---- tournaments ---------------------------------------------------------------------------------


def _read_tourney(given: Mapping[str, Any], name: str) -> TournamentPlan:
    _check_names(given, TOURNEY, Sentence("a tournament"))
    players = _texts(given, "players")
    if len(players) < 2:
        raise PlayerError("a tournament needs two players or more")
    if len(set(players)) < len(players):
        raise PlayerError("each player of a tournament stands in it once")
    for player in players:
        read_player(player)
    if "game" not in given:
        raise PlayerError("a tournament needs a game")
    spec = given["game"] if isinstance(given["game"], str) else spec_of(given["game"])
    if (seats := load(spec).players) != 2:
        raise PlayerError("a tournament is for games of two players, and {} has {}", spec, seats)
    pairing = _text(given, "pairing", PAIRINGS[0])
    if pairing not in PAIRINGS:
        raise PlayerError("unknown pairing '{}'; accepted: {}", pairing, ", ".join(PAIRINGS))
    position = _text(given, "position", "") or None
    if position is not None:
        load(spec).parse(position)
    clock = _text(given, "clock", "")
    optional = {
        key: _whole(given[key], key, 1 - (key == "plies"), 1_000_000)
        for key in ("openings", "plies")
        if key in given
    }
    return TournamentPlan(
        _text(given, "name", name),
        _text(given, "about", ""),
        spec,
        players,
        pairing,
        _whole(given.get("games", 100), "games", 1, 10_000_000),
        read_control(clock) if clock else None,
        seed=_whole(given.get("seed", 0), "seed", 0, 2**31),
        position=position,
        **optional,
    )


# ---- words ---------------------------------------------------------------------------------------


def _check_names(given: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for name in given:
        if name not in known:
            raise PlayerError("'{}' is not a word of {}; accepted: {}", name, what, ", ".join(known))


def _text(given: Mapping[str, Any], name: str, usual: str) -> str:
    value = given.get(name, usual)
    if not isinstance(value, str):
        raise PlayerError("{} must be a text, not {}", name, repr(value))
    return value


def _texts(given: Mapping[str, Any], name: str, usual: tuple[str, ...] | None = None) -> tuple[str, ...]:
    value = given.get(name, usual)
    if not isinstance(value, list | tuple) or not value or not all(isinstance(each, str) for each in value):
        raise PlayerError("{} must be a list of texts", name)
    return tuple(value)


def _whole(value: Any, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PlayerError("{} must be a whole number from {} to {}, not {}", name, low, high, repr(value))
    return value


def _listed(value: Any) -> tuple[Any, ...]:
    """The values of a limit or an option: a list of them, or one."""
    values = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not values or not all(isinstance(each, bool | int | float | str) for each in values):
        raise PlayerError("a limit or an option must be a value, or a list of values, not {}", repr(value))
    return values


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
