"""Ratings of many players from the games of all pairs: Elo by Bayes, with an error bar for each player.

The model is Davidson's: with x = (difference of two ratings) · ln 10 / 400,

    win : draw : loss  =  e^(x/2) : ν : e^(-x/2)

The prior is that every player has played a little against an average one: a draw, half a win and half a loss.
So ratings are finite after any results. Ratings and ν are those of the highest posterior probability, and the
errors come from its curvature there (Laplace). The mean of all ratings is 0.

Davidson, On extending the Bradley-Terry model to accommodate ties (1970); Coulom's Bayeselo has such a prior.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gambito.players.rating import ELO_SCALE, Z95

SCALE = math.log(10) / ELO_SCALE  # of a difference in Elo
PRIOR = (0.5, 1.0, 0.5)  # wins, draws and losses of every player against an average one
STEPS, ENOUGH = 100, 1e-10  # Newton's: the most of them, and a change that ends them


@dataclass(frozen=True)
class Rated:
    """The rating of a player."""

    elo: float
    error: float  # half the width of the interval of 95 %


def rate(players: int, results: Mapping[tuple[int, int], tuple[float, float, float]]) -> list[Rated]:
    """The ratings of so many players, from the wins, draws and losses of pairs, each of its first player."""
    games = [(one, two, *counts) for (one, two), counts in results.items()]
    games += [(each, -1, *PRIOR) for each in range(players)]
    place = np.zeros(players + 1)  # ratings on the scale of x, then the logarithm of ν
    for _ in range(STEPS):
        slope, curve = _derivatives(place, games)
        step = np.linalg.solve(curve, slope)
        place += step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))
        if np.abs(step).max() < ENOUGH:
            break
    spread = np.linalg.inv(_derivatives(place, games)[1])[:players, :players]
    centre = np.eye(players) - 1 / players  # ratings are relative to their mean
    variance = np.diag(centre @ spread @ centre.T)
    ratings = centre @ place[:players]
    return [
        Rated(float(rating / SCALE), float(Z95 * math.sqrt(max(each, 0.0)) / SCALE))
        for rating, each in zip(ratings, variance, strict=True)
    ]


def _derivatives(
    place: np.ndarray, games: list[tuple[int, int, float, float, float]]
) -> tuple[np.ndarray, np.ndarray]:
    """The slope of the log-posterior, and its curvature with the sign turned."""
    size = len(place)
    slope, curve = np.zeros(size), np.zeros((size, size))
    tie = math.exp(place[-1])
    for one, two, wins, draws, losses in games:
        count = wins + draws + losses
        x = place[one] - (place[two] if two >= 0 else 0.0)
        high, low = math.exp(x / 2), math.exp(-x / 2)
        whole = high + low + tie
        won, drawn, lost = high / whole, tie / whole, low / whole
        lean = (won - lost) / 2
        force = (wins - losses) / 2 - count * lean
        bend = count * ((won + lost) / 4 - lean * lean)
        cross = -count * drawn * lean
        for who, sign in ((one, 1.0), (two, -1.0)):
            if who >= 0:
                slope[who] += sign * force
                curve[who, -1] += sign * cross
                curve[-1, who] += sign * cross
                for other, turn in ((one, 1.0), (two, -1.0)):
                    if other >= 0:
                        curve[who, other] += sign * turn * bend
        slope[-1] += draws - count * drawn
        curve[-1, -1] += count * drawn * (1 - drawn)
    return slope, curve
