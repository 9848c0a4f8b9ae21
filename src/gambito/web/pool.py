"""Who is served when: questions of all clients over a few workers, in turns.

Questions about the rules go to a worker of their own and never wait for a search. Searches are taken from the
clients in turn, one each; a search that has had its share is ended as soon as another client waits.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

from gambito.web.server_limits import ServerLimits
from gambito.web.worker import Worker
from gambito.words.sentence import Sentence

SEARCHES = frozenset({"go", "analyse", "review", "trace", "warm"})
TICK = 0.1  # seconds between two looks at what runs
GRACE = 60.0  # seconds that a stopped search may take to end: what is being compiled cannot be stopped

_ENDED = Sentence("the worker ended; perhaps there was no memory left")

Answer = Callable[[str, dict[str, Any], bytes | None], None]


@dataclass(eq=False)
class Job:
    """A question on its way."""

    client: Hashable
    question: dict[str, Any]
    answer: Answer
    began: float | None = None  # when a worker got it
    stopped: float | None = None  # when it was told to end
    is_dropped: bool = False  # nobody waits for it any more

    @property
    def is_search(self) -> bool:
        return self.question["do"] in SEARCHES


@dataclass(eq=False)
class WorkerSlot:
    """A worker and the job it does now."""

    worker: Worker
    job: Job | None = None


@dataclass(eq=False)
class Line:
    """The clients who wait for some workers, each with its own questions."""

    slots: list[WorkerSlot] = field(default_factory=list)
    waiting: OrderedDict[Hashable, deque[Job]] = field(default_factory=OrderedDict)

    def add(self, job: Job) -> None:
        self.waiting.setdefault(job.client, deque()).append(job)

    def next(self) -> Job | None:
        """The next question of the client whose turn it is; it goes to the end of the line."""
        while self.waiting:
            client, jobs = self.waiting.popitem(last=False)
            job = jobs.popleft()
            if jobs:
                self.waiting[client] = jobs
            if not job.is_dropped:
                return job
        return None


class Pool:
    """The workers of a server."""

    def __init__(self, server: ServerLimits) -> None:
        self.server = server
        self.rules, self.searches = Line(), Line()
        self.ticker: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self.rules.slots = [self._slot(self.rules)]
        self.searches.slots = [self._slot(self.searches) for _ in range(self.server.workers)]
        self.ticker = asyncio.create_task(self._watch())
        if self.server.workers > 1:  # the page opens with the first game: have its engine ready
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

        slot = WorkerSlot(Worker(self.server, hear, lambda: self._lost(line, slot)))
        return slot

    # ---- questions -------------------------------------------------------------------------------
    def ask(self, job: Job) -> None:
        line = self._line(job)
        line.add(job)
        self._serve(line)

    def stop(self, job: Job) -> None:
        """End a search with what it has; one that has not begun ends without an answer."""
        slot = self._at(job)
        if slot is not None:
            job.stopped = job.stopped or time.monotonic()
            slot.worker.stop()
        elif not job.is_dropped and job.began is None:
            job.is_dropped = True
            job.answer("error", {"text": Sentence("stopped before it began")}, None)

    def drop(self, client: Hashable) -> None:
        """A client is gone: nothing of it goes on."""
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
        for slot in line.slots:
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
        if not job.is_dropped:
            job.answer(kind, content, body)
        if kind != "info":
            slot.job = None
            self._serve(line)

    def _lost(self, line: Line, slot: WorkerSlot, text: Sentence = _ENDED) -> None:
        """A worker died or was ended: its question fails, the next one goes to its successor."""
        job, slot.job = slot.job, None
        if job is not None and not job.is_dropped:
            job.answer("error", {"text": text}, None)
        self._serve(line)

    async def _watch(self) -> None:
        """Keep shares and limits of time."""
        while True:
            await asyncio.sleep(TICK)
            for line in (self.rules, self.searches):
                for slot in line.slots:
                    if slot.job is not None:
                        self._check(line, slot, slot.job, time.monotonic())

    def _check(self, line: Line, slot: WorkerSlot, job: Job, now: float) -> None:
        took = now - (job.began or now)
        others = any(client != job.client for client in line.waiting)
        if job.is_search and others and took > self.server.share and job.stopped is None:
            self.stop(job)
        longest = self.server.patience if job.is_search else self.server.haste
        is_stuck = job.stopped is not None and now - job.stopped > GRACE
        if took > longest or is_stuck:
            slot.worker.restart()
            self._lost(line, slot, Sentence("this took too long and was ended"))
