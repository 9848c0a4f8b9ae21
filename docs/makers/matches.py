"""Statistics of matches: error bars, and the risk of looking too often."""

from __future__ import annotations

import math
import random

from gambito.players.rating import Z95, elo
from makers.frame import Making, maker

DRAWN = 1 / 3  # share of drawn games
FEWEST = 20  # games before the first look
SEED = 1


@maker
def error_bars(making: Making, *numbers: str) -> str:
    """The 95 % error of the score and the Elo of a match between equal players."""
    rows = []
    for number in map(int, numbers):
        far = Z95 * math.sqrt((1 - DRAWN) / 4 / number)
        rows.append([making.number(number), f"± {100 * far:.1f} %", f"± {elo(0.5 + far):.0f}"])
    return making.table(["games", "score, 95 %", "Elo, 95 %"], rows)


@maker
def looking(making: Making, games: str, *every: str) -> str:
    """How often a match between equals seems decided if the result is looked at every `every` games."""
    rng, last, matches = random.Random(SEED), int(games), 1000
    seen = dict.fromkeys(map(int, every), 0)
    for _ in range(matches):
        points, decided = 0.0, set()
        for played in range(1, last + 1):
            points += rng.choice((-0.5, 0.0, 0.5))
            if played >= FEWEST and abs(points) > Z95 * math.sqrt(played * (1 - DRAWN) / 4):
                decided |= {step for step in seen if played % step == 0}
        for step in decided:
            seen[step] += 1
    rows = [[making.number(step), f"{found / matches:.0%}"] for step, found in seen.items()]
    return making.table(["games between looks", "finds a difference that does not exist"], rows)
