"""Request memory before it is needed: a line of a table is loaded while the search does other work."""

from __future__ import annotations

from typing import Any


def prefetch(array: Any, place: Any) -> None:
    """Load `array[place]` into the cache. In the Python gear this does nothing."""
