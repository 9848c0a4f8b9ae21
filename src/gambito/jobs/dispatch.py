"""Feeding an executor with jobs: results as they come; what was lost or is late is given out again.

A job may be done twice, and it counts once. So it has no effect but its result, and whoever keeps results
keeps them in the process that asked.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field
from typing import Any

from gambito.errors import JobError
from gambito.jobs.executor import Executor
from gambito.jobs.files import Files, Needed
from gambito.jobs.pool import Lost, Pool
from gambito.jobs.remote_call import Work, new_order, perform, result_of
from gambito.words.sentence import Sentence, sentence_of

POLL_SECONDS = 0.1  # seconds between two looks at the executor
LATE_FACTOR = 4.0  # a job that takes this many times the median is given to a second worker
MIN_LATE_SECONDS = 0.5  # seconds before any job is late
RECENT_JOBS = 101  # the last jobs that the median is taken of
MAX_FILE_REQUESTS = 100  # times that a job may lack files
RESEND_SECONDS = 5.0  # seconds before a machine is sent the same files again
FILE_WAIT_SECONDS = 2.0  # seconds that a worker waits for files that another one of its machine was sent
MAX_LOSSES = 5  # times that a job may lose its worker, and times in a row that a pool may break
Listing = Iterable[Needed] | Callable[[Any], Iterable[Needed]]  # or a function of a job
NO_JOB_YET = object()  # in place of a job: there is none now, and there may be one after the next result


@dataclass
class JobProgress:
    """What an executor is doing."""

    running: int = 0  # jobs given out
    workers: int = 0
    notes: list[Sentence] = field(default_factory=list)  # what has happened since the news before


@dataclass(eq=False)
class SubmittedJob:
    """A job that is given out."""

    job: Any
    began: float = 0.0  # when it was given out for the last time
    copies: int = 0
    losses: int = 0
    is_out: bool = False  # a worker has it
    is_done: bool = False
    lack: dict[str, Any] = field(default_factory=dict)  # the answer of a worker that lacks files
    lacks: int = 0  # such answers


def alike(job: Any) -> float:
    """The weight of jobs that all take about as long."""
    return 1.0


def done(
    executor: Executor,
    work: Work,
    jobs: Iterable[Any],
    tell: Callable[[JobProgress], Any] | None = None,
    weigh: Callable[[Any], float] | None = alike,
    files: Listing = (),
) -> Generator[tuple[Any, Any], None, None]:
    """Yield each job with its result, in the order in which they end.

    work   a function of a module of Gambito; it gets one job and has no effect but its result. In an executor
           of threads it may be any function.
    jobs   are taken when there is a worker for them. WAIT among them means that the next job depends on
           results that are not here yet: after the next result, jobs are asked for again.
    tell   is called several times a second
    weigh  how long a job takes, in any unit: a job that takes much longer than the others by its weight is
           late, and is given to a second worker as well. None: no job is ever late.
    files  that the texts of the jobs name, or a function that gives those of a job: on a cluster they
           travel, and so does machine code

    To close the iterator ends what is under way; so does any exception. A problem of a job is raised.
    """
    feed = _Feed(executor, work, iter(jobs), tell, weigh, _travelling(files) if executor.is_cluster else None)
    try:
        while feed.give_out():
            yield from feed.ended()
    finally:
        feed.close()


def _travelling(files: Listing) -> Callable[[Any], Files]:
    """A function that gives the files of a job."""
    if callable(files):
        return lambda job: Files(files(job))
    same = Files(files)
    return lambda job: same


class _Feed:
    def __init__(
        self,
        executor: Executor,
        work: Work,
        jobs: Iterator[Any],
        tell: Callable[[JobProgress], Any] | None,
        weigh: Callable[[Any], float] | None,
        files: Callable[[Any], Files] | None,
    ) -> None:
        self.executor, self.work, self.jobs, self.tell, self.weigh = executor, work, jobs, tell, weigh
        self.files = files
        self.sent: dict[tuple[str, ...], float] = {}  # when a machine was last sent these files
        self.again: deque[SubmittedJob] = deque()  # lost or late
        self.given: dict[Future[Any], SubmittedJob] = {}
        self.running = 0  # jobs given out whose result is not here
        self.finished: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self.took: deque[float] = deque(maxlen=RECENT_JOBS)  # seconds for each unit of weight
        self.breaks, self.looked = 0, 0.0
        self.notes: list[Sentence] = []
        self.pool: Pool = executor.open()
        self.machines = self.pool.machines()

    # ---- giving ----------------------------------------------------------------------------------
    def give_out(self) -> bool:
        """Give every worker something to do. Is anything under way?"""
        room = max(1, sum(self.machines.values()))
        while self.running < room and (ticket := self._next()) is not None:
            self.running += not ticket.is_out
            ticket.is_out = True
            ticket.began, ticket.copies = time.monotonic(), ticket.copies + 1
            try:
                future = self._submit(ticket)
            except BrokenExecutor as problem:
                self._lose(ticket, problem)
                continue
            self.given[future] = ticket
            future.add_done_callback(self.finished.put)
        return bool(self.running or self.again)

    def _submit(self, ticket: SubmittedJob) -> Future[Any]:
        if self.executor.is_here:
            return self.pool.submit(self.work, ticket.job)
        order, lack = new_order(self.work, ticket.job), ticket.lack
        if self.files is None:
            return self.pool.submit(perform, order)
        files = self.files(ticket.job)
        order["files"] = files.named()
        if not lack:
            return self.pool.submit(perform, order)
        machine, now, ticket.lack = lack["machine"], time.monotonic(), {}
        sent = machine, *lack["missing"]
        if now - self.sent.get(sent, -RESEND_SECONDS) < RESEND_SECONDS:
            order["patience"] = FILE_WAIT_SECONDS
        else:
            order["contents"] = files.contents(lack["missing"])
            self.sent[sent] = now
        return self.pool.submit(perform, order, machine=machine)

    def _next(self) -> SubmittedJob | None:
        """What was lost or is late comes first, then what is new."""
        while self.again:
            ticket = self.again.popleft()
            if not ticket.is_done:
                return ticket
        job = next(self.jobs, NO_JOB_YET)
        return None if job is NO_JOB_YET else SubmittedJob(job)

    # ---- taking ----------------------------------------------------------------------------------
    def ended(self) -> Iterator[tuple[Any, Any]]:
        """What has ended since the last look, each job once."""
        self._look()
        try:
            future = self.finished.get(timeout=POLL_SECONDS)
        except queue.Empty:
            return
        ticket = self.given.pop(future, None)
        if ticket is None or ticket.is_done:
            return
        try:
            outcome = future.result()
        except BrokenExecutor as problem:
            self._lose(ticket, problem)
            return
        if self.files is not None and "missing" in outcome:
            self._supply(ticket, outcome)
            return
        ticket.is_done, self.breaks = True, 0
        self.running -= 1
        if self.weigh is not None:
            self.took.append((time.monotonic() - ticket.began) / self.weigh(ticket.job))
        if ticket.copies > 1:
            self._abandon(ticket)
        yield ticket.job, outcome if self.executor.is_here else result_of(outcome)

    def _supply(self, ticket: SubmittedJob, lack: dict[str, Any]) -> None:
        """A worker lacks files: send it the job again, with them."""
        ticket.lack, ticket.lacks = lack, ticket.lacks + 1
        if ticket.lacks > MAX_FILE_REQUESTS:
            raise JobError("a worker has asked for files {} times; is its cache folder full?", ticket.lacks)
        self._give_again([ticket])

    def _abandon(self, ticket: SubmittedJob) -> None:
        """Free the workers that do a job whose result is here."""
        for future in [future for future, other in self.given.items() if other is ticket]:
            del self.given[future]
            self.pool.abandon(future)

    def _lose(self, ticket: SubmittedJob, problem: BrokenExecutor) -> None:
        """A worker has ended before its job, or the whole pool is broken: then open another one."""
        said, lost = sentence_of(problem), [ticket]
        self.notes.append(Sentence("a worker was lost, and its job is done again: {}", said))
        if isinstance(problem, Lost):
            ticket.losses += 1
            if ticket.losses > MAX_LOSSES:
                raise JobError("a job has lost its worker {} times: {}", ticket.losses, said) from None
        else:
            self.breaks += 1
            if self.breaks > MAX_LOSSES:
                raise JobError(
                    "the executor {} broke {} times: {}", self.executor.text, self.breaks, said
                ) from None
            lost += self.given.values()
            self.given.clear()
            with contextlib.suppress(Exception):
                self.pool.shutdown(wait=False)
            self.pool = self.executor.open()
        self._give_again(lost)

    def _give_again(self, tickets: Iterable[SubmittedJob]) -> None:
        under_way = set(self.given.values())
        for ticket in dict.fromkeys(tickets):
            if not ticket.is_done and ticket not in under_way:
                ticket.is_out = False
                self.running -= 1
                self.again.append(ticket)

    # ---- looking ---------------------------------------------------------------------------------
    def _look(self) -> None:
        """From time to time: notice what is late, and machines that come and go; tell."""
        now = time.monotonic()
        if now - self.looked < POLL_SECONDS:
            return
        self.looked = now
        if self.took and self.weigh is not None and not self.executor.is_here:
            self.again.extend(self._late(now, self.weigh))
        machines = self.pool.machines()
        for name, count in machines.items():
            if name not in self.machines:
                self.notes.append(Sentence("{} has joined with {} workers", name, count))
        for name in self.machines:
            if name not in machines:
                self.notes.append(Sentence("{} has left", name))
        self.machines = machines
        if self.tell is not None:
            notes, self.notes = self.notes, []
            self.tell(JobProgress(self.running, sum(machines.values()), notes))

    def _late(self, now: float, weigh: Callable[[Any], float]) -> set[SubmittedJob]:
        """Jobs that take much longer than the others; each further copy is given out later still."""
        from statistics import median  # here, as it is slow to load

        usual = LATE_FACTOR * median(self.took)
        late = {
            ticket
            for ticket in self.given.values()
            if not ticket.is_done
            and now - ticket.began > max(usual * weigh(ticket.job), MIN_LATE_SECONDS) * ticket.copies
        }
        return late.difference(self.again)

    def close(self) -> None:
        for future in self.given:
            future.cancel()
        self.pool.shutdown(wait=False, cancel_futures=True)
