"""Games that hide something: how good strategies are, and what they do."""

from __future__ import annotations

from typing import Any

import gambito
from gambito.draw.position import draw_position
from gambito.game_tools.bridge.contracts import BOOK
from gambito.game_tools.bridge.sampled import sample
from makers.frame import Making, maker

DEALS = 20  # that are imagined in an ending of bridge
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


@maker
def ending(making: Making, name: str, position: str) -> str:
    """A position of bridge, drawn as the web page does; an underscore is a space."""
    rules = gambito.load("bridge")
    picture = draw_position(rules, rules.parse(position.replace("_", " ")))
    assert picture is not None
    return f"![{making.say('an ending of bridge')}]({making.add_picture(f'bridge-{name}', picture)})"


@maker
def planned(making: Making, moves: str, position: str) -> str:
    """What every card takes in imagined deals with open cards, and what one plan for all of them is worth."""
    rules: Any = gambito.load("bridge")
    state = rules.parse(position.replace("_", " "))
    found = sample(rules, state, int(rules.player(state)), DEALS)
    given: dict[str, Any] = {"worlds": DEALS, "moves": int(moves), "nodes": 1 << 40}
    plans = {each.action: each.value for each in gambito.search(rules, state, "alpha-mu", **given).candidates}
    goal = BOOK + rules.contract(state).level
    rows = [
        [
            f"`{rules.write(state, each.card)}`",
            f"{sum(tricks >= goal for tricks in each.tricks)}/{DEALS}",
            f"{sum(each.points) / DEALS:+.0f}",
            f"{plans[each.card]:+.0f}",
        ]
        for each in found.cards
    ]
    return making.table(["card", "made with open cards", "PIMC", "αμ"], rows)
