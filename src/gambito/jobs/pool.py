"""What does the jobs of an executor: an executor of the standard library that also names its machines."""

from __future__ import annotations

import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

HERE = "this machine"


class Lost(BrokenExecutor):
    """The worker of a job ended before the job did; the pool itself goes on."""


class Pool(Executor, ABC):
    """An executor whose `shutdown` ends what is under way."""

    @abstractmethod
    def submit(self, function: Callable[..., Any], /, *args: Any, **given: Any) -> Future[Any]:
        """`machine=NAME` asks for a machine by the name that a worker there has told, if the pool can."""

    @abstractmethod
    def machines(self) -> dict[str, int]:
        """The machines of the pool, each with the number of its workers. Both may change."""

    @abstractmethod
    def abandon(self, future: Future[Any]) -> None:
        """Nobody waits for this future any more: free its worker, if that can be done."""


class Threads(Pool):
    """Threads of this process. They do not keep it alive, and a job that runs cannot be ended from here."""

    def __init__(self, count: int) -> None:
        self.count, self.is_closed = count, False
        self._waiting: queue.SimpleQueue[tuple[Future[Any], Callable[..., Any], tuple[Any, ...]] | None]
        self._waiting = queue.SimpleQueue()
        for number in range(count):
            threading.Thread(target=self._serve, args=(number,), daemon=True).start()

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._waiting.put((future, function, args))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.is_closed = True
        for _ in range(self.count):
            self._waiting.put(None)

    def machines(self) -> dict[str, int]:
        return {HERE: self.count}

    def abandon(self, future: Future[Any]) -> None:
        future.cancel()

    def _serve(self, number: int) -> None:
        """Do what is submitted, as the thread with this number."""
        while (entry := self._waiting.get()) is not None:
            future, function, args = entry
            if self.is_closed or not future.set_running_or_notify_cancel():
                continue
            try:
                result = self._call(number, future, function, *args)
            except BaseException as problem:
                future.set_exception(problem)
            else:
                future.set_result(result)

    def _call(self, number: int, future: Future[Any], function: Callable[..., Any], *args: Any) -> Any:
        return function(*args)
