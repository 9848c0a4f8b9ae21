"""Endings of bridge that tell PIMC from alpha-mu: a guess that a player need not make.

South plays 3NT and needs three of the last four tricks. In one suit it has ace and jack, the dummy king and
ten (or the other way round), and one opponent has the queen. In another suit both have a small card, and one
opponent the ace. Who leads the first suit must guess the queen. PIMC believes that it will guess right in
every deal, because it plays each with open cards (strategy fusion). The safe play is the small card of the
other suit: who wins it has to lead the first suit, and there is nothing left to guess.
"""

from __future__ import annotations

from itertools import combinations

import pytest

import gambito
from gambito.game.registry import load
from gambito.games.tricks.cards import hand_text

RANKS = "23456789TJQKA"
SUITS = "CDHS"
MANY = 1 << 40  # nodes: a limit instead of the usual seconds
HOLDINGS = (("AJ2", "KT3"), ("KT3", "AJ2"), ("AT2", "KJ3"))


def cards(suit: str, ranks: str) -> int:
    return sum(1 << 13 * SUITS.index(suit) + RANKS.index(rank) for rank in ranks)


def ending(guessed: str, left: str, south: str, north: str) -> str:
    """The position as South sees it: the opponents have the other cards of the first suit and one ace."""
    mine, dummy = cards(guessed, south) | cards(left, "2"), cards(guessed, north) | cards(left, "3")
    theirs = cards(guessed, RANKS) & ~(mine | dummy) | cards(left, "A")
    gone = ((1 << 52) - 1) & ~(mine | dummy | theirs)
    last = next(suit for suit in SUITS if suit not in (guessed, left))
    trick = [cards(last, rank) for rank in "A234"]  # South leads and wins it
    rest = [card for card in range(52) if (gone & ~sum(trick)) >> card & 1]
    played = [trick[seat] | sum(1 << card for card in rest[seat::4]) for seat in range(4)]
    shown = ",".join(map(hand_text, played))
    names = "".join(f"{rank}{last}" for rank in "A234")
    hands = f"{hand_text(mine)} ?4 {hand_text(dummy)} ?4"
    return f"play {hands} Pass-Pass-3NT-Pass-Pass-Pass {shown} S:{names} 6 -,-,-,-"


PAIRS = list(combinations(SUITS, 2))
DEALS = [(pair, holding) for pair in PAIRS for holding in HOLDINGS]


@pytest.mark.parametrize(("pair", "holding"), DEALS[::5])
def test_alpha_mu_does_not_guess(pair, holding):
    game = load("bridge")
    state = game.parse(ending(*pair, *holding))
    found = gambito.search(game, state, "alpha-mu", worlds=12, moves=2, nodes=MANY)
    assert game.write(state, found.action) == f"2{pair[1]}"
    assert found.value == 400.0  # the contract is made in every deal


def test_pimc_believes_that_it_guesses_right():
    game = load("bridge")
    state = game.parse(ending("C", "H", "AJ2", "KT3"))
    found = gambito.search(game, state, "pimc", worlds=12, nodes=MANY)
    values = {game.write(state, one.action): one.value for one in found.candidates}
    assert values["2C"] == values["2H"] == 400.0
    seen = gambito.search(game, state, "alpha-mu", worlds=12, moves=2, nodes=MANY)
    values = {game.write(state, one.action): one.value for one in seen.candidates}
    assert values["2H"] == 400.0 and values["2C"] < 300.0
