"""The rules of dark chess: moves, what a player sees, and what may stand in the fog. It knows no text.

Squares have the numbers of chess, so that its tables of attacks serve; those outside a small board count as
occupied, which ends every line at the edge. On 4×4:

    4  24 25 26 27
    3  16 17 18 19      White (player 0) moves up, Black down
    2   8  9 10 11
    1   0  1  2  3
        a  b  c  d

An action is the square that a piece leaves, plus 64 times the square that it enters, plus 4096 times what a
pawn becomes (knight 1 to queen 4).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambito.game.contract import Game
from gambito.games.chess.board import (
    BISHOP,
    KING,
    KING_MOVES,
    KNIGHT,
    KNIGHT_MOVES,
    ONE,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    ROW,
    SQUARES,
    ZERO,
    bishop_attacks,
    piece_at,
    rook_attacks,
    square_of,
)
from gambito.native import int64, nth_bit, popcount, uint64

ONGOING, WON, DRAWN = range(3)  # endings; WON: by the player who moved last
KINDS, NO_KIND = 6, 6
BITS, MOST_TAKEN = 4, 15  # of a number in `taken`
MOST_DRAWS = 100  # worlds that are tried until one fits what was seen
WIN = 1000
WORTH = (10, 30, 30, 50, 90, 0)  # by kind


class State(NamedTuple):
    """A position. In an observation, pieces on squares that are not seen are blank."""

    white: np.uint64
    black: np.uint64
    pawns: np.uint64
    knights: np.uint64
    bishops: np.uint64
    rooks: np.uint64
    queens: np.uint64
    kings: np.uint64
    seen: np.uint64  # the whole board, or what the observer sees of it
    taken: np.uint64  # how many of each kind White has lost, then Black; both players know it
    plies: int
    ending: int


class Fog(Game):
    """Chess without check, in which a player sees only where its pieces can go."""

    hidden, recalls = True, False  # what was seen earlier is forgotten
    lowest, highest = -WIN, WIN
    scale = 40.0

    def _prepare(self, start: State, size: int, limit: int) -> None:
        """Set what the rules read, for a start position on a board of this size."""
        self.start, self.size, self.limit = start, size, limit
        self.board, self.outside = start.seen, ~start.seen
        self.first_row = np.uint64((1 << size) - 1)
        self.last_row = self.first_row << np.uint64(8 * (size - 1))
        self.middle = self.board & ~(self.first_row | self.last_row)
        self.army = tuple(int(popcount(kind & start.white)) for kind in start[2:8])
        self.longest = limit
        self.most_actions = 2 * size * 4 * (size - 1)  # each piece moves as a queen in the middle, at most

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return self.start

    def player(self, state):
        return state.plies & 1

    def own(self, state, player):
        return state.white if player == 0 else state.black

    def ahead(self, bit, player):
        """The square in front of a pawn."""
        return bit << ROW if player == 0 else bit >> ROW

    def attacked(self, state, square, player):
        """The squares that the piece on a square attacks."""
        bit = ONE << square
        if state.pawns & bit:
            return PAWN_ATTACKS[uint64(player) * SQUARES + square] & self.board
        occupied = state.white | state.black | self.outside
        squares = ZERO
        if state.knights & bit:
            squares = KNIGHT_MOVES[square]
        if state.kings & bit:
            squares = KING_MOVES[square]
        if (state.bishops | state.queens) & bit:
            squares = bishop_attacks(square, occupied)
        if (state.rooks | state.queens) & bit:
            squares |= rook_attacks(square, occupied)
        return squares & self.board

    def targets(self, state, square, player):
        """The squares that the player's piece on a square can enter."""
        bit, mine = ONE << square, self.own(state, player)
        attacked = self.attacked(state, square, player)
        if state.pawns & bit:
            free = self.board & ~(state.white | state.black)
            return (attacked & self.own(state, 1 - player)) | (self.ahead(bit, player) & free)
        return attacked & ~mine

    def promotes(self, state, square, player):
        """Does a pawn that leaves this square reach the last row?"""
        last = self.last_row if player == 0 else self.first_row
        bit = ONE << square
        return (state.pawns & bit) != ZERO and (self.ahead(bit, player) & last) != ZERO

    def actions(self, state):
        player = state.plies & 1
        pieces = self.own(state, player)
        while pieces:
            square = square_of(pieces)
            pieces &= pieces - ONE
            squares = self.targets(state, square, player)
            becomes, most = int64(0), int64(0)
            if self.promotes(state, square, player):
                becomes, most = int64(KNIGHT), int64(QUEEN)
            while squares:
                action = int64(square) + 64 * int64(square_of(squares))
                squares &= squares - ONE
                kind = most
                while kind >= becomes:
                    yield action + 4096 * kind
                    kind -= 1

    def can_move(self, state, player):
        pieces = self.own(state, player)
        while pieces:
            if self.targets(state, square_of(pieces), player):
                return True
            pieces &= pieces - ONE
        return False

    def with_piece(self, state, bit, kind, player):
        """The position with one more piece, on a square that is empty."""
        white, black, pawns, knights, bishops, rooks, queens, kings, seen, taken, plies, ending = state
        if player == 0:
            white |= bit
        else:
            black |= bit
        if kind == PAWN:
            pawns |= bit
        elif kind == KNIGHT:
            knights |= bit
        elif kind == BISHOP:
            bishops |= bit
        elif kind == ROOK:
            rooks |= bit
        elif kind == QUEEN:
            queens |= bit
        else:
            kings |= bit
        return State(
            white, black, pawns, knights, bishops, rooks, queens, kings, seen, taken, plies, ending
        )  # fmt: skip

    def only_on(self, state, kept, seen):
        """The position with the pieces of some squares, and what is seen of it."""
        return State(
            state.white & kept, state.black & kept, state.pawns & kept, state.knights & kept,
            state.bishops & kept, state.rooks & kept, state.queens & kept, state.kings & kept,
            seen, state.taken, state.plies, state.ending,
        )  # fmt: skip

    def ended(self, state, taken, plies, ending):
        """The position with other numbers."""
        return State(
            state.white, state.black, state.pawns, state.knights, state.bishops, state.rooks,
            state.queens, state.kings, state.seen, taken, plies, ending,
        )  # fmt: skip

    def result(self, state, action):
        player, plies = state.plies & 1, state.plies + 1
        source, target = ONE << uint64(action & 63), ONE << uint64(action >> 6 & 63)
        kind, victim = int64(piece_at(state, source)), int64(piece_at(state, target))
        if action >> 12:
            kind = int64(action >> 12)
        taken, ending = state.taken, int64(ONGOING)
        if victim != NO_KIND:
            taken += ONE << uint64(BITS * (KINDS * (1 - player) + victim))
        after = self.only_on(state, ~(source | target), state.seen)
        after = self.with_piece(after, target, kind, player)
        if victim == KING:
            ending = int64(WON)
        elif plies >= self.limit or not self.can_move(after, 1 - player):
            ending = int64(DRAWN)
        return self.ended(after, taken, plies, ending)

    def is_terminal(self, state):
        return state.ending != ONGOING

    def utility(self, state, player):
        """The player who moved last has taken the king, or nobody wins."""
        if state.ending == DRAWN:
            return 0
        return -WIN if player == state.plies & 1 else WIN

    def evaluate(self, state, player):
        """What the pieces are worth."""
        value = 0
        for kind in range(KINDS):
            value += WORTH[kind] * (self.standing(state, kind, 0) - self.standing(state, kind, 1))
        return value if player == 0 else -value

    # ---- what a player sees ----------------------------------------------------------------------
    def sight(self, state, player):
        """Its own squares, those that its pieces attack, and those in front of its pawns.

        Nothing in the fog changes it: every line ends at a piece that is seen.
        """
        pieces = self.own(state, player)
        squares = pieces
        while pieces:
            square = square_of(pieces)
            squares |= self.attacked(state, square, player)
            if state.pawns & (ONE << square):
                squares |= self.ahead(ONE << square, player)
            pieces &= pieces - ONE
        return squares & self.board

    def observe(self, state, player):
        """The pieces on the squares in sight; a spectator sees none, and in the end all see everything."""
        if state.ending != ONGOING:
            return state
        squares = ZERO
        if player >= 0:
            squares = self.sight(state, player)
        return self.only_on(state, squares, squares)

    def of_kind(self, state, kind):
        """The squares of both players' pieces of a kind."""
        if kind == PAWN:
            return state.pawns
        if kind == KNIGHT:
            return state.knights
        if kind == BISHOP:
            return state.bishops
        if kind == ROOK:
            return state.rooks
        return state.queens if kind == QUEEN else state.kings

    def standing(self, state, kind, player):
        """How many pieces of a kind the player has on the squares that are seen."""
        return popcount(self.of_kind(state, kind) & self.own(state, player))

    def lost(self, state, kind, player):
        """How many pieces of a kind the player has lost."""
        return int64(state.taken >> uint64(BITS * (KINDS * player + kind)) & uint64(MOST_TAKEN))

    def missing(self, state, kind, player):
        """How many pieces of a kind the player must have in the fog, if none there was promoted.

        Negative: so many were promoted to this kind.
        """
        return self.army[kind] - self.lost(state, kind, player) - self.standing(state, kind, player)

    def missing_pawns(self, state, player):
        """How many pawns are in the fog, promoted there or not: those that were promoted in sight are not."""
        pawns = self.missing(state, PAWN, player)
        for kind in range(KNIGHT, KING):
            pawns += min(self.missing(state, kind, player), 0)
        return pawns

    def imagine(self, seen, player, rng):
        """The other's pieces that are left and not seen stand anywhere in the fog, each way as likely.

        This is an approximation. What was seen earlier and how many moves a piece needs to get there are
        not considered, and a pawn in the fog is promoted only if there is no room for it as a pawn.
        """
        if player < 0 or seen.ending != ONGOING:
            return seen
        world = seen
        for _ in range(MOST_DRAWS):
            world = self.deal(seen, 1 - player, rng)
            if self.can_move(world, world.plies & 1):
                break
        return world

    def deal(self, seen, other, rng):
        """Deal the other's missing pieces, first the pawns, which cannot stand everywhere."""
        fog = self.board & ~seen.seen
        world = self.only_on(seen, self.board, self.board)
        for _ in range(self.missing_pawns(seen, other)):
            room, kind = fog & self.middle, int64(PAWN)
            if room == ZERO:
                room, kind = fog, int64(QUEEN)
            bit = ONE << uint64(nth_bit(room, rng.below(popcount(room))))
            fog &= ~bit
            world = self.with_piece(world, bit, kind, other)
        for kind in range(KNIGHT, KINDS):
            for _ in range(self.missing(seen, kind, other)):
                bit = ONE << uint64(nth_bit(fog, rng.below(popcount(fog))))
                fog &= ~bit
                world = self.with_piece(world, bit, int64(kind), other)
        return world
