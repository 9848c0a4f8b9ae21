"""The page is told how far a compilation is, and how long it may take."""

from __future__ import annotations

import threading

from gambito.native import progress
from gambito.web import worker
from tests.support import wait_until


def test_a_compilation_tells_its_share_and_the_time_that_is_left(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    monkeypatch.setattr(worker, "TURN", 0.01)
    told, before = [], threading.active_count()
    with worker._telling([told.append], "engine"):
        with progress.compiling("engine"):
            for _ in range(30):
                progress.take_in()
            wait_until(lambda: told)
        seen = len(told)
    assert threading.active_count() == before
    assert told[0]["phase"] == "preparing" and 0.3 < told[0]["share"] < 0.4 and told[0]["seconds_left"] >= 1
    assert len(told) <= seen + 1


def test_nothing_is_told_before_the_first_question(monkeypatch, tmp_path):
    monkeypatch.setenv("GAMBITO_CACHE", str(tmp_path))
    monkeypatch.setattr(worker, "TURN", 0.001)
    with worker._telling([], "engine"), progress.compiling("engine"):
        for _ in range(30):
            progress.take_in()
