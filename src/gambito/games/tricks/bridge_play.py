"""The play of bridge with all hands open: how many tricks does the side of the leader take?

               N                 players follow suit if they can; the highest trump takes the trick, or
            W     E              else the highest card of the suit led; who takes a trick leads the next
               S

Partners play as one, so this is a game for two: player 0 is the side of the first leader. The value is the
tricks that player 0 takes, for player 1 the same below zero. Any number of cards may be left, the same in
all hands. `double_dummy.py` says what sure tricks there are and which ranks mattered.
"""

from __future__ import annotations

import numpy as np

from gambito.errors import GameError
from gambito.game.contract import quoted
from gambito.native import Memory, first_bit, int64, last_bit, nth_bit, uint64
from gambito.native.bits import spread

from .bridge_play_text import LENGTH, OWNERS, STRAINS, BridgePlayText, State
from .cards import DECK, NO_TRUMP, RANK, SEATS, SUIT_SETS, TRICK, card_at, following, single, size_of
from .double_dummy import WITH_TRUMPS, WITHOUT_TRUMPS, later_tricks, quick_tricks, write_choices

WHOLE = (1 << OWNERS) - 1
FIRST_DEAL = "W:75.AJ4.A7.QJT942 KQJ4.853.96.8753 AT862.Q9.KQT32.6 93.KT762.J854.AK"


class BridgePlay(BridgePlayText):
    """Take as many tricks as you can, with all hands open."""

    name = "bridge-play"
    lowest = -RANK
    highest = RANK
    scale = 2.0
    most_actions = RANK
    longest = DECK
    prefers_fast_win = False
    partitions = True
    played_by = "partition"

    def __init__(self, strain: str = "NT") -> None:
        """`strain`: the trump suit, or none."""
        if strain not in STRAINS:
            raise GameError("a strain is {}, not {}", ", ".join(STRAINS), quoted(strain))
        trump = NO_TRUMP if strain == "NT" else STRAINS.index(strain)
        self.trump = Memory(np.array([trump], np.int64))  # so one compilation serves all strains
        self.weights = Memory(np.array(WITHOUT_TRUMPS if trump == NO_TRUMP else WITH_TRUMPS, np.int64))

    @property
    def strain(self) -> str:
        """The trump suit; no attribute, which would be compiled in."""
        return STRAINS[self.trump[0]]

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return self.parse(FIRST_DEAL)

    def player(self, state):
        return (state.mover ^ state.side) & 1

    def hand(self, state, seat):
        if seat == 0:
            return state.hand_0
        if seat == 1:
            return state.hand_1
        return state.hand_2 if seat == 2 else state.hand_3

    def is_terminal(self, state):
        return state.lengths == uint64(0) and state.size == 0

    def actions(self, state):
        cards = self.hand(state, state.mover)
        if state.size:
            cards = following(cards, card_at(state.trick, 0) // RANK)
        while cards:
            yield int64(first_bit(cards))
            cards &= cards - uint64(1)

    def result(self, state, action):
        card, mover = single(action), state.mover
        suit = action // RANK
        every = (state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3) & SUIT_SETS[suit]
        above = size_of(every & ~((card << uint64(1)) - uint64(1)))
        owners_0, owners_1 = state.owners_0, state.owners_1
        if suit < 2:
            owners_0 = without_owner(owners_0, OWNERS * suit, above)
        else:
            owners_1 = without_owner(owners_1, OWNERS * (suit - 2), above)
        lengths = state.lengths - (uint64(1) << uint64(LENGTH * (4 * mover + suit)))
        best, winner, tricks = state.best, state.winner, state.tricks
        if state.size == 0:
            best, winner = action, mover
        elif action // RANK == best // RANK:
            if action > best:
                best, winner = action, mover
        elif suit == self.trump[0]:
            best, winner = action, mover
        size, trick, after = state.size + 1, state.trick | (action + 1) << TRICK * state.size, (mover + 1) & 3
        if size == SEATS:
            tricks += 1 - ((winner ^ state.side) & 1)
            size, trick, after, best = int64(0), int64(0), winner, int64(0)
        return State(
            state.hand_0 & ~card,
            state.hand_1 & ~card,
            state.hand_2 & ~card,
            state.hand_3 & ~card,
            owners_0,
            owners_1,
            lengths,
            trick,
            size,
            best,
            winner,
            after,
            state.side,
            tricks,
        )

    def utility(self, state, player):
        return state.tricks if player == 0 else -state.tricks

    def banked(self, state, player):
        return state.tricks if player == 0 else 0

    def unbanked(self, state):
        return State(
            state.hand_0,
            state.hand_1,
            state.hand_2,
            state.hand_3,
            state.owners_0,
            state.owners_1,
            state.lengths,
            state.trick,
            state.size,
            state.best,
            state.winner,
            state.mover,
            state.side,
            int64(0),
        )

    def bounds(self, state):
        """A side has the tricks that it has, and may take all that are left."""
        low, high = state.tricks, state.tricks + (self.plies_left(state) + 3) // SEATS
        return (low, high) if self.player(state) == 0 else (-high, -low)

    def evaluate(self, state, player):
        """The tricks so far, and half of those that are left."""
        value = state.tricks + self.plies_left(state) // (2 * SEATS)
        return value if player == 0 else -value

    def plies_left(self, state):
        return size_of(state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3)

    # ---- what matters ----------------------------------------------------------------------------
    def around(self, state):
        """The hands clockwise from the player to move."""
        if state.mover == 0:
            return state.hand_0, state.hand_1, state.hand_2, state.hand_3
        if state.mover == 1:
            return state.hand_1, state.hand_2, state.hand_3, state.hand_0
        if state.mover == 2:
            return state.hand_2, state.hand_3, state.hand_0, state.hand_1
        return state.hand_3, state.hand_0, state.hand_1, state.hand_2

    def worthwhile(self, state, buffer, place):
        return write_choices(state, self.around(state), self.trump[0], self.weights, buffer, place)

    def partition_key(self, state):
        if state.size:
            return uint64(0)
        return state.lengths ^ spread(state.mover * 2 + state.side + 1)

    def partition_details(self, state):
        return state.owners_0, state.owners_1

    def mask_of_mattered(self, state, mattered):
        every = state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3
        first, second = uint64(0), uint64(0)
        for suit in range(4):
            ranks = mattered & SUIT_SETS[suit]
            if ranks:
                lowest = ranks & (uint64(0) - ranks)
                count = size_of(every & SUIT_SETS[suit] & ~(lowest - uint64(1)))
                bits = uint64(WHOLE) & ~(uint64(WHOLE) >> uint64(2 * count))
                if suit < 2:
                    first |= bits << uint64(OWNERS * suit)
                else:
                    second |= bits << uint64(OWNERS * (suit - 2))
        return first, second

    def mattered_of_mask(self, state, first, second):
        every, found = state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3, uint64(0)
        for suit in range(4):
            bits = (first if suit < 2 else second) >> uint64(OWNERS * (suit & 1)) & uint64(WHOLE)
            if bits:
                cards = every & SUIT_SETS[suit]
                found |= single(nth_bit(cards, size_of(cards) - size_of(bits) // 2))
        return found

    def mattered_before(self, state, action, below):
        if state.size < 3:
            return below
        best, winner = state.best, state.winner
        if action // RANK == best // RANK:
            if action > best:
                best, winner = action, state.mover
        elif action // RANK == self.trump[0]:
            best, winner = action, state.mover
        suit, same = best // RANK, int64(0)
        played = state.trick | (action + 1) << TRICK * 3
        others = uint64(0)
        for place in range(SEATS):
            card = card_at(played, place)
            if card // RANK == suit:
                same += 1
                others |= single(card)
        if same < 2:
            return below
        # of touching cards only the highest was tried: all of them matter
        own = self.hand(state, winner) & SUIT_SETS[suit]
        others |= (state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3) & SUIT_SETS[suit] & ~own
        lower = others & (single(best) - uint64(1))
        touching = own & (single(best) - uint64(1))
        if lower:
            touching &= ~((uint64(2) << uint64(last_bit(lower))) - uint64(1))
        return below | (touching & (uint64(0) - touching) if touching else single(best))

    def is_reached(self, state, need):
        own, left, mate, right = self.around(state)
        tricks = size_of(own)
        if need <= 0:
            return 1, uint64(0)
        if need > tricks:
            return 0, uint64(0)
        is_ours = (state.mover ^ state.side) & 1 == 0
        want = need if is_ours else tricks - need + 1
        count, mattered = quick_tricks(own, left, mate, right, self.trump[0], want)
        if count >= want:
            return (1 if is_ours else 0), mattered
        against = tricks - want + 1
        count, mattered = later_tricks(own, left, mate, right, self.trump[0], against)
        if count >= against:
            return (0 if is_ours else 1), mattered
        return -1, uint64(0)


def without_owner(owners, place, above):
    """The owners of two suits without the one that has `above` owners before it in its suit."""
    keep = uint64(WHOLE) & ~(uint64(WHOLE) >> uint64(2 * above))
    suit = owners >> uint64(place) & uint64(WHOLE)
    below = suit & ~keep
    shifted = (suit & keep) | (below << uint64(2) & uint64(WHOLE) & ~keep)
    return owners & ~(uint64(WHOLE) << uint64(place)) | shifted << uint64(place)
