"""The engine as an algorithm: how it runs, and which games it refuses."""

from __future__ import annotations

from dataclasses import replace

from gambito.game.contract import Game
from gambito.memory.table import LARGEST_VALUE
from gambito.search.algorithm import ALWAYS, VALUE, DepthSearch, Fits
from gambito.search.engine.mate_distance import HURRY, unhurried
from gambito.search.engine.options import OPTIONS
from gambito.search.engine.root import RootSearch
from gambito.search.engine.search import EXTRA
from gambito.search.engine.session import engine_session
from gambito.search.engine.threads import helper_threads
from gambito.search.task import SearchTask, TaskResult
from gambito.words.sentence import Sentence


def run(task: SearchTask) -> TaskResult:
    session = engine_session(task)
    session.begin(task.depth, task.threads)
    task.ongoing.unit = scale = session.scale
    root = RootSearch(task, session)
    helpers = helper_threads(task)
    value = root.search()
    others = helpers.news()
    if task.monitor.is_stopped():
        return others
    rounded, ends_in = unhurried(value, scale)
    if task.endings is not None and not task.endings.counts_ends:
        ends_in = None
    return replace(others, value=rounded, line=root.line(), ends_in=ends_in)


def refuses(game: Game) -> str:
    if game.value is float:
        return Sentence(
            "the engine needs values that are whole numbers, and the values of {} are fractions", game.label()
        )
    most = (LARGEST_VALUE - 1) // (HURRY if game.prefers_fast_win else 1)
    if max(abs(game.lowest), abs(game.highest)) > most:
        return Sentence("the engine needs values of at most {}, and {} has larger ones", most, game.label())
    return ""


ALGORITHM = DepthSearch(
    name="engine",
    summary="everything that makes alpha-beta strong, in parts that can be switched on and off",
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
