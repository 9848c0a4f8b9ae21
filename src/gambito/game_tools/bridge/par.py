"""Par: the result of a deal if both sides bid as well as they can, knowing all cards.

Each side may always bid higher, and doubles what fails. So the auction is a small game with open cards, which
is solved from its highest bids down.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from gambito.game_tools.bridge.contracts import SEATS, STRAINS, Contract, is_vulnerable, score
from gambito.game_tools.bridge.tables import Table

BIDS = 35


class Par(NamedTuple):
    """The points of North and South, and the contract that brings them."""

    points: int
    contract: Contract
    tricks: int


def par(table: Table, dealer: int, vulnerability: int) -> Par:
    """The par of a deal with these tricks, for a dealer and vulnerable sides."""

    @cache
    def ends(bid: int, declarer: int) -> tuple[int, Contract, int]:
        """What a last bid comes to, for South and North."""
        if bid < 0:
            return 0, Contract(0, 0, 0, dealer), 0
        level, strain = bid // 5 + 1, bid % 5
        tricks = table[STRAINS[strain]][SEATS[declarer]]
        doubled = 1 if tricks < level + 6 else 0
        points = score(level, strain, doubled, is_vulnerable(declarer, vulnerability), tricks)
        return points if declarer % 2 == 0 else -points, Contract(level, strain, doubled, declarer), tricks

    @cache
    def best(bid: int, declarer: int, seat: int, passes: int) -> tuple[int, Contract, int]:
        """What comes of an auction after a bid and so many passes, with this seat to call."""
        most = 4 if bid < 0 else 3
        found = ends(bid, declarer) if passes + 1 == most else best(bid, declarer, (seat + 1) % 4, passes + 1)
        sign = 1 if seat % 2 == 0 else -1
        for higher in range(bid + 1, BIDS):
            other = best(higher, seat, (seat + 1) % 4, 0)
            if sign * other[0] > sign * found[0]:
                found = other
        return found

    return Par(*best(-1, dealer, dealer, 0))
