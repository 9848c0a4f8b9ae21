"""How long a search may take: limits, a stop from another thread, and what is told while it runs."""

from __future__ import annotations

import contextlib
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gambito.errors import SearchError
from gambito.search.found import Found

FILLED = 128  # MiB of a table that a second can fill at most


@dataclass(frozen=True)
class Limits:
    """How long a search may take; without any, as long as `search` does by itself."""

    depth: int | None = None  # plies
    seconds: float | None = None  # then the search is stopped
    nodes: int | None = None
    soft: float | None = None  # seconds after which no iteration of deepening begins

    def given(self) -> dict[str, Any]:
        return {name: limit for name, limit in vars(self).items() if limit is not None}

    @property
    def deepens(self) -> bool:
        """Are they limits within which a search goes deeper and deeper?"""
        return self.seconds is not None or self.nodes is not None or self.soft is not None

    def check(self) -> None:
        for name, limit in self.given().items():
            kinds = (int,) if name in ("depth", "nodes") else (int, float)
            if isinstance(limit, bool) or not isinstance(limit, kinds) or not 0 < limit < math.inf:
                raise SearchError("{} must be a number above zero, not {}", name, limit)


class Stop:
    """Ends searches from any thread: `search` takes one as `stop`, and `set` says that it is enough."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_set = False
        self._calls: list[Callable[[], None]] = []

    def set(self) -> None:
        """Every search that was given this object ends now, with the best that it has found."""
        with self._lock:
            self._is_set = True
            calls = list(self._calls)
        for call in calls:
            call()

    def is_set(self) -> bool:
        return self._is_set

    @contextlib.contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """Work that `call` ends: it is called by `set`, or at once if that was before."""
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
    """How far a search has come."""

    depth: int  # of the iteration that runs
    nodes: int  # visited so far
    seconds: float
    found: Found | None  # the best of the iterations so far, if one is done
    low: Any = None  # what is known of the value, where the algorithm says so
    high: Any = None


def fitting_memory(seconds: float, most: int) -> int:
    """MiB for the table of searches that take so long in all; new pages of a larger one would cost time."""
    return min(most, 1 << max(0, int(min(seconds, most) * FILLED).bit_length() - 1))


def expected_seconds(times: list[float]) -> float:
    """How long the next iteration will take, after iterations that took these times; 0 where nobody can say.

    Odd and even depths grow unequally, so the growth is that of two iterations, upon the one before the last.
    """
    if len(times) < 3 or times[-3] <= 0:
        return times[-1] if times else 0.0
    return max(times[-1], times[-2] * times[-1] / times[-3])
