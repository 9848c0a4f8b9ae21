"""The table of a match: the points of every player against every other, and in every seat.

The points of a seat against another are 1, ½ or 0, as it won more, as much or less, so players of the same
strength have half of them, however many play. The games of a deal depend on each other, so errors are
computed from the means of deals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from gambito.players.rating import Gain, Rating, elo, finite, superiority
from gambito.players.seating import Seating, share


class Crosstable:
    """The points of the deals that have ended, by pair of players and by seat."""

    def __init__(self, names: Sequence[str], seating: Seating) -> None:
        self.names, self.seating = tuple(names), seating
        everybody = range(len(names))
        self.pairs = {(one, two): Gain() for one in everybody for two in everybody if one < two}
        self.seats = {(who, seat): Gain() for who in everybody for seat in range(seating.seats)}

    def add(self, games: Sequence[tuple[int, Sequence[float]]]) -> None:
        """Count a deal: of each of its games the number, and what every seat won."""
        pairs, seats = defaultdict(list), defaultdict(list)
        for number, won in games:
            holders = self.seating.of_game(number)
            for seat, who in enumerate(holders):
                others = [share(won[seat], won[at]) for at, each in enumerate(holders) if each != who]
                seats[who, seat].append(sum(others) / len(others))
                for at, each in enumerate(holders):
                    if who < each:
                        pairs[who, each].append(share(won[seat], won[at]))
        for found, gains in ((pairs, self.pairs), (seats, self.seats)):
            for key, points in found.items():
                gains[key].add(sum(points) / len(points))

    def score(self, who: int = 0) -> float | None:
        """The mean points of a player against the others; None before the first deal."""
        means = [gain.mean for (one, _), gain in self.seats.items() if one == who and gain.mean is not None]
        return sum(means) / len(means) if means else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "table": [
                {
                    "first": self.names[one],
                    "second": self.names[two],
                    "deals": gain.deals,
                    "score": gain.mean,
                    "error": gain.error,
                    **_elo(gain),
                }
                for (one, two), gain in self.pairs.items()
            ],
            "seats": [
                {"player": self.names[who], "seat": seat + 1, "score": gain.mean, "error": gain.error}
                for (who, seat), gain in self.seats.items()
            ],
        }


def rating_of(gain: Gain) -> Rating | None:
    """The difference in Elo at which these points are expected; None before the second deal."""
    if gain.mean is None or gain.error is None:
        return None
    low, high = max(gain.mean - gain.error, 0.0), min(gain.mean + gain.error, 1.0)
    return Rating(elo(gain.mean), elo(low), elo(high), superiority(gain.mean, gain.error))


def _elo(gain: Gain) -> dict[str, Any]:
    rating = rating_of(gain)
    numbers = (None, None, None) if rating is None else (rating.elo, rating.low, rating.high)
    known = (None if number is None else finite(number) for number in numbers)
    return dict(zip(("elo", "elo_low", "elo_high"), known, strict=True))
