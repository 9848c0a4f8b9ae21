"""Waiting times: the first compilation of every algorithm, its loading in a second process, the first answer.

Every number comes from a separate process. The first processes find an empty cache folder, the second ones
find what the first ones stored there.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from typing import Any

from report import Requirement, text_table

from gambito.search.algorithm import algorithms

COMMAND = [sys.executable, "-m", "gambito", "best", "connect-four", "--depth", "8"]
ROUNDS = 5
CHILD = """
import json, sys, time
import gambito
began = time.process_time()
found = gambito.search("connect-four", algorithm=sys.argv[1], depth=1)
print(json.dumps([found.compile_seconds, time.process_time() - began]))
"""


def run(args: Any) -> list[Requirement]:
    rows, slowest, crashed = [], 0.0, 0
    for name in algorithms():
        with tempfile.TemporaryDirectory() as folder:
            wall, cpu = _compile(name, folder)
            try:
                loaded, _ = _compile(name, folder)
                again = f"{loaded:.2f}"
            except RuntimeError as problem:
                again = str(problem)
                crashed += 1
            rows.append([name, f"{cpu:.2f}", f"{wall:.2f}", again])
            slowest = max(slowest, cpu)
    print("connect-four, one process each\n")
    print(text_table(["algorithm", "compiled: CPU s", "s", "second process, from disk: s"], rows))
    return [
        Requirement("slowest first compilation, CPU", slowest, most=6, unit="s"),
        Requirement("algorithms that fail in a second process", crashed, most=0),
        *_first_answer(),
    ]


def _compile(name: str, folder: str) -> tuple[float, float]:
    """Return the seconds and processor seconds until an algorithm is ready in a new process."""
    environment = {**os.environ, "GAMBITO_CACHE": folder}
    done = subprocess.run(
        [sys.executable, "-c", CHILD, name], env=environment, capture_output=True, text=True
    )
    if done.returncode < 0:
        raise RuntimeError(f"killed by signal {-done.returncode}")
    if done.returncode:
        raise RuntimeError(f"failed: {done.stderr.strip().splitlines()[-1]}")
    wall, cpu = json.loads(done.stdout)
    return wall, cpu


def _first_answer() -> list[Requirement]:
    """Measure the command line from start to answer."""
    if find_spec("gambito.cli") is None or find_spec("gambito.cli.main") is None:
        print("\nthere is no command line to measure")
        return []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "GAMBITO_CACHE": folder}
        cold = _command(environment)
        warm = [_command(environment) for _ in range(ROUNDS)]
    wall, cpu = min(w for w, _ in warm), min(c for _, c in warm)
    print("\ngambito best connect-four --depth 8, from start to answer\n")
    rows = [["empty cache", *(f"{s:.2f}" for s in cold)], ["warm cache, best", f"{wall:.2f}", f"{cpu:.2f}"]]
    print(text_table(["", "s", "CPU s"], rows))
    return [Requirement("first answer from a warm cache", wall, most=1.5, unit="s")]


def _command(environment: dict[str, str]) -> tuple[float, float]:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(COMMAND, env=environment, check=True, capture_output=True)
    took = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
