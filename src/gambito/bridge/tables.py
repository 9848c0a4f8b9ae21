"""Double dummy: how many tricks each hand takes in each strain with open cards, and the score of every card.

The values are those of partition search on `bridge-play`. The four leaders of a strain share one table of
the search, because what it stores holds whoever leads first.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from gambito.bridge.contracts import SEATS, STRAINS
from gambito.game.gears import gears
from gambito.game.registry import load
from gambito.memory.partitions import new_partition_table
from gambito.search.classic.partition import close_in
from gambito.search.watch import Watch, new_watch

MEMORY = 128  # MiB of the table of a strain
PLIES = 52
WHOLE = 13  # the cards of a hand of a whole deal

Table = dict[str, dict[str, int]]  # tricks by strain and declarer


@cache
def rules_of(strain: str) -> Any:
    """The rules of play in a strain."""
    return load(f"bridge-play:strain={strain}")


class DoubleDummy:
    """The solver of one strain, which remembers what it has found out."""

    def __init__(self, strain: str, memory: float = MEMORY) -> None:
        self.rules = rules_of(strain)
        self.table = new_partition_table(memory)
        self.watch = new_watch(Watch, "native", PLIES)

    def tricks(self, state: Any, guess: int | None = None) -> int:
        """The tricks that player 0 takes in all from a state."""
        rules = self.rules
        won = int(rules.banked(state, 0))
        rest = gears(rules).enter(rules.unbanked(state))
        plies = int(rules.plies_left(rest))
        left = (plies + 3) // 4
        guess = (left + 1) // 2 if guess is None else guess - won
        inner = gears(rules).shift("native")
        return won + int(close_in(inner, rest, plies, 0, left, guess, self.table, self.watch))

    def cards(self, state: Any) -> dict[int, int]:
        """Each card of the hand to play, with the tricks that its side takes in all after it."""
        rules, found = self.rules, dict[int, int]()
        best: int | None = None
        all_tricks = int(rules.plies_left(state) + 3) // 4
        is_ours = rules.player(state) == 0
        for card in rules.legal(state):
            best = self.tricks(rules.result(state, card), best)
            found[card] = best if is_ours else all_tricks + int(rules.banked(state, 0)) - best
        return found

    @property
    def nodes(self) -> int:
        return self.watch.count()


def cards_of(deal: str) -> int:
    """How many cards each hand of a deal has."""
    state = rules_of("NT").parse(deal)
    return int(rules_of("NT").plies_left(state)) // len(SEATS)


def results(deal: str, memory: float = MEMORY) -> Table:
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
            guess = solver.tricks(state, guess)
            row[declarer] = guess if declarer in "NS" else cards - guess
        found[strain] = row
    return found
