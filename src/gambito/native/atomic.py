"""Cooperation between threads: additions to one place without losses, and waiting for each other."""

from __future__ import annotations

import time
from typing import Any


def fetch_add(array: Any, place: Any, amount: Any) -> Any:
    """Add to `array[place]`; return the previous value."""
    before = array[place]
    array[place] += amount
    return before


def claim(array: Any, place: Any, mark: Any) -> bool:
    """Write `mark` in place of 0; False if another thread was first."""
    if array[place] != 0:
        return False
    array[place] = mark
    return True


def publish(array: Any, place: Any, value: Any) -> None:
    """Write after all previous writes: a thread that reads the value also sees those."""
    array[place] = value


def look(array: Any, place: Any) -> Any:
    """Read what another thread may have published; all its previous writes are then visible too."""
    return array[place]


def give_way() -> None:
    """Let another thread have the processor, for a thread that waits."""
    time.sleep(0)
