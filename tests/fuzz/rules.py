"""Rules that read a drawn game from memory: a kind is compiled once, and every game writes other numbers."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np

from gambito import Game
from gambito.native import Memory
from tests.fuzz.drawing import EDGES, NODES, Drawn, Traits
from tests.fuzz.oracles import ends_of, values_of

STRIDE, OFFSET, HEAD = 0, 1, 2  # an action is its place among the state's actions, times STRIDE, plus OFFSET
PLAYER, UTILITY, STATIC, FIRST, COUNT, LOW, HIGH, LEFT = range(8)
NODE = 8
CHILD, PRIORITY, NOISY, WORTH = (HEAD + NODE * NODES + EDGES * part for part in range(4))
SIZE = WORTH + EDGES
# The same facts as fractions, and the probabilities.
SHARES, FRACTIONS = NODE * NODES, NODE * NODES + EDGES
MOST = 20  # the highest value


class State(NamedTuple):
    node: int


class Plain(Game):
    """A game without cycles or chance: states are numbers, and everything about them is in memory."""

    lowest, highest = -MOST, MOST
    unit_of_values = 1.0  # values are multiples of this; 0: any fractions

    def __init__(self) -> None:
        self.numbers = Memory(np.zeros(SIZE, np.int64))
        self.fractions = Memory(np.zeros(FRACTIONS))

    def state_of(self, node):
        return State(node)

    def node_of(self, state):
        return state.node

    def initial(self):
        return self.state_of(0)

    def fact(self, state, which):
        return self.numbers[HEAD + NODE * self.node_of(state) + which]

    def worth(self, state, which):
        """A value among the facts of a state."""
        return self.numbers[HEAD + NODE * self.node_of(state) + which]

    def player(self, state):
        return self.fact(state, PLAYER)

    def actions(self, state):
        for place in range(self.fact(state, COUNT)):
            yield place * self.numbers[STRIDE] + self.numbers[OFFSET]

    def edge(self, state, action):
        return self.fact(state, FIRST) + (action - self.numbers[OFFSET]) // self.numbers[STRIDE]

    def result(self, state, action):
        return self.state_of(self.numbers[CHILD + self.edge(state, action)])

    def is_terminal(self, state):
        return self.fact(state, COUNT) == 0

    def utility(self, state, player):
        value = self.worth(state, UTILITY)
        return value if player == 0 else -value

    def evaluate(self, state, player):
        value = self.worth(state, STATIC)
        return value if player == 0 else -value


class Hints(Plain):
    """The same with everything that a game may tell a search: bounds, worthwhile and noisy actions, plies."""

    def bounds(self, state):
        return self.worth(state, LOW), self.worth(state, HIGH)

    def plies_left(self, state):
        return self.fact(state, LEFT)

    def priority(self, state, action):
        return self.numbers[PRIORITY + self.edge(state, action)]

    def noisy(self, state):
        for action in self.actions(state):
            if self.numbers[NOISY + self.edge(state, action)]:
                yield action

    def worthwhile(self, state, buffer, place):
        for action in self.actions(state):
            if self.numbers[WORTH + self.edge(state, action)]:
                buffer[place] = action
                place += 1
        return place


class WinOrLoss(Plain):
    """Won, lost or drawn."""

    lowest, highest = -1, 1


class Score(Plain):
    """A score in which the length of the game does not count."""

    prefers_fast_win = False


class Circles(Plain):
    """Positions come back; a repetition is a draw."""

    cycles = True


class WonCircles(Circles):
    """Won, lost or drawn, and positions come back."""

    lowest, highest = -1, 1


class Fractions(Plain):
    """Values that are any fractions."""

    value = float
    lowest, highest = -float(MOST), float(MOST)
    unit_of_values = 0.0

    def worth(self, state, which):
        return self.fractions[NODE * self.node_of(state) + which]


class Parts(Fractions):
    """Fractions of a win."""

    lowest, highest = -1.0, 1.0


class Quarters(Fractions):
    """Values that are multiples of a step, of which the game tells."""

    step = 0.25
    unit_of_values = 0.25


class FractionHints(Fractions):
    """Fractions, and bounds of the values."""

    def bounds(self, state):
        return self.worth(state, LOW), self.worth(state, HIGH)

    def plies_left(self, state):
        return self.fact(state, LEFT)

    def priority(self, state, action):
        return self.numbers[PRIORITY + self.edge(state, action)]


class FractionCircles(Fractions):
    """Fractions, and positions that come back."""

    cycles = True


class Dice(Fractions):
    """Chance states between the players' states, and values that are fractions."""

    chance = True

    def chances(self, state):
        for place in range(self.fact(state, COUNT)):
            outcome = place * self.numbers[STRIDE] + self.numbers[OFFSET]
            yield outcome, self.fractions[SHARES + self.fact(state, FIRST) + place]


class DiceInQuarters(Dice):
    """Chance, and ends whose values are multiples of a quarter: many are equal."""

    unit_of_values = 0.25


class DiceInCircles(Dice):
    """Chance, and positions that come back."""

    cycles = True


class Patience(Dice):
    """One player against chance."""

    players = 1
    zero_sum = False


KINDS: tuple[type[Plain], ...] = (
    Plain, Hints, WinOrLoss, Score, Circles, WonCircles, Fractions, Parts, Quarters, FractionHints,
    FractionCircles, Dice, DiceInQuarters, DiceInCircles, Patience,
)  # fmt: skip


def traits_of(kind: type[Plain]) -> Traits:
    return Traits(kind.highest, kind.unit_of_values, kind.chance, kind.cycles, kind.players)


def write(game: Plain, drawn: Drawn, rng: random.Random) -> None:
    """Write the drawn game into the game's memory; hints are by lot, and true."""
    numbers, fractions, first = game.numbers.array, game.fractions.array, 0
    numbers[:], fractions[:] = 0, 0.0
    numbers[STRIDE], numbers[OFFSET] = rng.choice([(1, 0), (1, 0), (7, 3), (401, 90_000)])
    values = values_of(drawn, game.cycles, game.chance)
    ends: list[Any] = values if game.cycles or game.chance else list(ends_of(drawn))
    left = [0] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = drawn.children[node]
        if below and not game.cycles:
            left[node] = 1 + max(left[child] for child in below)
    for node, below in enumerate(drawn.children):
        sign = -1 if drawn.players[node] == 1 else 1
        value = sign * values[node]
        facts = numbers[HEAD + NODE * node : HEAD + NODE * (node + 1)]
        facts[PLAYER], facts[FIRST], facts[COUNT] = drawn.players[node], first, len(below)
        facts[LEFT] = left[node] + rng.randint(0, 2)
        told = {
            UTILITY: drawn.utilities[node],
            STATIC: drawn.statics[node],
            LOW: max(value - rng.choice([0, 3, 2 * MOST]), game.lowest),
            HIGH: min(value + rng.choice([0, 3, 2 * MOST]), game.highest),
        }
        for which, number in told.items():
            fractions[NODE * node + which] = number
            if game.value is int:
                facts[which] = number
        best = [place for place, child in enumerate(below) if _is_next(ends[node], ends[child])]
        kept = rng.choice(best) if best else -1
        if (
            told[LOW] == value
            and rng.random() < 0.3
            and all(values[child] == values[node] for child in below)
        ):
            kept = -1  # none is worth a search: all have the lowest value
        for place, child in enumerate(below):
            numbers[CHILD + first] = child
            numbers[PRIORITY + first] = rng.choice([0, 0, 1, -1])
            numbers[NOISY + first] = rng.random() < 0.3
            numbers[WORTH + first] = kept >= 0 and (place == kept or rng.random() < 0.5)
            fractions[SHARES + first] = drawn.shares[node][place] if node < len(drawn.shares) else 0.0
            first += 1


def _is_next(end: Any, after: Any) -> bool:
    """Is this the end that the best play leads to, told one ply later? Ends are values, or also plies."""
    if not isinstance(end, tuple):
        return bool(end == after)
    return bool(end[0] == after[0] and (end[0] == 0 or end[1] == after[1] + 1))
