"""One file of Syzygy tables: what it holds about a placement of pieces. It knows no rules of chess.

Ronald de Man's tables come in pairs. A file `.rtbw` tells for both players whether a placement is won, drawn
or lost (WDL), a file `.rtbz` for one of them how many plies it is to the next capture or pawn move (DTZ).
The placements of a table are numbered, and the values in the order of these numbers are compressed:

    header      magic, whether both sides are stored, whether there are pawns, the order of the pieces
    pairs       for each side, and with pawns for each file of the leading pawn: how it is compressed
    map         DTZ alone: the values by how often they occur
    index       for every 2^k-th number, the block that holds it and the place in it
    sizes       how many values each block holds
    blocks      bits: a canonical Huffman code of symbols, each a value or a pair of symbols

Squares are numbered from a1 to h8, and pieces as in the files: 1 to 6 are White's pawn, knight, bishop, rook,
queen and king, 9 to 14 Black's. A damaged file raises an EndgameError.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import comb
from pathlib import Path

from gambito.errors import EndgameError
from gambito.words.sentence import reason_of

WDL_MAGIC, DTZ_MAGIC = b"\x71\xe8\x23\x5d", b"\xd7\x66\x0c\xa5"
SUFFIX = {".rtbw": WDL_MAGIC, ".rtbz": DTZ_MAGIC}
BOTH_SIDES, WITH_PAWNS = 1, 2  # flags of a file
STORED_SIDE, MAPPED, WON_IN_PLIES, LOST_IN_PLIES, WIDE, CONSTANT = 1, 2, 4, 8, 16, 128  # of a part of it
NO_PAIR = 0xFFF  # the second half of a symbol that is a value
NO_ORDER = 0xF
LEADING = {3: 31332, 2: 462}  # placements of the leading pieces, by their number
MAP_OF = {-2: 1, -1: 3, 0: 0, 1: 2, 2: 0}  # where the values of an outcome are in the map
LETTERS = "PNBRQK"


def _triangle() -> dict[int, int]:
    """The numbers of the squares in the triangle a1, d1, d4: below the diagonal first, then on it."""
    below = [8 * row + column for row in range(4) for column in range(row + 1, 4)]
    return {square: number for number, square in enumerate([*below, *(9 * step for step in range(4))])}


def _side_of_diagonal(square: int) -> int:
    """Above 0: the square lies above the diagonal from a1 to h8; 0: on it; below 0: below it."""
    return square // 8 - square % 8


def _flipped(square: int) -> int:
    """The square on the other side of the diagonal."""
    return square // 8 + 8 * (square % 8)


def _king_pairs() -> dict[tuple[int, int], int]:
    """The numbers of two kings apart, the first in the triangle; with both on the diagonal they come last."""
    pairs, on_diagonal = list[tuple[int, int]](), list[tuple[int, int]]()
    for first in TRIANGLE:
        for second in range(64):
            near = max(abs(first // 8 - second // 8), abs(first % 8 - second % 8))
            side = _side_of_diagonal(second)
            if near <= 1 or (_side_of_diagonal(first) == 0 and side > 0):
                continue
            both = _side_of_diagonal(first) == 0 and side == 0
            (on_diagonal if both else pairs).append((first, second))
    return {pair: number for number, pair in enumerate([*pairs, *on_diagonal])}


TRIANGLE = _triangle()
KINGS = _king_pairs()
BELOW = {
    square: number
    for number, square in enumerate(8 * row + column for row in range(8) for column in range(row + 1, 8))
}  # the squares below the diagonal


def _lead(square: int) -> int:
    """The number of a leading pawn on the files a to d: file by file, from the second rank on."""
    return 6 * (square % 8) + square // 8 - 1


def _twist(square: int) -> int:
    """The order of the other leading pawns: those nearer to the middle and to the last rank come first."""
    column, row = square % 8, square // 8 - 1
    return 12 * (3 - column) + 11 - 2 * row if column < 4 else 12 * (column - 4) + 10 - 2 * row


def _pawn_numbers() -> tuple[list[list[int]], list[list[int]]]:
    """For 1 to 5 leading pawns: where the numbers of each first one begin, and how many each file has."""
    begins, counts = [], []
    for others in range(5):
        begin, count = [], []
        for column in range(4):
            total = 0
            for row in range(1, 7):
                begin.append(total)
                total += comb(_twist(8 * row + column), others)
            count.append(total)
        begins.append(begin)
        counts.append(count)
    return begins, counts


PAWN_BEGINS, PAWN_COUNTS = _pawn_numbers()


@dataclass
class Pairs:
    """A compressed list of values."""

    flags: int
    constant: int = 0  # the only value, if it is constant
    block_bits: int = 0
    span_bits: int = 0  # 0: it is constant
    blocks: int = 0
    sizes: int = 0  # entries of the table of sizes
    shortest: int = 0  # bits of a code
    first_symbols: list[int] = field(default_factory=list)  # of each length
    first_codes: list[int] = field(default_factory=list)  # of each length, at the top of 64 bits
    patterns: list[tuple[int, int]] = field(default_factory=list)  # of symbols: two halves, or a value
    lengths: list[int] = field(default_factory=list)  # the values of each symbol, less one
    index_at: int = 0
    sizes_at: int = 0
    data_at: int = 0


@dataclass
class Part:
    """The placements of one side, and with pawns of one file: their order, and their values."""

    pieces: list[int]
    groups: list[tuple[int, int]]  # where groups of equal pieces begin, and how many there are
    factors: list[int]  # by which the number of each group counts
    size: int
    pairs: Pairs = field(default_factory=lambda: Pairs(0))
    maps: list[int] = field(default_factory=list)  # where the values of each outcome begin


class SyzygyFile:
    """A file of tables, `KRvKP.rtbw`. It is read when it is first asked for."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.stem
        self.is_wdl = path.suffix == ".rtbw"
        white, _, black = self.name.partition("v")
        self.counts = [[side.count(letter) for letter in LETTERS] for side in (white, black)]
        self.men = len(white) + len(black)
        self.is_symmetric = white == black
        self.has_pawns = self.counts[0][0] + self.counts[1][0] > 0
        alone = sum(count == 1 for side in self.counts for count in side)
        self.leaders = 3 if alone >= 3 else 2  # pieces that are numbered together, without pawns
        pawns = [self.counts[0][0], self.counts[1][0]]
        if pawns[1] and (not pawns[0] or pawns[1] < pawns[0]):
            pawns.reverse()
        self.pawns = pawns  # of the leading side, and of the other
        try:
            self.data = path.read_bytes()
            self._read()
        except OSError as problem:
            raise EndgameError("{} cannot be read: {}", path, reason_of(problem)) from None
        except (struct.error, IndexError, ValueError, RecursionError):
            raise EndgameError("{} is damaged", path) from None

    # ---- the header ------------------------------------------------------------------------------
    def _read(self) -> None:
        data = self.data
        if data[:4] != SUFFIX[self.path.suffix]:
            raise EndgameError("{} is no file of Syzygy tables", self.path)
        is_split = bool(data[4] & BOTH_SIDES)
        if bool(data[4] & WITH_PAWNS) != self.has_pawns or (self.is_wdl and is_split == self.is_symmetric):
            raise ValueError
        self.sides = 2 if is_split and self.is_wdl else 1
        place, files = 5, 4 if self.has_pawns else 1
        self.parts: list[list[Part]] = []  # by file of the leading pawn, and side
        for column in range(files):
            orders = [data[place], data[place + 1] if self.has_pawns and self.pawns[1] else 0xFF]
            place += 2 if self.has_pawns and self.pawns[1] else 1
            row = [self._part(place, orders, side, column) for side in range(self.sides)]
            self.parts.append(row)
            place += self.men
        place += place & 1
        for row in self.parts:
            for part in row:
                place = self._read_pairs(part, place)
        if not self.is_wdl:
            place = self._read_maps(place)
        every = [part for row in self.parts for part in row if part.pairs.span_bits]
        for part in every:
            part.pairs.index_at = place
            place += 6 * -(-part.size >> part.pairs.span_bits)
        for part in every:
            part.pairs.sizes_at = place
            place += 2 * part.pairs.sizes
        for part in every:
            place = (place + 63) & ~63
            part.pairs.data_at = place
            place += part.pairs.blocks << part.pairs.block_bits
        if place > len(data):
            raise ValueError

    def _part(self, place: int, orders: list[int], side: int, column: int) -> Part:
        """The order of the pieces of one part, and what their numbers count."""
        shift = 4 * side
        pieces = [(self.data[place + n] >> shift) & 0xF for n in range(self.men)]
        order, second = (orders[0] >> shift) & 0xF, (orders[1] >> shift) & 0xF
        expected = sorted(
            letter + 1 + 8 * colour
            for colour in range(2)
            for letter, count in enumerate(self.counts[colour])
            for _ in range(count)
        )
        if sorted(pieces) != expected:
            raise ValueError
        if self.has_pawns:
            groups = [(0, self.pawns[0])]
            if self.pawns[1]:
                groups.append((self.pawns[0], self.pawns[1]))
            begin = sum(self.pawns)
            if any(piece & 7 != 1 for piece in pieces[:begin]):
                raise ValueError
        else:
            groups, begin = [(0, self.leaders)], self.leaders
        while begin < self.men:
            count = 1
            while begin + count < self.men and pieces[begin + count] == pieces[begin]:
                count += 1
            groups.append((begin, count))
            begin += count
        factors, size = self._factors(groups, order, second, column)
        return Part(pieces, groups, factors, size)

    def _factors(
        self, groups: list[tuple[int, int]], order: int, second: int, column: int
    ) -> tuple[list[int], int]:
        """By which the number of each group counts, and the count of all: leading groups have their own
        place in the order, the others follow each other."""
        factors, total = [0] * len(groups), 1
        led = 2 if self.has_pawns and self.pawns[1] else 1
        free = 64 - sum(count for _, count in groups[:led])
        waiting = list(range(led, len(groups)))
        places = {order: 0} | ({second: 1} if led == 2 else {})
        if len(places) != led or max(places) >= len(groups):
            raise ValueError
        for place in range(len(groups)):
            if place in places:
                group = places[place]
                if group == 1:
                    count = comb(48 - self.pawns[0], self.pawns[1])
                elif self.has_pawns:
                    count = PAWN_COUNTS[self.pawns[0] - 1][column]
                else:
                    count = LEADING[self.leaders]
            else:
                group = waiting.pop(0)
                count = comb(free, groups[group][1])
                free -= groups[group][1]
            factors[group] = total
            total *= count
        return factors, total

    def _read_pairs(self, part: Part, place: int) -> int:
        """How the values of a part are compressed; returns the place behind."""
        data = self.data
        flags = data[place]
        part.pairs = pairs = Pairs(flags)
        if flags & CONSTANT:
            pairs.constant = data[place + 1] if self.is_wdl else 0
            return place + 2
        pairs.block_bits, pairs.span_bits = data[place + 1], data[place + 2]
        pairs.blocks = struct.unpack_from("<I", data, place + 4)[0]
        pairs.sizes = pairs.blocks + data[place + 3]
        longest, pairs.shortest = data[place + 8], data[place + 9]
        lengths = longest - pairs.shortest + 1
        if (
            lengths < 1
            or longest > 32
            or not pairs.span_bits
            or pairs.span_bits > 32
            or pairs.block_bits > 32
        ):
            raise ValueError
        pairs.first_symbols = list(struct.unpack_from(f"<{lengths}H", data, place + 10))
        count = struct.unpack_from("<H", data, place + 10 + 2 * lengths)[0]
        place += 12 + 2 * lengths
        for number in range(count):
            low, middle, high = data[place + 3 * number : place + 3 * number + 3]
            pairs.patterns.append(((middle & 0xF) << 8 | low, high << 4 | middle >> 4))
        pairs.lengths = _lengths(pairs.patterns)
        code = 0
        codes = [0] * lengths
        for length in range(lengths - 2, -1, -1):
            code = (code + pairs.first_symbols[length] - pairs.first_symbols[length + 1]) // 2
            codes[length] = code
        pairs.first_codes = [code << (64 - pairs.shortest - n) for n, code in enumerate(codes)]
        return place + 3 * count + (count & 1)

    def _read_maps(self, place: int) -> int:
        for row in self.parts:
            flags = row[0].pairs.flags
            if not flags & MAPPED:
                continue
            place += place & 1 if flags & WIDE else 0
            width = 2 if flags & WIDE else 1
            for _ in range(4):
                count = int.from_bytes(self.data[place : place + width], "little")
                row[0].maps.append(place + width)
                place += width * (1 + count)
        return place + (place & 1)

    # ---- a placement -----------------------------------------------------------------------------
    def wdl(self, white: Sequence[int], black: Sequence[int], turn: int) -> int:
        """The outcome for the player to move, from -2, lost, to 2, won; ±1 if 50 quiet moves make it a draw.

        A side is six sets of squares as bits, of its pawns to its king; `turn` is 0 for White.
        """
        return self._value(white, black, turn, None) - 2

    def dtz(self, white: Sequence[int], black: Sequence[int], turn: int, outcome: int) -> int | None:
        """The plies to the next capture or pawn move, whose count begins at 0, for a known outcome.

        None if the file has the values for the other player to move only.
        """
        value = self._value(white, black, turn, outcome)
        return None if value < 0 else value

    def _value(self, white: Sequence[int], black: Sequence[int], turn: int, outcome: int | None) -> int:
        counts = [[squares.bit_count() for squares in side] for side in (white, black)]
        is_turned = turn == 1 if self.is_symmetric else counts != self.counts
        if counts != (self.counts[::-1] if is_turned else self.counts):
            raise EndgameError("{} has no placements of these pieces", self.path)
        sides = [black, white] if is_turned else [white, black]
        mirror = 56 if is_turned and self.has_pawns else 0
        side = 0 if self.is_symmetric else turn ^ is_turned
        column, lead = 0, list[int]()
        if self.has_pawns:
            piece = self.parts[0][0].pieces[0]
            lead = [square ^ mirror for square in _bits(sides[piece >> 3][0])]
            lead.sort(key=lambda square: _lead(_left(square)))
            column = _left(lead[0]) % 8
        row = self.parts[column]
        if outcome is not None and row[0].pairs.flags & STORED_SIDE != side and not self.is_symmetric:
            return -1
        part = row[side if self.sides == 2 else 0]
        squares = self._squares(part, sides, mirror, lead)
        try:
            value = self._unpack(part.pairs, self._number(part, squares))
            return value if outcome is None else self._plies(row[0], value, outcome)
        except (struct.error, IndexError):
            raise EndgameError("{} is damaged", self.path) from None

    def _squares(self, part: Part, sides: Sequence[Sequence[int]], mirror: int, lead: list[int]) -> list[int]:
        """The squares of a part's pieces in its order."""
        found = list(lead)
        while len(found) < self.men:
            piece = part.pieces[len(found)]
            found += [square ^ mirror for square in _bits(sides[piece >> 3][(piece & 7) - 1])]
        return found

    def _plies(self, part: Part, value: int, outcome: int) -> int:
        flags = part.pairs.flags
        if flags & MAPPED:
            width = 2 if flags & WIDE else 1
            place = part.maps[MAP_OF[outcome]] + width * value
            value = int.from_bytes(self.data[place : place + width], "little")
        is_in_plies = {2: flags & WON_IN_PLIES, -2: flags & LOST_IN_PLIES}.get(outcome, 0)
        return value if is_in_plies else 2 * value

    def _number(self, part: Part, squares: list[int]) -> int:
        """The number of a placement."""
        if squares[0] & 4:
            squares = [square ^ 7 for square in squares]
        if self.has_pawns:
            others = sorted(squares[1 : self.pawns[0]], key=_twist, reverse=True)
            squares[1 : self.pawns[0]] = others
            number = PAWN_BEGINS[self.pawns[0] - 1][_lead(squares[0])]
            for place, square in enumerate(others):
                number += comb(_twist(square), len(others) - place)
        else:
            squares, number = self._lead_number(squares)
        number *= part.factors[0]
        for group, (begin, count) in enumerate(part.groups[1:], 1):
            here = 0
            below = 8 if self.has_pawns and self.pawns[1] and group == 1 else 0
            for place, square in enumerate(sorted(squares[begin : begin + count]), 1):
                before = sum(other < square for other in squares[:begin])
                here += comb(square - before - below, place)
            number += here * part.factors[group]
        return number

    def _lead_number(self, squares: list[int]) -> tuple[list[int], int]:
        """The squares turned so that the first is in the triangle, and the number of the leading pieces."""
        if squares[0] & 32:
            squares = [square ^ 56 for square in squares]
        sides = [_side_of_diagonal(square) for square in squares[: self.leaders]]
        if next((side for side in sides if side), 0) > 0:
            squares = [_flipped(square) for square in squares]
        first, second = squares[0], squares[1]
        if self.leaders == 2:
            if (first, second) not in KINGS:
                raise EndgameError("{} has no placements with kings side by side", self.path)
            return squares, KINGS[first, second]
        third = squares[2]
        after_one = int(second > first)
        after_two = int(third > first) + int(third > second)
        if _side_of_diagonal(first):
            return squares, (TRIANGLE[first] * 63 + second - after_one) * 62 + third - after_two
        total, row = 6 * 63 * 62, first // 9
        if _side_of_diagonal(second):
            return squares, total + (row * 28 + BELOW[second]) * 62 + third - after_two
        total += 4 * 28 * 62
        place = row * 7 + second // 9 - after_one
        if _side_of_diagonal(third):
            return squares, total + place * 28 + BELOW[third]
        return squares, total + 4 * 7 * 28 + place * 6 + third // 9 - after_two

    def _unpack(self, pairs: Pairs, number: int) -> int:
        """The value with that number."""
        if not pairs.span_bits:
            return pairs.constant
        data, span = self.data, 1 << pairs.span_bits
        block, offset = struct.unpack_from("<IH", data, pairs.index_at + 6 * (number >> pairs.span_bits))
        left = (number & (span - 1)) - span // 2 + offset
        while left < 0:
            block -= 1
            left += self._size(pairs, block)
        while left >= self._size(pairs, block):
            left -= self._size(pairs, block)
            block += 1
        begin = pairs.data_at + (block << pairs.block_bits)
        bits = int.from_bytes(data[begin : begin + (1 << pairs.block_bits)], "big")
        unread = 8 << pairs.block_bits
        while True:
            code = (bits << 64 >> unread) & (1 << 64) - 1
            length = 0
            while code < pairs.first_codes[length]:
                length += 1
            used = pairs.shortest + length
            symbol = pairs.first_symbols[length] + (code - pairs.first_codes[length] >> 64 - used)
            if left <= pairs.lengths[symbol]:
                break
            left -= pairs.lengths[symbol] + 1
            unread -= used
            if unread <= 0:
                raise IndexError
        while pairs.lengths[symbol]:
            first, second = pairs.patterns[symbol]
            if left <= pairs.lengths[first]:
                symbol = first
            else:
                left -= pairs.lengths[first] + 1
                symbol = second
        return pairs.patterns[symbol][0] & (0xFF if self.is_wdl else NO_PAIR)

    def _size(self, pairs: Pairs, block: int) -> int:
        if not 0 <= block < pairs.sizes:
            raise IndexError
        return int(struct.unpack_from("<H", self.data, pairs.sizes_at + 2 * block)[0]) + 1


def _lengths(patterns: list[tuple[int, int]]) -> list[int]:
    """How many values each symbol stands for, less one; ValueError if a symbol holds itself."""
    found: list[int | None] = [None] * len(patterns)
    for start in range(len(patterns)):
        waiting = [start]
        while waiting:
            symbol = waiting[-1]
            first, second = patterns[symbol]
            if second == NO_PAIR:
                found[symbol] = 0
            elif found[symbol] is None:
                unknown = [half for half in (first, second) if found[half] is None]
                if len(waiting) > len(patterns):
                    raise ValueError
                if unknown:
                    waiting += unknown
                    continue
                found[symbol] = (found[first] or 0) + (found[second] or 0) + 1
            waiting.pop()
    return [length or 0 for length in found]


def _left(square: int) -> int:
    """The square on the files a to d that a square is mirrored to."""
    return square ^ 7 if square & 4 else square


def _bits(squares: int) -> list[int]:
    return [square for square in range(64) if squares >> square & 1]
