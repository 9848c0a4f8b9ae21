"""The threads of searches.

A thread whose stack holds the deepest search: compiled code cannot receive Ctrl-C, so the calling thread
waits and receives it. And a thread that helps another one.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from gambito.native.functions import add_compile_seconds, compile_seconds

DEEPEST = 1000  # plies; the stack has room for this many frames
STACK = 512 << 20
FRAMES = 20 * DEEPEST  # Python frames, for the Python gear: a ply takes several
_STACKS = threading.Lock()


class _Recursion:
    """Python's recursion limit, raised while at least one search runs.

    It is one number for the whole process: the last search to end restores what the first one found, unless
    other code has set the limit meanwhile.
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
    """Work in its own thread; `finish` raises again what the work raised."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.is_done = False
        self._news = threading.Event()
        self._problem: BaseException | None = None
        with _STACKS:  # the only way: a thread takes the stack size that is set when it starts
            before = threading.stack_size(STACK)
            try:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            finally:
                threading.stack_size(before)

    def _run(self) -> None:
        try:
            with _RECURSION, np.errstate(over="ignore"):  # sets of bits wrap around, as in compiled code
                self.work()
        except BaseException as problem:
            self._problem = problem
        self.is_done = True
        self._news.set()

    def wake(self) -> None:
        """Wake the waiting thread; called by the work."""
        self._news.set()

    def wait(self, seconds: float) -> None:
        """Wait until the work is done or calls `wake`, or the time is over."""
        self._news.wait(max(0.0, min(seconds, threading.TIMEOUT_MAX)))
        self._news.clear()

    def finish(self) -> None:
        """Wait until the work is done."""
        self._thread.join()
        if self._problem is not None:
            raise self._problem


class HelpingThread(threading.Thread):
    """Work that helps another thread's search; if it raises, `stop` is called, and `finish` raises again."""

    def __init__(self, work: Callable[[], Any], stop: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self._work, self._stop_all = work, stop
        self._problem: BaseException | None = None
        self._compiled = 0.0  # seconds
        self.start()

    def run(self) -> None:
        try:
            self._work()
        except BaseException as problem:
            self._problem = problem
            self._stop_all()
        self._compiled = compile_seconds()

    def finish(self) -> None:
        """Wait until the work is done; what it compiled, it compiled for the waiting thread."""
        self.join()
        add_compile_seconds(self._compiled)
        if self._problem is not None:
            raise self._problem
