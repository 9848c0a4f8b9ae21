"""Random numbers, additions of several threads, and sets wider than a word."""

import random

import numpy as np
import pytest

import gambito
from gambito.game.gears import gears
from gambito.native import int64, native, nth_bit, wide
from gambito.native.atomic import claim, fetch_add, publish
from gambito.native.random import new_random

WORDS = 3


@native
def draw(game, rng, count, limit):
    total = 0
    for _ in range(count):
        total = total * 31 % 1000003 + rng.below(limit)
    return total, rng.fraction()


def test_both_gears_draw_the_same():
    game = gambito.load("tic-tac-toe")
    inner = gears(game).in_gear("native")
    for seed in range(5):
        assert draw(inner, new_random(seed), 50, 7) == draw(game, new_random(seed), 50, 7)


def test_numbers_are_even():
    rng = new_random((1, 2))
    counts = np.bincount([rng.below(6) for _ in range(6000)], minlength=6)
    assert counts.min() > 850 and counts.max() < 1150
    assert 0.45 < np.mean([rng.fraction() for _ in range(2000)]) < 0.55


@native
def atomics(game, rng):
    before = fetch_add(rng.words, 0, 5)
    publish(rng.words, 0, before)
    return before == rng.words[0], claim(rng.words, 0, 1)


def test_atomic_operations():
    inner = gears(gambito.load("tic-tac-toe")).in_gear("native")
    assert atomics(inner, new_random(1)) == (True, False)
    assert atomics(gambito.load("tic-tac-toe"), new_random(1)) == (True, False)


@native
def operate(game, one, other, place, by):
    union, both, rest = wide.union_of(one, other), wide.common(one, other), wide.without(one, other)
    up, down = wide.shift_up(one, by), wide.shift_down(one, by)
    facts = (wide.count_places(one), int64(wide.is_empty(both)), int64(wide.has_place(one, place)))
    found = (int64(-1), int64(-1))
    if not wide.is_empty(one):
        found = (wide.first_place(one), wide.nth_place(one, wide.count_places(one) - 1))
    return union, both, rest, up, down, wide.only(place, one), facts, found


@pytest.mark.parametrize("seed", range(20))
def test_wide_sets(seed):
    rng = random.Random(seed)
    game = gambito.load("tic-tac-toe")
    sets = [rng.sample(range(64 * WORDS), rng.randrange(0, 90)) for _ in range(2)]
    one, other = (wide.wide_set(places, WORDS) for places in sets)
    place, by = rng.randrange(64 * WORDS), rng.randrange(1, 70)
    native_found = operate(gears(game).in_gear("native"), one, other, place, by)
    plain = operate(game, one, other, place, by)
    assert [tuple(map(int, part)) for part in native_found] == [tuple(map(int, part)) for part in plain]
    assert set(wide.wide_places(plain[0])) == set(sets[0]) | set(sets[1])
    assert set(wide.wide_places(plain[3])) == {p + by for p in sets[0] if p + by < 64 * WORDS}
    if sets[0]:
        assert tuple(map(int, plain[7])) == (min(sets[0]), max(sets[0]))


@native
def nth(game, bits, number):
    return nth_bit(bits, number)


def test_nth_bit():
    rng, inner = random.Random(1), gears(gambito.load("tic-tac-toe")).in_gear("native")
    for _ in range(50):
        bits = rng.getrandbits(64) | 1
        places = [p for p in range(64) if bits >> p & 1]
        for number in (0, len(places) // 2, len(places) - 1):
            assert nth(inner, np.uint64(bits), number) == nth_bit(np.uint64(bits), number) == places[number]
