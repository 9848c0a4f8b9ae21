"""A tournament: matches of all pairs of players, or of the first one against the others; ratings of all.

A game is a job, as in a match. One file keeps the games of all pairs, and a tournament that was interrupted
continues from it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from gambito.errors import PlayerError
from gambito.jobs import Executor, JobProgress, done
from gambito.players.experiments.experiment_plan import TournamentPlan
from gambito.players.experiments.ratings import Rated, rate
from gambito.players.journal import Journal, is_game
from gambito.players.match import Match, PlayerPool, executor_for, play_job
from gambito.players.rating import finite


def is_game_of_pair(game: Any) -> bool:
    """Is this the result of a game of a tournament, as a file keeps it?"""
    return isinstance(game["pair"], int) and is_game(game, frozenset({"pair"}))


class Tournament:
    """The matches of a tournament, and their results so far."""

    def __init__(
        self,
        plan: TournamentPlan,
        path: str | Path | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
    ) -> None:
        self.plan, self.path, self.jobs, self.cluster = plan, path, jobs, cluster
        self.pairs = plan.pairs()
        self.matches = [self._match(one, two) for one, two in self.pairs]
        self.companies: dict[int, PlayerPool] = {}  # of this process, by pair

    def _match(self, one: int, two: int) -> Match:
        plan = self.plan
        return Match(
            plan.game,
            plan.players[one],
            plan.players[two],
            plan.games,
            plan.clock,
            plan.openings,
            plan.plies,
            plan.seed,
            plan.position,
        )

    @property
    def done(self) -> int:
        """Games that have ended."""
        return sum(len(match.standing.done) for match in self.matches)

    @property
    def wanted(self) -> int:
        return sum(match.games for match in self.matches)

    def header(self) -> dict[str, Any]:
        """What identifies this tournament; the number of games may change."""
        known = self.matches[0].header()
        return {**known, "players": list(self.plan.players), "pairing": self.plan.pairing}

    def run(
        self, progress: Callable[[], Any] | None = None, tell: Callable[[JobProgress], Any] | None = None
    ) -> None:
        """Play the games that the file does not hold yet. Ctrl-C ends it; the games played are kept."""
        executor = executor_for(self.plan.game, self.jobs, self.cluster)
        if self.plan.clock is not None:
            executor.warn_of_time()
        with Journal(self.path, self.header(), "tournament", is_game_of_pair) as journal:
            for game in journal.games:
                if not 0 <= game["pair"] < len(self.matches):
                    raise PlayerError("{} has a game of pair {}, which there is not", self.path, game["pair"])
                self.matches[game["pair"]].standing.add(game)
            files = [each for match in self.matches for each in match.files()] if executor.is_cluster else []
            work = self._play if executor.is_here else play_job
            try:
                with contextlib.closing(
                    done(executor, work, self._jobs(executor), tell, files=files)
                ) as results:
                    for job, played in results:
                        game = {"pair": job["pair"], **played}
                        journal.append(game)
                        self._take(game)
                        if progress is not None:
                            progress()
            finally:
                for pair in list(self.companies):
                    self.companies.pop(pair).close()

    def _jobs(self, executor: Executor) -> Iterator[dict[str, Any]]:
        """The games that are missing, those of one pair after those of the other."""
        for pair, match in enumerate(self.matches):
            if match.standing.is_decided:
                continue
            companies = PlayerPool(match)
            companies.prepare()  # compiled once, here; the workers find the code
            if executor.is_here:
                self.companies[pair] = companies
            else:
                companies.close()
            for job in match.missing({} if executor.is_here else match.description(self.plan.game)):
                yield {"pair": pair, **job}

    def _play(self, job: dict[str, Any]) -> dict[str, Any]:
        return self.companies[job["pair"]].play(job)

    def _take(self, game: dict[str, Any]) -> None:
        match = self.matches[game["pair"]]
        match.standing.add(game)
        if match.standing.is_decided and game["pair"] in self.companies:
            self.companies.pop(game["pair"]).close()

    # ---- results -----------------------------------------------------------------------------------
    def ratings(self) -> list[Rated]:
        """The rating of every player, in the order of the plan."""
        results = {}
        for pair, match in zip(self.pairs, self.matches, strict=True):
            tally = match.standing.tally
            results[pair] = (float(tally.wins), float(tally.draws), float(tally.losses))
        return rate(len(self.plan.players), results)

    def points(self, one: int, two: int) -> tuple[float, int] | None:
        """The points of a player against another, and their games; None if they are no pair."""
        for (first, second), match in zip(self.pairs, self.matches, strict=True):
            tally = match.standing.tally
            points = tally.wins + tally.draws / 2
            if (first, second) == (one, two):
                return points, tally.games
            if (first, second) == (two, one):
                return tally.games - points, tally.games
        return None

    def total(self, who: int) -> tuple[float, int]:
        """The points of a player against all others, and the games."""
        met = [self.points(who, other) for other in range(len(self.plan.players))]
        known = [each for each in met if each is not None]
        return sum(points for points, _ in known), sum(games for _, games in known)

    def order(self) -> list[int]:
        """The players, the strongest first."""
        ratings = self.ratings()
        return sorted(range(len(ratings)), key=lambda who: -ratings[who].elo)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each pair of players."""
        found = []
        for (one, two), match in zip(self.pairs, self.matches, strict=True):
            tally, rating = match.standing.tally, match.standing.tally.rating()
            found.append(
                {
                    "game": match.rules.label(),
                    "first": self.plan.players[one],
                    "second": self.plan.players[two],
                    "games": tally.games,
                    "wins": tally.wins,
                    "draws": tally.draws,
                    "losses": tally.losses,
                    "score": tally.score,
                    "elo": None if rating is None else finite(rating.elo),
                    "elo_low": None if rating is None else finite(rating.low),
                    "elo_high": None if rating is None else finite(rating.high),
                }
            )
        return found

    def as_dict(self) -> dict[str, Any]:
        """The tournament as plain data: the ratings, and the pairs."""
        ratings = self.ratings()
        players = []
        for who in self.order():
            points, games = self.total(who)
            told = {"player": self.plan.players[who], "elo": ratings[who].elo, "error": ratings[who].error}
            players.append({**told, "points": points, "games": games})
        return {
            **self.header(),
            "games": self.done,
            "wanted": self.wanted,
            "ratings": players,
            "pairs": self.rows(),
        }
