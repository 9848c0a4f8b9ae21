"""`@native`: two gears, one sentence for what cannot be compiled, and a spinner for who waits."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time

import pytest

from gambito.errors import CompileError
from gambito.native import Constant, functions, native


class Adding:
    def add(self, x):
        return x + 1


@native
def double(game, x):
    """Words."""
    return 2 * game.add(x)


def compiling(kind: type) -> Constant:
    return Constant(kind(), f"tests.{kind.__qualname__}", "1", {}, {})


def test_one_text_two_gears():
    assert double(Adding(), 3) == 8
    assert not double.dispatcher.overloads
    assert double(compiling(Adding), 3) == 8
    assert len(double.dispatcher.overloads) == 1
    assert double.__name__ == "double" and double.__doc__ == "Words."


def test_what_is_ready_takes_no_time():
    adding = compiling(Adding)
    double(adding, 3)
    before = functions.compile_seconds()
    assert double.prepare(adding, 4) == 0.0
    assert functions.compile_seconds() == before


def test_compile_seconds_add_up():
    function, adding = native(double.plain), compiling(Adding)
    before = functions.compile_seconds()
    took = function.prepare(adding, 3)
    assert 0 < took == pytest.approx(functions.compile_seconds() - before)


class Missing:
    pass


class Listing:
    def __init__(self):
        self.values = [1, 2]

    def add(self, x):
        return self.values[x]


class Property:
    @property
    def one(self):
        return 1

    def add(self, x):
        return x + self.one


class Delegating:
    def add(self, x):
        yield from range(x)


class Recursive:
    def add(self, x):
        return 0 if x == 0 else self.add(x - 1)


class Texts:
    def add(self, x):
        return x + "one"


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (Missing, "Unknown attribute 'add'"),
        (Listing, "'values' is a list, which compiled code cannot read"),
        (Property, "'one' is a property, which compiled code cannot read"),
        (Delegating, "unsupported opcode"),
        (Recursive, "compiler re-entrant"),
        (
            Texts,
            "found for signature: add(int64, ",
        ),
    ],
)
def test_what_cannot_be_compiled_is_told_in_one_sentence(kind, cause):
    with pytest.raises(CompileError) as told:
        double(compiling(kind), 3)
    assert str(told.value).startswith("double cannot be compiled: ")
    assert cause in str(told.value)
    assert "\n" not in str(told.value)


# ---- the spinner -----------------------------------------------------------------------------------------


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
