"""The engine as an algorithm: what it runs, and which games it refuses."""

from __future__ import annotations

import numpy as np

from gambito.game.contract import Game
from gambito.memory.table import AGE, LARGEST, SHARED
from gambito.search.algorithm import Algorithm, Task
from gambito.search.engine.options import OPTIONS
from gambito.search.engine.root import HURRY, RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.threads import HelperThreads
from gambito.words.sentence import Sentence

LEAST_SHARED, PART = 3, 2  # threads look what the others do from this depth on, and this part of the root's


def run(task: Task) -> int:
    desk = RootSearch(task)
    task.unit = desk.scale
    desk.table.words[AGE] += np.uint64(1)
    desk.table.words[SHARED] = max(LEAST_SHARED, task.depth // PART) if task.threads > 1 else 0
    with HelperThreads(task):
        value = desk.search()
    if task.watch.is_stopped():
        return 0
    task.line = desk.line()
    rounded = (value + desk.scale // 2) // desk.scale
    task.ends_in = abs(value - rounded * desk.scale) or None
    if task.endings is not None and not task.endings.counts_ends:
        task.ends_in = None
    return rounded


def refuses(game: Game) -> str:
    if game.value is float:
        return Sentence(
            "the engine counts in whole numbers, and the values of {} are fractions", game.label()
        )
    if max(abs(game.lowest), abs(game.highest)) * HURRY >= LARGEST:
        return Sentence(
            "the engine holds values up to {}, and {} has larger ones", LARGEST // HURRY, game.label()
        )
    return ""


ALGORITHM = Algorithm(
    name="engine",
    summary="everything that makes alpha-beta strong, as parts that can be switched",
    source="Marsland 1986; Breuker 1998; Schaeffer 1989; Campbell, Hoane & Hsu 2002",
    run=run,
    options=OPTIONS,
    extra_plies=EXTRA,
    shares=True,
    chooses=True,
    always_deepens=True,
    reads_out=False,
    refuses=refuses,
)
