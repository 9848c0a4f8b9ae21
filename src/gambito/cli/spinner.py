"""A sign on standard error while a function is compiled."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator

WAIT = 1.0  # seconds before the sign appears
TURN = 0.1  # seconds between two marks
MARKS = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
CLEAR = "\r\x1b[K"


@contextlib.contextmanager
def compiling(name: str) -> Iterator[None]:
    """Show a turning sign on a terminal if the compilation of the named function takes over a second."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    done = threading.Event()

    def turn() -> None:
        if done.wait(WAIT):
            return
        place = 0
        while not done.wait(TURN):
            sys.stderr.write(f"\r{MARKS[place % len(MARKS)]} compiling {name} … ")
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
