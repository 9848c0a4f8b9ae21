"""Games that hide something: how good strategies are, and what they do."""

from __future__ import annotations

import gambito
from makers.frame import Making, maker

ITERATIONS = (1, 10, 100, 1000)


@maker
def exploitability(making: Making, game: str, *algorithms: str) -> str:
    """The exploitability of what algorithms have learned after some numbers of iterations."""
    rows = []
    for name in algorithms:
        found = [gambito.solve(game, algorithm=name, iterations=count) for count in ITERATIONS]
        rows.append([f"`{name}`", *(f"{one.exploitability:.6f}" for one in found)])
    return making.table(["iterations", *map(making.number, ITERATIONS)], rows)


@maker
def learned(making: Making, game: str, iterations: str, *positions: str) -> str:
    """What CFR+ has learned to do in positions as their players see them; an underscore is a space."""
    rules = gambito.load(game)
    strategy = gambito.solve(rules, algorithm="cfr+", iterations=int(iterations)).strategy
    rows = []
    for text in (position.replace("_", " ") for position in positions):
        state = rules.parse(text)
        shares = strategy.at(state).items()
        told = ", ".join(f"{rules.write(state, action)} {100 * share:.0f} %" for action, share in shares)
        rows.append([f"`{text}`", told])
    return making.table(["position", "policy"], rows)
