"""Pairs of games between IS-MCTS and a random player, with the same deal and the seats turned."""

from __future__ import annotations

import random

import gambito
from gambito import CHANCE, Game


def duel(game: Game, pairs: int, nodes: int) -> list[float]:
    """The sums of what IS-MCTS wins in the two games of each pair."""
    return [sum(play(game, seat, number, nodes) for seat in (0, 1)) for number in range(pairs)]


def play(game: Game, seat: int, number: int, nodes: int) -> float:
    """One game with the search at that seat; the deal and the random player depend on the number."""
    state, deal, other = game.initial(), random.Random(number), random.Random(number)
    while not game.is_terminal(state):
        player = game.player(state)
        if player == CHANCE:
            outcomes, weights = zip(*game.chances(state), strict=True)
            action = deal.choices(outcomes, weights)[0]
        elif player == seat:
            seen = game.observe(state, player)
            found = gambito.search(game, seen, "ismcts", nodes=nodes, seed=number)
            action = found.action
        else:
            action = other.choice(game.legal(state))
        state = game.result(state, action)
    return float(game.utility(state, seat))
