"""Clusters for the tests: two nodes of Ray, or a scheduler of Dask and two workers, all on this machine."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.conftest import descendants
from tests.support import child, wait_until

ROOT = Path(__file__).resolve().parents[2]
START = 300.0  # seconds
BIN = Path(sys.executable).parent


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@dataclass
class Node:
    """The processes of a node."""

    process: subprocess.Popen[bytes]
    seen: set[int] = field(default_factory=set)

    def pids(self) -> dict[int, str]:
        found = {self.process.pid: "start", **descendants(self.process.pid)}
        self.seen |= found.keys()
        return found

    def strike(self, sign: int) -> None:
        """Send a signal to all processes of the node."""
        for pid in [*self.pids(), *self.seen]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, sign)

    def workers(self, mark: str) -> list[int]:
        """The processes of the node that do jobs, by a mark in their command line."""
        return [pid for pid, command in self.pids().items() if mark in command]


@dataclass
class Cluster:
    """A cluster, and the environment of those who use it."""

    executor: str
    env: dict[str, str]
    head: Node
    nodes: list[Node] = field(default_factory=list)  # those that do jobs
    mark: str = ""  # of the command line of a process that does jobs

    def workers(self) -> list[int]:
        return [pid for node in self.nodes for pid in node.workers(self.mark)]


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **given}


@contextlib.contextmanager
def _node(command: list[str], env: Mapping[str, str], cwd: Path, path: Path) -> Iterator[Node]:
    with (
        open(path, "ab") as log,
        child(*command, env=env, cwd=cwd, stdout=log, stderr=log, start_new_session=True) as process,
    ):
        node = Node(process)
        try:
            yield node
        finally:
            node.strike(signal.SIGKILL)


@contextlib.contextmanager
def ray_cluster(second: Mapping[str, str] = {}, cwd: Path | None = None) -> Iterator[Cluster]:
    """Two nodes of one processor each, behind a token; the second one may have another environment."""
    place = Path(tempfile.mkdtemp(prefix="ray", dir="/tmp"))  # names of sockets must be short
    (place / "token").write_text(secrets.token_hex(32))
    (place / "token").chmod(0o600)
    port = free_port()
    env = _environment(
        {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN_PATH": str(place / "token"),
            "RAY_USAGE_STATS_ENABLED": "0",
        }
    )
    usual = ["--block", "--num-cpus=1", "--disable-usage-stats", "--object-store-memory=100000000"]
    start = [str(BIN / "ray"), "start", *usual]
    head = ["--head", f"--port={port}", "--node-ip-address=127.0.0.1", f"--temp-dir={place / 'r'}"]
    head.append("--include-dashboard=false")
    other = [f"--address=127.0.0.1:{port}", "--node-ip-address=127.0.0.2"]
    try:
        with _node(start + head, env, place, place / "log") as first:
            wait_until(lambda: listens(port), START)
            with _node(start + other, {**env, **second}, cwd or place, place / "log") as joined:
                wait_until(lambda: (place / "log").read_text().count("Ray runtime started") == 2, START)
                yield Cluster(f"ray:127.0.0.1:{port}", env, first, [first, joined], "ray::_do")
    finally:
        shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def dask_cluster(folder: Path) -> Iterator[Cluster]:
    """A scheduler, and two nodes that each have a nanny and a worker."""
    port = free_port()
    env = _environment({})
    dask = str(BIN / "dask")
    with contextlib.ExitStack() as stack:
        scheduler = [dask, "scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
        head = stack.enter_context(_node(scheduler, env, folder, folder / "log"))
        cluster = Cluster(f"dask:127.0.0.1:{port}", env, head, mark="multiprocessing")
        wait_until(lambda: listens(port), START)
        for _ in range(2):
            worker = [dask, "worker", f"tcp://127.0.0.1:{port}", "--nthreads", "1", "--no-dashboard"]
            cluster.nodes.append(stack.enter_context(_node(worker, env, folder, folder / "log")))
        for node in cluster.nodes:
            wait_until(lambda node=node: node.workers(cluster.mark), START)
        yield cluster
