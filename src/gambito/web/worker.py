"""A worker: a separate process that answers one question after another, and its handle in the server.

The server can end the process at any moment, so it survives rules that never return and crashes. In the
process, one thread answers and another one receives messages, so a stop arrives while a search runs. When
the server ends, the worker ends too.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import functools
import math
import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from typing import Any

from gambito.errors import QuestionError
from gambito.native.process import ending
from gambito.web.requests import SEARCHES
from gambito.web.server_limits import ServerLimits
from gambito.web.stream import Tell
from gambito.words import speak
from gambito.words.sentence import Sentence

EXTRA_MEMORY = (
    6 << 30
)  # bytes of address space for code, libraries and stacks, in addition to the memory of a search
AGAIN = 0.5  # seconds of the processor after which work that was ended and goes on is ended again
TURN = 0.5  # seconds between two messages about a compilation
GONE = 5.0  # seconds that the system may take to end a process
CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy the server's threads and sockets


def work(connection: Connection, server: ServerLimits) -> None:
    """Run the process: answer questions until the server ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C and then ends the workers
    _limit_memory(server)
    from gambito.native import process
    from gambito.native.functions import watch_compilation
    from gambito.players.error_sentences import sentence
    from gambito.search import background_compile
    from gambito.search.limits import Stop
    from gambito.web.answers import Answers

    process.own()
    speak("en")  # the server translates each answer for the page that asked
    background_compile.enable()
    current: list[Tell] = []  # how the question that is being answered is told about its progress
    watch_compilation(functools.partial(_telling, current))
    jobs: queue.SimpleQueue[tuple[int, dict[str, Any], Stop]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, jobs, Stop), daemon=True).start()
    answers = Answers(server)
    while True:
        number, question, stop = jobs.get()
        send = functools.partial(_send, connection, number)
        current[:] = [functools.partial(send, "info")]
        if question.pop("hurried", False):
            stop.set()
        effort = math.inf if question["do"] in SEARCHES else server.effort
        try:
            with _at_most(effort):
                told = answers.answer(question, functools.partial(send, "info"), stop)
            send("done", *told)
        except (BrokenPipeError, EOFError, ConnectionResetError):
            os._exit(0)
        except Exception as problem:
            if os.environ.get("GAMBITO_DEBUG"):
                import traceback

                traceback.print_exc()
            send("error", {"text": sentence(problem)})
        told = ({}, None)
        _give_back_memory()


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """End the work of this process after seconds of the processor; what is compiled meanwhile is finished."""
    if seconds == math.inf or not hasattr(signal, "setitimer"):
        yield
        return
    from gambito.native.progress import running

    worker = threading.get_ident()

    def end(*_: Any) -> None:
        if running(worker) is None:
            raise QuestionError("this took too long and was ended")

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)  # again, where rules catch every exception
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _give_back_memory() -> None:
    """Give the memory of a search back to the system: C's allocator keeps it, in pieces that nothing fits."""
    with contextlib.suppress(AttributeError, OSError):  # not every system has this
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def _telling(current: list[Tell], name: str) -> Iterator[None]:
    """Tell the page how far a compilation is, and how long it may still take."""
    from gambito.native.progress import running

    done, worker = threading.Event(), threading.get_ident()

    def tell() -> None:
        while not done.wait(TURN):
            progress = running(worker)
            if current and progress is not None and progress.seconds_left is not None:
                left = max(1, math.ceil(progress.seconds_left))
                with contextlib.suppress(OSError):  # the server has ended
                    current[0]({"phase": "preparing", "share": progress.share, "seconds_left": left})

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _send(
    connection: Connection, number: int, kind: str, content: dict[str, Any], body: bytes | None = None
) -> None:
    connection.send((number, kind, content, body))


def _listen(connection: Connection, jobs: Any, stop_kind: Any) -> None:
    """Receive questions and stops until the server ends."""
    stops: dict[int, Any] = {}
    while True:
        try:
            number, question = connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        if question is None:
            if number in stops:
                stops[number].set()
            continue
        stops = {number: stop_kind()}
        jobs.put((number, question, stops[number]))


def _limit_memory(server: ServerLimits) -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        most = EXTRA_MEMORY + (server.memory << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


Hear = Callable[[int, str, dict[str, Any], bytes | None], None]


class Worker:
    """The handle of a worker in the server. All of it runs in the event loop."""

    def __init__(self, server: ServerLimits, hear: Hear, lost: Callable[[Sentence], None]) -> None:
        self.server, self.hear, self.lost = server, hear, lost
        self.number = 0  # of its current question
        self.is_busy = False
        self._start()

    def _start(self) -> None:
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(
            target=work, args=(theirs, self.server), daemon=True, name="gambito worker"
        )
        self.process.start()
        theirs.close()
        asyncio.get_running_loop().add_reader(self.connection.fileno(), self._read)

    def ask(self, question: dict[str, Any]) -> None:
        self.number += 1
        self.is_busy = True
        self.connection.send((self.number, question))

    def stop(self) -> None:
        """Stop the running search, which then answers with what it has found."""
        if self.is_busy:
            with contextlib.suppress(OSError):
                self.connection.send((self.number, None))

    def _read(self) -> None:
        try:
            while self.connection.poll():
                number, kind, content, body = self.connection.recv()
                if number != self.number or not self.is_busy:
                    continue
                self.is_busy = kind == "info"
                self.hear(number, kind, content, body)
        except (EOFError, OSError):
            self.process.join(GONE)
            how = ending(self.process.exitcode)
            self.restart()
            self.lost(how)

    def restart(self) -> None:
        """End the process at once and start another one."""
        self.close()
        self.is_busy = False
        self._start()

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self.connection.fileno())
        self.connection.close()
        self.process.kill()
        self.process.join(GONE)
        self.process.close()
