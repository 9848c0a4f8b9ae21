"""Rounds of jobs: the jobs of a round depend on the results of the round before, and the workers stay."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from gambito.jobs.dispatch import NO_JOB_YET, JobProgress, Listing, alike, done
from gambito.jobs.executor import Executor
from gambito.jobs.remote_call import Work


class Rounds(contextlib.AbstractContextManager["Rounds"]):
    """An executor that does one round of jobs after the other. Its workers start with the first round."""

    def __init__(
        self,
        executor: Executor,
        work: Work,
        tell: Callable[[JobProgress], Any] | None = None,
        weigh: Callable[[Any], float] | None = alike,
        files: Listing = (),
    ) -> None:
        self._waiting: deque[Any] = deque()
        self._results = done(executor, work, self._jobs(), tell, weigh, files)

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the workers."""
        self._results.close()

    def _jobs(self) -> Iterator[Any]:
        while True:
            yield self._waiting.popleft() if self._waiting else NO_JOB_YET

    def do(self, jobs: Sequence[Any]) -> list[Any]:
        """Do the jobs of a round; return their results in the order of the jobs."""
        found: dict[int, Any] = {}
        places = {id(job): place for place, job in enumerate(jobs)}
        self._waiting.extend(jobs)
        while len(found) < len(jobs):
            job, result = next(self._results)
            found[places[id(job)]] = result
        return [found[place] for place in range(len(jobs))]
