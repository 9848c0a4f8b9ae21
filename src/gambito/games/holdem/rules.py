"""Texas hold'em for two to six, limit or no limit: bet on the best five of seven cards.

    AsKd/QhQc b2c|Ks7d2c cb1c|4d cc|2h     hands; the moves before the flop; the flop and the moves on it …

Everybody gets two cards, and up to five more are laid on the table for all: three, one and one, with a round
of bets before the first and after each. Who is alone, because the others have folded, wins the pot; else the
best hand does. The first seat pays the small blind of one chip, the second the big blind of two. With two
players, the first has the button: it acts first before the flop, and last afterwards.

The sizes of bets are a part of the game: those of `bets`, in per cent of the pot after a call, and all chips.
With `limit`, bets and raises are of two chips before and on the flop, and of four on the turn and the river.
All stacks are equal, so there are no side pots. There are at most four bets and raises on a street, and three
with six seats; the big blind counts as one.
"""

from __future__ import annotations

import re

from gambito.errors import GameError
from gambito.game.contract import CHANCE, quoted
from gambito.game_tools.poker.cards import BITS, DECK
from gambito.game_tools.poker.strength import strength
from gambito.native import int64, mix, uint64

from .buckets import bucket_of
from .learned import Learned
from .state import (
    ALL_IN,
    BOARD,
    BUCKET,
    CALL,
    CARD,
    CHIPS,
    FLOP,
    FOLD,
    MOST_CHIPS,
    MOVE,
    PREFLOP,
    RIVER,
    SEATS,
    SIZED,
    SIZES,
    TURN,
    State,
    added,
    board_card,
    hand_at,
    paid_by,
    set_of_board,
    set_of_hand,
    with_hand,
)
from .text import SEAT_NAMES

SMALL, BIG = 1, 2  # chips of the blinds
LEVELS = 80  # the most levels of strength
LEAST_STACK = 2  # big blinds
_BETS = re.compile(r"[0-9]{1,4}(-[0-9]{1,4}){0,3}")


class Holdem(Learned):
    """Texas hold'em, heads-up or for up to six."""

    name = "holdem"
    chance = True
    hidden = True
    value = float
    step = 1e-6
    most_outcomes = DECK
    most_actions = DECK
    prefers_fast_win = False

    def __init__(
        self, seats: int = 2, stack: int = 20, limit: bool = False, bets: str = "50-100", buckets: int = 0
    ) -> None:
        """`stack` is in big blinds. `buckets`: levels of strength by which strategies tell hands apart."""
        if not 2 <= seats <= SEATS:
            raise GameError("hold'em has 2 to {} seats, not {}", SEATS, seats)
        if not LEAST_STACK <= stack <= MOST_CHIPS // BIG:
            raise GameError("a stack has {} to {} big blinds, not {}", LEAST_STACK, MOST_CHIPS // BIG, stack)
        if not _BETS.fullmatch(bets) or 0 in map(int, bets.split("-")):
            raise GameError(
                "bets are up to four sizes in per cent of the pot, as 50-100, not {}", quoted(bets)
            )
        if not 0 <= buckets <= LEVELS:
            raise GameError("hands have 0 to {} levels of strength, not {}", LEVELS, buckets)
        self.seats, self.stack, self.limit, self.bets, self.buckets = seats, stack, limit, bets, buckets
        self.players, self.chips = seats, BIG * stack
        sizes = sorted(set(map(int, bets.split("-"))))
        self.sizes = (*sizes, *[0] * (SIZES - len(sizes)))  # in per cent; 0: none
        self.most_bets = 3 if seats == SEATS else 4
        self.hole = 2 * seats  # cards in hands
        self.lowest, self.highest = float(-self.chips), float(self.chips * (seats - 1))
        self.longest = self.hole + BOARD + 4 * (seats + self.most_bets * (seats - 1))
        self.scale = float(min(20, self.chips))
        self.sides = SEAT_NAMES[:seats]

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        paid = SMALL | BIG << CHIPS
        first = 0 if self.seats == 2 else 2
        return State(0, 0, 0, paid, 0, BIG, 1, 0, 0, first, PREFLOP, 0, 0, 0, 0, 0, 0)

    def wanted(self, state):
        """The cards that are dealt before the next bet: in hands and on the board."""
        return self.hole + (0 if state.street == PREFLOP else min(2 + state.street, BOARD))

    def is_deal(self, state):
        return state.dealt < self.wanted(state)

    def player(self, state):
        return CHANCE if self.is_deal(state) else state.turn

    def alone(self, state):
        """Have all but one folded?"""
        left = int64(0)
        for seat in range(self.seats):
            left += 1 - (state.out >> seat & 1)
        return left == 1

    def is_terminal(self, state):
        return state.street > RIVER or self.alone(state)

    def highest_paid(self, state):
        most = int64(0)
        for seat in range(self.seats):
            most = max(most, paid_by(state, seat))
        return most

    def pot(self, state):
        total = int64(0)
        for seat in range(self.seats):
            total += paid_by(state, seat)
        return total

    def raised_to(self, state, action):
        """What a seat has paid in all after a bet or raise; at most its whole stack."""
        most = self.highest_paid(state)
        if self.limit:
            return min(most + (BIG if state.street <= FLOP else 2 * BIG), self.chips)
        if action == ALL_IN:
            return self.chips
        pot = self.pot(state) + most - paid_by(state, state.turn)
        return min(most + max(self.sizes[action - SIZED] * pot // 100, max(state.step, BIG)), self.chips)

    def actions(self, state):
        if self.is_deal(state):
            used = self.used(state)
            for card in range(DECK):
                if not used & BITS[card]:
                    yield card
        else:
            most = self.highest_paid(state)
            if most > paid_by(state, state.turn):
                yield FOLD
            yield CALL
            if most < self.chips and state.bets < self.most_bets:
                if self.limit:
                    yield SIZED
                else:
                    before = most
                    for size in range(SIZES):
                        if self.sizes[size] > 0:
                            amount = self.raised_to(state, SIZED + size)
                            if before < amount < self.chips:
                                yield SIZED + size
                                before = amount
                    yield ALL_IN

    def used(self, state):
        """The set of all cards that were dealt."""
        cards = set_of_board(state.board)
        for seat in range(self.seats):
            cards |= set_of_hand(hand_at(state, seat))
        return cards

    def chances(self, state):
        for card in self.actions(state):
            yield card, 1.0 / (DECK - state.dealt)

    def result(self, state, action):
        return self.after_deal(state, action) if self.is_deal(state) else self.after_move(state, action)

    def after_deal(self, state, action):
        hands, more, board, dealt = state.hands, state.more, state.board, state.dealt + 1
        card = int64(action) + 1
        if state.dealt < self.hole:
            seat = state.dealt // 2
            hand = added(hand_at(state, seat), card)
            if seat < 3:
                hands = with_hand(hands, seat, hand)
            else:
                more = with_hand(more, seat, hand)
        else:
            board = self.with_card(board, state.dealt - self.hole, card)
        street = state.street
        buckets = state.buckets
        if self.buckets and dealt == self.wanted(state) and dealt >= self.hole:
            buckets = self.all_buckets(hands, more, board, dealt - self.hole)
        if self.nobody_bets(state) and dealt == self.wanted(state) and dealt > self.hole:
            street += 1  # all chips are in: the next card follows, or the hands are shown
        return State(
            hands, more, board, state.paid, state.base, state.step, state.bets, state.out, state.acted,
            state.turn, street, dealt, state.past_0, state.past_1, state.past_2, state.past_3, buckets,
        )  # fmt: skip

    def with_card(self, board, place, card):
        """The board with one more card; those of the flop are sorted, the highest first."""
        while 0 < place < 3 and board_card(board, place - 1) < card:
            moved = board_card(board, place - 1)
            board = board & ~(int64(63) << CARD * (place - 1)) | moved << CARD * place
            place -= 1
        return board & ~(int64(63) << CARD * place) | card << CARD * place

    def nobody_bets(self, state):
        """Have all who are in the hand paid all their chips?"""
        free = int64(0)
        for seat in range(self.seats):
            if not state.out >> seat & 1 and paid_by(state, seat) < self.chips:
                free += 1
        return free == 0

    def all_buckets(self, hands, more, board, cards):
        """The buckets of all seats."""
        table, found = set_of_board(board), int64(0)
        for seat in range(self.seats):
            hand = (hands if seat < 3 else more) >> 12 * (seat % 3) & 4095
            one, other = (hand >> CARD) - 1, (hand & 63) - 1
            if one >= 0 and other >= 0:
                bucket = bucket_of(one, other, set_of_hand(hand), table, cards, self.buckets)
                found |= bucket << BUCKET * seat
        return found

    def after_move(self, state, action):
        turn, out, paid, acted = state.turn, state.out, state.paid, state.acted | 1 << state.turn
        step, bets, most = state.step, state.bets, self.highest_paid(state)
        if action == FOLD:
            out |= 1 << turn
        else:
            amount = most
            if action != CALL:
                amount = self.raised_to(state, action)
                step, bets, acted = max(amount - most, step), bets + 1, int64(1) << turn
            place = CHIPS * turn
            paid = paid & ~(int64(MOST_CHIPS) << place) | amount << place
        past_0, past_1, past_2, past_3 = state.past_0, state.past_1, state.past_2, state.past_3
        if state.street == PREFLOP:
            past_0 = past_0 << MOVE | action
        elif state.street == FLOP:
            past_1 = past_1 << MOVE | action
        elif state.street == TURN:
            past_2 = past_2 << MOVE | action
        else:
            past_3 = past_3 << MOVE | action
        street, base, after = state.street, state.base, self.next_seat(out, acted, turn)
        if after < 0:  # the street is over
            street, base = street + 1, max(most, state.base)
            after, acted, step, bets = self.first_seat(out), int64(0), int64(BIG), int64(0)
        return State(
            state.hands, state.more, state.board, paid, base, step, bets, out, acted, after, street,
            state.dealt, past_0, past_1, past_2, past_3, state.buckets,
        )  # fmt: skip

    def next_seat(self, out, acted, turn):
        """Who acts next on the street; -1: nobody."""
        for further in range(1, self.seats + 1):
            seat = (turn + further) % self.seats
            if not out >> seat & 1 and not acted >> seat & 1:
                return int64(seat)
        return int64(-1)

    def first_seat(self, out):
        """Who acts first after the flop."""
        first = 1 if self.seats == 2 else 0
        for further in range(self.seats):
            seat = (first + further) % self.seats
            if not out >> seat & 1:
                return int64(seat)
        return int64(0)

    def utility(self, state, player):
        board, best, winners, is_winner = set_of_board(state.board), int64(-1), int64(0), False
        is_alone = self.alone(state)
        for seat in range(self.seats):
            if state.out >> seat & 1:
                continue
            value = int64(0) if is_alone else strength(set_of_hand(hand_at(state, seat)) | board)
            if value > best:
                best, winners, is_winner = value, int64(1), seat == player
            elif value == best:
                winners += 1
                is_winner = is_winner or seat == player
        won = self.pot(state) / winners if is_winner else 0.0
        return float(won - paid_by(state, player))

    # ---- what is seen ----------------------------------------------------------------------------
    def observe(self, state, player):
        hands, more, buckets = int64(0), int64(0), int64(0)
        if player >= 0:
            own = hand_at(state, player)
            if player < 3:
                hands = with_hand(hands, player, own)
            else:
                more = with_hand(more, player, own)
            buckets = state.buckets & int64(255) << BUCKET * player
        return State(
            hands, more, state.board, state.paid, state.base, state.step, state.bets, state.out, state.acted,
            state.turn, state.street, state.dealt, state.past_0, state.past_1, state.past_2, state.past_3,
            buckets,
        )  # fmt: skip

    def imagine(self, seen, player, rng):
        used, hands, more = self.used(seen), seen.hands, seen.more
        for seat in range(self.seats):
            cards = max(0, min(2, seen.dealt - 2 * seat))
            hand = hand_at(seen, seat)
            if hand == 0 and cards > 0:
                for _ in range(cards):
                    card = int64(rng.below(DECK))
                    while used & BITS[card]:
                        card = int64(rng.below(DECK))
                    used |= BITS[card]
                    hand = added(hand, card + 1)
                if seat < 3:
                    hands = with_hand(hands, seat, hand)
                else:
                    more = with_hand(more, seat, hand)
        buckets = seen.buckets
        if self.buckets and seen.dealt >= self.hole:
            buckets = self.all_buckets(hands, more, *self.bucketed(seen))
        return State(
            hands, more, seen.board, seen.paid, seen.base, seen.step, seen.bets, seen.out, seen.acted,
            seen.turn, seen.street, seen.dealt, seen.past_0, seen.past_1, seen.past_2, seen.past_3, buckets,
        )  # fmt: skip

    def bucketed(self, state):
        """The board that the buckets of a state are of: without cards of a street that is being dealt."""
        cards = state.dealt - self.hole
        whole = cards if cards >= 3 else 0
        return state.board & ((int64(1) << CARD * whole) - 1), int64(whole)

    def seen_key(self, state, player):
        """With buckets, what a strategy goes by: the bucket of the hand and all moves."""
        if not self.buckets:
            return mix(self.observe(state, player))
        bucket = state.buckets >> BUCKET * player & 255
        return mix(
            (uint64(bucket), uint64(state.past_0), uint64(state.past_1), uint64(state.past_2),
             uint64(state.past_3), uint64(state.street))
        )  # fmt: skip

    def random_outcome(self, state, rng):
        used, card = self.used(state), int64(rng.below(DECK))
        while used & BITS[card]:
            card = int64(rng.below(DECK))
        return card

    def plies_left(self, state):
        return self.longest
