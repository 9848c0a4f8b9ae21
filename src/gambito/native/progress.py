"""How far a compilation is, by the functions that it has taken in, of those that it took in the last time.

A search takes in 20 to 200 functions; their number for each entry is kept on disk. What follows, the
optimisation of all of them as a whole, takes about a quarter of the time.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator

from gambito.native import cache

_KEPT = "functions"  # the name of the file with the numbers
_USUAL = 60  # functions, where nothing is known
_FRONT = 0.75  # the part of the time in which functions are taken in
_MOST = 0.97  # of the whole, as long as it is not done


class Progress:
    """One compilation."""

    def __init__(self, name: str, expected: int) -> None:
        self.name, self.expected, self.taken = name, expected, 0
        self.began = time.monotonic()

    @property
    def share(self) -> float:
        """The part that is done, from 0 to 1; an estimate."""
        seen = self.taken / max(self.expected, self.taken, 1)
        return min(_MOST, _FRONT * seen)

    @property
    def seconds_left(self) -> float | None:
        """An estimate; None if it is too early for one."""
        spent = time.monotonic() - self.began
        return spent * (1 - self.share) / self.share if self.share > 0.1 else None


_running: dict[int, Progress] = {}  # by thread


def running(thread: int) -> Progress | None:
    """The compilation of a thread, for another one that shows it."""
    return _running.get(thread)


def take_in() -> None:
    """Called by the compiler, for each function that it begins with."""
    progress = _running.get(threading.get_ident())
    if progress is not None:
        progress.taken += 1


@contextlib.contextmanager
def compiling(name: str) -> Iterator[Progress]:
    """A context for the compilation of an entry; how many functions it took is remembered."""
    known = _known()
    progress = Progress(name, known.get(name, _USUAL))
    _running[threading.get_ident()] = progress
    try:
        yield progress
    finally:
        del _running[threading.get_ident()]
    if progress.taken > 1 and progress.taken != known.get(name):
        cache.keep(_KEPT, json.dumps({**_known(), name: progress.taken}).encode())


def _known() -> dict[str, int]:
    try:
        facts = json.loads(cache.kept(_KEPT) or b"{}")
    except (ValueError, OSError):
        return {}
    return {n: c for n, c in facts.items() if isinstance(c, int)} if isinstance(facts, dict) else {}
