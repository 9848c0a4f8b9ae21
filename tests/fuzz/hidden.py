"""Games that hide something: small trees beside the linear program of their sequences, and games without end.

In a tree everybody remembers all that it saw and did. In a game without end the same states come back for
ever, as if both may bid nothing: then a search answers or refuses in a sentence, and in either case in time.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import gambito
from gambito import Game, SearchError
from gambito.native import Memory
from gambito.search.algorithm import Algorithm
from tests.fuzz.asking import LATE, Way, ask, fitting
from tests.fuzz.drawing import CHANCE, draw_shares
from tests.fuzz.tally import Tally, expect
from tests.hidden.sequence_form import solve_by_program

NODES, FAN = 256, 3
OVER = -2
NEAR = 1e-6
HIGHEST = 10
PLAYER, COUNT, FIRST, WORTH, SEEN = (NODES * part for part in range(5))  # SEEN: a part for each player
SIZE = 7 * NODES
CODES = 1024  # what players see
FOUND_BY_LEARNING = ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "fictitious-play")


class Veiled(NamedTuple):
    """A node, or what a player sees of it: a number that other nodes share."""

    node: int
    seen: int


class Veil(Game):
    """A tree of at most so many nodes, in memory."""

    hidden = True
    chance = True
    value = float
    lowest, highest = -float(HIGHEST), float(HIGHEST)

    def __init__(self) -> None:
        self.numbers = Memory(np.zeros(SIZE, np.int64))
        self.sights = Memory(np.zeros(2 * CODES, np.int64))  # by what is seen: who moves, how many actions
        self.children = Memory(np.zeros(NODES * FAN, np.int64))
        self.shares = Memory(np.zeros(NODES * FAN))

    def initial(self):
        return Veiled(0, -1)

    def kind_of(self, state):
        return self.numbers[PLAYER + state.node] if state.node >= 0 else self.sights[state.seen]

    def fan_of(self, state):
        return self.numbers[COUNT + state.node] if state.node >= 0 else self.sights[CODES + state.seen]

    def player(self, state):
        return max(self.kind_of(state), CHANCE)

    def actions(self, state):
        for action in range(self.fan_of(state)):
            yield action

    def chances(self, state):
        for action in range(self.fan_of(state)):
            yield action, self.shares[FAN * state.node + action]

    def result(self, state, action):
        return Veiled(self.children[FAN * state.node + action], -1)

    def is_terminal(self, state):
        return self.kind_of(state) == OVER

    def utility(self, state, player):
        value = float(self.numbers[WORTH + state.node])
        return value if player == 0 else -value

    def observe(self, state, player):
        if player < 0:
            return Veiled(-1, -1)
        if state.node < 0:
            return state
        return Veiled(-1, self.numbers[SEEN + NODES * player + state.node])


class Endless(Veil):
    """The same states come back for ever, and nothing says so."""


class Forgetful(Veil):
    """The same, and what a player sees does not tell its past."""

    recalls = False
    cycles = True


@dataclass
class Hidden:
    """A drawn game, by node: who moves, what follows, what it is worth to player 0, what each player sees."""

    players: list[int]
    children: list[list[int]]
    shares: list[list[float]]
    worths: list[int]
    seen: list[tuple[int, int]]


def draw_tree(rng: random.Random) -> Hidden:
    """A tree. What a player sees is told by all that it ever saw and did, and who is to move."""
    hidden = Hidden([], [], [], [], [])
    codes: dict[Any, int] = {}
    counts: dict[int, int] = {}
    height, is_public = rng.randint(2, 5), rng.random()
    movers = [CHANCE, *(rng.choice([0, 1, 0, 1, CHANCE]) for _ in range(height - 1))]
    waiting: list[tuple[int, tuple[Any, Any]]] = [(0, ((), ()))]
    places: list[tuple[int, int] | None] = [None]
    for place, (ply, views) in zip(places, waiting, strict=False):  # the loop extends both
        node = len(hidden.players)
        if place is not None:
            hidden.children[place[0]][place[1]] = node
        is_over = ply == height or (ply > 1 and rng.random() < 0.15) or len(waiting) > NODES - FAN
        mover = OVER if is_over else movers[ply]
        mine = tuple(codes.setdefault((seat, views[seat], mover), 1 + len(codes)) for seat in (0, 1))
        count = 0 if is_over else rng.randint(1, FAN)
        if mover in (0, 1):
            count = counts.setdefault(mine[mover], count)
        if mover == OVER:
            count = 0
        hidden.players.append(mover)
        hidden.children.append([0] * count)
        hidden.shares.append(draw_shares(count, rng))
        hidden.worths.append(rng.randint(-HIGHEST, HIGHEST))
        hidden.seen.append((mine[0], mine[1]))
        for action in range(count):
            after = tuple(
                (*views[seat], (ply, action) if seat == mover or rng.random() < is_public else ply)
                for seat in (0, 1)
            )
            waiting.append((ply + 1, (after[0], after[1])))
            places.append((node, action))
    return hidden


def draw_circle(rng: random.Random) -> Hidden:
    """A graph whose states come back. A player sees who is to move and one of a few signs."""
    count = rng.randint(3, 7)
    players = [rng.choice([0, 1, 0, 1, CHANCE]) for _ in range(count - 1)] + [OVER]
    fans = {(player, sign): rng.randint(2, FAN) for player in (CHANCE, 0, 1) for sign in range(3)}
    signs = [(rng.randrange(3), rng.randrange(3)) for _ in players]
    hidden = Hidden(players, [], [], [rng.randint(-HIGHEST, HIGHEST) for _ in players], [])
    for node, player in enumerate(players):
        own = signs[node][player] if player in (0, 1) else 0
        fan = 0 if player == OVER else fans[player, own]
        # Some action leads on, so that an end can be reached.
        hidden.children.append([rng.choice([0, rng.randrange(count), node + 1]) for _ in range(fan)])
        if fan:
            hidden.children[node][-1] = node + 1
        hidden.shares.append(draw_shares(fan, rng))
        hidden.seen.append((8 * signs[node][0] + player + 3, 8 * signs[node][1] + player + 7))
    return hidden


def write(game: Veil, hidden: Hidden) -> None:
    numbers = game.numbers.array
    for node, player in enumerate(hidden.players):
        numbers[PLAYER + node], numbers[COUNT + node] = player, len(hidden.children[node])
        numbers[WORTH + node] = hidden.worths[node]
        for seat in (0, 1):
            code = hidden.seen[node][seat]
            numbers[SEEN + NODES * seat + node] = code
            game.sights.array[code] = player
            game.sights.array[CODES + code] = len(hidden.children[node]) if seat == player else 0
        for action, child in enumerate(hidden.children[node]):
            game.children.array[FAN * node + action] = child
            game.shares.array[FAN * node + action] = hidden.shares[node][action]


def fuzz(seed: int, gear: str, tally: Tally) -> None:
    rng = random.Random(seed)
    if seed % 4 == 3:
        fuzz_circle(rng, gear, tally)
    else:
        fuzz_tree(rng, gear, tally)


def fuzz_tree(rng: random.Random, gear: str, tally: Tally) -> None:
    hidden = draw_tree(rng)
    game = Veil()
    write(game, hidden)
    decisions = [node for node, player in enumerate(hidden.players) if player in (0, 1)]
    if not decisions:
        return
    value, _ = solve_by_program(game)
    for algorithm in fitting(game):
        node = rng.choice([0, rng.choice(decisions)])
        if algorithm.name not in FOUND_BY_LEARNING:
            node = rng.choice(decisions)
        way = some_way(rng)
        with tally.search(f"tree {algorithm.name} {way.name} {gear}"):
            asked = ask(game, Veiled(node, -1), algorithm.name, gear, way, **small(algorithm))
            case = (way, node, hidden, asked.found)
            expect(asked.late <= LATE, "late", asked.late, *case)
            judge(game, hidden, node, value, algorithm, asked.found, case)
            tally.answers[f"{algorithm.name} {'learned' if asked.found.iterations else 'open'}"] += 1
        mover = hidden.players[node]
        alike = [
            other for other in decisions
            if other != node and hidden.players[other] == mover
            and hidden.seen[other][mover] == hidden.seen[node][mover]
        ]  # fmt: skip
        if alike and way.name == "nodes":
            with tally.search(f"tree {algorithm.name} leak {gear}"):
                other = rng.choice(alike)
                again = ask(game, Veiled(other, -1), algorithm.name, gear, way, **small(algorithm)).found
                expect(again.action == asked.found.action, "leak", node, other, *case, again)


def judge(
    game: Veil,
    hidden: Hidden,
    node: int,
    value: float,
    algorithm: Algorithm,
    found: gambito.SearchResult,
    case: Any,
) -> None:
    """The bounds hold the value of the game, and a policy is one."""
    if hidden.players[node] in (0, 1):
        legal = game.legal(Veiled(node, -1))
        expect(found.action in legal, "action", *case)
        if found.policy:
            expect(set(found.policy) <= set(legal), "policy", *case)
            expect(abs(sum(found.policy.values()) - 1) < NEAR, "policy", *case)
            expect(min(found.policy.values()) > -NEAR, "policy", *case)
    if found.exploitability is not None:
        expect(found.exploitability > -NEAR, "exploitability", *case)
    if node == 0 and found.low is not None and found.confidence is None:
        expect(found.low - NEAR <= value <= found.high + NEAR, "bounds", value, *case)
        expect(abs(found.value - value) <= 2 * found.exploitability + NEAR, "value", value, *case)
    expect(not found.exact, "exact", *case)


def fuzz_circle(rng: random.Random, gear: str, tally: Tally) -> None:
    hidden = draw_circle(rng)
    game = rng.choice([Endless, Forgetful])()
    write(game, hidden)
    decisions = [node for node, player in enumerate(hidden.players) if player in (0, 1)]
    if not decisions:
        return
    for algorithm in fitting(game):
        node, way = rng.choice(decisions), some_way(rng)
        with tally.search(f"{type(game).__name__} {algorithm.name} {way.name} {gear}"):
            try:
                asked = ask(game, Veiled(node, -1), algorithm.name, gear, way, **small(algorithm))
            except SearchError:  # it may refuse, in a sentence
                continue
            case = (way, node, hidden, asked.found)
            expect(asked.late <= LATE, "late", asked.late, *case)
            expect(asked.found.action in game.legal(Veiled(node, -1)), "action", *case)


def small(algorithm: Algorithm) -> dict[str, Any]:
    """Few nodes for each open state, where a search values them by others."""
    return {"each": 50} if any(option.name == "each" for option in algorithm.options) else {}


def some_way(rng: random.Random) -> Way:
    name = rng.choice(["nodes", "nodes", "seconds", "stop"])
    if name == "nodes":
        return Way(name, {"nodes": rng.choice([1, 5, 20])})
    if name == "seconds":
        return Way(name, {"seconds": rng.choice([0.002, 0.02])})
    return Way(name, {"nodes": 20}, stop_after=rng.choice([1, 10, 100]))
