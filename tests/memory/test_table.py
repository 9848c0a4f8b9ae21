"""The transposition table: what is stored is found, nothing else is, and it grows without losing much."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gambito.memory.table import (
    BY_USE,
    COLD,
    DEEPEST,
    EXACT,
    HEAD,
    LARGEST_VALUE,
    LEAST,
    LOWER,
    MOST_ACTION,
    SHIFT,
    UPPER,
    USED,
    action_of,
    bound_of,
    depth_of,
    new_table,
    rests_of,
    value_of,
)
from gambito.native import uint64
from gambito.search.monitor import Monitor, new_monitor

WATCH = new_monitor(Monitor, "python", 1)
KEYS = st.integers(1, (1 << 64) - 1).map(uint64)
VALUES = st.integers(-LARGEST_VALUE, LARGEST_VALUE)
POLICIES = (0, BY_USE)


@given(
    KEYS,
    st.booleans(),
    st.integers(0, DEEPEST),
    VALUES,
    st.sampled_from([LOWER, UPPER, EXACT]),
    st.integers(-1, MOST_ACTION),
    st.booleans(),
    st.sampled_from(POLICIES),
)
def test_what_is_stored_is_found(key, is_near, depth, value, bound, action, rests, policy):
    table = new_table(1)
    table.store(key, is_near, depth, value, bound, action, rests, policy)
    entry = table.probe(key, is_near, policy)
    assert (value_of(entry), depth_of(entry), bound_of(entry)) == (value, depth, bound)
    assert (action_of(entry), rests_of(entry)) == (action, rests)
    assert table.probe(key ^ uint64(1), is_near, policy) == 0


def test_a_torn_entry_counts_as_missing():
    table, key = new_table(1), uint64(0x123456789)
    table.store(key, False, 5, 77, EXACT, 3, False, 0)
    table.words[table.bucket(key, False) + 1] ^= np.uint64(1 << 40)  # another thread's half
    assert table.probe(key, False, 0) == 0


def test_the_deeper_entry_stays_and_the_newer_one_too():
    table = new_table(1)
    keys = same_bucket(table, 3)
    for key, depth in zip(keys, (9, 2, 3), strict=True):
        table.store(key, False, depth, depth, EXACT, 0, False, 0)
    found = [table.probe(key, False, 0) != 0 for key in keys]
    assert found == [True, False, True]


def test_the_less_used_entry_goes():
    table = new_table(1)
    keys = same_bucket(table, 3)
    for key in keys[:2]:
        table.store(key, False, 1, 0, EXACT, 0, False, BY_USE)
    for _ in range(5):
        table.probe(keys[1], False, BY_USE)
    table.store(keys[2], False, 1, 0, EXACT, 0, False, BY_USE)
    assert [table.probe(key, False, BY_USE) != 0 for key in keys] == [False, True, True]


@pytest.mark.parametrize("policy", POLICIES)
def test_it_grows_to_its_size_and_keeps_what_it_holds(policy):
    rng, table = random.Random(3), new_table(2)
    size, begun = table.words.size, int(table.words[SHIFT])
    keys = [uint64(rng.getrandbits(64)) for _ in range(12000)]
    for key in keys:
        table.store(key, False, 4, int(key) % 1000, EXACT, 1, False, policy)
        table.grow_if_full(WATCH)
    assert int(table.words[SHIFT]) < begun
    entries = [(key, table.probe(key, False, policy)) for key in keys]
    kept = [(key, entry) for key, entry in entries if entry]
    assert len(kept) > 0.8 * len(keys)  # three keys in a bucket lose one
    assert all(value_of(entry) == int(key) % 1000 for key, entry in kept)
    while int(table.words[SHIFT]) > int(table.words[LEAST]):
        table.words[USED] = np.uint64(1 << 40)
        table.grow_if_full(WATCH)
    assert COLD + (4 << (64 - int(table.words[SHIFT]))) <= size
    assert size * 8 <= (2 << 20) + 8 * HEAD


def same_bucket(table, count):
    """Keys that belong to one bucket."""
    wanted, found, key = None, [], 0
    while len(found) < count:
        key += 1
        place = table.bucket(uint64(key), False)
        wanted = place if wanted is None else wanted
        found += [uint64(key)] if place == wanted else []
    return found
