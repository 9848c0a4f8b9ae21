"""Blackjack: one player against the dealer; closer to 21 wins, above it loses.

Cards are drawn with replacement, as from a shoe without end: an ace to a nine each with 1/13, a ten or a face
card with 4/13. An ace counts 11 as long as the hand stays at 21 or below; such a hand is soft.

    stage  DEAL      the player's two cards and the dealer's open one are drawn
           PEEK      the dealer with an ace or a ten looks for a blackjack, and then the game is over
           PLAY      stand, hit, double (one more card, twice the stake) or split a pair, once
           DRAW      a card is drawn for the hand in play
           DEALER    the dealer draws up to 17, and stands on every 17
           OVER

A blackjack, an ace with a ten in the first two cards, pays 3 to 2. Aces that are split get one card each.
Both hands of a split may be doubled, and 21 in them is no blackjack. The value is in stakes.

Baldwin, Cantey, Maisel & McDermott, The optimum strategy in blackjack (1956).
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.game.numerals import read_whole
from gambito.words import say
from gambito.words.sentence import Sentence

ACE, TEN = 1, 10
STAND, HIT, DOUBLE, SPLIT = range(4)
WORDS = ("stand", "hit", "double", "split")
DEAL, PEEK, PLAY, DRAW, DEALER, OVER = range(6)
STAGES = ("deal", "peek", "play", "draw", "dealer", "over")
NOTHING, BLACKJACK = 0, 1  # what the dealer finds under the open card
NATURAL = 3
FAR = 22  # every total above 21
DEALER_STANDS = 17
CARDS = "?A23456789T"


class State(NamedTuple):
    """The hand in play, the dealer's hand, and the hands of a split."""

    total: int  # an ace counts 1
    ace: int  # is there one?
    cards: int  # 3: three or more
    pair: int  # the card of a pair that may be split; while the second card is missing, the first
    stake: int
    open_card: int  # the dealer's
    dealer: int  # the dealer's total, an ace counts 1
    dealer_ace: int
    dealer_cards: int  # 2: two or more; NATURAL: a blackjack
    hand: int  # 0: the only one; 1 and 2: of a split
    done: int  # the first hand of a split, when it is finished
    done_stake: int
    split_card: int  # the card with which the second hand begins; in the second, whether it was an ace
    stage: int


class Blackjack(Game):
    """Draw cards up to 21 against a dealer who must draw up to 17."""

    name = "blackjack"
    players = 1
    zero_sum = False
    chance = True
    value = float
    lowest, highest = -4.0, 4.0
    step = 1e-6
    most_actions = 10
    most_outcomes = 10
    prefers_fast_win = False
    sides = ("Player",)
    played_by = "expectimax"
    usual_depth = 6
    scale = 1.0

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        return State(0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, DEAL)

    def player(self, state):
        return 0 if state.stage == PLAY or state.stage == OVER else CHANCE

    def is_terminal(self, state):
        return state.stage == OVER

    def best_total(self, total, ace):
        """The total of a hand, with an ace as 11 if that is not too much."""
        return total + 10 if ace and total <= 11 else total

    def is_blackjack(self, state):
        is_first = state.hand == 0 and state.cards == 2
        return is_first and self.best_total(state.total, state.ace) == 21

    def actions(self, state):
        if state.stage == PLAY:
            yield STAND
            yield HIT
            if state.cards == 2:
                yield DOUBLE
                if state.pair and state.hand == 0:
                    yield SPLIT
        elif state.stage == PEEK:
            yield NOTHING
            yield BLACKJACK
        else:
            for card in range(ACE, TEN + 1):
                if not self.is_hidden(state, card):
                    yield card

    def is_hidden(self, state, card):
        """Is it the card that would make a blackjack, which the dealer does not have under an ace or ten?"""
        if state.stage != DEALER or state.dealer_cards > 1:
            return False
        return (state.open_card == ACE and card == TEN) or (state.open_card == TEN and card == ACE)

    def chances(self, state):
        if state.stage == PEEK:
            found = 4 / 13 if state.open_card == ACE else 1 / 13
            yield NOTHING, 1.0 - found
            yield BLACKJACK, found
        else:
            left = 1.0
            if self.is_hidden(state, ACE):
                left -= 1 / 13
            if self.is_hidden(state, TEN):
                left -= 4 / 13
            for card in range(ACE, TEN + 1):
                if not self.is_hidden(state, card):
                    yield card, (4 / 13 if card == TEN else 1 / 13) / left

    def result(self, state, action):
        if state.stage == DEAL:
            return self.dealt(state, action)
        if state.stage == PEEK:
            if action == BLACKJACK:
                return self.with_dealer(state, 0, 11, 1, NATURAL, OVER)
            return self.at_play(state)
        if state.stage == PLAY:
            if action == STAND:
                return self.finished(state)
            if action == SPLIT:
                card = state.pair
                return self.with_hand(state, card, 1 if card == ACE else 0, 1, 1, 1, card, DRAW)
            stake = 2 if action == DOUBLE else state.stake
            return self.with_hand(
                state, state.total, state.ace, state.cards, stake, state.hand, state.split_card, DRAW
            )
        if state.stage == DRAW:
            return self.drawn(state, action)
        total, ace = state.dealer + action, 1 if state.dealer_ace or action == ACE else 0
        is_done = self.best_total(total, ace) >= DEALER_STANDS
        return self.with_dealer(state, 0, min(total, FAR), ace, 2, OVER if is_done else DEALER)

    def with_hand(self, state, total, ace, cards, stake, hand, split_card, stage):
        """The state with another hand in play; a pair can no longer be split."""
        dealer = (state.open_card, state.dealer, state.dealer_ace, state.dealer_cards)
        done = (state.done, state.done_stake)
        return State(total, ace, cards, 0, stake, *dealer, hand, *done, split_card, stage)

    def with_dealer(self, state, open_card, dealer, dealer_ace, dealer_cards, stage):
        """The state with another hand of the dealer."""
        own = (state.total, state.ace, state.cards, state.pair, state.stake)
        rest = (state.hand, state.done, state.done_stake, state.split_card, stage)
        return State(*own, open_card, dealer, dealer_ace, dealer_cards, *rest)

    def dealt(self, state, card):
        """The player's two cards come first, then the dealer's."""
        is_ace = 1 if card == ACE else 0
        if state.cards < 2:
            pair = card if state.cards == 0 or state.pair == card else 0
            ace = 1 if state.ace else is_ace
            return State(state.total + card, ace, state.cards + 1, pair, 1, 0, 0, 0, 0, 0, 0, 0, 0, DEAL)
        shown = self.with_dealer(state, card, card, is_ace, 1, PEEK)
        return shown if card in (ACE, TEN) else self.at_play(shown)

    def at_play(self, state):
        """The player's turn; with a blackjack there is nothing to decide, and the dealer has none."""
        stage = OVER if self.is_blackjack(state) else PLAY
        return self.with_dealer(
            state, state.open_card, state.dealer, state.dealer_ace, state.dealer_cards, stage
        )

    def drawn(self, state, card):
        """A card for the hand in play: the hand goes on, or it is finished."""
        total, ace = min(state.total + card, FAR), 1 if state.ace or card == ACE else 0
        cards = min(state.cards + 1, 3)
        after = self.with_hand(state, total, ace, cards, state.stake, state.hand, state.split_card, PLAY)
        is_single = state.split_card == ACE  # split aces get one card
        if state.stake == 2 or is_single or self.best_total(total, ace) >= 21:
            return self.finished(after)
        return after

    def finished(self, state):
        """The next hand of a split, or the dealer's turn; none if every hand is above 21.

        A hand below 17 wins only if the dealer goes above 21, so all of them are kept as 16.
        """
        kept = max(self.best_total(state.total, state.ace), DEALER_STANDS - 1)
        dealer = (state.open_card, state.dealer, state.dealer_ace, state.dealer_cards)
        if state.hand == 1:
            card = state.split_card
            is_ace = 1 if card == ACE else 0
            return State(card, is_ace, 1, 0, 1, *dealer, 2, kept, state.stake, is_ace, DRAW)
        is_lost = kept >= FAR and (state.hand == 0 or state.done >= FAR)
        stage = OVER if is_lost else DEALER
        return State(kept, 0, 3, 0, state.stake, *dealer, state.hand, state.done, state.done_stake, 0, stage)

    def against_dealer(self, total, dealer, stake):
        """What a hand wins that is no blackjack."""
        if total >= FAR:
            return -stake
        if dealer >= FAR or total > dealer:
            return stake
        return 0.0 if total == dealer else -stake

    def utility(self, state, player):
        dealer = self.best_total(state.dealer, state.dealer_ace)
        own = self.best_total(state.total, state.ace)
        has_blackjack = state.dealer_cards == NATURAL
        if self.is_blackjack(state):
            return 0.0 if has_blackjack else 1.5
        if has_blackjack:
            return -1.0
        won = self.against_dealer(own, dealer, float(state.stake))
        if state.hand == 2:
            won += self.against_dealer(state.done, dealer, float(state.done_stake))
        return won

    # ---- text ------------------------------------------------------------------------------------
    def show(self, state: State) -> str:
        soft = say("soft ") if state.ace and state.total <= 11 else ""
        lines = [say("dealer: {}", self.best_total(state.dealer, state.dealer_ace))]
        lines.append(
            say("player: {}{}, stake: {}", soft, self.best_total(state.total, state.ace), state.stake)
        )
        if state.hand:
            lines.append(
                say("hand {} of 2", state.hand) + (say(", first: {}", state.done) if state.hand == 2 else "")
            )
        return "\n".join(lines)

    def remarks(self, state: State) -> str:
        return Sentence("hand {} of 2", int(state.hand)) if state.hand else ""

    def text(self, state: State) -> str:
        return f"{STAGES[state.stage]} " + "-".join(map(str, state[:-1]))

    def parse(self, text: str) -> State:
        """The stage and the numbers of the state: `play 16-0-2-0-1-10-10-0-1-0-0-0-0`; or cards, `A7 9`."""
        words = text.split()
        example = self.text(self.initial())
        wrong = PositionError("{} is no position of blackjack; accepted: {}, A7 9", quoted(text), example)
        if len(words) != 2:
            raise wrong
        if len(words[0]) == 2 and set(words[0] + words[1]) <= set(CARDS[1:]) and len(words[1]) == 1:
            cards = [CARDS.index(mark) for mark in words[0] + words[1]]
            state = self.initial()
            for card in cards:
                state = self.result(state, card)
            return self.result(state, NOTHING) if state.stage == PEEK else state
        numbers = [read_whole(part, 30) for part in words[1].split("-")]
        known = [number for number in numbers if number is not None]
        if words[0] not in STAGES or len(known) != len(numbers) or len(known) != len(State._fields) - 1:
            raise wrong
        state = State._make([*known, STAGES.index(words[0])])
        if not self._is_possible(state):
            raise PositionError("{} is impossible", quoted(text))
        return state

    def _is_possible(self, state: State) -> bool:
        bounds = (FAR, 1, 3, TEN, 2, TEN, FAR, 1, NATURAL, 2, FAR, 2, TEN)
        if any(number > most for number, most in zip(state[:-1], bounds, strict=True)):
            return False
        is_dealt = state.cards >= 1 and state.dealer >= 1 and state.dealer_cards >= 1
        is_dealt = is_dealt and (state.open_card > 0 or state.stage in (DEALER, OVER))
        return is_dealt if state.stage != DEAL else state.cards <= 2 and state.open_card == 0

    def write(self, state: State, action: int) -> str:
        if state.stage == PLAY:
            return WORDS[action]
        return ("nothing", "blackjack")[action] if state.stage == PEEK else CARDS[action]

    def reason(self, state: State) -> str:
        if self.is_blackjack(state):
            return Sentence("blackjack")
        own, dealer = self.best_total(state.total, state.ace), self.best_total(state.dealer, state.dealer_ace)
        return Sentence("{} against {}", int(own), int(dealer))

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        cells = (
            Cell("dealer", 1.2, 0.8, "square", "felt", 1.2),
            Cell("player", 1.2, 2.6, "square", "felt", 1.2),
            Cell("first hand", 2.9, 2.6, "square", "felt", 1.2),
            Cell("stake", 2.9, 0.8, "circle"),
        )
        labels = (Label(0.3, 0.8, Sentence("Dealer")), Label(0.3, 2.6, Sentence("Player")))
        return Board(3.8, 3.4, cells, labels=labels, turns=False)

    def pieces(self, state: State) -> list[Piece]:
        found = [Piece(3, "text", text=str(state.stake + state.done_stake))]
        if state.dealer:
            found.append(Piece(0, "card", text=str(self.best_total(state.dealer, state.dealer_ace))))
        if state.total:
            found.append(Piece(1, "card", text=str(self.best_total(state.total, state.ace))))
        return [*found, Piece(2, "card", text=str(state.done))] if state.done else found
