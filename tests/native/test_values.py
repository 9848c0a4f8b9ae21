"""The boundary of compiled code: the types of values for the compiler, and the conversion to them."""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import typeof

from gambito.native import kinds, uint64
from gambito.native.compiler.types import numba_type
from gambito.native.entries import kind_of
from gambito.native.values import conform, constant_type, declared


class Bits(NamedTuple):
    mine: np.uint64
    mask: np.uint64


class Mixed(NamedTuple):
    bits: np.uint64
    count: int
    is_over: bool
    worth: float
    small: np.int8
    pair: tuple
    named: uint64


class Outer(NamedTuple):
    inner: Bits
    board: np.ndarray


class Lost(NamedTuple):
    count: Nowhere  # noqa: F821


Bare = collections.namedtuple("Bare", "a b")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, kinds.int64),
        (-3, kinds.int64),
        (1 << 63, kinds.uint64),
        (True, kinds.boolean),
        (0.5, kinds.float64),
        (np.uint64(3), kinds.uint64),
        (np.int8(3), kinds.Number("int8")),
        (np.float32(3), kinds.Number("float32")),
        (np.bool_(True), kinds.boolean),
        ((), kinds.Tuple(())),
        ((1, 2), kinds.Tuple([kinds.int64] * 2)),
        ((1, True), kinds.Tuple((kinds.int64, kinds.boolean))),
        ((1, (2, 0.5)), kinds.Tuple((kinds.int64, kinds.Tuple((kinds.int64, kinds.float64))))),
        (np.zeros(9, np.int8), kinds.Fixed(kinds.Number("int8"), (9,))),
        (np.zeros((3, 2), np.int8).T, kinds.Fixed(kinds.Number("int8"), (2, 3))),
        (np.zeros((4, 4), np.int8)[1:, 1:], kinds.Fixed(kinds.Number("int8"), (3, 3))),
        (Bits(0, 0), kinds.Named([kinds.uint64] * 2, Bits)),
        (Lost(1), kinds.Named([kinds.int64] * 1, Lost)),
        (Bare(1, 0.5), kinds.Named((kinds.int64, kinds.float64), Bare)),
    ],
)
def test_declared(value, kind):
    assert declared(value) == kind


def test_the_annotations_of_a_named_tuple_decide():
    kind = declared(Mixed(1, True, 1, 2, 3, (1, 2), 5))
    pair = kinds.Tuple([kinds.int64] * 2)
    assert kind.parts == (
        kinds.uint64,
        kinds.int64,
        kinds.boolean,
        kinds.float64,
        kinds.Number("int8"),
        pair,
        kinds.uint64,
    )
    assert declared(Outer(Bits(0, 0), np.zeros(2))).parts[0] == declared(Bits(0, 0))


@dataclass
class Board:
    cells: int


@pytest.mark.parametrize(
    "value",
    [
        [1, 2],
        {1: 2},
        {1},
        "text",
        None,
        Board(1),
        1j,
        1 << 64,
        (1, [2]),
        Outer(Bits(0, 0), "x"),
        np.array(["X", "O"]),
        np.array([None]),
        np.array([1j]),
        np.datetime64("2020"),
    ],
)
def test_what_cannot_be_compiled_says_so_in_one_sentence(value):
    with pytest.raises(TypeError, match="cannot be compiled") as told:
        declared(value)
    assert "\n" not in str(told.value)


STATES = [
    (3, 3),
    (np.int8(3), 3),
    ((1, (2, 0.5)), (True, (np.uint8(2), 1))),
    (Bits(0, 0), (1, 1 << 63)),
    (Mixed(1, 1, True, 2.5, 3, (1, 2), 5), (np.int64(7), np.uint8(1), 0, 2, np.int64(3), (True, 2), 9)),
    (np.zeros((2, 2), np.int8), np.arange(4).reshape(2, 2).T),
    (Outer(Bits(0, 0), np.zeros(2)), (Bits(1, 2), [1, 2])),
]


@pytest.mark.parametrize(("initial", "state"), STATES)
def test_a_state_that_passed_the_door_has_the_declared_type(initial, state):
    kind = declared(initial)
    for given_ in (initial, state):
        passed = conform(given_, kind)
        assert typeof(passed) == numba_type(kind) == numba_type(kind_of(passed))
        assert repr(conform(passed, kind)) == repr(passed)


def test_numbers_become_what_both_gears_compute_with():
    passed = conform(
        (1, np.uint8(2), 1, np.float32(0.5), 3, (True, 2), 5), declared(Mixed(1, 1, True, 0.5, 3, (1, 2), 5))
    )
    assert isinstance(passed, Mixed)
    assert [type(v) for v in passed] == [np.uint64, int, bool, float, np.int8, tuple, np.uint64]
    assert [type(v) for v in passed.pair] == [int, int]


def test_an_array_that_may_not_be_written_is_copied():
    frozen = np.arange(4, dtype=np.int8)
    frozen.flags.writeable = False
    passed = conform(frozen, declared(frozen))
    assert passed.flags.writeable and passed is not frozen
    fine = np.arange(4, dtype=np.int8)
    assert conform(fine, declared(fine)) is fine


@pytest.mark.parametrize(
    ("initial", "state"),
    [
        ((), (1,)),
        (Bits(0, 0), (1, 2, 3)),
        (Bits(0, 0), [1, 2]),
        (Bits(0, 0), None),
        (Bits(0, 0), (-1, 0)),
        (3, 1 << 63),
        (3, "x"),
        (3, None),
        (np.zeros(3), np.zeros((3, 3))),
        (np.int8(0), 1000),
    ],
)
def test_what_is_of_another_shape_does_not_pass(initial, state):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        conform(state, declared(initial))


@given(st.integers(0, (1 << 64) - 1), st.integers(-(1 << 63), (1 << 63) - 1), st.floats(allow_nan=False))
def test_values_survive_the_door(bits, count, worth):
    kind = declared(Mixed(0, 0, False, 0.0, 0, (0, 0), 0))
    passed = conform((bits, count, True, worth, 1, (1, 2), bits), kind)
    assert (int(passed.bits), passed.count, passed.worth) == (bits, count, worth)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, kinds.int64),
        ((1 << 64) - 1, kinds.uint64),
        ("word", kinds.TEXT),
        (np.zeros((2, 2), order="F"), kinds.Array(kinds.float64, 2, "F", is_readonly=True)),
        ((np.uint64(1), np.uint64(2)), kinds.Tuple([kinds.uint64] * 2)),
        ((np.zeros(2), 1), kinds.Tuple((kinds.Array(kinds.float64, 1, "C", is_readonly=True), kinds.int64))),
        (None, None),
        ([1], None),
        ({}, None),
        (1 << 64, None),
    ],
)
def test_constants(value, kind):
    assert constant_type(value) == kind
