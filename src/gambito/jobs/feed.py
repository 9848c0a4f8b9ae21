"""Feeding a crew with jobs: results as they come; what was lost or is late is given out again.

A job may be done twice, and it counts once. So it has no effect but its result, and whoever keeps results
keeps them in the process that asked.
"""

from __future__ import annotations

import contextlib
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import JobError
from gambito.jobs.crew import Crew
from gambito.jobs.order import Work, new_order, perform, result_of
from gambito.jobs.pool import Lost, Pool
from gambito.words.sentence import Sentence, sentence_of

TICK = 0.1  # seconds between two looks at the crew
LATE = 4.0  # a job that takes this many times the median is given to a second worker
LEAST = 0.5  # seconds before any job is late
USUAL = 101  # the last jobs that the median is taken of
TRIES = 5  # times that a job may lose its worker, and a crew its pool


@dataclass
class News:
    """What a crew is doing."""

    running: int = 0  # jobs given out
    workers: int = 0
    notes: list[Sentence] = field(default_factory=list)  # what has happened since the news before


@dataclass(eq=False)
class Ticket:
    """A job that is given out."""

    job: Any
    began: float = 0.0  # when it was given out for the last time
    copies: int = 0
    losses: int = 0
    is_done: bool = False


def done(
    crew: Crew, work: Work, jobs: Iterable[Any], tell: Callable[[News], Any] | None = None
) -> Iterator[tuple[Any, Any]]:
    """Yield each job with its result, in the order in which they end.

    work  a function of a module of Gambito; it gets one job and has no effect but its result. In a crew of
          threads it may be any function.
    jobs  are taken when there is a worker for them
    tell  is called several times a second

    To close the iterator ends what is under way; so does any exception. A problem of a job is raised.
    """
    feed = _Feed(crew, work, iter(jobs), tell)
    try:
        while feed.give_out():
            yield from feed.ended()
    finally:
        feed.close()


class _Feed:
    def __init__(
        self, crew: Crew, work: Work, jobs: Iterator[Any], tell: Callable[[News], Any] | None
    ) -> None:
        self.crew, self.work, self.jobs, self.tell = crew, work, jobs, tell
        self.lost: deque[Ticket] = deque()
        self.given: dict[Future[Any], Ticket] = {}
        self.took: deque[float] = deque(maxlen=USUAL)
        self.breaks = 0
        self.notes: list[Sentence] = []
        self.pool: Pool = crew.open()
        self.machines = self.pool.machines()

    # ---- giving ----------------------------------------------------------------------------------
    def give_out(self) -> bool:
        """Give every worker something to do. Is anything under way?"""
        room = self.crew.ahead * max(1, sum(self.machines.values()))
        while self._running() < room and (ticket := self._next()) is not None:
            ticket.began, ticket.copies = time.monotonic(), ticket.copies + 1
            try:
                self.given[self._submit(ticket.job)] = ticket
            except BrokenExecutor as problem:
                self._lose(ticket, problem)
        return self._running() > 0

    def _submit(self, job: Any) -> Future[Any]:
        if self.crew.is_here:
            return self.pool.submit(self.work, job)
        return self.pool.submit(perform, new_order(self.work, job))

    def _running(self) -> int:
        return len({ticket for ticket in self.given.values() if not ticket.is_done})

    def _next(self) -> Ticket | None:
        """What was lost comes first, then what is late, then what is new."""
        if self.lost:
            return self.lost.popleft()
        late = self._late()
        if late is not None:
            return late
        return next((Ticket(job) for job in self.jobs), None)

    def _late(self) -> Ticket | None:
        """A job that takes much longer than the others; each further copy is given out later still."""
        if not self.took or self.crew.is_here:
            return None
        usual = max(LATE * statistics.median(self.took), LEAST)
        now = time.monotonic()
        return next(
            (t for t in self.given.values() if not t.is_done and now - t.began > usual * t.copies), None
        )

    # ---- taking ----------------------------------------------------------------------------------
    def ended(self) -> Iterator[tuple[Any, Any]]:
        """What has ended since the last look, each job once."""
        finished = wait(self.given, TICK, FIRST_COMPLETED).done
        self._look()
        for future in finished:
            ticket = self.given.pop(future, None)
            if ticket is None or ticket.is_done:
                continue
            try:
                outcome = future.result()
            except BrokenExecutor as problem:
                self._lose(ticket, problem)
                continue
            ticket.is_done = True
            self.took.append(time.monotonic() - ticket.began)
            self._abandon(ticket)
            yield ticket.job, outcome if self.crew.is_here else result_of(outcome)

    def _abandon(self, ticket: Ticket) -> None:
        """Free the workers that do a job whose result is here."""
        for future in [future for future, other in self.given.items() if other is ticket]:
            del self.given[future]
            self.pool.abandon(future)

    def _lose(self, ticket: Ticket, problem: BrokenExecutor) -> None:
        """A worker has ended before its job, or the whole pool is broken: then open another one."""
        said = sentence_of(problem)
        ticket.losses += 1
        if ticket.losses > TRIES:
            raise JobError("a job has lost its worker {} times: {}", ticket.losses, said) from None
        self.notes.append(Sentence("a worker was lost, and its job is done again: {}", said))
        lost = [ticket]
        if not isinstance(problem, Lost):
            self.breaks += 1
            if self.breaks > TRIES:
                raise JobError("the crew {} broke {} times: {}", self.crew.text, self.breaks, said) from None
            lost += [other for other in self.given.values() if other is not ticket]
            self.given.clear()
            with contextlib.suppress(Exception):
                self.pool.shutdown(wait=False)
            self.pool = self.crew.open()
        under_way = set(self.given.values())
        self.lost.extend(t for t in dict.fromkeys(lost) if not t.is_done and t not in under_way)

    # ---- telling ---------------------------------------------------------------------------------
    def _look(self) -> None:
        """Notice machines that come and go, and tell."""
        machines = self.pool.machines()
        if machines != self.machines:
            for name, count in machines.items():
                if name not in self.machines:
                    self.notes.append(Sentence("{} has joined with {} workers", name, count))
            for name in self.machines:
                if name not in machines:
                    self.notes.append(Sentence("{} has left", name))
            self.machines = machines
        if self.tell is not None:
            notes, self.notes = self.notes, []
            self.tell(News(self._running(), sum(machines.values()), notes))

    def close(self) -> None:
        for future in self.given:
            future.cancel()
        self.pool.shutdown(wait=False, cancel_futures=True)
