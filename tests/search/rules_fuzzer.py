"""Random small games for every algorithm: values, cycles, chance, turns, many actions; what is exact is true.

    python -m tests.search.rules_fuzzer --games 100000 --gear native

The rules read their numbers from memory, so that each kind of game is compiled once and every game after it
only writes other numbers. With GAMBITO_BOUNDS=1 every index of compiled code is checked as well.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

import gambito
from gambito import CHANCE, Game
from gambito.native import Memory
from gambito.search.algorithm import NEVER, DepthSearch, algorithms
from tests.support import small

NODES, EDGES = 24, 1024
STRIDE, OFFSET, HEAD = 0, 1, 2  # an action is its place among the state's actions, times STRIDE, plus OFFSET
PLAYER, UTILITY, STATIC, FIRST, COUNT, LOW, HIGH, LEFT = range(8)
NODE = 8
CHILD, PRIORITY, NOISY, WORTH = (HEAD + NODE * NODES + EDGES * part for part in range(4))
SIZE = WORTH + EDGES
MOST = 20  # the highest value
MOST_LINES = 3000  # of a game, so that a search without a table ends soon

# A rollout is an estimate; mp-mix may play against another player instead of for itself.
INEXACT = ("rollout", "mp-mix")


class State(NamedTuple):
    node: int


class Plain(Game):
    """A game without cycles or chance: states are numbers, and everything about them is in memory."""

    lowest, highest = -MOST, MOST
    has_cycles = has_chance = False

    def __init__(self) -> None:
        self.numbers = Memory(np.zeros(SIZE, np.int64))
        self.shares = Memory(np.zeros(EDGES))

    def initial(self):
        return State(0)

    def fact(self, state, which):
        return self.numbers[HEAD + NODE * state.node + which]

    def player(self, state):
        return self.fact(state, PLAYER)

    def actions(self, state):
        for place in range(self.fact(state, COUNT)):
            yield place * self.numbers[STRIDE] + self.numbers[OFFSET]

    def edge(self, state, action):
        return self.fact(state, FIRST) + (action - self.numbers[OFFSET]) // self.numbers[STRIDE]

    def result(self, state, action):
        return State(self.numbers[CHILD + self.edge(state, action)])

    def is_terminal(self, state):
        return self.fact(state, COUNT) == 0

    def utility(self, state, player):
        value = self.fact(state, UTILITY)
        return value if player == 0 else -value

    def evaluate(self, state, player):
        value = self.fact(state, STATIC)
        return value if player == 0 else -value


class Hints(Plain):
    """The same with everything that a game may tell a search: bounds, worthwhile and noisy actions, plies."""

    def bounds(self, state):
        return self.fact(state, LOW), self.fact(state, HIGH)

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

    hurries = False


class Circles(Plain):
    """Positions come back; a repetition is a draw."""

    cycles = True
    has_cycles = True


class WonCircles(Circles):
    """Won, lost or drawn, and positions come back."""

    lowest, highest = -1, 1


class Dice(Plain):
    """Chance states between the players' states, and values that are fractions."""

    chance = True
    has_chance = True
    value = float
    lowest, highest = -float(MOST), float(MOST)

    def chances(self, state):
        for place in range(self.fact(state, COUNT)):
            outcome = place * self.numbers[STRIDE] + self.numbers[OFFSET]
            yield outcome, self.shares[self.fact(state, FIRST) + place]

    def utility(self, state, player):
        value = 0.25 * self.fact(state, UTILITY)
        return value if player == 0 else -value

    def evaluate(self, state, player):
        value = 0.25 * self.fact(state, STATIC)
        return value if player == 0 else -value


class DiceInCircles(Dice):
    """Chance, and positions that come back."""

    cycles = True
    has_cycles = True


class Patience(Dice):
    """One player against chance."""

    players = 1
    zero_sum = False


KINDS = (Plain, Hints, WinOrLoss, Score, Circles, WonCircles, Dice, DiceInCircles, Patience)


@dataclass
class Drawn:
    """A game that was drawn by lot, as lists; its value and those of all its states for player 0."""

    players: list[int]
    utilities: list[int]
    children: list[list[int]]
    shares: list[list[float]]
    values: list[float] = field(default_factory=list)
    height: int = 0


def draw(kind: type[Plain], rng: random.Random) -> Drawn:
    """Draw a game by lot. In one without cycles, a state leads only to states with higher numbers."""
    while True:
        count = rng.randint(2, 6 if kind.has_cycles else rng.choice([6, 12, NODES]))
        wide = not kind.has_cycles and rng.random() < 0.05
        ends = {count - 1} | {node for node in range(1, count) if rng.random() < 0.2}
        takes_turns = rng.random() < 0.5
        highest = int(kind.highest) if rng.random() < 0.8 else 1
        drawn = Drawn([], [], [], [])
        for node in range(count):
            player = node % 2 if takes_turns else rng.randrange(2)
            if kind.has_chance and rng.random() < 0.3:
                player = CHANCE
            drawn.players.append(0 if kind.players == 1 and player == 1 else player)
            drawn.utilities.append(rng.randint(-highest, highest))
            fan = rng.randint(30, 60) if wide and rng.random() < 0.3 else rng.randint(1, 4)
            others = range(count) if kind.has_cycles else range(node + 1, count)
            below = [] if node in ends else [rng.choice(others) for _ in range(fan)]
            weights = [rng.randint(1, 5) for _ in below]
            drawn.children.append(below)
            drawn.shares.append([weight / sum(weights) for weight in weights])
        if drawn.players[0] == CHANCE or 0 in ends or sum(map(len, drawn.children)) > EDGES:
            continue
        if kind.has_cycles or measure(drawn) <= MOST_LINES:
            drawn.values = values_of(kind, drawn)
            return drawn


def measure(drawn: Drawn) -> int:
    """The number of lines from the first state, and the height of the game as `drawn.height`."""
    lines, heights = [0] * len(drawn.players), [0] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = drawn.children[node]
        lines[node] = sum(lines[child] for child in below) or 1
        heights[node] = 1 + max(heights[child] for child in below) if below else 0
    drawn.height = heights[0]
    return lines[0]


def values_of(kind: type[Plain], drawn: Drawn) -> list[float]:
    """The values of all states for player 0."""
    if not kind.has_cycles:
        return tree_values(kind, drawn)
    if kind.has_chance:  # only those of the first state and of its children are needed
        return [path_value(kind, drawn, node, (0,) if node else ()) for node in range(len(drawn.players))]
    return graph_values(drawn)


def tree_values(kind: type[Plain], drawn: Drawn) -> list[float]:
    """The values of a game without cycles, from its ends backwards."""
    values = [0.0] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = [values[child] for child in drawn.children[node]]
        if not below:
            values[node] = drawn.utilities[node] * (0.25 if kind.has_chance else 1)
        elif drawn.players[node] == CHANCE:
            values[node] = sum(s * v for s, v in zip(drawn.shares[node], below, strict=True))
        else:
            values[node] = max(below) if drawn.players[node] == 0 else min(below)
    return values


def path_value(kind: type[Plain], drawn: Drawn, node: int, path: tuple[int, ...] = ()) -> float:
    """The value of a state in a game with cycles, in which a state that comes back is a draw."""
    below = drawn.children[node]
    if not below or node in path:
        return 0.0 if below else drawn.utilities[node] * (0.25 if kind.has_chance else 1)
    values = [path_value(kind, drawn, child, (*path, node)) for child in below]
    if drawn.players[node] == CHANCE:
        return sum(share * value for share, value in zip(drawn.shares[node], values, strict=True))
    return max(values) if drawn.players[node] == 0 else min(values)


def graph_values(drawn: Drawn) -> list[float]:
    """The values of a game with cycles, in which play without an end is a draw.

    For each value v > 0: the states from which player 0 can force an end that is worth v or more; the same
    for player 1.
    """
    values = [0.0] * len(drawn.players)
    for player, sign in ((0, 1), (1, -1)):
        for least in sorted({sign * u for u in drawn.utilities if sign * u > 0}):
            forced = {
                node for node, below in enumerate(drawn.children)
                if not below and sign * drawn.utilities[node] >= least
            }  # fmt: skip
            while True:
                more = {
                    node for node, below in enumerate(drawn.children)
                    if below and node not in forced
                    and (any if drawn.players[node] == player else all)(child in forced for child in below)
                }  # fmt: skip
                if not more:
                    break
                forced |= more
            for node in forced:
                values[node] = sign * least
    return values


def write(game: Plain, drawn: Drawn, rng: random.Random) -> None:
    """Write the drawn game into the game's memory; hints are by lot, and true."""
    numbers, shares, first = game.numbers.array, game.shares.array, 0
    numbers[:] = 0
    numbers[STRIDE], numbers[OFFSET] = rng.choice([(1, 0), (1, 0), (7, 3), (401, 90_000)])
    most = game.highest * (4 if game.has_chance else 1)
    left = [0] * len(drawn.players)
    for node in reversed(range(len(drawn.players))):
        below = drawn.children[node]
        if below and not game.has_cycles:
            left[node] = 1 + max(left[child] for child in below)
    for node, below in enumerate(drawn.children):
        sign = -1 if drawn.players[node] == 1 else 1
        value = sign * drawn.values[node]
        facts = numbers[HEAD + NODE * node : HEAD + NODE * (node + 1)]
        facts[PLAYER], facts[UTILITY] = drawn.players[node], drawn.utilities[node]
        facts[STATIC] = rng.randint(-int(most), int(most))
        facts[FIRST], facts[COUNT], facts[LEFT] = first, len(below), left[node] + rng.randint(0, 2)
        facts[LOW] = max(value - rng.choice([0, 3, 2 * MOST]), game.lowest)
        facts[HIGH] = min(value + rng.choice([0, 3, 2 * MOST]), game.highest)
        best = [place for place, child in enumerate(below) if sign * drawn.values[child] == value]
        kept = rng.choice(best) if best else -1
        if facts[LOW] == value and len(best) == len(below) and rng.random() < 0.3:
            kept = -1  # none is worth a search: all have the lowest value
        for place, child in enumerate(below):
            numbers[CHILD + first] = child
            numbers[PRIORITY + first] = rng.choice([0, 0, 1, -1])
            numbers[NOISY + first] = rng.random() < 0.3
            is_worth = kept >= 0 and (place == kept or rng.random() < 0.5)
            numbers[WORTH + first] = is_worth
            shares[first] = drawn.shares[node][place]
            first += 1


def check(game: Plain, drawn: Drawn, gear: str, rng: random.Random, done: Counter[str]) -> None:
    """Ask every algorithm that fits; what it calls exact must be true, and its action one of the best."""
    sign = -1 if drawn.players[0] == 1 else 1
    truth = sign * drawn.values[0]
    stride, offset = int(game.numbers[STRIDE]), int(game.numbers[OFFSET])
    children = enumerate(drawn.children[0])
    among = rng.sample(range(len(drawn.children[0])), rng.randint(1, len(drawn.children[0])))
    among = among if rng.random() < 0.3 else []
    if game.has_cycles and (among or game.has_chance):  # to come back to the first state is a draw
        below = [(place, path_value(type(game), drawn, child, (0,))) for place, child in children]
    else:
        below = [(place, drawn.values[child]) for place, child in children]
    worth = {place * stride + offset: sign * value for place, value in below}
    whole = 8 if game.has_cycles else drawn.height
    among = [place * stride + offset for place in among]
    for name, algorithm in algorithms().items():
        if algorithm.misfit(game) or name in INEXACT:
            continue
        if name == "value-iteration" and game.has_cycles:
            continue  # play without an end is a draw there, a state that comes back is not
        if not isinstance(algorithm, DepthSearch):
            asked: list[dict[str, Any]] = [{"nodes": 100, "memory": 1} if name == "mcts" else {}]
        else:
            asked = [{"depth": whole, **small(name, game.has_cycles)}]
            if algorithm.deepening != NEVER:
                asked.append({"depth": rng.randint(1, whole), "deepen": True, **memory(name)})
        for given in asked:
            chosen = {"among": among} if among and name != "value-iteration" else {}
            expected = max(worth[action] for action in among) if chosen else truth
            found = gambito.search(game, State(0), name, gear=gear, **given, **chosen)
            case = (type(game).__name__, name, gear, given, chosen, drawn, found.value, expected)
            if found.exact:
                assert abs(found.value - expected) < 1e-9, case
                assert found.action is None or abs(worth[found.action] - expected) < 1e-9, case
                assert found.action is None or not chosen or found.action in among, case
            elif given.get("depth") == whole and algorithm.gives_value and not game.has_cycles:
                raise AssertionError(("not exact", *case))
            done[f"{name} {'exact' if found.exact else 'open'}"] += 1


def memory(name: str) -> dict[str, object]:
    """A small table, which is quicker to make; everything else as it is by default."""
    return {"memory": 1} if any(option.name == "memory" for option in algorithms()[name].options) else {}


def fuzz(games: int, seed: int, gear: str, kinds: tuple[type[Plain], ...] = KINDS) -> Counter[str]:
    """Check that many games; return how many answers of each algorithm were exact."""
    rng, done = random.Random(seed), Counter[str]()
    made = [kind() for kind in kinds]
    for number in range(games):
        game = made[number % len(made)]
        drawn = draw(type(game), rng)
        write(game, drawn, rng)
        check(game, drawn, gear, rng, done)
    return done


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--gear", choices=["python", "native"], default="native")
    given = parser.parse_args()
    done = fuzz(given.games, given.seed, given.gear)
    print(f"{given.games} games in the {given.gear} gear, no difference")
    for name, count in sorted(done.items()):
        print(f"{count:8} {name}")


if __name__ == "__main__":
    main()
