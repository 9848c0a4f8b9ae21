"""The time, for compiled code that keeps its own limits because nobody else can stop it."""

from __future__ import annotations

import time


def milliseconds() -> float:
    """Milliseconds since some moment in the past."""
    return time.monotonic() * 1000.0
