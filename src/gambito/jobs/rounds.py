"""Rounds of jobs: the jobs of a round depend on the results of the round before, and the workers stay."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gambito.jobs.crew import Crew
from gambito.jobs.feed import WAIT, Listing, News, alike, done
from gambito.jobs.order import Work


class Rounds(contextlib.AbstractContextManager["Rounds"]):
    """A crew that does one round of jobs after the other. Its workers start with the first round."""

    def __init__(
        self,
        crew: Crew,
        work: Work,
        tell: Callable[[News], Any] | None = None,
        weigh: Callable[[Any], float] | None = alike,
        files: Listing = (),
    ) -> None:
        self._waiting: deque[Any] = deque()
        self._results = done(crew, work, self._jobs(), tell, weigh, files)

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        self._results.close()

    def _jobs(self) -> Iterator[Any]:
        while True:
            yield self._waiting.popleft() if self._waiting else WAIT

    def do(self, jobs: Sequence[Any]) -> list[Any]:
        """Do the jobs of a round; return their results in the order of the jobs."""
        found: dict[int, Any] = {}
        places = {id(job): place for place, job in enumerate(jobs)}
        self._waiting.extend(jobs)
        while len(found) < len(jobs):
            job, result = next(self._results)
            found[places[id(job)]] = result
        return [found[place] for place in range(len(jobs))]
