"""Clusters that are struck in the middle: every result comes once, and nothing is held up for long."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from tests.jobs.clusters import Cluster, dask_cluster, ray_cluster
from tests.support import child, wait_until

pytestmark = pytest.mark.slow

JOBS, SECONDS, BEFORE = 40, 0.5, 12


@contextlib.contextmanager
def cluster_of(kind: str, folder: Path, second: Mapping[str, str] = {}) -> Iterator[Cluster]:
    """A cluster; the second node of Ray is in the folder, with these variables."""
    if kind == "ray":
        pytest.importorskip("ray", reason="Ray is not installed: pip install gambito[cluster]")
        with ray_cluster(second, folder) as cluster:
            yield cluster
    else:
        pytest.importorskip("distributed", reason="Dask is not installed: pip install gambito[dask]")
        with dask_cluster(folder) as cluster:
            yield cluster


class Running:
    """A driver, and when its results came."""

    def __init__(self, cluster: Cluster, folder: Path, jobs: int = JOBS) -> None:
        self.path, self.jobs = folder / "results", jobs
        self.command = [sys.executable, "-m", "tests.jobs.driver", cluster.executor, str(jobs), str(SECONDS)]
        self.command.append(str(folder))
        self.env = cluster.env
        self.came: list[float] = []

    def start(self) -> contextlib.AbstractContextManager[subprocess.Popen[str]]:
        pipes = {"stderr": subprocess.PIPE, "text": True}
        return child(*self.command, env=self.env, start_new_session=True, **pipes)

    def count(self) -> int:
        found = self.path.read_text().count("\n") if self.path.exists() else 0
        self.came += [time.monotonic()] * (found - len(self.came))
        return found

    def check(self) -> dict[str, float]:
        """Every result once; how long nothing came, and how often a job was begun."""
        results = [json.loads(line) for line in self.path.read_text().splitlines()]
        assert sorted(r["number"] for r in results) == list(range(self.jobs))
        gaps = [b - a for a, b in zip(self.came, self.came[1:], strict=False)]
        return {
            "longest": max(gaps),
            "median": statistics.median(gaps),
            "executions": len(list((self.path.parent / "marks").iterdir())),
        }


STRIKES: dict[str, Callable[[Cluster], None]] = {
    "worker": lambda cluster: os.kill(cluster.nodes[1].workers(cluster.mark)[0], signal.SIGKILL),
    "node": lambda cluster: cluster.nodes[1].strike(signal.SIGKILL),
    "frozen": lambda cluster: cluster.nodes[1].strike(signal.SIGSTOP),
}


@pytest.mark.parametrize("kind", ["ray", "dask"])
@pytest.mark.parametrize("strike", STRIKES)
def test_struck_in_the_middle(kind: str, strike: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    with cluster_of(kind, tmp_path) as cluster:
        running = Running(cluster, tmp_path)
        with running.start() as driver:
            wait_until(lambda: running.count() >= BEFORE and cluster.nodes[1].workers(cluster.mark), 120)
            STRIKES[strike](cluster)
            wait_until(lambda: running.count() >= JOBS, 120)
            _, told = driver.communicate(timeout=60)
        found = running.check()
        with capsys.disabled():
            print(f"\n{kind}, {strike}: {found}\n{told}")
        assert driver.returncode == 0
        # Four usual jobs until it is late, one more for the copy; the rest is a busy machine.
        assert found["longest"] < 5 * SECONDS + 5
        wait_until(lambda: not [w for w in cluster.nodes[0].workers("ray::_do") if strike != "frozen"], 30)
