"""The statistics of a match: Elo with its error, likelihood of superiority, and the sequential test.

The unit is a pair: the same opening twice, colours swapped. Its result is one of five (0, ½, 1, 1½ or 2
points), and their counts are the pentanomial. The games of a pair depend on each other, so errors
are computed from pairs; the score of a pair is its points halved.

Wald, Sequential tests of statistical hypotheses (1945); the generalised test with an unknown variance is that
of chess engine testing: Van den Bergh, A practical introduction to the GSPRT (2020).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

ELO_SCALE = 400  # this difference is a score of ten to one
Z95 = 1.9599639845400536  # 0.975 of the normal distribution lies below
REGULARISED = 0.5  # replaces an empty count: with less, the test decides too soon from the first pairs
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)  # the possible scores of a pair


def elo(score: float) -> float:
    """The difference in rating at which this mean score is expected."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO_SCALE * math.log10(score / (1 - score))


def expected_score(difference: float) -> float:
    """The mean score that is expected at a difference in rating."""
    return 1 / (1 + 10 ** (-difference / ELO_SCALE))


def superiority(mean: float, error: float) -> float:
    """The likelihood that a mean score is above a half, if `error` is half its interval of 95 %."""
    if error == 0:
        return 0.5 if mean == 0.5 else float(mean > 0.5)
    return (1 + math.erf(Z95 * (mean - 0.5) / (error * math.sqrt(2)))) / 2


def finite(value: float) -> float | None:
    """A number for JSON, which has no infinity; None for an infinite number."""
    return value if math.isfinite(value) else None


def _mean(counts: Sequence[float], values: Sequence[float] = SCORES) -> float:
    return sum(c * v for c, v in zip(counts, values)) / sum(counts)


@dataclass
class Tally:
    """The results of a match, for the first player."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)  # the pentanomial

    def add(self, points: float, other: float | None = None) -> None:
        """Count a game and, if the other game of its pair was counted before, the pair."""
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        if other is not None:
            self.pairs[round(2 * (points + other))] += 1

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The mean score of a game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    def moments(self) -> tuple[int, float, float]:
        """The number of pairs, the mean of their scores, and its variance with empty counts regularised."""
        total = sum(self.pairs)
        counts = [max(count, REGULARISED) for count in self.pairs]
        centre = _mean(counts)
        variance = _mean(counts, [(score - centre) ** 2 for score in SCORES])
        return total, _mean(self.pairs), variance

    def rating(self) -> Rating | None:
        """Elo and its error; None before the first pair."""
        if not sum(self.pairs):
            return None
        total, mean, variance = self.moments()
        error = math.sqrt(variance / total)
        return Rating(
            elo(mean),
            elo(mean - Z95 * error),
            elo(mean + Z95 * error),
            superiority(mean, Z95 * error),
        )


@dataclass
class Gain:
    """What the first player wins in a game, on the game's own scale.

    The games of a deal depend on each other, so the error is computed from the means of deals.
    """

    deals: int = 0
    total: float = 0.0  # of the means
    squares: float = 0.0

    def add(self, mean: float) -> None:
        """Count a deal by the mean of its games."""
        self.deals, self.total, self.squares = self.deals + 1, self.total + mean, self.squares + mean * mean

    @property
    def mean(self) -> float | None:
        """The mean of a game; None before the first deal."""
        return self.total / self.deals if self.deals else None

    @property
    def error(self) -> float | None:
        """Half the width of the interval of 95 %; None before the second deal."""
        if self.deals < 2:
            return None
        spread = max(self.squares - self.total**2 / self.deals, 0.0) / (self.deals - 1)
        return Z95 * math.sqrt(spread / self.deals)


@dataclass(frozen=True)
class Rating:
    """How much stronger the first player is."""

    elo: float
    low: float  # 95 %
    high: float
    superiority: float  # the likelihood that it is stronger at all

    @property
    def error(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Sprt:
    """The sequential test: is the difference `elo1` rather than `elo0`? It stops as soon as it can decide."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # how often it may accept elo1 if elo0 is true
    beta: float = 0.05  # how often it may accept elo0 if elo1 is true

    @property
    def bounds(self) -> tuple[float, float]:
        """The two bounds of the ratio: at the lower one elo0 is accepted, at the upper one elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, tally: Tally) -> float:
        """The logarithm of the likelihood ratio, by the normal approximation of the pairs' mean."""
        if not sum(tally.pairs):
            return 0.0
        total, mean, variance = tally.moments()
        low, high = expected_score(self.elo0), expected_score(self.elo1)
        return total * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, tally: Tally) -> str:
        """`elo0` or `elo1` if one is accepted, "" while the test is undecided."""
        low, high = self.bounds
        ratio = self.ratio(tally)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else ""
