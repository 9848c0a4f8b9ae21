"""A contest: two players, many games, every opening twice with colours swapped, and the result so far."""

from __future__ import annotations

import itertools
import queue
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambito.errors import Interrupted, PlayerError
from gambito.game.contract import Game
from gambito.game.registry import load
from gambito.players.clock import Control, read_control
from gambito.players.game import CRASH, ILLEGAL, TIME, play_game
from gambito.players.journal import Journal
from gambito.players.openings import openings, usual_plies
from gambito.players.own import as_player
from gambito.players.player import Engine, Player
from gambito.players.rating import Sprt, Tally, finite
from gambito.players.summary import facts
from gambito.players.text import read_player
from gambito.search.limits import Stop

TICK = 0.2  # seconds between two checks of the waiting thread
PATIENCE = 2.0  # seconds that a stopped game may take to end


@dataclass
class Contest:
    """The settings of a contest. Players are texts, or objects if one game is played at a time."""

    game: Any
    first: str | Player
    second: str | Player
    games: int = 100
    control: Control | str | None = None
    openings: int | None = None  # the most different openings; None: one for each pair
    plies: int | None = None  # the length of an opening; None: the game's usual length
    seed: int = 0
    position: str | None = None
    sprt: Sprt | None = None  # the contest stops as soon as this test decides
    path: str | Path | None = None  # the file that keeps the games
    jobs: int = 1  # games played at the same time

    def __post_init__(self) -> None:
        game = load(self.game)
        self.start = game.initial() if self.position is None else game.parse(self.position)
        self.rules: Game = game.at(self.start)
        self.control = read_control(self.control) if isinstance(self.control, str) else self.control
        self.plies = usual_plies(self.rules) if self.plies is None else self.plies
        self.games += self.games % 2
        self._check()
        first, second = _name(self.first), _name(self.second)
        self.names = (first, second if second != first else f"{second} (2)")
        self.standing = Standing(self, [])

    def _check(self) -> None:
        if self.rules.players != 2:
            raise PlayerError(
                "a match is for two players, and {} has {}", self.rules.label(), self.rules.players
            )
        assert self.plies is not None
        counts = {"games": self.games, "jobs": self.jobs, "openings": self.openings or 1}
        for name, count in counts.items():
            if count < 1:
                raise PlayerError("{} must be at least 1, not {}", name, count)
        if self.plies < 0:
            raise PlayerError("plies must be at least 0, not {}", self.plies)
        if self.rules.is_terminal(self.start):
            raise PlayerError(
                "the game is already over in this position; accepted: a position that is not terminal"
            )
        if self.jobs > 1 and not all(isinstance(who, str) for who in (self.first, self.second)):
            raise PlayerError("players that are objects play one game at a time, not several")

    def header(self) -> dict[str, Any]:
        """What identifies this contest; the number of games and the stopping rule may change."""
        return {
            "game": self.rules.label(),
            "position": self.position,
            "players": list(self.names),
            "clock": None if self.control is None else str(self.control),
            "openings": self.openings,
            "plies": self.plies,
            "seed": self.seed,
        }

    def run(self, progress: Callable[[Standing], Any] | None = None) -> Standing:
        """Play the games that the file does not hold yet.

        `progress` is called after each game and a few times a second. Ctrl-C, or any exception from
        `progress`, ends the contest: the games played are in the file, and in `standing`.
        """
        pairs = [PlayerPair(self) for _ in range(self.jobs)]
        with Journal(self.path, self.header()) as journal:
            self.standing = Standing(self, journal.games)
            numbers = iter([n for n in range(self.games) if n not in self.standing.done])
            running = GameThreads(self, pairs, numbers)
            try:
                if not self.standing.is_decided:
                    running.prepare()
                    running.open()
                while not self.standing.is_decided and not running.is_empty:
                    game = running.result()
                    if game is not None:
                        journal.append(game)
                        self.standing.add(game)
                    if progress is not None:
                        progress(self.standing)
            finally:
                running.close()
        return self.standing


def _name(who: str | Player) -> str:
    return who.strip() if isinstance(who, str) else as_player(who).name


class PlayerPair:
    """A pair of players that play one game at a time."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.players = [
            read_player(who) if isinstance(who, str) else as_player(who)
            for who in (contest.first, contest.second)
        ]

    def play(self, number: int, opening: list[int], is_ended: Callable[[], bool]) -> dict[str, Any]:
        """Play the game with that number; the first player begins the even ones, the second the odd ones."""
        contest, leg = self.contest, number % 2
        seats = self.players[::-1] if leg else self.players
        assert not isinstance(contest.control, str)
        played = play_game(contest.rules, seats, opening, contest.control, number, contest.start, is_ended)
        loser = None if played.loser is None else contest.names[played.loser ^ leg]
        return {
            "number": number,
            "points": played.points[leg],
            "reason": played.reason,
            **({"loser": loser} if loser is not None else {}),
            **({"problem": played.problem} if played.problem else {}),
            "seconds": [round(s, 6) for s in (played.seconds[::-1] if leg else played.seconds)],
            "moves": " ".join(played.moves),
        }


class GameThreads:
    """The pairs of players of a contest, each in its own thread, and their results in order of arrival."""

    def __init__(self, contest: Contest, pairs: list[PlayerPair], numbers: Iterator[int]) -> None:
        self.contest, self.pairs, self.numbers = contest, pairs, numbers
        self.lines = _Openings(contest)
        self.stop = Stop()
        self.results: queue.Queue[dict[str, Any] | BaseException | None] = queue.Queue()
        self.threads: list[threading.Thread] = []
        self.busy = 0
        self._lock = threading.Lock()

    def prepare(self) -> None:
        """Prepare all players, in this thread."""
        rules, start = self.contest.rules, self.contest.start
        for player in itertools.chain(*(pair.players for pair in self.pairs)):
            player.prepare(rules, start)
            if isinstance(player, Engine):
                player.stop = self.stop
        self.lines.of_pair(0)

    def open(self) -> None:
        """Start the games."""
        for pair in self.pairs:
            self.threads.append(threading.Thread(target=self._work, args=(pair,), daemon=True))
            self.threads[-1].start()
            self.busy += 1

    def close(self) -> None:
        """Stop the games that are still running."""
        self.stop.set()
        for thread in self.threads:
            thread.join(PATIENCE)

    @property
    def is_empty(self) -> bool:
        return self.busy == 0 and self.results.empty()

    def result(self) -> dict[str, Any] | None:
        """The next game that ends; None if none ends for a while."""
        try:
            result = self.results.get(timeout=TICK)
        except queue.Empty:
            return None
        if isinstance(result, BaseException):
            raise result
        self.busy -= result is None
        return result

    def _work(self, pair: PlayerPair) -> None:
        try:
            while not self.stop.is_set():
                with self._lock:
                    number = next(self.numbers, None)
                    if number is None:
                        break
                    opening = self.lines.of_pair(number // 2)
                self.results.put(pair.play(number, opening, self.stop.is_set))
        except Interrupted:
            pass
        except BaseException as problem:  # not the fault of a player
            self.results.put(problem)
        self.results.put(None)


class _Openings:
    """The opening of each pair, made when it is needed; openings are used again if there are no more."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.lines: list[list[int]] = []
        self.coming = self._new(True)

    def _new(self, balanced: bool) -> Iterator[list[int]]:
        contest = self.contest
        assert contest.plies is not None
        lines = openings(contest.rules, contest.start, contest.plies, contest.seed, balanced)
        return itertools.islice(lines, contest.openings)

    def of_pair(self, pair: int) -> list[int]:
        while len(self.lines) <= pair:
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
                self.contest.plies,
            )
        return self.lines[pair % len(self.lines)]


@dataclass
class Standing:
    """The results of a contest so far."""

    contest: Contest
    played: list[dict[str, Any]] = field(repr=False)

    def __post_init__(self) -> None:
        self.tally = Tally()
        self.halves: dict[int, float] = {}  # points of pairs with one game missing
        self.done: set[int] = set()
        self.faults: Counter[tuple[str, str]] = Counter()  # (player, reason)
        self.crashes: list[dict[str, Any]] = []
        self.seconds = [0.0, 0.0]
        games, self.played = self.played, []
        for game in games:
            self.add(game)

    def add(self, game: dict[str, Any]) -> None:
        if game["number"] in self.done or game["number"] >= self.contest.games:
            return
        self.played.append(game)
        self.done.add(game["number"])
        pair, points = game["number"] // 2, game["points"]
        other = self.halves.pop(pair, None)
        self.tally.add(points, other)
        if other is None:
            self.halves[pair] = points
        for place, spent in enumerate(game["seconds"]):
            self.seconds[place] += spent
        if game.get("loser") is not None:
            self.faults[game["loser"], game["reason"]] += 1
        if game["reason"] in (CRASH, ILLEGAL):
            self.crashes.append({name: game.get(name) for name in ("number", "loser", "reason", "problem")})

    @property
    def verdict(self) -> str:
        """The hypothesis that the sequential test accepts: elo0, elo1, or "" while it is undecided."""
        return self.contest.sprt.verdict(self.tally) if self.contest.sprt else ""

    @property
    def is_decided(self) -> bool:
        return bool(self.verdict) or len(self.done) >= self.contest.games

    def lost_on_time(self, name: str) -> int:
        return self.faults[name, TIME]

    def as_dict(self) -> dict[str, Any]:
        """The standing as plain data."""
        tally, rating, contest = self.tally, self.tally.rating(), self.contest
        names = list(dict.fromkeys(contest.names))
        data: dict[str, Any] = {
            **contest.header(),
            "games": tally.games,
            "wanted": contest.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "score": tally.score,
            "elo": None,
            "elo_low": None,
            "elo_high": None,
            "superiority": None,
            "time_losses": {name: self.lost_on_time(name) for name in names},
            "crashes": self.crashes,
            "seconds": self.seconds,
            "sprt": None,
        }
        if rating is not None:
            data |= {"elo": finite(rating.elo), "elo_low": finite(rating.low)}
            data |= {"elo_high": finite(rating.high), "superiority": rating.superiority}
        if contest.sprt is not None:
            low, high = contest.sprt.bounds
            data["sprt"] = {
                **vars(contest.sprt),
                "ratio": contest.sprt.ratio(tally),
                "low": low,
                "high": high,
                "accepted": self.verdict or None,
            }
        return data

    def _repr_html_(self) -> str:
        """The standing as HTML, for a notebook."""
        from gambito.draw.notebook import facts_table

        return facts_table([("match", " against ".join(self.contest.names)), *facts(self)])
