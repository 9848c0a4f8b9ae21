"""Mutated inputs: what a parser accepts, spoiled at random; the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import AnyStr

# What parsers trip over: numerals that are no plain digits, numbers out of every range, line breaks, marks.
WORDS = [
    *("", "0", "00000000", "1", "-1", "7", "255", "256", "65536", "4294967296", "18446744073709551616"),
    *("9" * 400, "7" * 5000, "1e400", "-1e-400", "nan", "inf", "-inf", "1.5", "1_000", "0x10", "+3"),
    *("½", "²", "٣", "Ⅷ", "１", "é", "😀", "\0", "\ufeff", "\ud800", "\u202e", "\u2028"),
    *("\n", "\r\n", "\t", " ", "  ", ",", ";", ":", "/", "\\", "=", "-", "|", "#", "*", ".", '"', "'"),
    *("[", "]", "(", ")", "{", "}", "<", ">", "%s", "{}", "{0}", "[]", "null", "true", "None"),
    *("[" * 200, "(" * 200, "(;" * 50, "a" * 300, "K", "X", "O", "x", "o", "w", "b", "end"),
]
LONGEST = 20_000  # characters of an input


def mutated(seeds: Sequence[AnyStr], rng: random.Random) -> AnyStr:
    """One of the seeds, changed in one to six places."""
    text = rng.choice(seeds)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 6))):
        text = _changed(text, seeds, rng)
    return text[:LONGEST]


def _changed(text: AnyStr, seeds: Sequence[AnyStr], rng: random.Random) -> AnyStr:
    begin = rng.randint(0, len(text))
    end = min(len(text), begin + rng.choice((0, 1, 1, 2, 4, 16)))
    way = rng.randrange(8)
    if way == 0:  # drop
        return text[:begin] + text[end:]
    if way == 1:  # repeat
        return text[:end] + text[begin:end] * rng.randint(1, 4) + text[end:]
    if way == 2:  # a part of another input
        other = rng.choice(seeds)
        at = rng.randint(0, len(other))
        return text[:begin] + other[at : at + rng.randint(1, 40)] + text[end:]
    if way == 3 and len(text) > 1:  # the end is missing
        return text[:begin]
    if way == 4 and isinstance(text, bytes):
        return text[:begin] + bytes(rng.randrange(256) for _ in range(end - begin)) + text[end:]
    if way == 4:
        return text[:begin] + "".join(chr(rng.randrange(32, 127)) for _ in range(end - begin)) + text[end:]
    if way == 5 and isinstance(text, bytes) and begin < len(text):  # one bit
        return text[:begin] + bytes([text[begin] ^ 1 << rng.randrange(8)]) + text[begin + 1 :]
    word = rng.choice(WORDS)
    put = word.encode(errors="surrogatepass") if isinstance(text, bytes) else word
    return text[:begin] + put + text[end:]
