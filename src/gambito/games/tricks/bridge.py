"""Bridge: an auction for the contract, then thirteen tricks; two against two.

               N                 South and North against West and East; the dealer calls first
            W     E              calls: pass, double, redouble, and bids from 1C to 7NT
               S

Each bid is higher than the last: more tricks above six, or the same number in a higher strain (clubs,
diamonds, hearts, spades, no trump). After three passes the last bid is the contract. The first of its side
who named the strain is the declarer. The player to the declarer's left leads; then the hand of the
declarer's partner, the dummy, lies open, and the declarer plays its cards. The value is the score of
duplicate bridge for a player's side.

An auction is kept as five bits for each of the 35 bids: 0, or one more than seven times its bidder plus who
doubled and redoubled it. All passes follow from that.
"""

from __future__ import annotations

import numpy as np

from gambito.game.contract import CHANCE
from gambito.game_tools.bridge.contracts import DOUBLE, FIRST_BID, PASS, REDOUBLE, score
from gambito.native import Memory, first_bit, int64, uint64

from .bridge_partners import BridgePartners
from .bridge_text import BIDS, CALL, CODE, IN_WORD, State, board_of
from .cards import (
    DECK,
    EVERY,
    NO_TRUMP,
    RANK,
    SEATS,
    SUIT_SETS,
    any_card,
    card_at,
    following,
    single,
    size_of,
    trick_size,
    trick_winner,
)

SUITS = 4
WAYS = 7  # a bid stands, is doubled by either opponent, and redoubled by either partner
MOST_CALLS = 319


class Bridge(BridgePartners):
    """Bid for a contract and make it, two against two."""

    name = "bridge"
    value = float
    step = 1.0
    lowest = -7600.0
    highest = 7600.0
    scale = 400.0
    teams = (0, 1, 0, 1)
    most_actions = DECK
    longest = DECK + MOST_CALLS + DECK
    prefers_fast_win = False
    played_by = "pimc"

    def __init__(self, dealer: str = "N", vulnerable: str = "None") -> None:
        """`vulnerable`: None, NS, EW or All."""
        self.board = Memory(np.array(board_of(dealer, vulnerable), np.int64))  # one compilation serves all

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        none, dealer = uint64(0), int64(self.board[0])
        hands, cards, auction = (none, none, none, none), (none, none, none, none), (none, none, none)
        return State(*hands, *cards, *auction, 0, 0, 0, 0, 0, 0, 0, 0, dealer)

    def is_play(self, state):
        """Is the auction over, and was something bid?"""
        return state.bid > 0 and state.passes == 3

    def is_passed_out(self, state):
        return state.bid == 0 and state.passes == SEATS

    def player(self, state):
        if state.ply < DECK:
            return CHANCE
        if self.is_play(state) and (state.mover - state.declarer) % SEATS == 2:
            return state.declarer
        return state.mover

    def is_terminal(self, state):
        return self.is_passed_out(state) or state.gone == EVERY

    def played(self, state, seat):
        """The cards that a seat has played."""
        if seat == 0:
            return state.gone & ~(state.played_1 | state.played_2 | state.played_3)
        return state.played_1 if seat == 1 else state.played_2 if seat == 2 else state.played_3

    def trump(self, state):
        """The trump suit of the contract, or NO_TRUMP."""
        strain = (state.bid - 1) % 5
        return strain if strain < SUITS else int64(NO_TRUMP)

    def choices(self, state):
        """The cards that may be dealt or played."""
        if state.ply < DECK:
            return EVERY & ~(state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3)
        hand, size = self.hand(state, state.mover), trick_size(state.trick)
        return hand if size in (0, SEATS) else following(hand, card_at(state.trick, 0) // RANK)

    def actions(self, state):
        if state.ply < DECK or self.is_play(state):
            cards = self.choices(state)
            while cards:
                yield int64(first_bit(cards))
                cards &= cards - uint64(1)
        else:
            yield int64(CALL + PASS)
            if state.bid and (state.mover - state.declarer) % 2 == 1 and state.doubled == 0:
                yield int64(CALL + DOUBLE)
            if state.bid and (state.mover - state.declarer) % 2 == 0 and state.doubled == 1:
                yield int64(CALL + REDOUBLE)
            for bid in range(state.bid, BIDS):
                yield int64(CALL + FIRST_BID + bid)

    def chances(self, state):
        for card in self.actions(state):
            yield card, 1.0 / (DECK - state.ply)

    def result(self, state, action):
        if state.ply < DECK:
            return self.after_deal(state, single(action))
        if action >= CALL:
            return self.after_call(state, action - CALL)
        return self.after_play(state, action)

    def after_deal(self, state, card):
        none, seat = uint64(0), state.ply % SEATS
        return State(
            state.hand_0 | (card if seat == 0 else none),
            state.hand_1 | (card if seat == 1 else none),
            state.hand_2 | (card if seat == 2 else none),
            state.hand_3 | (card if seat == 3 else none),
            none, none, none, none, none, none, none, 0, 0, 0, 0, 0, 0, 0, state.ply + 1, state.mover,
        )  # fmt: skip

    def code(self, state, bid):
        """What the auction says of a bid."""
        word = state.auction_0 if bid < IN_WORD else state.auction_1 if bid < 2 * IN_WORD else state.auction_2
        return int64(word >> uint64(CODE * (bid % IN_WORD)) & uint64(31))

    def first_namer(self, state, strain, bidder):
        """The first of the bidder's side who named the strain."""
        for level in range(BIDS // 5):
            code = self.code(state, 5 * level + strain)
            if code and ((code - 1) // WAYS - bidder) % 2 == 0:
                return (code - 1) // WAYS
        return bidder

    def after_call(self, state, call):
        bid, doubled, passes, declarer, mover = (
            state.bid,
            state.doubled,
            state.passes,
            state.declarer,
            state.mover,
        )
        after, place, added = (mover + 1) % SEATS, int64(0), int64(0)
        if call == PASS:
            passes += 1
            if bid and passes == 3:
                after = (declarer + 1) % SEATS
        elif call >= FIRST_BID:
            place = call - FIRST_BID
            declarer = self.first_namer(state, place % 5, mover)
            bid, doubled, passes, added = place + 1, int64(0), int64(0), 1 + WAYS * mover
        else:
            place, passes = bid - 1, int64(0)
            code = self.code(state, place)
            bidder = (code - 1) // WAYS
            if call == DOUBLE:
                doubled, added = int64(1), int64(1 if (mover - bidder) % SEATS == 1 else 2)
            elif (code - 1) % WAYS == 1:
                doubled, added = int64(2), int64(2 if mover != bidder else 3)
            else:
                doubled, added = int64(2), int64(3 if mover == bidder else 4)
        bits, none = uint64(added) << uint64(CODE * (place % IN_WORD)), uint64(0)
        return State(
            state.hand_0,
            state.hand_1,
            state.hand_2,
            state.hand_3,
            state.gone,
            state.played_1,
            state.played_2,
            state.played_3,
            state.auction_0 + (bits if place < IN_WORD else none),
            state.auction_1 + (bits if IN_WORD <= place < 2 * IN_WORD else none),
            state.auction_2 + (bits if place >= 2 * IN_WORD else none),
            state.trick,
            state.lacks,
            state.tricks,
            bid,
            doubled,
            passes,
            declarer,
            state.ply + 1,
            after,
        )

    def after_play(self, state, action):
        card, mover, size = single(action), state.mover, trick_size(state.trick)
        if size == SEATS:
            size = int64(0)
        trick = state.trick | (action + 1) << 6 * size if size else action + 1
        lacks = state.lacks
        if size:
            led = SUIT_SETS[card_at(trick, 0) // RANK]
            if not card & led:
                lacks |= self.lacking(mover, led)
        none, tricks, after = uint64(0), state.tricks, (mover + 1) % SEATS
        if size == SEATS - 1:
            after = (after + trick_winner(trick, self.trump(state))) % SEATS  # the leader is next
            tricks += 1 - after % 2
        return State(
            state.hand_0 & ~card,
            state.hand_1 & ~card,
            state.hand_2 & ~card,
            state.hand_3 & ~card,
            state.gone | card,
            state.played_1 | (card if mover == 1 else none),
            state.played_2 | (card if mover == 2 else none),
            state.played_3 | (card if mover == 3 else none),
            state.auction_0,
            state.auction_1,
            state.auction_2,
            trick,
            lacks,
            tricks,
            state.bid,
            state.doubled,
            state.passes,
            state.declarer,
            state.ply + 1,
            after,
        )

    def points(self, state, tricks):
        """The score for South and North, if they take so many tricks in the contract."""
        if state.bid == 0:
            return int64(0)
        side = state.declarer % 2
        made = tricks if side == 0 else RANK - tricks
        level, strain = (state.bid - 1) // 5 + 1, (state.bid - 1) % 5
        total = score(level, strain, state.doubled, bool(self.board[1] >> side & 1), made)
        return int64(total if side == 0 else -total)

    def utility(self, state, player):
        points = self.points(state, state.tricks)
        return float(points if player % 2 == 0 else -points)

    # ---- what is seen ----------------------------------------------------------------------------
    def cards_of_hand(self, state, player):
        if state.ply < DECK:
            return (state.ply + SEATS - 1 - player) // SEATS
        played = size_of(state.gone)
        size = played % SEATS
        has_played = size > 0 and (player - state.mover + size) % SEATS < size
        return RANK - played // SEATS - (1 if has_played else 0)

    def sees(self, state, player, seat):
        """Does a player see the cards of a seat? Its own, and the dummy's after the first lead."""
        is_open = state.gone != uint64(0) and (seat - state.declarer) % SEATS == 2
        return seat == player or is_open

    def observe(self, state, player):
        if state.ply < DECK:
            return self.initial()
        none = uint64(0)
        return State(
            state.hand_0 if self.sees(state, player, 0) else none,
            state.hand_1 if self.sees(state, player, 1) else none,
            state.hand_2 if self.sees(state, player, 2) else none,
            state.hand_3 if self.sees(state, player, 3) else none,
            state.gone,
            state.played_1,
            state.played_2,
            state.played_3,
            state.auction_0,
            state.auction_1,
            state.auction_2,
            state.trick,
            state.lacks,
            state.tricks,
            state.bid,
            state.doubled,
            state.passes,
            state.declarer,
            state.ply,
            state.mover,
        )

    def imagine(self, seen, player, rng):
        if seen.ply < DECK:
            return seen
        known = (seen.hand_0, seen.hand_1, seen.hand_2, seen.hand_3)
        hand_0, hand_1, hand_2, hand_3 = self.dealt(seen, player, known, rng)
        return State(
            hand_0,
            hand_1,
            hand_2,
            hand_3,
            seen.gone,
            seen.played_1,
            seen.played_2,
            seen.played_3,
            seen.auction_0,
            seen.auction_1,
            seen.auction_2,
            seen.trick,
            seen.lacks,
            seen.tricks,
            seen.bid,
            seen.doubled,
            seen.passes,
            seen.declarer,
            seen.ply,
            seen.mover,
        )

    # ---- what it adds ----------------------------------------------------------------------------
    def random_outcome(self, state, rng):
        return any_card(self.choices(state), rng)
