"""The intermediate results of a question, sent at a limited frequency."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

GAP = 0.05  # seconds between two messages of one stream

Tell = Callable[[dict[str, Any]], None]


class Stream:
    """Sends intermediate results, at limited frequency. The last result is always sent."""

    def __init__(self, tell: Tell) -> None:
        self._tell, self._last = tell, 0.0

    def tell(self, news: dict[str, Any], whole: bool = False) -> None:
        """Send a message. With `whole`, no message of the stream may be left out."""
        if "phase" in news or whole or self.is_due():
            self._last = time.perf_counter()
            self._tell(news)

    def is_due(self) -> bool:
        """Would an intermediate result be sent now?"""
        return time.perf_counter() - self._last >= GAP
