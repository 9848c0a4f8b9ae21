"""Who sits where in the games of a match. It knows no games and no players, only how many there are.

Two players: the first has each seat once with every deal, and the second has all the others. More players:
they sit around the table, each of them in as many seats as the others, and move on by one seat after every
game of a deal. The next deal has them in another order, so that everybody sits beside everybody. In a
game for one, everybody plays every deal alone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gambito.errors import PlayerError


@dataclass(frozen=True)
class Seating:
    """The seats of a game, and the players that share them."""

    players: int
    seats: int

    def __post_init__(self) -> None:
        if self.players > 2 and self.seats > 1 and self.seats % self.players:
            raise PlayerError(
                "{} players cannot share {} seats evenly; accepted: two players, or a number that divides {}",
                self.players,
                self.seats,
                self.seats,
            )

    @property
    def rotations(self) -> int:
        """The games of a deal: after them, everybody has had every seat."""
        return self.seats if self.players == 2 and self.seats > 1 else self.players

    def of_game(self, number: int) -> list[int]:
        """The player in each seat of the game with that number."""
        if self.seats == 1:
            return [number % self.players]
        if self.players == 2:
            return [int(seat != number % self.seats) for seat in range(self.seats)]
        order = self._order(number // self.rotations)
        return [order[(seat - number) % self.players] for seat in range(self.seats)]

    def _order(self, deal: int) -> list[int]:
        """The players around the table, the first of them first; all orders come in turn."""
        order, left = [0], list(range(1, self.players))
        place = deal % math.factorial(len(left))
        while left:
            at, place = divmod(place, math.factorial(len(left) - 1))
            order.append(left.pop(at))
        return order

    @property
    def most(self) -> int:
        """The most seats that one player has."""
        held = self.of_game(0)
        return max(map(held.count, held))


def share(mine: float, other: float) -> float:
    """The points of one seat against another: 1 if it has won more, ½ if as much, 0 if less."""
    return 0.5 if mine == other else float(mine > other)


def place(utilities: Sequence[float], seat: int) -> float:
    """The points of a seat against all others: 1 if it alone has won most, ½ if it shares that, else 0."""
    best = max(utilities)
    return 0.0 if utilities[seat] < best else 1.0 if list(utilities).count(best) == 1 else 0.5


def different(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with a number after each that was there before."""
    found: list[str] = []
    for at, name in enumerate(names):
        before = list(names[:at]).count(name)
        found.append(f"{name} ({before + 1})" if before else name)
    return tuple(found)
