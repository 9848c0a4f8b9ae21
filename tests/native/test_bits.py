"""Bits and hashing: both gears compute the same."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gambito.native import Constant, first_bit, last_bit, mix, native, popcount
from gambito.native.values import conform, declared

ALL = (1 << 64) - 1
WORDS = st.integers(0, ALL) | st.integers(0, 63).map(lambda place: 1 << place) | st.just(0)
SIGNED = st.integers(-(1 << 63), (1 << 63) - 1)
compiled = settings(deadline=None)  # the first example compiles
NOTHING = Constant(object(), "tests.bits", "1", {}, {})


@native
def look(game, bits):
    return popcount(bits), first_bit(bits), last_bit(bits)


@native
def mixed(game, value):
    return mix(value)


def both_look(bits):
    plain = look(None, bits)
    assert tuple(plain) == tuple(look(NOTHING, bits))
    return plain


@compiled
@given(WORDS)
def test_bits_of_a_bitboard(word):
    count, first, last = both_look(np.uint64(word))
    assert count == bin(word).count("1")
    assert first == (next(i for i in range(64) if word >> i & 1) if word else 64)
    assert last == (next(i for i in reversed(range(64)) if word >> i & 1) if word else -1)


@compiled
@given(SIGNED)
def test_bits_of_a_signed_number_are_those_of_the_machine(number):
    assert both_look(number) == look(None, np.uint64(number & ALL))


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int32, np.uint32])
@compiled
@given(st.integers(0, 127))
def test_bits_of_other_widths(kind, number):
    assert both_look(kind(number)) == look(None, np.uint64(number))


class Pair(NamedTuple):
    bits: np.uint64
    count: int


class Deep(NamedTuple):
    pair: Pair
    worth: float
    is_over: bool
    small: np.int8


def both_mix(value):
    plain = mixed(None, value)
    assert type(plain) is np.uint64
    assert int(plain) == int(mixed(NOTHING, value))
    return int(plain)


@compiled
@given(WORDS, SIGNED, st.floats(), st.booleans(), st.integers(-128, 127))
def test_mix_is_the_same_in_both_gears(word, number, worth, is_over, small):
    deep = Deep(Pair(word, number), worth, is_over, small)
    for value in (
        np.uint64(word),
        number,
        worth,
        is_over,
        np.int8(small),
        np.float32(small),
        (number, small),
    ):
        both_mix(value)
    both_mix(conform(deep, declared(deep)))


@compiled
@given(st.lists(st.integers(-128, 127), min_size=6, max_size=6))
def test_mix_of_arrays(numbers):
    flat = np.array(numbers, np.int8)
    assert both_mix(flat) == both_mix(flat.reshape(2, 3)) == int(mix(numbers)) == int(mix(tuple(numbers)))


def test_mix_tells_states_apart():
    seen = {both_mix((a, b)) for a in range(-20, 20) for b in range(-20, 20)}
    assert len(seen) == 1600
    assert len({both_mix(a) for a in range(1000)}) == 1000
    ones = [bin(both_mix(a) ^ both_mix(a + 1)).count("1") for a in range(200)]
    assert 24 < sum(ones) / len(ones) < 40  # a changed bit turns half of them


def test_mix_sees_where_one_part_ends_and_the_next_begins():
    parts = [((1, 2), (3,)), ((1,), (2, 3)), ((1, 2, 3), ()), (1, (2, 3)), (1, 2, 3)]
    assert len({both_mix(p) for p in parts}) == len(parts)
    arrays = [(np.array(a), np.array(b)) for a, b in (([1, 2], [3]), ([1], [2, 3]))]
    assert both_mix(arrays[0]) != both_mix(arrays[1])
    assert both_mix(arrays[0]) == int(mix(parts[0]))


class Side(Enum):
    LEFT = 1
    RIGHT = 2


@dataclass
class Board:
    cells: list[str]


class Plain:
    def __init__(self, cells):
        self.cells = cells


STATES = [
    "x",
    {"a": 1, "b": [2, 3]},
    {1, 2, 3},
    frozenset({"a", "b"}),
    [None, Side.LEFT],
    Board(["X", "O"]),
    (Plain({"a": 1}), Side.RIGHT),
]


def test_mix_in_the_python_gear_looks_at_what_a_state_holds():
    assert mix(Board(["X"])) == mix(Board(["X"])) != mix(Board(["O"]))
    assert mix(Plain(["X"])) == mix(Plain(["X"])) != mix(Plain(["O"]))
    assert mix({"a": 1, "b": 2}) == mix({"b": 2, "a": 1}) != mix({"a": 2, "b": 1})
    assert mix({1, 2}) == mix({2, 1}) != mix({1, 3})
    assert mix("ab") != mix("ba")
    assert mix([["X"], ["X", "X"]]) != mix([["X", "X"], ["X"]])
    assert len({int(mix(s)) for s in STATES}) == len(STATES)


def test_mix_is_the_same_in_all_processes(fresh):
    """Also under another hash seed: Python's own hash of text is new in each process."""
    script = """
import json
from enum import Enum
from dataclasses import dataclass
from gambito import mix
class Side(Enum):
    LEFT = 1
@dataclass
class Board:
    cells: list
print(json.dumps([int(mix(v)) for v in (5, 0.5, "x", {"a": 1}, {"a", "b"}, [None, Side.LEFT], Board(["X"]))]))
"""
    here = [int(mix(v)) for v in (5, 0.5, "x", {"a": 1}, {"a", "b"}, [None, Side.LEFT], Board(["X"]))]
    assert fresh(script) == here


def test_what_has_no_hash_says_so():
    class Slots:
        __slots__ = ("cells",)

    with pytest.raises(TypeError, match="give the game a rule 'key'"):
        mix(Slots())
