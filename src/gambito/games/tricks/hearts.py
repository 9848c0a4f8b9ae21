"""Hearts: take no hearts and not the queen of spades, or take them all.

                 N                  each heart that is taken costs a point, the queen of spades 13
              W     E               a player who takes all 26 pays nothing, and the others 26 each
                 S

Four players get 13 cards each and pass three of them to the left, to the right or across, or keep them. Who
has the two of clubs leads it. Everybody follows suit who can; the highest card of the suit led takes the
trick and leads the next one. On the first trick nobody plays a card that costs points, unless there is no
other. Hearts are not led before one was played, unless a player has nothing else. The value for a player is
the mean of all four less its own points.

A play is one card. Cards are passed one after the other, first all of South's; nobody sees them before
everybody has passed. Then each player knows three cards of the one to whom it passed.
"""

from __future__ import annotations

from gambito.errors import GameError
from gambito.game.contract import CHANCE, quoted
from gambito.native import first_bit, int64, last_bit, uint64

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
    some_cards,
    trick_size,
    trick_winner,
)
from .hearts_text import (
    ALL_POINTS,
    COSTLY,
    HEARTS,
    PASSED,
    PASSING,
    POINTS,
    QUEEN,
    QUEEN_COSTS,
    QUEEN_OF_SPADES,
    SPLIT,
    TWO_OF_CLUBS,
    HeartsText,
    State,
)

CARELESS = 4  # one card in so many of a playout is any card


class Hearts(HeartsText):
    """Avoid hearts and the queen of spades, or take them all."""

    name = "hearts"
    value = float
    step = 1e-6
    lowest = 0.25 * ALL_POINTS - (ALL_POINTS - 1)
    highest = 0.75 * ALL_POINTS
    scale = 6.5
    most_actions = DECK
    prefers_fast_win = False
    played_by = "ismcts"

    def __init__(self, passing: str = "left", queen_breaks: bool = False) -> None:
        """`queen_breaks`: hearts may be led after the queen of spades was played, too."""
        if passing not in PASSING:
            raise GameError("cards are passed {}, not {}", ", ".join(PASSING), quoted(passing))
        self.passing, self.queen_breaks = passing, queen_breaks
        self.further = PASSING[passing]
        self.first_play = DECK + (PASSED * SEATS if self.further else 0)
        self.longest = self.first_play + DECK

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        none = uint64(0)
        return State(none, none, none, none, none, none, 0, 0, 0, 0, 0)

    def player(self, state):
        return CHANCE if state.ply < DECK else state.mover

    def is_terminal(self, state):
        return state.ply >= self.longest

    def is_broken(self, state):
        """May hearts be led?"""
        breaking = HEARTS | QUEEN if self.queen_breaks else HEARTS
        return state.gone & breaking != uint64(0)

    def choices(self, state):
        """The cards that may be dealt, passed or played."""
        hand = self.hand(state, state.mover)
        if state.ply < DECK:
            return EVERY & ~(state.hand_0 | state.hand_1 | state.hand_2 | state.hand_3)
        if state.ply < self.first_play:
            return hand & ~state.passed
        if state.ply == self.first_play:
            return single(TWO_OF_CLUBS)
        if trick_size(state.trick) == SEATS:  # a lead
            if not self.is_broken(state) and hand & ~HEARTS:
                return hand & ~HEARTS
            return hand
        cards = following(hand, card_at(state.trick, 0) // RANK)
        if state.ply < self.first_play + SEATS and cards & ~COSTLY:
            return cards & ~COSTLY
        return cards

    def actions(self, state):
        cards = self.choices(state)
        while cards:
            yield int64(first_bit(cards))
            cards &= cards - uint64(1)

    def chances(self, state):
        for card in self.actions(state):
            yield card, 1.0 / (DECK - state.ply)

    def result(self, state, action):
        if state.ply < DECK:
            return self.after_deal(state, single(action))
        if state.ply < self.first_play:
            return self.after_pass(state, single(action))
        return self.after_play(state, action)

    def after_deal(self, state, card):
        none, seat, ply = uint64(0), state.ply % SEATS, state.ply + 1
        hand_0, hand_1 = (
            state.hand_0 | (card if seat == 0 else none),
            state.hand_1 | (card if seat == 1 else none),
        )
        hand_2, hand_3 = (
            state.hand_2 | (card if seat == 2 else none),
            state.hand_3 | (card if seat == 3 else none),
        )
        mover = int64(0)
        if ply == self.first_play:
            mover = self.holder(hand_0, hand_1, hand_2)
        return State(hand_0, hand_1, hand_2, hand_3, none, none, 0, 0, 0, ply, mover)

    def holder(self, hand_0, hand_1, hand_2):
        """Who has the two of clubs."""
        card = single(TWO_OF_CLUBS)
        return (
            int64(0)
            if hand_0 & card
            else int64(1)
            if hand_1 & card
            else int64(2)
            if hand_2 & card
            else int64(3)
        )

    def after_pass(self, state, card):
        passed, ply = state.passed | card, state.ply + 1
        hand_0, hand_1, hand_2, hand_3 = state.hand_0, state.hand_1, state.hand_2, state.hand_3
        mover = (ply - DECK) // PASSED
        if ply == self.first_play:
            given = (hand_0 & passed, hand_1 & passed, hand_2 & passed, hand_3 & passed)
            back = SEATS - self.further
            hand_0 = hand_0 & ~passed | given[back % SEATS]
            hand_1 = hand_1 & ~passed | given[(back + 1) % SEATS]
            hand_2 = hand_2 & ~passed | given[(back + 2) % SEATS]
            hand_3 = hand_3 & ~passed | given[(back + 3) % SEATS]
            mover = self.holder(hand_0, hand_1, hand_2)
        return State(hand_0, hand_1, hand_2, hand_3, state.gone, passed, 0, 0, 0, ply, mover)

    def after_play(self, state, action):
        card, mover, size = single(action), state.mover, trick_size(state.trick)
        gone = state.gone | card
        trick = state.trick | (action + 1) << 6 * size if size < SEATS else action + 1
        lacks = state.lacks | self.shown_to_lack(state, action, size)
        points, after = state.points, (mover + 1) % SEATS
        if size == SEATS - 1:
            after = (after + trick_winner(trick, NO_TRUMP)) % SEATS  # the leader is next, after four cards
            points = self.added(points, after, self.cost(trick))
        return State(
            state.hand_0 & ~card,
            state.hand_1 & ~card,
            state.hand_2 & ~card,
            state.hand_3 & ~card,
            gone,
            state.passed & ~card,
            trick,
            lacks,
            points,
            state.ply + 1,
            after,
        )

    def shown_to_lack(self, state, action, size):
        """What everybody learns from a card that was played, because another one had to be."""
        card, lacked = single(action), uint64(0)
        if size < SEATS and size > 0:
            led = SUIT_SETS[card_at(state.trick, 0) // RANK]
            if not card & led:
                lacked = led
            if state.ply < self.first_play + SEATS and card & COSTLY:
                lacked |= EVERY & ~COSTLY
        elif card & HEARTS and not self.is_broken(state):
            lacked = EVERY & ~HEARTS
        return self.lacking(state.mover, lacked) if lacked else int64(0)

    def cost(self, trick):
        """The points of a trick."""
        total = int64(0)
        for place in range(SEATS):
            card = single(card_at(trick, place))
            total += 1 if card & HEARTS else QUEEN_COSTS if card & QUEEN else 0
        return total

    def added(self, points, player, cost):
        """The points with those of one more trick."""
        if cost == 0:
            return points
        for other in range(SEATS):
            if other != player and self.taken(points, other) > 0:
                points |= 1 << SPLIT
        return points + (cost << POINTS * player)

    def final(self, points, player):
        """What a player pays in the end: all points of one player are paid by the others."""
        for each in range(SEATS):
            if self.taken(points, each) == ALL_POINTS:
                return 0 if each == player else ALL_POINTS
        return self.taken(points, player)

    def lead_in(self, state, player):
        """The mean of the points so far less the player's own."""
        total = int64(0)
        for each in range(SEATS):
            total += self.taken(state.points, each)
        return float(0.25 * total - self.taken(state.points, player))

    def utility(self, state, player):
        total = int64(0)
        for each in range(SEATS):
            total += self.final(state.points, each)
        return float(0.25 * total - self.final(state.points, player))

    # ---- what is seen ----------------------------------------------------------------------------
    def cards_of_hand(self, state, player):
        if state.ply < DECK:
            return (state.ply + SEATS - 1 - player) // SEATS
        played = max(state.ply - self.first_play, 0)
        size = played % SEATS
        has_played = size > 0 and (player - state.mover + size) % SEATS < size
        return RANK - played // SEATS - (1 if has_played else 0)

    def observe(self, state, player):
        """A player sees its own cards, and those that it passed as long as they are not played.

        Nobody looks at cards before all are dealt.
        """
        if state.ply < DECK:
            return self.initial()
        own = self.hand(state, player) if player >= 0 else uint64(0)
        other = (player + self.further) % SEATS if player >= 0 and state.ply >= self.first_play else player
        given = self.hand(state, other) & state.passed if other != player else uint64(0)
        none = uint64(0)
        return State(
            own if player == 0 else given if other == 0 else none,
            own if player == 1 else given if other == 1 else none,
            own if player == 2 else given if other == 2 else none,
            own if player == 3 else given if other == 3 else none,
            state.gone,
            state.passed & (own | given),
            state.trick,
            state.lacks,
            state.points,
            state.ply,
            state.mover,
        )

    def imagine(self, seen, player, rng):
        if seen.ply < DECK:
            return seen
        none, first = uint64(0), uint64(0)
        if seen.ply == self.first_play and seen.mover != player:
            first = single(TWO_OF_CLUBS)  # everybody knows who is to lead it
        known = (
            seen.hand_0 | (first if seen.mover == 0 else none),
            seen.hand_1 | (first if seen.mover == 1 else none),
            seen.hand_2 | (first if seen.mover == 2 else none),
            seen.hand_3 | (first if seen.mover == 3 else none),
        )
        hand_0, hand_1, hand_2, hand_3 = hands = self.dealt(seen, player, known, rng)
        passed = seen.passed
        if self.further:
            for other in range(SEATS):
                if other != player:
                    passed |= self.passed_by(seen, other, player, hands, rng)
        return State(
            hand_0,
            hand_1,
            hand_2,
            hand_3,
            seen.gone,
            passed,
            seen.trick,
            seen.lacks,
            seen.points,
            seen.ply,
            seen.mover,
        )

    def passed_by(self, seen, other, player, hands, rng):
        """Cards in another's hand that were passed, any as likely as the others."""
        if seen.ply < self.first_play:
            return some_cards(hands[other], max(0, min(PASSED, seen.ply - DECK - PASSED * other)), rng)
        if other == (player + self.further) % SEATS:
            return uint64(0)  # those are known
        chosen, size = uint64(0), size_of(hands[other])
        for number in range(PASSED):
            if rng.below(RANK - number) < size - size_of(chosen):  # else it was played
                chosen |= single(any_card(hands[other] & ~chosen, rng))
        return chosen

    # ---- what it adds ----------------------------------------------------------------------------
    def evaluate(self, state, player):
        return self.lead_in(state, player)

    def plies_left(self, state):
        return self.longest - state.ply

    def count(self, state):
        return size_of(self.choices(state))

    def random_action(self, state, rng):
        """Often a sensible card: as high as does not take the trick, or a costly one where it is safe."""
        cards = self.choices(state)
        size = trick_size(state.trick)
        if state.ply <= self.first_play or size == SEATS or rng.below(CARELESS) == 0:
            return any_card(cards, rng)
        led = card_at(state.trick, 0) // RANK
        if cards & SUIT_SETS[led]:
            best = card_at(state.trick, trick_winner(state.trick, NO_TRUMP))
            below = cards & (single(best) - uint64(1))
            if below:
                return int64(last_bit(below))
            return (
                int64(last_bit(cards & ~QUEEN if cards & ~QUEEN else cards))
                if size == SEATS - 1
                else any_card(cards, rng)
            )
        if cards & QUEEN:
            return int64(QUEEN_OF_SPADES)
        return int64(last_bit(cards & HEARTS)) if cards & HEARTS else any_card(cards, rng)

    def random_outcome(self, state, rng):
        return any_card(self.choices(state), rng)

    def banked(self, state, player):
        """Once two players have points, nobody can take them all, and points stay where they are."""
        return self.lead_in(state, player) if state.points >> SPLIT & 1 else 0.0

    def unbanked(self, state):
        if not state.points >> SPLIT & 1:
            return state
        return State(
            state.hand_0,
            state.hand_1,
            state.hand_2,
            state.hand_3,
            state.gone,
            state.passed,
            state.trick,
            state.lacks,
            1 << SPLIT,
            state.ply,
            state.mover,
        )
