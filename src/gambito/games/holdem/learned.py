"""What a player of hold'em needs who has learned a strategy: the game with buckets, and the past of a hand.

The game with buckets has the same states, with the buckets filled in. `decisions` tells what was done before,
in states without hands, so that a strategy can be asked how likely every hand did it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple, Self

import numpy as np

from gambito.game_tools.poker.cards import HANDS, HIGH, LOW, SETS, set_of
from gambito.game_tools.poker.gear import gear
from gambito.native import native

from .buckets import bucket_of
from .state import BUCKET, CARD, RIVER, State
from .text import HoldemText

LEARNED = 8  # levels of strength of the strategies that are learned


@native
def bucket_all(gear, board, cards, levels, found):
    """The bucket of every hand on a board of so many cards; -1 if they share one."""
    for hand in range(HANDS):
        if SETS[hand] & board:
            found[hand] = -1
        else:
            found[hand] = bucket_of(HIGH[hand], LOW[hand], SETS[hand], board, cards, levels)


@cache
def _buckets_on(cards: tuple[int, ...], levels: int) -> Any:
    found = np.zeros(HANDS, np.int64)
    bucket_all(gear("native"), set_of(cards), len(cards), levels, found)
    return found


class Spotted(NamedTuple):
    """A river as a spot: what it needs beside the ranges."""

    board: tuple[int, ...]
    pot: int
    stack: int  # that each has left
    first: int  # the seat that acts first
    sizes: tuple[float, ...]  # of bets, as shares of the pot
    most: int  # bets and raises
    line: str  # what was done on the river so far


class Learned(HoldemText):
    """What is asked by a player with a strategy."""

    stack: int
    limit: bool
    bets: str
    sizes: tuple[int, ...]
    most_bets: int

    def coarser(self) -> Self:
        """The game with buckets, whose strategies are played in this one."""
        return type(self)(self.seats, self.stack, self.limit, self.bets, LEARNED)  # type: ignore[call-arg]

    def recast(self, state: State) -> State:
        """A state of the game without buckets, with the buckets of the hands that are seen."""
        if state.dealt < self.hole:
            return state
        return state._replace(buckets=int(self.all_buckets(state.hands, state.more, *self.bucketed(state))))

    def decisions(self, state: State) -> Iterator[tuple[State, int]]:
        """Every decision so far as a state without hands, and what was done."""
        now = self.initial()._replace(dealt=self.hole)
        for street in range(4):
            for action in self.moves_on(state, street):
                yield now, action
                now = self.after_move(now, action)
            dealt = self.wanted(now)
            shown = state.board & ((1 << CARD * (dealt - self.hole)) - 1)
            now = now._replace(dealt=dealt, board=shown)

    def hand_buckets(self, state: State) -> Any:
        """The bucket of every one of the 1,326 hands on the board of a state."""
        board = [card - 1 for card in self.board_cards(state)]
        return _buckets_on(tuple(sorted(board)), self.buckets)

    def in_bucket(self, state: State, seat: int, bucket: int) -> State:
        """The state with a hand of that bucket in a seat."""
        return state._replace(buckets=bucket << BUCKET * seat)

    def spotted(self, state: State) -> Spotted | None:
        """The river of two players without a limit as a spot; None: it is none."""
        if self.seats != 2 or self.limit or state.street != RIVER or self.is_deal(state):
            return None
        now, names = None, []
        for now, action in self.decisions(state):
            if now.street == RIVER:
                names.append(self.write(now, action))
        board = tuple(card - 1 for card in self.board_cards(state))
        base = int(state.base)
        sizes = tuple(size / 100 for size in self.sizes if size)
        return Spotted(board, 2 * base, self.chips - base, 1, sizes, self.most_bets, ", ".join(names))
