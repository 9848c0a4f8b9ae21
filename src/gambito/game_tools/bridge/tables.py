"""Double dummy: how many tricks each hand takes in each strain with open cards, and the score of every card.

The values are those of partition search on `bridge-play`. The four leaders of a strain share one table of
the search, because what it stores holds whoever leads first.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gambito.game.contract import Game, game_name
from gambito.game.registry import load
from gambito.game_tools.bridge.contracts import SEATS, STRAINS
from gambito.search.classic.partition import PartitionSolver

TABLE_MEBIBYTES = 256  # MiB of the table of a strain; it grows as it is used
DEALT, OPEN = "bridge", "bridge-play"  # the games: the whole one, and the play with open cards
WHOLE = 13  # the cards of a hand of a whole deal

Table = dict[str, dict[str, int]]  # tricks by strain and declarer


def has_deals(game: Game) -> bool:
    """Is it a game of bridge, whose states have a deal?"""
    return game_name(type(game)) in (DEALT, OPEN)


@cache
def rules_of(strain: str) -> Any:
    """The rules of play in a strain."""
    return load(f"{OPEN}:strain={strain}")


class DoubleDummy(PartitionSolver):
    """The solver of one strain, which remembers what it has found out."""

    def __init__(self, strain: str, memory: float = TABLE_MEBIBYTES) -> None:
        super().__init__(rules_of(strain), memory)

    def cards(self, state: Any) -> dict[int, int]:
        """Each card of the hand to play, with the tricks that its side takes in all after it."""
        rules, found, best = self.rules, dict[int, int](), None
        every = int(rules.plies_left(state) + 3) // 4 + int(rules.banked(state, 0))
        for card in rules.legal(state):
            best = self.value(rules.result(state, card), best)
            found[card] = best if rules.player(state) == 0 else every - best
        return found


def cards_of(deal: str) -> int:
    """How many cards each hand of a deal has."""
    state = rules_of("NT").parse(deal)
    return int(rules_of("NT").plies_left(state)) // len(SEATS)


def results(deal: str, memory: float = TABLE_MEBIBYTES) -> Table:
    """The tricks of every declarer in every strain; `deal` is a deal in PBN."""
    cards = cards_of(deal)  # refuses what is no deal
    hands = deal.strip().upper()[2:].split()
    first = SEATS.index(deal.strip()[0].upper())
    by_seat = [hands[(seat - first) % len(SEATS)] for seat in range(len(SEATS))]
    found: Table = {}
    for strain in reversed(STRAINS):
        solver, row, guess = DoubleDummy(strain, memory), dict[str, int](), None
        for declarer in "NSEW":
            leader = (SEATS.index(declarer) + 1) % len(SEATS)
            turned = " ".join(by_seat[leader:] + by_seat[:leader])
            state = solver.rules.parse(f"{SEATS[leader]}:{turned} S0")  # player 0 is South's side
            guess = solver.value(state, guess)
            row[declarer] = guess if declarer in "NS" else cards - guess
        found[strain] = row
    return found
