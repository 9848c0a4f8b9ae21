"""Processes on this machine, each an interpreter of its own that is asked through pipes.

They start a module of this package, never the user's script, and they end when their parent does, whatever
ends it. Programs that their jobs have started end with them. A process that dies takes only its own job with
it; the next job starts another one.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import IO, Any

from gambito.jobs.pool import Lost, Threads
from gambito.native.process import ending

COMMAND = (sys.executable, "-m", "gambito.jobs.worker")
LENGTH = struct.Struct("<Q")
GRACE = 30.0  # seconds for a job whose result is not wanted any more


def end_group(leader: int) -> None:
    """End a worker with the programs that its jobs have started, as engines behind a protocol."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGKILL)


def send(stream: IO[bytes], data: Any) -> None:
    """Write one message."""
    body = pickle.dumps(data, pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:
    """Read one message; EOFError when the other side has ended."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    if len(body) < length:
        raise EOFError
    return pickle.loads(body)


class Processes(Threads):
    """A number of processes, each led by a thread; `given` goes to `subprocess.Popen`."""

    def __init__(self, count: int, **given: Any) -> None:
        self.given = given
        self._lock = threading.Lock()
        self._helpers: list[subprocess.Popen[bytes] | None] = [None] * count
        self._busy: list[Future[Any] | None] = [None] * count
        super().__init__(count)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait, cancel_futures=cancel_futures)
        with self._lock:
            for number in range(self.count):
                self._end(number)

    def abandon(self, future: Future[Any]) -> None:
        """Let the worker go on: perhaps it is only starting, and is quick later. One that hangs is ended."""
        super().abandon(future)
        if future in self._busy:
            timer = threading.Timer(GRACE, self._end_hanging, (future,))
            timer.daemon = True
            timer.start()

    def _end_hanging(self, future: Future[Any]) -> None:
        with self._lock:
            if future in self._busy:
                self._end(self._busy.index(future))

    def _serve(self, number: int) -> None:
        with self._lock:
            self._start(number)  # before the first job: importing takes a second
        super()._serve(number)

    def _call(self, number: int, future: Future[Any], function: Callable[..., Any], *args: Any) -> Any:
        with self._lock:
            helper = self._helpers[number] or self._start(number)
            if helper is None:
                raise Lost(ending(None))
            self._busy[number] = future
        assert helper.stdin is not None and helper.stdout is not None
        try:
            send(helper.stdin, (function, args))
            return receive(helper.stdout)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            raise Lost(ending(helper.wait())) from None
        finally:
            with self._lock:
                self._busy[number] = None
                if helper.poll() is not None and self._helpers[number] is helper:
                    self._end(number)

    def _start(self, number: int) -> subprocess.Popen[bytes] | None:
        """Start a process; none if the pool is closed. It is in a session of its own: Ctrl-C is for us."""
        if self.is_closed:
            return None
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        helper = subprocess.Popen(COMMAND, **pipes, start_new_session=True, **self.given)
        assert helper.stdin is not None
        send(helper.stdin, sys.path)
        self._helpers[number] = helper
        return helper

    def _end(self, number: int) -> None:
        helper, self._helpers[number] = self._helpers[number], None
        if helper is not None:
            end_group(helper.pid)
            helper.kill()
            helper.wait()
            for stream in (helper.stdin, helper.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):  # what is left to write has no reader any more
                        stream.close()
