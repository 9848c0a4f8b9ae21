"""Clusters that somebody has started: Ray and Dask. Both are optional packages, imported when an executor
asks.

Neither is asked to do a lost job again: whoever feeds them does that, and counts each result once.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib
import itertools
import logging
import os
import signal
import socket
import threading
import time
import uuid
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, CancelledError, Future
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from gambito.errors import JobError
from gambito.jobs import remote_call
from gambito.jobs.pool import Lost, Pool
from gambito.words.sentence import Sentence, reason_of

EVERY = 2.0  # seconds between two questions about the machines
SILENCE = 20.0  # seconds without an answer; without its head, Ray ends this process after 60
GLANCE = 1.0  # the most seconds that one look counts for: a process that was stopped has not waited
REACH = 5.0  # seconds to reach a port


class ClusterNode(NamedTuple):
    """A part of a cluster that jobs can be given to."""

    machine: str
    workers: int


class Cluster(Pool):
    """Workers on machines that come and go; a thread asks which there are.

    A node is given as many tasks as it has workers. A task that nobody waits for any more counts until the
    node says that it has ended: so a node that is frozen is given nothing.
    """

    name = ""

    def __init__(self, address: str) -> None:
        self.address = address
        self._nodes: dict[str, ClusterNode] = self._ask()
        self._busy: Counter[str] = Counter()  # tasks by node
        self._heard: dict[str, float] = {}  # when a node has last given a result
        self._lock = threading.Lock()
        self._is_new, self._silence, self._looked = True, 0.0, time.monotonic()
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def machines(self) -> dict[str, int]:
        now = time.monotonic()
        if self._is_new:
            self._is_new, self._silence = False, 0.0
        else:
            self._silence += min(now - self._looked, GLANCE)
        self._looked = now
        if self._silence > SILENCE:
            raise JobError(
                "{} at {} has not answered for {} seconds; the results that are kept are not lost",
                self.name, self.address, round(SILENCE),
            )  # fmt: skip
        count: Counter[str] = Counter()
        for node in self._nodes.values():
            count[node.machine] += node.workers
        return dict(count)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed.set()

    @abstractmethod
    def _ask(self) -> dict[str, ClusterNode]:
        """The nodes by their names in the cluster; it may wait for ever."""

    def _watch(self) -> None:
        while not self._closed.wait(EVERY):
            with contextlib.suppress(Exception):
                self._nodes = self._ask()
                self._is_new = True

    def _choose(self, wanted: str) -> str:
        """The node for a task: the wanted one, one with free workers, or the one that was heard of last."""
        nodes = self._nodes
        with self._lock:
            chosen = wanted if wanted in nodes else max(nodes, key=self._rank, default="")
            self._busy[chosen] += 1
        return chosen

    def _rank(self, name: str) -> tuple[int, float]:
        return max(0, self._nodes[name].workers - self._busy[name]), self._heard.get(name, 0.0)

    def _end(self, name: str, has_result: bool) -> None:
        with self._lock:
            self._busy[name] -= 1
            if has_result:
                self._heard[name] = time.monotonic()


def _package(name: str, cluster: str, extra: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise JobError("{} needs the package {}: pip install gambito[{}]", cluster, name, extra) from None


def _reach(cluster: str, address: str) -> None:
    """Raise a JobError if nobody listens at HOST:PORT: the packages would try for minutes."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), REACH).close()
    except (OSError, ValueError) as problem:
        raise JobError("{} at {} cannot be reached: {}", cluster, address, _first_line(problem)) from None


def _first_line(problem: BaseException) -> str:
    said = reason_of(problem)
    return said if isinstance(said, Sentence) else said.strip().partition("\n")[0]


# ---- Ray ---------------------------------------------------------------------------------------------

_connected = [0]  # pools that use this process's connection to Ray, if one of them has made it
_connecting = threading.Lock()


def _do_on_ray(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Called in a worker."""
    ray = importlib.import_module("ray")
    remote_call.machine[0] = ray.get_runtime_context().get_node_id()
    return function(*args)


class RayPool(Cluster):
    """The tasks of a Ray cluster, each with one processor.

    Ray gives every driver processes of its own, and ends them when the driver ends.
    """

    name = "Ray"

    def __init__(self, address: str) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self.ray = _package("ray", "a Ray cluster", "cluster")
        self.problems = importlib.import_module("ray.exceptions")
        self.strategies = importlib.import_module("ray.util.scheduling_strategies")
        self._refs: dict[Future[Any], Any] = {}
        self._connect(address)
        self._task = self.ray.remote(num_cpus=1, max_retries=0)(_do_on_ray)
        super().__init__(address)

    def _connect(self, address: str) -> None:
        with _connecting:
            if not self.ray.is_initialized():
                if address != "auto":
                    _reach(self.name, address)
                _start_ray(self.ray, address)
                _connected[0] = 1
            elif _connected[0]:
                _connected[0] += 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._closed.is_set():
            return
        super().shutdown(wait, cancel_futures=cancel_futures)
        for future in list(self._refs):
            self.abandon(future)
        with _connecting:
            if _connected[0]:
                _connected[0] -= 1
                if not _connected[0]:
                    self.ray.shutdown()

    def _ask(self) -> dict[str, ClusterNode]:
        return {
            node["NodeID"]: ClusterNode(node["NodeManagerAddress"], int(node["Resources"]["CPU"]))
            for node in self.ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }

    def submit(self, function: Callable[..., Any], /, *args: Any, **given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        node, task = self._choose(given.get("machine", "")), self._task
        if node:
            near = self.strategies.NodeAffinitySchedulingStrategy(node_id=node, soft=True)
            task = task.options(scheduling_strategy=near)
        ref = self._refs[future] = task.remote(function, args)
        ref.future().add_done_callback(functools.partial(self._settle, future, node))
        return future

    def abandon(self, future: Future[Any]) -> None:
        """End the process of a task: to cancel its future would leave it running."""
        ref = self._refs.pop(future, None)
        if ref is not None:
            with contextlib.suppress(Exception):
                self.ray.cancel(ref, force=True)

    def _settle(self, future: Future[Any], node: str, task: Future[Any]) -> None:
        self._end(node, task.exception() is None)
        self._refs.pop(future, None)
        if not future.set_running_or_notify_cancel():
            return
        problem = task.exception()
        if problem is None:
            future.set_result(task.result())
        elif isinstance(problem, self.problems.RayTaskError):  # not a job's own: that is a result
            future.set_exception(JobError("a worker of {} failed: {}", self.name, _cause(problem)))
        else:  # its process, its node, its memory or its answer is gone
            future.set_exception(Lost(f"{type(problem).__name__}: {_first_line(problem)}"))


def _cause(problem: Any) -> str:
    cause = getattr(problem, "cause", problem)
    return f"{type(cause).__name__}: {_first_line(cause)}"


def _start_ray(ray: Any, address: str) -> None:
    """Connect, and leave this process as it was: its output, its log, its signals."""
    logging.getLogger("ray").setLevel(logging.ERROR)
    worker: Any = importlib.import_module("ray._private.worker")
    if hasattr(worker, "print_to_stdstream"):  # it prints on standard output that a worker has died
        worker.print_to_stdstream = lambda *_, **__: None
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        ray.init(
            address=address, namespace=f"gambito-{uuid.uuid4()}", log_to_driver=False, logging_level="ERROR"
        )
    except Exception as problem:
        raise JobError(
            "{} at {} cannot be reached: {}; the command runs on a machine of the cluster, with its token",
            RayPool.name, address, _first_line(problem),
        ) from None  # fmt: skip
    finally:
        if is_main and before is not None:
            signal.signal(signal.SIGTERM, before)


# ---- Dask --------------------------------------------------------------------------------------------


def _do_on_dask(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """Called in a worker."""
    distributed = importlib.import_module("distributed")
    remote_call.machine[0] = distributed.get_worker().address
    return function(*args)


class DaskPool(Cluster):
    """The tasks of a Dask cluster, each in a worker of one thread. A task that runs cannot be ended."""

    name = "Dask"

    def __init__(self, address: str) -> None:
        self.distributed = _package("distributed", "a Dask cluster", "dask")
        _reach(self.name, address)
        try:
            self.client = self.distributed.Client(
                f"tcp://{address}", timeout=REACH, set_as_default=False, name="gambito"
            )
        except Exception as problem:
            raise JobError(
                "{} at {} cannot be reached: {}", self.name, address, _first_line(problem)
            ) from None
        self._tasks: dict[Future[Any], Any] = {}
        self._names = (f"gambito-{self.client.id}-{number}" for number in itertools.count())
        try:
            super().__init__(address)
        except BaseException:
            self.client.close()
            raise

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._tasks.clear()
        with contextlib.suppress(Exception):
            self.client.close(timeout=REACH)

    def _ask(self) -> dict[str, ClusterNode]:
        threads = self.client.nthreads()
        if any(count > 1 for count in threads.values()):
            raise JobError("a Dask worker does one job at a time; start it with --nthreads 1")
        return {address: ClusterNode(urlsplit(address).hostname or address, 1) for address in threads}

    def submit(self, function: Callable[..., Any], /, *args: Any, **given: Any) -> Future[Any]:
        node = self._choose(given.get("machine", ""))
        near = {"workers": [node], "allow_other_workers": True} if node else {}
        task = self.client.submit(
            _do_on_dask, function, args, key=next(self._names), pure=False, retries=0, **near
        )
        future: Future[Any] = Future()
        self._tasks[future] = task
        # A callback of the task would fetch results one after the other: one that is stuck holds all up.
        fetched = self._ask_loop(self.client.gather, task)
        fetched.add_done_callback(functools.partial(self._settle, future, node))
        return future

    def abandon(self, future: Future[Any]) -> None:
        """Leave the task alone: to cancel it would not end it, only hide when its worker is free again."""

    def _ask_loop(self, method: Callable[..., Any], *given: Any, **more: Any) -> Future[Any]:
        """Call a method of the client in the thread that it lives in."""

        async def ask() -> Any:
            return await method(*given, asynchronous=True, **more)

        return asyncio.run_coroutine_threadsafe(ask(), self.client.loop.asyncio_loop)

    def _settle(self, future: Future[Any], node: str, fetched: Future[Any]) -> None:
        self._end(node, not fetched.cancelled() and fetched.exception() is None)
        self._tasks.pop(future, None)
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(fetched.result())
        except (CancelledError, asyncio.CancelledError, OSError) as problem:  # the scheduler is gone
            future.set_exception(BrokenExecutor(f"{type(problem).__name__}: {_first_line(problem)}"))
        except self.distributed.scheduler.KilledWorker as problem:
            future.set_exception(Lost(_first_line(problem)))
        except Exception as problem:
            future.set_exception(JobError("a worker of {} failed: {}", self.name, _cause(problem)))
