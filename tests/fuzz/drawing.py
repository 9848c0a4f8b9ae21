"""Small games drawn by lot, as plain lists: who moves where, and what the ends are worth. No rules yet."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

CHANCE = -1
NODES, EDGES = 24, 1024
MOST_LINES = 3000  # of a game, so that a search without a table ends soon


@dataclass(frozen=True)
class Traits:
    """What a game is like."""

    highest: float = 20  # the lowest value is minus that
    step: float = 1.0  # values are multiples of this; 0: any fractions
    chance: bool = False
    cycles: bool = False
    players: int = 2


@dataclass
class Drawn:
    """A game that was drawn by lot: by state, its player, its worth to player 0 if it is an end, the states
    that follow it, and the probabilities of these if chance decides."""

    players: list[int]
    utilities: list[float]
    children: list[list[int]]
    shares: list[list[float]]
    statics: list[float] = field(default_factory=list)  # what the evaluation says of each state
    height: int = 0  # plies of the longest line, if the game has no cycles


def draw(traits: Traits, rng: random.Random) -> Drawn:
    """Draw a game by lot. In one without cycles, a state leads only to states with higher numbers."""
    while True:
        count = rng.randint(2, 6 if traits.cycles else rng.choice([6, 12, NODES]))
        wide = not traits.cycles and rng.random() < 0.05
        ends = {count - 1} | {node for node in range(1, count) if rng.random() < 0.2}
        takes_turns = rng.random() < 0.5
        highest = traits.highest if rng.random() < 0.8 else 1
        drawn = Drawn([], [], [], [])
        for node in range(count):
            player = node % 2 if takes_turns else rng.randrange(2)
            if traits.chance and rng.random() < 0.3:
                player = CHANCE
            drawn.players.append(0 if traits.players == 1 and player == 1 else player)
            drawn.utilities.append(draw_value(traits, highest, rng))
            drawn.statics.append(draw_value(traits, traits.highest, rng))
            fan = rng.randint(30, 60) if wide and rng.random() < 0.3 else rng.randint(1, 4)
            others = range(count) if traits.cycles else range(node + 1, count)
            below = [] if node in ends else [rng.choice(others) for _ in range(fan)]
            drawn.children.append(below)
            drawn.shares.append(draw_shares(len(below), rng))
        if drawn.players[0] == CHANCE or 0 in ends or sum(map(len, drawn.children)) > EDGES:
            continue
        if traits.cycles or measure(drawn) <= MOST_LINES:
            return drawn


def draw_value(traits: Traits, highest: float, rng: random.Random) -> float:
    """A value between minus and plus `highest`; the values of a game are often equal."""
    if traits.step == 0:
        if rng.random() < 0.3:
            return rng.randint(-int(highest), int(highest)) + 0.0
        return rng.choice([round(rng.uniform(-highest, highest), 2), rng.uniform(-highest, highest)])
    most = round(highest / traits.step)
    value = rng.randint(-most, most) * traits.step
    return value if traits.step < 1 else int(value)


def draw_shares(count: int, rng: random.Random) -> list[float]:
    weights = [rng.randint(1, 5) for _ in range(count)]
    return [weight / sum(weights) for weight in weights]


def measure(drawn: Drawn) -> int:
    """The number of lines from the first state of a game without cycles, and its height."""
    lines, heights = [0] * len(drawn.players), [0] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = drawn.children[node]
        lines[node] = sum(lines[child] for child in below) if below else 1
        heights[node] = 1 + max(heights[child] for child in below) if below else 0
    drawn.height = heights[0]
    return lines[0]
