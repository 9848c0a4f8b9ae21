"""Scores of rubber bridge: points below the line make games, and two games a rubber. It knows no cards.

    rubber = Rubber()
    rubber.add(Contract(4, SPADES, 0, SOUTH), tricks=10)
    rubber.points            # of both sides so far

Points of bid tricks count below the line, all others above it. A side with 100 points below the line has a
game: both sides begin again below the line, and that side is vulnerable. The side that has two games first
wins the rubber and 700 points more, or 500 if the other side has a game too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from gambito.bridge.contracts import (
    BOOK,
    STRAINS,
    Contract,
    overtrick_points,
    penalty,
    slam_points,
    trick_points,
)
from gambito.errors import GameError

GAME, GAMES = 100, 2  # points of a game, and games of a rubber
QUICK, SLOW = 700, 500  # for a rubber: against no game, against one
HONOURS = (0, 100, 150)  # four honours of the trumps in one hand; five, or four aces without trumps
ONE_GAME, PART_SCORE = 300, 100  # for a rubber that is not finished
TRICKS = 13


@dataclass
class Rubber:
    """The points of a rubber so far; the sides are North and South, then East and West."""

    above: list[int] = field(default_factory=lambda: [0, 0])
    below: list[int] = field(default_factory=lambda: [0, 0])  # since the last game
    made: list[int] = field(default_factory=lambda: [0, 0])  # points of tricks in games that are finished
    games: list[int] = field(default_factory=lambda: [0, 0])

    @property
    def is_over(self) -> bool:
        return GAMES in self.games

    @property
    def points(self) -> tuple[int, int]:
        """The points of both sides, above the line and below it."""
        first, second = (sum(parts) for parts in zip(self.above, self.below, self.made, strict=True))
        return first, second

    def is_vulnerable(self, side: int) -> bool:
        return self.games[side] > 0

    def add(self, contract: Contract, tricks: int, honours: tuple[int, int] = (0, 0)) -> None:
        """Count a deal: the declarer's tricks, and for each side the points of the honours in one hand."""
        self._check(contract, tricks, honours)
        if not contract.level:
            return
        side, over = contract.declarer & 1, tricks - contract.level - BOOK
        for each, held in enumerate(honours):
            self.above[each] += held
        if over < 0:
            self.above[1 - side] += penalty(-over, contract.doubled, self.is_vulnerable(side))
            return
        self._count_made(contract, side, over)
        if self.below[side] >= GAME:
            self._close_game(side)

    def finish(self) -> tuple[int, int]:
        """Count a rubber that ends here; return the points of both sides."""
        if not self.is_over:
            for side in range(2):
                if self.games[side] > self.games[1 - side]:
                    self.above[side] += ONE_GAME
                if self.below[side] > 0 and not self.below[1 - side]:
                    self.above[side] += PART_SCORE
        return self.points

    def _check(self, contract: Contract, tricks: int, honours: tuple[int, int]) -> None:
        if self.is_over:
            raise GameError("this rubber is over: {} to {} games", *self.games)
        if not 0 <= contract.level <= 7 or not 0 <= contract.strain < len(STRAINS):
            raise GameError("{} is no contract", contract)
        if not 0 <= tricks <= TRICKS:
            raise GameError("a deal has 0 to {} tricks, not {}", TRICKS, tricks)
        if any(held not in HONOURS for held in honours):
            raise GameError("honours are worth 0, 100 or 150 points, not {}", honours)

    def _count_made(self, contract: Contract, side: int, over: int) -> None:
        level, strain, doubled = contract.level, contract.strain, contract.doubled
        is_vulnerable = self.is_vulnerable(side)
        self.below[side] += trick_points(level, strain) << doubled
        self.above[side] += 50 * doubled + slam_points(level, is_vulnerable)
        self.above[side] += over * overtrick_points(strain, doubled, is_vulnerable)

    def _close_game(self, side: int) -> None:
        for each in range(2):
            self.made[each] += self.below[each]
            self.below[each] = 0
        self.games[side] += 1
        if self.is_over:
            self.above[side] += SLOW if self.games[1 - side] else QUICK
