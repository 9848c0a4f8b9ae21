"""Memory of a call: a recursion in which every call holds words of its own, in both gears."""

from __future__ import annotations

import numpy as np
import pytest

from gambito.errors import CompileError
from gambito.native import Constant, Handle, int64, native, uint64
from gambito.native.prefetch import prefetch
from gambito.native.scratch import scratch

NOTHING = Constant(object(), "tests.scratch", "1", {}, {})
WORDS, MANY = 4, 32


@native
def descend(game, depth):
    """Each call writes its words before it goes deeper, and reads them afterwards."""
    words = scratch(WORDS)
    for place in range(WORDS):
        words[place] = uint64(100 * depth + place)
    below = descend(game, depth - 1) if depth else int64(0)
    total = below
    for place in range(WORDS):
        total += int64(words[place])
    return total


def test_every_call_has_words_of_its_own():
    expected = sum(100 * depth + place for depth in range(6) for place in range(WORDS))
    assert descend(None, 5) == descend(NOTHING, 5) == expected


def noise(x):
    """It writes to the stack, where memory would lie that is not its caller's any more."""
    words = scratch(MANY)
    for place in range(MANY):
        words[place] = uint64(x)
    return int64(words[x])


def around_noise(game, x):
    words = scratch(WORDS)
    for place in range(WORDS):
        words[place] = uint64(place)
    noisy = noise(x)
    return noisy + int64(words[0]) + int64(words[1]) + int64(words[2]) + int64(words[3])


@pytest.mark.filterwarnings("ignore::gambito.native.cache.CacheWarning")  # such code is not kept
def test_the_words_belong_to_the_caller_also_where_nothing_is_inlined(monkeypatch):
    monkeypatch.setenv("NUMBA_OPT", "0")
    assert native(around_noise)(NOTHING, 7) == around_noise(None, 7) == 13


@native
def of_any_size(game, count):
    return scratch(count)[0]


def test_the_number_of_words_is_a_constant():
    with pytest.raises(CompileError, match="scratch"):
        of_any_size(NOTHING, 3)


class Shelf(Handle):
    arrays = {"words": np.uint64}  # noqa: RUF012

    def look(self, place):
        prefetch(self.words, place)
        return self.words[place]


@native
def look(game, shelf, place):
    return shelf.look(place)


def test_fetching_ahead_changes_nothing():
    shelf = Shelf(words=np.arange(8, dtype=np.uint64))
    assert [int(look(game, shelf, 5)) for game in (None, NOTHING)] == [5, 5]
