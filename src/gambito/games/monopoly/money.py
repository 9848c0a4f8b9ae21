"""Money in Monopoly: purses and deeds, rents, houses, mortgages, debts, bankruptcy and auctions.

Every function takes a state and gives the next one. It does not know how players move.
"""

from __future__ import annotations

from gambito.game.contract import Game
from gambito.native import int64

from .board import (
    AT,
    AUCTION,
    BID,
    BIDS,
    BUILD,
    CASH,
    DEED,
    DEEDS,
    EVERYBODY,
    GROUP_OF,
    HELD,
    HOTEL,
    HOUSE,
    IN_JAIL,
    LIFT,
    MEMBERS,
    MORTGAGE,
    MORTGAGED,
    OUT,
    OWNED,
    PRICE,
    RAILROAD,
    RENT,
    SELL,
    SIZE,
    SOLD,
    UTILITY,
    WORD,
    State,
)  # fmt: skip


class Money(Game):
    """What players own and owe."""

    # ---- purses ----------------------------------------------------------------------------------
    def purse(self, state, player):
        if player < 3:
            return state.purse_0 if player == 0 else state.purse_1 if player == 1 else state.purse_2
        return state.purse_3 if player == 3 else state.purse_4 if player == 4 else state.purse_5

    def cash_of(self, state, player):
        return self.purse(state, player) >> CASH

    def square(self, state, player):
        return self.purse(state, player) >> AT & 63

    def jail_turn(self, state, player):
        """0: not in jail; else which turn there is next, from 1 to 3."""
        return self.purse(state, player) >> IN_JAIL & 3

    def is_out(self, state, player):
        return self.purse(state, player) >> OUT & 1

    def add(self, state, player, more):
        """The state with more in a purse; `more` may be below 0, and is any of its parts."""
        return State(
            state.purse_0 + (more if player == 0 else 0),
            state.purse_1 + (more if player == 1 else 0),
            state.purse_2 + (more if player == 2 else 0),
            state.purse_3 + (more if player == 3 else 0),
            state.purse_4 + (more if player == 4 else 0),
            state.purse_5 + (more if player == 5 else 0),
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, state.debt, state.sale, state.offer,
            state.mover, state.phase, state.dice, state.doubles, state.fate, state.rolls, state.left,
        )  # fmt: skip

    def earn(self, state, player, amount):
        return self.add(state, player, amount << CASH)

    def turned(self, state, mover, phase, dice, doubles, fate):
        """The state with another turn or phase."""
        return State(
            state.purse_0, state.purse_1, state.purse_2, state.purse_3, state.purse_4, state.purse_5,
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, state.debt, state.sale, state.offer,
            mover, phase, dice, doubles, fate, state.rolls, state.left,
        )  # fmt: skip

    def in_phase(self, state, phase):
        return self.turned(state, state.mover, phase, state.dice, state.doubles, state.fate)

    def owing(self, state, debt, sale, offer):
        """The state with another debt, sale and offer."""
        return State(
            state.purse_0, state.purse_1, state.purse_2, state.purse_3, state.purse_4, state.purse_5,
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, debt, sale, offer,
            state.mover, state.phase, state.dice, state.doubles, state.fate, state.rolls, state.left,
        )  # fmt: skip

    # ---- deeds -----------------------------------------------------------------------------------
    def deed(self, state, number):
        word = state.deeds_0 if number < WORD else state.deeds_1 if number < 2 * WORD else state.deeds_2
        return word >> DEED * (number % WORD) & 63

    def owner(self, state, number):
        """The player who owns a deed; -1: the bank."""
        return (self.deed(state, number) & 7) - 1

    def level(self, state, number):
        """Houses, 5 for a hotel, 6 if it is mortgaged."""
        return self.deed(state, number) >> 3

    def with_deed(self, state, number, owner, level, houses, hotels):
        """The state with another owner and level of a deed, and with more or fewer houses in the bank."""
        change = (owner + 1 | level << 3) - self.deed(state, number)
        change = change << DEED * (number % WORD)
        return State(
            state.purse_0, state.purse_1, state.purse_2, state.purse_3, state.purse_4, state.purse_5,
            state.deeds_0 + (change if number < WORD else 0),
            state.deeds_1 + (change if WORD <= number < 2 * WORD else 0),
            state.deeds_2 + (change if number >= 2 * WORD else 0),
            state.stock + houses + (hotels << 6),
            state.debt, state.sale, state.offer,
            state.mover, state.phase, state.dice, state.doubles, state.fate, state.rolls, state.left,
        )  # fmt: skip

    def given(self, state, number, player, level):
        """A deed goes to a player; it has no houses."""
        before = self.owner(state, number)
        if before >= 0:
            state = self.add(state, before, -(1 << OWNED))
        if player >= 0:
            state = self.add(state, player, 1 << OWNED)
        return self.with_deed(state, number, player, level, 0, 0)

    def owned_of(self, state, group, player):
        """How many deeds of a group a player owns."""
        count = int64(0)
        for place in range(SIZE[group]):
            if self.owner(state, MEMBERS[group, place]) == player:
                count += 1
        return count

    def rent(self, state, number, sum_of_dice):
        """What a visitor pays to the owner of a deed."""
        owner, level, group = self.owner(state, number), self.level(state, number), GROUP_OF[number]
        if level == MORTGAGED:
            return int64(0)
        if group < RAILROAD:
            if level > 0:
                return RENT[number, level]
            return RENT[number, 0] * (2 if self.owned_of(state, group, owner) == SIZE[group] else 1)
        owned = self.owned_of(state, group, owner)
        return RENT[number, owned - 1] * (sum_of_dice if group == UTILITY else 1)

    def levels(self, state, group):
        """The fewest and the most houses on a group, and whether a deed of it is mortgaged."""
        fewest, most, is_mortgaged = int64(HOTEL), int64(0), False
        for place in range(SIZE[group]):
            level = self.level(state, MEMBERS[group, place])
            if level == MORTGAGED:
                is_mortgaged, level = True, int64(0)
            fewest, most = min(fewest, level), max(most, level)
        return fewest, most, is_mortgaged

    # ---- what an owner may do --------------------------------------------------------------------
    def can_build(self, state, player, number):
        group, level = GROUP_OF[number], self.level(state, number)
        if group >= RAILROAD or level >= HOTEL or self.cash_of(state, player) < HOUSE[group]:
            return False
        if self.owned_of(state, group, player) < SIZE[group]:
            return False
        fewest, _, is_mortgaged = self.levels(state, group)
        has_stock = state.stock >> 6 > 0 if level == HOTEL - 1 else state.stock & 63 > 0
        return not is_mortgaged and level == fewest and has_stock

    def can_sell(self, state, number):
        level = self.level(state, number)
        if level in (0, MORTGAGED):
            return False
        return level == self.levels(state, GROUP_OF[number])[1]

    def can_mortgage(self, state, number):
        if self.level(state, number) > 0:
            return False
        return GROUP_OF[number] >= RAILROAD or self.levels(state, GROUP_OF[number])[1] == 0

    def can_lift(self, state, player, number):
        is_mortgaged = self.level(state, number) == MORTGAGED
        return is_mortgaged and self.cash_of(state, player) >= self.lift_price(number)

    def lift_price(self, number):
        """The mortgage and a tenth more."""
        return (PRICE[number] // 2 * 11 + 9) // 10

    def managed(self, state, player, action):
        """The state after a player has built, sold, mortgaged or lifted a mortgage."""
        number = action & 31
        group, level = GROUP_OF[number], self.level(state, number)
        if action >= LIFT:
            state = self.earn(state, player, -self.lift_price(number))
            return self.with_deed(state, number, player, 0, 0, 0)
        if action >= MORTGAGE:
            state = self.earn(state, player, PRICE[number] // 2)
            return self.with_deed(state, number, player, MORTGAGED, 0, 0)
        if action >= SELL:
            if level == HOTEL and state.stock & 63 < HOTEL - 1:  # there are no houses for it: all is sold
                return self.razed(state, player, group)
            state = self.earn(state, player, HOUSE[group] // 2)
            is_hotel = level == HOTEL
            return self.with_deed(
                state, number, player, level - 1, 1 - HOTEL if is_hotel else 1, 1 if is_hotel else 0
            )
        state = self.earn(state, player, -HOUSE[group])
        is_hotel = level == HOTEL - 1
        return self.with_deed(
            state, number, player, level + 1, HOTEL - 1 if is_hotel else -1, -1 if is_hotel else 0
        )

    def razed(self, state, player, group):
        """All houses of a group are sold to the bank."""
        for place in range(SIZE[group]):
            number = MEMBERS[group, place]
            level = self.level(state, number)
            if 0 < level <= HOTEL:
                state = self.earn(state, player, level * HOUSE[group] // 2)
                is_hotel = level == HOTEL
                state = self.with_deed(
                    state, number, player, 0, 0 if is_hotel else level, 1 if is_hotel else 0
                )
        return state

    def raisable(self, state, player):
        """What a player can get for houses and mortgages."""
        total = int64(0)
        for number in range(DEEDS):
            deed = self.deed(state, number)
            if (deed & 7) - 1 == player and deed >> 3 != MORTGAGED:
                total += PRICE[number] // 2 + (deed >> 3) * HOUSE[GROUP_OF[number]] // 2
        return total

    def worth(self, state, player):
        """Cash, deeds at their price, or half of it if mortgaged, and houses at theirs."""
        total = self.cash_of(state, player)
        for number in range(DEEDS):
            deed = self.deed(state, number)
            if (deed & 7) - 1 == player:
                level = deed >> 3
                total += (
                    PRICE[number] // 2
                    if level == MORTGAGED
                    else PRICE[number] + level * HOUSE[GROUP_OF[number]]
                )
        return total

    def management(self, state, player, raises_only):
        """What a player may do with its deeds; `raises_only`: what brings cash."""
        if self.purse(state, player) >> OWNED & 31:
            for number in range(DEEDS):
                if self.owner(state, number) != player:
                    continue
                if self.can_sell(state, number):
                    yield SELL + number
                if self.can_mortgage(state, number):
                    yield MORTGAGE + number
                if not raises_only:
                    if self.can_build(state, player, number):
                        yield BUILD + number
                    if self.can_lift(state, player, number):
                        yield LIFT + number

    # ---- debts -----------------------------------------------------------------------------------
    def owe(self, state, player, amount, creditor):
        """A player pays what it owes, or has to raise it, or is bankrupt."""
        if self.cash_of(state, player) >= amount:
            return self.paid(state, player, amount, creditor)
        if self.cash_of(state, player) + self.raisable(state, player) < amount:
            return self.bankrupt(state, player, creditor)
        debt = amount | creditor << 20 | state.debt >> 24 << 24 | 1 << 24 + player
        return self.owing(state, debt, state.sale, state.offer)

    def paid(self, state, player, amount, creditor):
        state = self.earn(state, player, -amount)
        if creditor < EVERYBODY:
            return self.earn(state, creditor, amount)
        if creditor == EVERYBODY:
            share = amount // max(state.left - 1, 1)
            for other in range(self.players):
                if other != player and not self.is_out(state, other):
                    state = self.earn(state, other, share)
        return state

    def debtor(self, state):
        """The next player who has to raise what it owes."""
        for player in range(self.players):
            if state.debt >> 24 + player & 1:
                return player
        return state.mover

    def settled(self, state):
        """The state in which the debtor has paid, if it can by now."""
        player, amount, creditor = self.debtor(state), state.debt & 0xFFFFF, state.debt >> 20 & 7
        if self.cash_of(state, player) < amount:
            return state
        state = self.paid(state, player, amount, creditor)
        debt = state.debt ^ 1 << 24 + player
        return self.owing(state, debt if debt >> 24 else 0, state.sale, state.offer)

    def bankrupt(self, state, player, creditor):
        """A player gives all that it has to a creditor, or its deeds to the bank, which auctions them."""
        heir, sale = creditor if creditor < EVERYBODY else -1, state.sale
        for group in range(RAILROAD):
            if self.owned_of(state, group, player) == SIZE[group]:
                state = self.razed(state, player, group)
        interest = int64(0)
        for number in range(DEEDS):
            if self.owner(state, number) == player:
                level = self.level(state, number) if heir >= 0 else 0
                interest += self.lift_price(number) - PRICE[number] // 2 if level == MORTGAGED else 0
                state = self.given(state, number, heir, level)
                if heir < 0:
                    sale |= 1 << number
        purse = self.purse(state, player)
        if heir >= 0:
            state = self.add(state, heir, (purse >> HELD & 3) << HELD)
            cash = self.cash_of(state, heir) + (purse >> CASH)
            state = self.earn(state, heir, (purse >> CASH) - min(cash, interest))
        state = self.add(state, player, (1 << OUT) - purse)
        return State(
            state.purse_0, state.purse_1, state.purse_2, state.purse_3, state.purse_4, state.purse_5,
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, state.debt, sale, state.offer,
            state.mover, state.phase, state.dice, state.doubles, state.fate, state.rolls, state.left - 1,
        )  # fmt: skip

    # ---- auctions --------------------------------------------------------------------------------
    def opened(self, state):
        """The auction of the next deed that is for sale begins, with the mover or the next player."""
        everybody = int64(0)
        for player in range(self.players):
            if not self.is_out(state, player):
                everybody |= 1 << player
        first = (state.mover + self.players - 1) % self.players
        sale = state.sale & 0xFFFFFFF | 7 << 48 | everybody << 51 | first << 57
        return self.next_bidder(self.in_phase(self.owing(state, state.debt, sale, state.offer), AUCTION))

    def lot(self, state):
        """The deed that is auctioned."""
        number = int64(0)
        while not state.sale >> number & 1:
            number += 1
        return number

    def bid_of(self, state):
        return state.sale >> 28 & 0xFFFFF

    def bidder(self, state):
        """Who is to bid."""
        return state.sale >> 57 & 7

    def next_bidder(self, state):
        """The next player who can bid more; if there is none, the deed is sold."""
        bid, best, active = self.bid_of(state), state.sale >> 48 & 7, state.sale >> 51 & 63
        last = self.bidder(state)
        for way in range(1, self.players + 1):
            player = (last + way) % self.players
            if active >> player & 1 and player != best:
                if self.cash_of(state, player) >= bid + BIDS[0]:
                    sale = state.sale & ~(7 << 57) | player << 57
                    return self.owing(state, state.debt, sale, state.offer)
        return self.in_phase(state, SOLD)

    def bid(self, state, action):
        """The state after a bid, or after a player has left the auction."""
        player, sale = self.bidder(state), state.sale
        if action >= BID:
            bid = self.bid_of(state) + BIDS[action - BID]
            sale = sale & ~(0xFFFFF << 28) & ~(7 << 48) | bid << 28 | player << 48
        else:
            sale ^= 1 << 51 + player
        return self.next_bidder(self.owing(state, state.debt, sale, state.offer))

    def sold(self, state):
        """The deed goes to the highest bidder, or stays with the bank."""
        number, player = self.lot(state), state.sale >> 48 & 7
        if player < EVERYBODY:
            state = self.earn(state, player, -self.bid_of(state))
            state = self.given(state, number, player, 0)
        sale = state.sale & 0xFFFFFFF & ~(1 << number)
        return self.owing(state, state.debt, sale, state.offer)
