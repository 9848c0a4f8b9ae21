"""The texts and the picture of hearts: positions, moves, and what cannot be.

A position is `deal`, `pass5` or `play` and then the hands; in play also what was played and shown. It knows
the state, and asks the rules of `hearts.py` for the number of cards in a hand only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gambito.errors import PositionError
from gambito.game.contract import quoted
from gambito.game.numerals import read_whole
from gambito.words.sentence import Sentence

from .cards import (
    DECK,
    NO_TRUMP,
    RANK,
    SEATS,
    SUIT_SETS,
    card_at,
    card_name,
    hand_text,
    listed,
    read_cards,
    read_hand,
    trick_of,
    trick_size,
    trick_winner,
)
from .table import NONE, TrickGame

PASSING = {"left": 1, "across": 2, "right": 3, "hold": 0}  # how many seats further the cards go
PASSED = 3  # cards of each player
CLUBS, DIAMONDS, HEARTS, SPADES = SUIT_SETS
TWO_OF_CLUBS = 0
QUEEN_OF_SPADES = 3 * RANK + 10
QUEEN = np.uint64(1 << QUEEN_OF_SPADES)
COSTLY = HEARTS | QUEEN
QUEEN_COSTS, ALL_POINTS = 13, 26
POINTS, SPLIT = 5, 20  # bits of a player's points; the bit that says that two players have some
PHASES = ("deal", "pass", "play")


class State(NamedTuple):
    """The hands, what was played and passed, and the points. In an observation unseen cards are blank."""

    hand_0: np.uint64
    hand_1: np.uint64
    hand_2: np.uint64
    hand_3: np.uint64
    gone: np.uint64  # cards that were played
    passed: np.uint64  # cards that were chosen to be passed, and are still in a hand
    trick: int  # the cards on the table; a whole trick stays there until the next lead
    lacks: int  # groups of cards that players have shown not to hold
    points: int  # five bits for each player, and the bit SPLIT
    ply: int  # cards dealt, passed and played
    mover: int


class HeartsText(TrickGame):
    """How hearts is written and drawn."""

    title = "Hearts"
    groups = (CLUBS, DIAMONDS, HEARTS, SPADES & ~QUEEN, QUEEN)
    group_names = "cdhsq"
    further: int  # seats that passed cards go; 0: none are passed
    first_play: int  # the ply of the first lead

    def taken(self, points, player):
        """The points of a player."""
        return points >> POINTS * player & 31

    # ---- text ------------------------------------------------------------------------------------
    def phase(self, state: Any) -> int:
        return 0 if state.ply < DECK else 1 if state.ply < self.first_play else 2

    def leader(self, state: Any) -> int:
        """Who led the trick on the table, or is to lead the first."""
        if state.ply < self.first_play:
            return 0
        size = int(trick_size(state.trick))
        if size == SEATS:  # the winner moves
            return int(state.mover - trick_winner(state.trick, NO_TRUMP)) % SEATS
        return int(state.mover - size) % SEATS

    def tally(self, state: Any, player: int) -> str:
        return str(int(self.taken(state.points, player)))

    def text(self, state: State) -> str:
        phase = self.phase(state)
        name = f"{PHASES[phase]}{state.ply - DECK if phase == 1 else ''}"
        hands = " ".join(self.hand_texts(state))
        if phase == 0:
            return f"{name} {hands}"
        passed = hand_text(int(state.passed)) if state.passed else NONE
        if phase == 1:
            return f"{name} {hands} {passed}"
        trick = self.trick_text(int(state.trick), self.leader(state))
        gone = hand_text(int(state.gone)) if state.gone else NONE
        points = ",".join(self.tally(state, player) for player in range(SEATS))
        return f"{name} {hands} {passed} {gone} {trick} {points} {self.lacks_text(int(state.lacks))}"

    def parse(self, text: str) -> State:
        """`deal`, `pass5` or `play`; the hands; cards passed; cards gone; the trick; points; what is lacking.

        The last four are told in play only, and the cards passed not in the deal.
        """
        words = text.split()
        phase = next((n for n, name in enumerate(PHASES) if words and words[0].startswith(name)), -1)
        wrong = PositionError(
            "{} is no position of hearts; accepted: {}", quoted(text),
            "deal - - - -, pass0 … -, play … - - S: 0,0,0,0 -,-,-,-",
        )  # fmt: skip
        if phase < 0 or len(words) != (5, 6, 10)[phase]:
            raise wrong
        told = [self.read_known(word) for word in words[1:5]]
        number = (
            read_whole(words[0][4:], PASSED * SEATS - 1) if phase == 1 else 0 if words[0][4:] == "" else None
        )
        passed = self._read_set(words[5]) if phase else 0
        if None in told or number is None or passed is None or (phase == 1 and not self.further):
            raise wrong
        hands = [cards for cards, _ in filter(None, told)]
        unseen = [count for _, count in filter(None, told)]
        if phase == 2:
            state = self._read_play(words, hands, passed)
            if state is None:
                raise wrong
        else:
            ply = sum(c.bit_count() for c in hands) if phase == 0 else DECK + number
            mover = number // PASSED
            if phase == 0 and ply == DECK == self.first_play:
                raise wrong
            state = _state(hands, 0, passed, 0, 0, 0, ply, mover)
            if phase == 0 and (ply >= DECK or any(unseen)):
                raise wrong
        self._check_position(state, hands, unseen, text)
        return state

    def _read_set(self, word: str) -> int | None:
        return 0 if word == NONE else read_hand(word)

    def _read_play(self, words: list[str], hands: list[int], passed: int) -> State | None:
        """The state in play that the words of a text tell, if they can be read."""
        gone, lacks = self._read_set(words[6]), self.read_lacks(words[9])
        leader, mark, names = words[7].partition(":")
        compass = "".join(side[0] for side in self.sides)
        cards, counts = read_cards(names), [read_whole(n, ALL_POINTS) for n in words[8].split(",")]
        if None in (gone, lacks, cards) or None in counts or len(counts) != SEATS or not mark:
            return None
        if (
            len(leader) != 1
            or leader.upper() not in compass
            or gone is None
            or lacks is None
            or cards is None
        ):
            return None
        if len(cards) > SEATS or len(set(cards)) != len(cards):
            return None
        if not cards and gone:
            return None
        trick = trick_of(cards)
        won = int(trick_winner(trick, NO_TRUMP)) if len(cards) == SEATS else len(cards)
        mover = (compass.index(leader.upper()) + won) % SEATS
        points = sum((count or 0) << POINTS * p for p, count in enumerate(counts))
        points |= (sum(1 for count in counts if count) > 1) << SPLIT
        return _state(hands, gone, passed, trick, lacks, points, self.first_play + gone.bit_count(), mover)

    def _check_position(self, state: State, hands: list[int], unseen: list[int], text: str) -> None:
        """Refuse a position that cannot be."""
        known, gone = sum(hands) + int(state.gone), int(state.gone)
        wanted = [int(self.cards_of_hand(state, p)) for p in range(SEATS)]
        held = [cards.bit_count() + more for cards, more in zip(hands, unseen, strict=True)]
        on_table = [int(card_at(state.trick, n)) for n in range(int(trick_size(state.trick)))]
        if known != hands[0] | hands[1] | hands[2] | hands[3] | gone:
            raise PositionError("{} is impossible: every card is there once", quoted(text))
        if held != wanted or any(not gone >> card & 1 for card in on_table):
            raise PositionError("{} is impossible: the players take turns", quoted(text))
        if (gone.bit_count() - len(on_table)) % SEATS:
            raise PositionError("{} is impossible: a trick has four cards", quoted(text))
        if int(state.passed) & ~(known & ~gone) or not self._may_pass(state, hands, unseen):
            raise PositionError("{} is impossible: those cards cannot have been passed", quoted(text))
        if state.ply < self.first_play:
            return
        if state.ply == self.first_play and not hands[state.mover] & 1 and not unseen[state.mover]:
            raise PositionError("{} is impossible: who has the two of clubs leads", quoted(text))
        swept = gone & ~sum(1 << card for card in on_table) if len(on_table) < SEATS else gone
        cost = (swept & int(HEARTS)).bit_count() + QUEEN_COSTS * (swept >> QUEEN_OF_SPADES & 1)
        if sum(int(self.taken(state.points, p)) for p in range(SEATS)) != cost:
            raise PositionError("{} is impossible: {} points were taken", quoted(text), cost)
        if any(hands[p] & int(self.barred(state.lacks, p)) for p in range(SEATS)) or not self._can_deal(
            state, hands, unseen
        ):
            raise PositionError("{} is impossible: a player holds what it lacks", quoted(text))

    def _may_pass(self, state: State, hands: list[int], unseen: list[int]) -> bool:
        for player in range(SEATS):
            chosen = (int(state.passed) & hands[player]).bit_count()
            most = PASSED if self.further and state.ply > DECK else 0
            if state.ply < self.first_play:
                most = max(0, min(PASSED, state.ply - DECK - PASSED * player))
            if chosen > most or (state.ply < self.first_play and not unseen[player] and chosen < most):
                return False
        return True

    def _can_deal(self, state: State, hands: list[int], unseen: list[int]) -> bool:
        """Can the cards that are not seen be dealt, and the two of clubs to who leads it?"""
        is_unseen = not (sum(hands) | int(state.gone)) & 1
        if state.ply == self.first_play and is_unseen and not unseen[int(state.mover)]:
            return False
        return self.can_deal(int(state.gone), int(state.lacks), hands, unseen)

    def write(self, state: State, action: int) -> str:
        return card_name(action)

    def read(self, state: State, text: str) -> int:
        """A card, in capitals or not."""
        return super().read(state, text.strip().upper())

    def reason(self, state: State) -> str:
        for player in range(SEATS):
            if self.taken(state.points, player) == ALL_POINTS:
                return Sentence("a player has taken all points")
        return Sentence("all cards are played")

    def remarks(self, state: State) -> str:
        """The cards that the player to move has chosen to pass; the picture shows the rest."""
        chosen = self.hand(state, state.mover) & state.passed if self.phase(state) == 1 else 0
        cards = " ".join(self.card_face(card) for card in listed(chosen))
        return Sentence("to be passed: {}", cards) if cards else ""

    # ---- picture ---------------------------------------------------------------------------------
    def touch(self, state: State, action: int) -> tuple[int, ...]:
        if state.ply < DECK:
            return ()
        return (self.cell_of(state, int(state.mover), action),)

    def arrows(self, state: State, action: int) -> tuple[tuple[int, ...], ...]:
        if state.ply < self.first_play:
            return tuple((cell,) for cell in self.touch(state, action))
        return ((*self.touch(state, action), SEATS * RANK + int(state.mover)),)


def _state(hands: list[int], gone: int, passed: int, *rest: int) -> State:
    first, second, third, fourth = map(np.uint64, hands)
    return State(first, second, third, fourth, np.uint64(gone), np.uint64(passed), *rest)
