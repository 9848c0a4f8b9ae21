"""A thread whose stack holds the deepest search. Compiled code is deaf, so the thread that called waits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

DEEPEST = 1000  # plies; the stack holds that many frames
STACK = 512 << 20
FRAMES = 20 * DEEPEST  # of Python, in the Python gear: a ply takes several
_STACKS = threading.Lock()


class _Recursion:
    """Python's limit of recursion, higher while at least one search runs.

    It is one number for the whole process: the last search to end puts back what the first one found, unless
    the limit was set by someone else meanwhile.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._searches, self._before = 0, 0

    def __enter__(self) -> None:
        with self._lock:
            if self._searches == 0:
                self._before = sys.getrecursionlimit()
                sys.setrecursionlimit(max(self._before, FRAMES))
            self._searches += 1

    def __exit__(self, *problem: object) -> None:
        with self._lock:
            self._searches -= 1
            if self._searches == 0 and sys.getrecursionlimit() == FRAMES:
                sys.setrecursionlimit(self._before)


_RECURSION = _Recursion()


class DeepThread:
    """Work in a thread of its own; what it raises is raised again by `finish`."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.is_done = False
        self._news = threading.Event()
        self._problem: BaseException | None = None
        with _STACKS:  # a thread takes the size that is set when it starts, and there is no other way
            before = threading.stack_size(STACK)
            try:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            finally:
                threading.stack_size(before)

    def _run(self) -> None:
        try:
            with _RECURSION:
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
