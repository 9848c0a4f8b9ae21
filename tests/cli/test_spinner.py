"""The sign that something is compiled: after a second, on a terminal, and gone in the end."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading

import pytest

from gambito.cli import spinner
from gambito.errors import CompileError
from gambito.native import Constant, functions, native, progress
from tests.support import wait_until


class Adding:
    def add(self, x):
        return x + 1


@native
def double(game, x):
    return 2 * game.add(x)


def compiling(kind: type) -> Constant:
    return Constant(kind(), f"tests.{kind.__qualname__}", "1", {}, {})


class Screen:
    """A terminal in the place of standard error, and what was written on it."""

    def __init__(self, reading: int) -> None:
        self.reading, self.written = reading, ""

    def text(self) -> str:
        with contextlib.suppress(OSError):  # nothing new, or nothing more for ever
            while more := os.read(self.reading, 100_000):
                self.written += more.decode()
        return self.written

    def marks(self) -> set[str]:
        """The different marks of a spinner that were seen."""
        return {line[0] for line in self.text().split("\r") if "compiling double" in line}


@contextlib.contextmanager
def terminal(monkeypatch):
    """Standard error is a terminal."""
    reading, writing = os.openpty()
    os.set_blocking(reading, False)
    with os.fdopen(writing, "w") as stderr, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stderr)
        yield Screen(reading)
    os.close(reading)


def prepare(monkeypatch, compile) -> None:
    """Prepare a function whose compilation is only this call."""
    function = native(double.plain)
    monkeypatch.setattr(functions, "_around", spinner.compiling)
    monkeypatch.setattr(function, "_entry", lambda args: compile())
    function.prepare(compiling(Adding), 3)


def test_a_long_compilation_shows_a_spinner(monkeypatch):
    with terminal(monkeypatch) as screen:
        prepare(monkeypatch, lambda: wait_until(lambda: len(screen.marks()) > 1))
        assert screen.text().endswith("\r\x1b[K")  # it leaves a clean line


def test_a_bar_tells_how_long_it_may_take(monkeypatch):
    def compile() -> None:
        with progress.compiling("double"):
            for _ in range(30):
                progress.take_in()
            wait_until(lambda: "s left" in screen.text())

    with terminal(monkeypatch) as screen:
        prepare(monkeypatch, compile)
        assert "█░" in screen.text() and "about " in screen.text()
        assert screen.text().endswith("\r\x1b[K")


def test_a_quick_compilation_shows_nothing(monkeypatch):
    with terminal(monkeypatch) as screen:
        prepare(monkeypatch, lambda: None)
        assert screen.text() == ""


def test_nobody_is_watching(monkeypatch):
    silent, threads = io.StringIO(), []
    monkeypatch.setattr(sys, "stderr", silent)
    before = threading.active_count()
    prepare(monkeypatch, lambda: threads.append(threading.active_count()))
    assert threads == [before] and silent.getvalue() == ""


def test_there_is_no_standard_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    prepare(monkeypatch, lambda: None)


def test_the_spinner_stops_when_compilation_fails(monkeypatch):
    def failing() -> None:
        wait_until(screen.marks)
        raise CompileError("double cannot be compiled: no")

    with terminal(monkeypatch) as screen:
        with pytest.raises(CompileError, match="double cannot be compiled: no"):
            prepare(monkeypatch, failing)
        assert screen.text().endswith("\r\x1b[K")
