"""Sets of more than 64 places: tuples of `uint64`, the lowest word first.

A board of 9×9 has two words, one of 19×19 six. Compiled code shifts them as one wide number, which carries
between the words.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gambito.native.bits import first_bit, nth_bit, popcount

Words = tuple[np.uint64, ...]


def words_for(places: int) -> int:
    """The number of words in a set of this many places."""
    return -(-places // 64)


def wide_set(places: Iterable[int], words: int) -> Words:
    """The set of these places."""
    return _split(sum(1 << int(place) for place in set(places)), words)


def wide_places(members: Words) -> list[int]:
    """The places of a set, in order; for text and pictures."""
    number = _join(members)
    return [place for place in range(number.bit_length()) if number >> place & 1]


def _join(words: Words) -> int:
    return sum(int(word) << (64 * number) for number, word in enumerate(words))


def _split(number: int, words: int) -> Words:
    return tuple(np.uint64(number >> (64 * each) & 0xFFFFFFFFFFFFFFFF) for each in range(words))


# ---- in the Python gear ------------------------------------------------------------------------------


def union_of(one: Words, other: Words) -> Words:
    """The places of either set."""
    return tuple(a | b for a, b in zip(one, other, strict=True))


def common(one: Words, other: Words) -> Words:
    """The places of both sets."""
    return tuple(a & b for a, b in zip(one, other, strict=True))


def without(one: Words, other: Words) -> Words:
    """The places of the first set that are not in the second."""
    return tuple(a & ~b for a, b in zip(one, other, strict=True))


def shift_up(members: Words, by: int) -> Words:
    """Shift every place up by that much; places beyond the last word are lost."""
    return _split(_join(members) << int(by), len(members))


def shift_down(members: Words, by: int) -> Words:
    """Shift every place down by that much."""
    return _split(_join(members) >> int(by), len(members))


def only(place: int, like: Words) -> Words:
    """The set of one place, as wide as another set."""
    return tuple(
        np.uint64(1 << (int(place) & 63) if each == int(place) >> 6 else 0) for each in range(len(like))
    )


def has_place(members: Words, place: int) -> bool:
    """Is the place in the set?"""
    return bool(int(members[int(place) >> 6]) >> (int(place) & 63) & 1)


def is_empty(members: Words) -> bool:
    """Is no place in the set?"""
    return not any(members)


def count_places(members: Words) -> int:
    """The number of places in the set."""
    return sum(popcount(word) for word in members)


def first_place(members: Words) -> int:
    """The lowest place of a non-empty set."""
    number = next(number for number, word in enumerate(members) if word)
    return 64 * number + first_bit(members[number])


def nth_place(members: Words, number: int) -> int:
    """A place of the set, counted from 0 at the lowest; the set must have more than `number` places."""
    for base, word in enumerate(members):
        if number < popcount(word):
            return 64 * base + nth_bit(word, number)
        number -= popcount(word)
    raise IndexError(f"the set has no place number {number}")
