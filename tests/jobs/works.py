"""Functions that the tests of jobs give to workers."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from pathlib import Path
from typing import Any

from numba.core import event

import gambito
from gambito.errors import PlayerError


def square(job: Any) -> Any:
    return job * job


def who(job: Any) -> int:
    time.sleep(0.1)
    return os.getpid()


_started: list[str] = []


def start_slowly(folder: str) -> int:
    """The first job takes long in all processes but one, as where they load machine code."""
    if not _started:
        try:
            Path(folder, "first").mkdir()
        except FileExistsError:
            time.sleep(2.0)
    _started.append(folder)
    time.sleep(0.002)
    return os.getpid()


def refuse(job: Any) -> None:
    if job == 2:
        raise PlayerError("{} is refused", job)


def stumble(job: Any) -> float:
    return 1 / job


def struck(job: dict[str, Any]) -> int:
    """Meet what the job tells, the first time that it is done: a file remembers that it was."""
    mark = Path(job["folder"]) / f"{job['number']}"
    if job.get("strike") and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), job["strike"])
    time.sleep(job.get("seconds", 0))
    return job["number"] ** 2


def always_struck(job: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def endless(job: dict[str, Any]) -> None:
    """Tell that the work has begun, and never end it."""
    Path(job["folder"], str(os.getpid())).touch()
    while True:
        time.sleep(0.05)


def search_elsewhere(job: dict[str, Any]) -> dict[str, Any]:
    """Search, and tell what was compiled for it, and where."""
    with event.install_recorder("numba:compile") as compiled:
        found = gambito.search(
            gambito.load(job["game"]), algorithm=job["algorithm"], depth=job["depth"], gear=job["gear"]
        )
    tables = Path(os.environ["GAMBITO_TABLES"])
    return {
        "value": found.value,
        "nodes": found.nodes,
        "compiled": len(compiled.buffer),
        "folder": os.getcwd(),
        "game": job["game"],
        "tables": sorted(path.relative_to(tables).as_posix() for path in tables.rglob("*.table")),
    }


def counted(job: dict[str, Any]) -> dict[str, Any]:
    """Take some time, and leave a mark for each execution."""
    Path(job["folder"], f"{job['number']}.{os.getpid()}.{time.time_ns()}").touch()
    time.sleep(job["seconds"])
    return {"number": job["number"], "digest": hashlib.sha256(str(job["number"]).encode()).hexdigest()}
