"""Jobs in this process and on processes: each result once, whatever happens to the workers."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from gambito.errors import JobError, PlayerError
from gambito.jobs import NO_JOB_YET, Executor, Rounds, choose_executor, done, read_executor
from gambito.jobs.pool import Threads
from tests.jobs import works
from tests.support import child, is_running, wait_until

CREWS = ("threads:1", "threads:3", "processes:2")


@pytest.mark.parametrize("executor", CREWS)
def test_every_job_gives_its_result_once(executor: str) -> None:
    found = list(done(read_executor(executor), works.square, range(50)))
    assert sorted(found) == [(n, n * n) for n in range(50)]


@pytest.mark.parametrize("executor", ["threads:1", "threads:3"])
def test_rounds_of_jobs_depend_on_the_results_before(executor: str) -> None:
    numbers = [1, 2, 3]
    with Rounds(read_executor(executor), works.square) as rounds:
        for _ in range(3):
            numbers = rounds.do([2 * number for number in numbers])
        assert rounds.do([]) == []
    assert numbers == [2**14, 2**14 * 2**8, 2**14 * 3**8], "in the order of the jobs"


def test_the_workers_of_a_round_stay_for_the_next() -> None:
    with Rounds(read_executor("processes:2"), works.who, weigh=None) as rounds:
        pids = rounds.do([0, 1, 2])
        assert set(rounds.do([0, 1])) == set(pids)
    wait_until(lambda: not any(map(is_running, pids)))


def test_jobs_are_taken_lazily_and_closing_ends_all() -> None:
    taken = itertools.count()
    with contextlib.closing(done(read_executor("processes:2"), works.who, taken)) as results:
        pids = {pid for _, pid in itertools.islice(results, 20)}
        assert len(pids) == 2 and os.getpid() not in pids
    assert next(taken) <= 20 + 2 * 2 + 1
    wait_until(lambda: not any(map(is_running, pids)))


def test_problems_are_raised_as_they_are_here() -> None:
    for executor in CREWS:
        with pytest.raises(PlayerError, match="2 is refused"):
            list(done(read_executor(executor), works.refuse, range(5)))
    with pytest.raises(JobError, match="a job failed: ZeroDivisionError") as caught:
        list(done(read_executor("processes:1"), works.stumble, [0]))
    assert "works.py" in caught.value.__notes__[0]  # where it happened


def test_dead_workers_are_replaced(tmp_path: Path) -> None:
    """A third of the jobs kill their worker the first time: every result comes once."""
    jobs = [
        {"folder": str(tmp_path), "number": n, "strike": signal.SIGKILL if n % 3 == 0 else 0}
        for n in range(18)
    ]
    notes = []
    heard = done(
        read_executor("processes:2"), works.struck, jobs, lambda news: notes.extend(news.notes), None
    )
    found = list(heard)  # no job is late: a copy could end before its loss is told
    assert sorted(r for _, r in found) == [n * n for n in range(18)]
    assert sum("a worker was lost" in note for note in notes) == 6


def test_a_job_that_always_kills_its_worker_is_told() -> None:
    with pytest.raises(JobError, match="a job has lost its worker 6 times"):
        list(done(read_executor("processes:1"), works.always_struck, [0]))


def test_a_frozen_worker_holds_nothing_up(tmp_path: Path) -> None:
    """Its job goes to another worker after four times the median, also while there are new jobs."""
    jobs = (
        {"folder": str(tmp_path), "number": n, "seconds": 0.2, "strike": signal.SIGSTOP if n == 5 else 0}
        for n in range(30)
    )
    came: dict[int, float] = {}
    for job, _ in done(read_executor("processes:2"), works.struck, jobs):
        came[job["number"]] = time.monotonic()
    assert sorted(came) == list(range(30))
    assert came[5] - came[4] < 4 * 0.2 + 2.0  # the rest: another worker becomes free, on a busy machine
    assert came[5] < came[29]


def test_a_worker_that_starts_slowly_comes_up(tmp_path: Path) -> None:
    """Its first job is late, and another worker does it; if it was ended for that, it would never come up."""
    pids, jobs = set(), itertools.repeat(str(tmp_path))
    with contextlib.closing(done(read_executor("processes:2"), works.start_slowly, jobs)) as results:
        deadline = time.monotonic() + 30
        while len(pids) < 2:
            pids.add(next(results)[1])
            assert time.monotonic() < deadline


PARENT = """
import sys
from gambito.jobs import done, read_executor
from tests.jobs import works
print(len(list(done(read_executor("processes:2"), works.square, range(4)))), flush=True)
list(done(read_executor("processes:2"), works.endless, [{"folder": sys.argv[1]}] * 2))
"""


def test_workers_end_with_their_parent_and_do_not_run_its_script(tmp_path: Path) -> None:
    """The script has no main guard: it is not run again by the workers."""
    script, marks = tmp_path / "script.py", tmp_path / "marks"
    script.write_text(PARENT)
    marks.mkdir()
    here = str(Path(__file__).resolve().parents[2])
    given = {"env": {**os.environ, "PYTHONPATH": here}, "stdout": -1, "text": True}
    with child(sys.executable, str(script), str(marks), **given) as parent:
        wait_until(lambda: len(list(marks.iterdir())) == 2)
        pids = [int(path.name) for path in marks.iterdir()]
        parent.send_signal(signal.SIGKILL)
        assert parent.communicate()[0] == "4\n"
    wait_until(lambda: not any(map(is_running, pids)), 10)


def test_jobs_may_depend_on_results() -> None:
    """Each job is given when the one before it has ended."""
    known = [2]

    def squares():
        for number in range(4):
            while len(known) <= number:
                yield NO_JOB_YET
            yield known[number]

    for _, result in done(read_executor("processes:2"), works.square, squares()):
        known.append(result)
    assert known == [2, 4, 16, 256, 65536]


class Breaking(Threads):
    """A pool that breaks as a whole when it has been given some jobs."""

    left = 0

    def submit(self, function, /, *args, **_):
        self.left -= 1
        if self.left < 0:
            raise BrokenExecutor("it broke")
        return super().submit(function, *args)


def test_a_broken_pool_is_opened_again() -> None:
    def open_pool() -> Breaking:
        opened.append(Breaking(2))
        opened[-1].left = jobs
        return opened[-1]

    opened: list[Breaking] = []
    executor, jobs = Executor("processes:2", open_pool), 4
    found = list(done(executor, works.square, range(20)))
    assert sorted(found) == [(n, n * n) for n in range(20)] and len(opened) > 2
    jobs = 0
    with pytest.raises(JobError, match="broke 6 times: it broke"):
        list(done(executor, works.square, range(20)))


def test_a_thousand_workers_cost_the_driver_little() -> None:
    """The driver's time for a job does not grow with the number of workers."""

    def cost(workers: int) -> float:
        pool = Threads(1)
        pool.count = workers
        began = time.thread_time()
        assert len(list(done(Executor("threads:1", lambda: pool), works.square, range(3000)))) == 3000
        return time.thread_time() - began

    few, many = (min(cost(workers) for _ in range(3)) for workers in (1, 1000))  # others use the machine too
    assert many < 4 * few + 0.1


def test_crews_are_read_and_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in ("", "threads", "threads:0", "processes:-1", "processes:9999", "threads:1x", "mpi:4"):
        with pytest.raises(JobError, match="is not an executor; accepted: threads:N, processes:N"):
            read_executor(wrong)
    monkeypatch.delenv("GAMBITO_CLUSTER", raising=False)
    assert choose_executor(1).text == "threads:1" and choose_executor(3).text == "processes:3"
    assert choose_executor(usual=1).text == "threads:1"
    assert choose_executor(3, "threads:2").text == "threads:2"
    assert (
        choose_executor(8).at_most(3).text == "processes:3"
        and choose_executor(2).at_most(3).text == "processes:2"
    )
    assert choose_executor(8).here.text == "threads:8"
    monkeypatch.setenv("GAMBITO_CLUSTER", "processes:5")
    assert choose_executor().text == "processes:5" and choose_executor(2).text == "processes:2"
