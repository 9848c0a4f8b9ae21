"""Fresh interpreters: what they compute, how often they compile, what they warn of."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gambito
from tests.support import child

SOURCES = Path(gambito.__file__).resolve().parent.parent

# Counts the leaves of games four plies deep and tells what that cost.
COUNT = """
import json, sys, warnings
from numba.core import event
import gambito
compiled = event.RecordingListener()
event.register("numba:compile", compiled)
reports = []
for spec in sys.argv[1:]:
    compiled.buffer.clear()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = gambito.perft(spec, depth=4, gear="native")
    reports.append({
        "answer": answer,
        "truth": gambito.perft(spec, depth=4, gear="python"),
        "compiled": len(compiled.buffer),
        "warnings": [str(w.message) for w in told if w.category.__name__ == "CacheWarning"],
    })
print(json.dumps(reports))
"""

# The smallest game there is: take one or two until nothing is left. A state is twice the heap plus the mover.
TAKE = """
from gambito import Game

MOST = 2

class Take(Game):
    def __init__(self, heap: int = 9):
        self.heap = heap

    def initial(self):
        return 2 * self.heap

    def player(self, state):
        return state & 1

    def actions(self, state):
        for taken in range(1, MOST + 1):
            if taken <= state >> 1:
                yield taken

    def result(self, state, action):
        return (state - 2 * action) ^ 1

    def is_terminal(self, state):
        return state >> 1 == 0

    def utility(self, state, player):
        return -1 if player == state & 1 else 1
"""


@pytest.fixture(scope="session")
def take() -> str:
    """The text of a small game, to be changed and written to a file."""
    return TAKE


@pytest.fixture(autouse=True)
def search_alone(unchecked: None) -> None:
    """These tests count what is compiled for a search; its first check would add to it."""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a fresh interpreter on a script; `cache` is its cache folder, `sources` holds the package."""

    running = contextlib.ExitStack()

    def started(
        script: str, *args: object, cache: object = None, sources: Path = SOURCES
    ) -> subprocess.Popen:
        environment = {**os.environ, "GAMBITO_CACHE": str(cache or tmp_path / "cache")}
        environment["PYTHONPATH"] = str(sources)
        # Bytecode is taken for fresh if a file changes within a second and keeps its size.
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        command = (sys.executable, "-c", script, *map(str, args))
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return running.enter_context(child(*command, cwd=tmp_path, env=environment, **pipes))

    with running:
        yield started


@pytest.fixture
def fresh(start: Callable[..., subprocess.Popen]) -> Callable[..., Any]:
    """What a script prints as JSON in a fresh interpreter."""

    def ran(script: str, *args: object, **where: Any) -> Any:
        return finish(start(script, *args, **where))

    return ran


@pytest.fixture
def count_all(fresh: Callable[..., Any]) -> Callable[..., dict[str, Any]]:
    """Count leaves of games in one fresh interpreter; whatever it costs, the answers are right."""

    def counted(*specs: str, **where: Any) -> dict[str, Any]:
        reports = fresh(COUNT, *specs, **where)
        assert [r["answer"] for r in reports] == [r["truth"] for r in reports]
        return dict(zip(specs, reports, strict=True))

    return counted


@pytest.fixture
def count(count_all: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """The same for one game."""
    return lambda spec, **where: count_all(spec, **where)[spec]


@pytest.fixture
def count_at_once(start: Callable[..., subprocess.Popen]) -> Callable[..., list[dict[str, Any]]]:
    """The same count in several fresh interpreters that run at the same time."""

    def counted(spec: object, processes: int) -> list[dict[str, Any]]:
        return [finish(p)[0] for p in [start(COUNT, spec) for _ in range(processes)]]

    return counted


def finish(process: subprocess.Popen) -> Any:
    printed, complaint = process.communicate(timeout=300)
    assert process.returncode == 0, complaint
    return json.loads(printed)
