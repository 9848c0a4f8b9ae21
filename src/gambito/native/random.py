"""A small random number generator in both gears: the same numbers from the same seed.

Marsaglia's xorshift with a final multiplication (Vigna 2016). It is fast and good enough for playouts, but
not for cryptography.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy import int64, uint64

from gambito.native.bits import mix, spread
from gambito.native.objects import Handle

FRACTION = 2.0**-53


class Random(Handle):
    """A sequence of random numbers; `words[0]` is its state, never 0."""

    arrays: ClassVar[dict[str, type]] = {"words": np.uint64}

    def bits(self):
        """64 random bits; the high ones are better."""
        word = self.words[0]
        word ^= word >> uint64(12)
        word ^= word << uint64(25)
        word ^= word >> uint64(27)
        self.words[0] = word
        return spread(word)

    def below(self, count):
        """A random integer from 0 to count - 1, each with equal probability; `count` has at most 32 bits."""
        return int64(((self.bits() >> uint64(32)) * uint64(count)) >> uint64(32))

    def fraction(self):
        """A random number from 0 to 1, without 1."""
        return float(self.bits() >> uint64(11)) * FRACTION


def new_random(seed: Any) -> Random:
    """A generator started with a seed, which is a number or a tuple of numbers."""
    return Random(words=np.array([mix(seed) | np.uint64(1)], np.uint64))
