"""How long a search may take: limits, a stop from another thread, and reports of progress."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gambito.errors import SearchError
from gambito.search.search_result import SearchResult

FILLED = 128  # MiB of a table that a search can fill in a second at most
# Parts of the soft limit: after a change of the action, less per iteration without one, and the least.
# With up to three times the limit, ten times as many games of 1 s + 0.01 s are lost on a busy machine.
UNSTEADY, STEADIER, STEADIEST = 1.0, 0.1, 0.5
MOST_FALL = 0.5  # a value that falls by half a unit of the game, or more, gives half the limit more


@dataclass(frozen=True)
class Limits:
    """How long a search may take; without any limit, as long as `search` takes by default."""

    depth: int | None = None  # plies
    seconds: float | None = None  # the search is stopped after this time
    nodes: int | None = None
    soft: float | None = None  # seconds after which no iteration of deepening begins

    def given(self) -> dict[str, Any]:
        return {name: limit for name, limit in vars(self).items() if limit is not None}

    @property
    def deepens(self) -> bool:
        """Does a search with these limits deepen iteratively?"""
        return self.seconds is not None or self.nodes is not None or self.soft is not None

    def check(self) -> None:
        for name, limit in self.given().items():
            kinds = (int,) if name in ("depth", "nodes") else (int, float)
            if isinstance(limit, bool) or not isinstance(limit, kinds) or not 0 < limit < math.inf:
                raise SearchError("{} must be a number above zero, not {}", name, limit)


class Stop:
    """Ends searches from any thread: pass it to `search` as `stop`, and call `set`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False
        self._calls: list[Callable[[], None]] = []

    def set(self) -> None:
        """End every search that was given this object; each returns the best that it has found."""
        with self._lock:
            self._is_set = True
            calls = list(self._calls)
        for call in calls:
            call()

    def is_set(self) -> bool:
        return self._is_set

    @contextlib.contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """A context for work that `call` ends; it is called by `set`, or at once if `set` came before."""
        with self._lock:
            self._calls.append(call)
            is_late = self._is_set
        if is_late:
            call()
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(call)


@dataclass(frozen=True)
class Progress:
    """The progress of a running search."""

    depth: int  # the depth of the current iteration
    nodes: int  # states visited so far
    seconds: float
    found: SearchResult | None  # the result of the last finished iteration, if there is one
    low: Any = None  # the bounds of the value that are known, if the algorithm reports them
    high: Any = None
    is_ahead: bool = False  # the Python gear searches while the code is compiled


def fitting_memory(seconds: float, most: int) -> int:
    """MiB for the table of searches that take this time in total; a larger table would cost time for its
    new pages."""
    return min(most, 1 << max(0, int(min(seconds, most) * FILLED).bit_length() - 1))


def patience(steady: int, fall: float) -> float:
    """The part of the soft limit that a search may use: its action has stayed the same for that many
    iterations, and its value has fallen by that many units of the game."""
    return max(UNSTEADY - STEADIER * steady, STEADIEST) * (1 + min(max(fall, 0.0), MOST_FALL))


def expected_seconds(times: list[float]) -> float:
    """The expected seconds of the next iteration, after iterations that took these times; 0 if unknown.

    Odd and even depths grow unequally, so the growth over two iterations is applied to the last but one.
    """
    if len(times) < 3 or times[-3] <= 0:
        return times[-1] if times else 0.0
    return max(times[-1], times[-2] * times[-1] / times[-3])
