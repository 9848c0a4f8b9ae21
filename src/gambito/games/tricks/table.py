"""A table with four hands: what games of tricks share of deal, view, text and picture.

               N                 players 0 to 3 are South, West, North and East; they sit clockwise
            W     E              and the cards of a trick lie in the middle, each before its player
               S

A game gives a state with the fields `hand_0` to `hand_3`, `gone` (the cards that everybody has seen played),
`trick` and `lacks`, and the rules. `lacks` has eight bits for each player: groups of cards that the player
has shown not to hold. It does not know what tricks are worth, nor what comes before them.
"""

from __future__ import annotations

from typing import Any

from gambito.boards.picture import Board, Cell, Label, Piece
from gambito.game.contract import Game
from gambito.native import int64, uint64
from gambito.words import say, tell

from .cards import (
    DECK,
    EVERY,
    RANK,
    RANKS,
    SEATS,
    SIGNS,
    SUIT_SETS,
    card_at,
    card_name,
    count_shares,
    hand_text,
    listed,
    read_hand,
    share_cards,
    size_of,
    trick_size,
)

GROUPS = 8  # bits of a player in `lacks`
BLANK, NONE = "?", "-"
WIDE, NARROW = 0.82, 0.6  # the sizes of cards: of South and North, of West and East


class Seats(Game):
    """Four hands around a table: how they are written and drawn."""

    seats = ("South", "West", "North", "East")

    # ---- hands -----------------------------------------------------------------------------------
    def hand(self, state, player):
        if player == 0:
            return state.hand_0
        if player == 1:
            return state.hand_1
        return state.hand_2 if player == 2 else state.hand_3

    def cards_of_hand(self, state, player):
        """How many cards a player has, seen or not; each game says."""
        return size_of(self.hand(state, player))

    # ---- text ------------------------------------------------------------------------------------
    def hand_texts(self, state: Any) -> list[str]:
        """The hands as `AK.T9..42`, with `?` and a number for the cards that are not seen."""
        told = []
        for player in range(SEATS):
            cards = self.hand(state, player)
            unseen = int(self.cards_of_hand(state, player)) - int(size_of(cards))
            told.append((hand_text(cards) if cards else "") + (f"{BLANK}{unseen}" if unseen > 0 else ""))
        return [text or NONE for text in told]

    def read_known(self, text: str) -> tuple[int, int] | None:
        """The cards of a hand's text, and how many are not seen."""
        known, mark, unseen = text.partition(BLANK)
        cards = 0 if known in ("", NONE) else read_hand(known)
        if cards is None or (mark and unseen not in _COUNTS) or not (known or mark):
            return None
        return cards, int(unseen) if mark else 0

    def trick_text(self, trick: int, leader: int) -> str:
        cards = (card_name(int(card_at(trick, place))) for place in range(int(trick_size(trick))))
        return f"{self.seats[leader][0]}:{''.join(cards)}"

    def leader(self, state: Any) -> int:
        """Who led the trick on the table; each game says."""
        raise NotImplementedError

    def tally(self, state: Any, player: int) -> str:
        """What the picture tells beside a player's name: points or tricks."""
        return ""

    def show(self, state: Any) -> str:
        """The hands as in a newspaper, the trick in the middle."""
        told = self.hand_texts(state)
        names = [
            f"{tell(name)} {self.tally(state, p)}".rstrip() + f"  {told[p]}"
            for p, name in enumerate(self.seats)
        ]
        trick = self.trick_text(int(state.trick), self.leader(state)) if state.trick else NONE
        return "\n".join([*names, say("trick: {}", trick)])

    # ---- picture ---------------------------------------------------------------------------------
    def picture(self) -> Board:
        """The hands around the table, 13 cells each from the left or from above; then trick and tallies."""
        middle = 5.5
        rows = {0: 9.5, 2: 0.5}
        cells: list[Cell] = []
        for player, side in enumerate(self.seats):
            for place in range(RANK):
                name = f"{side} {place + 1}"
                if player in rows:
                    cells.append(Cell(name, middle + (place - 6) * WIDE, rows[player], "none", size=WIDE))
                else:
                    x = 0.5 if player == 1 else 2 * middle - 0.5
                    cells.append(Cell(name, x, 5 + (place - 6) * NARROW, "none", size=NARROW))
        for side, x, y in zip(self.seats, (0, -1.2, 0, 1.2), (1.1, 0, -1.1, 0), strict=True):
            cells.append(Cell(f"{side}'s card", middle + x, 5 + y, "square", "felt", 1.05))
        for side, x, y in zip(self.seats, (0, -3.3, 0, 3.3), (2.6, 0.5, -2.6, 0.5), strict=True):
            cells.append(Cell(f"{side}'s points", middle + x, 5 + y, "none", size=0.9))
        spots = ((0, 3.2), (-3.3, 0), (0, -3.1), (3.3, 0))
        labels = tuple(Label(middle + x, 5 + y, side) for side, (x, y) in zip(self.seats, spots, strict=True))
        return Board(2 * middle, 10, tuple(cells), labels=labels, turns=False)

    def card_face(self, card: int) -> str:
        return RANKS[card % RANK] + SIGNS[card // RANK]

    def pieces(self, state: Any) -> list[Piece]:
        found = []
        for player in range(SEATS):
            cards = [self.card_face(card) for card in listed(self.hand(state, player))]
            cards += [BLANK] * (int(self.cards_of_hand(state, player)) - len(cards))
            first = player * RANK + (RANK - len(cards)) // 2
            found += [Piece(first + n, "card", text=card) for n, card in enumerate(cards)]
        leader = self.leader(state)
        for place in range(int(trick_size(state.trick))):
            cell = SEATS * RANK + (leader + place) % SEATS
            found.append(Piece(cell, "card", text=self.card_face(int(card_at(state.trick, place)))))
        tallies = enumerate(self.tally(state, player) for player in range(SEATS))
        return found + [Piece(SEATS * (RANK + 1) + p, "text", text=t) for p, t in tallies if t]

    def cell_of(self, state: Any, player: int, card: int) -> int:
        """The cell of a card in a player's hand."""
        cards, count = listed(self.hand(state, player)), int(self.cards_of_hand(state, player))
        return player * RANK + (RANK - count) // 2 + cards.index(card)


class TrickGame(Seats):
    """Four players with thirteen cards each."""

    players = SEATS
    hidden = True
    recalls = False  # an observation does not tell the order in which cards were played
    chance = True
    most_outcomes = DECK
    sides = Seats.seats
    groups = SUIT_SETS  # the groups of cards that `lacks` tells apart
    group_names = "cdhs"

    def barred(self, lacks, player):
        """The cards that a player cannot hold."""
        cards = uint64(0)
        for group in range(len(self.groups)):
            if lacks >> GROUPS * player + group & 1:
                cards |= self.groups[group]
        return cards

    def lacking(self, player, cards):
        """The bits of `lacks` that say that a player holds none of these whole groups."""
        bits = int64(0)
        for group in range(len(self.groups)):
            if self.groups[group] & ~cards == uint64(0):
                bits |= int64(1) << GROUPS * player + group
        return bits

    def dealt(self, seen, player, known, rng):
        """Four hands that fit what a player sees; `known` is its view of the hands, maybe with more cards."""
        one, two, three = (player + 1) % SEATS, (player + 2) % SEATS, (player + 3) % SEATS
        pool = EVERY & ~(seen.gone | known[0] | known[1] | known[2] | known[3])
        needs = (
            self.cards_of_hand(seen, one) - size_of(known[one]),
            self.cards_of_hand(seen, two) - size_of(known[two]),
            self.cards_of_hand(seen, three) - size_of(known[three]),
        )
        barred = (self.barred(seen.lacks, one), self.barred(seen.lacks, two), self.barred(seen.lacks, three))
        first, second, third = share_cards(pool, needs, barred, rng)
        own, first = known[player], first | known[one]
        second, third = second | known[two], third | known[three]
        if player == 0:
            return own, first, second, third
        if player == 1:
            return third, own, first, second
        if player == 2:
            return second, third, own, first
        return first, second, third, own

    def can_deal(self, gone: int, lacks: int, hands: list[int], unseen: list[int]) -> bool:
        """Can the cards that are not seen be dealt to hands that do not lack them?"""
        pool = int(EVERY) & ~(sum(hands) + gone)
        if pool.bit_count() != sum(unseen):
            return False
        blind = [player for player in range(SEATS) if unseen[player]]
        free = [pool & ~int(self.barred(lacks, player)) for player in blind]
        if len(blind) == SEATS:  # a spectator's view: nothing is known that could be wrong
            return all(cards.bit_count() >= unseen[player] for player, cards in enumerate(free))
        a, b, c = (*free, 0, 0, 0)[:3]
        if (a | b | c) != pool:
            return False
        sole = [a & ~b & ~c, b & ~a & ~c, c & ~a & ~b]
        needs = [*(unseen[player] for player in blind), 0, 0, 0]
        left = [need - one.bit_count() for need, one in zip(needs, sole, strict=False)]
        sizes = tuple(int(x).bit_count() for x in (a & b & ~c, a & c & ~b, b & c & ~a, a & b & c))
        return min(left) >= 0 and count_shares(left[0], left[1], sizes, -1.0)[0] > 0.0

    def lacks_text(self, lacks: int) -> str:
        named = [
            "".join(n for g, n in enumerate(self.group_names) if lacks >> GROUPS * player + g & 1)
            for player in range(SEATS)
        ]
        return ",".join(name or NONE for name in named)

    def read_lacks(self, text: str) -> int | None:
        parts, lacks = text.split(","), 0
        if len(parts) != SEATS:
            return None
        for player, part in enumerate(parts):
            names = "" if part == NONE else part.lower()
            if (
                set(names) - set(self.group_names)
                or len(set(names)) != len(names)
                or not (names or part == NONE)
            ):
                return None
            lacks |= sum(1 << GROUPS * player + self.group_names.index(name) for name in names)
        return lacks


_COUNTS = {str(count) for count in range(1, RANK + 1)}
