"""Tables as jobs: slices that are built side by side, and tables that are verified by ranges of numbers.

A slice is given out when the tables of all slices that it converts to are there. The files of the tables,
each put in place in one step, are all that a build keeps: what was killed continues from them, and a slice
that was built twice has the same bytes.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from gambito.endgames.builder import METRICS, Builder, Loaded, Progress, Report, memory_of, room, slice_of
from gambito.endgames.files import TableFile, table_bytes
from gambito.endgames.tables import BETWEEN, TableSet, open_table
from gambito.errors import EndgameError
from gambito.game.contract import Game
from gambito.game.gears import gears
from gambito.game.registry import load, load_kept, spec_of
from gambito.game.remote_files import files_of_game
from gambito.jobs import NO_JOB_YET, Executor, JobProgress, choose_executor, done
from gambito.jobs.files import Needed
from gambito.native.files import only_writer, put_file

RANGE = 1 << 22  # numbers that are verified in one job

Job = dict[str, Any]
Tell = Callable[[JobProgress], Any]


class _Ended(Exception):
    """Nobody waits for the table any more."""


# ---- building ----------------------------------------------------------------------------------------


class Building:
    """The tables of a game that are wanted, and those of them that have to be built."""

    def __init__(
        self,
        game: str | Game,
        names: list[str],
        where: Path | None = None,
        metric: str = METRICS[0],
        threads: int = 1,
        between: float = BETWEEN,
    ) -> None:
        rules = load(game)
        self.game, self.metric, self.threads, self.between = game, metric, threads, between
        self.shelf, self._builder = TableSet(rules, where), Builder(rules, metric, threads)
        self.names = self.shelf.order(names)
        self.missing = [name for name in self.names if not self.shelf.is_there(name, metric)]
        self.sizes = {name: slice_of(rules, name)[1] or 0 for name in self.missing}
        self.lower = {name: self.shelf.lower(name) for name in self.missing}
        self.memory = {
            name: self._builder.check_memory(name, size, _entries(rules, self.lower[name]))
            for name, size in self.sizes.items()
        }
        self.now: dict[str, Progress] = {}  # what is built in this process

    def run(self, executor: Executor, tell: Tell | None = None) -> Iterator[tuple[str, float]]:
        """Build what is missing; yield the name of each table when it is there, and the seconds it took.

        Workers on this machine write the files, and continue those that were interrupted. A cluster sends
        them, and they are written here. One process at a time builds tables of a game in a folder.
        """
        refusal = EndgameError(
            "tables of {} are being built in {}", self.shelf.game.label(), self.shelf.place
        )
        with only_writer(self.shelf.place / "tables", refusal) if self.missing else nullcontext():
            yield from self._run(executor, tell)

    def _run(self, executor: Executor, tell: Tell | None) -> Iterator[tuple[str, float]]:
        for name in set(self.names).difference(self.missing):
            self.shelf.tidy(name)
        if len(self.missing) <= 1 and not executor.is_cluster:
            executor = choose_executor(1)
        is_over = threading.Event()

        def report(progress: Progress) -> None:
            if is_over.is_set():
                raise _Ended
            self.now[progress.name] = progress

        rules = self.shelf.game
        work = partial(build_table, rules=rules, report=report) if executor.is_here else build_table
        under_way: set[str] = set()
        jobs = self._jobs(executor, under_way)
        weigh = _numbers if executor.is_cluster else None  # a second copy would need the memory again
        try:
            with closing(done(executor, work, jobs, tell, weigh, files_of_job)) as results:
                for job, made in results:
                    name = job["slice"]
                    if made["table"] is not None:
                        put_file(self.shelf.path(name), [made["table"]])
                    under_way.discard(name)
                    self.now.pop(name, None)
                    yield name, made["seconds"]
        finally:
            is_over.set()

    def _jobs(self, executor: Executor, under_way: set[str]) -> Iterator[Any]:
        """Slices that can be built now: all that they convert to is there, and they fit into memory together.
        The one that most of the work waits for comes first."""
        if not executor.is_here:
            self._builder.prepare()  # while the workers start; they find the code
        free = math.inf if executor.is_cluster else room()
        ahead = self._ahead()
        waiting = sorted(self.missing, key=lambda name: ahead[name], reverse=True)
        while waiting:
            used = sum(self.memory[name] for name in under_way)
            absent = {*waiting, *under_way}
            for name in waiting:
                is_fitting = not under_way or used + self.memory[name] <= free
                if is_fitting and absent.isdisjoint(self.lower[name]):
                    waiting.remove(name)
                    under_way.add(name)
                    yield self._job(executor, name)
                    break
            else:
                yield NO_JOB_YET

    def _job(self, executor: Executor, name: str) -> Job:
        return {
            "game": None if executor.is_here else spec_of(self.game),
            "slice": name,
            "metric": self.metric,
            "threads": self.threads,
            "between": self.between,
            "where": None if executor.is_cluster else str(self.shelf.place.parent),
            "lower": {other: str(self.shelf.path(other)) for other in self.lower[name]},
            "size": self.sizes[name],
        }

    def _ahead(self) -> dict[str, int]:
        """For each slice, the numbers of the longest chain that begins with it, each needed by the next."""
        found: dict[str, int] = {}
        for name in reversed(self.missing):  # a slice comes before those that need it
            above = [found[other] for other in found if name in self.lower[other]]
            found[name] = self.sizes[name] + max(above, default=0)
        return found


def _entries(rules: Game, names: list[str]) -> int:
    """The numbers of these slices together."""
    return sum(int(rules.slice_size(rules.slice_code(name))) for name in names)


def files_of_job(job: Job) -> list[Needed]:
    """The rules and the tables that another machine needs for a job."""
    tables = [*job["lower"].values(), *filter(None, [job.get("path")])]
    return [*files_of_game(job["game"]), *(Needed.file(path, path) for path in tables)]


def _numbers(job: Job) -> float:
    return float(max(job["size"], 1))


def build_table(job: Job, rules: Game | None = None, report: Report | None = None) -> dict[str, Any]:
    """Build the table of a slice: write its file, or return its bytes where no folder is named."""
    rules, name, threads = rules or load_kept(job["game"]), job["slice"], job["threads"]
    builder = Builder(rules, job["metric"], threads)
    where = None if job["where"] is None else Path(job["where"])
    shelf = TableSet(rules, where)
    if where is not None and shelf.is_there(name, job["metric"]):  # by a worker that was lost afterwards
        shelf.tidy(name)
        return {"seconds": 0.0, "table": None}
    lower = [open_table(rules, other, Path(path)).read() for other, path in job["lower"].items()]
    if where is not None:
        made = shelf.build(name, job["metric"], threads, report, job["between"], builder, lower)
        return {"seconds": made.seconds, "table": None}
    made = builder.build(name, lower)
    pieces = table_bytes(rules.label(), gears(rules).rules_digest, made, threads)
    return {"seconds": made.seconds, "table": b"".join(pieces)}


# ---- verifying ---------------------------------------------------------------------------------------


@dataclass
class Verdict:
    """What a verification has found."""

    name: str
    real: int = 0  # states that were looked at
    wrong: int | None = None  # the first number with a wrong value


class Verifying:
    """Tables of a game that are verified: the files whose values are derived again from their successors."""

    def __init__(
        self, game: str | Game, names: list[str], where: Path | None = None, threads: int = 1
    ) -> None:
        self.game, self.threads = game, threads
        self.shelf = TableSet(load(game), where)
        self.files: dict[str, TableFile] = {name: self.shelf.open(name) for name in names}
        self.lower = {name: self.shelf.lower(name) for name in names}
        for other in {other for lower in self.lower.values() for other in lower}.difference(names):
            self.shelf.open(other)
        self.verdicts = {name: Verdict(name) for name in names}

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files.values())

    def run(self, executor: Executor, tell: Tell | None = None) -> Iterator[tuple[str, int]]:
        """Verify all values; yield a slice and how many of its numbers were looked at, again and again. Then
        the verdicts are whole."""
        most = max((self._memory(name) for name in self.files), default=0)
        executor = executor.at_most(max(1, room() // max(most, 1)))
        work = _Reader(self.shelf.game).verify if executor.is_here else verify_range
        with closing(done(executor, work, self._jobs(executor), tell, _numbers, files_of_job)) as results:
            for job, found in results:
                verdict = self.verdicts[job["slice"]]
                verdict.real += found["real"]
                wrong = [number for number in (verdict.wrong, found["wrong"]) if number is not None]
                verdict.wrong = min(wrong, default=None)
                yield verdict.name, job["size"]
        for name, verdict in self.verdicts.items():
            stored = self.files[name].facts["real"]
            if verdict.wrong is None and verdict.real != stored:
                raise EndgameError(
                    "{} has {:,} positions, and {:,} are real", self.files[name].path, stored, verdict.real
                )

    def _memory(self, name: str) -> int:
        return memory_of(self.files[name].size, _entries(self.shelf.game, self.lower[name]))

    def _jobs(self, executor: Executor) -> Iterator[Job]:
        if not executor.is_here:
            Builder(self.shelf.game, threads=self.threads).prepare(is_comparing=True)
        text = None if executor.is_here else spec_of(self.game)
        for name, file in self.files.items():
            each = max(file.size, 1) if file.facts["listed"] else RANGE
            for first in range(0, max(file.size, 1), each):
                last = min(first + each, file.size)
                yield {
                    "game": text,
                    "slice": name,
                    "metric": file.facts["metric"],
                    "threads": self.threads,
                    "path": str(file.path),
                    "lower": {other: str(self.shelf.path(other)) for other in self.lower[name]},
                    "first": first,
                    "last": last,
                    "size": last - first,
                }


class _Reader:
    """Verifies ranges, and keeps the table that was read last, since the next range is likely to be of it."""

    def __init__(self, rules: Game | None = None) -> None:
        self._rules = rules
        self._lock = threading.Lock()
        self._mark: Any = None
        self._loaded: Loaded | None = None

    def verify(self, job: Job) -> dict[str, Any]:
        """The states of a range, and the first number with a wrong value."""
        rules = self._rules or load_kept(job["game"])
        builder = Builder(rules, job["metric"], job["threads"])
        real, wrong = builder.compare(self._load(job, rules, builder), job["first"], job["last"])
        return {"real": real, "wrong": wrong}

    def _load(self, job: Job, rules: Game, builder: Builder) -> Loaded:
        paths = {job["slice"]: job["path"], **job["lower"]}
        mark = [job["game"], *((path, Path(path).stat().st_mtime_ns) for path in paths.values())]
        with self._lock:
            if self._loaded is None or mark != self._mark:
                self._loaded = None  # its memory is needed now
                table, *lower = (open_table(rules, name, Path(path)).read() for name, path in paths.items())
                self._loaded, self._mark = builder.load(table, lower), mark
            return self._loaded


_reader = _Reader()  # of a worker


def verify_range(job: Job) -> dict[str, Any]:
    """Verify a range of the numbers of a table."""
    return _reader.verify(job)
