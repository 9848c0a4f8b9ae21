"""The pool of workers, which distributes the questions of all clients over a few processes.

Questions about the rules go to workers of their own and never wait for a search; no address has all of these
workers at once. The clients take turns with their searches, one search each. A search that has used its share
of time ends when another client waits; a compilation before it, which cannot be stopped, does not count.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from gambito.web.requests import SEARCHES
from gambito.web.server_limits import SEARCHING, ServerLimits
from gambito.web.worker import Worker
from gambito.words.sentence import Sentence

TICK = 0.1  # seconds between two checks of the running jobs
RULES_WORKERS = 2
HURRIED = frozenset({"go", "seat_go"})  # the questions for a move
GRACE = 60.0  # seconds that a stopped search may take to end: a compilation cannot be stopped

Answer = Callable[[str, dict[str, Any], bytes | None], None]


@dataclass(eq=False)
class Job:
    """A question that waits for a worker or is being answered."""

    client: Hashable
    question: dict[str, Any]
    answer: Answer
    address: str = ""  # that the client connects from
    began: float | None = None  # when a worker received it
    searching: float | None = None  # when everything was compiled, and the search itself began
    stopped: float | None = None  # when it was stopped
    is_dropped: bool = False  # no client waits for the answer

    @property
    def is_search(self) -> bool:
        return self.question["do"] in SEARCHES and "hurried" not in self.question


@dataclass(eq=False)
class WorkerSlot:
    """A worker and its current job."""

    worker: Worker
    job: Job | None = None
    answered: int = 0  # questions, since the process began


@dataclass(eq=False)
class Line:
    """The queue of a group of workers: the waiting clients, each with its questions."""

    spare: int = 0  # workers that one address never has
    slots: list[WorkerSlot] = field(default_factory=list)
    waiting: OrderedDict[Hashable, deque[Job]] = field(default_factory=OrderedDict)

    def add(self, job: Job) -> None:
        self.waiting.setdefault(job.client, deque()).append(job)

    def remove(self, job: Job) -> None:
        """Take a question out of the queue again."""
        jobs = self.waiting.get(job.client, deque())
        if job in jobs:
            jobs.remove(job)
        if not jobs:
            self.waiting.pop(job.client, None)

    def next(self) -> Job | None:
        """Return the next question of the first client, and move this client to the end of the queue.

        Clients whose address would have all workers wait.
        """
        held = Counter(slot.job.address for slot in self.slots if slot.job is not None)
        for client, jobs in list(self.waiting.items()):
            while jobs and jobs[0].is_dropped:
                jobs.popleft()
            if jobs and self.spare and held[jobs[0].address] >= len(self.slots) - self.spare:
                continue
            del self.waiting[client]
            if jobs:
                job = jobs.popleft()
                if jobs:
                    self.waiting[client] = jobs
                return job
        return None


class Pool:
    """The workers of a server."""

    def __init__(self, server: ServerLimits) -> None:
        self.server = server
        self.rules, self.searches = Line(spare=1), Line()
        self.ticker: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self.rules.slots = [self._slot(self.rules) for _ in range(RULES_WORKERS)]
        self.searches.slots = [self._slot(self.searches) for _ in range(self.server.workers)]
        self.ticker = asyncio.create_task(self._watch())
        if self.server.workers > 1:  # the page opens with the first game, so compile its engine
            self.ask(Job(self, {"do": "warm"}, lambda kind, content, body: None))

    async def close(self) -> None:
        if self.ticker is not None:
            self.ticker.cancel()
        for slot in (*self.rules.slots, *self.searches.slots):
            slot.worker.close()

    def _slot(self, line: Line) -> WorkerSlot:
        slot: WorkerSlot

        def hear(number: int, kind: str, content: dict[str, Any], body: bytes | None) -> None:
            self._heard(line, slot, kind, content, body)

        slot = WorkerSlot(Worker(self.server, hear, lambda how: self._lost(line, slot, how)))
        return slot

    # ---- questions -------------------------------------------------------------------------------
    def ask(self, job: Job) -> None:
        line = self._line(job)
        line.add(job)
        self._serve(line)

    def stop(self, job: Job) -> None:
        """Stop a search, which then answers with what it has found.

        One that waits ends with an error; a move that waits is chosen at once, by a worker of the rules.
        """
        slot = self._at(job)
        if slot is not None:
            job.stopped = job.stopped or time.monotonic()
            slot.worker.stop()
        elif not job.is_dropped and job.began is None and job.question["do"] in HURRIED:
            self.searches.remove(job)
            job.question = {**job.question, "hurried": True}
            self.ask(job)
        elif not job.is_dropped and job.began is None:
            job.is_dropped = True
            job.answer("error", {"text": Sentence("stopped before it began")}, None)

    def drop(self, client: Hashable) -> None:
        """End all jobs of a client that has disconnected."""
        for line in (self.rules, self.searches):
            line.waiting.pop(client, None)
            for slot in line.slots:
                if slot.job is not None and slot.job.client == client:
                    slot.job.is_dropped = True
                    self.stop(slot.job)

    def _line(self, job: Job) -> Line:
        return self.searches if job.is_search else self.rules

    def _at(self, job: Job) -> WorkerSlot | None:
        return next((slot for slot in self._line(job).slots if slot.job is job), None)

    def _serve(self, line: Line) -> None:
        for slot in sorted(
            line.slots, key=lambda slot: slot.answered == 0
        ):  # a new process starts for a while
            if slot.job is None:
                job = line.next()
                if job is None:
                    return
                slot.job, job.began = job, time.monotonic()
                slot.worker.ask(job.question)

    # ---- workers ---------------------------------------------------------------------------------
    def _heard(
        self, line: Line, slot: WorkerSlot, kind: str, content: dict[str, Any], body: bytes | None
    ) -> None:
        job = slot.job
        if job is None:
            return
        if kind == "info" and content.get("phase") == SEARCHING:
            job.searching = job.searching or time.monotonic()
        if not job.is_dropped:
            job.answer(kind, content, body)
        if kind != "info":
            slot.job = None
            self._renew(slot)
            self._serve(line)

    def _renew(self, slot: WorkerSlot) -> None:
        """Replace a process that has answered many questions: what it has piled up goes with it."""
        slot.answered += 1
        if slot.answered >= self.server.renewed:
            slot.worker.restart()
            slot.answered = 0

    def _lost(self, line: Line, slot: WorkerSlot, text: Sentence) -> None:
        """Replace a worker that has ended. Its question fails, and the new worker takes the next one."""
        job, slot.job, slot.answered = slot.job, None, 0
        if job is not None and not job.is_dropped:
            job.answer("error", {"text": text}, None)
        self._serve(line)

    async def _watch(self) -> None:
        """Enforce the shares and limits of time."""
        while True:
            await asyncio.sleep(TICK)
            for line in (self.rules, self.searches):
                for slot in line.slots:
                    if slot.job is not None:
                        self._check(line, slot, slot.job, time.monotonic())

    def _check(self, line: Line, slot: WorkerSlot, job: Job, now: float) -> None:
        took, searched = now - (job.began or now), now - (job.searching or now)
        others = any(client != job.client for client in line.waiting)
        if job.is_search and others and searched > self.server.share and job.stopped is None:
            self.stop(job)
        longest = self.server.patience if job.is_search else self.server.haste
        is_stuck = job.stopped is not None and now - job.stopped > GRACE
        if took > longest or is_stuck:
            slot.worker.restart()
            self._lost(line, slot, Sentence("this took too long and was ended"))
