"""Claims at bridge: a player says how many of the tricks that are left its side takes, and the play ends.

A claim is judged with open cards, in the deal itself and in deals that fit what the player sees: in all of
them the side must be able to take so many tricks. So nobody learns by a claim where a card lies, and a claim
that rests on luck is refused. Each deal is played with open cards, so a guess counts as made. After an
accepted claim the rest is played out: the side takes what it claimed, or a trick more where it cannot lose
that.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gambito.errors import PositionError
from gambito.game.contract import Game, game_name
from gambito.game.gears import gears
from gambito.game_tools.bridge.contracts import SEATS, STRAINS
from gambito.game_tools.bridge.tables import DEALT, WHOLE, DoubleDummy
from gambito.native.random import new_random

DEALS = 20  # that fit what a player sees
TABLE_MEBIBYTES = 64  # MiB


class Verdict(NamedTuple):
    """Whether a claim holds, in how many deals it does not, and the rest of the play if it does."""

    is_accepted: bool
    deals: int
    short: int
    cards: list[int]


def tricks_left(game: Game, state: Any) -> int:
    """The tricks that can be claimed, the one on the table included; 0 if this is not the play of bridge."""
    if game_name(type(game)) != DEALT:
        return 0
    rules: Any = game
    if not rules.is_play(state) or rules.is_terminal(state):
        return 0
    return WHOLE - int(state.gone).bit_count() // len(SEATS)


def claim(game: Any, state: Any, player: int, tricks: int, seed: int = 1) -> Verdict:
    """Judge the claim of a player who is to move: its side takes this many of the tricks that are left."""
    left = tricks_left(game, state)
    if not left or int(game.player(state)) != player:
        raise PositionError("tricks are claimed in the play of bridge, by the player whose turn it is")
    if not 0 <= tricks <= left:
        raise PositionError("a claim is a number of tricks from 0 to {}, not {}", left, tricks)
    judge = _Judge(game, state, player, tricks)
    seen, rng = gears(game).cast(game.observe(state, player)), new_random(seed)
    short = sum(not judge.holds(game.imagine(seen, player, rng)) for _ in range(DEALS))
    is_accepted = not short and judge.holds(state)
    return Verdict(is_accepted, DEALS, short, judge.rest(state) if is_accepted else [])


class _Judge:
    """What a claim comes to in a deal with open cards."""

    def __init__(self, game: Any, state: Any, player: int, tricks: int) -> None:
        self.game, self.sign = game, 1 if player % 2 == 0 else -1
        self.solver = DoubleDummy(STRAINS[(int(state.bid) - 1) % 5], TABLE_MEBIBYTES)
        theirs = tricks_left(game, state) - tricks
        self.goal = self.sign * (int(state.tricks) + (tricks if self.sign > 0 else theirs))

    def gain(self, open_state: Any) -> int:
        """The tricks of South and North in all; for the other side with a minus."""
        return self.sign * self.solver.value(open_state, self.sign * self.goal)

    def holds(self, state: Any) -> bool:
        return self.gain(self.game.opened(state)) >= self.goal

    def rest(self, state: Any) -> list[int]:
        """Cards to the end with which the side takes what it claims: more only where it cannot lose it."""
        rules, found, state = self.solver.rules, list[int](), self.game.opened(state)
        while not rules.is_terminal(state):
            gains = {card: self.gain(rules.result(state, card)) for card in rules.legal(state)}
            enough = [card for card, gain in gains.items() if gain >= self.goal]
            found.append(min(enough, key=lambda card: (gains[card], card % WHOLE)))
            state = rules.result(state, found[-1])
        return found
