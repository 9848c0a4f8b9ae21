"""`@native`: two gears, one sentence for what cannot be compiled, and a hook for programs that wait."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from typing import NamedTuple

import numpy as np
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
    assert not double.entries
    assert double(compiling(Adding), 3) == 8
    assert len(double.entries) == 1
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


def test_threads_that_wait_for_one_compilation_count_it_once():
    function, adding = native(double.plain), compiling(Adding)
    together, took, answers = threading.Barrier(4), [], []

    def call() -> None:
        together.wait()
        before = functions.compile_seconds()
        answers.append(function(adding, 3))
        took.append(functions.compile_seconds() - before)

    threads = [threading.Thread(target=call) for _ in range(4)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [8] * 4
    assert sorted(took)[:3] == [0.0] * 3 and 0 < max(took) <= time.perf_counter() - began


class Pair(NamedTuple):
    bits: np.uint64
    count: int


class Board:
    def initial(self):
        return Pair(np.uint64(1 << 63), 3)


@native
def first_state(game):
    return game.initial(), True


def test_a_state_comes_back_with_the_numbers_that_it_declares():
    state, is_first = first_state(compiling(Board))
    assert is_first is True
    assert state == Pair(np.uint64(1 << 63), 3)
    assert list(map(type, state)) == [np.uint64, int]


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
        (Missing, "double cannot be compiled: the game has no attribute 'add'"),
        (
            Listing,
            "add cannot be compiled: 'values' is a list, which compiled code cannot read; write a tuple, or",
        ),
        (Property, "add cannot be compiled: 'one' is a property; write a method, and call it"),
        (Delegating, "add cannot be compiled: write `for … in …: yield …` instead of `yield from`"),
        (Recursive, "add cannot be compiled: it calls itself, directly or through another one; write a loop"),
        (Texts, "add cannot be compiled: compiled code has no 'add(int, str)'; write it out with numbers,"),
    ],
)
def test_what_cannot_be_compiled_is_told_in_one_sentence(kind, cause):
    with pytest.raises(CompileError) as told:
        double(compiling(kind), 3)
    assert str(told.value).startswith(cause)
    assert re.search(r" \(test_functions\.py, line \d+\)$", str(told.value))
    assert "\n" not in str(told.value)
    assert "numba" in type(told.value.__context__).__module__  # what Numba says, for those who ask


def test_a_program_can_watch_compilations(monkeypatch):
    seen = []

    @contextlib.contextmanager
    def around(name):
        seen.append(f"begin {name}")
        yield
        seen.append(f"end {name}")

    monkeypatch.setattr(functions, "_around", contextlib.nullcontext)  # put back afterwards
    functions.watch_compilation(around)
    native(double.plain).prepare(compiling(Adding), 3)
    assert seen == ["begin double", "end double"]
