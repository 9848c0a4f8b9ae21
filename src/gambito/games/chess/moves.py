"""The legal moves, and the position after a move.

Moves are legal by construction. A pinned piece stays on its line; in check a move captures the checking piece
or blocks it; the king moves only to squares that are not attacked.

    action:  kind 4 bits | to 6 | from 6
    kind:    0–5 the piece that moves, 6 a pawn's double step, 7 en passant,
             8–11 promotion to knight, bishop, rook, queen; 12 castling, `to` is the rook's square
"""

from __future__ import annotations

import numpy as np

from gambito.native import int64, popcount, uint64

from .board import (
    ALL,
    BETWEEN,
    BISHOP,
    CASTLING_KEYS,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    LAST,
    LINE,
    NOT_A,
    NOT_H,
    NOWHERE,
    ONE,
    PASSING_KEYS,
    PAWN_ATTACKS,
    PIECE_KEYS,
    PIECES,
    QUEEN,
    RANK_1,
    ROOK,
    ROW,
    SIX,
    SQUARES,
    TURN_KEY,
    ZERO,
    State,
    attackers,
    bishop_attacks,
    is_check,
    piece_at,
    rook_attacks,
    square_of,
)

DOUBLE, PASSING, PROMOTION, CASTLING = 6, 7, 7, 12  # the kind of a promotion is PROMOTION plus the piece
EVERY, NOISY, QUIET, COUNT = range(4)  # what `generate` writes
MAX_MOVES = 512  # more than the moves of any position with 16 pieces a side
SEVEN, NINE, SIXTEEN = np.uint64(7), np.uint64(9), np.uint64(16)
THIRD, SIXTH = np.uint64(0xFF << 16), np.uint64(0xFF << 40)  # the ranks that a double step passes over
SHORT_KING, LONG_KING, SHORT_ROOK, LONG_ROOK = (np.uint64(n) for n in (6, 2, 5, 3))  # files after castling
BACK = np.uint64(56)  # from White's first rank to Black's


def source_of(action):
    return uint64(action) & np.uint64(63)


def target_of(action):
    return (uint64(action) >> SIX) & np.uint64(63)


def kind_of(action):
    return uint64(action) >> np.uint64(12)


# ---- the legal moves ---------------------------------------------------------------------------------


def put(buffer, place, source, targets, kind, wanted):
    """Write the moves of one piece; return the place after them."""
    if wanted == COUNT:
        return place + popcount(targets)
    base = source | (uint64(kind) << np.uint64(12))
    while targets:
        buffer[place] = int64(base | (square_of(targets) << SIX))
        targets &= targets - ONE
        place += 1
    return place


def stepped(bits, side, step):
    """The squares after a step forward, as seen by the colour."""
    if side == ZERO:
        return bits << step
    return bits >> step


def put_pawns(buffer, place, targets, step, side, pinned, king, kind, wanted):
    """Write the moves of all pawns in one direction."""
    risky = targets & stepped(pinned, side, step)
    while risky:
        to = square_of(risky)
        source = to - step if side == ZERO else to + step
        if not (LINE[king * SQUARES + source] >> to) & ONE:
            targets ^= ONE << to
        risky &= risky - ONE
    if wanted == COUNT:
        return place + popcount(targets) + 3 * popcount(targets & LAST)
    while targets:
        to = square_of(targets)
        source = to - step if side == ZERO else to + step
        move = source | (to << SIX)
        if (LAST >> to) & ONE:
            if wanted != QUIET:
                buffer[place] = int64(move | uint64((PROMOTION + QUEEN) << 12))
                place += 1
            if wanted != NOISY:
                buffer[place] = int64(move | uint64((PROMOTION + KNIGHT) << 12))
                buffer[place + 1] = int64(move | uint64((PROMOTION + ROOK) << 12))
                buffer[place + 2] = int64(move | uint64((PROMOTION + BISHOP) << 12))
                place += 3
        else:
            buffer[place] = int64(move | uint64(kind << 12))
            place += 1
        targets &= targets - ONE
    return place


def put_castling(state, buffer, place, king, occupied, wanted):
    """Write the castling moves of a king that is not in check."""
    rooks = state.castling & state.own
    while rooks:
        rook = square_of(rooks)
        rooks &= rooks - ONE
        back = state.side * BACK
        is_short = rook > king
        king_to = back + (SHORT_KING if is_short else LONG_KING)
        rook_to = back + (SHORT_ROOK if is_short else LONG_ROOK)
        crossed = BETWEEN[king * SQUARES + king_to] | (ONE << king_to)
        others = occupied ^ (ONE << king) ^ (ONE << rook)
        if others & (crossed | BETWEEN[rook * SQUARES + rook_to] | (ONE << rook_to)):
            continue
        is_safe = True
        while crossed and is_safe:
            is_safe = attackers(state, square_of(crossed), others) == ZERO
            crossed &= crossed - ONE
        if is_safe:
            place = put(buffer, place, king, ONE << rook, CASTLING, wanted)
    return place


def generate(state, buffer, place, wanted):
    """Write the legal moves (noisy: captures and promotions to a queen); return the place after them."""
    own, opp = state.own, state.opp
    occupied = own | opp
    king = square_of(state.kings & own)
    diagonal, straight = state.bishops | state.queens, state.rooks | state.queens

    # The pieces that give check, and those that may not leave the line to the king.
    checkers = opp & (
        (PAWN_ATTACKS[state.side * SQUARES + king] & state.pawns) | (KNIGHT_MOVES[king] & state.knights)
    )
    pinned = ZERO
    snipers = opp & ((bishop_attacks(king, opp) & diagonal) | (rook_attacks(king, opp) & straight))
    while snipers:
        sniper = square_of(snipers)
        shield = BETWEEN[king * SQUARES + sniper] & own
        if shield == ZERO:
            checkers |= ONE << sniper
        elif shield & (shield - ONE) == ZERO:
            pinned |= shield
        snipers &= snipers - ONE

    allowed = opp if wanted == NOISY else ~occupied if wanted == QUIET else ~own
    safe, steps, others = ZERO, KING_MOVES[king] & allowed, occupied ^ (ONE << king)
    while steps:
        step = steps & (~steps + ONE)
        if attackers(state, square_of(steps), others) == ZERO:
            safe |= step
        steps ^= step
    place = put(buffer, place, king, safe, KING, wanted)

    check = ALL  # the squares that a move must reach to end a check
    if checkers:
        if checkers & (checkers - ONE):
            return place
        check = checkers | BETWEEN[king * SQUARES + square_of(checkers)]
    elif wanted != NOISY and state.castling & own:
        place = put_castling(state, buffer, place, king, occupied, wanted)
    allowed &= check

    pieces = state.knights & own & ~pinned
    while pieces:
        source = square_of(pieces)
        pieces &= pieces - ONE
        place = put(buffer, place, source, KNIGHT_MOVES[source] & allowed, KNIGHT, wanted)
    pieces = (diagonal | straight) & own
    while pieces:
        source = square_of(pieces)
        bit = ONE << source
        pieces ^= bit
        targets, kind = ZERO, ROOK
        if bit & diagonal:
            targets |= bishop_attacks(source, occupied)
            kind = BISHOP
        if bit & straight:
            targets |= rook_attacks(source, occupied)
        if bit & state.queens:
            kind = QUEEN
        elif bit & straight:
            kind = ROOK
        if bit & pinned:
            targets &= LINE[king * SQUARES + source]
        place = put(buffer, place, source, targets & allowed, kind, wanted)

    # Pawns, all moves of one direction at once.
    side, pawns, empty = state.side, state.pawns & own, ~occupied
    west, east = pawns & NOT_A, pawns & NOT_H
    once = stepped(pawns, side, ROW) & empty
    twice = stepped(once & (THIRD if side == ZERO else SIXTH), side, ROW) & empty
    if side == ZERO:
        left, right = west << SEVEN, east << NINE
    else:
        left, right = east >> SEVEN, west >> NINE
    taken = opp & check & LAST if wanted == QUIET else opp & check
    place = put_pawns(buffer, place, left & taken, SEVEN, side, pinned, king, 0, wanted)
    place = put_pawns(buffer, place, right & taken, NINE, side, pinned, king, 0, wanted)
    if wanted == NOISY:
        place = put_pawns(buffer, place, once & check & LAST, ROW, side, pinned, king, 0, wanted)
    else:
        place = put_pawns(buffer, place, once & check, ROW, side, pinned, king, 0, wanted)
        place = put_pawns(buffer, place, twice & check, SIXTEEN, side, pinned, king, DOUBLE, wanted)
    if state.passing != NOWHERE and wanted != QUIET:
        taken = ONE << (state.passing ^ ROW)
        if check & (taken | (ONE << state.passing)):
            pieces = PAWN_ATTACKS[(side ^ ONE) * SQUARES + state.passing] & pawns
            while pieces:
                source = square_of(pieces)
                after = (occupied ^ (ONE << source) ^ taken) | (ONE << state.passing)
                if not is_seen(king, after, opp & diagonal, opp & straight):
                    place = put(buffer, place, source, ONE << state.passing, PASSING, wanted)
                pieces &= pieces - ONE
    return place


def is_seen(king, occupied, diagonal, straight):
    """Does one of these sliders attack the king?"""
    return (bishop_attacks(king, occupied) & diagonal) | (rook_attacks(king, occupied) & straight) != ZERO


def has_moves(state, buffer):
    """Is there a legal move? Nearly always a pawn or knight that cannot be pinned answers this at once."""
    if not is_check(state):
        king = square_of(state.kings & state.own)
        occupied = state.own | state.opp
        free = state.own & ~(bishop_attacks(king, occupied) | rook_attacks(king, occupied))
        if stepped(state.pawns & free, state.side, ROW) & ~occupied:
            return True
        knights = state.knights & free
        if knights and KNIGHT_MOVES[square_of(knights)] & ~state.own:
            return True
    return generate(state, buffer, 0, COUNT) > 0


# ---- the position after a move -------------------------------------------------------------------------


def may_pass(square, side, own, pawns, diagonal, straight, king, occupied):
    """May a pawn of `own` capture the one that just passed `square`? No slider may then attack the king."""
    takers = PAWN_ATTACKS[(side ^ ONE) * SQUARES + square] & pawns & own
    while takers:
        after = (occupied ^ (takers & (~takers + ONE)) ^ (ONE << (square ^ ROW))) | (ONE << square)
        if not is_seen(king, after, diagonal, straight):
            return True
        takers &= takers - ONE
    return False


def castling_keys(rooks, kings):
    """The key of the castling rights: the rooks that may castle with the kings of their sides."""
    key = ZERO
    while rooks:
        rook = square_of(rooks)
        rooks &= rooks - ONE
        side = ONE if rook >= BACK else ZERO
        king = square_of(kings & (RANK_1 << (side * BACK)))
        key ^= CASTLING_KEYS[side + side + (ZERO if rook > king else ONE)]
    return key


def play(state, action):
    """The next state."""
    source, to, kind = source_of(action), target_of(action), kind_of(action)
    from_bit, to_bit = ONE << source, ONE << to
    both = from_bit | to_bit
    side = state.side
    mine, theirs = side * PIECES, (ONE - side) * PIECES
    own, opp = state.own ^ both, state.opp
    pawns, knights, bishops = state.pawns, state.knights, state.bishops
    rooks, queens, kings = state.rooks, state.queens, state.kings
    key, rest, passing = state.key ^ TURN_KEY, state.rest + ONE, NOWHERE
    if state.passing != NOWHERE:
        key ^= PASSING_KEYS[state.passing & np.uint64(7)]
    if opp & to_bit:
        key ^= PIECE_KEYS[theirs + piece_at(state, to_bit) * SQUARES + to]
        kept = ~to_bit
        opp &= kept
        pawns &= kept
        knights &= kept
        bishops &= kept
        rooks &= kept
        queens &= kept
        rest = ZERO
    castling = state.castling
    if castling:
        castling &= ~both
        if from_bit & kings:
            castling &= ~(RANK_1 << (side * BACK))
        if castling != state.castling:
            key ^= castling_keys(state.castling ^ castling, state.kings)

    if kind == uint64(0) or (uint64(DOUBLE) <= kind and kind < uint64(CASTLING)):
        rest = ZERO
        key ^= PIECE_KEYS[mine + source]
        if kind <= uint64(PASSING):
            pawns ^= both
            key ^= PIECE_KEYS[mine + to]
            if kind == uint64(DOUBLE):
                between = (source + to) >> ONE
                if PAWN_ATTACKS[side * SQUARES + between] & pawns & opp and may_pass(
                    between,
                    side ^ ONE,
                    opp,
                    pawns,
                    own & (bishops | queens),
                    own & (rooks | queens),
                    square_of(kings & opp),
                    own | opp,
                ):
                    passing = between
                    key ^= PASSING_KEYS[between & np.uint64(7)]
            elif kind == uint64(PASSING):
                taken = to ^ ROW
                opp ^= ONE << taken
                pawns ^= ONE << taken
                key ^= PIECE_KEYS[theirs + taken]
        else:
            pawns ^= from_bit
            piece = kind - uint64(PROMOTION)
            if piece == uint64(QUEEN):
                queens ^= to_bit
            elif piece == uint64(ROOK):
                rooks ^= to_bit
            elif piece == uint64(BISHOP):
                bishops ^= to_bit
            else:
                knights ^= to_bit
            key ^= PIECE_KEYS[mine + piece * SQUARES + to]
    elif kind == uint64(CASTLING):
        back = side * BACK
        king_to = back + (SHORT_KING if to > source else LONG_KING)
        rook_to = back + (SHORT_ROOK if to > source else LONG_ROOK)
        kings ^= from_bit ^ (ONE << king_to)
        rooks ^= to_bit ^ (ONE << rook_to)
        own = (state.own & ~both) | (ONE << king_to) | (ONE << rook_to)
        king_keys, rook_keys = mine + uint64(KING) * SQUARES, mine + uint64(ROOK) * SQUARES
        key ^= PIECE_KEYS[king_keys + source] ^ PIECE_KEYS[king_keys + king_to]
        key ^= PIECE_KEYS[rook_keys + to] ^ PIECE_KEYS[rook_keys + rook_to]
    else:
        if kind == uint64(KNIGHT):
            knights ^= both
        elif kind == uint64(BISHOP):
            bishops ^= both
        elif kind == uint64(ROOK):
            rooks ^= both
        elif kind == uint64(QUEEN):
            queens ^= both
        else:
            kings ^= both
        key ^= PIECE_KEYS[mine + kind * SQUARES + source] ^ PIECE_KEYS[mine + kind * SQUARES + to]
    number = state.number + side
    return State(
        opp, own, pawns, knights, bishops, rooks, queens, kings,
        side ^ ONE, castling, passing, rest, number, key,
    )  # fmt: skip


def passed(state):
    """The same position with the other side to move."""
    key = state.key ^ TURN_KEY
    if state.passing != NOWHERE:
        key ^= PASSING_KEYS[state.passing & np.uint64(7)]
    return State(
        state.opp, state.own, state.pawns, state.knights, state.bishops, state.rooks, state.queens,
        state.kings, state.side ^ ONE, state.castling, NOWHERE, ZERO, state.number + state.side, key,
    )  # fmt: skip
