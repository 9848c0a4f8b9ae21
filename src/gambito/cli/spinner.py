"""A sign on standard error while a function is compiled: a bar, and an estimate of the time."""

from __future__ import annotations

import contextlib
import math
import sys
import threading
from collections.abc import Iterator

from gambito.native.progress import running
from gambito.words import say

WAIT = 1.0  # seconds before the sign appears
TURN = 0.1  # seconds between two marks
MARKS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
REST = "\x1b[K"  # clears the rest of the line
CLEAR = f"\r{REST}"
WIDTH = 20  # characters of the bar


@contextlib.contextmanager
def compiling(name: str) -> Iterator[None]:
    """Show a turning sign on a terminal if the compilation of the named function takes over a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done, worker = threading.Event(), threading.get_ident()

    def turn() -> None:
        if done.wait(WAIT):
            return
        place = 0
        while not done.wait(TURN):
            said = f"{MARKS[place % len(MARKS)]} {say('compiling {} …', name)} {_estimate(worker)}"
            sys.stderr.write(f"\r{said}{REST}")
            sys.stderr.flush()
            place += 1
        sys.stderr.write(CLEAR)
        sys.stderr.flush()

    thread = threading.Thread(target=turn, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _estimate(thread: int) -> str:
    """A bar, and the time that is left, of what a thread compiles; "" while nothing is known."""
    progress = running(thread)
    if progress is None or progress.seconds_left is None:
        return ""
    full = round(progress.share * WIDTH)
    return say(
        "{} about {} s left ", "█" * full + "░" * (WIDTH - full), max(1, math.ceil(progress.seconds_left))
    )
