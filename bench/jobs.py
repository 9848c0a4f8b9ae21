"""Matches on two processes: games per second beside one process, and the same moves.

The rate begins when a tenth of the games have ended, so the start of the processes does not count; the whole
time is printed too. It is wall time: on a busy machine the ratio is too low, and the load is printed.
"""

from __future__ import annotations

import argparse
import os
import resource
import time

from report import Requirement, text_table

from gambito.players import Match, Standing

GAME = "othello"
NODES = (1000, 20_000)  # per move
GAMES = 100
LEAST = 1.8


def run(args: argparse.Namespace) -> list[Requirement]:
    table, met = [], []
    for nodes in NODES:
        Play(nodes, 1, 4)  # compile
        one, two = Play(nodes, 1), Play(nodes, 2)
        assert one.moves == two.moves
        for jobs, played in ((1, one), (2, two)):
            table.append([f"{nodes:,}", jobs, *played.row(), f"{os.getloadavg()[0]:.1f}"])
        what = f"{GAME}, {nodes:,} nodes a move: games per second, two processes ÷ one"
        met.append(Requirement(what, two.rate / one.rate, least=LEAST))
    print(text_table(["nodes", "jobs", "games/s", "whole time, s", "processor ms a game", "load"], table))
    return met


class Play:
    """A match of equal players, and how long it took."""

    def __init__(self, nodes: int, jobs: int, games: int = GAMES) -> None:
        self.games, self.times = games, [time.perf_counter()]
        began = _processor_seconds()
        player = f"engine:nodes={nodes},memory=16"
        standing = Match(GAME, player, player, games=games, jobs=jobs).run(self._tell)
        self.seconds = time.perf_counter() - self.times[0]
        self.processor_seconds = _processor_seconds() - began
        self.moves = {game["number"]: game["moves"] for game in standing.played}

    def _tell(self, standing: Standing) -> None:
        while len(self.times) <= len(standing.done):
            self.times.append(time.perf_counter())

    @property
    def rate(self) -> float:
        """Games per second after the first tenth."""
        first = self.games // 10
        return (self.games - first) / (self.times[self.games] - self.times[first])

    def row(self) -> list[str]:
        cost = 1000 * self.processor_seconds / self.games
        return [f"{self.rate:.2f}", f"{self.seconds:.1f}", f"{cost:.0f}"]


def _processor_seconds() -> float:
    """Of this process and of the workers that have ended."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)
