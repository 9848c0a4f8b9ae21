"""WTHOR, the file format of the French federation for tournament games (`.wtb`).

Numbers are little-endian.

    16 bytes   date 4, games 4, other records 2, year 2, size of the board 1 (0: 8), solitaires 1, depth 1, 1
    68 bytes   a game: tournament 2, black 2, white 2, black discs in the end 1, with perfect play 1, moves 60
    a move     10 · row + column, both from 1; 0 after the last one; passes are left out
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from gambito.errors import PositionError

from .notation import square_name

HEAD, RECORD, MOVES = 16, 68, 60
DISCS = 64


def is_wthor(data: bytes) -> bool:
    """Does the data look like a file in this format, perhaps a damaged one? Text has no zeros."""
    return 0 in data[:HEAD]


def split_wthor(data: bytes, size: int) -> Iterator[str]:
    """The games as text, `f5d6c3 40-24`."""
    if len(data) < HEAD:
        raise PositionError("{} bytes are no WTHOR file; its head alone has {}", len(data), HEAD)
    (count,) = struct.unpack_from("<I", data, 4)
    if len(data) != HEAD + count * RECORD:
        raise PositionError(
            "the WTHOR file should hold {} games of {} bytes, and holds {} bytes",
            count,
            RECORD,
            len(data) - HEAD,
        )
    if (data[12] or 8) != size:
        raise PositionError("the WTHOR file is of boards of size {}, not {}", data[12] or 8, size)
    for place in range(HEAD, len(data), RECORD):
        black = data[place + 6]
        moves = data[place + RECORD - MOVES : place + RECORD].rstrip(b"\0")
        names = "".join(_name(move, size) for move in moves)
        yield f"{names} {black}-{DISCS - black}"


def _name(move: int, size: int) -> str:
    """The name of a square; an invalid one is reported by the reader of the game."""
    row, column = divmod(move, 10)
    is_square = 1 <= row <= size and 1 <= column <= size
    return square_name((row - 1) * size + column - 1, size) if is_square else f"?{move}"
