"""The pool: whose questions are answered next, and workers that are replaced."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gambito.web.pool import Job, Line, WorkerSlot
from tests.web.conftest import Client, started

RENEWING = """
import sys
from gambito.web.serve import serve
from gambito.web.server_limits import ServerLimits
limits = ServerLimits(workers=1, renewed=int(sys.argv[1]))
serve(limits, port=0, say=lambda address: print(address, flush=True))
"""
LEVEL = 1.1  # of the memory after the first thousand analyses, that all may take later


def job(client: str, address: str) -> Job:
    return Job(client, {"do": "view"}, lambda kind, content, body: None, address)


def test_no_address_has_all_workers_of_the_rules():
    line = Line(spare=1, slots=[WorkerSlot(None), WorkerSlot(None)])
    for client, address in (("a", "hostile"), ("b", "hostile"), ("c", "other")):
        line.add(job(client, address))
    taken = []
    for slot in line.slots:
        slot.job = line.next()
        taken.append(slot.job.client)
    assert taken == ["a", "c"]
    line.slots[1].job = None
    assert line.next() is None  # the hostile address has a worker, and the other one is for the rest
    line.slots[0].job = None
    assert line.next().client == "b"


def test_clients_take_turns():
    line = Line()
    for client in "aab":
        line.add(job(client, "one"))
    assert [line.next().client for _ in range(3)] == ["a", "b", "a"] and line.next() is None


def workers(pid: int) -> set[int]:
    return {int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def resident(pids: set[int]) -> float:
    """MiB that processes hold together."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_workers_are_renewed():
    with started(sys.executable, "-c", RENEWING, "3") as (address, process):
        client = Client(address)
        before = workers(process.pid)
        for _ in range(7):
            assert client.ask(do="view", game="nim")["is"] == "done"
        assert before - workers(process.pid)
        client.close()


def test_a_move_that_waits_for_a_worker_comes_at_once():
    """The only worker searches for somebody else, or compiles: who says `Move now` does not wait for it."""
    with started(sys.executable, "-c", RENEWING, "1000") as (address, _):
        busy, hasty = Client(address), Client(address)
        for one in (busy, hasty):
            one.ask(do="view", game="connect-four")
        busy.send(do="go", game="connect-four", player={"seconds": 20})
        while busy.hear().get("phase") != "searching":
            pass
        number = hasty.send(do="go", game="connect-four", player={"seconds": 20})
        hasty.send(do="stop", stop=number)
        while (told := hasty.hear())["id"] != number or told["is"] == "info":
            pass
        assert told["is"] == "done" and told["move"] in list("1234567") and told["found"] is None
        busy.close()
        hasty.close()


@pytest.mark.slow
def test_the_memory_of_the_pool_levels_off():
    """5,000 analyses of three games take no more memory than the first thousand."""
    games = ("connect-four", "othello", "chess")
    with started(sys.executable, "-c", RENEWING, "1000") as (address, process):
        client, held = Client(address), []
        for number in range(5_000):
            told = client.ask(do="analyse", game=games[number % 3], nodes=200 + number)
            assert told["is"] == "done"
            if number % 500 == 499:
                held.append(resident(workers(process.pid)))
        client.close()
    assert max(held[2:]) < LEVEL * max(held[:2]), held
