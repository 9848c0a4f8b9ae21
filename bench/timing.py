"""Measurements on a machine with other work: processor time, entrants in turns, the best of many rounds.

A disturbance only makes a round longer, so the best rounds are compared. The entrants take turns, so whatever
slows the machine down slows all of them.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any


def race(entrants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Return the least processor time of each entrant, in seconds, after one round that is not counted."""
    best = dict.fromkeys(entrants, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for turn in range(rounds + 1):
            for name, work in entrants.items():
                began = time.thread_time()
                work()
                took = time.thread_time() - began
                if turn:
                    best[name] = min(best[name], took)
    finally:
        gc.enable()
    return best
