"""Tuning: better numbers for the engine's options in a game, found by games of the engine against itself.

Simultaneous perturbation (SPSA): in every pair of games all options are moved at once, each up or down by
lot, and the engine plays against the one with the opposite moves. All options then go a little towards the
side that won. The steps become smaller with the number of pairs. Settings are read from memory, so one
compilation serves them all. A pair is a job that depends on its number and the options alone; the file keeps
the results in the order in which they came, so that a tuning that was interrupted continues from there.

Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient approximation (1992).
"""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambito.errors import PlayerError
from gambito.game.numerals import read_whole
from gambito.game.registry import spec_of
from gambito.jobs import JobProgress, done
from gambito.players.journal import Journal
from gambito.players.match import Match, Openings, PlayerPool, executor_for, play_job
from gambito.search.algorithm import Option, find
from gambito.search.limits import Limits

ENGINE = "engine"
FIXED = {"live": True, "memory": 16}  # settings are read from memory; the table is quick to make
MOVE_NODES = 10_000
BETWEEN = ".."  # in a range: late=1..8
PART = 10  # at the end of a tuning, an option is moved by this part of its range
ALPHA, GAMMA = 0.602, 0.101  # how fast the steps become smaller: Spall's exponents
DELAY = 0.1  # the part of the pairs by which the first steps are held back
MOST_RATE = 0.25  # a single pair makes at most this part of a move lasting
REACH = 40.0  # the moves of an option that all pairs together could make if one side always won


@dataclass(frozen=True)
class TunedOption:
    """An option that is tuned."""

    name: str
    start: float
    low: int
    high: int

    @property
    def step(self) -> float:
        """How far the option is moved at the end of the tuning."""
        return max((self.high - self.low) / PART, 1.0)

    def within(self, value: float) -> float:
        return min(max(value, self.low), self.high)


def read_tuned_option(text: str, game: Any, settings: Mapping[str, Any] | None = None) -> TunedOption:
    """Read `futility=40..200`, or `futility` alone: from half its value, in the settings or the game, to
    twice it."""
    name, equals, said = text.partition("=")
    algorithm = find(ENGINE)
    known = {option.name: option for option in algorithm.options if _is_tunable(option)}
    if name not in known:
        raise PlayerError("'{}' cannot be tuned; accepted: {}", name, ", ".join(known))
    start = algorithm.read_options(dict(settings or {}), game)[name]
    least, most = int(known[name].low or 0), int(known[name].high or 0)
    if not equals:
        low, high = max(start // 2, least), min(2 * start, most)
    else:
        ends = said.split(BETWEEN)
        if len(ends) != 2:
            raise PlayerError("'{}' is not a range of an option; accepted: NAME=LOW..HIGH", text)
        low, high = (read_whole(end, most) for end in ends)
    if low is None or high is None or not least <= low < high <= most:
        raise PlayerError(
            "'{}' is not a range of an option; accepted for {}: numbers from {} to {}, the lower one first",
            text, name, least, most,
        )  # fmt: skip
    return TunedOption(name, float(min(max(start, low), high)), low, high)


def _is_tunable(option: Option) -> bool:
    is_number = isinstance(option.default, int) and not isinstance(option.default, bool)
    return is_number and option.low is not None and option.name not in FIXED


@dataclass
class Tuning:
    """The settings of a tuning, and the options as they are so far."""

    game: Any
    knobs: Sequence[TunedOption]
    pairs: int = 1000
    seconds: float | None = None
    nodes: int | None = None
    seed: int = 0
    path: str | Path | None = None
    jobs: int | None = None
    cluster: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)  # other options, the same for both sides
    values: dict[str, float] = field(default_factory=dict)
    played: set[int] = field(default_factory=set)  # the numbers of the pairs

    def __post_init__(self) -> None:
        if not self.knobs:
            raise PlayerError("there is no option to tune; accepted: NAME=LOW..HIGH")
        if self.pairs < 1:
            raise PlayerError("{} must be at least 1, not {}", "pairs", self.pairs)
        if self.seconds is None and self.nodes is None:
            self.nodes = MOVE_NODES
        self.pace = Limits(seconds=self.seconds, nodes=self.nodes)
        self.pace.check()
        self.values = {knob.name: knob.start for knob in self.knobs}
        self.plain = self._match(self.values, self.values)
        if self.plain.rules.players != 2:
            raise PlayerError(
                "a tuning is for games of two players, and {} has {}",
                self.plain.rules.label(), self.plain.rules.players,
            )  # fmt: skip
        if reason := find(ENGINE).misfit(self.plain.rules):
            raise PlayerError(reason)

    def header(self) -> dict[str, Any]:
        """What identifies this tuning: pairs with other numbers would be other steps."""
        return {
            "game": self.plain.rules.label(),
            "options": [[knob.name, knob.start, knob.low, knob.high] for knob in self.knobs],
            "settings": {name: str(value) for name, value in self.settings.items()},
            "pairs": self.pairs,
            "pace": self.pace.given(),
            "seed": self.seed,
        }

    def run(
        self,
        progress: Callable[[Tuning], Any] | None = None,
        tell: Callable[[JobProgress], Any] | None = None,
    ) -> Tuning:
        """Play the pairs that the file does not hold yet; `progress` is called after each one."""
        executor = executor_for(self.game, self.jobs, self.cluster)
        if self.seconds is not None:
            executor.warn_of_time()
        with Journal(self.path, self.header(), "tuning", is_pair) as journal:
            for result in journal.games:
                self.add(result)
            files = self.plain.files() if executor.is_cluster else []
            with contextlib.closing(done(executor, play_pair, self._missing(), tell, files=files)) as results:
                for _, result in results:
                    journal.append(result)
                    self.add(result)
                    if progress is not None:
                        progress(self)
        return self

    def add(self, result: dict[str, Any]) -> None:
        """Take a step towards the side that won a pair."""
        number, points = result["number"], result["points"]
        self.played.add(number)
        for knob, sign in zip(self.knobs, self.signs(number), strict=True):
            moved = self.rate(number) * self.shift(knob, number) * sign * (2 * points - 1)
            self.values[knob.name] = knob.within(self.values[knob.name] + moved)

    def signs(self, number: int) -> list[int]:
        """Which options go up in a pair and which go down."""
        rng = random.Random(f"{self.seed} {number}")
        return [rng.choice((-1, 1)) for _ in self.knobs]

    def shift(self, knob: TunedOption, number: int) -> float:
        """How far an option is moved in a pair."""
        return knob.step * (self.pairs / (number + 1)) ** GAMMA

    def rate(self, number: int) -> float:
        """The part of that move which a won pair makes lasting."""
        held = DELAY * self.pairs
        return min(REACH / self.pairs * ((held + self.pairs) / (held + number + 1)) ** ALPHA, MOST_RATE)

    def options(self) -> dict[str, int]:
        """The tuned options, as whole numbers."""
        return {name: round(value) for name, value in self.values.items()}

    def _missing(self) -> Iterator[dict[str, Any]]:
        """The pairs that are not played yet, as jobs, with the options as they are when a job is asked for.

        Before the first one the players are prepared in this process, so that code is compiled once.
        """
        with contextlib.closing(PlayerPool(self.plain)) as players:
            players.prepare()
        lines, spec = Openings(self.plain), spec_of(self.game)
        for number in range(self.pairs):
            if number in self.played:
                continue
            sides = []
            for side in (1, -1):
                moved = {}
                for knob, sign in zip(self.knobs, self.signs(number), strict=True):
                    value = self.values[knob.name] + side * sign * self.shift(knob, number)
                    moved[knob.name] = knob.within(value)
                sides.append(moved)
            match = self._match(*sides).description(spec)
            yield {"match": match, "number": number, "opening": lines.of_deal(number)}

    def _match(self, first: dict[str, float], second: dict[str, float]) -> Match:
        return Match(self.game, self._player(first), self._player(second), games=2, seed=self.seed)

    def _player(self, values: dict[str, float]) -> str:
        whole = {name: round(value) for name, value in values.items()}
        given = {**FIXED, **self.settings, **self.pace.given(), **whole}
        return f"{ENGINE}:" + ",".join(f"{name}={value}" for name, value in given.items())

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.plain.rules.label(),
            "pairs": len(self.played),
            "wanted": self.pairs,
            "options": [
                {
                    "option": k.name,
                    "low": k.low,
                    "high": k.high,
                    "start": k.start,
                    "value": self.values[k.name],
                }
                for k in self.knobs
            ],
        }


def play_pair(job: dict[str, Any]) -> dict[str, Any]:
    """Play an opening twice, with the colours swapped; return the first player's part of the points."""
    games = [play_job({**job, "number": number}) for number in range(2)]
    return {"number": job["number"], "points": sum(game["points"] for game in games) / 2}


def is_pair(result: Any) -> bool:
    """Is this the result of a pair, as a file keeps it?"""
    is_whole = isinstance(result["number"], int) and result["points"] in (0, 0.25, 0.5, 0.75, 1)
    return is_whole and set(result) == {"number", "points"}
