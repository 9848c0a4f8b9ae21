"""How far a long command is, on standard error: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

import sys
import time
from typing import Any

SECONDS = 10.0  # between two lines where there is no terminal


class Gauge:
    """Shows how much is done, of so much or of nobody knows how much."""

    def __init__(self, noun: str, total: int | None = None, lines: bool = True) -> None:
        self.noun, self.total, self.lines = noun, total, lines
        self._bar: Any = None
        self._last = time.monotonic()
        self._told = ""

    def __enter__(self) -> Gauge:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            news = TextColumn("{task.fields[news]}")
            counted = [BarColumn(30), MofNCompleteColumn()] if self.total is not None else []
            self._bar = Progress(
                *counted, news, TimeElapsedColumn(), console=Console(stderr=True), transient=True
            )
            self._task = self._bar.add_task(self.noun, total=self.total, news="")
            self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, news: str) -> None:
        """So much is done; the news are a few words."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, news=news)
            return
        now = time.monotonic()
        told = f"{done} of {self.total} {self.noun}  {news}" if self.total is not None else news
        if self.lines and now - self._last >= SECONDS and told != self._told:
            self._last, self._told = now, told
            print(told, file=sys.stderr, flush=True)
