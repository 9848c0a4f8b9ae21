"""Ray and Dask, two nodes each on this machine: the same results as here, and what happens to the driver."""

from __future__ import annotations

import json
import signal
import sys
import time
from pathlib import Path

import pytest

from gambito.errors import JobError
from gambito.jobs import clusters, read_executor
from tests.jobs.test_strikes import JOBS, Running, cluster_of
from tests.support import is_running, run, wait_until

RULES = Path(__file__).parent / "rules"


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind, package, extra in (("ray", "ray", "cluster"), ("dask", "distributed", "dask")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(JobError, match=rf"needs the package {package}: pip install gambito\[{extra}\]"):
            read_executor(f"{kind}:127.0.0.1:1").open()
    for wrong in ("ray", "ray:", "ray:here", "ray:http://a:1", "dask:auto", "dask:a:b", "ray:a:123456"):
        with pytest.raises(JobError, match="is not an executor"):
            read_executor(wrong)
    with pytest.raises(JobError, match="cannot be reached: Connection refused"):
        clusters._reach("Ray", "127.0.0.1:1")


class Silent(clusters.Cluster):
    """A cluster whose head answers once."""

    name = "Silent"

    def _ask(self) -> dict[str, clusters.ClusterNode]:
        if hasattr(self, "_nodes"):
            time.sleep(60)
        return {
            "a": clusters.ClusterNode("one", 2),
            "b": clusters.ClusterNode("one", 1),
            "c": clusters.ClusterNode("two", 1),
        }

    submit = abandon = None  # type: ignore[assignment]


def test_a_head_that_is_silent_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "EVERY", 0.0)
    monkeypatch.setattr(clusters, "SILENCE", 0.2)
    pool = Silent("here")
    assert pool.machines() == {"one": 3, "two": 1}
    deadline = time.monotonic() + 10
    with pytest.raises(JobError, match="Silent at here has not answered for 0 seconds"):
        while time.monotonic() < deadline:
            pool.machines()
            time.sleep(0.02)
    pool.shutdown()


def test_a_node_is_given_as_many_tasks_as_it_has_workers() -> None:
    """Then the one that was heard of last: it is not frozen."""
    pool = Silent("here")
    given = [pool._choose("") for _ in range(4)]
    assert sorted(given) == ["a", "a", "b", "c"]
    pool._end("b", True)
    assert pool._choose("") == "b" and pool._choose("") == "b" and pool._choose("c") == "c"
    pool.shutdown()


def sameness(executor: str, folder: Path, env: dict[str, str]) -> dict[str, str]:
    ran = run(sys.executable, "-m", "tests.jobs.sameness", executor, str(folder), env=env, seconds=600)
    assert ran.returncode == 0, ran.stderr
    return dict(json.loads(ran.stdout))


@pytest.mark.slow
def test_everybody_gives_the_same_bytes(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """A match, a training with its games, slices, a book and an ablation."""
    with cluster_of("ray", tmp_path) as ray, cluster_of("dask", tmp_path) as dask:
        crews = {"threads:1": ray, "processes:2": ray, ray.executor: ray, dask.executor: dask}
        found = {
            executor: sameness(executor, tmp_path / executor.partition(":")[0], cluster.env)
            for executor, cluster in crews.items()
        }
    with capsys.disabled():
        print(f"\n{json.dumps(found, indent=1)}")
    assert len({json.dumps(each) for each in found.values()}) == 1


SEARCH = """
import json, sys
import gambito
from gambito.endgames.remote_files import tables_to_send
from gambito.game.remote_files import files_of_game
from gambito.jobs import done, read_executor
from tests.jobs import works

job = {"game": "rules/taking.py:Taking", "algorithm": "alpha-beta", "depth": 4, "gear": "native"}
needed = [*files_of_game(job["game"]), tables_to_send(gambito.load(job["game"]))]
found = [works.search_elsewhere(job)]
executor = read_executor(sys.argv[1])
results = done(executor, works.search_elsewhere, [job] * 8, weigh=None, files=lambda _: needed)
print(json.dumps([*found, *(result for _, result in results)]))
"""


@pytest.mark.slow
def test_what_a_node_needs_comes_with_the_jobs(tmp_path: Path) -> None:
    """A node with an empty cache in another folder compiles nothing, and finds the same."""
    away, tables = tmp_path / "away", tmp_path / "tables"
    away.mkdir()
    second = {"GAMBITO_CACHE": str(away / "cache")}
    with cluster_of("ray", away, second) as cluster:
        env = {**cluster.env, "GAMBITO_TABLES": str(tables)}
        ran = run(sys.executable, "-c", SEARCH, cluster.executor, env=env, cwd=RULES.parent)
        assert ran.returncode == 0, ran.stderr
    here, *there = json.loads(ran.stdout)
    folders = {found["folder"] for found in there}
    assert len(folders) == 2 and str(away) in folders and here["folder"] not in folders
    for found in there:
        assert (found["value"], found["nodes"], found["tables"]) == (here["value"], here["nodes"], [])
        assert found["game"] == "rules/taking.py:Taking" and found["compiled"] == 0
    assert list((away / "cache").rglob("*.so"))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ray", "dask"])
def test_a_driver_that_is_killed_loses_nothing(kind: str, tmp_path: Path) -> None:
    """Three times; its workers end, and another driver is not disturbed."""
    with cluster_of(kind, tmp_path) as cluster:
        other = tmp_path / "other"
        other.mkdir()
        running, beside = Running(cluster, tmp_path), Running(cluster, other)
        with beside.start() as undisturbed:
            for kill in range(3):
                with running.start() as driver:
                    wait_until(lambda kill=kill: running.count() >= 4 + 5 * kill, 120)
                    workers = cluster.workers() if kind == "ray" else []  # those of Dask stay
                    driver.send_signal(signal.SIGKILL)
                    driver.wait()
                assert 0 < running.count() < JOBS, kill
            with running.start() as driver:
                assert driver.wait(timeout=120) == 0
            assert undisturbed.wait(timeout=120) == 0
        running.count(), beside.count()
        for each in (running, beside):
            each.check()
        wait_until(lambda: not any(map(is_running, workers)), 30)
        assert running.path.read_text().count("\n") == JOBS


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["ray", "dask"])
def test_the_death_of_the_head_is_told(kind: str, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    """What came before it is kept, and a driver on another cluster goes on from there."""
    with cluster_of(kind, tmp_path) as cluster:
        running = Running(cluster, tmp_path, 150)
        with running.start() as driver:
            wait_until(lambda: running.count() >= 6, 120)
            cluster.head.strike(signal.SIGKILL)
            began = time.monotonic()
            _, told = driver.communicate(timeout=100)
            took = time.monotonic() - began
        with capsys.disabled():
            print(f"\n{kind}, head: told after {took:.1f} s\n{told}")
        assert driver.returncode == 1 and took < 55
        assert "Error: " in told and (
            "has not answered for 20 seconds" in told or "cannot be reached" in told
        )
        assert 6 <= running.count() < 150
    running.command[3:6] = ["processes:2", "150", "0.01"]
    with running.start() as driver:
        assert driver.wait(timeout=120) == 0
    running.count()
    running.check()
