"""Measuring on a machine that others use too: processor time, entrants in turns, the best of many rounds.

A round that was disturbed only ever takes longer, so the best round is the one to compare; and because the
entrants take turns, whatever slows the machine down slows all of them.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any


def race(entrants: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The least processor time of each entrant, in seconds; one round before the first is not counted."""
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
