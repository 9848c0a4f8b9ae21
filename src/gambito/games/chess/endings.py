"""Numbers for positions of few pieces, slice by slice, and unmoves: what endgame tables need.

A slice is the material of both sides, `KQKR`, the stronger side first. Positions in which Black is the
stronger side are turned round; if both sides are equal, the side to move counts as White. A signature holds
the pieces of the stronger side in its upper 15 bits and those of the weaker side in its lower 15:

    queens 3 bits | rooks 3 | bishops 3 | knights 3 | pawns 3

A number consists, from its highest digit to its lowest, of the squares of the kings, the squares of the other
pieces in the order of the name, and the side to move. Boards without pawns are turned and mirrored until
White's king is in the triangle a1-d1-d4; boards with pawns, until it is on the files a to d. Castling rights
and en passant have no place in a number: positions that have them belong to no slice.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable

import numpy as np

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.native import int64, popcount, uint64
from gambito.native.scratch import scratch

from .board import (
    KING_MOVES,
    KNIGHT_MOVES,
    NOWHERE,
    ONE,
    ROW,
    SQUARES,
    ZERO,
    State,
    bishop_attacks,
    is_check,
    rook_attacks,
    square_of,
)
from .moves import passed

LETTERS = "QRBNP"
MEN = 6  # no slice has more
FLIP = np.uint64(56)
THREE = np.uint64(3)
NO_PAWNS, WITH_PAWNS = 462, 1806  # number of pairs of kings
PLACES, PAWN_PLACES = 64, 48  # squares for a piece and for a pawn
PAWN_BITS = 7 | 7 << 15  # the pawns in a signature
FIELDS = (12, 9, 6, 3, 0)  # the place of each piece's count in a signature


def _turned(square: int, turn: int) -> int:
    """A square after mirroring (1), turning upside down (2), and then exchanging files and ranks (4)."""
    square ^= (7 if turn & 1 else 0) ^ (56 if turn & 2 else 0)
    return square >> 3 | (square & 7) << 3 if turn & 4 else square


def _kings(turns: Iterable[int], is_wanted: Callable[[int, int], bool]) -> tuple[np.ndarray, np.ndarray]:
    """For each pair of kings: number 60 bits | is another turn as good? 1 | turn 3. And the inverse table."""
    apart = [
        (one, other)
        for one, other in itertools.product(range(64), range(64))
        if max(abs(one % 8 - other % 8), abs(one // 8 - other // 8)) > 1
    ]
    wanted = [pair for pair in apart if is_wanted(*pair)]
    numbers = {pair: number for number, pair in enumerate(wanted)}
    found = np.full(4096, -1, np.int64)
    for one, other in apart:
        views = [(_turned(one, turn), _turned(other, turn)) for turn in turns]
        turn = next(place for place, view in enumerate(views) if view in numbers)
        again = sum(view == views[turn] for view in views) > 1
        found[64 * one + other] = numbers[views[turn]] << 4 | again << 3 | turn
    return found, np.array([64 * one + other for one, other in wanted], np.int64)


def _is_in_triangle(one: int, other: int) -> bool:
    column, row = one % 8, one // 8
    return column <= 3 and row <= column and (row < column or other // 8 <= other % 8)


FREE_KINGS, FREE_PAIRS = _kings(range(8), _is_in_triangle)
PAWN_KINGS, PAWN_PAIRS = _kings(range(2), lambda one, other: one % 8 <= 3)
TURNED = np.array([_turned(square, turn) for turn in range(8) for square in range(64)], np.int64)
OTHER_TURN = 4 * 64  # a further turn, for kings on the diagonal


# ---- material ----------------------------------------------------------------------------------------


def material(state, side):
    """One side's half of a signature."""
    return int64(
        popcount(state.queens & side) << 12
        | popcount(state.rooks & side) << 9
        | popcount(state.bishops & side) << 6
        | popcount(state.knights & side) << 3
        | popcount(state.pawns & side)
    )


def signature(state):
    if popcount(state.own | state.opp) > MEN or state.castling != ZERO or state.passing != NOWHERE:
        return int64(-1)
    own, opp = material(state, state.own), material(state, state.opp)
    return max(own, opp) << 15 | min(own, opp)


def slice_size(code):
    size = int64(WITH_PAWNS if code & PAWN_BITS else NO_PAWNS)
    for half in range(2):
        for field in FIELDS:
            for _ in range(code >> (15 * half + field) & 7):
                size *= PAWN_PLACES if field == 0 else PLACES
    return size if code >> 15 == code & 0x7FFF else 2 * size


# ---- numbers -----------------------------------------------------------------------------------------


def put_digits(number, bits, flip, turn, places):
    """Append a digit for each piece to a number, in the order of their squares on the turned board."""
    if bits == ZERO:
        return number
    first = int64(8 if places == PAWN_PLACES else 0)
    if bits & (bits - ONE) == ZERO:
        return number * places + TURNED[turn + int64(square_of(bits) ^ flip)] - first
    squares = ZERO
    while bits:
        squares |= ONE << uint64(TURNED[turn + int64(square_of(bits) ^ flip)])
        bits &= bits - ONE
    while squares:
        number = number * places + int64(square_of(squares)) - first
        squares &= squares - ONE
    return number


def number_of(state, kings, strong, weak, flip, turn):
    number = kings
    for place in range(2):
        side = strong if place == 0 else weak
        number = put_digits(number, state.queens & side, flip, turn, PLACES)
        number = put_digits(number, state.rooks & side, flip, turn, PLACES)
        number = put_digits(number, state.bishops & side, flip, turn, PLACES)
        number = put_digits(number, state.knights & side, flip, turn, PLACES)
        number = put_digits(number, state.pawns & side, flip, turn, PAWN_PLACES)
    return number


def index(state):
    own, opp = material(state, state.own), material(state, state.opp)
    is_mover = own >= opp  # is the side to move the stronger one?
    strong, weak = (state.own, state.opp) if is_mover else (state.opp, state.own)
    flip = FLIP if (state.side == ZERO) != is_mover else ZERO
    king, other = square_of(state.kings & strong) ^ flip, square_of(state.kings & weak) ^ flip
    pair = int64(king * SQUARES + other)
    known = PAWN_KINGS[pair] if state.pawns else FREE_KINGS[pair]
    kings, turn = known >> 4, (known & 7) * 64
    number = number_of(state, kings, strong, weak, flip, turn)
    if known & 8:  # the other pieces decide
        number = min(number, number_of(state, kings, strong, weak, flip, turn ^ OTHER_TURN))
    return number if own == opp else number * 2 + (0 if is_mover else 1)


def unindex(code, number):
    """The position of a number. Two pieces may share a square, or the king not to move may be in check."""
    strong_code, weak_code = code >> 15, code & 0x7FFF
    is_whites = True
    if strong_code != weak_code:
        is_whites = number & 1 == 0
        number >>= 1
    pieces = scratch(5)
    for field in range(5):
        pieces[field] = ZERO
    white, black = ZERO, ZERO
    for half in range(2):  # the last digits come first
        for field in range(5):
            count = (code >> (15 * half + 3 * field)) & 7
            while count > 0:
                places = PAWN_PLACES if field == 0 else PLACES
                square = uint64(number % places + (8 if field == 0 else 0))
                number //= places
                pieces[field] |= ONE << square
                if half == 0:
                    black |= ONE << square
                else:
                    white |= ONE << square
                count -= 1
    pair = uint64(PAWN_PAIRS[number] if code & PAWN_BITS else FREE_PAIRS[number])
    king, other = ONE << (pair >> np.uint64(6)), ONE << (pair & np.uint64(63))
    white, black = white | king, black | other
    own, opp = (white, black) if is_whites else (black, white)
    return State(
        own, opp, pieces[0], pieces[1], pieces[2], pieces[3], pieces[4], king | other,
        ZERO if is_whites else ONE, ZERO, NOWHERE, ZERO, ONE, ZERO,
    )  # fmt: skip


def is_real(state):
    """Does every piece have its own square, and is the king of the side not to move not in check?"""
    count = popcount(state.pawns) + popcount(state.knights) + popcount(state.bishops)
    count += popcount(state.rooks) + popcount(state.queens) + popcount(state.kings)
    if state.own & state.opp or count != popcount(state.own | state.opp):
        return False
    return not is_check(passed(state))


# ---- moves taken back --------------------------------------------------------------------------------


def before(state, source, to, kind):
    """The position before a piece of the side not to move went to `to`; its key is not updated."""
    both = (ONE << source) | (ONE << to)
    return State(
        state.opp ^ both,
        state.own,
        state.pawns ^ both if kind == 0 else state.pawns,
        state.knights ^ both if kind == 1 else state.knights,
        state.bishops ^ both if kind == 2 else state.bishops,
        state.rooks ^ both if kind == 3 else state.rooks,
        state.queens ^ both if kind == 4 else state.queens,
        state.kings ^ both if kind == 5 else state.kings,
        state.side ^ ONE, ZERO, NOWHERE, ZERO, ONE, ZERO,
    )  # fmt: skip


def origins(state, square, kind):
    """The squares from which the piece on a square can have come without a capture."""
    occupied = state.own | state.opp
    if kind == 0:
        if state.side == ONE:  # a white pawn has moved
            once = (ONE << square) >> ROW & ~occupied & ~np.uint64(0xFF)
            twice = once >> ROW & ~occupied if square >> THREE == THREE else ZERO
        else:
            once = (ONE << square) << ROW & ~occupied & ~np.uint64(0xFF << 56)
            twice = once << ROW & ~occupied if square >> THREE == np.uint64(4) else ZERO
        return once | twice
    if kind == 1:
        return KNIGHT_MOVES[square] & ~occupied
    if kind == 5:
        return KING_MOVES[square] & ~occupied & ~KING_MOVES[square_of(state.kings & state.own)]
    found = ZERO
    if kind != 3:
        found |= bishop_attacks(square, occupied)
    if kind != 2:
        found |= rook_attacks(square, occupied)
    return found & ~occupied


def kind_on(state, bit):
    if state.kings & bit:
        return int64(5)
    if state.queens & bit:
        return int64(4)
    if state.rooks & bit:
        return int64(3)
    if state.bishops & bit:
        return int64(2)
    return int64(1) if state.knights & bit else int64(0)


# ---- names -------------------------------------------------------------------------------------------


def halves(code: int) -> tuple[str, str]:
    """The pieces of both sides, the kings left out."""
    both = []
    for half in (code >> 15, code & 0x7FFF):
        both.append("".join(mark * (half >> field & 7) for mark, field in zip(LETTERS, FIELDS, strict=True)))
    return both[0], both[1]


def half_code(pieces: str) -> int:
    return sum(pieces.count(mark) << field for mark, field in zip(LETTERS, FIELDS, strict=True))


def code_of(first: str, second: str) -> int:
    one, other = half_code(first), half_code(second)
    return max(one, other) << 15 | min(one, other)


def name_of(code: int) -> str:
    return "K" + "K".join(halves(code))


def read_name(text: str) -> int:
    """The signature that `KQKR` names; `KQvKR` and lower case are accepted too."""
    plain = text.upper().replace("V", "")
    parts = plain.split("K")
    if len(parts) != 3 or parts[0] or set(parts[1] + parts[2]) - set(LETTERS) or len(plain) > MEN:
        raise PositionError(
            "{} is no slice of chess; accepted: both kings and up to {} pieces of {}, as KQK, KRPKR",
            quoted(text),
            MEN - 2,
            LETTERS,
        )
    return code_of(parts[1], parts[2])


def names_up_to(men: int) -> list[str]:
    """Every slice of three to `men` men, ordered so that captures and promotions lead to earlier ones."""
    found = set()
    for count in range(1, men - 1):
        for first in range(count + 1):
            for one in itertools.combinations_with_replacement(LETTERS, first):
                for other in itertools.combinations_with_replacement(LETTERS, count - first):
                    found.add(code_of("".join(one), "".join(other)))
    names = [name_of(code) for code in sorted(found)]
    return sorted(names, key=lambda name: (len(name), name.count("P")))


def conversions(name: str) -> list[str]:
    """The slices that a capture, a promotion or both lead to."""
    sides = halves(read_name(name))
    found = set()
    for mover, taken in ((0, 1), (1, 0)):
        mine, theirs = sides[mover], sides[taken]
        rests = {theirs, *(theirs[:n] + theirs[n + 1 :] for n in range(len(theirs)))}
        grown = {mine, *(mine.replace("P", mark, 1) for mark in "NBRQ")}
        found |= {code_of(one, rest) for one in grown for rest in rests}
    found -= {read_name(name), 0}
    return sorted(map(name_of, found), key=lambda other: (len(other), other.count("P"), other))
