"""`solve` in games with cycles: it ends, and its values are those of retrograde analysis."""

from __future__ import annotations

import random
from typing import NamedTuple

import pytest

import gambito
from gambito import Game
from gambito.search import api


class Pawns(NamedTuple):
    """The cells of both pawns, and whose turn it is."""

    first: int
    second: int
    mover: int


class Quoridor(Game):
    """Quoridor without walls on five by five cells: who reaches the opposite row first wins.

    A pawn steps to a neighbour. It jumps over the other pawn, or passes beside it where it cannot jump.
    """

    name = "small-quoridor"
    cycles = True

    def initial(self):
        return Pawns(2, 22, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        own, other = (state.first, state.second) if state.mover == 0 else (state.second, state.first)
        for row, column in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            down, right = own // 5 + row, own % 5 + column
            if 0 <= down < 5 and 0 <= right < 5:
                if down * 5 + right != other:
                    yield down * 5 + right
                elif 0 <= down + row < 5 and 0 <= right + column < 5:
                    yield (down + row) * 5 + right + column
                else:
                    for side in (-1, 1):
                        if 0 <= down + side * abs(column) < 5 and 0 <= right + side * abs(row) < 5:
                            yield (down + side * abs(column)) * 5 + right + side * abs(row)

    def result(self, state, action):
        if state.mover == 0:
            return Pawns(action, state.second, 1)
        return Pawns(state.first, action, 0)

    def is_terminal(self, state):
        return state.first >= 20 or state.second < 5

    def utility(self, state, player):
        return 1 if (state.first >= 20) == (player == 0) else -1


class Place(NamedTuple):
    """A node of a graph, and whose turn it is."""

    node: int
    mover: int


class Maze(Game):
    """A random graph with a few ends; a game without an end is a draw."""

    name = "maze"
    cycles = True
    compiles = False

    def __init__(self, seed: int, size: int) -> None:
        rng = random.Random(seed)
        places = [Place(node, mover) for node in range(size) for mover in (0, 1)]
        self.ways = {here: rng.choices(places, k=rng.randint(1, 3)) for here in places}
        self.ends = {here: rng.choice((-1, 0, 1)) for here in places[1:] if rng.random() < 0.2}

    def initial(self):
        return Place(0, 0)

    def player(self, state):
        return state.mover

    def actions(self, state):
        yield from range(len(self.ways[state]))

    def result(self, state, action):
        return self.ways[state][action]

    def is_terminal(self, state):
        return state in self.ends

    def utility(self, state, player):
        return self.ends[state] if player == 0 else -self.ends[state]

    def key(self, state):
        return 2 * state.node + state.mover


def wins(game: Maze, player: int) -> set[Place]:
    """The places from which a player wins by force."""
    won = {place for place in game.ends if game.utility(place, player) > 0}
    while True:
        more = {
            place
            for place, ways in game.ways.items()
            if place not in won and place not in game.ends
            if (any if place.mover == player else all)(way in won for way in ways)
        }
        if not more:
            return won
        won |= more


def test_a_small_game_with_cycles_is_solved():
    found = gambito.solve(Quoridor(), gear="python", memory=1)
    assert (found.value, found.exact, found.ends_in) == (-1, True, 8)


def test_positions_are_listed_where_a_search_takes_long(monkeypatch):
    monkeypatch.setitem(api.FIRST_NODES, "python", 100)
    found = gambito.solve(Quoridor(), gear="python", memory=1)
    assert (found.value, found.exact, found.ends_in, found.nodes) == (-1, True, 8, 960)
    assert len(found.line) == 8


@pytest.mark.thorough
def test_random_graphs_are_solved():
    for seed in range(30):
        game = Maze(seed, 4 + seed % 9)
        start = game.initial()
        truth = int(start in wins(game, 0)) - int(start in wins(game, 1))
        found = gambito.solve(game, memory=1)
        assert (found.value, found.exact) == (truth, True), seed
        assert found.action in game.legal(start)
