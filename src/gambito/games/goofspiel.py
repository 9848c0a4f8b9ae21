"""Goofspiel: both players bid a card in secret for the prize of the round; the higher card takes it.

    4:3>? 3:1=1 2:?    the prize of each round, and the cards of both players with who won; ? is not seen

Each player has the cards 1 to n, and so has the stack of prizes. If both play the same card, nobody gets the
prize. The last cards are played without a choice. Who has more points at the end wins. With `shown`, both
cards of a round are shown after it; otherwise a player learns only who has won.
"""

from __future__ import annotations

from typing import NamedTuple

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.errors import GameError, PositionError
from gambito.game.contract import CHANCE, Game, quoted
from gambito.words import say
from gambito.words.sentence import Sentence

BITS, CARD = 4, 15  # the bits of a card, and all of them
NOBODY_WON, FIRST_WON, SECOND_WON = 1, 2, 3
MARKS = ".=><"  # of a round that is not over, and of those three
MOST_CARDS, MOST_HIDDEN = 13, 8  # with cards that are shown after each round, or not
ORDERS = ("descending", "ascending", "random")
BLANK, NOT_YET = "?", "-"
CARDS = BLANK + "123456789ABCD"


class State(NamedTuple):
    """Four bits for each round, the first one lowest: what was played, bid for and won."""

    first: int  # cards of the first player; 0: not played, or not seen
    second: int
    prizes: int  # 0: not turned up
    winners: int  # NOBODY_WON, FIRST_WON, SECOND_WON; 0: the round is not over
    ply: int  # the number of cards turned up and played


def at(cards, round):
    """The number of that round."""
    return (cards >> (BITS * round)) & CARD


def has(cards, card, rounds):
    """Is the card among those of the first rounds?"""
    for round in range(rounds):
        if at(cards, round) == card:
            return True
    return False


class Goofspiel(Game):
    """Both players bid a card in secret for the prize of the round."""

    name = "goofspiel"
    hidden = True
    value = float
    step = 1e-6
    lowest = -1.0
    highest = 1.0
    sides = ("First", "Second")
    measure = ("points", 1.0)

    def __init__(self, cards: int = 4, order: str = "descending", shown: bool = False) -> None:
        most = MOST_CARDS if shown else MOST_HIDDEN
        if not 2 <= cards <= most:
            raise GameError("goofspiel has from 2 to {} cards, not {}", most, cards)
        if order not in ORDERS:
            raise GameError("the order of the prizes is {}, not {}", ", ".join(ORDERS), quoted(order))
        self.cards, self.order, self.shown = cards, order, shown
        self.chance = order == "random"
        self.steps = 3 if self.chance else 2  # of a round: the prize is turned up, both play
        self.rounds = cards - 1  # in which players choose
        self.most_actions = self.most_outcomes = cards
        self.longest = self.steps * self.rounds

    # ---- rules -----------------------------------------------------------------------------------
    def initial(self):
        prizes = 0
        if not self.chance:
            for round in range(self.cards):
                prize = round + 1 if self.order == "ascending" else self.cards - round
                prizes |= prize << (BITS * round)
        return State(0, 0, prizes, 0, 0)

    def mover_at(self, ply):
        """Who acts at a ply: 0 or 1, or CHANCE if a prize is turned up."""
        return ply % self.steps - (self.steps - 2)

    def player(self, state):
        return 0 if self.is_terminal(state) else self.mover_at(state.ply)

    def is_terminal(self, state):
        return state.ply == self.steps * self.rounds

    def actions(self, state):
        mover, round = self.mover_at(state.ply), state.ply // self.steps
        gone = state.prizes if mover == CHANCE else state.first if mover == 0 else state.second
        for card in range(1, self.cards + 1):
            if not has(gone, card, round):
                yield card

    def chances(self, state):
        for card in self.actions(state):
            yield card, 1.0 / (self.cards - state.ply // self.steps)

    def result(self, state, action):
        first, second, prizes, winners, ply = state
        mover, round = self.mover_at(ply), ply // self.steps
        if mover == CHANCE:
            prizes |= action << (BITS * round)
        elif mover == 0:
            first |= action << (BITS * round)
        else:
            second |= action << (BITS * round)
            bid = at(first, round)
            won = FIRST_WON if bid > action else SECOND_WON if bid < action else NOBODY_WON
            winners |= won << (BITS * round)
        return State(first, second, prizes, winners, ply + 1)

    def left(self, cards):
        """The one card that is not among those of all rounds but the last."""
        for card in range(1, self.cards + 1):
            if not has(cards, card, self.rounds):
                return card
        return 0

    def utility(self, state, player):
        points = 0
        for round in range(self.rounds):
            won = at(state.winners, round)
            prize = at(state.prizes, round)
            points += prize if won == FIRST_WON else -prize if won == SECOND_WON else 0
        mine, other, prize = self.left(state.first), self.left(state.second), self.left(state.prizes)
        points += prize if mine > other else -prize if mine < other else 0
        won = 1.0 if points > 0 else -1.0 if points < 0 else 0.0
        return won if player == 0 else -won

    def observe(self, state, player):
        first, second, prizes, winners, ply = state
        over = (1 << (BITS * (ply // self.steps))) - 1 if self.shown else 0  # what both see
        return State(
            first if player == 0 else first & over,
            second if player == 1 else second & over,
            prizes,
            winners,
            ply,
        )

    def imagine(self, seen, player, rng):
        first, second, prizes, winners, ply = seen
        rounds, mover = ply // self.steps, self.mover_at(ply)
        mine, theirs = (first, second) if player == 0 else (second, first)
        if rounds > 0 and at(theirs, 0) == 0:
            theirs = self.imagine_played(mine, FIRST_WON if player == 0 else SECOND_WON, winners, rounds, rng)
        if player == 1 and mover == 1 and at(theirs, rounds) == 0:  # a card that was played just now
            theirs |= self.drawn(theirs, 1, self.cards, rng) << (BITS * rounds)
        first, second = (mine, theirs) if player == 0 else (theirs, mine)
        return State(first, second, prizes, winners, ply)

    def drawn(self, gone, low, high, rng):
        """A card from `low` to `high` that is not gone."""
        number = rng.below(self.fresh(gone, low, high))
        for card in range(low, high + 1):
            if not has(gone, card, self.cards):
                if number == 0:
                    return card
                number -= 1
        return 0

    def fresh(self, gone, low, high):
        """The number of cards from `low` to `high` that are not gone."""
        number = 0
        for card in range(low, high + 1):
            if not has(gone, card, self.cards):
                number += 1
        return number

    def imagine_played(self, mine, i_won, winners, rounds, rng):
        """Cards with which the other player won and lost these rounds, every way of it with the same chance.

        Cards below one of mine are drawn from the lowest of mine on: then the number of choices does not
        depend on the earlier ones. Cards above one of mine are drawn from the highest on, and may find some
        choices taken; so the whole is accepted with the share of the choices that were left.
        """
        while True:
            theirs, share = 0, 1.0
            for round in range(rounds):
                if at(winners, round) == NOBODY_WON:
                    theirs |= at(mine, round) << (BITS * round)
            free = theirs  # without the cards below mine
            for card in range(1, self.cards + 1):
                for round in range(rounds):
                    if at(mine, round) == card and at(winners, round) == i_won:
                        theirs |= self.drawn(theirs, 1, card - 1, rng) << (BITS * round)
            for card in range(self.cards, 0, -1):
                for round in range(rounds):
                    won = at(winners, round)
                    if at(mine, round) == card and won != i_won and won != NOBODY_WON and share > 0.0:
                        left = self.fresh(theirs, card + 1, self.cards)
                        share *= left / self.fresh(free, card + 1, self.cards)
                        if left > 0:
                            taken = self.drawn(theirs, card + 1, self.cards, rng) << (BITS * round)
                            theirs, free = theirs | taken, free | taken
            if rng.fraction() < share:
                return theirs

    # ---- text ------------------------------------------------------------------------------------
    def words(self, state):
        """The rounds so far: `4:3>?`: for prize 4 the first player's 3 beat a card that is not seen."""
        found = []
        for round in range(-(-state.ply // self.steps)):
            step = state.ply - round * self.steps - (self.steps - 2)  # cards played in this round
            first, second = (CARDS[at(cards, round)] for cards in (state.first, state.second))
            played = ("", first, f"{first}{MARKS[at(state.winners, round)]}{second}")[max(0, min(step, 2))]
            found.append(f"{CARDS[at(state.prizes, round)]}:{played}")
        return found

    def text(self, state):
        return " ".join(self.words(state)) or NOT_YET

    def show(self, state):
        first, second = self.gained(state)
        return f"{self.text(state)}\n{say('first {}, second {}', first, second)}"

    def gained(self, state):
        """The points of both players in the rounds so far."""
        gained = [0, 0]
        for round in range(self.rounds):
            won = at(state.winners, round)
            if won > NOBODY_WON:
                gained[won - FIRST_WON] += int(at(state.prizes, round))
        return gained

    def reason(self, state):
        return Sentence("all cards are played")

    def parse(self, text):
        """The rounds so far, each its prize, the first player's card, who won, the second's: `4:3>? 3:1`."""
        words = text.split() if text.strip() != NOT_YET else []
        state = self.initial()
        if len(words) > self.rounds:
            raise PositionError("{} is impossible: players choose in {} rounds", quoted(text), self.rounds)
        for number, word in enumerate(words):
            state = self.with_round(state, word, number == len(words) - 1, text)
        for cards, others, sign in ((state.first, state.second, 1), (state.second, state.first, -1)):
            if not self.is_possible(cards, others, sign, state.winners, state.ply // self.steps):
                raise PositionError("{} is impossible: no such cards are left", quoted(text))
        return state

    def with_round(self, state, word, is_last, text):
        """The state after the round that a word tells."""
        prize, _, played = word.upper().partition(":")
        marks = [mark for mark in MARKS[1:] if mark in played]
        cards = played.split(marks[0]) if marks else [played] if played else []
        every = CARDS[1 : self.cards + 1]
        is_whole = len(marks) == 1 and len(cards) == 2
        if (
            len(prize) != 1 or prize not in every or any(len(c) != 1 or c not in BLANK + every for c in cards)
            or not (is_whole or (is_last and not marks and len(cards) <= 1 and (cards or self.chance)))
        ):  # fmt: skip
            raise PositionError(
                "{} is no position of goofspiel; accepted: rounds as 4:3>?, with cards from 1 to {}",
                quoted(text), every[-1],
            )  # fmt: skip
        first, second, prizes, winners, ply = state
        round = ply // self.steps
        numbers = [CARDS.index(card) for card in cards]
        gone = [prizes if self.chance else 0, first, second]
        if any(n and has(g, n, round) for n, g in zip([CARDS.index(prize), *numbers], gone, strict=False)):
            raise PositionError("{} is impossible: every card is played once", quoted(text))
        if not self.chance and at(prizes, round) != CARDS.index(prize):
            raise PositionError(
                "{} is impossible: the prize is {} in that round", quoted(text), at(prizes, round)
            )
        prizes |= CARDS.index(prize) << (BITS * round)
        first |= (numbers[0] if numbers else 0) << (BITS * round)
        if is_whole:
            second |= numbers[1] << (BITS * round)
            winners |= MARKS.index(marks[0]) << (BITS * round)
        return State(first, second, prizes, winners, ply + self.steps - 2 + len(cards))

    def is_possible(self, cards, others, sign, winners, rounds):
        """Can cards that are not seen have won and lost as told? The most bound one is chosen first."""
        spans = []
        for round in range(rounds):
            won, other = at(winners, round), at(others, round)
            lead = 0 if won == NOBODY_WON else sign if won == FIRST_WON else -sign
            low = 1 if not other or lead < 0 else other + (lead > 0)
            high = self.cards if not other or lead > 0 else other - (lead < 0)
            own = at(cards, round)
            if own and not low <= own <= high:
                return False
            spans.append((own, own) if own else (low, high))
        free = set(range(1, self.cards + 1))
        for low, high in sorted(spans, key=lambda span: span[1]):
            fitting = [card for card in sorted(free) if low <= card <= high]
            if not fitting:
                return False
            free.remove(fitting[0])
        return True

    def write(self, state, action):
        return CARDS[action]

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self):
        """A column for each round: its prize, and the cards of both players."""
        rows = ("prize", "first", "second")
        cells = [
            Cell(f"{row} {column + 1}", 2.0 + column, 0.6 + y, "square", "felt" if y == 0 else "plain")
            for y, row in enumerate(rows)
            for column in range(self.rounds)
        ]
        names = (Sentence("Prize"), *self.sides)
        labels = tuple(Label(0.7, 0.6 + y, name) for y, name in enumerate(names))
        return Board(1.7 + self.rounds, 3.2, tuple(cells), labels=labels, turns=False)

    def pieces(self, state):
        found = []
        for round in range(self.rounds):
            step = state.ply - round * self.steps - (self.steps - 2)  # cards played in this round
            rows = (state.prizes, state.first, state.second)
            for row, cards in enumerate(rows):
                if at(cards, round) or step >= row > 0:
                    side = row - 1 if at(state.winners, round) == row + 1 else -1
                    found.append(Piece(row * self.rounds + round, "card", side, CARDS[at(cards, round)]))
        return found

    def remarks(self, state):
        return Sentence("points {} and {}", *self.gained(state))
