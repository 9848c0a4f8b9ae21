"""Monopoly: buy streets, build houses, and collect rent until the others are bankrupt.

    20 Free Parking … 30 Go To Jail      40 squares, 28 of them deeds; two dice; Chance and Community Chest
     |                     |             have 16 cards each, and every draw is from all 16, as if the deck
    10 Jail … 0 Go  <-     |             were shuffled before it; a jail card that somebody holds does nothing

The classic rules: who lands on a free deed buys it, or it is auctioned; rents double with all deeds of a
colour; houses are built and sold evenly, as far as the bank's 32 houses and 12 hotels last; deeds are
mortgaged for half of their price. A third double in a row leads to jail; a player leaves it by paying 50, by
a card, or by a double, at the latest after the third roll. Who cannot pay is bankrupt: the creditor gets
everything, or the bank auctions it. A game ends when one player is left, or after a number of rounds: then
the richest wins.
"""

from __future__ import annotations

from gambito.errors import GameError
from gambito.game.contract import CHANCE
from gambito.native import int64

from .board import (
    ARRIVE,
    AUCTION,
    BACK,
    BAIL,
    BANK,
    BID,
    BIDS,
    BUY,
    CARD,
    CARDS,
    CASH,
    CASHES,
    CHANCES,
    CHESTS,
    DEBT,
    DECLINE,
    DEED_AT,
    DEEDS,
    DRAW_CHANCE,
    DRAW_CHEST,
    EVERYBODY,
    GET,
    GET_EACH,
    GO_ON,
    GO_TO,
    GO_TO_JAIL,
    GROUP_OF,
    HELD,
    HOTEL,
    HOTEL_REPAIRS,
    IN_JAIL,
    INCOME_TAX,
    INCOME_TAX_AT,
    JAIL,
    KEEP,
    LUXURY_TAX,
    LUXURY_TAX_AT,
    MORTGAGED,
    MOST_PLAYERS,
    MULTIPLES,
    OFFER,
    OVER,
    OWNED,
    PAY,
    PAY_BAIL,
    PAY_EACH,
    PRICE,
    PROPOSE,
    RAILROAD,
    REPAIRS,
    ROLL,
    SETTLE,
    SIZE,
    SOLD,
    SQUARES,
    STOCK,
    TAKE,
    THROW,
    TO_JAIL,
    TO_RAILROAD,
    TO_UTILITY,
    TURN,
    USE_CARD,
    UTILITY,
    WAGE,
    State,
)  # fmt: skip
from .playouts import MonopolyPlayouts

DOUBLES = 3  # in a row lead to jail
VISITS = 1.0  # of each other player to a deed, whose rents count as the owner's already
WHOLE, SINGLE = (
    1.0,
    0.3,
)  # how much more than its price a deed is worth, in a whole group and without the others


Visit = tuple[str, int, float]  # the name of a place, its cell on the board, a share


class Monopoly(MonopolyPlayouts):
    """Buy streets, build houses, and collect rent until the others are bankrupt."""

    name = "monopoly"
    title = "Monopoly"
    chance = True
    value = float
    step = 1e-6
    lowest = -1.0
    most_outcomes = CARDS
    prefers_fast_win = False
    scale = 0.15  # of a share: few leads are larger before the end
    played_by = "mcts"
    preferences = {"mcts": {"plies": 20}}  # noqa: RUF012  # longer playouts tell more of the dice than of the move

    def __init__(self, players: int = 4, cash: int = 1500, rounds: int = 50, trades: bool = False) -> None:
        """`rounds`: rolls of each player on average, after which the richest wins."""
        if not 2 <= players <= MOST_PLAYERS:
            raise GameError("monopoly is for 2 to {} players, not {}", MOST_PLAYERS, players)
        if not 0 <= cash <= 10_000_000 or not 1 <= rounds <= 1_000_000:
            raise GameError("monopoly begins with 0 to 10000000 in cash and has 1 to 1000000 rounds")
        self.players, self.cash, self.rounds, self.trades = players, cash, rounds, trades
        self.highest = players - 1.0
        self.most_rolls = players * rounds
        purses = [cash << CASH if player < players else 0 for player in range(MOST_PLAYERS)]
        self.start = State._make([*purses, 0, 0, 0, STOCK, 0, 0, 0, 0, ROLL, 0, 0, 0, 0, players])
        self.most_actions = None if trades else 3 * DEEDS

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self) -> State:
        return self.start

    def player(self, state):
        phase = state.phase
        if phase in (ROLL, DRAW_CHANCE, DRAW_CHEST, THROW):
            return CHANCE
        if phase == AUCTION:
            return self.bidder(state)
        if phase == DEBT:
            return self.debtor(state)
        return self.owner(state, self.wanted(state)) if phase == OFFER else state.mover

    def is_terminal(self, state):
        return state.phase == OVER

    def wanted(self, state):
        return (state.offer & 31) - 1

    def actions(self, state):
        phase, mover = state.phase, state.mover
        if phase == ROLL:
            for total in range(2, 13):
                if 2 < total < 12:
                    yield total
                if total % 2 == 0:
                    yield total + 16
        elif phase in (DRAW_CHANCE, DRAW_CHEST):
            for card in range(CARDS):
                yield card
        elif phase == THROW:
            for total in range(2, 13):
                yield total
        elif phase == TURN:
            yield GO_ON
            if self.jail_turn(state, mover):
                if self.cash_of(state, mover) >= BAIL:
                    yield PAY_BAIL
                if self.purse(state, mover) >> HELD & 3:
                    yield USE_CARD
            for action in self.management(state, mover, False):
                yield action
            if self.trades and not state.offer:
                for action in self.offers(state):
                    yield action
        elif phase == BUY:
            number = DEED_AT[self.square(state, mover)]
            if self.cash_of(state, mover) >= PRICE[number]:
                yield TAKE
            yield DECLINE
            if self.cash_of(state, mover) < PRICE[number]:
                for action in self.management(state, mover, True):
                    yield action
        elif phase == AUCTION:
            yield DECLINE
            left = self.cash_of(state, self.bidder(state)) - self.bid_of(state)
            for number in range(len(BIDS)):
                if left >= BIDS[number]:
                    yield BID + number
        elif phase == DEBT:
            for action in self.management(state, self.debtor(state), True):
                yield action
        else:
            yield TAKE
            yield DECLINE

    def offers(self, state):
        """The offers of the mover for a deed of another: one of its own, or a multiple of the price."""
        for want in range(DEEDS):
            owner = self.owner(state, want)
            if owner < 0 or owner == state.mover or not self.is_bare(state, want):
                continue
            for give in range(DEEDS):
                if self.owner(state, give) == state.mover and self.is_bare(state, give):
                    yield PROPOSE + 32 * want + give
            for place in range(len(MULTIPLES)):
                if self.cash_of(state, state.mover) >= MULTIPLES[place] * PRICE[want]:
                    yield PROPOSE + 32 * want + CASHES + place

    def is_bare(self, state, number):
        """Are there no houses on the deed and its group?"""
        return GROUP_OF[number] >= RAILROAD or self.levels(state, GROUP_OF[number])[1] == 0

    def chances(self, state):
        if state.phase == ROLL:
            for total in range(2, 13):
                ways = 6 - abs(total - 7)
                if total % 2 == 0:
                    ways -= 1
                if 2 < total < 12:
                    yield total, ways / 36.0
                if total % 2 == 0:
                    yield total + 16, 1.0 / 36.0
        elif state.phase == THROW:
            for total in range(2, 13):
                yield total, (6 - abs(total - 7)) / 36.0
        else:
            for card in range(CARDS):
                yield card, 1.0 / CARDS

    def result(self, state, action):
        return self.played(state, action)  # a search inlines `result` wherever it asks: it should be short

    def played(self, state, action):
        phase = state.phase
        if phase == ROLL:
            state = self.rolled(state, action)
        elif phase == TURN:
            state = self.after_turn(state, action)
        elif phase == DRAW_CHANCE:
            state = self.drawn(state, 0, action)
        elif phase == DRAW_CHEST:
            state = self.drawn(state, 1, action)
        elif phase == THROW:
            number = DEED_AT[self.square(state, state.mover)]
            state = self.owe(state, state.mover, 10 * action, self.owner(state, number))
            state = self.in_phase(state, SETTLE)
        elif phase == BUY:
            state = self.after_buy(state, action)
        elif phase == AUCTION:
            state = self.bid(state, action)
        elif phase == DEBT:
            state = self.settled(self.managed(state, self.debtor(state), action))
            state = self.in_phase(state, SETTLE)
        else:
            state = self.answered(state, action)
        while state.phase >= ARRIVE:
            if state.phase == ARRIVE:
                state = self.arrived(state)
            elif state.phase == SOLD:
                state = self.in_phase(self.sold(state), SETTLE)
            else:
                state = self.settle(state)
        return state

    # ---- turns -----------------------------------------------------------------------------------
    def begun(self, state, mover, doubles):
        """A player's roll is next, or the end of the game."""
        phase = int64(ROLL)
        if state.left <= 1 or state.rolls >= self.most_rolls:
            phase = int64(OVER)
        elif self.purse(state, mover) & (3 << IN_JAIL | 31 << OWNED) or self.may_offer(state, mover):
            phase = int64(TURN)
        return State(
            state.purse_0, state.purse_1, state.purse_2, state.purse_3, state.purse_4, state.purse_5,
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, 0, 0, 0,
            mover, phase, 0, doubles, 0, state.rolls, state.left,
        )  # fmt: skip

    def may_offer(self, state, mover):
        """Has somebody else a deed that the mover could ask for?"""
        if self.trades:
            for player in range(self.players):
                if player != mover and self.purse(state, player) >> OWNED & 31:
                    return True
        return False

    def after_turn(self, state, action):
        mover = state.mover
        if action == GO_ON:
            return self.in_phase(state, ROLL)
        if action in (PAY_BAIL, USE_CARD):
            if action == PAY_BAIL:
                state = self.earn(state, mover, -BAIL)
            else:
                held = self.purse(state, mover) >> HELD & 3
                state = self.add(state, mover, -((1 if held & 1 else 2) << HELD))
            return self.in_phase(self.freed(state), ROLL)
        if action >= PROPOSE:
            offer = (action - PROPOSE >> 5) + 1 | (action & 31) << 5 | 1 << 10
            return self.in_phase(self.owing(state, state.debt, state.sale, offer), OFFER)
        return self.managed(state, mover, action)

    def answered(self, state, action):
        """The state after the answer to an offer; another one may follow in the next turn."""
        mover, want, give = state.mover, self.wanted(state), state.offer >> 5 & 31
        if action == TAKE:
            other = self.owner(state, want)
            if give < CASHES:
                state = self.given(state, give, other, self.level(state, give))
            else:
                price = MULTIPLES[give - CASHES] * PRICE[want]
                state = self.earn(self.earn(state, mover, -price), other, price)
            state = self.given(state, want, mover, self.level(state, want))
        return self.in_phase(self.owing(state, state.debt, state.sale, 1 << 10), TURN)

    def freed(self, state):
        """The mover is out of jail."""
        return self.add(state, state.mover, -(self.jail_turn(state, state.mover) << IN_JAIL))

    def jailed(self, state):
        """The mover is in jail, and its turn ends."""
        more = (JAIL - self.square(state, state.mover)) + (1 << IN_JAIL)
        state = self.add(state, state.mover, more)
        return self.turned(state, state.mover, SETTLE, state.dice & 15, 0, 0)

    def advanced(self, state, square):
        """The mover goes forward to a square, and gets its wage if it passes Go.

        The state is made at once, not by `add` and then with its phase: every roll comes here.
        """
        here, mover = self.square(state, state.mover), state.mover
        more = square - here + (WAGE << CASH if square <= here else 0)
        return State(
            state.purse_0 + (more if mover == 0 else 0),
            state.purse_1 + (more if mover == 1 else 0),
            state.purse_2 + (more if mover == 2 else 0),
            state.purse_3 + (more if mover == 3 else 0),
            state.purse_4 + (more if mover == 4 else 0),
            state.purse_5 + (more if mover == 5 else 0),
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, state.debt, state.sale, state.offer,
            mover, ARRIVE, state.dice, state.doubles, state.fate, state.rolls, state.left,
        )  # fmt: skip

    def rolled(self, state, dice):
        mover, total, is_double = state.mover, dice & 15, dice >= 16
        state = State(
            state.purse_0, state.purse_1, state.purse_2, state.purse_3, state.purse_4, state.purse_5,
            state.deeds_0, state.deeds_1, state.deeds_2, state.stock, state.debt, state.sale, state.offer,
            mover, ROLL, dice, state.doubles + 1 if is_double else 0, 0, state.rolls + 1, state.left,
        )  # fmt: skip
        turn = self.jail_turn(state, mover)
        if turn == 0:
            if state.doubles == DOUBLES:
                return self.jailed(state)
            return self.advanced(state, (self.square(state, mover) + total) % 40)
        if is_double:  # it gives no other roll
            return self.advanced(self.freed(self.turned(state, mover, ROLL, total, 0, 0)), JAIL + total)
        if turn < DOUBLES:
            return self.in_phase(self.add(state, mover, 1 << IN_JAIL), SETTLE)
        state = self.owe(state, mover, BAIL, BANK)
        return self.turned(state, mover, SETTLE, total, 0, 1)

    def settle(self, state):
        """What follows when nothing is left to decide about an arrival: debts, auctions, the next turn."""
        if state.debt:
            return self.in_phase(state, DEBT)
        if state.left > 1 and state.sale & 0xFFFFFFF:
            return self.opened(state)
        mover = state.mover
        if state.left > 1 and not self.is_out(state, mover):
            if state.fate == 1:
                state = self.freed(self.turned(state, mover, SETTLE, state.dice, 0, 0))
                return self.advanced(state, JAIL + (state.dice & 15))
            if state.dice >= 16:
                return self.begun(state, mover, state.doubles)
        for _ in range(self.players):
            mover = (mover + 1) % self.players
            if not self.is_out(state, mover):
                break
        return self.begun(state, mover, 0)

    def arrived(self, state):
        """What happens on the square where the mover has arrived."""
        mover = state.mover
        square = self.square(state, mover)
        number = DEED_AT[square]
        if number >= 0:
            owner = self.owner(state, number)
            if owner < 0:
                return self.in_phase(state, BUY)
            if owner != mover:
                state = self.owe(state, mover, self.rent(state, number, state.dice & 15), owner)
        elif square == GO_TO_JAIL:
            return self.jailed(state)
        elif square in CHANCES:
            return self.in_phase(state, DRAW_CHANCE)
        elif square in CHESTS:
            return self.in_phase(state, DRAW_CHEST)
        elif square == INCOME_TAX_AT:
            state = self.owe(state, mover, INCOME_TAX, BANK)
        elif square == LUXURY_TAX_AT:
            state = self.owe(state, mover, LUXURY_TAX, BANK)
        return self.in_phase(state, SETTLE)

    def after_buy(self, state, action):
        mover = state.mover
        number = DEED_AT[self.square(state, mover)]
        if action == TAKE:
            state = self.given(self.earn(state, mover, -PRICE[number]), number, mover, 0)
        elif action == DECLINE:
            state = self.owing(state, state.debt, 1 << number, state.offer)
        else:
            return self.managed(state, mover, action)
        return self.in_phase(state, SETTLE)

    # ---- cards -----------------------------------------------------------------------------------
    def drawn(self, state, deck, card):
        mover, kind, amount = state.mover, CARD[deck, card, 0], CARD[deck, card, 1]
        square = self.square(state, mover)
        if kind == GO_TO:
            return self.advanced(state, amount)
        if kind == BACK:
            return self.in_phase(self.add(state, mover, -amount), ARRIVE)
        if kind == TO_JAIL:
            return self.jailed(state)
        if kind in (TO_RAILROAD, TO_UTILITY):
            return self.sent_to_next(state, RAILROAD if kind == TO_RAILROAD else UTILITY, square)
        if kind == GET:
            state = self.earn(state, mover, amount)
        elif kind == PAY:
            state = self.owe(state, mover, amount, BANK)
        elif kind == PAY_EACH:
            state = self.owe(state, mover, amount * (state.left - 1), EVERYBODY)
        elif kind == REPAIRS:
            state = self.owe(state, mover, self.repairs(state, mover, amount, HOTEL_REPAIRS[deck]), BANK)
        elif kind == KEEP:
            if self.is_in_deck(state, deck):
                state = self.add(state, mover, 1 << HELD + deck)
        elif kind == GET_EACH:
            for way in range(1, self.players):
                other = (mover + way) % self.players
                if not self.is_out(state, other):
                    state = self.owe(state, other, amount, mover)
        return self.in_phase(state, SETTLE)

    def is_in_deck(self, state, deck):
        """Does nobody hold the jail card of that deck?"""
        for player in range(self.players):
            if self.purse(state, player) >> HELD + deck & 1:
                return False
        return True

    def repairs(self, state, player, house, hotel):
        total = int64(0)
        for number in range(DEEDS):
            level = self.level(state, number)
            if self.owner(state, number) == player and 0 < level <= HOTEL:
                total += hotel if level == HOTEL else house * level
        return total

    def sent_to_next(self, state, group, square):
        """The next railroad, for twice the rent, or the next utility, for ten times another throw."""
        while DEED_AT[square] < 0 or GROUP_OF[DEED_AT[square]] != group:
            square = (square + 1) % 40
        state = self.advanced(state, square)
        number = DEED_AT[square]
        owner = self.owner(state, number)
        if owner < 0 or owner == state.mover or self.level(state, number) == MORTGAGED:
            return state
        if group == UTILITY:
            return self.in_phase(state, THROW)
        return self.in_phase(self.owe(state, state.mover, 2 * self.rent(state, number, 0), owner), SETTLE)

    # ---- the end ---------------------------------------------------------------------------------
    def utility(self, state, player):
        """The last player wins 1 from each of the others; after the last round the richest share that."""
        best, winners, own = int64(-1), 0, int64(-1)
        for each in range(self.players):
            worth = int64(-1) if self.is_out(state, each) else self.worth(state, each)
            if worth > best:
                best, winners = worth, 0
            winners += 1 if worth == best else 0
            own = worth if each == player else own
        return self.players / winners - 1.0 if own == best else -1.0

    def evaluate(self, state, player):
        """The player's share of what all have, with the rents to come, so that a half of two is worth 0."""
        total, own = 0.0, 0.0
        for each in range(self.players):
            worth = 0.0 if self.is_out(state, each) else self.prospect(state, each)
            total += worth
            own = worth if each == player else own
        return self.players * own / total - 1.0 if total > 0.0 else 0.0

    def prospect(self, state, player):
        """What a player has, with the rents that visitors may pay."""
        total = float(self.worth(state, player))
        for number in range(DEEDS):
            if self.owner(state, number) == player:
                total += VISITS * (self.players - 1) * self.rent(state, number, 7)
                if self.owned_of(state, GROUP_OF[number], player) == SIZE[GROUP_OF[number]]:
                    total += WHOLE * PRICE[number]
                elif self.level(state, number) < MORTGAGED:
                    total += SINGLE * PRICE[number]
        return total

    # ---- the long run ----------------------------------------------------------------------------
    def visits(self, strategy: str = "leave", rolls: int | None = None, seed: int = 1) -> list[Visit]:
        """The places with their cells and the share of rolls that end there, solved, or of rolls played."""
        from .visits import PLACES, count_visits, long_run

        counts = count_visits(strategy, rolls, seed) / rolls if rolls else long_run(strategy)
        cells = (*range(len(SQUARES)), JAIL)
        return [(name, cell, float(s)) for name, cell, s in zip(PLACES, cells, counts, strict=True)]
