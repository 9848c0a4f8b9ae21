"""Random games of Monopoly that are quick and not foolish.

A player rolls and buys most of the time, sometimes builds, bids up to the price, and sells only what it must.
"""

from __future__ import annotations

from gambito.native import int64

from .board import (
    AUCTION,
    BAIL,
    BID,
    BIDS,
    BUILD,
    BUY,
    CARDS,
    DEBT,
    DECLINE,
    DEED_AT,
    DEEDS,
    DRAW_CHANCE,
    DRAW_CHEST,
    GO_ON,
    HELD,
    LIFT,
    MORTGAGE,
    PAY_BAIL,
    PRICE,
    ROLL,
    SELL,
    TAKE,
    TURN,
    USE_CARD,
)  # fmt: skip
from .notation import MonopolyText

EAGER = 4  # one deed in so many is not bought at its price


class MonopolyPlayouts(MonopolyText):
    """How playouts choose."""

    def random_outcome(self, state, rng):
        if state.phase in (DRAW_CHANCE, DRAW_CHEST):
            return rng.below(CARDS)
        dice = rng.below(36)
        one, other = dice // 6, dice % 6
        return one + other + 2 + (16 if one == other and state.phase == ROLL else 0)

    def random_action(self, state, rng):
        """Mostly rolls and buys; sometimes builds, and bids up to the price; sells only what it must."""
        phase, mover = state.phase, state.mover
        if phase == TURN:
            if self.jail_turn(state, mover):
                held, choice = self.purse(state, mover) >> HELD & 3, rng.below(3)
                if choice == 0 and held:
                    return int64(USE_CARD)
                return int64(PAY_BAIL if choice == 1 and self.cash_of(state, mover) >= BAIL else GO_ON)
            number = rng.below(DEEDS)  # most of the time this is no deed of the player
            if self.owner(state, number) == mover:
                if self.can_build(state, mover, number):
                    return int64(BUILD + number)
                if self.can_lift(state, mover, number):
                    return int64(LIFT + number)
            return int64(GO_ON)
        if phase == BUY:
            price = PRICE[DEED_AT[self.square(state, mover)]]
            return int64(TAKE if self.cash_of(state, mover) >= price and rng.below(EAGER) > 0 else DECLINE)
        if phase == AUCTION:
            bid, place = self.bid_of(state), rng.below(len(BIDS))
            is_dear = bid + BIDS[place] > min(PRICE[self.lot(state)], self.cash_of(state, self.bidder(state)))
            return int64(DECLINE) if is_dear or rng.below(2) == 0 else int64(BID + place)
        if phase == DEBT:
            debtor, number = self.debtor(state), rng.below(DEEDS)
            while True:
                if self.owner(state, number) == debtor:
                    if self.can_mortgage(state, number):
                        return int64(MORTGAGE + number)
                    if self.can_sell(state, number):
                        return int64(SELL + number)
                number = (number + 1) % DEEDS
        return int64(TAKE if rng.below(2) == 0 else DECLINE)
