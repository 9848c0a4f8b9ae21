"""Random trees for several players, as rules: everything about a node follows from its seed."""

from __future__ import annotations

from typing import NamedTuple

from gambito import CHANCE, Game
from gambito.native import int64, mix, uint64

MOVER, WIDTH, WORTH, CHILD = 7, 9, 20, 100


class Node(NamedTuple):
    """The seed of a node, its ply, and the plies of the whole tree."""

    seed: int
    ply: int
    height: int


class Forest(Game):
    """Each player has values from -`spread` to `spread`; those of the last one make the sum 0."""

    name = "forest"
    most_actions = 4

    def __init__(
        self, players: int = 3, spread: int = 6, in_turn: bool = False, shared: bool = False
    ) -> None:
        self.players, self.spread, self.in_turn, self.shared = players, spread, in_turn, shared
        self.zero_sum = not shared  # shared: the last player's values are its own too
        self.highest = spread * max(players - 1, 1)
        self.lowest = -self.highest

    def initial(self):
        return Node(1, 0, 4)

    def number(self, state, salt, limit):
        return int64(mix((state.seed, state.ply, salt)) >> uint64(33)) % limit

    def player(self, state):
        if self.in_turn:
            return state.ply % self.players
        return self.number(state, MOVER, self.players)

    def actions(self, state):
        for action in range(1 + self.number(state, WIDTH, 4)):
            yield action

    def result(self, state, action):
        return Node(self.number(state, CHILD + action, 1 << 31), state.ply + 1, state.height)

    def is_terminal(self, state):
        return state.ply >= state.height

    def utility(self, state, player):
        return self.worth(state, player)

    def evaluate(self, state, player):
        return self.worth(state, player)

    def worth(self, state, player):
        total = 0
        for each in range(self.players):
            value = self.number(state, WORTH + each, 2 * self.spread + 1) - self.spread
            if each == self.players - 1 and not self.shared:
                value = -total
            if each == player:
                return value
            total += value
        return 0

    def priority(self, state, action):
        return self.number(state, CHILD + action, 5)

    def give_turn(self, state, player):
        """Only the seeds whose node is that player's are tried."""
        seed, found = state.seed, state
        for _ in range(64):
            found = Node(seed, state.ply, state.height)
            if self.player(found) == player:
                return found
            seed = self.number(found, MOVER + 1, 1 << 31)
        return found


class Dice(Forest):
    """The same, with chance as the mover of every third ply."""

    name = "dice-forest"
    chance = True
    value = float
    most_outcomes = 4

    def player(self, state):
        return CHANCE if state.ply % 3 == 1 else self.number(state, MOVER, self.players)

    def chances(self, state):
        count = 1 + self.number(state, WIDTH, 4)
        for outcome in range(count):
            yield outcome, 1 / count


def vector(game: Game, state, depth: int) -> list[float]:
    """The vector of max^n by its definition: the slow truth. The first best action is taken."""
    everybody = range(game.players)
    if game.is_terminal(state):
        return [game.utility(state, player) for player in everybody]
    if depth == 0:
        return [game.evaluate(state, player) for player in everybody]
    if game.player(state) == CHANCE:
        parts = [(p, vector(game, game.result(state, o), depth - 1)) for o, p in game.chances(state)]
        return [sum(p * below[player] for p, below in parts) for player in everybody]
    below = [vector(game, game.result(state, a), depth - 1) for a in game.actions(state)]
    return max(below, key=lambda values: values[game.player(state)])
