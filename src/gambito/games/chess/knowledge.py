"""What is known of good positions: a tapered evaluation, as a list of named terms with their weights.

Every term has a worth in the middle game and one in the end game, in hundredths of a pawn; the pieces that
are left say how much of each counts. A term that depends on a number (a rank, a count of squares) has a
weight for each. Both worths travel in one word, the end game's in its upper half, and are added at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.native import int64, popcount

from .board import (
    BISHOP,
    FILE_A,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    NOT_A,
    NOT_H,
    ONE,
    QUEEN,
    ROOK,
    ROW,
    SQUARES,
    ZERO,
    bishop_attacks,
    rook_attacks,
    square_of,
)


class Term(NamedTuple):
    """Something that counts."""

    name: str
    middle: tuple[int, ...]
    end: tuple[int, ...]


# fmt: off
TERMS = (  # fitted by bench/chess_fit.py to 29,442 quiet positions
    Term("material", (66, 347, 362, 456, 1010, 0), (75, 305, 312, 540, 1034, 0)),
    # By rank, seen from the own side, and by file, from the edge to the middle.
    Term("pawn ranks", (0, -7, -8, -2, 1, 33, 26, 0), (0, 2, 3, -1, -1, 9, 7, 0)),
    Term("pawn files", (-19, 0, 1, 0), (-14, -8, 0, -10)),
    Term("knight ranks", (-8, -3, 3, 13, 18, 19, -12, -54), (-14, -16, 4, 10, 23, 3, -17, -36)),
    Term("knight files", (-20, -3, 7, 8), (-13, -12, 3, 12)),
    Term("bishop ranks", (-10, 11, 2, 5, 12, 15, -14, -20), (-2, -12, 4, 8, 8, -4, -3, -9)),
    Term("bishop files", (1, 7, 5, -3), (-6, -8, 8, -1)),
    Term("rook ranks", (-11, -10, -21, -1, 8, -3, -4, 7), (-16, -18, 3, 16, 10, 8, 9, 11)),
    Term("rook files", (-11, -15, -3, 7), (-4, 11, 0, -3)),
    Term("queen ranks", (7, 6, 4, -4, -5, 1, -2, 1), (-53, -20, 3, 23, 36, 28, 26, 13)),
    Term("queen files", (1, 1, 7, 3), (2, 25, 6, 13)),
    Term("king ranks", (33, 13, -33, -65, -66, -59, -55, -60), (-24, 11, 6, 7, 1, 19, 9, -18)),
    Term("king files", (5, 39, 6, -13), (-16, 2, 13, 19)),
    # By the number of squares that a piece reaches and that no pawn guards.
    Term("knight mobility", (-41, -19, -12, -5, 5, 12, 19, 24, 15), (-29, -19, -10, 9, 11, 9, 13, 6, 0)),
    Term("bishop mobility",
         (-42, -26, -13, 0, 10, 12, 10, 19, 27, 27, 35, 30, 26, 27),
         (-37, -21, -19, -16, 0, 17, 20, 22, 26, 21, 30, 27, 26, 31)),
    Term("rook mobility",
         (-37, -15, -9, -7, -6, -1, -4, 7, 4, 13, 11, 13, 7, 20, 26),
         (-69, -37, -27, 3, 16, 5, 18, 23, 34, 38, 41, 31, 36, 36, 50)),
    Term("queen mobility",
         (-22, -28, -20, -19, -12, -5, -1, -5, 7, 4, 5, -1, 6, 7, 16, 21, 11, 18, 18, 17, 14, 12,
          13, 15, 15, 14, 14, 14),
         (-30, -28, -25, -24, -26, -26, -17, -12, -10, 1, 6, 3, 9, 19, 13, 25, 19, 24, 22, 22, 16,
          18, 20, 22, 24, 24, 25, 26)),
    # Pawns.
    Term("doubled pawn", (12,), (-1,)),
    Term("isolated pawn", (-11,), (-6,)),
    Term("supported pawn", (8,), (18,)),
    Term("phalanx pawn", (7,), (6,)),
    Term("passed pawn", (0, -22, -5, 8, 22, 20, 66, 0), (0, 12, 5, 39, 67, 85, 128, 0)),
    Term("free passed pawn", (0, 2, 17, 3, 2, 8, 14, 0), (0, 12, 7, 14, 27, 41, 72, 0)),
    # By the distance to the square before it.
    Term("own king near passed pawn", (3, -1, -5, 0, 5, -19, 2, -12), (17, 50, 10, -4, -17, -23, -12, -21)),
    Term("other king near passed pawn",
         (-10, 5, 23, 3, -4, -27, -6, -11),
         (-51, -60, -22, -3, 42, 43, 26, 22)),
    # Pieces.
    Term("bishop pair", (22,), (44,)),
    Term("knight outpost", (48,), (7,)),
    Term("rook on open file", (39,), (-2,)),
    Term("rook on half-open file", (5,), (4,)),
    Term("attack by a pawn", (70,), (56,)),
    Term("attack on a rook or queen by a minor piece", (61,), (16,)),
    Term("attack on a queen by a rook", (69,), (40,)),
    # The king: by the pawns before it, and files without any.
    Term("shield", (-34, 0, 6, 8), (15, -11, -5, 1)),
    Term("open file at the king", (-34,), (-1,)),
    # What is attacked near the other king, by all that attack it together; half of it without a queen.
    Term("danger",
         (8, 0, 6, 10, 6, 10, 15, 23, 38, 28, 52, 56, 66, 82, 102, 104, 134, 133, 160, 183, 201, 204,
          202, 208),
         (-8, -4, -10, -2, 4, -1, -3, 6, 8, -5, 4, -2, 5, 2, 5, -4, 4, -2, 0, 0, 1, 1, 0, 2)),
    Term("to move", (46,), (29,)),
)
# fmt: on
PLACE: dict[str, int] = {}
_packed: list[int] = []
for _term in TERMS:
    PLACE[_term.name] = len(_packed)
    _packed += [(e << 32) + m for m, e in zip(_term.middle, _term.end, strict=True)]
WEIGHTS = np.array(_packed, np.int64)

PIECE_NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
PLACES = np.array(  # material and place of a piece, by colour, kind and square
    [
        WEIGHTS[PLACE["material"] + piece]
        + WEIGHTS[PLACE[f"{PIECE_NAMES[piece]} ranks"] + (square // 8 if side == 0 else 7 - square // 8)]
        + WEIGHTS[PLACE[f"{PIECE_NAMES[piece]} files"] + min(square % 8, 7 - square % 8)]
        for side in range(2)
        for piece in range(6)
        for square in range(64)
    ],
    np.int64,
)
MOBILITY = {piece: PLACE[f"{PIECE_NAMES[piece]} mobility"] for piece in range(KNIGHT, KING)}
ON_KNIGHT, ON_BISHOP, ON_ROOK, ON_QUEEN = (MOBILITY[p] for p in range(KNIGHT, KING))
DOUBLED, ISOLATED = PLACE["doubled pawn"], PLACE["isolated pawn"]
SUPPORTED, PHALANX = PLACE["supported pawn"], PLACE["phalanx pawn"]
PASSED, FREE = PLACE["passed pawn"], PLACE["free passed pawn"]
OWN_NEAR, OTHER_NEAR = PLACE["own king near passed pawn"], PLACE["other king near passed pawn"]
PAIR, OUTPOST = PLACE["bishop pair"], PLACE["knight outpost"]
OPEN, HALF_OPEN = PLACE["rook on open file"], PLACE["rook on half-open file"]
BY_PAWN, SHIELD, BARE = PLACE["attack by a pawn"], PLACE["shield"], PLACE["open file at the king"]
BY_MINOR, BY_ROOK = PLACE["attack on a rook or queen by a minor piece"], PLACE["attack on a queen by a rook"]
TO_MOVE, NEAR_KING = PLACE["to move"], PLACE["danger"]

# How much danger an attacked square near the king is, by the kind of attacker, and each attacker.
DANGER, ATTACKER = (0, 3, 2, 3, 4, 0), 4
STEPS = 24  # of danger that weigh differently
WHOLE = 24  # phase of all pieces: 1 a minor piece, 2 a rook, 4 a queen
MIDDLE = np.uint64(0x00003C3C3C3C0000)  # files c to f, where an outpost counts
CAMPS = np.array([0x0000FFFFFF000000, 0x000000FFFFFF0000], np.uint64)  # where a knight can be posted
DARK = np.uint64(0xAA55AA55AA55AA55)
FULL_SCALE = 64
ROWS_1, ROWS_2, ROWS_4 = np.uint64(8), np.uint64(16), np.uint64(32)
DISTANCE = np.array(
    [max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)) for a in range(64) for b in range(64)], np.int64
)


def filled_up(bits):
    bits |= bits << ROWS_1
    bits |= bits << ROWS_2
    return bits | (bits << ROWS_4)


def filled_down(bits):
    bits |= bits >> ROWS_1
    bits |= bits >> ROWS_2
    return bits | (bits >> ROWS_4)


def beside(bits):
    """The squares to the left and to the right."""
    return ((bits & NOT_A) >> ONE) | ((bits & NOT_H) << ONE)


def guarded(pawns, side):
    """What pawns attack."""
    if side == ZERO:
        return beside(pawns) << ROW
    return beside(pawns) >> ROW


def in_front(bits, side):
    """All squares before these, as the colour sees it."""
    if side == ZERO:
        return filled_up(bits) << ROW
    return filled_down(bits) >> ROW


def places(bits, base):
    """Material and place of all pieces of one kind."""
    total = int64(0)
    while bits:
        total += PLACES[base + int64(square_of(bits))]
        bits &= bits - ONE
    return total


def pawn_score(own, other, side, king, other_king, occupied):
    """The structure of one side's pawns."""
    score = int64(0)
    files = filled_up(filled_down(own))
    score += WEIGHTS[DOUBLED] * popcount(own & in_front(own, side))
    score += WEIGHTS[ISOLATED] * popcount(own & ~beside(files))
    score += WEIGHTS[SUPPORTED] * popcount(own & guarded(own, side))
    score += WEIGHTS[PHALANX] * popcount(own & beside(own))
    watched = in_front(other, side ^ ONE)
    passed = own & ~(watched | beside(watched)) & ~in_front(own, side ^ ONE)
    while passed:
        square = square_of(passed)
        rank = int64(square >> np.uint64(3))
        step = square + ROW if side == ZERO else square - ROW
        if side != ZERO:
            rank = 7 - rank
        score += WEIGHTS[PASSED + rank]
        if not (occupied >> step) & ONE:
            score += WEIGHTS[FREE + rank]
        if rank > 2:
            score += WEIGHTS[OWN_NEAR + DISTANCE[step * SQUARES + king]]
            score += WEIGHTS[OTHER_NEAR + DISTANCE[step * SQUARES + other_king]]
        passed &= passed - ONE
    return score


def side_score(state, own, other, side):
    """What speaks for one side."""
    occupied = own | other
    base = int64(side) * 384
    pawns, other_pawns = state.pawns & own, state.pawns & other
    king, other_king = square_of(state.kings & own), square_of(state.kings & other)
    guards, other_guards = guarded(pawns, side), guarded(other_pawns, side ^ ONE)
    score = places(pawns, base) + PLACES[base + 320 + int64(king)]
    score += pawn_score(pawns, other_pawns, side, king, other_king, occupied)
    safe = ~own & ~other_guards
    zone = KING_MOVES[other_king] | in_two(KING_MOVES[other_king], side ^ ONE)
    danger, attackers = int64(0), int64(0)
    heavy, struck = other & (state.rooks | state.queens), int64(0)

    pieces = state.knights & own
    while pieces:
        square = square_of(pieces)
        reach = KNIGHT_MOVES[square]
        score += PLACES[base + 64 + int64(square)] + WEIGHTS[ON_KNIGHT + popcount(reach & safe)]
        struck += popcount(reach & heavy)
        if reach & zone:
            attackers += 1
            danger += DANGER[KNIGHT] * popcount(reach & zone)
        pieces &= pieces - ONE
    posts = state.knights & own & guards & CAMPS[side] & MIDDLE
    if posts:
        watched = in_front(other_pawns, side ^ ONE)
        score += WEIGHTS[OUTPOST] * popcount(posts & ~beside(watched))

    pieces = state.bishops & own
    if pieces & DARK and pieces & ~DARK:
        score += WEIGHTS[PAIR]
    while pieces:
        square = square_of(pieces)
        reach = bishop_attacks(square, occupied ^ (state.queens & own))
        score += PLACES[base + 128 + int64(square)] + WEIGHTS[ON_BISHOP + popcount(reach & safe)]
        struck += popcount(reach & heavy)
        if reach & zone:
            attackers += 1
            danger += DANGER[BISHOP] * popcount(reach & zone)
        pieces &= pieces - ONE

    score += WEIGHTS[BY_MINOR] * struck
    pieces = state.rooks & own
    while pieces:
        square = square_of(pieces)
        reach = rook_attacks(square, occupied ^ ((state.queens | state.rooks) & own))
        score += PLACES[base + 192 + int64(square)] + WEIGHTS[ON_ROOK + popcount(reach & safe)]
        score += WEIGHTS[BY_ROOK] * popcount(reach & other & state.queens)
        file = FILE_A << (square & np.uint64(7))
        if not file & pawns:
            score += WEIGHTS[HALF_OPEN] if file & other_pawns else WEIGHTS[OPEN]
        if reach & zone:
            attackers += 1
            danger += DANGER[ROOK] * popcount(reach & zone)
        pieces &= pieces - ONE

    pieces = state.queens & own
    while pieces:
        square = square_of(pieces)
        reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        score += PLACES[base + 256 + int64(square)] + WEIGHTS[ON_QUEEN + popcount(reach & safe)]
        if reach & zone:
            attackers += 1
            danger += DANGER[QUEEN] * popcount(reach & zone)
        pieces &= pieces - ONE

    score += WEIGHTS[BY_PAWN] * popcount(guards & other & ~other_pawns)
    danger += ATTACKER * attackers
    if not state.queens & own:
        danger //= 2
    score += WEIGHTS[NEAR_KING + min(danger // 2, STEPS - 1)]
    around = (ONE << king) | beside(ONE << king)
    shield = in_front(around, side) & (KING_MOVES[king] | in_two(KING_MOVES[king], side)) & pawns
    score += WEIGHTS[SHIELD + min(popcount(shield), 3)]
    files = filled_up(filled_down(pawns))
    score += WEIGHTS[BARE] * popcount(around & ~files)
    return score


def in_two(bits, side):
    """The squares one rank further."""
    if side == ZERO:
        return bits << ROW
    return bits >> ROW


def phase_of(state):
    """How much of the pieces is left, from 0 to 24."""
    minor = popcount(state.knights | state.bishops)
    return min(minor + 2 * popcount(state.rooks) + 4 * popcount(state.queens), WHOLE)


def scale_of(state, own):
    """How much of an advantage in the end game counts for the side that has it, out of 64."""
    if not state.pawns & own:  # without pawns a minor piece is too little, and a rook's lead barely enough
        other = (state.own | state.opp) ^ own
        lead = strength(state, own) - strength(state, other)
        if lead < 4:
            return int64(8)
    bishops = state.bishops
    if popcount(bishops & own) == 1 and popcount(bishops & ~own) == 1:
        if popcount(bishops & DARK) == 1 and not state.knights | state.rooks | state.queens:
            return int64(32)
    return int64(FULL_SCALE)


def strength(state, side):
    """Pieces of a side in pawns."""
    minor = popcount((state.knights | state.bishops) & side)
    return 3 * minor + 5 * popcount(state.rooks & side) + 9 * popcount(state.queens & side)


def estimate(state):
    """The value of a position for the player to move, in hundredths of a pawn."""
    score = side_score(state, state.own, state.opp, state.side)
    score -= side_score(state, state.opp, state.own, state.side ^ ONE)
    score += WEIGHTS[TO_MOVE]
    end = (score + 0x80000000) >> 32
    middle = score - (end << 32)
    own = state.own if end > 0 else state.opp
    end = end * scale_of(state, own) // FULL_SCALE
    phase = phase_of(state)
    return (middle * phase + end * (WHOLE - phase)) // WHOLE
