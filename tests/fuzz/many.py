"""Games of three players: max^n beside all vectors that ties allow, paranoid beside minimax against all."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

import gambito
from gambito.native import Memory
from gambito.search.algorithm import Algorithm
from tests.fuzz.asking import LATE, Way, ask, fitting
from tests.fuzz.drawing import CHANCE, NODES, Drawn, Traits, draw
from tests.fuzz.games import NEAR, memory, ways
from tests.fuzz.rules import (
    COUNT,
    FIRST,
    HEAD,
    MOST,
    NODE,
    OFFSET,
    PLAYER,
    SHARES,
    STRIDE,
    Plain,
    State,
    write,
)
from tests.fuzz.tally import Tally, expect

PLAYERS = 3
VECTORS = 300  # of a state; where ties allow more, max^n is not judged
Vector = tuple[float, ...]


class Three(Plain):
    """Three players, and what they win adds up to zero."""

    players = PLAYERS
    lowest, highest = -2 * MOST, 2 * MOST

    def __init__(self) -> None:
        super().__init__()
        self.payoffs = Memory(np.zeros(2 * PLAYERS * NODES))

    def utility(self, state, player):
        return int(self.payoffs[PLAYERS * state.node + player])

    def evaluate(self, state, player):
        return int(self.payoffs[PLAYERS * (NODES + state.node) + player])


class Shared(Three):
    """What one wins, the others need not lose."""

    zero_sum = False


class ThreeFractions(Three):
    value = float
    lowest, highest = -2.0 * MOST, 2.0 * MOST
    unit_of_values = 0.0

    def utility(self, state, player):
        return self.payoffs[PLAYERS * state.node + player]

    def evaluate(self, state, player):
        return self.payoffs[PLAYERS * (NODES + state.node) + player]


class ThreeDice(ThreeFractions):
    chance = True

    def chances(self, state):
        for place in range(self.fact(state, COUNT)):
            outcome = place * self.numbers[STRIDE] + self.numbers[OFFSET]
            yield outcome, self.fractions[SHARES + self.fact(state, FIRST) + place]


KINDS: tuple[type[Three], ...] = (Three, Shared, ThreeFractions, ThreeDice)
_MADE: dict[type[Three], Three] = {}


@dataclass
class Forest:
    """A drawn game for three: who moves where, and what everybody gets and seems to get in each state."""

    drawn: Drawn
    payoffs: list[Vector]
    statics: list[Vector]


def draw_forest(kind: type[Three], rng: random.Random) -> Forest:
    drawn = draw(Traits(MOST, 0.0 if kind.value is float else 1.0, kind.chance), rng)
    seats = range(PLAYERS)
    drawn.players = [player if player == CHANCE else rng.choice(seats) for player in drawn.players]
    spread = rng.choice([1, 3, MOST])

    def vector() -> Vector:
        values: list[float] = [rng.randint(-spread, spread) for _ in seats]
        if kind.value is float:
            values = [value + rng.choice([0, 0.5, rng.random()]) * (abs(value) < spread) for value in values]
        if kind.zero_sum:
            values[-1] = -sum(values[:-1])
        return tuple(values)

    return Forest(drawn, [vector() for _ in drawn.players], [vector() for _ in drawn.players])


def vectors_of(
    forest: Forest, node: int, depth: int, known: dict[Any, set[Vector] | None]
) -> set[Vector] | None:
    """All vectors that max^n may find to a depth, as ties are broken; None if they are too many."""
    if (node, depth) in known:
        return known[node, depth]
    drawn = forest.drawn
    found: set[Vector] | None = set()
    if not drawn.children[node]:
        found = {forest.payoffs[node]}
    elif depth == 0:
        found = {forest.statics[node]}
    else:
        below = [vectors_of(forest, child, depth - 1, known) for child in drawn.children[node]]
        found = _backed_up(drawn, node, [each for each in below if each is not None], len(below))
    known[node, depth] = found = found if found is not None and len(found) <= VECTORS else None
    return found


def _backed_up(drawn: Drawn, node: int, below: list[set[Vector]], count: int) -> set[Vector] | None:
    if len(below) < count:
        return None
    player = drawn.players[node]
    if player == CHANCE:
        sums: set[Vector] = {(0.0,) * PLAYERS}
        for share, vectors in zip(drawn.shares[node], below, strict=True):
            sums = {
                tuple(a + share * b for a, b in zip(one, other, strict=True))
                for one in sums
                for other in vectors
            }
            if len(sums) > VECTORS:
                return None
        return sums
    # An action may be taken with any of its vectors that is no worse than the worst of every other action.
    least = max(min(vector[player] for vector in vectors) for vectors in below)
    return {vector for vectors in below for vector in vectors if vector[player] >= least - NEAR}


def against_all(forest: Forest, node: int, depth: int, me: int) -> float:
    """The value for a player if all others play against it."""
    drawn = forest.drawn
    if not drawn.children[node]:
        return forest.payoffs[node][me]
    if depth == 0:
        return forest.statics[node][me]
    values = [against_all(forest, child, depth - 1, me) for child in drawn.children[node]]
    return max(values) if drawn.players[node] == me else min(values)


def write_forest(game: Three, forest: Forest, rng: random.Random) -> None:
    drawn = forest.drawn
    seats = drawn.players
    drawn.players = [min(player, 1) for player in seats]  # hints are for two
    write(game, drawn, rng)
    drawn.players = seats
    for node, player in enumerate(seats):
        game.numbers.array[HEAD + NODE * node + PLAYER] = player
        for seat in range(PLAYERS):
            game.payoffs.array[PLAYERS * node + seat] = forest.payoffs[node][seat]
            game.payoffs.array[PLAYERS * (NODES + node) + seat] = forest.statics[node][seat]


def fuzz(seed: int, gear: str, tally: Tally) -> None:
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    game = _MADE.setdefault(kind, kind())
    forest = draw_forest(kind, rng)
    write_forest(game, forest, rng)
    actions = game.legal(State(0))
    root_actions = rng.sample(actions, rng.randint(1, len(actions))) if rng.random() < 0.3 else []
    for algorithm in fitting(game):
        for way, options in ways(algorithm, forest.drawn.height, False, rng):
            with tally.search(f"{kind.__name__} {algorithm.name} {way.name} {gear}"):
                chosen = {"root_actions": root_actions} if root_actions else {}
                asked = ask(game, State(0), algorithm.name, gear, way, **options, **chosen)
                case = (way, options, chosen, forest, asked.found)
                expect(asked.late <= LATE, "late", asked.late, *case)
                judge(forest, actions, root_actions, algorithm, way, options, asked.found, case)
                tally.answers[f"{algorithm.name} {'exact' if asked.found.exact else 'open'}"] += 1


def judge(
    forest: Forest, actions: list[int], root_actions: list[int], algorithm: Algorithm, way: Way,
    options: dict[str, Any], found: gambito.SearchResult, case: Any,
) -> None:  # fmt: skip
    expect(found.action in (root_actions or actions), "action", *case)
    children, me = forest.drawn.children[0], forest.drawn.players[0]
    places = [actions.index(action) for action in root_actions or actions]
    if algorithm.name == "max-n" and found.depth >= 1 and not found.lines and found.values:
        known: dict[Any, set[Vector] | None] = {}
        below = {place: vectors_of(forest, children[place], found.depth - 1, known) for place in places}
        if any(vectors is None for vectors in below.values()):
            return
        best = _backed_up(forest.drawn, 0, [vectors or set() for vectors in below.values()], len(below))
        assert best is not None
        expect(_is_in(found.values, best), "values", best, *case)
        expect(abs(found.values[me] - found.value) < NEAR, "value", *case)
        if not way.is_cut:  # a stopped iteration may have found another action
            mine = below[actions.index(found.action)] or set()
            expect(any(vector[me] > found.value - NEAR for vector in mine), "best", below, *case)
    if algorithm.name in ("paranoid", "paranoid-engine") and found.depth >= 1:
        expect(not found.exact, "exact", *case)
        if options == memory(algorithm) and algorithm.name == "paranoid-engine":
            return  # its techniques look beyond the depth
        deep = found.depth - 1
        worths = {actions[place]: against_all(forest, children[place], deep, me) for place in places}
        if found.value is not None and not way.before:
            expect(abs(found.value - max(worths.values())) < NEAR, "value", worths, *case)
            if not way.is_cut:
                expect(abs(worths[found.action] - found.value) < NEAR, "best", worths, *case)


def _is_in(values: list[float], vectors: set[Vector]) -> bool:
    return any(all(abs(a - b) < NEAR for a, b in zip(values, each, strict=True)) for each in vectors)
