"""A thread whose stack holds the deepest search. Compiled code is deaf, so the thread that called waits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

DEEPEST = 1000  # plies; the stack holds that many frames
STACK = 512 << 20
_STACKS = threading.Lock()


class DeepThread:
    """Work in a thread of its own; what it raises is raised again by `finish`."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.is_done = False
        self._news = threading.Event()
        self._problem: BaseException | None = None
        with _STACKS:
            before = threading.stack_size(STACK)
            if sys.getrecursionlimit() < 20 * DEEPEST:
                sys.setrecursionlimit(20 * DEEPEST)
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
            threading.stack_size(before)

    def _run(self) -> None:
        try:
            self.work()
        except BaseException as problem:
            self._problem = problem
        self.is_done = True
        self._news.set()

    def wake(self) -> None:
        """Called by the work: the waiting thread should look."""
        self._news.set()

    def wait(self, seconds: float) -> None:
        """Until the work is done, or calls `wake`, or the time is over."""
        self._news.wait(max(0.0, min(seconds, threading.TIMEOUT_MAX)))
        self._news.clear()

    def finish(self) -> None:
        """Until the work is done."""
        self._thread.join()
        if self._problem is not None:
            raise self._problem
