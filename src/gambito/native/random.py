"""A small generator of random numbers in both gears: the same numbers from the same seed.

Marsaglia's xorshift with a multiplication at its end (Vigna 2016). Fast, and good enough for playouts;
nothing for secrets.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numba import int64, uint64

from gambito.native.bits import mix, spread
from gambito.native.objects import Handle

FRACTION = 2.0**-53


class Random(Handle):
    """A sequence of random numbers; `words[0]` is its place in it, never 0."""

    arrays: ClassVar[dict[str, type]] = {"words": np.uint64}

    def bits(self):
        """64 random bits, the high ones the better."""
        word = self.words[0]
        word ^= word >> uint64(12)
        word ^= word << uint64(25)
        word ^= word >> uint64(27)
        self.words[0] = word
        return spread(word)

    def below(self, count):
        """A whole number from 0 to count - 1, each as likely; a count has at most 32 bits."""
        return int64(((self.bits() >> uint64(32)) * uint64(count)) >> uint64(32))

    def fraction(self):
        """A number from 0 to 1, 1 left out."""
        return float(self.bits() >> uint64(11)) * FRACTION


def new_random(seed: Any) -> Random:
    """A generator that begins where the seed, a number or a tuple of them, says."""
    return Random(words=np.array([mix(seed) | np.uint64(1)], np.uint64))
