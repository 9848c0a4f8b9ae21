"""The engine as an algorithm: what it runs, and which games it refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gambito.game.contract import Game
from gambito.memory.table import AGE, LARGEST, SHARED
from gambito.search.algorithm import ALWAYS, VALUE, DepthSearch, Fits
from gambito.search.engine.options import OPTIONS
from gambito.search.engine.root import HURRY, RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.threads import HelperThreads
from gambito.search.question import Answer, Question
from gambito.search.watch import EVALUATIONS, NODES

LEAST_SHARED, PART = 3, 2  # threads look what the others do from this depth on, and this part of the root's


def run(question: Question) -> Answer:
    desk = RootSearch(question)
    question.ongoing.unit = desk.scale
    desk.table.words[AGE] += np.uint64(1)
    desk.table.words[SHARED] = max(LEAST_SHARED, question.depth // PART) if question.threads > 1 else 0
    with HelperThreads(question) as helpers:
        value = desk.search()
    others = Answer(nodes=helpers.count(NODES), evaluations=helpers.count(EVALUATIONS))
    if question.watch.is_stopped():
        return others
    rounded = (value + desk.scale // 2) // desk.scale
    ends_in = abs(value - rounded * desk.scale) or None
    if question.endings is not None and not question.endings.counts_ends:
        ends_in = None
    return replace(others, value=rounded, line=desk.line(), ends_in=ends_in)


def refuses(game: Game) -> str:
    if game.value is float:
        return f"the engine counts in whole numbers, and the values of {game.label()} are fractions"
    if max(abs(game.lowest), abs(game.highest)) * HURRY >= LARGEST:
        return f"the engine holds values up to {LARGEST // HURRY}, and {game.label()} has larger ones"
    return ""


ALGORITHM = DepthSearch(
    name="engine",
    summary="everything that makes alpha-beta strong, as parts that can be switched",
    source="Marsland 1986; Breuker 1998; Schaeffer 1989; Campbell, Hoane & Hsu 2002",
    run=run,
    options=OPTIONS,
    fits=Fits(refuses=refuses),
    shares=True,
    deepening=ALWAYS,
    holds=VALUE,
    chooses=True,
    extra_plies=EXTRA,
)
