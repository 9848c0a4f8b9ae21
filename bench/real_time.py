"""Real time: the delay of a search's answer after its time is up, and after a stop from another thread.

The times are wall-clock times, so other work on the machine makes them longer.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from report import Requirement, markdown_table, text_table, write_section

import gambito

GAMES = {"connect-four": "44", "othello": "f5d6c3", "chess": ""}
SECONDS = 0.05
ROUNDS = 100
STOPS = 20
FOREVER = 60.0
HEAD = ["game", "depth reached", "late, median", "late, 99 of 100", "after a stop, median"]


def late(game: Any, position: str) -> tuple[list[float], int]:
    """Return the seconds that searches took beyond their limit, sorted, and the depth of the last one."""
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        found = gambito.search(game, position or None, "engine", seconds=SECONDS)
        taken.append(time.perf_counter() - began - SECONDS)
    return sorted(taken), found.depth


def stopped(game: Any, position: str) -> list[float]:
    """Return the seconds from the call of `stop.set()` to the answer, sorted."""
    taken = []
    for _ in range(STOPS):
        stop, ended = gambito.Stop(), []

        def work(stop: gambito.Stop = stop, ended: list[float] = ended) -> None:
            gambito.search(game, position or None, "engine", seconds=FOREVER, stop=stop)
            ended.append(time.perf_counter())

        worker = threading.Thread(target=work)
        worker.start()
        time.sleep(SECONDS)
        told = time.perf_counter()
        stop.set()
        worker.join()
        taken.append(ended[0] - told)
    return sorted(taken)


def run(args: Any) -> list[Requirement]:
    rows, met = [], []
    for name, position in GAMES.items():
        game = gambito.load(name)
        gambito.search(game, position or None, "engine", nodes=1)  # compiled before the clock starts
        after, depth = late(game, position)
        told = stopped(game, position)
        middle, most, stop = after[ROUNDS // 2], after[-2], told[STOPS // 2]
        rows.append([name, depth, *(f"{1000 * s:.1f} ms" for s in (middle, most, stop))])
        met.append(Requirement(f"{name}: late in 99 of 100 searches", 1000 * most, most=20, unit="ms"))
    print(f"{ROUNDS} searches of {SECONDS:g} s and {STOPS} that were stopped\n")
    print(text_table(HEAD, rows))
    if args.write:
        write_section("late", markdown_table(HEAD, rows), "algorithms/real-time.md")
    return met
