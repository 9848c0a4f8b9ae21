"""The texts of Monopoly: positions and moves.

    1500@0 430@10j2C x    the players: cash @ square, j and the turn in jail, jail cards; x: bankrupt

C is the jail card of Chance, H that of Community Chest. Then come the deeds, two characters each in the order
of the board: the owner, and the houses (5: a hotel, m: mortgaged), `..` with the bank; and the turn. It
refuses what cannot be.
"""

from __future__ import annotations

import re

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole
from gambito.words import name_of, say, tell
from gambito.words.sentence import Sentence

from .board import (
    AUCTION,
    BID,
    BIDS,
    BUILD,
    BUY,
    CASH,
    CASHES,
    CHANCES,
    CHESTS,
    DEBT,
    DECLINE,
    DEED,
    DEED_AT,
    DEEDS,
    DRAW_CHANCE,
    DRAW_CHEST,
    EVERYBODY,
    GO_ON,
    GROUP_OF,
    HELD,
    HOTEL,
    HOTELS,
    HOUSES,
    IN_JAIL,
    JAIL,
    LIFT,
    MORTGAGE,
    MORTGAGED,
    MOST_PLAYERS,
    MULTIPLES,
    OFFER,
    OUT,
    OVER,
    OWNED,
    PAY_BAIL,
    PHASES,
    PRICE,
    PROPOSE,
    RAILROAD,
    ROLL,
    SELL,
    SQUARE_OF,
    SQUARES,
    TAKE,
    THROW,
    USE_CARD,
    UTILITY,
    WORD,
    State,
)  # fmt: skip
from .names import CARD_WORDS, DEED_NAMES
from .picture import MonopolyPicture

MOST_CASH, MOST_ROLLS = 1 << 30, 1 << 30
_PURSE = re.compile(r"([0-9]+)@([0-9]+)(?:j([123]))?(C?)(H?)")
NOTHING, BANKRUPT, FREE = "-", "x", ".."


class MonopolyText(MonopolyPicture):
    """How Monopoly is written."""

    # ---- positions -------------------------------------------------------------------------------
    def _purse_text(self, state: State, player: int) -> str:
        purse = int(self.purse(state, player))
        if purse >> OUT & 1:
            return BANKRUPT
        jail, held = purse >> IN_JAIL & 3, purse >> HELD & 3
        marks = (f"j{jail}" if jail else "") + ("C" if held & 1 else "") + ("H" if held & 2 else "")
        return f"{purse >> CASH}@{purse & 63}{marks}"

    def _deed_text(self, state: State, number: int) -> str:
        owner, level = int(self.owner(state, number)), int(self.level(state, number))
        return FREE if owner < 0 else f"{owner + 1}{'m' if level == MORTGAGED else level}"

    def text(self, state: State) -> str:
        players = " ".join(self._purse_text(state, player) for player in range(self.players))
        deeds = "".join(self._deed_text(state, number) for number in range(DEEDS))
        turn = f"{state.mover + 1} {PHASES[state.phase]} {state.dice} {state.doubles} {state.rolls}"
        debt = sale = NOTHING
        if state.debt:
            debtors = "".join(str(p + 1) for p in range(self.players) if state.debt >> 24 + p & 1)
            debt = f"{state.debt & 0xFFFFF}:{(state.debt >> 20 & 7) + 1}:{debtors}:{state.fate}"
        if state.sale:
            lots = ",".join(DEED_NAMES[n] for n in range(DEEDS) if state.sale >> n & 1)
            active = "".join(str(p + 1) for p in range(self.players) if state.sale >> 51 + p & 1)
            bidders = f"{(state.sale >> 48 & 7) + 1}:{active}:{(state.sale >> 57 & 7) + 1}"
            sale = f"{lots}:{state.sale >> 28 & 0xFFFFF}:{bidders}"
        return f"{players} {deeds} {turn} {debt} {sale} {state.offer or NOTHING}"

    def parse(self, text: str) -> State:
        """For each player cash@square, jN in jail, C and H jail cards, or x; the deeds, two characters each;
        the player to move, the phase, the dice, doubles, rolls; a debt; a sale; an offer."""
        words = text.split()
        wrong = PositionError(
            "{} is no position of monopoly; accepted: {}", quoted(text), self.text(self.initial())
        )
        if len(words) != self.players + 9 or words[self.players + 2] not in PHASES:
            raise wrong
        purses = [self._read_purse(word) for word in words[: self.players]]
        deeds = self._read_deeds(words[self.players])
        turn = words[self.players + 1 : self.players + 6]
        mover, dice = read_whole(turn[0], self.players), read_whole(turn[2], 28)
        doubles, rolls = read_whole(turn[3], 2), read_whole(turn[4], MOST_ROLLS)
        debt = self._read_debt(words[-3])
        sale = self._read_sale(words[-2])
        offer = 0 if words[-1] == NOTHING else read_whole(words[-1], 2047)
        if None in purses or deeds is None or debt is None or sale is None or offer is None:
            raise wrong
        if not mover or dice is None or doubles is None or rolls is None:
            raise wrong
        filled = [purse for purse in purses if purse is not None]
        for owner, _ in deeds:
            if owner >= 0:
                if filled[owner] >> OUT & 1:
                    raise PositionError("{} is impossible: a bankrupt player owns nothing", quoted(text))
                filled[owner] += 1 << OWNED
        packed = [0, 0, 0]
        for number, (owner, level) in enumerate(deeds):
            packed[number // WORD] |= (owner + 1 | level << 3) << DEED * (number % WORD)
        houses = HOUSES - sum(level for _, level in deeds if level < HOTEL)
        hotels = HOTELS - sum(level == HOTEL for _, level in deeds)
        if min(houses, hotels) < 0:
            raise PositionError("{} is impossible: the bank has 32 houses and 12 hotels", quoted(text))
        left = sum(not purse >> OUT & 1 for purse in filled)
        purses_of_all = [*filled, *[0] * (MOST_PLAYERS - len(filled))]
        phase = PHASES.index(words[self.players + 2])
        rest = [mover - 1, phase, dice, doubles, debt[1], rolls, left]
        owed = [houses | hotels << 6, debt[0], sale, offer]
        state = State._make([*purses_of_all, *packed, *owed, *rest])
        problem = self._impossible(state, deeds)
        if problem:
            raise PositionError("{} is impossible: {}", quoted(text), problem)
        return state

    def _read_purse(self, word: str) -> int | None:
        if word == BANKRUPT:
            return 1 << OUT
        found = _PURSE.fullmatch(word)
        cash = read_whole(found[1], MOST_CASH) if found else None
        square = read_whole(found[2], len(SQUARES) - 1) if found else None
        if found is None or cash is None or square is None:
            return None
        jail = int(found[3] or 0)
        held = (1 if found[4] else 0) | (2 if found[5] else 0)
        return None if jail and square != JAIL else cash << CASH | held << HELD | jail << IN_JAIL | square

    def _read_deeds(self, word: str) -> list[tuple[int, int]] | None:
        """Owner and level of each deed."""
        pairs = [word[n : n + 2] for n in range(0, len(word), 2)]
        owners = "123456"[: self.players]
        if len(pairs) != DEEDS:
            return None
        found = []
        for pair in pairs:
            if pair != FREE and (len(pair) != 2 or pair[0] not in owners or pair[1] not in "012345m"):
                return None
            level = 0 if pair == FREE else MORTGAGED if pair[1] == "m" else int(pair[1])
            found.append((-1 if pair == FREE else int(pair[0]) - 1, level))
        return found

    def _read_players(self, word: str) -> int | None:
        """The set of players that digits name."""
        known = "123456"[: self.players]
        if set(word) - set(known) or len(set(word)) != len(word):
            return None
        return sum(1 << known.index(digit) for digit in word)

    def _read_debt(self, word: str) -> tuple[int, int] | None:
        """A debt, and what follows it."""
        if word == NOTHING:
            return 0, 0
        parts = word.split(":")
        if len(parts) != 4:
            return None
        amount, creditor, fate = (
            read_whole(parts[0], 99_999),
            read_whole(parts[1], 8),
            read_whole(parts[3], 1),
        )
        debtors = self._read_players(parts[2])
        if not amount or not creditor or fate is None or not debtors:
            return None
        if self.players < creditor <= EVERYBODY or (creditor <= self.players and debtors >> creditor - 1 & 1):
            return None
        return amount | creditor - 1 << 20 | debtors << 24, fate

    def _read_sale(self, word: str) -> int | None:
        if word == NOTHING:
            return 0
        parts = word.split(":")
        if len(parts) != 5:
            return None
        names = parts[0].split(",")
        bid, best, next_one = (
            read_whole(parts[1], 0xFFFFF),
            read_whole(parts[2], 8),
            read_whole(parts[4], self.players),
        )
        active = self._read_players(parts[3])
        if set(names) - set(DEED_NAMES) or len(set(names)) != len(names) or not active or not next_one:
            return None
        if bid is None or not best or self.players < best < 8 or (best == 8) != (bid == 0):
            return None
        lots = sum(1 << DEED_NAMES.index(name) for name in names)
        return lots | bid << 28 | best - 1 << 48 | active << 51 | next_one - 1 << 57

    def _impossible(self, state: State, deeds: list[tuple[int, int]]) -> str:
        """Why a position cannot be; "" if it can."""
        held = [int(self.purse(state, p)) >> HELD & 3 for p in range(self.players)]
        if sum(h & 1 for h in held) > 1 or sum(h >> 1 for h in held) > 1:
            return Sentence("there is one jail card in each deck")
        for group in range(RAILROAD + 2):
            some = [deed for n, deed in enumerate(deeds) if GROUP_OF[n] == group]
            levels = [0 if level == MORTGAGED else level for _, level in some]
            is_one = len({owner for owner, _ in some}) == 1 and all(level < MORTGAGED for _, level in some)
            if any(levels) and (group >= RAILROAD or not is_one or max(levels) - min(levels) > 1):
                return Sentence("houses are built evenly on all streets of a colour")
        phase, mover = int(state.phase), int(state.mover)
        if (
            (state.left < 2 and phase != OVER)
            or state.left < 1
            or (self.is_out(state, mover) and phase < AUCTION)
        ):
            return Sentence("a bankrupt player does not move")
        square = int(self.square(state, mover))
        number = int(DEED_AT[square])
        fits = {
            DRAW_CHANCE: square in CHANCES,
            DRAW_CHEST: square in CHESTS,
            THROW: number >= 0 and GROUP_OF[number] == UTILITY and deeds[number][0] not in (-1, mover)
            and deeds[number][1] != MORTGAGED,
            BUY: number >= 0 and deeds[number][0] < 0,
            AUCTION: self._can_auction(state, deeds),
            DEBT: self._can_owe(state),
            OFFER: self._can_offer(state, deeds),
        }  # fmt: skip
        is_idle = (phase == AUCTION or not state.sale) and (phase == DEBT or not state.debt)
        is_quiet = state.offer in (0, 1 << 10) or phase == OFFER
        in_jail = self.jail_turn(state, mover) > 0
        is_fair = phase not in (DRAW_CHANCE, DRAW_CHEST, THROW, BUY) or not in_jail
        is_rolled = int(state.dice) in (0, *range(2, 13), *range(18, 29, 2))
        if not fits.get(phase, True) or not is_idle or not is_quiet or not is_fair or not is_rolled:
            return Sentence("the turn is not one that can be")
        return ""

    def _can_auction(self, state: State, deeds: list[tuple[int, int]]) -> bool:
        lots = [number for number in range(DEEDS) if state.sale >> number & 1]
        player, best = int(self.bidder(state)), int(state.sale >> 48 & 7)
        can_pay = best >= EVERYBODY or self.cash_of(state, best) >= self.bid_of(state)
        has_cash = self.cash_of(state, player) >= self.bid_of(state) + BIDS[0]
        is_active = all(not self.is_out(state, p) for p in range(self.players) if state.sale >> 51 + p & 1)
        is_next = bool(state.sale >> 51 + player & 1) and player != best
        return (
            bool(lots)
            and all(deeds[n][0] < 0 for n in lots)
            and bool(can_pay and has_cash and is_active and is_next)
        )

    def _can_owe(self, state: State) -> bool:
        amount, creditor = int(state.debt & 0xFFFFF), int(state.debt >> 20 & 7)
        debtors = [player for player in range(self.players) if state.debt >> 24 + player & 1]
        if not debtors or (creditor < EVERYBODY and self.is_out(state, creditor)):
            return False
        if state.fate and (debtors != [state.mover] or not self.jail_turn(state, state.mover)):
            return False
        return all(
            not self.is_out(state, p)
            and self.cash_of(state, p) < amount <= self.cash_of(state, p) + self.raisable(state, p)
            for p in debtors
        )

    def _can_offer(self, state: State, deeds: list[tuple[int, int]]) -> bool:
        want, give = int(state.offer & 31) - 1, int(state.offer >> 5 & 31)
        if not state.offer >> 10 & 1 or not 0 <= want < DEEDS or deeds[want][0] in (-1, state.mover):
            return False
        if give >= CASHES:
            return bool(self.cash_of(state, state.mover) >= MULTIPLES[give - CASHES] * PRICE[want])
        return deeds[give][0] == state.mover

    # ---- words -----------------------------------------------------------------------------------
    def show(self, state: State) -> str:
        lines = []
        for player in range(self.players):
            if self.is_out(state, player):
                lines.append(say("{}: bankrupt", player + 1))
                continue
            own = [
                name_of(DEED_NAMES[n]) + {0: "", MORTGAGED: say(" (mortgaged)")}.get(level, f" ({level})")
                for n, level in ((n, int(self.level(state, n))) for n in range(DEEDS))
                if self.owner(state, n) == player
            ]
            jail = say(", in jail") if self.jail_turn(state, player) else ""
            place = name_of(SQUARES[int(self.square(state, player))])
            owns = f"; {', '.join(own)}" if own else ""
            lines.append(say("{}: {} at {}{}{}", player + 1, self.cash_of(state, player), place, jail, owns))
        return "\n".join(
            [*lines, f"{tell(PHASES[state.phase])}, {say('player {} to move', state.mover + 1)}"]
        )

    def remarks(self, state: State) -> str:
        if state.phase == AUCTION:
            return f"auction of {SQUARES[SQUARE_OF[int(self.lot(state))]]}: {self.bid_of(state)}"
        if state.phase == DEBT:
            return f"debt: {state.debt & 0xFFFFF}"
        if state.phase == BUY:
            square = int(self.square(state, state.mover))
            return f"{SQUARES[square]}: {PRICE[DEED_AT[square]]}"
        return f"offer: {self._offer_text(state.offer)}" if state.phase == OFFER else ""

    def _offer_text(self, offer: int) -> str:
        want, give = (offer & 31) - 1, offer >> 5 & 31
        price = DEED_NAMES[give] if give < CASHES else str(MULTIPLES[give - CASHES] * int(PRICE[want]))
        return f"{DEED_NAMES[want]}-for-{price}"

    def write(self, state: State, action: int) -> str:
        phase = int(state.phase)
        if phase in (ROLL, THROW):
            return f"{action & 15}{'d' if action >= 16 else ''}"
        if phase in (DRAW_CHANCE, DRAW_CHEST):
            return CARD_WORDS[phase - DRAW_CHANCE][action]
        if action >= PROPOSE:
            return "offer-" + self._offer_text((action - PROPOSE >> 5) + 1 | (action & 31) << 5)
        if action >= BUILD:
            verbs = {BUILD: "build", SELL: "sell", MORTGAGE: "mortgage", LIFT: "lift"}
            return f"{verbs[action & ~31]}-{DEED_NAMES[action & 31]}"
        if action >= BID:
            return f"bid-{int(self.bid_of(state)) + BIDS[action - BID]}"
        yes = "accept" if phase == OFFER else "buy"
        no = "refuse" if phase == OFFER else "pass" if phase == AUCTION else "auction"
        return {GO_ON: "roll", PAY_BAIL: "pay", USE_CARD: "card", TAKE: yes, DECLINE: no}[action]

    def reason(self, state: State) -> str:
        if state.left <= 1:
            return Sentence("the others are bankrupt")
        return Sentence("the richest wins after the last round")
