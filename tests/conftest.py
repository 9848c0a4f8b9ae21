"""What holds for all tests: none leaves a process running, none fails because the machine is busy, and none
reads or writes the folders of the user who runs them, or speaks that user's language.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 10.0  # seconds in which a process that was told to end has to end
BECOME_REAPER = 36  # prctl's PR_SET_CHILD_SUBREAPER

settings.register_profile("tests", deadline=None)
settings.load_profile("tests")


def pytest_configure(config: pytest.Config) -> None:
    """Use folders of our own: no endgame tables but what a test builds, and machine code of tests."""
    tables = tempfile.mkdtemp(prefix="gambito-no-tables-")
    config.add_cleanup(lambda: shutil.rmtree(tables, ignore_errors=True))
    os.environ["GAMBITO_TABLES"] = tables
    os.environ["GAMBITO_LANGUAGE"] = "en"
    os.environ["GAMBITO_CACHE"] = os.environ.get("GAMBITO_CACHE") or str(ROOT / ".cache" / "tests")


@pytest.fixture(scope="session", autouse=True)
def nothing_left_running() -> Iterator[None]:
    """Fails after the last test where a child, or a child's child, still runs; and ends it."""
    if not Path("/proc/self/stat").exists():
        yield
        return
    # A process whose parent has ended becomes ours, and not the system's: so it is seen here.
    ctypes.CDLL(None).prctl(BECOME_REAPER, 1, 0, 0, 0)
    yield
    deadline = time.monotonic() + PATIENCE
    while (left := descendants(os.getpid())) and time.monotonic() < deadline:
        time.sleep(0.05)
    for pid in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    assert not left, f"left running: {sorted(left.values())}"


def descendants(root: int) -> dict[int, str]:
    """The processes below one that still run, each with its command line; not Python's own helper."""
    parents: dict[int, int] = {}
    commands: dict[int, str] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            state, parent = (folder / "stat").read_text().rpartition(") ")[2].split()[:2]
            command = (folder / "cmdline").read_text().replace("\0", " ").strip()
            parents[int(folder.name)] = int(parent)
            if state != "Z" and "multiprocessing.resource_tracker" not in command:
                commands[int(folder.name)] = command
    below: set[int] = {root}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    return {pid: command for pid, command in commands.items() if pid in below - {root}}


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No check before the first search: for games whose rules are broken on purpose."""
    monkeypatch.setenv("GAMBITO_CHECK", "0")
