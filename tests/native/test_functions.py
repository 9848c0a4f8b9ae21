"""`@native`: two gears, one sentence for what cannot be compiled, and a spinner for who waits."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading

import pytest

from gambito.native import CompileError, Constant, functions, native
from tests.support import wait_until


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
    monkeypatch.setattr(function.dispatcher, "compile", lambda signature: compile())
    function.prepare(compiling(Adding), 3)


def test_a_long_compilation_shows_a_spinner(monkeypatch):
    with terminal(monkeypatch) as screen:
        prepare(monkeypatch, lambda: wait_until(lambda: len(screen.marks()) > 1))
        assert screen.text().endswith("\r\x1b[K")  # it leaves a clean line


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
        raise ValueError("no")

    with terminal(monkeypatch) as screen:
        with pytest.raises(CompileError, match="double cannot be compiled: no"):
            prepare(monkeypatch, failing)
        assert screen.text().endswith("\r\x1b[K")
