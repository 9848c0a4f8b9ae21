"""What the results of matches can say."""

from __future__ import annotations

import math
import random

from gambito.players.rating import Z95, elo
from makers.frame import Making, maker

DRAWN = 1 / 3  # of all games
FEWEST = 20  # games before anybody looks
SEED = 1


@maker
def error_bars(making: Making, *numbers: str) -> str:
    """How far the score and the Elo of a match between equals may lie from the truth."""
    rows = []
    for number in map(int, numbers):
        far = Z95 * math.sqrt((1 - DRAWN) / 4 / number)
        rows.append([making.number(number), f"± {100 * far:.1f} %", f"± {elo(0.5 + far):.0f}"])
    return making.table(["games", "score, 95 %", "Elo, 95 %"], rows)


@maker
def looking(making: Making, games: str, *every: str) -> str:
    """How often a match between equals seems decided to one who looks every so many games."""
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
    return making.table(["looks every so many games", "sees a difference that is not there"], rows)
