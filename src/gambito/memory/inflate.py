"""Decompression: deflate (RFC 1951) and its checksum, for compiled code that cannot call a library.

Codes are canonical: codes of one length are consecutive numbers, so a code is read bit by bit until it is
below the last of its length. `work` holds the state of the reader and the tables of the block.
"""

from __future__ import annotations

import numpy as np

from gambito.native import int64

PLACE, HELD, BITS, END, MADE = range(5)  # in `work`: next byte, unused bits, their number; bytes written
SIZES = 16  # lengths of the codes of a block
LITERALS = SIZES + 320  # number of codes of each length, and their symbols in order
LITERAL_SYMBOLS = LITERALS + 16
DISTANCES = LITERAL_SYMBOLS + 288
DISTANCE_SYMBOLS = DISTANCES + 16
STARTS = DISTANCE_SYMBOLS + 32
WORK = STARTS + 16  # words

MAX_CODE_BITS = 15  # bits of a code
FAILED = -1
LENGTH_BITS = np.array([0] * 8 + [n for n in range(1, 6) for _ in range(4)] + [0])
LENGTHS = np.append(3 + np.cumsum([0, *(1 << LENGTH_BITS[:27])]), 258)
WAY_BITS = np.array([0, 0, *(n for n in range(14) for _ in range(2))])
WAYS = 1 + np.cumsum([0, *(1 << WAY_BITS[:29])])
ORDER = np.array([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15])


def _remainders() -> np.ndarray:
    found = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0xEDB88320 if byte & 1 else 0)
        found.append(byte)
    return np.array(found, np.int64)


REMAINDERS = _remainders()


def checksum(source, length):
    """The CRC-32 of the bytes."""
    found = int64(0xFFFFFFFF)
    for place in range(length):
        found = REMAINDERS[(found ^ int64(source[place])) & 255] ^ (found >> 8)
    return found ^ int64(0xFFFFFFFF)


def take(source, work, count):
    """The next bits, the first lowest; beyond the end they are 0, which `work[PLACE]` shows."""
    while work[BITS] < count:
        if work[PLACE] < work[END]:
            work[HELD] |= int64(source[work[PLACE]]) << work[BITS]
        work[PLACE] += 1
        work[BITS] += 8
    found = work[HELD] & ((int64(1) << count) - 1)
    work[HELD] >>= count
    work[BITS] -= count
    return found


def symbol(source, work, codes):
    """The symbol of the next code; FAILED if there is no such code."""
    code, first, place = int64(0), int64(0), int64(0)
    for size in range(1, MAX_CODE_BITS + 1):
        code |= take(source, work, int64(1))
        count = work[codes + size]
        if code - count < first:
            return work[codes + 16 + place + code - first]
        place += count
        first = (first + count) << 1
        code <<= 1
    return int64(FAILED)


def make_codes(work, sizes, count, codes):
    """Make the table of codes from the lengths of their symbols."""
    for size in range(MAX_CODE_BITS + 1):
        work[codes + size] = 0
    for place in range(count):
        work[codes + work[sizes + place]] += 1
    work[STARTS + 1] = 0
    for size in range(1, MAX_CODE_BITS):
        work[STARTS + size + 1] = work[STARTS + size] + work[codes + size]
    for place in range(count):
        size = work[sizes + place]
        if size:
            work[codes + 16 + work[STARTS + size]] = place
            work[STARTS + size] += 1
    work[codes] = 0


def read_codes(source, work):
    """Read the code tables at the start of a block; False if they are invalid."""
    literals, ways = take(source, work, int64(5)) + 257, take(source, work, int64(5)) + 1
    given = take(source, work, int64(4)) + 4
    if literals > 286 or ways > 30:
        return False
    for place in range(19):
        work[SIZES + ORDER[place]] = take(source, work, int64(3)) if place < given else int64(0)
    make_codes(work, SIZES, 19, LITERALS)
    place = int64(0)
    while place < literals + ways:
        found = symbol(source, work, LITERALS)
        if found < 0:
            return False
        size, times = found, int64(1)
        if found >= 16:
            if found == 16:
                if place == 0:
                    return False
                size, times = work[SIZES + place - 1], take(source, work, int64(2)) + 3
            else:
                size = int64(0)
                times = 3 + take(source, work, int64(3)) if found == 17 else 11 + take(source, work, int64(7))
            if place + times > literals + ways:
                return False
        for _ in range(times):
            work[SIZES + place] = size
            place += 1
    # The lengths are used up before the second table overwrites them.
    make_codes(work, SIZES + literals, ways, DISTANCES)
    make_codes(work, SIZES, literals, LITERALS)
    return True


def usual_codes(work):
    for place in range(288):
        work[SIZES + place] = 8 if place < 144 else 9 if place < 256 else 7 if place < 280 else 8
    make_codes(work, SIZES, 288, LITERALS)
    for place in range(30):
        work[SIZES + place] = 5
    make_codes(work, SIZES, 30, DISTANCES)


def copy_plain(source, work, out, size):
    """Copy an uncompressed block."""
    work[HELD] = work[BITS] = 0
    if work[PLACE] + 4 > work[END]:
        return False
    count = int64(source[work[PLACE]]) | int64(source[work[PLACE] + 1]) << 8
    work[PLACE] += 4
    if work[PLACE] + count > work[END] or work[MADE] + count > size:
        return False
    for _ in range(count):
        out[work[MADE]] = source[work[PLACE]]
        work[MADE] += 1
        work[PLACE] += 1
    return True


def unpack(source, work, out, size):
    """Decompress a block whose code tables are ready."""
    while work[PLACE] <= work[END] + 4:
        found = symbol(source, work, LITERALS)
        if found < 0:
            return False
        if found == 256:
            return True
        if found < 256:
            if work[MADE] >= size:
                return False
            out[work[MADE]] = found
            work[MADE] += 1
            continue
        found -= 257
        if found >= 29:
            return False
        length = LENGTHS[found] + take(source, work, int64(LENGTH_BITS[found]))
        found = symbol(source, work, DISTANCES)
        if found < 0 or found >= 30:
            return False
        way = WAYS[found] + take(source, work, int64(WAY_BITS[found]))
        if way > work[MADE] or work[MADE] + length > size:
            return False
        for _ in range(length):
            out[work[MADE]] = out[work[MADE] - way]
            work[MADE] += 1
    return False


def inflate(source, length, out, size, work):
    """Decompress `length` bytes to exactly `size` bytes; False if they are damaged."""
    work[PLACE] = work[HELD] = work[BITS] = work[MADE] = 0
    work[END] = length
    is_last = False
    while not is_last:
        is_last = take(source, work, int64(1)) == 1
        kind = take(source, work, int64(2))
        if kind == 0:
            is_good = copy_plain(source, work, out, size)
        elif kind == 1:
            usual_codes(work)
            is_good = unpack(source, work, out, size)
        else:
            is_good = kind == 2 and read_codes(source, work) and unpack(source, work, out, size)
        if not is_good:
            return False
    return work[MADE] == size
