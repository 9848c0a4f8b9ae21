"""The chess evaluation: a tapered sum of named terms with their weights.

Every term has one value for the middlegame and one for the endgame, in hundredths of a pawn; the remaining
pieces determine how much of each counts. A game holds the weights: `weights` as in `evaluate/terms`, `places`
for pieces on their squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gambito.evaluate.terms import Term, Terms
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

# fmt: off
TERMS = (  # set by hand
    Term("material", (85, 340, 355, 480, 1000, 0), (110, 305, 320, 540, 980, 0)),
    # By rank from the piece's own side, and by file from the edge to the middle.
    Term("pawn ranks", (0, -6, -5, 2, 8, 18, 45, 0), (0, 0, -2, 0, 6, 16, 36, 0)),
    Term("pawn files", (-8, -2, 0, 10), (3, 2, 0, -2)),
    Term("knight ranks", (-28, -12, 2, 12, 18, 18, 0, -40), (-20, -8, 2, 8, 8, 0, -8, -24)),
    Term("knight files", (-22, -6, 4, 10), (-16, -4, 2, 8)),
    Term("bishop ranks", (-12, 4, 6, 6, 6, 4, -6, -12), (-6, -2, 2, 4, 4, 2, -2, -6)),
    Term("bishop files", (-4, 2, 2, 4), (-4, 0, 0, 2)),
    Term("rook ranks", (-4, -6, -8, -8, -4, 2, 12, 8), (0, 0, 0, 2, 2, 2, 4, 2)),
    Term("rook files", (-4, -1, 2, 5), (0, 0, 0, 0)),
    Term("queen ranks", (-4, 2, 2, 0, 0, 2, -2, 0), (-14, -8, 2, 8, 10, 8, 4, 0)),
    Term("queen files", (-6, 0, 2, 2), (-8, 0, 4, 6)),
    Term("king ranks", (18, 0, -25, -45, -60, -60, -60, -60), (-40, -15, 2, 14, 20, 18, 6, -20)),
    Term("king files", (22, 24, 2, -10), (-22, -4, 8, 14)),
    # By the number of squares that a piece reaches and that no enemy pawn guards.
    Term("knight mobility", (-30, -18, -8, -2, 2, 6, 10, 13, 15), (-30, -18, -8, 0, 4, 8, 10, 12, 12)),
    Term("bishop mobility", (-28, -14, -4, 2, 7, 11, 14, 17, 19, 21, 23, 24, 25, 26),
         (-30, -16, -6, 0, 5, 10, 14, 17, 19, 21, 22, 23, 24, 25)),
    Term("rook mobility", (-18, -12, -8, -5, -3, -1, 2, 5, 8, 10, 12, 13, 14, 15, 16),
         (-34, -20, -10, -2, 4, 9, 14, 18, 22, 25, 28, 30, 32, 33, 34)),
    Term("queen mobility", tuple(min(n - 10, 14) for n in range(28)), tuple(2 * n - 24 for n in range(28))),
    # Pawns.
    Term("doubled pawn", (-8,), (-18,)),
    Term("isolated pawn", (-12,), (-12,)),
    Term("supported pawn", (9,), (8,)),
    Term("phalanx pawn", (7,), (6,)),
    Term("attack on a pawn by a pawn", (3,), (2,)),
    Term("passed pawn", (0, 0, 2, 8, 22, 46, 85, 0), (0, 8, 14, 30, 58, 100, 155, 0)),
    Term("free passed pawn", (0, 0, 0, 2, 6, 14, 25, 0), (0, 0, 2, 8, 20, 42, 70, 0)),
    Term("own king near passed pawn", (0,) * 8, (0, 24, 18, 10, 2, -4, -8, -10)),  # by distance
    Term("other king near passed pawn", (0,) * 8, (0, -34, -22, -6, 8, 18, 24, 26)),
    # Pieces.
    Term("bishop pair", (28,), (52,)),
    Term("knight outpost", (20,), (14,)),
    Term("rook on open file", (28,), (10,)),
    Term("rook on half-open file", (12,), (8,)),
    Term("attack by a pawn", (48,), (38,)),
    Term("attack on a rook or queen by a minor piece", (30,), (20,)),
    Term("attack on a queen by a rook", (35,), (25,)),
    # The king: by the pawns in front of it, and by files without pawns.
    Term("shield", (-26, -12, 2, 12), (0, 0, 0, 0)),
    Term("open file at the king", (-16,), (0,)),
    # Attacks on squares near the enemy king, all attackers together; half without a queen.
    Term("danger", tuple(n * n // 3 for n in range(24)), (0,) * 24),
    Term("to move", (14,), (10,)),
)
# fmt: on
WHOLE = 24  # phase with all pieces: 1 for a minor piece, 2 for a rook, 4 for a queen
FULL_SCALE = 64
PIECE_NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")


def _place_parts():
    """The terms that make up the value of a piece on a square, by colour, kind and square."""
    begins = FORM.places
    return np.array(
        [
            (
                begins["material"] + piece,
                begins[f"{PIECE_NAMES[piece]} ranks"] + (square // 8 if side == 0 else 7 - square // 8),
                begins[f"{PIECE_NAMES[piece]} files"] + min(square % 8, 7 - square % 8),
            )
            for side in range(2)
            for piece in range(6)
            for square in range(64)
        ]
    )


FORM = Terms(TERMS, WHOLE * FULL_SCALE, {"places": lambda words: words[PARTS].sum(axis=1)})
PLACE = FORM.places
PARTS: Any = _place_parts()
WORDS, COUNTED = len(FORM.hand), PLACE["knight mobility"]  # the terms before it are those of `PARTS`
MOBILITY = {piece: PLACE[f"{PIECE_NAMES[piece]} mobility"] for piece in range(KNIGHT, KING)}
ON_KNIGHT, ON_BISHOP, ON_ROOK, ON_QUEEN = (MOBILITY[p] for p in range(KNIGHT, KING))
DOUBLED, ISOLATED = PLACE["doubled pawn"], PLACE["isolated pawn"]
SUPPORTED, PHALANX = PLACE["supported pawn"], PLACE["phalanx pawn"]
LEVER = PLACE["attack on a pawn by a pawn"]
PASSED, FREE = PLACE["passed pawn"], PLACE["free passed pawn"]
OWN_NEAR, OTHER_NEAR = PLACE["own king near passed pawn"], PLACE["other king near passed pawn"]
PAIR, OUTPOST = PLACE["bishop pair"], PLACE["knight outpost"]
OPEN, HALF_OPEN = PLACE["rook on open file"], PLACE["rook on half-open file"]
BY_PAWN, SHIELD, BARE = PLACE["attack by a pawn"], PLACE["shield"], PLACE["open file at the king"]
BY_MINOR, BY_ROOK = PLACE["attack on a rook or queen by a minor piece"], PLACE["attack on a queen by a rook"]
TO_MOVE, NEAR_KING = PLACE["to move"], PLACE["danger"]

# The danger of an attacked square near the king, by the kind of attacker, and of each attacker.
DANGER, ATTACKER = (0, 3, 2, 3, 4, 0), 4
STEPS = 24  # steps of danger with different weights
MIDDLE = np.uint64(0x00003C3C3C3C0000)  # files c to f, where outposts count
CAMPS = np.array([0x0000FFFFFF000000, 0x000000FFFFFF0000], np.uint64)  # where a knight can have an outpost
DARK = np.uint64(0xAA55AA55AA55AA55)
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
    """The squares to the left and to the right of these."""
    return ((bits & NOT_A) >> ONE) | ((bits & NOT_H) << ONE)


def guarded(pawns, side):
    """The squares that pawns attack."""
    if side == ZERO:
        return beside(pawns) << ROW
    return beside(pawns) >> ROW


def in_front(bits, side):
    """All squares in front of these, as seen by the colour."""
    if side == ZERO:
        return filled_up(bits) << ROW
    return filled_down(bits) >> ROW


def places(game, bits, base):
    """Material and placement of all pieces of one kind."""
    total = int64(0)
    while bits:
        total += game.places[base + int64(square_of(bits))]
        bits &= bits - ONE
    return total


def pawn_score(game, own, other, side, king, other_king, occupied):
    """The score of one side's pawn structure."""
    score = int64(0)
    files = filled_up(filled_down(own))
    score += game.weights[DOUBLED] * popcount(own & in_front(own, side))
    score += game.weights[ISOLATED] * popcount(own & ~beside(files))
    score += game.weights[SUPPORTED] * popcount(own & guarded(own, side))
    score += game.weights[PHALANX] * popcount(own & beside(own))
    score += game.weights[LEVER] * popcount(other & guarded(own, side))
    watched = in_front(other, side ^ ONE)
    passed = own & ~(watched | beside(watched)) & ~in_front(own, side ^ ONE)
    while passed:
        square = square_of(passed)
        rank = int64(square >> np.uint64(3))
        step = square + ROW if side == ZERO else square - ROW
        if side != ZERO:
            rank = 7 - rank
        score += game.weights[PASSED + rank]
        if not (occupied >> step) & ONE:
            score += game.weights[FREE + rank]
        if rank > 2:
            score += game.weights[OWN_NEAR + DISTANCE[step * SQUARES + king]]
            score += game.weights[OTHER_NEAR + DISTANCE[step * SQUARES + other_king]]
        passed &= passed - ONE
    return score


def side_score(game, state, own, other, side):
    """The score of one side."""
    occupied = own | other
    base = int64(side) * 384
    pawns, other_pawns = state.pawns & own, state.pawns & other
    king, other_king = square_of(state.kings & own), square_of(state.kings & other)
    guards, other_guards = guarded(pawns, side), guarded(other_pawns, side ^ ONE)
    score = places(game, pawns, base) + game.places[base + 320 + int64(king)]
    score += pawn_score(game, pawns, other_pawns, side, king, other_king, occupied)
    safe = ~own & ~other_guards
    zone = KING_MOVES[other_king] | in_two(KING_MOVES[other_king], side ^ ONE)
    danger, attackers = int64(0), int64(0)
    heavy, struck = other & (state.rooks | state.queens), int64(0)

    pieces = state.knights & own
    while pieces:
        square = square_of(pieces)
        reach = KNIGHT_MOVES[square]
        score += game.places[base + 64 + int64(square)] + game.weights[ON_KNIGHT + popcount(reach & safe)]
        struck += popcount(reach & heavy)
        if reach & zone:
            attackers += 1
            danger += DANGER[KNIGHT] * popcount(reach & zone)
        pieces &= pieces - ONE
    posts = state.knights & own & guards & CAMPS[side] & MIDDLE
    if posts:
        watched = in_front(other_pawns, side ^ ONE)
        score += game.weights[OUTPOST] * popcount(posts & ~beside(watched))

    pieces = state.bishops & own
    if pieces & DARK and pieces & ~DARK:
        score += game.weights[PAIR]
    while pieces:
        square = square_of(pieces)
        reach = bishop_attacks(square, occupied ^ (state.queens & own))
        score += game.places[base + 128 + int64(square)] + game.weights[ON_BISHOP + popcount(reach & safe)]
        struck += popcount(reach & heavy)
        if reach & zone:
            attackers += 1
            danger += DANGER[BISHOP] * popcount(reach & zone)
        pieces &= pieces - ONE

    score += game.weights[BY_MINOR] * struck
    pieces = state.rooks & own
    while pieces:
        square = square_of(pieces)
        reach = rook_attacks(square, occupied ^ ((state.queens | state.rooks) & own))
        score += game.places[base + 192 + int64(square)] + game.weights[ON_ROOK + popcount(reach & safe)]
        score += game.weights[BY_ROOK] * popcount(reach & other & state.queens)
        file = FILE_A << (square & np.uint64(7))
        if not file & pawns:
            score += game.weights[HALF_OPEN] if file & other_pawns else game.weights[OPEN]
        if reach & zone:
            attackers += 1
            danger += DANGER[ROOK] * popcount(reach & zone)
        pieces &= pieces - ONE

    pieces = state.queens & own
    while pieces:
        square = square_of(pieces)
        reach = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        score += game.places[base + 256 + int64(square)] + game.weights[ON_QUEEN + popcount(reach & safe)]
        if reach & zone:
            attackers += 1
            danger += DANGER[QUEEN] * popcount(reach & zone)
        pieces &= pieces - ONE

    score += game.weights[BY_PAWN] * popcount(guards & other & ~other_pawns)
    danger += ATTACKER * attackers
    if not state.queens & own:
        danger //= 2
    score += game.weights[NEAR_KING + min(danger // 2, STEPS - 1)]
    around = (ONE << king) | beside(ONE << king)
    shield = in_front(around, side) & (KING_MOVES[king] | in_two(KING_MOVES[king], side)) & pawns
    score += game.weights[SHIELD + min(popcount(shield), 3)]
    files = filled_up(filled_down(pawns))
    score += game.weights[BARE] * popcount(around & ~files)
    return score


def in_two(bits, side):
    """The squares one rank further on."""
    if side == ZERO:
        return bits << ROW
    return bits >> ROW


def phase_of(state):
    """How much of the material is left, from 0 to 24."""
    minor = popcount(state.knights | state.bishops)
    return min(minor + 2 * popcount(state.rooks) + 4 * popcount(state.queens), WHOLE)


def scale_of(state, own):
    """The share of an endgame advantage that counts for the side that has it, out of 64."""
    if not state.pawns & own:  # without pawns a minor piece is not enough, and a rook's lead hardly is
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
    """The pieces of a side, in pawns."""
    minor = popcount((state.knights | state.bishops) & side)
    return 3 * minor + 5 * popcount(state.rooks & side) + 9 * popcount(state.queens & side)


def score_of(game, state):
    """The score of the player to move minus that of the opponent: both values in one word."""
    score = side_score(game, state, state.own, state.opp, state.side)
    score -= side_score(game, state, state.opp, state.own, state.side ^ ONE)
    return score + game.weights[TO_MOVE]


def estimate(game, state):
    """The value of a position for the player to move, in hundredths of a pawn."""
    score = score_of(game, state)
    end = (score + 0x80000000) >> 32
    middle = score - (end << 32)
    own = state.own if end > 0 else state.opp
    end = end * scale_of(state, own) // FULL_SCALE
    phase = phase_of(state)
    return (middle * phase + end * (WHOLE - phase)) // WHOLE


def list_inputs(game, state, buffer, place):
    """How often each weight counts: from the squares of the pieces, and for other terms from the score."""
    lead = strength(state, state.own) - strength(state, state.opp)
    lead += popcount(state.pawns & state.own) - popcount(state.pawns & state.opp)
    phase, scale = phase_of(state), scale_of(state, state.own if lead > 0 else state.opp)
    middle, end = phase * FULL_SCALE, (WHOLE - phase) * scale
    for kind in range(6):
        pieces = state.pawns
        if kind == 1:
            pieces = state.knights
        elif kind == 2:
            pieces = state.bishops
        elif kind == 3:
            pieces = state.rooks
        elif kind == 4:
            pieces = state.queens
        elif kind == 5:
            pieces = state.kings
        while pieces:
            is_own = (state.own >> square_of(pieces)) & ONE != ZERO
            side = int64(state.side) if is_own else 1 - int64(state.side)
            cell = side * 384 + kind * 64 + int64(square_of(pieces))
            for part in range(3):
                place = write_pair(buffer, place, PARTS[cell, part], 1 if is_own else -1, middle, end)
            pieces &= pieces - ONE
    before = score_of(game, state)
    for number in range(COUNTED, WORDS):
        game.weights[number] += 1
        place = write_pair(buffer, place, number, score_of(game, state) - before, middle, end)
        game.weights[number] -= 1
    return place


def write_pair(buffer, place, number, count, middle, end):
    """Write a middlegame weight and an endgame weight, if they count."""
    if count and middle:
        buffer[place] = 2 * number
        buffer[place + 1] = count * middle
        place += 2
    if count and end:
        buffer[place] = 2 * number + 1
        buffer[place + 1] = count * end
        place += 2
    return place
