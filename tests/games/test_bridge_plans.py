"""Worked endings of bridge: the right card by exhaustion, found by alpha-mu; and where PIMC errs."""

from __future__ import annotations

from typing import NamedTuple

import pytest

import gambito
from gambito.game.registry import load
from tests.games.bridge_plans import Ending, deals_won, worlds_of

MANY = 1 << 40  # nodes: a limit instead of the usual seconds


class Worked(NamedTuple):
    """An ending with its right first cards, and whether PIMC plays another one."""

    theme: str
    ending: Ending
    right: str
    pimc_errs: bool = False
    moves: int = 4
    worlds: int = 30


WORKED = [
    Worked(
        "throw an opponent in: who wins the heart leads clubs, and nobody has to guess the queen",
        Ending(".2..AJ2", ".3..KT3", ".A..Q987654", need=3),
        "2H",
        pimc_errs=True,
        moves=2,
    ),
    Worked(
        "discover first: who shows out of diamonds is likelier to have the queen of clubs",
        Ending("..A.AJ2", "..2.KT3", "..KQJ.Q9876", need=4),
        "AD",
        pimc_errs=True,
    ),
    Worked(
        "count the hand before a two-way finesse: two rounds of diamonds tell more than one",
        Ending("..AK.AJ2", "..32.KT3", "..QJT9.Q98765", need=5),
        "AD KD",
        pimc_errs=True,
        worlds=16,
    ),
    Worked(
        "count: East has shown no hearts, so West has both and fewer clubs; finesse East for the queen",
        Ending("..A.AJ2", "..2.KT3", ".98.3.Q9876", need=4, voids="-,-,-,h"),
        "AD 2C",
        moves=3,
    ),
    Worked(
        "avoidance: to the king, then finesse East; West, who may win, cannot attack the king of hearts",
        Ending(".K2..AJ3", ".43..KT2", ".AQJT..Q98765", need=3),
        "3C",
        moves=2,
    ),
    Worked(
        "exit with a club: who wins it has to open the hearts",
        Ending(".K2..AJ", ".43..KT", ".AQ..Q98765", need=3),
        "JC",
        moves=3,
    ),
    Worked(
        "safety: with A K 10 5 opposite 9 8 3 2 a high card first, then there is time to lose a trick",
        Ending(".A..AKT5", ".2..9832", ".KQJT8..QJ764", need=4),
        "AC KC",
        moves=2,
    ),
    Worked(
        "Bath coup: on the king duck with ace and jack, and no second club can be led",
        Ending("...AJ2", "..A.5", "..K.QT8", need=2, table="KC3C7C", leader="W"),
        "2C",
    ),
    Worked(
        "unblock, and keep the entry to the dummy's winners",
        Ending(".43.2.A", "..A.KQ2", ".AK.KQ.JT98", need=4),
        "AC",
        moves=2,
    ),
    Worked(
        "strip, then throw in: the ace of diamonds takes away the exit before the heart is led",
        Ending(".2.A.AQ", ".3.2.43", ".A.K.KJT987", need=3),
        "AD",
        moves=3,
    ),
    Worked(
        "end play instead of a finesse that has no entry: let them lead clubs",
        Ending(".2..AQ", ".3..43", ".A..KJT98", need=2),
        "2H",
        moves=3,
    ),
    Worked(
        "take the sure trick first: after it, who wins a club may have to lead clubs",
        Ending("..A.432", "..2.AQ9", "..KQ.KJT876", need=3),
        "AD",
        moves=3,
    ),
]


LONG = ("safety", "avoidance")  # deals of five cards with many kinds of worlds


def theme(worked: Worked) -> str:
    return worked.theme.partition(":")[0]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "worked",
    [pytest.param(w, marks=pytest.mark.slow if theme(w) in LONG else (), id=theme(w)) for w in WORKED],
)
def test_alpha_mu_finds_the_plan(worked):
    game = load("bridge")
    state = game.parse(worked.ending.position())
    won = deals_won(worked.ending)
    assert set(won) == {game.write(state, card) for card in game.legal(state)}
    right = set(worked.right.split())
    assert {card for card, deals in won.items() if deals == max(won.values())} == right
    given = {"worlds": worked.worlds, "nodes": MANY}
    planned = gambito.search(game, state, "alpha-mu", moves=worked.moves, **given)
    assert game.write(state, planned.action) in right
    fused = gambito.search(game, state, "pimc", **given)
    assert (game.write(state, fused.action) not in right) == worked.pimc_errs


def test_the_deals_of_an_ending_are_counted():
    """70 ways to give West four of eight cards; with East void in hearts only those with both at West."""
    for worked, deals in ((WORKED[0], 70), (WORKED[2], 252), (WORKED[3], 15), (WORKED[7], 6)):
        assert sum(worlds_of(worked.ending)[1].values()) == deals
