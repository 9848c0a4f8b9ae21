"""The progress of a long command on standard error: a bar on a terminal, or a line from time to time."""

from __future__ import annotations

import sys
import time
from typing import Any

SECONDS = 10.0  # between two lines, without a terminal


class Gauge:
    """Shows how much work is done. The total may be unknown."""

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
        """Show the amount of work done, and a few words of news."""
        if self._bar is not None:
            self._bar.update(self._task, completed=done, news=news)
            return
        now = time.monotonic()
        told = f"{done} of {self.total} {self.noun}  {news}" if self.total is not None else news
        if self.lines and now - self._last >= SECONDS and told != self._told:
            self._last, self._told = now, told
            print(told, file=sys.stderr, flush=True)
