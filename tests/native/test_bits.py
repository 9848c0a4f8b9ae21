"""Bits and hashing: both gears compute the same."""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

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
    kinds = [both_mix(flat), both_mix(flat.reshape(2, 3)), int(mix(numbers)), int(mix(tuple(numbers)))]
    assert len(set(kinds)) == len(kinds)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.bool_, np.float64])
def test_mix_of_arrays_of_every_width_and_size(kind):
    """Also of those that fill no word, have two dimensions, or lie in another order."""
    for size in (0, 1, 3, 7, 8, 9, 16, 21):
        array = (np.arange(size) % 3).astype(kind)
        others = [array.copy() for _ in range(size)]
        for place, other in enumerate(others):
            other[place] = kind(1) if not other[place] else kind(0)
        assert len({both_mix(each) for each in (array, *others)}) == size + 1
    board = (np.arange(15) % 2).astype(kind).reshape(3, 5)
    assert both_mix(board) == both_mix(np.asfortranarray(board)) == int(mix(board.T.copy().T))
    assert both_mix((1, board)) != both_mix((1, board.reshape(5, 3)))


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


class Colour(Enum):
    ZERO = 0
    ONE = 1
    TWO = 2


class Fault(Enum):
    ZERO = 0
    ONE = 1


@dataclass(frozen=True)
class Pawn:
    place: int
    colour: Colour


NAMES, SMALL = list("012"), [0, 1, 2, -1, -2, True, 1 << 64, (1 << 64) + 1]
ONES = [*SMALL, 0.0, 1.0, 2.0, None, *NAMES, b"1", *Colour, *Fault, Fraction(-1), Fraction(-2)]


def draw_state(rng: random.Random, depth: int = 0) -> Any:
    """A state of a random shape, of so few values that many of them hold the same ones elsewhere."""
    kind = rng.randrange(14 if depth < 3 else 6)
    if kind < 6:
        return rng.choice(ONES)
    parts = [draw_state(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind < 9:
        return tuple(parts)
    if kind == 9:
        return [*parts]
    if kind == 10:
        return frozenset(rng.choice(ONES) for _ in parts)
    if kind == 11:
        return {rng.choice(NAMES): part for part in parts}
    if kind == 12:
        return Pawn(rng.choice(SMALL), rng.choice([*Colour]))
    shape = rng.choice([(2,), (4,), (2, 2), (1, 4), (8,)])
    dtype = rng.choice([np.int8, np.int32, np.int64, np.float64, np.bool_, object])
    return np.array([rng.randrange(2) for _ in range(np.prod(shape))], dtype).reshape(shape)


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.shape == other.shape and (one == other).all()
    if isinstance(one, tuple | list) and type(one) is type(other):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one)
    return type(one) is not np.ndarray and type(other) is not np.ndarray and bool(one == other)


def pairs_with_equal_keys(count: int, seed: int) -> tuple[int, list[Any]]:
    """Among all pairs of so many different states: the number of pairs, and those that share a key."""
    rng, known, shared = random.Random(seed), dict[int, Any](), []
    for _ in range(count):
        state = tuple(draw_state(rng) for _ in range(rng.randrange(1, 5)))
        other = known.setdefault(int(mix(state)), state)
        if not alike(other, state):
            shared.append((other, state))
    return len(known) * (len(known) - 1) // 2, shared


def test_no_two_of_many_states_share_a_key():
    pairs, shared = pairs_with_equal_keys(6_000, 1)
    assert pairs > 1_000_000
    assert not shared


@pytest.mark.thorough
def test_no_two_of_very_many_states_share_a_key():
    pairs, shared = pairs_with_equal_keys(150_000, 2)
    assert pairs > 4 * 10**9
    assert not shared


@pytest.mark.parametrize(
    "wrap",
    [Colour, lambda x: frozenset({x}), lambda x: [x], lambda x: (x,), lambda x: ((x,),), np.array, Fraction],
)
def test_what_holds_a_number_is_not_that_number(wrap):
    assert mix((1, wrap(2))) != mix((2, wrap(1)))
    assert mix((1, 1, wrap(2))) != mix((1, 2, wrap(1)))
    assert len({int(mix(state)) for state in (1, (1,), wrap(1), (wrap(1),))}) >= 3


def test_members_of_sets_are_told_apart():
    """All subsets of a board's cells, whose hashes are added."""
    cells = range(14)
    subsets = [frozenset(c for c in cells if bits >> c & 1) for bits in range(1 << len(cells))]
    assert len({int(mix(subset)) for subset in subsets}) == len(subsets)


def test_numbers_beyond_the_machine_are_told_apart():
    boards = [1 << place for place in range(361)]
    assert len({int(mix((board, 0))) for board in [*boards, *(-board for board in boards[64:])]}) == 658


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
    assert mix(Pawn(-1, Colour.ONE)) != mix(Pawn(-2, Colour.ONE))  # Python's own hashes of these are equal
    assert mix(deque([1, 2])) == mix(deque([1, 2])) != mix(deque([2, 1]))
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

    for nothing in (Slots(), object(), (part for part in ()), lambda: 0):
        with pytest.raises(TypeError, match="give the game a rule 'key'"):
            mix(nothing)
