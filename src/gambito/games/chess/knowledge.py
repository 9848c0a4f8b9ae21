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
TERMS = (  # fitted to Stockfish's values of 12,600 quiet positions of own games, mobility smoothed
    Term("material", (80, 365, 365, 490, 1020, 0), (82, 301, 317, 543, 1035, 0)),
    # By rank, seen from the own side, and by file, from the edge to the middle.
    Term("pawn ranks", (0, -7, -12, 3, 18, 16, 40, 0), (0, 8, 0, 0, -2, 5, 15, 0)),
    Term("pawn files", (-24, -2, 8, 13), (2, -8, -12, -8)),
    Term("knight ranks", (-12, 2, 7, 12, 14, 26, -6, -48), (-23, -15, -2, 10, 24, 11, -20, -32)),
    Term("knight files", (-17, 4, 12, 11), (-18, -12, -4, 20)),
    Term("bishop ranks", (-12, 18, 6, 4, 10, 10, -24, -8), (-8, 0, 6, 2, 8, 3, -10, -5)),
    Term("bishop files", (-10, 9, 10, 3), (-7, -8, 0, 12)),
    Term("rook ranks", (12, 0, -14, 0, 2, -4, 2, 0), (-20, -26, 6, 18, 20, 16, 9, 2)),
    Term("rook files", (-9, -5, 10, 16), (10, 2, 3, -8)),
    Term("queen ranks", (3, 22, 11, 6, -3, -8, -2, -12), (-38, -15, 12, 26, 30, 20, 20, 2)),
    Term("queen files", (0, -3, 11, 13), (3, 22, 16, 6)),
    Term("king ranks", (30, 0, -25, -58, -62, -60, -56, -60), (-42, -2, -4, 16, 22, 28, 12, -19)),
    Term("king files", (36, 20, -5, -14), (-26, 8, 16, 20)),
    # By the number of squares that a piece reaches and that no pawn guards.
    Term("knight mobility", (-30, -23, -14, -5, 8, 16, 21, 23, 20), (-30, -20, -11, -3, 9, 12, 14, 10, 5)),
    Term("bishop mobility", (-36, -22, -12, 1, 13, 16, 17, 17, 20, 23, 25, 27, 27, 27),
         (-39, -26, -17, -9, 1, 13, 21, 25, 26, 26, 26, 27, 28, 29)),
    Term("rook mobility", (-24, -15, -8, -7, -4, -1, 1, 3, 7, 13, 17, 17, 17, 18, 20),
         (-56, -40, -24, -6, 4, 10, 17, 27, 33, 36, 37, 38, 40, 42, 44)),
    Term("queen mobility",
         (-26, -25, -22, -18, -12, -8, -5, 0, 4, 7, 10, 12, 14, 14, 14, 13, 13, 14, *(14,) * 10),
         (-30, -28, -27, -26, -24, -22, -17, -12, -4, 4, 8, 10, 12, 13, 14, 16, 17, 18, 18, 19, 19, 20,
          21, 22, 23, 24, 25, 26)),
    # Pawns.
    Term("doubled pawn", (-9,), (-22,)),
    Term("isolated pawn", (-12,), (-4,)),
    Term("supported pawn", (8,), (20,)),
    Term("phalanx pawn", (6,), (9,)),
    Term("passed pawn", (0, -4, -8, 8, 18, 38, 80, 0), (0, 8, 18, 36, 62, 101, 136, 0)),
    Term("free passed pawn", (0, 0, 2, 0, 2, 18, 25, 0), (0, 4, 12, 14, 32, 44, 71, 0)),
    Term("own king near passed pawn", (0,) * 8, (4, 50, 20, 6, -8, -16, -20, -20)),  # by distance
    Term("other king near passed pawn", (0,) * 8, (-30, -50, -20, 0, 24, 28, 30, 30)),
    # Pieces.
    Term("bishop pair", (36,), (48,)),
    Term("knight outpost", (60,), (25,)),
    Term("rook on open file", (46,), (8,)),
    Term("rook on half-open file", (17,), (12,)),
    Term("attack by a pawn", (65,), (50,)),
    Term("attack on a rook or queen by a minor piece", (48,), (12,)),
    Term("attack on a queen by a rook", (44,), (28,)),
    # The king: pawns before it, and files without any.
    Term("shield", (-12, -8, -2, 2), (0, 0, 0, 0)),  # by the pawns before it
    Term("open file at the king", (-20,), (-2,)),
    Term("to move", (36,), (22,)),
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
TO_MOVE = PLACE["to move"]

# How much danger an attacked square near the king is, by the kind of attacker; danger grows with its square.
DANGER = (0, 3, 3, 4, 6, 0)
DANGER_PART, MOST_DANGER = 4, 500  # the square is divided by this, hundredths of a pawn at most
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
    zone = KING_MOVES[other_king] | (ONE << other_king)
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
    if attackers > 1:
        danger += 3 * attackers
        if not state.queens & own:
            danger //= 2
        score += min(danger * danger // DANGER_PART, MOST_DANGER)
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
