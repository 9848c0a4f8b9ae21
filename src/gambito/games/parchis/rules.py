"""Parchís, the Spanish ludo: bring four pieces around the board and home, and send the others' back.

Each player has a nest, a way of 64 squares around the board from its exit, a corridor of seven, and a home:

    place 0         the nest              square of place p of a player: (exit + p - 2) mod 68 + 1,
    places 1-64     around the board      with exits 5, 22, 39 and 56
    places 65-71    the corridor
    place 72        home                  a piece gets there with an exact count

A five brings a piece out, and must. A six gives another roll, and counts seven if no piece is in the nest;
who rolls a six and has a barrier must open it. After the third six in a row nothing is moved, and the piece
that moved last goes back to the nest, unless it is in the corridor or home. A square holds two pieces. Two of
one player are a barrier, which nobody passes. A piece that lands on a single piece of another player sends it
back and earns 20 squares for any one piece; on the twelve safe squares both stay. Who brings a piece out onto
two pieces sends one of the others back. A piece that comes home earns 10. A move that cannot be made is lost.
The first with four pieces home wins.

The four places of a player are sorted, seven bits each.
"""

from __future__ import annotations

import numpy as np

from gambito.errors import GameError
from gambito.game.contract import CHANCE
from gambito.native import int64

from .notation import (
    ARRIVAL,
    CAPTURE,
    COLOURS,
    EACH,
    HOME,
    LAST,
    NEST,
    OUT,
    PASS,
    PLACE,
    SAFE,
    SIX,
    SQUARES,
    ParchisText,
    State,
    place_of,
)

FIVE, SIXES = 5, 3
EXITS = {2: (5, 39), 3: (5, 22, 39), 4: (5, 22, 39, 56)}  # by the number of players
ALL_HOME = sum(HOME << PLACE * n for n in range(EACH))
WORTH = 0.3 / (EACH * HOME)  # of a square: a lead of all squares is worth a third of a win


def has_piece(pieces, place):
    for number in range(EACH):
        if place_of(pieces, number) == place:
            return True
    return False


def moved(pieces, left, to):
    """The sorted places after one piece has gone from a place to another."""
    a, b, c, d = place_of(pieces, 0), place_of(pieces, 1), place_of(pieces, 2), place_of(pieces, 3)
    if a == left:
        a = to
    elif b == left:
        b = to
    elif c == left:
        c = to
    else:
        d = to
    a, b, c, d = min(a, b), max(a, b), min(c, d), max(c, d)
    a, c, b, d = min(a, c), max(a, c), min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    return a | b << PLACE | c << 2 * PLACE | d << 3 * PLACE


class Parchis(ParchisText):
    """Bring four pieces around the board and home, and send the others' back."""

    name = "parchis"
    title = "Parchís"
    chance = True
    value = float
    step = 1e-6
    most_actions = EACH
    most_outcomes = 6
    lowest = -1.0
    played_by = "mcts"
    preferences = {"mcts": {"plies": 30}}  # noqa: RUF012  # games are long, and 30 plies tell captures

    def __init__(self, players: int = 4) -> None:
        if players not in EXITS:
            raise GameError("parchis is for 2, 3 or 4 players, not {}", players)
        self.players = players
        self.highest = players - 1.0
        self.exits = EXITS[players]
        self.is_safe = np.array([square in SAFE for square in range(SQUARES + 1)])
        self.sides = tuple(COLOURS[(exit - 5) // 17] for exit in self.exits)

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return State(0, 0, 0, 0, 0, 0, 0, 0, 0)

    def player(self, state):
        return CHANCE if state.die == 0 and not self.is_terminal(state) else state.mover

    def winner(self, state):
        for player in range(self.players):
            if self.pieces_of(state, player) == ALL_HOME:
                return player
        return -1

    def is_terminal(self, state):
        return self.winner(state) >= 0

    def is_blocked(self, state, place, count):
        """Does a barrier lie on the way of the mover's piece?"""
        here = self.square(state.mover, place)
        for player in range(self.players):
            pieces = self.pieces_of(state, player)
            for number in range(EACH - 1):
                barrier = place_of(pieces, number)
                if barrier != place_of(pieces, number + 1) or barrier in (NEST, HOME):
                    continue
                if barrier <= LAST and place <= LAST:
                    way = (self.square(player, barrier) - here) % SQUARES
                    if 0 < way <= count and place + way <= LAST:
                        return True
                elif barrier > LAST and player == state.mover and place < barrier <= place + count:
                    return True
        return False

    def others_on(self, state, square):
        """How many pieces of the others are on a square."""
        count = int64(0)
        for player in range(self.players):
            if player != state.mover:
                pieces = self.pieces_of(state, player)
                for number in range(EACH):
                    place = place_of(pieces, number)
                    if OUT <= place <= LAST and self.square(player, place) == square:
                        count += 1
        return count

    def own_on(self, state, place):
        """How many pieces of the mover are on a place."""
        pieces, count = self.pieces_of(state, state.mover), int64(0)
        for number in range(EACH):
            if place_of(pieces, number) == place:
                count += 1
        return count

    def can_leave(self, state):
        """Must a piece leave the nest?"""
        is_five = state.die == FIVE and state.bonus == 0
        return is_five and self.own_on(state, NEST) > 0 and self.own_on(state, OUT) < 2

    def can_move(self, state, place, count):
        """May the mover's piece at a place move that far?"""
        to = place + count
        if place in (NEST, HOME) or to > HOME or self.is_blocked(state, place, count):
            return False
        if to == HOME:
            return True
        others = self.others_on(state, self.square(state.mover, to)) if to <= LAST else int64(0)
        return self.own_on(state, to) + others < 2

    def must_open(self, state, count):
        """Has the mover rolled a six, and a barrier that it can open?"""
        if state.die != SIX or state.bonus:
            return False
        pieces = self.pieces_of(state, state.mover)
        for number in range(EACH - 1):
            place = place_of(pieces, number)
            if place == place_of(pieces, number + 1) and self.can_move(state, place, count):
                return True
        return False

    def actions(self, state):
        if state.die == 0:
            for die in range(1, 7):
                yield die
        elif self.can_leave(state):
            yield NEST
        else:
            pieces, count, found = self.pieces_of(state, state.mover), self.steps(state), False
            opens = self.must_open(state, count)
            for number in range(EACH):
                place = place_of(pieces, number)
                if number > 0 and place == place_of(pieces, number - 1):
                    continue
                if opens and self.own_on(state, place) < 2:
                    continue
                if self.can_move(state, place, count):
                    found = True
                    yield place
            if not found:
                yield PASS

    def chances(self, state):
        for die in range(1, 7):
            yield die, 1.0 / 6.0

    def result(self, state, action):
        if state.die == 0:
            return self.rolled(state, action)
        if action == PASS:
            return self.next_turn(state, self.pieces_of(state, state.mover), -1, -1, 0, state.last)
        mover, count = state.mover, self.steps(state)
        to = OUT if action == NEST else action + count
        own, victim, sent = moved(self.pieces_of(state, mover), action, to), int64(-1), int64(-1)
        if to <= LAST:
            square = self.square(mover, to)
            is_full = self.own_on(state, OUT) + self.others_on(state, square) >= 2
            if not self.is_safe[square] or (action == NEST and is_full):
                for way in range(self.players - 1, 0, -1):  # the next in turn, if there are two
                    other = (mover + way) % self.players
                    place = (square - self.exits[other]) % SQUARES + 1
                    if place <= LAST and has_piece(self.pieces_of(state, other), place):
                        victim, sent = int64(other), int64(place)
        bonus = CAPTURE if victim >= 0 else ARRIVAL if to == HOME else 0
        return self.next_turn(state, own, victim, sent, bonus, to)

    def rolled(self, state, die):
        """The state after a roll."""
        sixes = state.sixes + 1 if die == SIX else 0
        if sixes < SIXES:
            return State(
                state.pieces_0,
                state.pieces_1,
                state.pieces_2,
                state.pieces_3,
                state.mover,
                die,
                0,
                sixes,
                state.last,
            )
        own = self.pieces_of(state, state.mover)
        if OUT <= state.last <= LAST and has_piece(own, state.last):
            own = moved(own, state.last, NEST)
        return self.next_turn(state, own, -1, -1, 0, 0)

    def next_turn(self, state, own, victim, sent, bonus, last):
        """The state with the mover's new places, a piece of the victim sent back, and what follows."""
        mover, die, sixes = state.mover, state.die, state.sixes
        if bonus == 0:
            if die != SIX:
                mover, sixes, last = (mover + 1) % self.players, 0, 0
            die = 0
        pieces_0, pieces_1, pieces_2, pieces_3 = (
            state.pieces_0,
            state.pieces_1,
            state.pieces_2,
            state.pieces_3,
        )
        if victim >= 0:
            back = moved(self.pieces_of(state, victim), sent, NEST)
            pieces_0, pieces_1 = back if victim == 0 else pieces_0, back if victim == 1 else pieces_1
            pieces_2, pieces_3 = back if victim == 2 else pieces_2, back if victim == 3 else pieces_3
        return State(
            own if state.mover == 0 else pieces_0,
            own if state.mover == 1 else pieces_1,
            own if state.mover == 2 else pieces_2,
            own if state.mover == 3 else pieces_3,
            mover,
            die,
            bonus,
            sixes,
            last,
        )

    def utility(self, state, player):
        return self.highest if player == self.winner(state) else self.lowest

    # ---- what it adds ----------------------------------------------------------------------------
    def way(self, state, player):
        """The squares that a player's pieces have gone."""
        pieces, total = self.pieces_of(state, player), int64(0)
        for number in range(EACH):
            total += place_of(pieces, number)
        return total

    def evaluate(self, state, player):
        """The squares by which a player is ahead of the others, all together."""
        total = int64(0)
        for each in range(self.players):
            total += self.way(state, each)
        return WORTH * float(self.players * self.way(state, player) - total)
