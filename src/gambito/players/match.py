"""A match: two players or more, many games, every opening and every deal with every rotation of the seats.

A deal is all that dice and cards decide. `seating.py` says who sits where; between two players, colours are
swapped.

A game is a job: it depends on the match and on its number, and on nothing else. So it is the same in this
process, in another one, and on another machine.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gambito.endgames.remote_files import tables_to_send
from gambito.errors import GameError, PlayerError
from gambito.game.contract import Game
from gambito.game.puzzle import Puzzle
from gambito.game.registry import load, spec_of
from gambito.game.remote_files import files_of_game
from gambito.jobs import Executor, JobProgress, choose_executor, done, read_executor
from gambito.jobs.files import Needed
from gambito.players.clock import Control, read_control
from gambito.players.custom import as_player
from gambito.players.journal import Journal, is_game
from gambito.players.levels import LevelPlayer
from gambito.players.openings import openings, usual_plies
from gambito.players.play import play_game
from gambito.players.player import Engine, Player
from gambito.players.player_text import read_player
from gambito.players.rating import Sprt
from gambito.players.remote_files import files_of_player
from gambito.players.seating import Seating, different
from gambito.players.standing import Standing
from gambito.search.limits import Limits, Stop

KEPT = 2  # matches whose players a worker keeps: their tables are large


@dataclass
class Match:
    """The settings of a match. Players are texts, or objects if one game is played at a time."""

    game: Any
    first: str | Player
    second: str | Player | None = None  # nobody, in a game for one player
    games: int = 100
    control: Control | str | None = None
    openings: int | None = None  # the most different openings; None: one for each deal
    plies: int | None = None  # the length of an opening; None: the game's usual length
    seed: int = 0
    position: str | None = None
    sprt: Sprt | None = None  # the match stops as soon as this test decides
    path: str | Path | None = None  # the file that keeps the games
    jobs: int | None = None  # processes that play; None or 1: one game at a time, in this process
    cluster: str | None = None  # the executor that plays them: processes:4, ray:HOST:PORT
    more: Sequence[str | Player] = ()  # the third player and those after it

    def __post_init__(self) -> None:
        game = load(self.game)
        self.start = game.initial() if self.position is None else game.parse(self.position)
        self.rules: Game = game.at(self.start)
        self.control = read_control(self.control) if isinstance(self.control, str) else self.control
        self.seats = self.rules.players
        if self.plies is None:
            self.plies = 0 if self.is_alone else usual_plies(self.rules)
        given = (self.first, self.second, *self.more)
        self.players = tuple(who for who in given if who is not None)
        self.seating = Seating(len(self.players), self.seats)
        self.games += -self.games % self.seating.rotations
        self._check()
        self.names = different([_name(who) for who in self.players])
        self.standing = Standing(self, [])

    def _check(self) -> None:
        if isinstance(self.rules, Puzzle):
            raise PlayerError("a match is for games, and {} is a puzzle", self.rules.label())
        if len(self.players) < 2 and not self.is_alone:
            raise PlayerError("a match of {} needs a second player", self.rules.label())
        if self.sprt is not None and self.rules.players != 2:
            raise PlayerError(
                "a sequential test is for two players, and {} has {}", self.rules.label(), self.rules.players
            )
        if not self.is_text and self.seating.most > 1:
            raise PlayerError("a player that is an object takes one seat; accepted: players that are texts")
        assert self.plies is not None
        jobs = 1 if self.jobs is None else self.jobs
        counts = {"games": self.games, "jobs": jobs, "openings": self.openings or 1}
        for name, count in counts.items():
            if count < 1:
                raise PlayerError("{} must be at least 1, not {}", name, count)
        if self.plies < 0:
            raise PlayerError("plies must be at least 0, not {}", self.plies)
        if self.rules.is_terminal(self.start):
            raise PlayerError(
                "the game is already over in this position; accepted: a position that is not terminal"
            )
        if (jobs > 1 or self.cluster) and not self.is_text:
            raise PlayerError("players that are objects play one game at a time, in this process")

    @property
    def is_alone(self) -> bool:
        """Is it a game for one player? Then the players do not meet, and their scores are compared."""
        return self.seats == 1

    @property
    def is_text(self) -> bool:
        """Are all players texts, from which another process can make them?"""
        return all(isinstance(who, str) for who in self.players)

    def header(self) -> dict[str, Any]:
        """What identifies this match; the number of games and the stopping rule may change."""
        return {
            "game": self.rules.label(),
            "position": self.position,
            "players": list(self.names),
            "clock": None if self.control is None else str(self.control),
            "openings": self.openings,
            "plies": self.plies,
            "seed": self.seed,
        }

    def run(
        self,
        progress: Callable[[Standing], Any] | None = None,
        tell: Callable[[JobProgress], Any] | None = None,
    ) -> Standing:
        """Play the games that the file does not hold yet.

        `progress` is called after each game and a few times a second, `tell` with the news of the workers.
        Ctrl-C, or any exception from these functions, ends the match: the games played are in the file, and
        in `standing`.
        """
        executor = (
            executor_for(self.game, self.jobs, self.cluster) if self.is_text else read_executor("threads:1")
        )
        companies = PlayerPool(self)
        if companies.is_timed:
            executor.warn_of_time()

        def hear(news: JobProgress) -> None:
            if tell is not None:
                tell(news)
            if progress is not None:
                progress(self.standing)

        is_result = partial(is_game, players=len(self.players))
        with Journal(self.path, self.header(), is_result=is_result) as journal, contextlib.closing(companies):
            self.standing = Standing(self, journal.games)
            if self.standing.is_decided:
                return self.standing
            work = companies.play if executor.is_here else play_job
            files = self.files() if executor.is_cluster else []
            jobs = self._prepared_jobs(executor, companies)
            try:
                with contextlib.closing(done(executor, work, jobs, hear, files=files)) as results:
                    for _, game in results:
                        journal.append(game)
                        self.standing.add(game)
                        if progress is not None:
                            progress(self.standing)
                        if self.standing.is_decided:
                            break
            except BaseException:  # Ctrl-C may come between the journal and the standing
                self.standing = Standing(self, journal.games)
                raise
        return self.standing

    def _prepared_jobs(self, executor: Executor, companies: PlayerPool) -> Iterator[dict[str, Any]]:
        """The games to play; before the first one the players are prepared in this process.

        So their code is compiled once, while the workers start, and the workers find it.
        """
        companies.prepare()
        if not executor.is_here:
            companies.close()
        yield from self.missing({} if executor.is_here else self.description(spec_of(self.game)))

    def missing(self, description: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The games that are not played yet, as jobs. The description says which match it is."""
        lines = Openings(self)
        for number in range(self.games):
            if number not in self.standing.done:
                yield {
                    "match": description,
                    "number": number,
                    "opening": lines.of_deal(number // self.seating.rotations),
                }

    def description(self, game: str) -> dict[str, Any]:
        """What another process needs to play the games, as plain data; `game` is the text of the game."""
        assert not isinstance(self.control, str)
        return {
            "game": game,
            "position": self.position,
            "first": self.first,
            "second": self.second,
            "more": list(self.more),
            "control": None if self.control is None else asdict(self.control),
        }

    def files(self) -> list[Needed]:
        """The files that another machine needs to play the games."""
        players = [files_of_player(who) for who in self.players if isinstance(who, str)]
        return [*files_of_game(spec_of(self.game)), *itertools.chain(*players), tables_to_send(self.rules)]


def executor_for(game: Any, jobs: int | None, cluster: str | None) -> Executor:
    """Who plays: a game whose class only this process has is played here, and on no cluster."""
    executor = choose_executor(jobs, cluster, usual=1)
    if executor.is_here:
        return executor
    try:
        spec_of(game)
    except GameError:
        if executor.is_cluster:
            raise
        return executor.here
    return executor


def _read_match(description: dict[str, Any]) -> Match:
    said = dict(description)
    control = said.pop("control")
    return Match(**said, control=None if control is None else Control(**control))


def _name(who: str | Player) -> str:
    return who.strip() if isinstance(who, str) else as_player(who).name


class SeatedPlayers:
    """The players of one game at a time. One of them may have several seats, each with its memory."""

    def __init__(self, match: Match, stop: Stop) -> None:
        self.match, self.stop, self.is_ready = match, stop, False
        self.held = [*range(len(match.players))] if match.is_alone else match.seating.of_game(0)
        self.given = [match.players[who] for who in self.held]
        self.players = [read_player(who) if isinstance(who, str) else as_player(who) for who in self.given]
        self.lent: list[tuple[Any, Stop | None]] = []  # players that were given, and their own stop
        for who, player in zip(self.given, self.players, strict=True):
            if isinstance(player, Engine | LevelPlayer):
                if not isinstance(who, str):
                    self.lent.append((player, player.stop))
                player.stop = stop

    def prepare(self) -> None:
        """Check and compile what the games need."""
        if not self.is_ready:
            for player in self.players:
                player.prepare(self.match.rules, self.match.start)
            self.is_ready = True

    def play(self, number: int, opening: list[int]) -> dict[str, Any]:
        """Play the game with that number; in the first game of a deal the first player has seat 0."""
        self.prepare()
        match = self.match
        deal, held = number // match.seating.rotations, match.seating.of_game(number)
        free = {who: [p for p, each in zip(self.players, self.held) if each == who] for who in held}
        seats = [free[who].pop(0) for who in held]
        own = [0] if match.is_alone else [seat for seat, who in enumerate(held) if who == 0]
        assert not isinstance(match.control, str)
        played = play_game(
            match.rules, seats, opening, match.control, number, match.start, self.stop.is_set, deal
        )
        loser = None if played.loser is None else match.names[held[played.loser]]
        seconds = [0.0] * len(match.players)
        for who, spent in zip(held, played.seconds, strict=True):
            seconds[who] += spent
        return {
            "number": number,
            "points": max(played.points[seat] for seat in own),
            "utility": sum(played.utilities[seat] for seat in own) / len(own),
            **({"utilities": played.utilities} if match.seats > 2 else {}),
            "reason": played.reason,
            **({"loser": loser} if loser is not None else {}),
            **({"problem": played.problem} if played.problem else {}),
            "seconds": [round(s, 6) for s in seconds],
            "moves": " ".join(played.moves),
        }

    def close(self) -> None:
        """End the programs behind players that were made here; leave given players as they were."""
        for lent, before in self.lent:
            lent.stop = before
        for who, player in zip(self.given, self.players, strict=True):
            if isinstance(who, str) and hasattr(player, "close"):
                player.close()


class PlayerPool:
    """The players of a match in one process: a company for each game that is played at the same time."""

    def __init__(self, match: Match) -> None:
        self.match, self.stop = match, Stop()
        self.companies = [SeatedPlayers(match, self.stop)]
        self.free = list(self.companies)

    @property
    def is_timed(self) -> bool:
        """Does time limit the moves?"""
        limits = [getattr(who, "limits", None) for who in self.companies[0].players]
        timed = (isinstance(limit, Limits) and (limit.seconds or not limit.given()) for limit in limits)
        return self.match.control is not None or any(timed)

    @property
    def is_idle(self) -> bool:
        return len(self.free) == len(self.companies)

    def prepare(self) -> None:
        self.companies[0].prepare()

    def play(self, job: dict[str, Any]) -> dict[str, Any]:
        """Play a game; several threads may call this."""
        try:
            company = self.free.pop()
        except IndexError:
            company = SeatedPlayers(self.match, self.stop)
            self.companies.append(company)
        game = company.play(job["number"], job["opening"])
        self.free.append(company)
        return game

    def close(self) -> None:
        """Stop the games that are still running."""
        self.stop.set()
        for company in self.companies:
            company.close()


_kept: OrderedDict[str, PlayerPool] = OrderedDict()
_lock = threading.Lock()


def play_job(job: dict[str, Any]) -> dict[str, Any]:
    """Play a game of a match in a process that may know nothing of it yet."""
    with _lock:
        key = json.dumps(job["match"])
        if key not in _kept:
            _kept[key] = PlayerPool(_read_match(job["match"]))
        _kept.move_to_end(key)
        companies = _kept[key]
        for old in list(_kept)[:-KEPT]:
            if _kept[old].is_idle:
                _kept.pop(old).close()
    return companies.play(job)


class Openings:
    """The opening of each deal, made when it is needed; openings are used again if there are no more."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.lines: list[list[int]] = []
        self.coming = self._new(True)

    def _new(self, balanced: bool) -> Iterator[list[int]]:
        match = self.match
        assert match.plies is not None
        lines = openings(match.rules, match.start, match.plies, match.seed, balanced)
        return itertools.islice(lines, match.openings)

    def of_deal(self, deal: int) -> list[int]:
        while len(self.lines) <= deal:
            line = next(self.coming, None)
            if line is None and not self.lines:  # none is balanced: take any, as colours are swapped
                self.coming = self._new(False)
                line = next(self.coming, None)
            if line is None:
                break
            self.lines.append(line)
        if not self.lines:
            raise PlayerError(
                "no opening of {} plies was found in which the game goes on; give fewer plies",
                self.match.plies,
            )
        return self.lines[deal % len(self.lines)]
