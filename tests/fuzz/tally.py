"""What a fuzzer has done: how many games and searches, and what failed, each kind of failure told once."""

from __future__ import annotations

import contextlib
import traceback
from collections import Counter
from collections.abc import Iterator
from typing import Any

MOST_TOLD = 4000  # characters of a failure


class Wrong(AssertionError):
    """An answer is wrong: in what, and the case."""

    def __init__(self, what: str, *case: Any) -> None:
        super().__init__(what, *case)
        self.what = what


def expect(is_so: bool, what: str, *case: Any) -> None:
    """Raise `Wrong` if something does not hold."""
    if not is_so:
        raise Wrong(what, *case)


class Tally:
    """Counts, and tells failures."""

    def __init__(self) -> None:
        self.games = self.searches = 0
        self.answers = Counter[str]()  # by algorithm, and whether its value was exact
        self.failures = Counter[str]()  # by what was wrong, and in which search
        self.repeat = ""  # the command that repeats the present game

    @contextlib.contextmanager
    def search(self, about: str) -> Iterator[None]:
        """A context for one search and the judgement of its answer; a failure does not hide the next one."""
        self.searches += 1
        try:
            yield
        except Exception as problem:
            self._fail(about, problem)

    def _fail(self, about: str, problem: Exception) -> None:
        what = problem.what if isinstance(problem, Wrong) else type(problem).__name__
        name = f"{what}: {about}"
        self.failures[name] += 1
        if self.failures[name] == 1:
            told = str(problem.args) if isinstance(problem, Wrong) else traceback.format_exc()
            if len(told) > MOST_TOLD:
                told = f"{told[: MOST_TOLD // 2]} … {told[-MOST_TOLD // 2 :]}"
            print(f"FAILED {name}\n    {self.repeat}\n    {told}", flush=True)

    def summary(self, seconds: float) -> str:
        wrong = sum(self.failures.values())
        return f"{self.games:,} games, {self.searches:,} searches, {wrong} failures in {seconds:,.0f} s"
