"""The progress of a long command on standard error: a bar on a terminal, or a line from time to time."""

from __future__ import annotations

import sys
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from gambito.words import digits, say, tell

if TYPE_CHECKING:
    from gambito.jobs import JobProgress

SECONDS = 10.0  # between two lines, without a terminal
SAMPLES = 100  # changes that the rate is the mean of, at most one a second
RATES = ((1.0, "s"), (60.0, "min"), (3600.0, "h"))


class Gauge:
    """Shows how much work is done, how fast, and how long the rest will take. The total may be unknown."""

    def __init__(self, noun: str, total: int | None = None, lines: bool = True) -> None:
        self.noun, self.total, self.lines = noun, total, lines
        self._bar: Any = None
        self._last = time.monotonic()
        self._done, self._news = 0, ""
        self._running: int | None = None
        self._told: Any = None
        self._samples: deque[tuple[float, int]] = deque(maxlen=SAMPLES)  # when so much was done

    def __enter__(self) -> Gauge:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task(say(self.noun), news="", pace="")
            self.expect(self.total)
            self._bar.start()
        return self

    def __exit__(self, *_: Any) -> None:
        if self._bar is not None:
            self._bar.stop()

    def conclude(self) -> None:
        """The work is over: tell a log how far it came."""
        if self._bar is None and self.lines and (self._done, self._news) != self._told:
            self._tell(time.monotonic())

    def expect(self, total: int | None) -> None:
        """The total is known now."""
        self.total = total
        if self._bar is not None:
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
            from rich.table import Column

            pace = TextColumn("{task.fields[pace]}", table_column=Column(no_wrap=True))
            news = TextColumn("{task.fields[news]}", table_column=Column(no_wrap=True, overflow="ellipsis"))
            counted = [BarColumn(20), MofNCompleteColumn()] if total is not None else []
            self._bar.columns = (*counted, pace, news, TimeElapsedColumn())
            self._bar.update(self._task, total=total)

    def show(self, done: int, news: str) -> None:
        """Show the amount of work done, and a few words of news."""
        now = time.monotonic()
        if not self._samples or (done != self._done and now - self._samples[-1][0] >= 1):
            self._samples.append((now, done))
        self._done, self._news = done, news
        self._draw()

    def hear(self, news: JobProgress) -> None:
        """Show what the workers are doing. What has happened to them is told in lines that stay."""
        self._running = news.running
        for note in news.notes:
            if self._bar is not None:
                self._bar.console.print(tell(note), markup=False, highlight=False)
            elif self.lines:
                print(tell(note), file=sys.stderr, flush=True)
        self._draw()

    def _draw(self) -> None:
        now = time.monotonic()
        if self._bar is not None:
            self._bar.update(self._task, completed=self._done, news=self._news, pace=self._pace(now))
            return
        if self.lines and now - self._last >= SECONDS and (self._done, self._news) != self._told:
            self._tell(now)

    def _tell(self, now: float) -> None:
        """Print a line about the work so far."""
        self._last, self._told = now, (self._done, self._news)
        done = "" if self.total is None else say("{} of {} {}", self._done, self.total, say(self.noun))
        told = (part for part in (done, self._pace(now), self._news) if part)
        print("  ".join(told), file=sys.stderr, flush=True)

    def _pace(self, now: float) -> str:
        """The jobs that are running, the rate of late, and the time left."""
        facts = [] if self._running is None else [say("{} running", self._running)]
        began, before = self._samples[0] if self._samples else (now, self._done)
        if self.total is not None and self._done > before and now > began:
            rate = (self._done - before) / (now - began)
            facts += [rate_words(rate), say("{} left", time_words((self.total - self._done) / rate))]
        return " · ".join(facts)


def rate_words(rate: float) -> str:
    """So many a second, or a minute or an hour where they are few: 5.3/s, 2.1 million/s, 12/h."""
    if rate >= 1e6:
        return say("{:.3g} million/s", rate / 1e6)
    seconds, unit = next((r for r in RATES if rate * r[0] >= 1), RATES[-1])
    form = ".3g" if rate * seconds < 1000 else ",.0f"
    return digits(f"{rate * seconds:{form}}/{unit}")


def time_words(seconds: float) -> str:
    """A time in its two largest units: 7 s, 3 min 20 s, 5 h 12 min, 3 d 4 h."""
    whole = round(seconds)
    minutes, hours, days = whole // 60, whole // 3600, whole // 86400
    if days:
        return f"{days} d {hours % 24} h"
    if hours:
        return f"{hours} h {minutes % 60} min"
    return f"{minutes} min {whole % 60} s" if minutes else f"{whole} s"
