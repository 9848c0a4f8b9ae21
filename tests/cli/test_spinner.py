"""The sign that something is compiled: after a second, on a terminal, and gone in the end."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time

import pytest

from gambito.cli import spinner
from gambito.errors import CompileError
from gambito.native import Constant, functions, native


class Adding:
    def add(self, x):
        return x + 1


@native
def double(game, x):
    return 2 * game.add(x)


def compiling(kind: type) -> Constant:
    return Constant(kind(), f"tests.{kind.__qualname__}", "1", {}, {})


@contextlib.contextmanager
def terminal(monkeypatch):
    """Standard error is a terminal; gives what was written on it."""
    master, slave = os.openpty()
    written: list[str] = []
    with os.fdopen(slave, "w") as screen, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", screen)
        yield written
    text = b""
    with contextlib.suppress(OSError):  # the end of a terminal that nobody writes on any more
        while more := os.read(master, 100_000):
            text += more
    os.close(master)
    written += [text.decode()] if text else []


@pytest.fixture
def slow(monkeypatch):
    """A function whose compilation takes as long as it is told."""
    function = native(double.plain)
    monkeypatch.setattr(functions, "_around", spinner.compiling)

    def made(seconds: float) -> native:
        monkeypatch.setattr(function.dispatcher, "compile", lambda signature: time.sleep(seconds))
        return function

    return made


def test_a_compilation_longer_than_a_second_shows_a_spinner(monkeypatch, slow):
    with terminal(monkeypatch) as written:
        slow(1.35).prepare(compiling(Adding), 3)
    (text,) = written
    assert "compiling double" in text
    assert len({line[0] for line in text.split("\r") if "compiling" in line}) > 1  # it turns
    assert text.endswith("\r\x1b[K")  # and leaves a clean line


def test_a_quick_compilation_shows_nothing(monkeypatch, slow):
    with terminal(monkeypatch) as written:
        slow(0.2).prepare(compiling(Adding), 3)
    assert not written


def test_nobody_is_watching(monkeypatch, slow):
    silent = io.StringIO()
    monkeypatch.setattr(sys, "stderr", silent)
    slow(1.35).prepare(compiling(Adding), 3)
    assert silent.getvalue() == ""


def test_there_is_no_standard_error(monkeypatch, slow):
    monkeypatch.setattr(sys, "stderr", None)
    slow(0.0).prepare(compiling(Adding), 3)


def test_the_spinner_stops_when_compilation_fails(monkeypatch, slow):
    function = slow(0.0)

    def failing(signature: object) -> None:
        time.sleep(1.25)
        raise ValueError("no")

    monkeypatch.setattr(function.dispatcher, "compile", failing)
    with terminal(monkeypatch) as written, pytest.raises(CompileError, match="double cannot be compiled: no"):
        function.prepare(compiling(Adding), 3)
    assert written[0].endswith("\r\x1b[K")
