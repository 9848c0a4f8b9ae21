"""How long work may take that comes before a search: it asks every few milliseconds whether to go on."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

PAUSE = 0.01  # seconds of waiting for another thread, between two questions

Check = Callable[[], None]  # raises if the work has to end


def never() -> None:
    """For work that nothing ends."""


@contextlib.contextmanager
def alone(lock: threading.Lock, check: Check) -> Iterator[None]:
    """A context in which no other thread does the same work."""
    while not lock.acquire(timeout=PAUSE):
        check()
    try:
        yield
    finally:
        lock.release()
