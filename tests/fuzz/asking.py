"""One search, asked in a way drawn by lot: with a depth, nodes, seconds, a stop, a session, and so on.

A stop comes at any moment: in the Python gear when the rules have been asked for a number of states that was
drawn, so that the same seed stops at the same place; in the native gear after a time. How late a search ends
is told in processor time, because any machine may stand still for a moment.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import random
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gambito
from gambito.search.algorithm import NEVER, Algorithm, DepthSearch, algorithms
from tests.fuzz.tally import Wrong

LATE = 0.05  # seconds of processor time that a search may need to end
# Seconds of processor time after which a search is told to stop; it may compile.
HANGS = {"python": 5.0, "native": 120.0}
DEAF = 300.0  # the same after which the process ends, because a search does not stop
FEW_NODES = (1, 2, 5, 20, 60, 200)
FEW_SECONDS = (1e-6, 1e-4, 1e-3, 3e-3)


EXCLUDED: set[str] = set()  # algorithms that are not asked, such as those with a known fault


def fitting(game: Any, inexact: tuple[str, ...] = ()) -> list[Algorithm]:
    """The algorithms that can search a game, and are asked."""
    return [
        algorithm for name, algorithm in algorithms().items()
        if name not in inexact and name not in EXCLUDED and not algorithm.misfit(game)
    ]  # fmt: skip


@dataclass
class Way:
    """How a search is asked."""

    name: str
    given: dict[str, Any] = field(default_factory=dict)  # arguments of `search`
    stop_after: int = 0  # states that the rules are asked for before the stop; 0: no stop
    before: tuple[dict[str, Any], ...] = ()  # arguments of searches before it in the same session

    @property
    def is_cut(self) -> bool:
        """May it end before it is complete?"""
        return bool(self.stop_after or {"seconds", "nodes", "soft"} & self.given.keys())

    @property
    def is_timed(self) -> bool:
        """Does what it finds depend on the machine?"""
        return bool({"seconds", "soft"} & self.given.keys())


@dataclass
class Asked:
    """The answer of a search, and how late it came."""

    found: gambito.SearchResult
    late: float


def some_way(algorithm: Algorithm, whole: int, rng: random.Random) -> Way:
    """A way to stop, resume or widen a search; `whole` plies are the whole game."""
    is_deep = isinstance(algorithm, DepthSearch)
    deepens = is_deep and algorithm.deepening != NEVER  # type: ignore[attr-defined]
    names = ["nodes", "seconds", "stop", "session"]
    names += ["soft"] if deepens else []
    names += ["lines", "lines-on-limit"] if is_deep and algorithm.gives_value else []
    name = rng.choice(names)
    depth = {"depth": whole} if is_deep else {}
    if name == "nodes":
        return Way(name, {**depth, "nodes": rng.choice(FEW_NODES)})
    if name == "seconds":
        return Way(name, {**depth, "seconds": rng.choice(FEW_SECONDS)})
    if name == "soft":
        return Way(name, {**depth, "soft": rng.choice(FEW_SECONDS), **rng.choice([{}, {"seconds": 0.01}])})
    if name == "lines":
        return Way(name, {**depth, "lines": rng.randint(2, 5)})
    if name == "lines-on-limit":
        return Way(name, {**depth, "lines": rng.randint(2, 5), "nodes": rng.choice(FEW_NODES)})
    if name == "stop":
        deepen = {"deepen": True} if deepens else {}
        limit = depth or {"seconds": 60.0}
        return Way(name, {**limit, **deepen}, stop_after=rng.choice([1, 3, 10, 30, 100, 300]))
    limits = (
        [{"nodes": rng.choice(FEW_NODES)}, {"depth": rng.randint(1, whole)}] if is_deep else [{"nodes": 5}]
    )
    before = tuple({**depth, **rng.choice(limits)} for _ in range(rng.randint(1, 2)))
    return Way(name, {**depth, **({} if is_deep else {"nodes": 20})}, before=before)


class Guard:
    """Stops a search that takes far too long; if it does not stop, ends the process and says where it is."""

    def __init__(self) -> None:
        self.repeat = ""  # the command that repeats the present game
        self._stop: gambito.Stop | None = None
        self._began = self._seconds = 0.0
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def watching(self, stop: gambito.Stop, seconds: float) -> Iterator[list[float]]:
        """A context for a search with this stop; the list holds the time if the guard had to stop it."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._watch, daemon=True)
            self._thread.start()
        self._began, self._seconds, self.stopped = time.process_time(), seconds, list[float]()
        self._stop = stop
        try:
            yield self.stopped
        finally:
            self._stop = None

    def _watch(self) -> None:
        while True:
            time.sleep(1.0)
            stop, passed = self._stop, time.process_time() - self._began
            if stop is not None and passed > self._seconds and not self.stopped:
                self.stopped.append(passed)
                stop.set()
            if stop is not None and passed > DEAF:
                print(f"DEAF {self.repeat}", flush=True)
                faulthandler.dump_traceback(sys.stderr)
                os._exit(2)


GUARD = Guard()


def ask(game: Any, state: Any, name: str, gear: str, way: Way, **more: Any) -> Asked:
    """Search as the way says; an answer that comes late is asked for again, twice at most."""
    asked = _ask(game, state, name, gear, way, more)
    for _ in range(2):
        if asked.late > LATE:
            asked = _ask(game, state, name, gear, way, more)
    return asked


def _ask(game: Any, state: Any, name: str, gear: str, way: Way, more: dict[str, Any]) -> Asked:
    session = gambito.Session() if way.before else None
    for before in way.before:
        _search(game, state, name, gear=gear, session=session, **{**more, **before})
    given = {**more, **way.given, "gear": gear, "session": session}
    if not way.stop_after:
        began = time.process_time()
        found = _search(game, state, name, **given)
        spent = time.process_time() - began - found.compile_seconds
        limit = way.given.get("seconds")
        return Asked(found, spent - limit if limit is not None else 0.0)
    stop, stopped = gambito.Stop(), list[float]()

    def end() -> None:
        stopped.append(time.process_time())
        stop.set()

    with tripping(game, way.stop_after, end) if gear == "python" else waiting(way.stop_after, end):
        found = _search(game, state, name, stop=stop, **given)
        return Asked(found, time.process_time() - stopped[0] if stopped else 0.0)


def _search(
    game: Any, state: Any, name: str, gear: str, stop: gambito.Stop | None = None, **given: Any
) -> gambito.SearchResult:
    stop = stop or gambito.Stop()
    with GUARD.watching(stop, HANGS[gear]) as stopped:
        found = gambito.search(game, state, name, gear=gear, stop=stop, **given)
    if stopped:
        raise Wrong("hangs", stopped, given)
    return found


@contextlib.contextmanager
def tripping(game: Any, calls: int, end: Any) -> Iterator[None]:
    """A context in which `end` is called when the rules are asked for the next state so often."""
    plain, count = game.result, 0

    def result(state: Any, action: Any) -> Any:
        nonlocal count
        count += 1
        if count == calls:
            end()
        return plain(state, action)

    game.result = result
    try:
        yield
    finally:
        del game.result


@contextlib.contextmanager
def waiting(steps: int, end: Any) -> Iterator[None]:
    """A context in which `end` is called after some microseconds."""
    timer = threading.Timer(steps * 1e-5, end)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
