"""The results of a match so far.

Under a sequential test, pairs are counted in their order: a pair counts when all pairs before it have ended,
and none counts after the verdict. Otherwise the games that end soon would decide. So the result is the same
however many games are played at a time, and however often the match is interrupted.
"""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gambito.players.crosstable import Crosstable
from gambito.players.play import CRASH, ILLEGAL, TIME
from gambito.players.rating import Gain, Tally, finite
from gambito.players.summary import facts

if TYPE_CHECKING:
    from gambito.players.match import Match


@dataclass
class Standing:
    """The games of a match so far, and the results of those that count."""

    match: Match
    played: list[dict[str, Any]] = field(repr=False)  # all games, in the order in which they ended

    def __post_init__(self) -> None:
        self.tally = Tally()
        self.verdict = ""  # what the sequential test accepts: elo0, elo1, or "" while it is undecided
        self.gain = Gain()
        self.scores = [Gain() for _ in self.match.players]  # of each player, in a game for one
        self.table = Crosstable(self.match.names, self.match.seating)
        self.parts: dict[int, list[dict[str, Any]]] = {}  # the games of deals with some games missing
        self.waiting: dict[int, dict[str, Any]] = {}  # games that do not count yet, by number
        self.done: set[int] = set()
        self.faults: Counter[tuple[str, str]] = Counter()  # (player, reason)
        self.crashes: list[dict[str, Any]] = []  # by number
        self.seconds = [0.0] * len(self.match.players)
        games, self.played = self.played, []
        for game in games:
            self.add(game)

    def add(self, game: dict[str, Any]) -> None:
        """Take in a game that has ended."""
        if game["number"] in self.done or game["number"] >= self.match.games:
            return
        self.played.append(game)
        self.done.add(game["number"])
        if self.match.sprt is None:
            self._count(game)
            return
        self.waiting[game["number"]] = game
        while not self.verdict and {pair := self.tally.games, pair + 1} <= self.waiting.keys():
            self._count(self.waiting.pop(pair))
            self._count(self.waiting.pop(pair + 1))
            self.verdict = self.match.sprt.verdict(self.tally)

    def _count(self, game: dict[str, Any]) -> None:
        rotations, seats = self.match.seating.rotations, self.match.seats
        deal = game["number"] // rotations
        games = self.parts.setdefault(deal, [])
        if self.match.is_alone:
            self.scores[self.match.seating.of_game(game["number"])[0]].add(game["utility"])
        else:
            self.tally.add(game["points"], games[0]["points"] if games and seats == 2 else None)
        games.append(game)
        if len(games) == rotations:
            del self.parts[deal]
            if self.match.is_alone:
                self._compare(games)
            elif all("utility" in one for one in games):  # files of older matches have none
                self.gain.add(sum(one["utility"] for one in games) / rotations)
            if not self.match.is_alone and all(len(self._won(one)) == seats for one in games):
                self.table.add([(one["number"], self._won(one)) for one in games])
        for place, spent in enumerate(game["seconds"]):
            self.seconds[place] += spent
        if game.get("loser") is not None:
            self.faults[game["loser"], game["reason"]] += 1
        if game["reason"] in (CRASH, ILLEGAL):
            crash = {name: game.get(name) for name in ("number", "loser", "reason", "problem")}
            bisect.insort(self.crashes, crash, key=lambda one: one["number"])

    def _compare(self, games: list[dict[str, Any]]) -> None:
        """By how much the first player's score of a deal is higher than the second's."""
        first, *others = sorted(games, key=lambda game: int(game["number"]))
        if others:
            self.gain.add(first["utility"] - others[0]["utility"])

    def _won(self, game: dict[str, Any]) -> list[float]:
        """What every seat won in a game; between two, the points of the first player tell."""
        if self.match.seats > 2:
            return list(game.get("utilities", ()))
        first = game["points"]
        return [first if who == 0 else 1 - first for who in self.match.seating.of_game(game["number"])]

    @property
    def score(self) -> float | None:
        """The mean points of the first player against the others, game by game between two."""
        return self.tally.score if self.match.seats == 2 else self.table.score()

    @property
    def is_decided(self) -> bool:
        return bool(self.verdict) or len(self.done) >= self.match.games

    def lost_on_time(self, name: str) -> int:
        return self.faults[name, TIME]

    def as_dict(self) -> dict[str, Any]:
        """The standing as plain data."""
        tally, rating, match = self.tally, self.tally.rating(), self.match
        names = list(dict.fromkeys(match.names))
        data: dict[str, Any] = {
            **match.header(),
            "games": len(self.done) if match.is_alone else tally.games,
            "wanted": match.games,
            "wins": tally.wins,
            "draws": tally.draws,
            "losses": tally.losses,
            "pairs": tally.pairs,
            "score": self.score,
            "utility": self.gain.mean,
            "utility_error": self.gain.error,
            "elo": None,
            "elo_low": None,
            "elo_high": None,
            "superiority": None,
            "time_losses": {name: self.lost_on_time(name) for name in names},
            "crashes": self.crashes,
            "seconds": self.seconds,
            "sprt": None,
            **({} if match.is_alone else self.table.as_dict()),
        }
        if match.is_alone:
            data["scores"] = [
                {"player": name, "games": gain.deals, "mean": gain.mean, "error": gain.error}
                for name, gain in zip(match.names, self.scores, strict=True)
            ]
        if rating is not None:
            data |= {"elo": finite(rating.elo), "elo_low": finite(rating.low)}
            data |= {"elo_high": finite(rating.high), "superiority": rating.superiority}
        if match.sprt is not None:
            low, high = match.sprt.bounds
            data["sprt"] = {
                **vars(match.sprt),
                "ratio": match.sprt.ratio(tally),
                "low": low,
                "high": high,
                "accepted": self.verdict or None,
            }
        return data

    def _repr_html_(self) -> str:
        """The standing as HTML, for a notebook."""
        from gambito.draw.notebook import facts_table

        return facts_table([("match", " against ".join(self.match.names)), *facts(self)])
