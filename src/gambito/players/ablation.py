"""Ablation: measure what each technique of an algorithm is worth in a game by switching it on or off.

Nodes and time come from searches of some positions to a fixed depth. The strength comes from games at equal
time against the unchanged algorithm. The engine's settings are read from memory, so one compilation serves
them all. A search and a game are jobs: with a depth and a limit in nodes, the table is the same whoever does
them.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from gambito.endgames.remote_files import tables_to_send
from gambito.errors import PlayerError
from gambito.game.contract import Game
from gambito.game.registry import load, spec_of
from gambito.game.remote_files import files_of_game
from gambito.jobs import Executor, JobProgress, done
from gambito.jobs.files import Needed
from gambito.players.match import Match, PlayerPool, executor_for, play_job
from gambito.players.openings import openings, usual_plies
from gambito.players.rating import Tally, finite
from gambito.players.remote_files import files_of_player
from gambito.search.algorithm import DepthSearch, find
from gambito.search.api import search
from gambito.search.limits import Limits, Stop
from gambito.search.search_result import SearchResult

ENGINE = "engine"
FIXED = {"live": True, "memory": 16}  # settings are read from memory; the table is quick to make
POSITIONS = 5
SEARCH_SECONDS = 0.3  # how long the engine thinks about a position, to find a depth for it
MOVE_SECONDS = 0.02  # the time of a move in the games
MOVE_NODES = 20_000  # the nodes of a move in the games, on a cluster
PATIENCE = 10  # with a technique switched, a search may visit this many times as many nodes,
FEWEST = 20_000  # and at least this many times PATIENCE


@dataclass
class Worth:
    """The results of the algorithm with one technique switched."""

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
    wanted: int  # techniques
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
    jobs: int | None = None,
    cluster: str | None = None,
    tell: Callable[[JobProgress], Any] | None = None,
    algorithm: str = ENGINE,
) -> Iterator[Ablation]:
    """Yield the table after each technique of the algorithm, which searches to a depth.

    `seconds` or `nodes` limit a move of the games. `depth` is the depth of the searches; by default, the
    depth that it reaches in a short time. `jobs` searches or games run at the same time, each in a
    process, or a `cluster` does them; `tell` gets the news of the workers.
    """
    loaded = load(game)
    start = loaded.initial() if position is None else loaded.parse(position)
    rules = loaded.at(start)
    if reason := find(algorithm).misfit(rules):
        raise PlayerError(reason)
    if not isinstance(find(algorithm), DepthSearch):
        raise PlayerError("{} does not search to a depth, so its techniques cannot be compared", algorithm)
    if jobs is not None and jobs < 1:
        raise PlayerError("{} must be at least 1, not {}", "jobs", jobs)
    executor = executor_for(game, jobs, cluster)
    if seconds is None and nodes is None:
        seconds, nodes = (None, MOVE_NODES) if executor.is_cluster else (MOVE_SECONDS, None)
    pace = Limits(seconds=seconds, nodes=nodes)
    pace.check()
    Limits(depth=depth).check()
    if games < 0:
        raise PlayerError("games must be at least 0, not {}", games)
    if games and seconds is not None:
        executor.warn_of_time()
    states = [start] if position is not None else list(_positions(rules, start, seed))
    laboratory = _Laboratory(game, loaded, rules, states, position, pace, games, seed, algorithm)
    if not laboratory.techniques:
        raise PlayerError("{} has no technique that can be switched", algorithm)
    yield from laboratory.run(depth, executor, tell)


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
        given: Any,
        loaded: Game,
        game: Game,
        states: list[Any],
        position: str | None,
        pace: Limits,
        games: int,
        seed: int,
        algorithm: str,
    ) -> None:
        self.algorithm = algorithm
        self.given, self.loaded = given, loaded
        self.game, self.states, self.position = game, states, position
        self.pace, self.games, self.seed = pace, games, seed
        options, usual = find(algorithm).options, find(algorithm).read_options({}, game)
        self.fixed = _fixed(algorithm)
        self.techniques = [
            Worth(option.name, option.about, usual[option.name], option.switched(usual[option.name]))
            for option in options
            if option.switched(usual[option.name]) is not None and option.name not in self.fixed
        ]
        self.matches = [self._match(worth) for worth in self.techniques] if games else []
        self.players: dict[int, PlayerPool] = {}  # of this process, by technique
        self.stop = Stop()

    def _match(self, worth: Worth) -> Match:
        fixed = {**self.fixed, **self.pace.given()}
        switched = _text(self.algorithm, {**fixed, worth.technique: worth.switched})
        setup: dict[str, Any] = {"seed": self.seed, "position": self.position}
        return Match(self.loaded, switched, _text(self.algorithm, fixed), self.games, **setup)

    def run(
        self, depth: int | None, executor: Executor, tell: Callable[[JobProgress], Any] | None
    ) -> Iterator[Ablation]:
        self._search(self.states[0], nodes=1)
        depths = [depth or max(1, self._search(s, seconds=SEARCH_SECONDS).depth) for s in self.states]
        texts = [self.game.text(state) for state in self.states]
        table = Ablation(self.game, texts, depths, self.pace, len(self.techniques))
        whole = [self._search(s, depth=d) for s, d in zip(self.states, depths, strict=True)]
        table.nodes, table.seconds = sum(f.nodes for f in whole), sum(f.seconds for f in whole)
        yield table
        missing = [len(whole) + (self.matches[0].games if self.games else 0) for _ in self.techniques]
        work = self._do if executor.is_here else do_job
        try:
            jobs, files = self._jobs(executor, texts, whole), self._files() if executor.is_cluster else []
            with contextlib.closing(done(executor, work, jobs, tell, _weigh, files)) as results:
                for job, result in results:
                    self._take(job, result)
                    missing[job["technique"]] -= 1
                    while len(table.techniques) < table.wanted and not missing[len(table.techniques)]:
                        self._close(len(table.techniques))
                        table.techniques.append(self.techniques[len(table.techniques)])
                        yield table
        finally:
            self.stop.set()
            for place in list(self.players):
                self._close(place)

    def _jobs(
        self, executor: Executor, texts: list[str], whole: list[SearchResult]
    ) -> Iterator[dict[str, Any]]:
        """The searches and games of each technique, one technique after the other."""
        spec = "" if executor.is_here else spec_of(self.given)
        if self.games:
            with contextlib.closing(PlayerPool(self.matches[0])) as players:
                players.prepare()  # compiles what the games of all techniques need
        for place, worth in enumerate(self.techniques):
            for number, (text, known) in enumerate(zip(texts, whole, strict=True)):
                wanted = {
                    "game": spec,
                    "algorithm": self.algorithm,
                    "position": text,
                    "limits": {"depth": known.depth, "nodes": PATIENCE * max(known.nodes, FEWEST)},
                    "options": self.fixed,
                    "switched": {worth.technique: worth.switched},
                }
                yield {"technique": place, "number": number, "search": wanted}
            if self.games:
                match = self.matches[place]
                if executor.is_here:
                    self.players[place] = PlayerPool(match)
                for job in match.missing({} if executor.is_here else match.description(spec)):
                    yield {"technique": place, **job}

    def _files(self) -> list[Needed]:
        own = files_of_player(self.algorithm)
        return [*files_of_game(spec_of(self.given)), *own, tables_to_send(self.game)]

    def _do(self, job: dict[str, Any]) -> dict[str, Any]:
        """Do a job in this process, where it can be stopped."""
        if "search" in job:
            return _compare(self.game, self.states[job["number"]], job["search"], self.stop)
        return self.players[job["technique"]].play(job)

    def _take(self, job: dict[str, Any], result: dict[str, Any]) -> None:
        worth = self.techniques[job["technique"]]
        if "search" in job:
            worth.nodes += result["nodes"]
            worth.seconds += result["seconds"]
            worth.plain_seconds += result["plain_seconds"]
            worth.is_cut |= result["is_cut"]
        else:
            standing = self.matches[job["technique"]].standing
            standing.add(result)
            worth.tally = standing.tally

    def _close(self, place: int) -> None:
        """End the players of a technique in this process."""
        if place in self.players:
            self.players.pop(place).close()

    def _search(self, state: Any, **given: Any) -> SearchResult:
        return search(self.game, state, self.algorithm, **{**self.fixed, "deepen": True, **given})


def _weigh(job: dict[str, Any]) -> float:
    """A search with a technique switched may take long without being late."""
    return PATIENCE if "search" in job else 1.0


def do_job(job: dict[str, Any]) -> dict[str, Any]:
    """Do a search or play a game of an ablation, in another process."""
    if "search" in job:
        wanted = job["search"]
        return _compare(_rules(wanted["game"], wanted["algorithm"]), wanted["position"], wanted)
    return play_job(job)


@functools.lru_cache(1)
def _rules(spec: str, algorithm: str) -> Game:
    """The game, with its code loaded: the time of the first search would count that."""
    game = load(spec)
    search(game, None, algorithm, nodes=1, **_fixed(algorithm))
    return game


def _fixed(algorithm: str) -> dict[str, Any]:
    return {option.name: FIXED[option.name] for option in find(algorithm).options if option.name in FIXED}


def _compare(game: Game, state: Any, wanted: dict[str, Any], stop: Stop | None = None) -> dict[str, Any]:
    """Search a state without and with a technique switched, in the same minute: times are compared."""
    given: dict[str, Any] = {**wanted["options"], "deepen": True, "stop": stop}
    depth, algorithm = wanted["limits"]["depth"], wanted["algorithm"]
    plain = search(game, state, algorithm, depth=depth, **given)
    found = search(game, state, algorithm, **wanted["limits"], **{**given, **wanted["switched"]})
    return {
        "nodes": found.nodes,
        "seconds": found.seconds,
        "plain_seconds": plain.seconds,
        "is_cut": found.depth < depth and not found.exact,
    }


def _text(algorithm: str, options: dict[str, Any]) -> str:
    return f"{algorithm}:" + ",".join(f"{name}={value}" for name, value in options.items())
