"""A search to watch that is there soon: as deep as the page can show it without a wait. It knows no page."""

from __future__ import annotations

import threading
import time
from typing import Any

import gambito
from gambito.game.contract import Game
from gambito.search.api import TRACE_DEPTH
from gambito.search.limits import Stop
from gambito.search.trace.record import Record

SECONDS = 1.0  # for all depths together


class Alarm:
    """Sets a stop after a number of seconds, unless the work ends before; for work that compiles nothing."""

    def __init__(self, stop: Stop, seconds: float) -> None:
        self.timer = threading.Timer(seconds, stop.set)
        self.timer.daemon = True

    def __enter__(self) -> None:
        self.timer.start()

    def __exit__(self, *_: object) -> None:
        self.timer.cancel()


def trace_soon(game: Game, state: Any, algorithm: str, stop: Stop, options: dict[str, Any]) -> Record:
    """Record the deepest search that ends within `SECONDS`, to the game's usual depth at most.

    The first depth is recorded as far as it came, if it does not end.
    """
    end, record = time.monotonic() + SECONDS, None
    for depth in range(1, (game.usual_depth or TRACE_DEPTH) + 1):
        hurry = Stop()
        with stop.calling(hurry.set), Alarm(hurry, end - time.monotonic()):
            deeper = gambito.trace(game, state, algorithm, depth, stop=hurry, **options)
        if record is not None and hurry.is_set():
            break
        record = deeper
        if hurry.is_set():
            break
    assert record is not None
    return record
