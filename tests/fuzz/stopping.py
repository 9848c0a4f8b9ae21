"""Every built-in game with every algorithm that fits: no search ends late, whatever it is doing.

A search may need 50 ms of processor time to end after its limit or its stop. What must be compiled is
compiled before; the game itself is new, so that what a search prepares for it counts.
"""

from __future__ import annotations

import random
import threading
import time
from functools import cache
from typing import Any

import gambito
from gambito import CHANCE, Game, Puzzle, SearchError
from gambito.game.gears import gears
from gambito.game.registry import game_classes
from gambito.search.algorithm import algorithms
from tests.fuzz.asking import GUARD, HANGS, LATE
from tests.fuzz.tally import Tally, Wrong, expect

LIMITS = (0.3, 0.002, "stop")
STOPS = 0.1  # seconds after which a stop comes
_WARM: set[tuple[str, str, str]] = set()


@cache
def built_in_games() -> list[str]:
    return [n for n, kind in game_classes().items() if kind.__module__.startswith("gambito.games")]


def fuzz(seed: int, gear: str, tally: Tally) -> None:
    """Draw a game, a position, an algorithm and a limit."""
    rng = random.Random(seed)
    name = rng.choice(built_in_games())
    game = gambito.load(name)
    fitting = [each.name for each in algorithms().values() if not each.misfit(game)]
    gear = gear if game.compiles else "python"
    state = some_state(game, rng, rng.choice([0, 0, 2, 10]))
    algorithm, limit = rng.choice(fitting), rng.choice(LIMITS)
    with tally.search(f"{name} {algorithm} {limit} {gear}"):
        check_late(name, state, algorithm, gear, limit)


def some_state(game: Game, rng: random.Random, plies: int) -> Any:
    """A state some random plies into the game, in which somebody is to move."""
    state = game.initial()
    while plies > 0 or (not game.is_terminal(state) and game.player(state) == CHANCE):
        plies -= 1
        following = game.result(state, rng.choice(list(game.actions(state))))
        if game.is_terminal(following):
            break
        state = following
    return state


def check_late(name: str, state: Any, algorithm: str, gear: str, limit: float | str, **given: Any) -> None:
    """Search a new object of a game, and raise `Wrong` if it ends late three times."""
    warm_up(name, algorithm, gear, given)
    late = 0.0
    for _ in range(3):
        try:
            late = lateness_of_new(name, state, algorithm, gear, limit, given)
        except SearchError:  # a refusal in a sentence; the time for it counts elsewhere
            return
        if late <= LATE:
            return
    raise Wrong("late", late, name, state, algorithm, gear, limit)


def lateness_of_new(
    name: str, state: Any, algorithm: str, gear: str, limit: float | str, given: dict[str, Any]
) -> float:
    """The same of a new object of a game; its own tables, and the rules for one state, do not count."""
    game = gambito.load(name)
    gears(game).in_gear(gear)
    least = one_state(game, state)
    late = lateness(game, state, algorithm, gear, limit, given)
    return late if gear == "native" else late - least  # in the Python gear no search can end meanwhile


def one_state(game: Game, state: Any) -> float:
    """The seconds that the rules need for one state in Python."""
    state, began = game.initial() if state is None else state, time.process_time()
    for action in game.legal(state):
        child = game.result(state, action)
        game.priority(state, action)
        if not game.is_terminal(child):
            game.evaluate(child, max(game.player(child), 0))
    return time.process_time() - began


def warm_up(name: str, algorithm: str, gear: str, given: dict[str, Any]) -> None:
    if gear == "native" and (name, algorithm, str(given)) not in _WARM:
        _WARM.add((name, algorithm, str(given)))
        stop = gambito.Stop()
        with GUARD.watching(stop, HANGS[gear]):
            try:
                gambito.search(name, None, algorithm, nodes=1, gear=gear, stop=stop, **given)
            except SearchError:
                return


def lateness(
    game: Any, state: Any, algorithm: str, gear: str, limit: float | str, given: dict[str, Any]
) -> float:
    """Seconds of processor time between the end of the limit, or the stop, and the answer."""
    stop, stopped = gambito.Stop(), list[float]()
    if limit != "stop":
        given = {**given, "seconds": limit}
    elif not isinstance(game, Puzzle):
        given = {**given, "seconds": 1000.0}

    def end() -> None:
        stopped.append(time.process_time())
        stop.set()

    timer = threading.Timer(STOPS, end)
    with GUARD.watching(stop, HANGS[gear]) as hangs:
        if limit == "stop":
            timer.start()
        began = time.process_time()
        try:
            found = gambito.search(game, state, algorithm, gear=gear, stop=stop, **given)
        finally:
            ended = time.process_time()
            timer.cancel()
        expect(not hangs, "hangs", algorithm, limit)
    if limit == "stop":
        return ended - stopped[0] if stopped else 0.0
    return ended - began - float(limit) - found.compile_seconds
