"""Ablation: measure what each technique of the engine is worth in a game by switching it on or off.

Nodes and time come from searches of some positions to a fixed depth. The strength comes from games at equal
time against the unchanged engine. Settings are read from memory, so one compilation serves them all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.players.contest import Contest
from gambito.players.openings import openings, usual_plies
from gambito.players.rating import Tally, finite
from gambito.search.algorithm import find
from gambito.search.api import search
from gambito.search.found import Found
from gambito.search.limits import Limits

ENGINE = "engine"
FIXED = {"live": True, "memory": 16}  # settings are read from memory; the table is quick to make
POSITIONS = 5
SEARCH_SECONDS = 0.3  # how long the engine thinks about a position, to find a depth for it
MOVE_SECONDS = 0.02  # the time of a move in the games
PATIENCE = 10  # with a technique switched, a search may take this many times as long


@dataclass
class Worth:
    """The results of the engine with one technique switched."""

    technique: str
    about: str
    default: Any
    switched: Any
    nodes: int = 0
    seconds: float = 0.0
    plain_seconds: float = 0.0  # the time of the unchanged engine, measured in the same minute
    is_cut: bool = False  # a search was stopped: nodes and seconds would be more
    tally: Tally = field(default_factory=Tally)  # the switched engine's results against the unchanged one


@dataclass
class Ablation:
    """The table of all techniques."""

    game: Game
    positions: list[str]
    depths: list[int]
    pace: Limits  # the limits of a move in the games
    nodes: int = 0  # the nodes of the unchanged engine
    seconds: float = 0.0
    techniques: list[Worth] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game.label(),
            "positions": self.positions,
            "depths": self.depths,
            "pace": self.pace.given(),
            "nodes": self.nodes,
            "seconds": self.seconds,
            "techniques": [self._row(worth) for worth in self.techniques],
        }

    def _row(self, worth: Worth) -> dict[str, Any]:
        rating = worth.tally.rating()
        return {
            "technique": worth.technique,
            "about": worth.about,
            "default": worth.default,
            "switched": worth.switched,
            "nodes": worth.nodes,
            "seconds": worth.seconds,
            "cut": worth.is_cut,
            "node_ratio": worth.nodes / self.nodes if self.nodes else None,
            "time_ratio": worth.seconds / worth.plain_seconds if worth.plain_seconds else None,
            "wins": worth.tally.wins,
            "draws": worth.tally.draws,
            "losses": worth.tally.losses,
            "elo": finite(rating.elo) if rating else None,
            "elo_low": finite(rating.low) if rating else None,
            "elo_high": finite(rating.high) if rating else None,
        }


def ablate(
    game: Any,
    position: str | None = None,
    games: int = 20,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    seed: int = 0,
    jobs: int = 1,
) -> Iterator[Ablation]:
    """Yield the table after each technique.

    `seconds` or `nodes` limit a move of the games. `depth` is the depth of the searches; by default, the
    depth that the engine reaches in a short time. `jobs` games are played at the same time.
    """
    rules = load(game)
    start = rules.initial() if position is None else rules.parse(position)
    rules = rules.at(start)
    algorithm = find(ENGINE)
    if reason := algorithm.misfit(rules):
        raise PlayerError(reason)
    pace = Limits(seconds=seconds or (None if nodes else MOVE_SECONDS), nodes=nodes)
    pace.check()
    Limits(depth=depth).check()
    if games < 0:
        raise PlayerError("games must be at least 0, not {}", games)
    states = [start] if position is not None else list(_positions(rules, start, seed))
    yield from _Laboratory(rules, states, position, pace, games, seed, jobs).run(depth)


def _positions(game: Game, start: Any, seed: int) -> Iterator[Any]:
    """Balanced positions, each one further into the game."""
    plies = max(1, usual_plies(game))
    for number in range(POSITIONS):
        line = next(openings(game, start, number * plies, seed, balanced=number > 0), None)
        if line is None:
            continue
        state = start
        for action in line:
            state = game.result(state, action)
        yield state


class _Laboratory:
    """The searches and games of one ablation."""

    def __init__(
        self,
        game: Game,
        states: list[Any],
        position: str | None,
        pace: Limits,
        games: int,
        seed: int,
        jobs: int,
    ) -> None:
        self.game, self.states, self.position = game, states, position
        self.pace, self.games, self.seed, self.jobs = pace, games, seed, jobs
        options, usual = find(ENGINE).options, find(ENGINE).read_options({}, game)
        self.fixed = {option.name: FIXED[option.name] for option in options if option.name in FIXED}
        self.techniques = [
            Worth(option.name, option.about, usual[option.name], option.switched(usual[option.name]))
            for option in options
            if option.switched(usual[option.name]) is not None and option.name not in self.fixed
        ]

    def run(self, depth: int | None) -> Iterator[Ablation]:
        self._search(self.states[0], nodes=1)
        depths = [depth or max(1, self._search(s, seconds=SEARCH_SECONDS).depth) for s in self.states]
        table = Ablation(self.game, [self.game.text(s) for s in self.states], depths, self.pace)
        whole = [self._search(s, depth=d) for s, d in zip(self.states, depths)]
        table.nodes, table.seconds = sum(f.nodes for f in whole), sum(f.seconds for f in whole)
        yield table
        for worth in self.techniques:
            for state, known in zip(self.states, whole):
                worth.plain_seconds += self._search(state, depth=known.depth).seconds
                limit = PATIENCE * max(known.seconds, SEARCH_SECONDS)
                found = self._search(
                    state, depth=known.depth, seconds=limit, **{worth.technique: worth.switched}
                )
                worth.nodes, worth.seconds = worth.nodes + found.nodes, worth.seconds + found.seconds
                worth.is_cut |= found.depth < known.depth and not found.exact
            if self.games:
                worth.tally = self._play(worth)
            table.techniques.append(worth)
            yield table

    def _search(self, state: Any, **given: Any) -> Found:
        return search(self.game, state, ENGINE, **{**self.fixed, "deepen": True, **given})

    def _play(self, worth: Worth) -> Tally:
        fixed = {**self.fixed, **self.pace.given()}
        plain = _text(fixed)
        switched = _text({**fixed, worth.technique: worth.switched})
        contest = Contest(
            self.game,
            switched,
            plain,
            self.games,
            seed=self.seed,
            position=self.position,
            jobs=self.jobs,
        )
        return contest.run().tally


def _text(options: dict[str, Any]) -> str:
    return f"{ENGINE}:" + ",".join(f"{name}={value}" for name, value in options.items())
